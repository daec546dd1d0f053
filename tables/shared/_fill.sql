-- A generated statement: a template in which {name} is a place for the SQL text of that name, which
-- is quoted, or NULL for nothing. 22023 for a place that has no text.
CREATE FUNCTION uuidnew_tables._fill(template text, places jsonb)
RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	piece text[];
	filled text := '';
BEGIN
	FOR piece IN SELECT regexp_matches(template, '(\{([a-z][a-z0-9_]*)\}|[^{]+|\{)', 'g') LOOP
		IF NOT places ? piece[2] THEN
			RAISE invalid_parameter_value USING MESSAGE = format('no value for {%s}', piece[2]);
		END IF;
		filled := concat(filled,
			CASE WHEN piece[2] IS NULL THEN piece[1] ELSE places ->> piece[2] END);
	END LOOP;
	RETURN filled;
END
$$;
