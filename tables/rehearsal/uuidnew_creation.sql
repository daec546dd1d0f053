-- Statements that create a table of this name with columns as this one's, or a view, and its owner:
-- what comes before uuidnew_constraints and uuidnew_belongings.  Sequences that belong to columns
-- are new.  To be run with uuidnew_renamed, which does not find the source of LIKE: there are
-- spaces in it.
CREATE FUNCTION uuidnew_creation(rel regclass)
RETURNS text[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH sequence AS (
	SELECT seqrelid::regclass AS name, q.*, attname
	FROM pg_depend
		JOIN pg_sequence q ON classid = 'pg_class'::regclass AND seqrelid = objid
		JOIN pg_attribute ON attrelid = rel AND attnum = refobjsubid
	WHERE refclassid = 'pg_class'::regclass AND refobjid = rel AND deptype = 'a'),
option AS (
	SELECT format(' WITH (%s)', string_agg(format('%I = %L', option_name, option_value), ', '))
		AS list
	FROM pg_class, pg_options_to_table(reloptions)
	WHERE oid = rel
	HAVING count(*) > 0)
SELECT ARRAY[CASE relkind
		WHEN 'v' THEN format('CREATE VIEW %s%s AS %s', rel, (SELECT list FROM option),
			pg_get_viewdef(rel))
		ELSE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING CONSTRAINTS '
			'EXCLUDING IDENTITY EXCLUDING INDEXES '
			'EXCLUDING STATISTICS)%s%s%s', rel, format('%s . %I', relnamespace::regnamespace,
				relname),
			' PARTITION BY ' || pg_get_partkeydef(rel),
			(SELECT format(' USING %I', amname) FROM pg_am WHERE pg_am.oid = relam),
				(SELECT list FROM option)) END]
	|| ARRAY(
		SELECT format('CREATE SEQUENCE %s AS %s START %s INCREMENT %s MINVALUE %s '
			'MAXVALUE %s CACHE %s %s OWNED BY %s.%I',
			name, seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache,
			CASE WHEN seqcycle THEN 'CYCLE' ELSE 'NO CYCLE' END, rel, attname)
		FROM sequence)
	|| ARRAY(
		SELECT format('ALTER TABLE %s ALTER %I SET DEFAULT %s', rel, attname,
			pg_get_expr(adbin, adrelid))
		FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
		WHERE adrelid = rel AND attgenerated = '' AND relkind <> 'v')
	|| format('ALTER TABLE %s OWNER TO %s', rel, relowner::regrole)
FROM pg_class
WHERE oid = rel
$$;
COMMENT ON FUNCTION uuidnew_creation(regclass) IS
'statements that create a table or view; for uuidnew_copy_tables';
