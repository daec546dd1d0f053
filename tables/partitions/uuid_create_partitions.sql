-- Creates the partitions that are missing until now() + ahead: those of times to come first, then
-- those that rows of the default partition wait for, which move. A transaction for each; what one
-- locks, and for how long, says uuidnew_add_partition. Locks are tried for 20 times.
--
-- What cannot move stays, with a WARNING, and the rest goes on. Foreign keys that were added again
-- are validated at the end. Refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuid_create_partitions(parent regclass, width text, ahead interval,
	time_zone text DEFAULT 'UTC', layout text DEFAULT NULL, dry_run boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	own CONSTANT varchar := @own@;
	partitioned pg_catalog.record;
	missing pg_catalog.record;
	added pg_catalog.record;
	moving boolean;
	last_reason varchar := '';
	validate_all pg_catalog.text[] := '{}';
	statement varchar;
	created int := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF parent IS NULL OR time_zone IS NULL OR dry_run IS NULL
		OR NOT coalesce(isfinite(now() + ahead), false)
	THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot create partitions of width "%s", %s ahead', width, ahead);
	ELSIF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE active_sql_transaction USING
			MESSAGE = 'partitions are created in READ COMMITTED transactions only';
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO partitioned USING parent, layout;

	FOREACH moving IN ARRAY ARRAY[false, true] LOOP
		FOR missing IN EXECUTE format('
			SELECT * FROM %s.uuidnew_missing_partitions($1, $2, $3, $4, $5) WHERE waiting = $6
			', own) USING parent, width, ahead, time_zone, layout, moving
		LOOP
			IF dry_run THEN
				RAISE NOTICE 'would create a partition: since %, until %', missing.since,
					concat(missing.until, CASE WHEN moving THEN
						', with rows from the default partition' END);
				CONTINUE;
			END IF;
			FOR try IN 1 .. 20 LOOP
				EXECUTE format('
					SELECT * FROM %s.uuidnew_add_partition($1, $2, $3, $4, $5, $6, $7)', own)
				INTO added
				USING parent, partitioned.key, partitioned.rest, missing.lower, missing.upper,
					missing.suffix, moving;
				COMMIT;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				EXIT WHEN NOT added.is_locked;
				PERFORM pg_sleep(0.5 * random());
			END LOOP;

			IF added.partition IS NOT NULL THEN
				RAISE NOTICE 'created partition %: since %, until %', added.partition,
					missing.since, concat(missing.until,
						', with ' || nullif(added.moved, 0) || ' rows from the default partition');
				created := created + 1;
				validate_all := validate_all || added.validate_later;
			ELSIF moving AND added.reason <> last_reason THEN
				RAISE WARNING 'rows since % stay in partition %: %', missing.since,
					partitioned.rest, added.reason;
				last_reason := added.reason;
			ELSIF added.is_locked THEN
				RAISE lock_not_available USING MESSAGE = added.reason;
			END IF;
			EXIT WHEN added.is_locked;	-- they would all wait for the same
		END LOOP;
	END LOOP;

	FOR statement IN SELECT DISTINCT unnest(validate_all) LOOP
		EXECUTE statement;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	END LOOP;
	RAISE NOTICE 'created % partitions of %', created, parent;
END
$$;
COMMENT ON PROCEDURE uuid_create_partitions(regclass, text, interval, text, text, boolean) IS
'creates the partitions that are missing, and moves what waits in the default';
