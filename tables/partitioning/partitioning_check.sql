-- What stands in the way of partitioning a table, a line each. Its new parent is created, and
-- rolled back. ACCESS SHARE on the table.
CREATE FUNCTION uuidnew_tables.partitioning_check(tab regclass,
	until timestamptz DEFAULT date_trunc('month', now() + interval '2 months', 'UTC'))
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
	border record;
	found text[];
	parent regclass;
	detail text;
BEGIN
	border := uuidnew_tables._partitioning_border(tab, until);
	EXECUTE format('SELECT ARRAY(SELECT format(''key %%s is not of a time before %%s: give such '
		'rows new keys, with uuidnew_tables.rekey_steps'', %1$I, $2) FROM %2$s WHERE %1$I >= $1 '
		'LIMIT 1)', border.key, tab) INTO found USING border.upper, until;
	found := found || ARRAY(SELECT uuidnew_tables._partitioning_obstacles(tab, border.key));
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
