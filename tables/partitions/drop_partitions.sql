-- Drops the partitions that end before now() - older_than, or detaches them; by default only says
-- which. A transaction for each, whose locks _drop_partition names; those that cannot be dropped
-- stay, with a WARNING.
CREATE PROCEDURE uuidnew_tables.drop_partitions(parent regclass, older_than interval,
	dry_run boolean DEFAULT true, detach_only boolean DEFAULT false)
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	items pg_catalog.jsonb;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT jsonb_agg(jsonb_build_object('name', partition, 'problem', problem, 'facts', format(
			': until %s, about %s, %s', until, uuidnew_tables._counted(rows, 'row'::text),
			pg_size_pretty(bytes)),
		'statement', CASE WHEN NOT dry_run AND problem IS NULL THEN format(
			'SELECT uuidnew_tables._drop_partition(%L::regclass, %L::name, %L::regclass, '
				'%L::uuid, %L::boolean)', parent::oid, key, partition::oid,
			uuidnew_tables._key_min(now() - older_than), detach_only) END) ORDER BY until)
	INTO items
	FROM uuidnew_tables._partition_key(parent, NULL::int)
	CROSS JOIN uuidnew_tables.partitions(parent)
	CROSS JOIN (
		SELECT min(line) || ', or detach the partition by hand, which reads both tables'
		FROM uuidnew_tables._referring(parent, NULL::regclass) line) referring(problem)
	WHERE until <= now() - older_than AND until <= now();
	CALL uuidnew_tables._each_partition(parent, items, (ARRAY['dropped', 'detached', 'would drop',
		'would detach'])[1 + detach_only::int + 2 * dry_run::int], 'kept'::text);
	PERFORM set_config('search_path', path, true);
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.drop_partitions IS 'drops or detaches old partitions';
