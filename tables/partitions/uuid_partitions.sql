-- The partitions of a table: their times, since <= time < until, and their bounds.
--
-- rows is PostgreSQL's estimate; for the default partition 0 means that it is empty. ACCESS SHARE
-- on the default partition for a look whether it has a row, with the caller's snapshot.
CREATE FUNCTION uuid_partitions(parent regclass, layout text DEFAULT NULL)
RETURNS TABLE (partition regclass, since timestamptz, until timestamptz, rows bigint, bytes bigint,
	lower uuid, upper uuid)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off	-- no policy hides rows
AS $$
DECLARE
	own CONSTANT text := @own@;
	partitioned record;
	has_rows boolean;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO partitioned USING parent, layout;
	IF partitioned.rest IS NOT NULL THEN
		EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partitioned.rest) INTO has_rows;
	END IF;
	RETURN QUERY EXECUTE format($query$
		SELECT partition, %1$s.uuidnew_bound_time(lower, $2), %1$s.uuidnew_bound_time(upper, $2),
			CASE WHEN partition = $3 THEN greatest(rows, 1) * $4::int ELSE rows END,
			bytes, lower, upper
		FROM %1$s.uuidnew_partition_bounds($1)
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(CASE WHEN reltuples < 0 THEN pg_stat_get_live_tuples(oid)
					ELSE reltuples::bigint END), 0)::bigint AS rows,
				coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes
			FROM pg_partition_tree(partition)
			JOIN pg_class ON oid = relid
			WHERE isleaf) size
		ORDER BY lower
		$query$, own) USING parent, partitioned.layout, partitioned.rest, has_rows;
END
$$;
COMMENT ON FUNCTION uuid_partitions(regclass, text) IS 'partitions of a table by time in its key';
