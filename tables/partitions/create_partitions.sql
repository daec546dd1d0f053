-- Creates the partitions that are missing until now() + ahead: those of times to come first, then
-- those that rows of the default partition wait for, which move. A transaction for each; what one
-- locks, and for how long, says _add_partition. Nothing is created if a period is out of range.
--
-- What cannot move stays, with a WARNING, and the rest goes on. Foreign keys that were added again
-- are validated at the end. Refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuidnew_tables.create_partitions(parent regclass, width text, ahead interval,
	time_zone text DEFAULT 'UTC', layout text DEFAULT NULL, dry_run boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	missing pg_catalog.record;
	added pg_catalog.record;
	created pg_catalog.int8 := 0;
	have_moved boolean := false;
	validate_all pg_catalog.text[];
	statement pg_catalog.text;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname))
	INTO validate_all
	FROM pg_constraint
	WHERE contype = 'f' AND confrelid = parent AND conparentid = 0 AND convalidated;

	FOR missing IN
		SELECT *
		FROM uuidnew_tables._missing_partitions(parent, width, ahead, time_zone, layout)
			WITH ORDINALITY
		ORDER BY moving, ordinality
	LOOP
		IF dry_run THEN
			RAISE NOTICE 'would create a partition: %', concat(missing.period,
				CASE WHEN missing.moving THEN ', with rows from the default partition' END);
			created := created + 1;
			CONTINUE;
		END IF;
		COMMIT;	-- so that nothing stays locked that was looked at
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		SELECT * INTO added FROM uuidnew_tables._try(missing.statement);
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		CONTINUE WHEN added.state = '42P17';	-- another session has just created it
		IF added.problem IS NULL THEN
			RAISE NOTICE 'created partition %', added.answer;
			created := created + 1;
			have_moved := missing.moving;
		ELSIF missing.moving THEN
			RAISE WARNING 'created no partition %: %', missing.period, added.problem;
			EXIT WHEN added.state = '55P03';	-- they would all wait for the same
		ELSE
			RAISE USING ERRCODE = added.state, MESSAGE = added.problem;
		END IF;
	END LOOP;

	FOR statement IN SELECT unnest(validate_all) WHERE have_moved LOOP
		EXECUTE statement;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	END LOOP;
	RAISE NOTICE '% % of %', CASE WHEN dry_run THEN 'would create' ELSE 'created' END,
		uuidnew_tables._counted(created, 'partition'::text), parent;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.create_partitions IS 'creates the partitions that are missing';
