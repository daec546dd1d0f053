-- Creates the partitions that are missing until now() + ahead: those of times to come first, then
-- those that rows of the default partition wait for, which move. A transaction for each; what one
-- locks, and for how long, says uuidnew_add_partition.
--
-- What cannot move stays, with a WARNING, and the rest goes on. Foreign keys that were added again
-- are validated at the end. Refuses REPEATABLE READ, whose snapshot is older than its locks.
CREATE PROCEDURE uuid_create_partitions(parent regclass, width text, ahead interval,
	time_zone text DEFAULT 'UTC', layout text DEFAULT NULL, dry_run boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT varchar := pg_catalog.current_setting('search_path');
	own CONSTANT varchar := @own@;
	missing pg_catalog.record;
	added pg_catalog.record;
	created int := 0;
	have_moved boolean := false;
	validate_all pg_catalog.text[];
	statement varchar;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname))
	INTO validate_all
	FROM pg_constraint
	WHERE contype = 'f' AND confrelid = parent AND conparentid = 0 AND convalidated;

	FOR missing IN EXECUTE format('
		SELECT *
		FROM %s.uuidnew_missing_partitions($1, $2, $3, $4, $5) WITH ORDINALITY
		ORDER BY moving, ordinality
		', own) USING parent, width, ahead, time_zone, layout
	LOOP
		IF dry_run THEN
			RAISE NOTICE 'would create a partition: %', concat(missing.period,
				CASE WHEN missing.moving THEN ', with rows from the default partition' END);
			created := created + 1;
			CONTINUE;
		END IF;
		COMMIT;	-- so that nothing stays locked that was looked at
		EXECUTE pg_catalog.format('SELECT * FROM %s.uuidnew_try($1)', own)
			INTO added USING missing.statement;
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
	RAISE NOTICE '% % partitions of %', CASE WHEN dry_run THEN 'would create' ELSE 'created' END,
		created, parent;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuid_create_partitions IS 'creates the partitions that are missing';
