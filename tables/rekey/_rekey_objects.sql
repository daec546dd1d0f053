-- The indexes, unique keys and foreign keys that have the key, or a column that refers to it: kind
-- as pg_constraint's contype, or i for an index; num of a foreign key's column; the definition of
-- its counterpart for the shadow columns, whether that is valid, and the tables that it locks.
CREATE FUNCTION uuidnew_tables._rekey_objects(root regclass)
RETURNS TABLE (oid oid, kind text, tabs regclass[], num int2, name text, counterpart text,
	target text, schema text, "unique" text, key text, definition text, valid boolean)
LANGUAGE sql VOLATILE
SET quote_all_identifiers = on
BEGIN ATOMIC
WITH cols AS (SELECT * FROM uuidnew_tables._rekey_columns(root)),
objects AS (
	SELECT pg_constraint.oid, 'f' AS kind, own.tab, theirs.tab AS other, conname AS name,
		NULL::oid AS namespace, false AS one, own.target, own.num,
		format('FOREIGN KEY (%s) REFERENCES %s (%s)', own.shadow, theirs.target, theirs.shadow)
			AS head,
		substr(pg_get_constraintdef(pg_constraint.oid), 1 + length(format(
			'FOREIGN KEY (%s) REFERENCES %s(%s)', own.col, confrelid::regclass, theirs.col)))
			AS tail
	FROM pg_constraint
	JOIN cols own ON own.tab = conrelid AND conkey = ARRAY[own.num]
	JOIN cols theirs ON theirs.tab = confrelid AND confkey = ARRAY[theirs.num]
	WHERE contype = 'f' AND conparentid = 0
	UNION ALL
	SELECT DISTINCT coalesce(pg_constraint.oid, indexrelid), coalesce(contype::text, 'i'), tab,
		NULL::regclass, relname, relnamespace, indisunique, target, NULL::int2, NULL,
		regexp_replace(pg_get_indexdef(indexrelid), replace('^CREATE (UNIQUE )?INDEX @ ON @.@',
			'@', '"([^"]|"")*"'), '')
	FROM pg_index
	JOIN cols ON tab = indrelid AND num = ANY (indkey) AND indexprs IS NULL AND indpred IS NULL
	JOIN pg_class ON pg_class.oid = indexrelid
	LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = tab AND contype IN ('p', 'u')
)
SELECT o.oid, kind, array_remove(ARRAY[other, tab], NULL), o.num, quote_ident(o.name),
	quote_ident(n.counterpart), o.target, namespace::regnamespace::text,
	CASE WHEN one THEN 'UNIQUE ' END, CASE kind WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
	concat(head, (	-- only columns have the name of one
		SELECT string_agg(coalesce(shadow, token[1]), '' ORDER BY number)
		FROM regexp_matches(tail, '"(?:[^"]|"")*"|[^"]+', 'g') WITH ORDINALITY t(token, number)
		LEFT JOIN cols ON cols.tab = o.tab AND col = token[1])),
	coalesce(convalidated, indisvalid)
FROM objects o
CROSS JOIN uuidnew_tables._rekey_name('of_'::text, o.name) n(counterpart)
LEFT JOIN pg_constraint ON kind = 'f' AND conrelid = tab AND conname = n.counterpart
LEFT JOIN pg_class ON relnamespace = namespace AND relname = n.counterpart
LEFT JOIN pg_index ON indexrelid = pg_class.oid AND indrelid = tab;
END;
