-- What keeps a table and its twin, the new parent or the first partition, from exchanging places, a
-- line each: whatever depends on the table or its row type, or that depends on, and is not carried;
-- what would go wrong unseen; and what the twin would lack. Reads the catalogs only.
CREATE FUNCTION uuidnew_partitioning_obstacles(tab regclass, twin regclass)
RETURNS SETOF text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY
	SELECT DISTINCT format('%s depends on %s', pg_describe_object(classid, objid, objsubid),
		pg_describe_object(refclassid, refobjid, 0))
	FROM pg_depend
	JOIN pg_class own ON own.oid = tab
	JOIN pg_type ON pg_type.oid = reltype
	WHERE (classid, objid, objsubid) = ('pg_class'::regclass, tab, 0)
			AND refclassid NOT IN ('pg_namespace'::regclass, 'pg_am'::regclass)
		OR deptype = 'x' AND objid IN (SELECT oid FROM pg_trigger WHERE tgrelid = tab
			UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = tab)
		OR (refclassid, refobjid) IN (('pg_class'::regclass, tab), ('pg_type'::regclass, reltype),
			('pg_type'::regclass, typarray))
		AND NOT CASE classid	-- is it carried?
			WHEN 'pg_class'::regclass THEN objid IN (tab, twin, reltoastrelid)
				OR EXISTS (SELECT FROM pg_index WHERE indexrelid = objid AND indrelid = tab)
			WHEN 'pg_type'::regclass THEN objid IN (reltype, typarray)
			WHEN 'pg_statistic_ext'::regclass THEN true
			WHEN 'pg_attrdef'::regclass THEN EXISTS (
				SELECT FROM pg_attrdef WHERE oid = objid AND adrelid = tab)
			WHEN 'pg_trigger'::regclass THEN EXISTS (SELECT FROM pg_trigger
				WHERE oid = objid AND tgrelid = tab AND tgenabled = 'O' AND tgconstrrelid = 0)
			WHEN 'pg_constraint'::regclass THEN EXISTS (
				SELECT FROM pg_constraint keys
				JOIN pg_class other ON other.oid = conrelid
				WHERE keys.oid = objid AND CASE contype
					WHEN 'f' THEN conrelid <> confrelid
						AND (conrelid = tab OR other.relkind = 'r')
						AND (convalidated OR confrelid = tab AND own.relkind = 'p')
						AND to_jsonb(keys) ->> 'conenforced' IS DISTINCT FROM 'false'	-- since 18
						AND NOT EXISTS (
							SELECT FROM pg_trigger WHERE tgconstraint = objid AND tgenabled <> 'O')
					ELSE conrelid = tab END)
			ELSE false END;

	RETURN QUERY
	SELECT format('rows find their partition before trigger "%s" makes a key', tgname)
	FROM pg_trigger
	JOIN pg_index ON indrelid = tgrelid AND indisprimary
	JOIN pg_attribute ON attrelid = tgrelid AND attnum = ANY (indkey)
	-- BEFORE INSERT … FOR EACH ROW
	WHERE tgrelid = tab AND tgtype & 7 = 7 AND NOT atthasdef AND atttypid = 'uuid'::regtype
	UNION ALL
	SELECT format('publication "%s" would publish partitions by their names', pubname)
	FROM pg_publication
	JOIN pg_publication_tables USING (pubname)
	WHERE format('%I.%I', schemaname, tablename)::regclass = tab AND NOT pubviaroot
	UNION ALL
	SELECT 'a subscription writes to it' FROM pg_subscription_rel WHERE srrelid = tab
	UNION ALL
	SELECT format('security label of %s', pg_describe_object(classoid, objoid, objsubid))
	FROM pg_seclabel
	WHERE classoid = 'pg_class'::regclass AND objoid = tab;

	RETURN QUERY EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_lost($1, $2)', @own@)
		USING tab, twin;
END
$$;
