-- The indexes, unique keys, foreign keys and CHECK constraints that have the key, or a column that
-- refers to it, even in an expression: kind as pg_constraint's contype, or i for an index; the
-- definition of its counterpart for the shadow columns, and whether that is there and valid.
CREATE FUNCTION uuidnew_tables._rekey_objects(root regclass)
RETURNS TABLE (oid oid, kind text, name text, counterpart text, schema text, target text,
	parent text, tabs regclass[], "unique" text, definition text, valid boolean)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = on
AS $$
WITH renames AS (
	SELECT tab, target, jsonb_object_agg(col, shadow) AS names, array_agg(num) AS nums,
		array_agg(trigger_name) AS guards
	FROM uuidnew_tables._rekey_columns(root)
	GROUP BY tab, target
)
SELECT x.oid, coalesce(con.contype, 'i'), quote_ident(x.relname), quote_ident(other.name),
	x.relnamespace::regnamespace::text, r.target, NULL, ARRAY[r.tab],
	CASE WHEN i.indisunique THEN 'UNIQUE ' END,
	uuidnew_tables._rekey_renamed(regexp_replace(pg_get_indexdef(x.oid),
		replace('^CREATE (UNIQUE )?INDEX @ ON @.@', '@', '"([^"]|"")*"'), ''), r.names),
	there.indisvalid
FROM renames r
JOIN pg_index i ON i.indrelid = r.tab
JOIN pg_class x ON x.oid = i.indexrelid
CROSS JOIN LATERAL uuidnew_tables._rekey_name('of_'::text, x.relname) other(name)
LEFT JOIN pg_constraint con ON con.conindid = x.oid AND con.conrelid = r.tab
	AND con.contype IN ('p', 'u')
LEFT JOIN pg_index there ON there.indrelid = r.tab AND there.indexrelid = to_regclass(
	format('%s.%I', x.relnamespace::regnamespace, other.name))
WHERE i.indkey::int2[] && r.nums OR x.oid IN (
	SELECT objid FROM pg_depend WHERE refobjid = r.tab AND refobjsubid = ANY (r.nums))
UNION ALL
SELECT con.oid, con.contype, quote_ident(con.conname), quote_ident(other.name), NULL, own.target,
	theirs.target, array_remove(ARRAY[theirs.tab, own.tab], NULL), NULL,
	concat(uuidnew_tables._rekey_renamed(part[1], own.names), CASE con.contype WHEN 'f'
		THEN ' REFERENCES ' || uuidnew_tables._rekey_renamed(part[2], theirs.names) END),
	there.convalidated
FROM renames own
JOIN pg_constraint con ON con.conrelid = own.tab AND con.conparentid = 0
	AND (con.contype = 'c' AND con.conkey && own.nums
		AND quote_ident(con.conname) <> ALL (own.guards) OR con.contype = 'f')
CROSS JOIN LATERAL uuidnew_tables._rekey_name('of_'::text, con.conname) other(name)
LEFT JOIN renames theirs ON theirs.tab = con.confrelid AND con.confkey && theirs.nums
LEFT JOIN pg_constraint there ON there.conrelid = con.conrelid AND there.conname = other.name
CROSS JOIN regexp_match(pg_get_constraintdef(con.oid),
	'^((?:[^"]|"[^"]*")*?)(?: REFERENCES (.*?))?(?: NOT VALID)?$') part
WHERE con.contype = 'c' OR theirs.tab IS NOT NULL
$$;
