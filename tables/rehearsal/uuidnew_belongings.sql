-- Statements that give a table (or view) of this name the rights, policies, triggers, rules,
-- comments and labels of this one, in the order to run them:
--
--   access    row security, replica identity, policies, triggers; rules and defaults of a view
--   grant     privileges, in place of those by default, also of its sequences
--   comment   comments and security labels, but for those of foreign keys
--
-- Reads catalogs with the snapshot of the query; takes no lock on the table.
CREATE FUNCTION uuidnew_belongings(rel regclass)
RETURNS TABLE (kind text, statement text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT * FROM %1$s.uuidnew_access($1)
		UNION ALL
		SELECT * FROM %1$s.uuidnew_grants($1)
		$query$, @own@) USING rel;
END
$$;
COMMENT ON FUNCTION uuidnew_belongings(regclass) IS
'rights, triggers and comments of a table; for the functions for tables';
