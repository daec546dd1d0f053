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
#variable_conflict use_column
DECLARE
	own CONSTANT text := @own@;
	found record;
	has_rows boolean;
BEGIN
	EXECUTE format('SELECT layout, rest FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO found USING parent, layout;
	FOR partition, since, until, rows, bytes, lower, upper IN EXECUTE format($query$
		SELECT partition,
			coalesce(%1$s.uuidnew_bound_time(lower, $2), CASE WHEN NOT is_default
				THEN '-infinity'::timestamptz END),
			coalesce(%1$s.uuidnew_bound_time(upper, $2), CASE WHEN NOT is_default
				THEN 'infinity'::timestamptz END),
			size.rows,
			size.bytes,
			lower,
			upper
		FROM %1$s.uuidnew_partition_bounds($1)
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(CASE WHEN reltuples < 0 THEN pg_stat_get_live_tuples(oid)
					ELSE reltuples::bigint END), 0) AS rows,
				coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes
			FROM pg_partition_tree(partition)
			JOIN pg_class ON oid = relid
			WHERE isleaf) size
		ORDER BY is_default, lower NULLS FIRST
		$query$, own) USING parent, found.layout
	LOOP
		IF partition = found.rest THEN	-- the estimate cannot tell whether it is empty
			EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partition) INTO has_rows;
			rows := CASE WHEN has_rows THEN greatest(rows, 1) ELSE 0 END;
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuid_partitions(regclass, text) IS
'partitions of a table by the time in its key';
