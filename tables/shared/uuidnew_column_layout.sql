-- The layout of version 7 that a column holds, 'rfc9562' or 'draft', by what its table says.
--
-- guard: by validated CHECK constraints. made: by its default; 'version 4' if that makes random
-- UUIDs. NULL if nothing says. ACCESS SHARE on the table, of which the catalogs are read.
CREATE FUNCTION uuidnew_column_layout(tab regclass, col int, OUT guard text, OUT made text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT regnamespace := @own@;
	default_call text;
	is_own boolean;
BEGIN
	EXECUTE format('SELECT %s.uuidnew_column_guard($1, $2)', own) INTO guard USING tab, col;

	-- without the schema; pg_uuidv7 has a uuid_generate_v7 too
	SELECT regexp_replace(pg_get_expr(adbin, adrelid), '^[^(]+\.', ''),
		EXISTS (
			SELECT FROM pg_depend
			JOIN pg_proc ON pg_proc.oid = refobjid
			WHERE classid = 'pg_attrdef'::regclass
				AND objid = pg_attrdef.oid
				AND refclassid = 'pg_proc'::regclass
				AND pronamespace = own)
	INTO default_call, is_own
	FROM pg_attrdef
	WHERE adrelid = tab AND adnum = col;
	made := CASE
		WHEN default_call ^@ 'uuidv7(' OR default_call = 'uuid_generate_v7(''rfc9562''::text)'
			THEN 'rfc9562'
		WHEN default_call ~ '^(gen_random_uuid|uuidv4|uuid_generate_v4)\(' THEN 'version 4'
		WHEN default_call ~ '^uuid_generate_v7\((''(draft|(milli|micro|nano)second)''::text)?\)$'
			AND is_own THEN 'draft' END;
END
$$;
COMMENT ON FUNCTION uuidnew_column_layout(regclass, int) IS
'layout of version 7 of a column, by its guard and by its default';
