-- The partitions of a table: their times, since <= time < until, and their bounds. rows is an
-- estimate; for the default partition, which is looked at (ACCESS SHARE), 0 means that it is empty.
CREATE FUNCTION uuidnew_tables.partitions(parent regclass)
RETURNS TABLE (partition regclass, since timestamptz, until timestamptz, rows bigint, bytes bigint,
	lower uuid, upper uuid)
LANGUAGE plpgsql STABLE
AS $$
DECLARE
	partitioned CONSTANT record := uuidnew_tables._partition_key(parent, NULL::int);
	has_rows boolean;
BEGIN
	IF partitioned.rest IS NOT NULL THEN
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partitioned.rest) INTO has_rows;
	END IF;
	RETURN QUERY
	SELECT bounds.partition, uuidnew_tables._bound_time(bounds.lower),
		uuidnew_tables._bound_time(bounds.upper),
		CASE WHEN bounds.partition = partitioned.rest THEN greatest(size.rows, 1) * has_rows::int
			ELSE size.rows END,
		size.bytes, bounds.lower, bounds.upper
	FROM uuidnew_tables._partition_bounds(parent) bounds
	CROSS JOIN LATERAL (
		SELECT coalesce(sum(CASE WHEN reltuples < 0 THEN pg_stat_get_live_tuples(oid)
				ELSE reltuples::bigint END), 0)::bigint AS rows,
			coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes
		FROM pg_partition_tree(bounds.partition)
		JOIN pg_class ON oid = relid
		WHERE isleaf) size
	ORDER BY bounds.lower;
END
$$;
COMMENT ON FUNCTION uuidnew_tables.partitions IS 'partitions of a table by time in its key';
