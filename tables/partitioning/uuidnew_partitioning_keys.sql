-- The foreign keys that go with the name of a table: those that refer to it, and its own, which a
-- new parent is to have and its partition keeps. Statements that drop one, make it again by the
-- table's name without a look at rows, and lock the other table as these do. Reads the catalogs.
CREATE FUNCTION uuidnew_partitioning_keys(tab regclass)
RETURNS TABLE (child regclass, lock_it text, drop_it text, make_it text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT conrelid,
	CASE WHEN conrelid <> tab
		THEN format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', conrelid::regclass)
	WHEN has_table_privilege(confrelid, 'UPDATE')	-- else one may refer to it, but not lock it
		THEN format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', confrelid::regclass) END,
	CASE WHEN conrelid <> tab
		THEN format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) END,
	format('ALTER TABLE %s ADD CONSTRAINT %I %s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L',
		conrelid::regclass, conname,
		regexp_replace(pg_get_constraintdef(keys.oid), ' NOT VALID$', ''),
		CASE WHEN conrelid <> tab THEN ' NOT VALID' END,
		obj_description(keys.oid, 'pg_constraint'))
FROM pg_constraint keys
JOIN pg_class ON pg_class.oid = tab
WHERE contype = 'f'
	AND conparentid = 0
	AND (confrelid = tab OR conrelid = tab AND relkind = 'r')
$$;
COMMENT ON FUNCTION uuidnew_partitioning_keys(regclass) IS
'foreign keys that go with the name of a table; for uuid_partitioning_steps';
