-- The rows of the catalogs about a table (or view) and all that belongs to it, but for what depends
-- on it.
--
-- No kind of object is listed: what belongs to the table is read from pg_depend, and which catalogs
-- refer to it from pg_get_catalog_foreign_keys(), so that what a later major adds is in. 
-- Expressions are in words.  Left out are the triggers that foreign keys make for themselves,
-- unless somebody has disabled them.
CREATE FUNCTION uuidnew_catalog_rows(rel regclass)
RETURNS TABLE (catalog regclass, object text, content jsonb)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	source record;
	expressions text;
BEGIN
	FOR source IN
		-- the table, its row type, indexes, constraints, sequences, …
		WITH RECURSIVE part(class, oid) AS (
			SELECT 'pg_class'::regclass::oid, rel::oid
			UNION
			SELECT d.classid, d.objid
			FROM part
				JOIN pg_depend d ON d.refclassid = part.class AND d.refobjid = part.oid
				LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
			WHERE d.deptype IN ('a', 'i', 'S')	-- 'P' are those of partitions
				AND coalesce(c.relkind, 'i') IN ('i', 'I', 'S')),
		class AS (SELECT class, array_agg(oid) AS oids FROM part GROUP BY class),
		columns AS (
			SELECT attrelid::regclass AS tab, attname AS name, attnum
			FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
			WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace)
		-- a row for each part that has an OID; rows that refer to a relation; comments, labels and
		-- the like
		SELECT class.class::regclass AS tab, class.class AS about, class.oids, name AS key,
			'pg_describe_object($2, x.oid, 0)' AS object
		FROM class JOIN columns ON columns.tab = class.class AND name = 'oid'
		UNION ALL
		SELECT fktable, class, oids, fkcols[1], CASE
			WHEN fktable <> 'pg_attribute'::regclass
			THEN format('pg_describe_object($2, x.%I, 0)', fkcols[1])
			-- a column of an index has the name of when it was made
			ELSE 'CASE WHEN EXISTS (SELECT FROM pg_index WHERE indexrelid = x.attrelid) '
				'THEN format(''column %s of '', x.attnum) || pg_describe_object($2, x.attrelid, 0) '
				'ELSE pg_describe_object($2, x.attrelid, x.attnum) END' END
		FROM pg_get_catalog_foreign_keys() JOIN class ON class.class = pktable
		WHERE pktable = 'pg_class'::regclass AND cardinality(fkcols) = 1
			AND fktable <> 'pg_statistic'::regclass	-- of contents
			AND (fktable, fkcols[1]) <> ('pg_index'::regclass, 'indrelid')	-- once
			AND NOT EXISTS (SELECT FROM columns WHERE columns.tab = fktable AND name = 'oid')
		UNION ALL
		SELECT columns.tab, class, oids, 'objoid',
			'pg_describe_object(x.classoid, x.objoid, x.objsubid)'
		FROM columns CROSS JOIN class
		WHERE name = 'objsubid'
			AND EXISTS (SELECT FROM columns c WHERE c.tab = columns.tab AND c.name = 'classoid')
	LOOP
		SELECT string_agg(format(', %L, %s', attname, CASE attname
			WHEN 'tgqual' THEN 'pg_get_triggerdef(x.oid)'
			WHEN 'ev_action' THEN 'pg_get_ruledef(x.oid)'
			WHEN 'ev_qual' THEN 'NULL'
			ELSE format('pg_get_expr(x.%I, $3)', attname) END), '')
		INTO expressions
		FROM pg_attribute
		WHERE attrelid = source.tab AND atttypid = 'pg_node_tree'::regtype;

		RETURN QUERY EXECUTE format(
			'SELECT %1$L::regclass, %2$s, to_jsonb(x) || jsonb_build_object(%3$s) FROM %1$s x '
			'WHERE x.%4$I = ANY ($1)%5$s',
			source.tab, source.object, substr(expressions, 3), source.key, CASE source.tab
				WHEN 'pg_attribute'::regclass THEN ' AND x.attnum > 0 AND NOT x.attisdropped'
				WHEN 'pg_trigger'::regclass THEN ' AND NOT (x.tgisinternal AND x.tgenabled = ''O'')'
				ELSE CASE WHEN source.key = 'objoid' THEN ' AND x.classoid = $2' ELSE '' END END)
		USING source.oids, source.about, rel;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuidnew_catalog_rows(regclass) IS
'the rows of the catalogs about a table; for uuidnew_definition';
