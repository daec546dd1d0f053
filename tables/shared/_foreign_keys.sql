-- The foreign keys that refer to a table, and, with_own, its own, which are not dropped: statements
-- that lock the tables on the other side as ATTACH does (lock_others; the referred tables first),
-- or as DROP does, drop the keys, and add them again, by the table's name and without reading rows.
-- Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._foreign_keys(tab regclass, with_own boolean,
	OUT children regclass[], OUT lock_others text[], OUT lock_parents text[],
	OUT lock_children text[], OUT drop_all text, OUT add_all text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT array_agg(conrelid) FILTER (WHERE refers),
	coalesce(array_agg(share ORDER BY refers, other) FILTER (WHERE lockable), '{}'),
	coalesce(array_agg(share ORDER BY other) FILTER (WHERE lockable AND NOT refers), '{}'),
	coalesce(array_agg(format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', conrelid::regclass)
		ORDER BY other) FILTER (WHERE refers), '{}'),
	concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		'; ') FILTER (WHERE refers)),
	concat(string_agg(format(
		'ALTER TABLE %s ADD CONSTRAINT %I %s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L',
		conrelid::regclass, conname, pg_get_constraintdef(oid),
		CASE WHEN refers AND convalidated THEN ' NOT VALID' END,
		obj_description(oid, 'pg_constraint')), '; '))
FROM pg_constraint
CROSS JOIN LATERAL (SELECT confrelid = tab, CASE confrelid WHEN tab THEN conrelid
	ELSE confrelid END::regclass) sides(refers, other)
-- to refer to a table is not always to be allowed to lock it
CROSS JOIN LATERAL (SELECT has_table_privilege(other, 'UPDATE'), format(
	'LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', other)) locks(lockable, share)
WHERE contype = 'f' AND conparentid = 0 AND (refers OR with_own AND conrelid = tab)
$$;
