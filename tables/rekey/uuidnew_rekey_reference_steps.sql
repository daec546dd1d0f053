-- What becomes of foreign keys that refer to the key, or to what refers to it: the statements, by
-- rank and turn.
CREATE FUNCTION uuidnew_rekey_reference_steps(root regclass)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = on AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH renames AS (
		SELECT tab, target, jsonb_object_agg(col, twin) AS names, array_agg(num) AS nums
		FROM OWN.uuidnew_rekey_columns($1)
		GROUP BY tab, target
	), found AS (
		SELECT f.oid, f.conname, ARRAY[own.tab, theirs.tab] AS tabs, twin.convalidated AS valid,
			jsonb_build_object('target', own.target, 'name', quote_ident(f.conname),
			'twin', quote_ident(m.name), 'remark',
				quote_nullable(obj_description(f.oid, 'pg_constraint')),
			'definition', OWN.uuidnew_rekey_renamed(part[1], own.names) || ' REFERENCES '
			|| OWN.uuidnew_rekey_renamed(part[2], theirs.names)
			|| OWN.uuidnew_rekey_renamed(part[3], own.names)) AS places
		FROM renames theirs
			JOIN pg_constraint f ON f.contype = 'f' AND f.conparentid = 0
				AND f.confrelid = theirs.tab
				AND f.confkey && theirs.nums
			JOIN renames own ON own.tab = f.conrelid
			CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(f.conname) > 57 THEN md5(f.conname)
				ELSE f.conname END || '_rekey') m(name)
			LEFT JOIN pg_constraint twin ON twin.conrelid = f.conrelid AND twin.conname = m.name
			CROSS JOIN LATERAL regexp_match(pg_get_constraintdef(f.oid),
				replace('^(FOREIGN KEY \(@\)) REFERENCES (@\(@\))(.*?)( NOT VALID)?$',
					'@', '(?:[^"()]|"(?:[^"]|"")*")*')) r(part)
	)
	SELECT s.rank, row_number() OVER (ORDER BY f.oid), f.tabs,
		OWN.uuidnew_fill(s.template, f.places),
		s.why, s.done
	FROM found f
	CROSS JOIN LATERAL (VALUES
		(110, true, valid IS NOT NULL, format('the twin of foreign key %s', conname),
			'ALTER TABLE {target} ADD CONSTRAINT {twin} {definition} NOT VALID'),
		(120, true, coalesce(valid, false) OR places ->> 'definition' ~ ' NOT ENFORCED$',
			'reads the table', 'ALTER TABLE {target} VALIDATE CONSTRAINT {twin}'),
		(220, true, false, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}'),
		(270, true, false, NULL, $sql$ALTER TABLE {target} RENAME CONSTRAINT {twin} TO {name};
COMMENT ON CONSTRAINT {name} ON {target} IS {remark}$sql$),
		(315, valid IS NOT NULL, false, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {twin}')
	) s(rank, applies, done, why, template)
	WHERE s.applies
	$query$, 'OWN.', @own@ || '.') USING root;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_reference_steps IS
'what becomes of foreign keys; for uuid_rekey_steps';
