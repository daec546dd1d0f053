-- The bounds of a table's partitions by ranges of one uuid column, the least and the greatest UUID
-- where one is open; NULL for the default partition. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._partition_bounds(parent regclass)
RETURNS TABLE (partition regclass, lower uuid, upper uuid)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT pg_class.oid,
	replace(bound[1], 'MINVALUE', '00000000-0000-0000-0000-000000000000')::uuid,
	replace(bound[2], 'MAXVALUE', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
CROSS JOIN regexp_match(pg_get_expr(relpartbound, pg_class.oid),
	'^FOR VALUES FROM \(''?([^'')]+)''?\) TO \(''?([^'')]+)''?\)$') bound
WHERE inhparent = parent
$$;
