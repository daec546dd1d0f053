-- What stands in the way of partitioning a table, a line each. Its new parent is created, and is
-- gone at the end. Locks the table in ACCESS SHARE mode only.
CREATE FUNCTION uuidnew_tables.partitioning_check(tab regclass,
	until timestamptz DEFAULT
		date_trunc('month', now() AT TIME ZONE 'UTC' + interval '2 months') AT TIME ZONE 'UTC',
	layout text DEFAULT NULL)
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	border record;
	beyond uuid;
	found text[];
	parent regclass;
	detail text;
BEGIN
	border := uuidnew_tables._partitioning_border(tab, until, layout);
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= $1 LIMIT 1', border.key, tab)
	INTO beyond USING border.upper;
	found := array_remove(ARRAY[CASE WHEN beyond IS NOT NULL THEN format('key %s is not of a time '
		'before %s: give such rows new keys, with uuidnew_tables.rekey_steps', beyond, until) END],
		NULL) || ARRAY(SELECT uuidnew_tables._partitioning_obstacles(tab, border.key));
	parent := uuidnew_tables._partitioning_parent(tab, border.key);
	found := found || ARRAY(SELECT uuidnew_tables._partitioning_lost(tab, parent));
	RAISE SQLSTATE 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN QUERY SELECT unnest(found);
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN QUERY SELECT unnest(found || concat_ws(': ', SQLERRM, nullif(detail, '')));
END
$$;
COMMENT ON FUNCTION uuidnew_tables.partitioning_check IS 'what keeps a table from partitions';
