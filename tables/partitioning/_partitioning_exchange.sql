-- The swap: the table becomes the first partition of a new one of its name. Refused if anything
-- would be lost. Reads no row. ACCESS EXCLUSIVE on the table and what refers to it, SHARE ROW
-- EXCLUSIVE on what it refers to, within half a second in all.
CREATE PROCEDURE uuidnew_tables._partitioning_exchange(tab regclass)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	locks CONSTANT record := uuidnew_tables._locks(tab, NULL::regclass, 'SHARE ROW EXCLUSIVE'::text,
		'ACCESS EXCLUSIVE'::text, 'ACCESS EXCLUSIVE'::text);
	border record;
	parent regclass;
	found text;
	keys record;
BEGIN
	CALL uuidnew_tables._briefly(locks.tables, locks.statements);
	border := uuidnew_tables._partitioning_border(tab, NULL::timestamptz, NULL::text);
	IF NOT border.is_valid THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s is not prepared: its phases are prepare, then swap', tab);
	END IF;
	parent := uuidnew_tables._partitioning_parent(tab, border.key);
	SELECT string_agg(o, E'\n') INTO found
	FROM (
		SELECT uuidnew_tables._partitioning_obstacles(tab, border.key)
		UNION ALL
		SELECT uuidnew_tables._partitioning_lost(tab, parent)) obstacles(o);
	IF found IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('table %s would not be as before', tab), DETAIL = found;
	END IF;

	keys := uuidnew_tables._renewed_foreign_keys(tab, true);
	-- then the partition has the constraint from its parent
	EXECUTE format('%s; ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L); '
		'ALTER TABLE %2$s DROP CONSTRAINT uuid_partitioning', keys.drop_all, parent, tab,
		border.upper);
	EXECUTE string_agg(format('ALTER TABLE %1$s.%2$I RENAME TO uuidnew_exchanged; '
			'ALTER TABLE %1$s.%3$I RENAME TO %2$I; '
			'ALTER TABLE %1$s.uuidnew_exchanged RENAME TO %3$I',
			one.relnamespace::regnamespace, one.relname, other.relname), '; ')
	FROM pg_inherits
	JOIN pg_class one ON one.oid = inhrelid
	JOIN pg_class other ON other.oid = inhparent
	WHERE inhrelid = tab OR inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = tab);
	EXECUTE keys.add_all;
END
$$;
