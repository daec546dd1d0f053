-- The partitions that create_partitions is to create: for each period from now until now() + ahead
-- that no partition holds, and, up to then, for each that rows of the default partition wait for
-- (moving). One begins or ends where its neighbour is, if that is within its period. 22008 if a
-- period reaches beyond the times of such keys, but for one that begins before the first key that
-- waits. 55000 if a partition is half detached.
--
-- ACCESS SHARE on the default partition, whose keys are searched by index, with the caller's
-- snapshot.
CREATE FUNCTION uuidnew_tables._missing_partitions(parent regclass, width text, ahead interval,
	time_zone text, layout text)
RETURNS TABLE (period text, moving boolean, statement text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	partitioned record;
	ends record;
	at uuid := '00000000-0000-0000-0000-000000000000';
	late uuid;	-- the first key from there on that waits
	gaps uuid[];	-- lower and upper bounds in turn
	gap int := 1;
	whole record;
	missing record;
BEGIN
	SELECT * INTO partitioned FROM uuidnew_tables._partition_key(parent, layout, NULL::int);
	SELECT * INTO ends FROM uuidnew_tables._creation_range(width, ahead, time_zone,
		partitioned.layout);
	gaps := uuidnew_tables._partition_gaps(parent);

	LOOP
		IF partitioned.rest IS NOT NULL THEN
			EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= $1 AND %1$I < $2 AND '
				'uuidnew_tables._key_layout(%1$I) = $3 ORDER BY %1$I LIMIT 1', partitioned.key,
				partitioned.rest) INTO late USING at, ends.future, partitioned.layout;
		END IF;
		at := least(late, greatest(at, ends.present));
		EXIT WHEN at >= ends.future;
		WHILE gaps[gap + 1] <= at LOOP
			gap := gap + 2;
		END LOOP;
		at := greatest(gaps[gap], at);
		EXIT WHEN gaps[gap] IS NULL OR at >= least(ends.future, ends.past_all);
		SELECT * INTO whole FROM uuidnew_tables._period(width, time_zone,
			uuidnew_tables._bound_time(at, partitioned.layout));
		SELECT lower, upper, uuidnew_tables._bound_time(lower, partitioned.layout) AS since,
			uuidnew_tables._bound_time(upper, partitioned.layout) AS until
		INTO missing
		FROM greatest(gaps[gap], uuidnew_tables._key_min(whole.since, partitioned.layout)) lower
		CROSS JOIN least(gaps[gap + 1],
			uuidnew_tables._key_min(whole.until, partitioned.layout)) upper;
		EXIT WHEN missing.lower >= ends.future;
		at := missing.upper;
		moving := coalesce(late < at, false);
		PERFORM uuidnew_tables._check_period(
			CASE WHEN moving THEN missing.since ELSE whole.since END, whole.until,
			partitioned.layout);
		period := format('since %s, until %s', missing.since, missing.until);
		statement := format('SELECT uuidnew_tables._add_partition(%L::regclass, %L::name, '
			'%L::regclass, %L::uuid, %L::uuid, %L::text, %L::boolean, %L::text)',
			parent::oid, partitioned.key, partitioned.rest::oid, missing.lower, missing.upper,
			whole.suffix, moving, period);
		RETURN NEXT;
	END LOOP;
END
$$;
