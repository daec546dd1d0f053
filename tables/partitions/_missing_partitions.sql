-- The partitions that create_partitions is to create: for each period from now until now() + ahead
-- that none holds, and, up to then, for each that rows of the default partition wait for (moving).
-- One begins or ends where its neighbour is, if that is within its period. 22008 if a period
-- reaches beyond the times of such keys, but for one that begins before the first key that waits.
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
	next_late text;
	at uuid := '00000000-0000-0000-0000-000000000000';
	late uuid;	-- the first key from there on that waits
	here record;
BEGIN
	IF isfinite(now() + ahead) IS NOT TRUE THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot create partitions %s ahead', ahead);
	END IF;
	SELECT * INTO partitioned FROM uuidnew_tables._partition_key(parent, layout, NULL::int);
	SELECT since, until, uuidnew_tables._key_min(since, partitioned.layout) AS present,
		uuidnew_tables._key_min(now() + ahead, partitioned.layout) AS future,
		uuidnew_tables._key_min('infinity'::timestamptz, partitioned.layout) AS past_all
	INTO ends
	FROM uuidnew_tables._period(width, time_zone, now());
	PERFORM uuidnew_tables._check_period(ends.since, ends.until, partitioned.layout);
	next_late := format($query$
		SELECT %1$I FROM %2$s
		WHERE %1$I >= $1 AND %1$I < $2 AND uuidnew_tables._key_layout(%1$I) = $3
		ORDER BY %1$I
		LIMIT 1
		$query$, partitioned.key, partitioned.rest);

	LOOP
		IF partitioned.rest IS NOT NULL THEN
			EXECUTE next_late INTO late USING at, ends.future, partitioned.layout;
		END IF;
		at := least(late, greatest(at, ends.present));
		EXIT WHEN at >= ends.future;
		SELECT missing.*, uuidnew_tables._bound_time(missing.lower, partitioned.layout) AS since,
			uuidnew_tables._bound_time(missing.upper, partitioned.layout) AS until
		INTO here
		FROM (
			SELECT upper AS lower, lead(lower, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
				OVER (ORDER BY lower, upper) AS upper
			FROM (
				SELECT lower, upper
				FROM uuidnew_tables._partition_bounds(parent)
				WHERE lower IS NOT NULL
				UNION ALL
				SELECT least, least FROM CAST('00000000-0000-0000-0000-000000000000' AS uuid) least
				) taken) gap
		CROSS JOIN greatest(gap.lower, at) position
		CROSS JOIN uuidnew_tables._period(width, time_zone,
			uuidnew_tables._bound_time(position, partitioned.layout)) whole
		CROSS JOIN LATERAL (
			SELECT greatest(gap.lower, uuidnew_tables._key_min(whole.since, partitioned.layout))
					AS lower,
				least(gap.upper, uuidnew_tables._key_min(whole.until, partitioned.layout)) AS upper,
				suffix, whole.since AS whole_since, whole.until AS whole_until) missing
		WHERE position < least(gap.upper, ends.past_all)
		ORDER BY position
		LIMIT 1;
		EXIT WHEN coalesce(here.lower >= ends.future, true);
		at := here.upper;
		moving := coalesce(late < at, false);
		PERFORM uuidnew_tables._check_period(
			CASE WHEN moving THEN here.since ELSE here.whole_since END, here.whole_until,
			partitioned.layout);
		period := format('since %s, until %s', here.since, here.until);
		statement := format('SELECT uuidnew_tables._add_partition(%L::regclass, %L::name, '
			'%L::regclass, %L::uuid, %L::uuid, %L::text, %L::boolean, %L::text)',
			parent::oid, partitioned.key, partitioned.rest::oid, here.lower, here.upper,
			here.suffix, moving, period);
		RETURN NEXT;
	END LOOP;
END
$$;
