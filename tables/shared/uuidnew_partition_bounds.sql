-- The bounds of a table's partitions by ranges of one uuid column, each NULL where it is open;
-- both for the default partition. Reads the catalogs only.
CREATE FUNCTION uuidnew_partition_bounds(parent regclass)
RETURNS TABLE (partition regclass, is_default boolean, lower uuid, upper uuid)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT pg_class.oid,
	words = 'DEFAULT',
	nullif(bound[1], 'MINVALUE')::uuid,
	nullif(bound[2], 'MAXVALUE')::uuid
FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
CROSS JOIN pg_get_expr(relpartbound, pg_class.oid) words
CROSS JOIN regexp_match(words, '^FOR VALUES FROM \(''?([^'')]+)''?\) TO \(''?([^'')]+)''?\)$') bound
WHERE inhparent = parent
$$;
COMMENT ON FUNCTION uuidnew_partition_bounds(regclass) IS
'bounds of the partitions of a table; for uuid_partitions and others';
