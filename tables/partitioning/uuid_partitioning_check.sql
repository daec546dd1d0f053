-- What stands in the way of partitioning a table, a line each. Its new parent is made, an empty
-- copy attached to that, and both are gone at the end. Locks the table in ACCESS SHARE mode only.
CREATE FUNCTION uuid_partitioning_check(tab regclass,
	until timestamptz DEFAULT date_trunc('month', now() + interval '2 months'),
	layout text DEFAULT NULL)
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	copy CONSTANT text := (SELECT format('%s.uuidnew_exchanged', relnamespace::regnamespace)
		FROM pg_class
		WHERE oid = tab);
	border record;
	parent regclass;
	found text[];
	detail text;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_border($1, $2, $3)', own)
		INTO border USING tab, until, layout;
	BEGIN
		EXECUTE format('SELECT %s.uuidnew_partitioning_parent($1, $2)', own)
			INTO parent USING tab, border.key;
		EXECUTE format('SELECT array_agg(o) FROM %s.uuidnew_partitioning_obstacles($1, $2) o', own)
			INTO found USING tab, parent;
		EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', copy, tab);
		EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent, copy);
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
		WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			found := concat_ws(': ', SQLERRM, nullif(detail, '')) || found;
	END;
	RETURN QUERY SELECT unnest(found);
END
$$;
COMMENT ON FUNCTION uuid_partitioning_check IS 'what stands in the way of partitioning a table';
