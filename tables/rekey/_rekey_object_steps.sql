-- What becomes of indexes, unique keys and foreign keys that have the key, or what refers to it,
-- even in an expression: the statements, by rank and turn.  Each gets a twin.
CREATE FUNCTION uuidnew_tables._rekey_object_steps(root regclass)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = on AS $$
#variable_conflict use_column
BEGIN
	RETURN QUERY
	WITH renames AS (
		SELECT tab, target, jsonb_object_agg(col, twin) AS names, array_agg(num) AS nums
		FROM uuidnew_tables._rekey_columns(root)
		GROUP BY tab, target
	), found AS (
		SELECT x.oid, x.relname AS name, r.target, ARRAY[r.tab] AS tabs,
			twin.indisvalid AS valid, coalesce(con.contype, 'i') AS kind,
			x.relnamespace::regnamespace::text AS schema,
			uuidnew_tables._rekey_renamed(regexp_replace(pg_get_indexdef(x.oid),
				replace('^CREATE (UNIQUE )?INDEX @ ON @.@', '@', '"([^"]|"")*"'), ''), r.names)
				AS definition,	-- from the method on
			CASE WHEN i.indisunique THEN 'UNIQUE ' END AS "unique"
		FROM renames r
			JOIN pg_index i ON i.indrelid = r.tab
			JOIN pg_class x ON x.oid = i.indexrelid
			LEFT JOIN pg_constraint con ON con.conindid = x.oid AND con.conrelid = r.tab
				AND con.contype IN ('p', 'u')
			LEFT JOIN pg_index twin ON twin.indrelid = r.tab
				AND twin.indexrelid = to_regclass(format('%s.%I',
				x.relnamespace::regnamespace, 'uuid_rekey_' || md5(x.relname)))
		WHERE i.indkey::int2[] && r.nums OR x.oid IN (
			SELECT objid FROM pg_depend WHERE refobjid = r.tab AND refobjsubid = ANY (r.nums))
		UNION ALL
		SELECT f.oid, f.conname, own.target, ARRAY[own.tab, theirs.tab],
			twin.convalidated, 'f', NULL,
			uuidnew_tables._rekey_renamed(part[1], own.names) || ' REFERENCES '
				|| uuidnew_tables._rekey_renamed(part[2], theirs.names), NULL
		FROM renames theirs
			JOIN pg_constraint f ON f.contype = 'f' AND f.conparentid = 0
				AND f.confrelid = theirs.tab AND f.confkey && theirs.nums
			JOIN renames own ON own.tab = f.conrelid
			LEFT JOIN pg_constraint twin ON twin.conrelid = f.conrelid
				AND twin.conname = 'uuid_rekey_' || md5(f.conname)
			CROSS JOIN regexp_match(pg_get_constraintdef(f.oid),
				'^((?:[^"]|"[^"]*")*?) REFERENCES (.*?)(?: NOT VALID)?$') part
	)
	SELECT s.rank, row_number() OVER (ORDER BY f.oid), f.tabs, uuidnew_tables._fill(s.template,
			to_jsonb(f) || jsonb_build_object('name', quote_ident(name),
			'twin', quote_ident('uuid_rekey_' || md5(name)),
			'key', CASE kind WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END)),
		s.why, coalesce(s.done, false)
	FROM found f
	CROSS JOIN LATERAL (VALUES
		(90, kind <> 'f' AND NOT valid, false, 'its creation was interrupted',
			'DROP INDEX CONCURRENTLY {schema}.{twin}'),
		(100, kind <> 'f', valid, 'an index' || definition,
			'CREATE {unique}INDEX CONCURRENTLY {twin} ON {target}{definition}'),
		(110, kind = 'f', valid IS NOT NULL, format('the twin of foreign key %s', name),
			'ALTER TABLE {target} ADD CONSTRAINT {twin} {definition} NOT VALID'),
		(120, kind = 'f', valid OR definition ~ ' NOT ENFORCED$', 'reads the table',
			'ALTER TABLE {target} VALIDATE CONSTRAINT {twin}'),
		(220, kind = 'f', NULL, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}'),
		(235, kind IN ('p', 'u'), NULL, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}'),
		(260, kind IN ('p', 'u'), NULL, NULL,
			'ALTER TABLE {target} ADD CONSTRAINT {name} {key} USING INDEX {twin}'),
		(260, kind = 'i', NULL, NULL, $sql$ALTER INDEX {schema}.{name} RENAME TO uuid_rekey_swap;
ALTER INDEX {schema}.{twin} RENAME TO {name};
ALTER INDEX {schema}.uuid_rekey_swap RENAME TO {twin}$sql$),
		(270, kind = 'f', NULL, NULL, 'ALTER TABLE {target} RENAME CONSTRAINT {twin} TO {name}'),
		(315, kind = 'f' AND valid IS NOT NULL, NULL, NULL,
			'ALTER TABLE {target} DROP CONSTRAINT {twin}')
	) s(rank, applies, done, why, template)
	WHERE s.applies;
END
$$;
