-- What stands in the way of partitioning a table, a line each: what the rehearsal finds, and what
-- it cannot, as that would show in rows, in other sessions or on subscribers only.
CREATE FUNCTION uuidnew_partitioning_obstacles(tab regclass, width text, time_zone text,
	layout text)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	column_number smallint;
BEGIN
	-- errors first: a width or layout that there is not, and the like
	EXECUTE format('SELECT attnum FROM %s.uuidnew_partitioning_border($1, NULL, $2, $3, $4) b '
		'JOIN pg_attribute ON attrelid = $1 AND attname = b.key', own)
		INTO column_number USING tab, width, time_zone, layout;
	RETURN QUERY SELECT 'it is unlogged or temporary' FROM pg_class
		WHERE oid = tab AND relpersistence <> 'p';
	RETURN QUERY
	SELECT format('publication "%s" publishes partitions by their own names: '
		'SET (publish_via_partition_root)', p.pubname)
	FROM pg_class c
		JOIN pg_namespace n ON n.oid = relnamespace
		JOIN pg_publication_tables t ON (t.schemaname, t.tablename) = (n.nspname, c.relname)
		JOIN pg_publication p ON p.pubname = t.pubname AND NOT pubviaroot
	WHERE c.oid = tab;
	RETURN QUERY	-- which would find no row, as all are in partitions
	SELECT format('%s reads ONLY the table', pg_describe_object(d.classid, d.objid, 0))
	FROM pg_depend d
		LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
		LEFT JOIN pg_policy p ON d.classid = 'pg_policy'::regclass AND p.oid = d.objid
	WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab
		AND r.ev_class IS DISTINCT FROM tab
		AND concat(r.ev_action, p.polqual, p.polwithcheck) ~ format(':relid %s [^{}]*:inh false',
			tab::oid)
	GROUP BY d.classid, d.objid;
	RETURN QUERY
	SELECT DISTINCT format('view %s of another session depends on it', v.oid::regclass)
	FROM pg_depend
		JOIN pg_rewrite r ON classid = 'pg_rewrite'::regclass AND r.oid = objid
		JOIN pg_class v ON v.oid = ev_class
	WHERE refclassid = 'pg_class'::regclass AND refobjid = tab
		AND pg_is_other_temp_schema(relnamespace);
	RETURN QUERY	-- whatever key it makes, rows are routed before
	SELECT format('trigger "%s" fires before rows are inserted, and column "%s" has no default: '
		'rows are routed to partitions before triggers make a key', tgname, attname)
	FROM pg_trigger JOIN pg_attribute ON attrelid = tab AND attnum = column_number AND NOT atthasdef
	-- BEFORE INSERT … FOR EACH ROW
	WHERE tgrelid = tab AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 7 = 7;
	RETURN QUERY EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_rehearsal($1, $2, $3, $4)',
		own)
		USING tab, width, time_zone, layout;
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_obstacles(regclass, text, text, text) IS
'what stands in the way; for uuid_partitioning_check';
