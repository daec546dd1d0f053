-- Statements that lock tables in the order in which writers do: those that a table refers to, the
-- table, a partition of it, and those that refer to it; and these tables, for _briefly. Foreign
-- keys are found by an index, as each of many partitions has constraints.
CREATE FUNCTION uuidnew_tables._locks(tab regclass, partition regclass, of_parents text, own text,
	OUT tables regclass[], OUT statements text[])
LANGUAGE plpgsql STABLE	-- which keeps the plan
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
		SELECT side.* FROM pg_depend
		JOIN pg_constraint ON pg_constraint.oid = objid AND contype = 'f' AND conparentid = 0
		CROSS JOIN LATERAL (VALUES (1, confrelid, of_parents),
			(4, conrelid, 'SHARE ROW EXCLUSIVE')) side(turn, other, mode)
		WHERE (classid, refclassid) = ('pg_constraint'::regclass, 'pg_class'::regclass)
			AND refobjid = tab AND refobjsubid > 0 AND other <> tab) locks(turn, other, mode)
	JOIN pg_class ON oid = other	-- whoever may refer to a table may lack the right to lock it
	WHERE mode IS NOT NULL AND has_table_privilege(other, 'UPDATE');
END
$$;
