-- The swap: the table becomes the first partition of a new one of its name. Reads no row. ACCESS
-- EXCLUSIVE on the table, SHARE ROW EXCLUSIVE on what it refers to, within half a second in all.
CREATE PROCEDURE uuidnew_tables._partitioning_exchange(tab regclass)
LANGUAGE plpgsql
AS $$
DECLARE
	locks CONSTANT record := uuidnew_tables._locks(tab, NULL::regclass, 'SHARE ROW EXCLUSIVE'::text,
		'ACCESS EXCLUSIVE'::text);
	border record;
	parent regclass;
BEGIN
	CALL uuidnew_tables._briefly(locks.tables, locks.statements);
	border := uuidnew_tables._partitioning_border(tab, NULL::timestamptz);
	parent := uuidnew_tables._partitioning_parent(tab, border.key);
	PERFORM uuidnew_tables._refuse(format('table %s would not be as before', tab), ARRAY(
		SELECT 'still to do: constraint uuid_partitioning is not valid' WHERE NOT border.is_valid
		UNION ALL
		SELECT uuidnew_tables._partitioning_obstacles(tab, border.key)
		UNION ALL
		SELECT uuidnew_tables._partitioning_lost(tab, parent)));
	-- then the partition has the constraint from its parent
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L); '
		'ALTER TABLE %1$s DROP CONSTRAINT uuid_partitioning', parent, tab, border.upper);
	EXECUTE string_agg(format('ALTER TABLE %1$s.%2$I RENAME TO uuidnew_exchanged; '
			'ALTER TABLE %1$s.%3$I RENAME TO %2$I; '
			'ALTER TABLE %1$s.uuidnew_exchanged RENAME TO %3$I',
			one.relnamespace::regnamespace, one.relname, other.relname), '; ')
	FROM pg_inherits
	JOIN pg_class one ON one.oid = inhrelid
	JOIN pg_class other ON other.oid = inhparent
	WHERE inhrelid = tab OR inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = tab);
	EXECUTE concat(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s; '
		'COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L', parent, conname, pg_get_constraintdef(oid),
		obj_description(oid, 'pg_constraint')), '; '))
	FROM pg_constraint
	WHERE conrelid = tab AND contype = 'f';
END
$$;
