-- The partitions that create_partitions is to create: for each period without one from now until
-- now() + ahead, and, up to then, for each that rows of the default partition wait for (moving).
-- One ends where its neighbor begins, if that is within its period.
CREATE FUNCTION uuidnew_tables._missing_partitions(parent regclass, width text, ahead interval,
	time_zone text)
RETURNS TABLE (period text, moving boolean, statement text)
LANGUAGE plpgsql STABLE
AS $$
DECLARE
	of_table CONSTANT record := uuidnew_tables._partition_key(parent, NULL::int);
	present CONSTANT uuid := uuidnew_tables._key_min((
		SELECT since FROM uuidnew_tables._period(width, time_zone, now())));
	future CONSTANT uuid := uuidnew_tables._key_min(now() + ahead);
	waiting CONSTANT text := format('SELECT %1$I FROM %2$s WHERE %1$I >= $1 AND %1$I < $2 AND '
		'($3 OR uuidnew_tables._key_is(%1$I)) ORDER BY 1 LIMIT 1', of_table.key,
		coalesce(of_table.rest::text, format('(VALUES (uuid(NULL))) none(%I)', of_table.key)));
	pending regclass;
	gap record;
	at uuid;
	late uuid;	-- the first key that waits, of version 7 or, with $3, any
	whole record;
	next uuid;	-- and the first after its period
BEGIN
	SELECT inhrelid INTO pending FROM pg_inherits WHERE inhparent = parent AND inhdetachpending;
	IF FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('partition %s of table %s is half detached', pending, parent),
			HINT = format('ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, pending);
	END IF;
	FOR gap IN
		SELECT upper AS lower, lead(lower, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
			OVER (ORDER BY lower, upper) AS upper
		FROM (
			SELECT b.lower, b.upper FROM uuidnew_tables._partition_bounds(parent) b
			UNION ALL
			VALUES (uuid '00000000-0000-0000-0000-000000000000',
				uuid '00000000-0000-0000-0000-000000000000')) taken
		WHERE lower IS NOT NULL
		ORDER BY 1
	LOOP
		WHILE gap.lower < gap.upper LOOP
			EXECUTE waiting INTO late USING gap.lower, least(gap.upper, future), false;
			at := least(late, greatest(gap.lower, present));
			EXIT WHEN at >= least(gap.upper, future);
			whole := uuidnew_tables._period(width, time_zone, uuidnew_tables._bound_time(at));
			gap.lower := greatest(gap.lower, uuidnew_tables._key_min(whole.since));
			next := least(gap.upper, uuidnew_tables._key_min(whole.until));
			EXECUTE waiting INTO late USING gap.lower, next, true;
			moving := late IS NOT NULL;
			period := format('since %s, until %s', uuidnew_tables._bound_time(gap.lower),
				uuidnew_tables._bound_time(next));
			statement := format('SELECT uuidnew_tables._add_partition(%L::regclass, %L::name, '
				'%L::regclass, %L::uuid, %L::uuid, %L::text, %L::boolean, %L::text)',
				parent::oid, of_table.key, of_table.rest::oid, gap.lower, next,
				whole.suffix, moving, period);
			gap.lower := next;
			RETURN NEXT;
		END LOOP;
	END LOOP;
END
$$;
