-- The foreign keys that refer to a table, and, with_own, its own, which are not dropped: statements
-- that lock the other tables as these do, drop them, and make them again, by the table's name and
-- without a look at rows. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._foreign_keys(tab regclass, with_own boolean,
	OUT children regclass[], OUT locks text[], OUT drop_all text, OUT make_all text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT array_agg(conrelid),
	array_agg(CASE WHEN refers
		THEN format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', conrelid::regclass)
		ELSE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', confrelid::regclass) END
		ORDER BY conrelid)
		-- to refer to a table is not always to be allowed to lock it
		FILTER (WHERE refers OR has_table_privilege(confrelid, 'UPDATE')),
	concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		'; ') FILTER (WHERE refers)),
	concat(string_agg(format(
		'ALTER TABLE %s ADD CONSTRAINT %I %s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L',
		conrelid::regclass, conname, pg_get_constraintdef(oid),
		CASE WHEN refers AND convalidated THEN ' NOT VALID' END,
		obj_description(oid, 'pg_constraint')), '; '))
FROM pg_constraint
CROSS JOIN LATERAL (SELECT confrelid = tab) other(refers)
WHERE contype = 'f' AND conparentid = 0 AND (refers OR with_own AND conrelid = tab)
$$;
