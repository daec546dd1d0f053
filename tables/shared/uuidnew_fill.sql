-- A generated statement: a template in which {name} is a place for the value of that name.
--
-- A value is SQL text already, quoted by its maker; NULL stands for nothing. Values are not looked
-- through for places themselves. 22023 for a place that has no value.
CREATE FUNCTION uuidnew_fill(template text, places jsonb)
RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	place CONSTANT text := '\{([a-z][a-z0-9_]*)\}';
	unknown text;
	filled text;
BEGIN
	SELECT min(found.name[1]) INTO unknown
	FROM regexp_matches(template, place, 'g') found(name)
	WHERE NOT places ? found.name[1];
	IF unknown IS NOT NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = format('no value for {%s}', unknown);
	END IF;

	SELECT string_agg(
		CASE WHEN piece.match[2] IS NULL THEN piece.match[1] ELSE places ->> piece.match[2] END,
		'' ORDER BY piece.number)
	INTO filled
	FROM regexp_matches(template, '(' || place || '|[^{]+|\{)', 'g')
		WITH ORDINALITY piece(match, number);
	RETURN coalesce(filled, '');
END
$$;
COMMENT ON FUNCTION uuidnew_fill(text, jsonb) IS
'a template with its places filled; for the functions for tables';
