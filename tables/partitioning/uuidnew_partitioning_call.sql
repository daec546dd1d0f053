-- The statement of the swap or, if there is a first partition, of the way back: it locks all
-- tables, within half a second in all, the table first, as a transaction does that writes to it and
-- to what refers to it.
CREATE FUNCTION uuidnew_partitioning_call(tab regclass, first regclass)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH locked AS (
	SELECT relid::oid AS oid, CASE relid WHEN tab THEN 1 ELSE 2 END AS number, 'ACCESS EXCLUSIVE'
		AS mode
	FROM pg_partition_tree(tab)
	UNION	-- a table is no tree
	SELECT tab, 1, 'ACCESS EXCLUSIVE'
	UNION
	SELECT coalesce(relid, conrelid), 3, 'ACCESS EXCLUSIVE'
	FROM pg_constraint LEFT JOIN pg_partition_tree(conrelid) ON true
	WHERE confrelid = tab AND contype = 'f' AND conrelid NOT IN (tab, coalesce(first, tab))
	UNION
	SELECT ev_class, 4, 'ACCESS EXCLUSIVE'
	FROM pg_depend
		JOIN pg_rewrite r ON classid = 'pg_rewrite'::regclass AND r.oid = objid
		JOIN pg_class v ON v.oid = ev_class AND v.relkind = 'v'
	WHERE refclassid = 'pg_class'::regclass AND refobjid = tab
	UNION
	SELECT confrelid, 5, 'SHARE ROW EXCLUSIVE'
	FROM pg_constraint
	WHERE conrelid = tab AND contype = 'f' AND first IS NULL
		-- who may refer to it may not always lock it
		AND has_table_privilege(confrelid, 'UPDATE')),
once AS (SELECT DISTINCT ON (oid) * FROM locked ORDER BY oid, number)
SELECT format('CALL %1$s.uuidnew_briefly(%2$L, %3$s, %4$L)', @own@,
	array_agg(oid::regclass ORDER BY number, oid) FILTER (WHERE number <= 3),
	string_agg(format('%L', format('LOCK TABLE ONLY %s IN %s MODE', oid::regclass, mode)), ', '
		ORDER BY number, oid),
	format('CALL %s.uuidnew_partitioning_exchange(%L)', @own@, tab))
FROM once
$$;
COMMENT ON FUNCTION uuidnew_partitioning_call(regclass, regclass) IS
'a statement with its locks; for uuid_partitioning_steps';
