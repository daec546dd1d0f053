-- What becomes of indexes and unique keys that have the key, or what refers to it, even in an
-- expression: the statements, by rank and turn.  Each gets a twin, …_rekey; the old key also an
-- index, …_keep, by which it is looked up after the swap.
CREATE FUNCTION uuidnew_rekey_index_steps(root regclass)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = on AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH renames AS (
		SELECT tab, target, bool_or(swapped) AS swapped, jsonb_object_agg(col, twin) AS names,
			array_agg(num) AS nums
		FROM OWN.uuidnew_rekey_columns($1)
		GROUP BY tab, target
	), found AS (
		SELECT r.*, i.*, x.relname, n.nspname, s.spcname, con.oid AS con, con.conname, con.contype,
			con.condeferrable, con.condeferred,
			m.name || '_rekey' AS twin, m.name || '_keep' AS keep,
			con.contype = 'p' AND r.tab = $1 AND NOT r.swapped AS is_key,
			CASE WHEN i.indisunique THEN 'UNIQUE ' END AS "unique"
		FROM renames r
			JOIN pg_index i ON i.indrelid = r.tab
			JOIN pg_class x ON x.oid = i.indexrelid
			JOIN pg_namespace n ON n.oid = x.relnamespace
			LEFT JOIN pg_tablespace s ON s.oid = x.reltablespace
			LEFT JOIN pg_constraint con ON con.conindid = x.oid AND con.conrelid = r.tab
				AND con.contype IN ('p', 'u')
			CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(x.relname) > 57 THEN md5(x.relname)
				ELSE x.relname END) m(name)
		WHERE i.indkey::int2[] && r.nums OR EXISTS (SELECT FROM pg_depend
			WHERE classid = 'pg_class'::regclass AND objid = x.oid
				AND refclassid = 'pg_class'::regclass
				AND refobjid = r.tab AND refobjsubid = ANY (r.nums))
	), filled AS (
		SELECT f.*, t.indisvalid AS twin_valid, k.indisvalid AS keep_valid, to_jsonb(f)
			|| jsonb_build_object(
			'schema', quote_ident(nspname), 'index', quote_ident(relname),
			'name', quote_ident(conname),
			'twin', quote_ident(twin), 'keep', quote_ident(keep), 'same', d.rest,
			'renamed', OWN.uuidnew_rekey_renamed(d.rest, f.names),
			'kind', CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
			'deferrable', concat(CASE WHEN condeferrable THEN ' DEFERRABLE' END,
				CASE WHEN condeferred THEN ' INITIALLY DEFERRED' END),
			'remark', quote_nullable(obj_description(coalesce(con, f.indexrelid),
				CASE WHEN con IS NULL THEN 'pg_class' ELSE 'pg_constraint' END)),
			'targets', (SELECT string_agg(format('; ALTER INDEX %I.%I ALTER %s SET STATISTICS %s',
				nspname, relname, attnum, attstattarget), '')
				FROM pg_attribute WHERE attrelid = f.indexrelid AND attstattarget >= 0)) AS places
		FROM found f
			LEFT JOIN pg_index t ON t.indexrelid = to_regclass(format('%I.%I', nspname, twin))
			LEFT JOIN pg_index k ON k.indexrelid = to_regclass(format('%I.%I', nspname, keep))
			CROSS JOIN LATERAL (SELECT pg_get_indexdef(f.indexrelid) AS whole,
				' WHERE ' || pg_get_expr(f.indpred, f.indrelid) AS filter) p
			CROSS JOIN LATERAL (SELECT concat(substr(left(whole,
				length(whole) - coalesce(length(filter), 0)),
				length(format('CREATE %sINDEX %I ON %s', "unique", relname, target)) + 1),
				' TABLESPACE ' || quote_ident(spcname), filter) AS rest) d
		WHERE relname <> ALL (SELECT keep FROM found WHERE is_key)
	)
	SELECT s.rank, row_number() OVER (ORDER BY f.indexrelid), ARRAY[f.tab],
		OWN.uuidnew_fill(s.template, f.places), s.why, coalesce(s.done, false)
	FROM filled f
	CROSS JOIN LATERAL (VALUES
		(90, NOT twin_valid, false, 'its creation was interrupted',
			'DROP INDEX CONCURRENTLY {schema}.{twin}'),
		(90, NOT keep_valid, false, 'its creation was interrupted',
			'DROP INDEX CONCURRENTLY {schema}.{keep}'),
		(100, true, twin_valid, format('the twin of index %s', relname),
			'CREATE {unique}INDEX CONCURRENTLY {twin} ON {target}{renamed}'),
		(101, is_key, keep_valid, 'the old key can be looked up after the swap',
			'CREATE {unique}INDEX CONCURRENTLY {keep} ON {target}{same}'),
		(235, con IS NOT NULL, NULL, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}'),
		(260, con IS NOT NULL, NULL, NULL, $sql$ALTER TABLE {target} ADD CONSTRAINT {name}
	{kind} USING INDEX {twin}{deferrable};
COMMENT ON CONSTRAINT {name} ON {target} IS {remark}$sql$),
		(260, con IS NULL, NULL, NULL, $sql$ALTER INDEX {schema}.{index} RENAME TO uuid_rekey_swap;
ALTER INDEX {schema}.{twin} RENAME TO {index};
ALTER INDEX {schema}.uuid_rekey_swap RENAME TO {twin};
COMMENT ON INDEX {schema}.{index} IS {remark}$sql$),
		(261, indisclustered, NULL, NULL, 'ALTER TABLE {target} CLUSTER ON {index}'),
		(262, places ->> 'targets' <> '', NULL, NULL, 'SELECT 1{targets}'),
		(265, is_key, NULL, NULL, 'ALTER INDEX {schema}.{keep} RENAME TO {twin}'),
		(320, is_key AND keep_valid IS NOT NULL, NULL, NULL, 'DROP INDEX {schema}.{keep}')
	) s(rank, applies, done, why, template)
	WHERE s.applies
	$query$, 'OWN.', @own@ || '.') USING root;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_index_steps IS 'what becomes of indexes; for uuid_rekey_steps';
