-- The definition of a table (or view), one row for each property: of the table, of what belongs to
-- it (columns, constraints, indexes, sequences, triggers, policies, rules, publications, …), and,
-- as property "depends on", what depends on it (views, foreign keys, functions, partitions, …) or
-- it is part of (an extension).  So the definitions of two tables, or of one at two times, are
-- compared by EXCEPT.
--
-- A property is a column of a catalog; what it refers to stands there by name.  Left out is what
-- differs without a meaning: numbers of columns and objects, counters, schemas, grantors, how
-- inheritance came about.  The order of columns is property "columns".
--
-- Reads catalogs with the snapshot of the query; takes no lock on the table.
CREATE FUNCTION uuidnew_definition(rel regclass)
RETURNS TABLE (object text, property text, value text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET jit = off	-- compiling takes longer
AS $$
DECLARE
	own CONSTANT text := @own@;
	no_meaning CONSTANT text := '^(oid|\w*objoid|classoid|objsubid|attnum|attname|adnum|typname|'
		'attcacheoff|rel(filenode|pages|tuples|all\w+|has\w+|natts|persistence|toastrelid|rewrite)|'
		'att\w*missing\w*|connoinherit|\w+(islocal|inhcount|namespace|minmxid|frozenxid))$';
BEGIN
	RETURN QUERY EXECUTE format($query$
		WITH about AS MATERIALIZED (SELECT * FROM %s.uuidnew_catalog_rows($1)),
		part AS (
			SELECT catalog::oid AS class, (content ->> 'oid')::oid AS oid
			FROM about
			WHERE content ? 'oid'),
		reference AS (
			SELECT fktable, fkcols[1] AS first, fkcols[cardinality(fkcols)] AS name, pktable
			FROM pg_get_catalog_foreign_keys()
			WHERE cardinality(fkcols) = 1 OR pktable = 'pg_attribute'::regclass
			UNION ALL	-- which is missing there
			SELECT 'pg_publication_rel'::regclass, 'prrelid', 'prattrs', 'pg_attribute'::regclass),
		named AS (
			SELECT a.object, c.key, c.value, a.content, r.pktable, r.first
			FROM about a
				CROSS JOIN jsonb_each(a.content) c
				LEFT JOIN reference r ON r.fktable = a.catalog AND r.name = c.key
			WHERE c.key !~ $2)
		SELECT n.object, n.key, string_agg(
			CASE WHEN n.pktable IS NULL OR e.value !~ '^[1-9][0-9]*$' THEN e.value
				WHEN n.pktable = 'pg_attribute'::regclass
				THEN pg_describe_object('pg_class'::regclass, (n.content ->> n.first)::oid,
					e.value::int)
				ELSE pg_describe_object(n.pktable, e.value::oid, 0) END,
			', ' ORDER BY e.number)
		FROM named n
			LEFT JOIN jsonb_array_elements_text(CASE jsonb_typeof(n.value) WHEN 'array' THEN n.value
				ELSE jsonb_build_array(n.value) END) WITH ORDINALITY e(value, number)
				ON e.value !~ '^pg_attver='	-- a counter that some servers keep there
		WHERE n.key !~ 'acl$'
		GROUP BY n.object, n.key, n.value, n.content
		UNION ALL	-- whoever granted it, and as if what is by default were granted
		SELECT n.object, n.key, (
			SELECT string_agg(concat(grantee, ' ', privilege_type, CASE WHEN grantable
				THEN '*' END), ', '
				ORDER BY grantee, privilege_type)
			FROM (
				SELECT coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC') COLLATE "C"
					AS grantee,
					privilege_type, bool_or(is_grantable) AS grantable
				FROM aclexplode(CASE
					WHEN n.value <> 'null'
						THEN ARRAY(SELECT jsonb_array_elements_text(n.value)::aclitem)
					WHEN n.key = 'relacl' THEN acldefault(CASE n.content ->> 'relkind'
						WHEN 'S' THEN 's' ELSE 'r' END::"char",
							(n.content ->> 'relowner')::oid) END) x
				GROUP BY 1, 2) privilege)
		FROM named n
		WHERE n.key ~ 'acl$'
		UNION ALL
		SELECT pg_describe_object('pg_class'::regclass, $1, 0), 'columns',
			string_agg(quote_ident(attname), ', ' ORDER BY attnum)
		FROM pg_attribute
		WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped
		UNION
		SELECT pg_describe_object(d.classid, d.objid, d.objsubid), 'depends on',
			pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
		FROM part p JOIN pg_depend d ON d.refclassid = p.class AND d.refobjid = p.oid
			AND d.deptype IN ('n', 'a')
		WHERE (d.classid, d.objid) NOT IN (SELECT class, oid FROM part)
		UNION
		SELECT pg_describe_object(d.classid, d.objid, d.objsubid), 'depends on',
			pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
		FROM part p JOIN pg_depend d ON d.classid = p.class AND d.objid = p.oid
			AND d.deptype IN ('e', 'x')
		$query$, own)
	USING rel, no_meaning;
END
$$;
COMMENT ON FUNCTION uuidnew_definition(regclass) IS
'all that the catalogs say of a table; for the functions for tables';
