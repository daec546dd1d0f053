-- Creates the partitions that are missing until now() + ahead: those of times to come first, then
-- those that rows of the default partition wait for, which move. A transaction for each; what one
-- locks, and for how long, says _add_partition. Nothing is created if a period is out of range.
--
-- Rows that cannot be moved stay, with a WARNING, and the rest continues. Foreign keys that were
-- added again are validated at the end.
CREATE PROCEDURE uuidnew_tables.create_partitions(parent regclass, width text, ahead interval,
	time_zone text DEFAULT 'UTC', layout text DEFAULT NULL, dry_run boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	items pg_catalog.jsonb;
	valid_keys pg_catalog.text[];
	statement pg_catalog.text;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT jsonb_agg(jsonb_build_object('name', period, 'moving', moving,
		'facts', CASE WHEN dry_run AND moving THEN ', with rows from the default partition' END,
		'statement', CASE WHEN NOT dry_run THEN missing.statement END) ORDER BY moving, ordinality)
	INTO items
	FROM uuidnew_tables._missing_partitions(parent, width, ahead, time_zone, layout)
		WITH ORDINALITY missing;
	SELECT array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname))
	INTO valid_keys
	FROM uuidnew_tables._foreign_keys(parent)
	WHERE confrelid = parent AND convalidated AND NOT dry_run AND items @> '[{"moving": true}]';

	CALL uuidnew_tables._each_partition(parent, items,
		CASE WHEN dry_run THEN 'would create' ELSE 'created' END, 'created no'::text);
	FOR statement IN SELECT unnest(valid_keys) LOOP
		EXECUTE statement;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	END LOOP;
	PERFORM set_config('search_path', path, true) WHERE dry_run;
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.create_partitions IS 'creates the partitions that are missing';
