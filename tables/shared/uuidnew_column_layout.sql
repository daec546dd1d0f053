-- layout of version 7 of a column: what a CHECK constraint says, and what its default makes
CREATE FUNCTION uuidnew_column_layout(tab regclass, col int, OUT guard text, OUT made text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT (SELECT max(layout)
	FROM (VALUES ('rfc9562', 'draft', 'uuidv7_is'), ('draft', 'rfc9562', 'uuid_v7_is')) form(layout, other, test),
	pg_constraint c WHERE c.conrelid = tab AND c.contype = 'c' AND c.conkey = ARRAY[col::int2]
	AND pg_get_constraintdef(c.oid) ~ format('^CHECK \(\(?(%4$s\.)?(%3$s\(%4$s\)|uuid_v7_layout\(%4$s\) '
	'(= ''%1$s''::text|<> ''%2$s''::text|'
		'= ANY \(ARRAY\[(''none''::text, )?''%1$s''::text(, ''none''::text)?\]\)))\)',
		layout, other, test, '([[:alnum:]_]+|"([^"]|"")+")')),
	(SELECT CASE WHEN call ^@ 'uuidv7(' OR call = 'uuid_generate_v7(''rfc9562''::text)' THEN 'rfc9562'
		WHEN call ~ '^(gen_random_uuid|uuidv4|uuid_generate_v4)\(' THEN 'version 4'
		-- pg_uuidv7 has a function of this name too
		WHEN call ~ '^uuid_generate_v7\((''(draft|(milli|micro|nano)second)''::text)?\)$'
			AND EXISTS (SELECT FROM pg_depend JOIN pg_proc p ON p.oid = refobjid
			WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid AND refclassid = 'pg_proc'::regclass
			AND p.pronamespace = @own@::regnamespace) THEN 'draft' END
	FROM pg_attrdef d, regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^[^(]+\.', '') call
	WHERE d.adrelid = tab AND d.adnum = col)
$$;
COMMENT ON FUNCTION uuidnew_column_layout IS 'layout of version 7 of a column, by its guard and by its default';
