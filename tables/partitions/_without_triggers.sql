-- Runs a statement while no user trigger of a table and its partitions fires.
CREATE PROCEDURE uuidnew_tables._without_triggers(tab regclass, statement text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	enable_all CONSTANT text := (
		SELECT concat(string_agg(format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I',
			tgrelid::regclass, CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END,
			tgname), '; '))
		FROM pg_partition_tree(tab)
		JOIN pg_trigger ON tgrelid = relid
		WHERE NOT tgisinternal AND tgenabled <> 'D');
BEGIN
	EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', tab);
	EXECUTE statement;
	EXECUTE enable_all;
END
$$;
