-- What becomes of the key and of each column that refers to it: the statements, by rank and turn.
CREATE FUNCTION uuidnew_rekey_column_steps(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH cols AS (
		SELECT *, row_number() OVER () AS turn, row_number() OVER (PARTITION BY tab) = 1 AS first
		FROM OWN.uuidnew_rekey_columns($1)
	), filled AS (
		SELECT c.*, to_jsonb(c) || p.places || jsonb_build_object(
			'function_now', OWN.uuidnew_rekey_function(to_jsonb(c) || p.places),
			'function_then', OWN.uuidnew_rekey_function(to_jsonb(c) || p.places
				|| jsonb_build_object(
				'twin', next, 'key_twin', key_next, 'key_type', twin_type, 'equal', twin_equal)))
					AS places
		FROM cols c
		CROSS JOIN LATERAL (SELECT jsonb_build_object(
			'new_key', $2, 'new_default', $3, 'path', quote_literal($4),
			'grantees', (SELECT string_agg(DISTINCT ', ' || grantee::regrole, '')
				FROM pg_default_acl, aclexplode(defaclacl) WHERE defaclobjtype = 'f'
					AND grantee <> 0),
			'unless', CASE WHEN nullable THEN col || ' IS NULL OR ' END,
			'no_way_back', CASE WHEN is_key AND swapped THEN '; DO ' || quote_literal(format(
				'BEGIN IF EXISTS (SELECT FROM %s WHERE %s IS NULL) THEN RAISE not_null_violation '
				'USING MESSAGE = %L, HINT = %L; END IF; END', target, twin,
				format('table %s has rows without an old key', tab),
				format('Give them one in column %s, or delete them.', twin))) END)) p(places)
	)
	SELECT s.rank, s.sign * c.turn, ARRAY[c.tab], OWN.uuidnew_fill(s.template, c.places), s.why,
		coalesce(s.done, false)
	FROM filled c
	CROSS JOIN LATERAL (VALUES
		(10, 1, true, c.has_twin, 'the twin of ' || CASE WHEN c.is_key THEN 'the key'
			ELSE 'a column that refers to it' END,
				$sql$ALTER TABLE {target} ADD COLUMN {twin} {twin_type};
COMMENT ON COLUMN {target}.{twin} IS 'uuid_rekey_steps: a twin'{settings}$sql$),
		(20, 1, c.is_key AND NOT c.swapped, c.triggered, 'the new key of each row that is written',
			$sql$SELECT pg_catalog.set_config('search_path', {path}, true);
SELECT ({new_key})::pg_catalog.uuid FROM ONLY {target} LIMIT 0;
{function_now};
ALTER FUNCTION {function}() OWNER TO {key_owner};
CREATE TRIGGER {trigger} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC{grantees}$sql$),
		(30, 1, NOT c.is_key, c.triggered, 'the twin in each row that is written',
			$sql${function_now};
ALTER FUNCTION {function}() OWNER TO {key_owner};
CREATE TRIGGER {trigger} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC{grantees}$sql$),
		(50, 1, true, c.checked IS NOT NULL, 'no row without it from now on',
			$sql$ALTER TABLE {target}
	ADD CONSTRAINT {check_name} CHECK ({unless}{twin} IS NOT NULL) NOT VALID{no_way_back}$sql$),
		(70, 1, true, c.checked, 'reads the table; an error: a row is left, which refers to no row',
			'ALTER TABLE {target} VALIDATE CONSTRAINT {check_name}'),
		(130, 1, c.first, (SELECT reltuples = 0 OR EXISTS (SELECT FROM pg_stats s
				WHERE s.schemaname = nspname AND s.tablename = relname
					AND quote_ident(s.attname) = c.twin)
			FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
			WHERE pg_class.oid = c.tab), 'statistics of the twins', 'ANALYZE {target}'),
		(210, 1, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
		(230, 1, c.is_key AND c.triggered, NULL, NULL,
			'DROP TRIGGER {trigger} ON {target}; DROP FUNCTION {function}()'),
		-- an identity cannot lose its NOT NULL, which from PostgreSQL 18 on has a name
		(240, 1, NOT c.nullable, NULL, NULL, CASE
			WHEN NOT c.identity THEN 'ALTER TABLE {target} ALTER {col} DROP NOT NULL'
			WHEN c.not_null IS NULL THEN ''
				ELSE 'ALTER TABLE {target} RENAME CONSTRAINT {not_null} TO {other_not_null}' END),
		(241, 1, NOT c.nullable, NULL, NULL, CASE WHEN c.twin_not_null IS NOT NULL
			THEN 'ALTER TABLE {target} RENAME CONSTRAINT {twin_not_null} TO {not_null}'
			WHEN c.not_null IS NOT NULL
			THEN 'ALTER TABLE {target} ADD CONSTRAINT {not_null} NOT NULL {twin}'
			ELSE 'ALTER TABLE {target} ALTER {twin} SET NOT NULL' END),
		(242, 1, c.is_key AND c.swapped, NULL, NULL,
			'ALTER TABLE {target} ALTER {col} DROP DEFAULT'),
		(243, 1, true, NULL, NULL, $sql$ALTER TABLE {target} RENAME COLUMN {col} TO {next};
ALTER TABLE {target} RENAME COLUMN {twin} TO {col};
COMMENT ON COLUMN {target}.{col} IS {remark};
COMMENT ON COLUMN {target}.{next} IS 'uuid_rekey_steps: a twin';
ALTER TABLE {target} DROP CONSTRAINT {check_name}$sql$),
		(280, 1, NOT c.is_key, NULL, NULL, '{function_then}'),
		(299, 1, c.is_key AND NOT c.swapped AND $3 IS NOT NULL, NULL, NULL,
			$sql$SELECT pg_catalog.set_config('search_path', {path}, true);
ALTER TABLE {target} ALTER {col} SET DEFAULT {new_default}$sql$),
		(310, 1, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
		(312, 1, c.triggered, NULL, NULL,
			'DROP TRIGGER {trigger} ON {target}; DROP FUNCTION {function}()'),
		(330, -1, c.has_twin, NULL, NULL, 'ALTER TABLE {target} DROP COLUMN {twin}')
	) s(rank, sign, applies, done, why, template)
	WHERE s.applies
	$query$, 'OWN.', @own@ || '.') USING root, new_key, new_default, path;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_column_steps IS
'what becomes of a key and of references; for uuid_rekey_steps';
