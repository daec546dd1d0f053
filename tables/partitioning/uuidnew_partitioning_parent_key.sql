-- Makes a foreign key of a partitioned table of those that its partitions have, which are valid:
-- reads no row of theirs. SHARE ROW EXCLUSIVE on both tables.
CREATE PROCEDURE uuidnew_partitioning_parent_key(root regclass, name name)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	key record;
	definition text;
	said text;
BEGIN
	FOR key IN
		SELECT c.oid, conrelid::regclass AS child
		FROM pg_partition_tree(root) JOIN pg_constraint c ON conrelid = relid
		WHERE conname = name AND contype = 'f' AND conparentid = 0
			AND obj_description(c.oid, 'pg_constraint') ^@ 'uuid_partitioning'
	LOOP
		definition := regexp_replace(pg_get_constraintdef(key.oid), ' NOT VALID$', '');
		said := nullif(regexp_replace(obj_description(key.oid, 'pg_constraint'),
			'^uuid_partitioning', ''), '');
		EXECUTE format('COMMENT ON CONSTRAINT %I ON %s IS NULL', name, key.child);
	END LOOP;
	EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', root, name, definition);
	EXECUTE format('COMMENT ON CONSTRAINT %I ON %s IS %L', name, root, said);
END
$$;
COMMENT ON PROCEDURE uuidnew_partitioning_parent_key(regclass, name) IS
'a foreign key of a partitioned table; for uuid_partitioning_steps';
