-- What keeps a table from giving its place to a new parent, a line each, by the catalogs: whatever
-- a partitioned table cannot have, is not carried, or would go wrong unseen.
CREATE FUNCTION uuidnew_tables._partitioning_obstacles(tab regclass, key name)
RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT format('unique index %s lacks column %I: a partitioned table is unique only with it',
		indexrelid::regclass, key)
	FROM pg_index
	JOIN pg_attribute ON attrelid = indrelid AND attname = key
	WHERE indrelid = tab AND indisunique
		AND attnum <> ALL ((indkey::int2[])[0:indnkeyatts - 1])
	UNION ALL
	SELECT DISTINCT format('%s depends on %s', pg_describe_object(classid, objid, objsubid),
		pg_describe_object(refclassid, refobjid, 0))
	FROM pg_depend
	JOIN pg_class own ON own.oid = tab
	JOIN pg_type ON pg_type.oid = reltype
	WHERE (classid, objid, objsubid) = ('pg_class'::regclass, tab, 0)
			AND refclassid NOT IN ('pg_namespace'::regclass, 'pg_am'::regclass)
		OR deptype = 'x' AND objid IN (SELECT indexrelid FROM pg_index WHERE indrelid = tab)
		OR (refclassid, refobjid) IN (('pg_class'::regclass, tab), ('pg_type'::regclass, reltype),
			('pg_type'::regclass, typarray))
		AND NOT CASE classid	-- is it carried?
			WHEN 'pg_class'::regclass THEN objid IN (tab, reltoastrelid)
				OR objid IN (SELECT indexrelid FROM pg_index WHERE indrelid = tab)
			WHEN 'pg_type'::regclass THEN objid IN (reltype, typarray)
			WHEN 'pg_statistic_ext'::regclass THEN true
			WHEN 'pg_attrdef'::regclass
				THEN objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = tab)
			WHEN 'pg_constraint'::regclass
				THEN objid IN (SELECT oid FROM pg_constraint WHERE conrelid = tab OR contype = 'f')
			ELSE false END
	UNION ALL
	SELECT uuidnew_tables._referring(tab, NULL)
	UNION ALL
	SELECT format('foreign key "%s" of table %s cannot be created again as it is', conname, tab)
	FROM pg_constraint own
	WHERE conrelid = tab AND contype = 'f' AND (NOT convalidated
		OR NOT has_any_column_privilege(confrelid, 'REFERENCES')
		OR EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = own.oid AND tgenabled <> 'O'))
	UNION ALL
	SELECT format('constraint %I is NO INHERIT', conname)
	FROM pg_constraint
	WHERE conrelid = tab AND contype = 'n' AND connoinherit
	UNION ALL
	SELECT format('publication "%s" would publish partitions by their names', pubname)
	FROM pg_publication
	JOIN pg_publication_tables USING (pubname)
	WHERE format('%I.%I', schemaname, tablename)::regclass = tab AND NOT pubviaroot
	UNION ALL
	SELECT 'a subscription writes to it' FROM pg_subscription_rel WHERE srrelid = tab;
END;

-- What the parent would lack, a line each, but for what stays with the first partition; of indexes
-- only if it has them.
CREATE FUNCTION uuidnew_tables._partitioning_lost(tab regclass, parent regclass)
RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
	SELECT uuidnew_tables._lost(jsonb_agg(triple) FILTER (WHERE of = tab),
		jsonb_agg(triple) FILTER (WHERE of = parent))
	FROM (VALUES (tab), (parent)) tables(of)
	CROSS JOIN uuidnew_tables._definition(of)
	CROSS JOIN jsonb_build_array(object, property, value) triple
	WHERE kind <> 'f' AND object !~ '^constraint uuid_partitioning '
		AND (kind NOT IN ('index', 'p', 'u', 'x') OR parent IN (SELECT indrelid FROM pg_index))
		AND property !~ '^(rel(am|acl|options)|(rel)?tablespace|statistics|indisclustered)$';
END;
