-- The bounds of a table's partitions, the least and the greatest UUID where one is open; NULL for
-- the default partition.
CREATE FUNCTION uuidnew_tables._partition_bounds(parent regclass)
RETURNS TABLE (partition regclass, lower uuid, upper uuid)
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT pg_class.oid::regclass,
		replace(bound[1], 'MINVALUE', '00000000-0000-0000-0000-000000000000')::uuid,
		replace(bound[2], 'MAXVALUE', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
	FROM pg_inherits
	JOIN pg_class ON pg_class.oid = inhrelid
	CROSS JOIN regexp_match(pg_get_expr(relpartbound, pg_class.oid),
		'^FOR VALUES FROM \(''?([^'')]+)''?\) TO \(''?([^'')]+)''?\)$') bound
	WHERE inhparent = parent;
END;
