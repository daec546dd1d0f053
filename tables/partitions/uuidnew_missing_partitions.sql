-- The partitions that uuid_create_partitions is to create: for each period from now until now() +
-- ahead that none holds, and, up to then, for each that rows of the default partition wait for
-- (moving). One begins or ends where its neighbour is, if that is within its period.
--
-- ACCESS SHARE on the default partition, whose keys are searched by index, with the caller's
-- snapshot.
CREATE FUNCTION uuidnew_missing_partitions(parent regclass, width text, ahead interval,
	time_zone text, layout text)
RETURNS TABLE (period text, moving boolean, statement text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	own CONSTANT text := @own@;
	partitioned record;
	ends record;
	next_late text;
	next_period text;
	at uuid := '00000000-0000-0000-0000-000000000000';
	late uuid;	-- the first key from there on that waits
	here record;
BEGIN
	IF isfinite(now() + ahead) IS NOT TRUE THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot create partitions %s ahead', ahead);
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO partitioned USING parent, layout;
	EXECUTE format($query$
		SELECT %1$s.uuid_v7_min(since, $3) AS present, %1$s.uuid_v7_min(now() + $4, $3) AS future
		FROM %1$s.uuidnew_period($1, $2, now())
		$query$, own) INTO ends USING width, time_zone, partitioned.layout, ahead;
	next_late := format($query$
		SELECT %1$I FROM %2$s
		WHERE %1$I >= $1 AND %1$I < $2 AND %3$s.uuid_v7_layout(%1$I) = $3
		ORDER BY %1$I
		LIMIT 1
		$query$, partitioned.key, partitioned.rest, own);
	next_period := format($query$
		SELECT missing.*, %1$s.uuidnew_bound_time(missing.lower, $4) AS since,
			%1$s.uuidnew_bound_time(missing.upper, $4) AS until
		FROM (
			SELECT upper AS lower, lead(lower, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
				OVER (ORDER BY lower, upper) AS upper
			FROM (
				SELECT lower, upper FROM %1$s.uuidnew_partition_bounds($3) WHERE lower IS NOT NULL
				UNION ALL
				SELECT least, least FROM CAST('00000000-0000-0000-0000-000000000000' AS uuid) least
				) taken) gap
		CROSS JOIN greatest(gap.lower, $5) position
		CROSS JOIN %1$s.uuidnew_period($1, $2, %1$s.uuidnew_bound_time(position, $4)) whole
		CROSS JOIN LATERAL (
			SELECT greatest(gap.lower, %1$s.uuid_v7_min(whole.since, $4)) AS lower,
				least(gap.upper, %1$s.uuid_v7_min(whole.until, $4)) AS upper,
				suffix) missing
		WHERE position < gap.upper
		ORDER BY position
		LIMIT 1
		$query$, own);

	LOOP
		IF partitioned.rest IS NOT NULL THEN
			EXECUTE next_late INTO late USING at, ends.future, partitioned.layout;
		END IF;
		at := least(late, greatest(at, ends.present));
		EXIT WHEN at >= ends.future;
		EXECUTE next_period INTO here USING width, time_zone, parent, partitioned.layout, at;
		EXIT WHEN coalesce(here.lower >= ends.future, true);
		at := here.upper;
		period := format('since %s, until %s', here.since, here.until);
		moving := coalesce(late < at, false);
		statement := format('SELECT %s.uuidnew_add_partition(%L, %L, %L, %L, %L, %L, %L, %L)', own,
			parent::oid, partitioned.key, partitioned.rest::oid, here.lower, here.upper,
			here.suffix, moving, period);
		RETURN NEXT;
	END LOOP;
END
$$;
