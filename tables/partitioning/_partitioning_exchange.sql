-- The swap: the table becomes the first partition of a new one of its name. Refused if anything
-- would be lost. Reads no row. ACCESS EXCLUSIVE on the table and what refers to it, SHARE ROW
-- EXCLUSIVE on what it refers to, within half a second in all.
CREATE PROCEDURE uuidnew_tables._partitioning_exchange(tab regclass)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	keys record;
	border record;
	parent regclass;
	found text;
BEGIN
	SELECT * INTO keys FROM uuidnew_tables._foreign_keys(tab, true);
	CALL uuidnew_tables._briefly(tab || keys.children,
		keys.lock_parents	-- first, as writers lock them
		|| format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tab) || keys.lock_children);
	SELECT * INTO keys FROM uuidnew_tables._foreign_keys(tab, true);
	SELECT * INTO border
	FROM uuidnew_tables._partitioning_border(tab, NULL::timestamptz, NULL::text);
	IF border.problem IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('cannot partition table %s: %s', tab, border.problem);
	END IF;
	parent := uuidnew_tables._partitioning_parent(tab, border.key, true);
	SELECT string_agg(o, E'\n') INTO found
	FROM (
		SELECT uuidnew_tables._partitioning_obstacles(tab)
		UNION ALL
		SELECT uuidnew_tables._partitioning_lost(tab, parent, true)) obstacles(o);
	IF found IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('table %s would not be as before', tab), DETAIL = found;
	END IF;

	EXECUTE keys.drop_all;
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
	EXECUTE keys.add_all;
END
$$;
