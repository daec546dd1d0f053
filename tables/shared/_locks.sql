-- Statements that lock tables in the order in which writers do: those that a table refers to, the
-- table itself, a partition of it (ACCESS EXCLUSIVE), and those that refer to it; and these tables,
-- where autovacuum may be at work. A role that may refer to a table may lack the right to lock it.
CREATE FUNCTION uuidnew_tables._locks(tab regclass, partition regclass, of_parents text, own text,
	of_children text, OUT tables regclass[], OUT statements text[])
LANGUAGE plpgsql STABLE	-- which keeps the plan
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	SELECT array_agg(other::regclass ORDER BY turn, other)
			FILTER (WHERE turn <> 2 OR relkind = 'r'),
		array_agg(format('LOCK TABLE %s%s IN %s MODE', CASE turn WHEN 2 THEN 'ONLY ' END,
			other::regclass, mode) ORDER BY turn, other)
	INTO tables, statements
	FROM (
		VALUES (2, tab::oid, own), (3, partition::oid, 'ACCESS EXCLUSIVE')
		UNION
		SELECT 1, confrelid, of_parents FROM uuidnew_tables._foreign_keys(tab)
		WHERE confrelid <> tab
		UNION
		SELECT 4, conrelid, of_children FROM uuidnew_tables._foreign_keys(tab)
		WHERE confrelid = tab) locks(turn, other, mode)
	JOIN pg_class ON oid = other
	WHERE mode IS NOT NULL AND has_table_privilege(other, 'UPDATE');
END
$$;
