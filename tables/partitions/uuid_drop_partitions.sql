-- Drops the partitions that end before now() - older_than, or detaches them; by default only says
-- which. A transaction for each; what one locks, and for how long, says uuidnew_drop_partition.
--
-- What cannot be dropped stays, with a WARNING. A dry run changes nothing, and may be part of a
-- transaction. Otherwise refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuid_drop_partitions(parent regclass, older_than interval,
	dry_run boolean DEFAULT true, detach_only boolean DEFAULT false, layout text DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT varchar := pg_catalog.current_setting('search_path');
	own CONSTANT varchar := @own@;
	old pg_catalog.record;
	verb varchar;
	dropped int := 0;
	kept int := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	verb := (ARRAY['dropped', 'detached', 'would drop', 'would detach'])
		[1 + detach_only::int + 2 * dry_run::int];

	FOR old IN EXECUTE format($query$
		SELECT partition::text AS name, until, rows, bytes,
			%1$s.uuidnew_references($1, key, lower, upper) AS problem,
			format('SELECT %%s.uuidnew_drop_partition(%%L, %%L, %%L, %%L, %%L)', $5, $1::oid, key,
				partition::oid, now() - $3, $4) AS statement
		FROM %1$s.uuidnew_partition_key($1, $2, NULL)
		CROSS JOIN %1$s.uuid_partitions($1, $2)
		WHERE until <= now() - $3 AND until <= now()
		ORDER BY until
		$query$, own) USING parent, layout, older_than, detach_only, own
	LOOP
		IF old.problem IS NULL AND NOT dry_run THEN
			COMMIT;	-- so that nothing stays locked that was looked at
			EXECUTE pg_catalog.format(
				'SELECT coalesce(answer, $1), problem FROM %s.uuidnew_try($2)', own)
				INTO old.name, old.problem USING old.name, old.statement;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		END IF;
		IF old.problem IS NULL THEN
			RAISE NOTICE '% partition %: until %, about % rows, %', verb, old.name, old.until,
				old.rows, pg_size_pretty(old.bytes);
			dropped := dropped + 1;
		ELSE
			RAISE WARNING 'kept partition %: %', old.name, old.problem;
			kept := kept + 1;
		END IF;
	END LOOP;
	RAISE NOTICE '% % partitions of %, kept %', verb, dropped, parent, kept;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuid_drop_partitions IS 'drops or detaches old partitions, or says which';
