-- The foreign keys that go with the name of a table: those that refer to it, and its own, which its
-- new parent is to have and its partition keeps. Statements that lock the other tables as these do,
-- drop them, and make them again by the table's name without a look at rows.
CREATE FUNCTION uuidnew_partitioning_keys(tab regclass,
	OUT children regclass[], OUT locks text[], OUT drop_all text, OUT make_all text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT array_agg(conrelid),
	array_agg(CASE WHEN refers
		THEN format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', conrelid::regclass)
		ELSE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', confrelid::regclass) END)
		-- to refer to a table is not always to be allowed to lock it
		FILTER (WHERE refers OR has_table_privilege(confrelid, 'UPDATE')),
	concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		'; ') FILTER (WHERE refers)),
	concat(string_agg(format(
		'ALTER TABLE %s ADD CONSTRAINT %I %s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L',
		conrelid::regclass, conname,
		regexp_replace(pg_get_constraintdef(keys.oid), ' NOT VALID$', ''),
		CASE WHEN refers THEN ' NOT VALID' END,
		obj_description(keys.oid, 'pg_constraint')), '; '))
FROM pg_constraint keys
JOIN pg_class ON pg_class.oid = tab
CROSS JOIN LATERAL (SELECT conrelid <> tab) other(refers)
WHERE contype = 'f' AND conparentid = 0 AND (confrelid = tab OR conrelid = tab AND relkind = 'r')
$$;
