-- The indexes, unique keys, foreign keys and CHECK constraints that have the key, or a column that
-- refers to it, even in an expression: kind as pg_constraint's contype, or i for an index; the
-- definition of its counterpart for the shadow columns, and whether that is there and valid. tabs
-- are the tables that creating it locks.
CREATE FUNCTION uuidnew_tables._rekey_objects(root regclass)
RETURNS TABLE (oid oid, kind text, tabs regclass[], name text, counterpart text, target text,
	parent text, schema text, "unique" text, key text, definition text, valid boolean)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
SET quote_all_identifiers = on
AS $$
WITH renames AS (
	SELECT tab, target, jsonb_object_agg(col, shadow) AS names, array_agg(num) AS nums,
		array_agg(trigger_name) AS guards
	FROM uuidnew_tables._rekey_columns(root)
	GROUP BY tab, target
), objects AS (
	SELECT pg_constraint.oid, contype::text AS kind, conname AS name, NULL AS schema, false AS one,
		conrelid AS rel, confrelid AS parent, confkey, pg_get_constraintdef(pg_constraint.oid)
			AS definition, convalidated AS valid
	FROM pg_constraint
	JOIN renames ON tab = conrelid
	WHERE contype IN ('c', 'f') AND conparentid = 0
	UNION ALL
	SELECT coalesce(pg_constraint.oid, indexrelid), coalesce(contype::text, 'i'), relname,
		relnamespace::regnamespace::text, indisunique, indrelid, 0, NULL,
		regexp_replace(pg_get_indexdef(indexrelid), replace('^CREATE (UNIQUE )?INDEX @ ON @.@',
			'@', '"([^"]|"")*"'), ''), indisvalid
	FROM pg_index
	JOIN renames ON tab = indrelid
	JOIN pg_class ON pg_class.oid = indexrelid
	LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = tab AND contype IN ('p', 'u')
)
SELECT o.oid, o.kind, array_remove(ARRAY[theirs.tab, own.tab], NULL), quote_ident(o.name),
	quote_ident(n.counterpart), own.target, theirs.target, o.schema,
	CASE WHEN o.one THEN 'UNIQUE ' END, CASE o.kind WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
	regexp_replace(renamed, ' NOT VALID$', ''), there.valid
FROM objects o
JOIN renames own ON own.tab = o.rel AND quote_ident(o.name) <> ALL (own.guards)
LEFT JOIN renames theirs ON theirs.tab = o.parent AND o.confkey && theirs.nums
CROSS JOIN LATERAL uuidnew_tables._rekey_name('of_'::text, o.name) n(counterpart)
LEFT JOIN objects there ON there.rel = o.rel AND there.name = n.counterpart
	AND there.schema IS NOT DISTINCT FROM o.schema	-- NULL for a constraint
CROSS JOIN LATERAL (	-- all that is quoted is renamed, but types, and what is next to a point
	SELECT string_agg(CASE WHEN before IN ('.', ':') OR after IN ('.', '(') THEN token
		ELSE coalesce((own.names || coalesce(theirs.names, '{}')) ->> token, token) END, ''
		ORDER BY number)
	FROM (
		SELECT found[1], number, lag(found[1], 1, '') OVER turn, lead(found[1], 1, '') OVER turn
		FROM regexp_matches(o.definition,
			'''(?:[^'']|'''')*''|"(?:[^"]|"")*"|[[:alnum:]_$]+|.', 'g')
			WITH ORDINALITY tokens(found, number)
		WINDOW turn AS (ORDER BY number)) tokens(token, number, before, after)) r(renamed)
WHERE (o.kind <> 'f' OR theirs.tab IS NOT NULL) AND EXISTS (
	SELECT FROM pg_depend
	WHERE objid = o.oid AND refobjid = o.rel AND refobjsubid = ANY (own.nums))
$$;
