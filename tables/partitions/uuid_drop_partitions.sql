-- Drops the partitions that end before now() - older_than, or detaches them; by default only says
-- which. A partition that rows of other tables refer to is kept.
--
-- A transaction for each; what one locks, and for how long, says uuidnew_drop_partition. Locks are
-- tried for 20 times. A dry run changes nothing, and may be part of a transaction. Otherwise
-- refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuid_drop_partitions(parent regclass, older_than interval,
	dry_run boolean DEFAULT true, detach_only boolean DEFAULT false, layout text DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT varchar := pg_catalog.current_setting('search_path');
	own CONSTANT varchar := @own@;
	before pg_catalog.timestamptz;	-- a NULL drops nothing
	old pg_catalog.record;
	done pg_catalog.record;
	verb varchar;
	dropped int := 0;
	kept int := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	before := now() - older_than;
	IF older_than < '0' OR dry_run IS NULL OR detach_only IS NULL THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'an age is not negative, and dry_run and detach_only are true or false';
	ELSIF NOT dry_run
		AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable')
	THEN
		RAISE active_sql_transaction USING
			MESSAGE = 'partitions are dropped in READ COMMITTED transactions only';
	END IF;
	verb := (ARRAY['dropped', 'detached', 'would drop', 'would detach'])
		[1 + detach_only::int + 2 * dry_run::int];

	FOR old IN EXECUTE format($query$
		SELECT partitions.*, partition::text AS name,
			%1$s.uuidnew_references($1, key, lower, upper) AS kept
		FROM %1$s.uuidnew_partition_key($1, $2, NULL) partitioned
		CROSS JOIN %1$s.uuid_partitions($1, $2) partitions
		WHERE until <= $3
		ORDER BY until
		$query$, own) USING parent, layout, before
	LOOP
		done := old;
		FOR try IN 1 .. 20 LOOP
			EXIT WHEN dry_run OR old.kept IS NOT NULL;
			EXECUTE format('SELECT * FROM %s.uuidnew_drop_partition($1, $2, $3, $4, $5, $6)', own)
				INTO done USING parent, layout, old.partition, old.lower, old.upper, detach_only;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			EXIT WHEN NOT done.is_locked;
			IF try = 20 THEN
				RAISE lock_not_available USING MESSAGE = done.kept;
			END IF;
			PERFORM pg_sleep(0.5 * random());
		END LOOP;

		IF done.kept IS NOT NULL THEN
			RAISE NOTICE 'kept partition %: %', done.name, done.kept;
			kept := kept + 1;
		ELSIF done.name IS NOT NULL THEN
			RAISE NOTICE '% partition %: until %, about % rows, %', verb, done.name, old.until,
				old.rows, pg_size_pretty(old.bytes);
			dropped := dropped + 1;
		END IF;
	END LOOP;
	RAISE NOTICE '% % partitions of %, kept %', verb, dropped, parent, kept;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuid_drop_partitions(regclass, interval, boolean, boolean, text) IS
'drops or detaches old partitions; by default only says which';
