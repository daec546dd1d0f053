-- The foreign keys of a table, and those that refer to it, found by an index of pg_depend, as each
-- of many partitions has constraints.
CREATE FUNCTION uuidnew_tables._foreign_keys(tab regclass)
RETURNS TABLE (oid oid, conname name, conrelid oid, confrelid oid, convalidated boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT c.oid, c.conname, c.conrelid, c.confrelid, c.convalidated
	FROM pg_constraint c
	WHERE contype = 'f' AND conparentid = 0 AND c.oid IN (
		SELECT objid FROM pg_depend
		WHERE (classid, refclassid) = ('pg_constraint'::regclass, 'pg_class'::regclass)
			AND refobjid = tab AND refobjsubid > 0);
END;

-- The foreign keys that cannot be dropped and added again as they are, a line each: those that
-- refer to a table, or with_own its own, and all that refer to a table that it is a partition of,
-- or to its default partition (rest).
CREATE FUNCTION uuidnew_tables._fixed_foreign_keys(tab regclass, rest regclass, with_own boolean)
RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT format('foreign key "%s" of table %s %s', conname, conrelid::regclass,
		CASE WHEN referred <> tab THEN 'would treat moved rows as deleted'
			ELSE 'cannot be created again as it is' END)
	FROM (
		SELECT tab UNION
		SELECT relid FROM pg_partition_ancestors(tab) UNION
		SELECT relid FROM pg_partition_tree(rest)) tables(referred)
	CROSS JOIN uuidnew_tables._foreign_keys(referred) keys
	JOIN pg_class ON pg_class.oid = conrelid
	WHERE (with_own OR confrelid = referred)
		AND (referred <> tab OR relkind <> 'r' OR conrelid = confrelid
			OR with_own AND NOT convalidated
			OR NOT pg_has_role(relowner, 'USAGE')
			OR NOT has_any_column_privilege(confrelid, 'REFERENCES')
			OR EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = keys.oid AND tgenabled <> 'O'));
END;

-- Statements that drop the foreign keys that refer to a table, and that add them, and with_own its
-- own, by the table's name and without reading rows.
CREATE FUNCTION uuidnew_tables._renewed_foreign_keys(tab regclass, with_own boolean,
	OUT drop_all text, OUT add_all text)
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass,
			conname), '; ') FILTER (WHERE confrelid = tab)),
		concat(string_agg(format(
			'ALTER TABLE %s ADD CONSTRAINT %I %s%s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L',
			conrelid::regclass, conname, pg_get_constraintdef(oid),
			CASE WHEN confrelid = tab AND convalidated THEN ' NOT VALID' END,
			obj_description(oid, 'pg_constraint')), '; '))
	FROM uuidnew_tables._foreign_keys(tab)
	WHERE with_own OR confrelid = tab;
END;
