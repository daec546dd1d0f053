-- The partitions that uuid_create_partitions is to create, by key: for each period from now until
-- now() + ahead that none holds, and, up to then, for each that rows of the default partition wait
-- for (waiting). One begins or ends where its neighbour is, if that is within its period.
--
-- ACCESS SHARE on the default partition, whose keys are searched by index, with the caller's
-- snapshot.
CREATE FUNCTION uuidnew_missing_partitions(parent regclass, width text, ahead interval,
	time_zone text, layout text)
RETURNS TABLE (since timestamptz, until timestamptz, lower uuid, upper uuid, suffix text,
	waiting boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	own CONSTANT text := @own@;
	period CONSTANT text := format($query$
		SELECT period.*, %1$s.uuid_v7_min(since, $4) AS lower, %1$s.uuid_v7_min(until, $4) AS upper
		FROM %1$s.uuidnew_period($1, $2, $3) period
		$query$, own);
	time_of CONSTANT text := format('SELECT %s.uuidnew_bound_time($1, $2)', own);
	next_late text;
	partitioned record;
	now_period record;
	gap record;
	here record;	-- the period of a position
	stop uuid;
	at uuid;
	late uuid;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO partitioned USING parent, layout;
	layout := partitioned.layout;
	EXECUTE period INTO now_period USING width, time_zone, now(), layout;
	EXECUTE format('SELECT %s.uuid_v7_min($1, $2)', own) INTO stop USING now() + ahead, layout;
	next_late := format($query$
		SELECT %1$I FROM %2$s
		WHERE %1$I >= $1 AND %1$I < $2 AND %3$s.uuid_v7_layout(%1$I) = $3
		ORDER BY %1$I
		LIMIT 1
		$query$, partitioned.key, partitioned.rest, own);

	FOR gap IN EXECUTE format($query$
		SELECT upper AS lower, lead(lower, 1, highest) OVER (ORDER BY lower, upper) AS upper
		FROM (VALUES ('00000000-0000-0000-0000-000000000000'::uuid,
			'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) ends(lowest, highest)
		CROSS JOIN LATERAL (
			SELECT lowest AS lower, lowest AS upper
			UNION ALL
			SELECT coalesce(lower, lowest), coalesce(upper, highest)
			FROM %s.uuidnew_partition_bounds($1)
			WHERE NOT is_default) taken
		ORDER BY 1
		$query$, own) USING parent
	LOOP
		at := gap.lower;
		LOOP
			IF partitioned.rest IS NOT NULL THEN
				EXECUTE next_late INTO late USING at, least(gap.upper, stop), layout;
			END IF;
			at := least(late, greatest(at, now_period.lower));
			EXIT WHEN at >= least(gap.upper, stop);
			EXECUTE time_of INTO since USING at, layout;
			EXECUTE period INTO here USING width, time_zone, since, layout;
			lower := greatest(gap.lower, here.lower);
			upper := least(gap.upper, here.upper);
			EXECUTE time_of INTO since USING lower, layout;
			EXECUTE time_of INTO until USING upper, layout;
			suffix := here.suffix;
			waiting := coalesce(late < upper, false);
			RETURN NEXT;
			at := upper;
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuidnew_missing_partitions(regclass, text, interval, text, text) IS
'the partitions that a table lacks; for uuid_create_partitions';
