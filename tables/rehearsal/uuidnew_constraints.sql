-- Statements that give a table of this name the constraints, indexes and settings of this one, in
-- the order to run them:
--
--   check     CHECK constraints, as valid as they are, and NOT NULL if not valid
--   identity  identity columns, with sequences of these names
--   key       primary keys, unique and exclusion constraints, and indexes that are valid
--   setting   of columns and indexes: statistics targets, n_distinct
--   place     of indexes: tablespace, CLUSTER mark
--   statistics  statistics objects
--   foreign   foreign keys to other tables, and their comments
--   self      foreign keys to the table itself, and their comments
--
-- Reads catalogs with the snapshot of the query; takes no lock on the table.
CREATE FUNCTION uuidnew_constraints(rel regclass)
RETURNS TABLE (kind text, statement text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH con AS (SELECT *, CASE confrelid WHEN rel THEN 'self' ELSE 'foreign' END AS kind
	FROM pg_constraint WHERE conrelid = rel),
col AS (SELECT * FROM pg_attribute WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped),
index AS (
	SELECT x.oid, x.oid::regclass AS name, x.relname, i.indisclustered, x.reltablespace
	FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
	WHERE i.indrelid = rel AND i.indisvalid)
SELECT s.kind, s.statement
FROM (
	SELECT 1, 'check', format('ALTER TABLE %1$s %2$sADD CONSTRAINT %3$I %4$s', rel,
		CASE contype WHEN 'n' THEN format('DROP CONSTRAINT %I, ', conname) END, conname,
		pg_get_constraintdef(oid))
	FROM con
	WHERE contype = 'c' OR contype = 'n' AND NOT convalidated	-- LIKE would make it valid
	UNION ALL
	SELECT 2, 'identity',
		format('ALTER TABLE %s ALTER %I ADD GENERATED %s AS IDENTITY '
			'(SEQUENCE NAME %s START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s %s)',
		rel, attname, CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
		seqrelid::regclass, seqstart, seqincrement, seqmin, seqmax, seqcache,
		CASE WHEN seqcycle THEN 'CYCLE' ELSE 'NO CYCLE' END)
	FROM col
		JOIN pg_depend d ON refclassid = 'pg_class'::regclass AND refobjid = rel
			AND refobjsubid = attnum AND deptype = 'i'
		JOIN pg_sequence ON classid = 'pg_class'::regclass AND seqrelid = objid
	WHERE attidentity <> ''
	UNION ALL
	SELECT 3, 'key', CASE WHEN con.oid IS NULL THEN pg_get_indexdef(index.oid)
		ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', rel, conname,
			pg_get_constraintdef(con.oid)) END
	FROM index LEFT JOIN con ON conindid = index.oid AND contype IN ('p', 'u', 'x')
	UNION ALL
	SELECT 4, 'setting', format('ALTER TABLE %s ALTER %I SET STATISTICS %s', rel, attname,
		to_jsonb(col) ->> 'attstattarget')
	FROM col
	WHERE (to_jsonb(col) ->> 'attstattarget')::int >= 0	-- NULL since 17
	UNION ALL
	SELECT 4, 'setting', format('ALTER TABLE %s ALTER %I SET (%s)', rel, attname, option)
	FROM col, unnest(attoptions) option
	WHERE option ^@ 'n_distinct'
	UNION ALL
	SELECT 4, 'setting', format('ALTER INDEX %s ALTER %s SET STATISTICS %s', name, attnum,
		to_jsonb(a) ->> 'attstattarget')
	FROM index JOIN pg_attribute a ON attrelid = oid
	WHERE (to_jsonb(a) ->> 'attstattarget')::int >= 0
	UNION ALL
	SELECT 5, 'place', format('ALTER INDEX %s SET TABLESPACE %I', name, spcname)
	FROM index JOIN pg_tablespace t ON t.oid = reltablespace
	UNION ALL
	SELECT 5, 'place', format('ALTER TABLE %s CLUSTER ON %I', rel, relname)
	FROM index
	WHERE indisclustered
	UNION ALL
	SELECT 5 + step, 'statistics', made
	FROM pg_statistic_ext s, format('%s.%I', stxnamespace::regnamespace, stxname) name,
		unnest(ARRAY[
		pg_get_statisticsobjdef(oid),
		format('ALTER STATISTICS %s OWNER TO %s', name, stxowner::regrole),
		format('ALTER STATISTICS %s SET STATISTICS %s', name,
			coalesce(to_jsonb(s) ->> 'stxstattarget', '-1')),
		format('COMMENT ON STATISTICS %s IS %L', name, obj_description(oid, 'pg_statistic_ext'))
		]) WITH ORDINALITY statement(made, step)
	WHERE stxrelid = rel
	UNION ALL
	SELECT 10, kind, format('ALTER TABLE %s ADD CONSTRAINT %I %s', rel, conname,
		pg_get_constraintdef(oid))
	FROM con
	WHERE contype = 'f' AND conparentid = 0
	UNION ALL
	SELECT 11, kind, format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname, rel, said)
	FROM con, obj_description(oid, 'pg_constraint') said
	WHERE contype = 'f' AND conparentid = 0 AND said IS NOT NULL
	) s(number, kind, statement)
ORDER BY number, statement
$$;
COMMENT ON FUNCTION uuidnew_constraints(regclass) IS
'statements for the constraints and indexes of a table';
