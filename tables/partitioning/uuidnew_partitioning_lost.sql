-- What a table has lost of a definition that it had before it became partitioned, or not so any
-- more, in words; but for what stays with the first partition, as doc/partitions.md says:
-- tablespace, storage parameters and access method of the table, tablespaces and CLUSTER marks of
-- indexes, and statistics objects; and but for the given objects.
CREATE FUNCTION uuidnew_partitioning_lost(before jsonb, tab regclass, but_for text[])
RETURNS SETOF text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	rows jsonb;
	after jsonb;
BEGIN
	SELECT jsonb_agg(row) INTO rows
	FROM jsonb_array_elements(before) b(row), LATERAL (SELECT row ->> 0, row ->> 1) r(object,
		property)
	WHERE property !~ '^(relkind|reltablespace|indisclustered|relchecks|inh\w+|part\w+)$'
		AND NOT (object ^@ 'table ' AND property IN ('relam', 'reloptions', 'depends on'))
		AND object !~ '^(statistics object |constraint uuid_partitioning on table )'
		AND object <> ALL (but_for);
	EXECUTE format('SELECT %s.uuidnew_snapshot($1)', own)
		INTO after USING tab;
	RETURN QUERY EXECUTE format('SELECT * FROM %s.uuidnew_lost($1, $2)', own) USING rows, after;
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_lost(jsonb, regclass, text[]) IS
'what a table has lost; for uuid_partitioning_steps';
