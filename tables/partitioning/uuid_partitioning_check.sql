-- A look before a table is partitioned, with the arguments that the steps will get: what stands in
-- the way (obstacle) and what to know (note).  The plan is played on empty copies, in pg_temp,
-- which are gone at the end.
--
-- Locks the table, and what refers to it, in ACCESS SHARE mode until the transaction ends; waits
-- for nobody who only reads and writes, nor lets them wait.
CREATE FUNCTION uuid_partitioning_check(tab regclass, width text, time_zone text DEFAULT 'UTC',
	layout text DEFAULT NULL)
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off	-- compiling takes longer
AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT 'obstacle', o FROM %s.uuidnew_partitioning_obstacles($1, $2, $3, $4) o
		$query$, @own@) USING tab, width, time_zone, layout;
	RETURN QUERY
	SELECT 'note', format('%s stays with the first partition',
		pg_describe_object('pg_statistic_ext'::regclass, oid, 0))
	FROM pg_statistic_ext
	WHERE stxrelid = tab
	UNION ALL
	SELECT 'note', format('%s would be read, while others read and write: %s', oid::regclass,
		pg_size_pretty(pg_table_size(oid)))
	FROM pg_class
	WHERE oid = tab OR oid IN (SELECT conrelid FROM pg_constraint WHERE confrelid = tab
		AND contype = 'f');
END
$$;
COMMENT ON FUNCTION uuid_partitioning_check(regclass, text, text, text) IS
'a look before a table is partitioned, which changes nothing';
