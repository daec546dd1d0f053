-- What stands in the way of partitioning a table, a line each. Its new parent is created, an empty
-- copy attached to that, and both are gone at the end. Locks the table in ACCESS SHARE mode only.
CREATE FUNCTION uuidnew_tables.partitioning_check(tab regclass,
	until timestamptz DEFAULT date_trunc('month', now() + interval '2 months'),
	layout text DEFAULT NULL)
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	copy CONSTANT text := (SELECT format('%s.uuidnew_exchanged', relnamespace::regnamespace)
		FROM pg_class
		WHERE oid = tab);
	border record;
	parent regclass;
	uniques text[];
	found text[];
	detail text;
BEGIN
	SELECT * INTO border FROM uuidnew_tables._partitioning_border(tab, until, layout);
	uniques := ARRAY(SELECT uuidnew_tables._partitioning_uniques(tab, border.key));
	IF border.key IS NULL THEN
		RETURN QUERY SELECT border.problem;
		RETURN;
	END IF;
	found := array_remove(ARRAY[border.problem], NULL) || uniques
		|| ARRAY(SELECT uuidnew_tables._partitioning_obstacles(tab));
	BEGIN
		parent := uuidnew_tables._partitioning_parent(tab, border.key, uniques = '{}');
		found := found
			|| ARRAY(SELECT uuidnew_tables._partitioning_lost(tab, parent, uniques = '{}'));
		EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', copy, tab);
		EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent, copy);
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
		WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			found := found || concat_ws(': ', SQLERRM, nullif(detail, ''));
	END;
	RETURN QUERY SELECT unnest(found);
END
$$;
COMMENT ON FUNCTION uuidnew_tables.partitioning_check IS
'what stands in the way of partitioning a table';
