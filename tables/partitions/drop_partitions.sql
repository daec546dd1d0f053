-- Drops the partitions that end before now() - older_than, or detaches them; by default only says
-- which. A transaction for each; what one locks, and for how long, says _drop_partition.
--
-- What cannot be dropped stays, with a WARNING. A dry run changes nothing, and may be part of a
-- transaction. Otherwise refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuidnew_tables.drop_partitions(parent regclass, older_than interval,
	dry_run boolean DEFAULT true, detach_only boolean DEFAULT false, layout text DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	old pg_catalog.record;
	verb pg_catalog.text;
	dropped pg_catalog.int8 := 0;
	kept int := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	verb := (ARRAY['dropped', 'detached', 'would drop', 'would detach'])
		[1 + detach_only::int + 2 * dry_run::int];

	FOR old IN
		SELECT partition::text AS name, until, rows, bytes,
			uuidnew_tables._references(parent, key, lower, upper) AS problem,
			format('SELECT uuidnew_tables._drop_partition('
				'%L::regclass, %L::name, %L::regclass, %L::timestamptz, %L::boolean)',
				parent::oid, key, partition::oid, now() - older_than, detach_only) AS statement
		FROM uuidnew_tables._partition_key(parent, drop_partitions.layout, NULL::int)
		CROSS JOIN uuidnew_tables.partitions(parent, drop_partitions.layout)
		WHERE until <= now() - older_than AND until <= now()
		ORDER BY until
	LOOP
		IF old.problem IS NULL AND NOT dry_run THEN
			COMMIT;	-- so that nothing stays locked that was looked at
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			SELECT coalesce(answer, old.name), problem
			INTO old.name, old.problem
			FROM uuidnew_tables._try(old.statement);
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		END IF;
		IF old.problem IS NULL THEN
			RAISE NOTICE '% partition %: until %, about %, %', verb, old.name, old.until,
				uuidnew_tables._counted(old.rows, 'row'::text), pg_size_pretty(old.bytes);
			dropped := dropped + 1;
		ELSE
			RAISE WARNING 'kept partition %: %', old.name, old.problem;
			kept := kept + 1;
		END IF;
	END LOOP;
	RAISE NOTICE '% % of %, kept %', verb,
		uuidnew_tables._counted(dropped, 'partition'::text), parent, kept;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.drop_partitions IS
'drops or detaches old partitions, or says which';
