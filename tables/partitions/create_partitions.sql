-- Creates the partitions that are missing: first those from now until now() + ahead, then those for
-- rows of the default partition. These rows move, or stay with a WARNING. A transaction for each,
-- whose locks _add_partition names. If a period is out of range, nothing is created.
CREATE PROCEDURE uuidnew_tables.create_partitions(parent regclass, width text, ahead interval,
	time_zone text DEFAULT 'UTC', dry_run boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	items pg_catalog.jsonb;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT jsonb_agg(jsonb_build_object('name', period, 'moving', moving,
		'facts', CASE WHEN dry_run AND moving THEN ', with rows from the default partition' END,
		'statement', CASE WHEN NOT dry_run THEN statement END) ORDER BY moving, period)
	INTO items
	FROM uuidnew_tables._missing_partitions(parent, width, ahead, time_zone);
	CALL uuidnew_tables._each_partition(parent, items,
		CASE WHEN dry_run THEN 'would create' ELSE 'created' END, 'created no'::text);
	PERFORM set_config('search_path', path, true);
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.create_partitions IS 'creates the partitions that are missing';
