-- Gives a partition the replica identity of its table, by its own part of the same index.
CREATE FUNCTION uuidnew_copy_replica_identity(parent regclass, partition regclass)
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	identity text;
BEGIN
	SELECT CASE relreplident
		WHEN 'f' THEN 'FULL'
		WHEN 'n' THEN 'NOTHING'
		WHEN 'i' THEN (
			SELECT format('USING INDEX %I', pg_class.relname)
			FROM pg_index of_parent
			JOIN pg_inherits ON inhparent = of_parent.indexrelid
			JOIN pg_index of_partition ON of_partition.indexrelid = inhrelid
			JOIN pg_class ON pg_class.oid = of_partition.indexrelid
			WHERE of_parent.indrelid = parent
				AND of_parent.indisreplident
				AND of_partition.indrelid = partition) END
	INTO identity
	FROM pg_class
	WHERE oid = parent;
	IF identity IS NOT NULL THEN
		EXECUTE format('ALTER TABLE %s REPLICA IDENTITY %s', partition, identity);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_copy_replica_identity(regclass, regclass) IS
'replica identity of a new partition; for uuid_create_partitions';
