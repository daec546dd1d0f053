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
	WITH own_type(oid) AS (
		SELECT unnest(ARRAY[pg_type.oid, typarray]) FROM pg_type WHERE typrelid = tab
	), carried(class, oid) AS (
		SELECT 'pg_type'::regclass, own_type.oid FROM own_type
		UNION ALL
		SELECT 'pg_class'::regclass, unnest(ARRAY[tab::oid, twin::oid, reltoastrelid])
		FROM pg_class
		WHERE pg_class.oid = tab
		UNION ALL
		SELECT 'pg_class'::regclass, indexrelid FROM pg_index WHERE indrelid = tab
		UNION ALL
		SELECT 'pg_attrdef'::regclass, pg_attrdef.oid FROM pg_attrdef WHERE adrelid = tab
		UNION ALL
		SELECT 'pg_trigger'::regclass, pg_trigger.oid
		FROM pg_trigger
		WHERE tgrelid = tab AND tgenabled = 'O'
		UNION ALL
		SELECT 'pg_statistic_ext'::regclass, pg_statistic_ext.oid
		FROM pg_statistic_ext
		WHERE stxrelid = tab
		UNION ALL
		SELECT 'pg_constraint'::regclass, keys.oid
		FROM pg_constraint keys
		JOIN pg_class ON pg_class.oid = conrelid
		WHERE conrelid = tab AND contype <> 'f'
			OR conrelid <> confrelid	-- some are not enforced since 18
				AND to_jsonb(keys) ->> 'conenforced' IS DISTINCT FROM 'false'
				AND NOT EXISTS (
					SELECT FROM pg_trigger WHERE tgconstraint = keys.oid AND tgenabled <> 'O')
				AND (conrelid = tab AND convalidated OR confrelid = tab AND relkind = 'r')
	)
	SELECT DISTINCT format('%s depends on %s', pg_describe_object(classid, objid, objsubid),
		pg_describe_object(refclassid, refobjid, 0))
	FROM pg_depend
	WHERE (classid, objid) NOT IN (SELECT * FROM carried)
			AND (refclassid = 'pg_class'::regclass AND refobjid = tab
				OR refclassid = 'pg_type'::regclass AND refobjid IN (SELECT * FROM own_type))
		OR classid = 'pg_class'::regclass AND objid = tab AND objsubid = 0
			AND refclassid NOT IN ('pg_namespace'::regclass, 'pg_am'::regclass);

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
