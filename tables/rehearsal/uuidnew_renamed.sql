-- A statement in which other relations stand in place of some.  Names and values are quoted SQL
-- text, with the schema; a name is found where no name goes on before or after it, even in a
-- literal, which does not matter where an empty copy of a table is made.
CREATE FUNCTION uuidnew_renamed(statement text, names jsonb)
RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name record;
BEGIN
	FOR name IN
		SELECT key AS old, value AS new FROM jsonb_each_text(names)
		UNION	-- as in a literal
		SELECT regexp_replace(quote_literal(key), '^E?''|''$', '', 'g'),
			regexp_replace(quote_literal(value), '^E?''|''$', '', 'g')
		FROM jsonb_each_text(names)
	LOOP
		statement := regexp_replace(statement,
			'(?<![\w$."])' || regexp_replace(name.old, '([][\\^$.|?*+(){}])', '\\\1', 'g')
				|| '(?![\w$"])',
			replace(name.new, '\', '\\'), 'g');
	END LOOP;
	RETURN statement;
END
$$;
COMMENT ON FUNCTION uuidnew_renamed(text, jsonb) IS
'a statement for other relations; for uuidnew_copy_tables';
