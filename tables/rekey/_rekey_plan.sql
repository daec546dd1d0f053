-- Every statement, by rank and turn: below 200 prepare, 200 to 299 swap, from 300 finish or undo,
-- which drops the twins.
CREATE FUNCTION uuidnew_tables._rekey_plan(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
	RETURN QUERY
	WITH filled AS (
		SELECT c.*, row_number() OVER () AS turn, now.places || jsonb_build_object(
			'function_now', uuidnew_tables._rekey_function(now.places),
			'function_then', uuidnew_tables._rekey_function(now.places
				|| jsonb_build_object('twin', next, 'key_twin', key_next))) AS places
		FROM uuidnew_tables._rekey_columns(root) c
			CROSS JOIN LATERAL (SELECT to_jsonb(c) || jsonb_build_object('new_key', new_key,
				'new_default', new_default, 'path', quote_literal(path),
				'row', (SELECT string_agg(quote_ident(attname), ', ')	-- as triggers see it
					FROM pg_attribute
					WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped AND attgenerated = ''),
				'unless', CASE WHEN nullable THEN col || ' IS NULL OR ' END)) now(places)
	)
	SELECT * FROM uuidnew_tables._rekey_object_steps(root)
	UNION ALL
	SELECT f.rank, 0, NULL, format('CALL uuidnew_tables.rekey_fill(%L::pg_catalog.regclass, '
			'batch_pages => 100, pause => interval ''0'')', root), f.why,
		(SELECT bool_and(coalesce(checked, false)) FROM filled)
	FROM (VALUES (40, 'all rows from before'), (60, 'what was being written meanwhile'))
		f(rank, why)
	UNION ALL
	SELECT s.rank, s.sign * c.turn, ARRAY[c.tab], uuidnew_tables._fill(s.template, c.places), s.why,
		coalesce(s.done, false)
	FROM filled c
	CROSS JOIN LATERAL (VALUES
		(10, 1, true, c.has_twin, format('the twin of column %s', c.col),
			$sql$ALTER TABLE {target} ADD COLUMN {twin} {twin_type};
COMMENT ON COLUMN {target}.{twin} IS 'uuidnew_tables.rekey_steps: a twin'$sql$),
		(20, 1, c.is_key AND NOT c.swapped, c.triggered, 'the new key of each row that is written',
			$sql$SELECT pg_catalog.set_config('search_path', {path}, true);
SELECT ({new_key})::pg_catalog.uuid FROM (SELECT {row} FROM ONLY {target} LIMIT 0) {name};
{function_now}$sql$),
		(30, 1, NOT c.is_key, c.triggered, 'the twin in each row that is written',
			'{function_now}'),
		(35, 1, c.is_key AND c.swapped, c.checked IS NOT NULL, 'an error: rows have no old key',
			$sql$SELECT ('no old key for ' || {col})::pg_catalog.int4
FROM {target} WHERE {twin} IS NULL$sql$),
		(50, 1, true, c.checked IS NOT NULL, 'no row without it from now on',
			$sql$ALTER TABLE {target}
	ADD CONSTRAINT {mark} CHECK ({unless}{twin} IS NOT NULL) NOT VALID$sql$),
		(70, 1, true, c.checked, 'reads the table; an error: a row is left, which refers to no row',
			'ALTER TABLE {target} VALIDATE CONSTRAINT {mark}'),
		(210, 1, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
		(230, 1, c.is_key AND c.triggered, NULL, NULL,
			'DROP TRIGGER {mark} ON {target}; DROP FUNCTION {function}()'),
		(240, 1, NOT c.nullable AND NOT c.identity, NULL, NULL,	-- which cannot lose it
			'ALTER TABLE {target} ALTER {col} DROP NOT NULL'),
		(242, 1, c.is_key AND c.swapped, NULL, NULL,
			'ALTER TABLE {target} ALTER {col} DROP DEFAULT'),
		(243, 1, true, NULL, NULL, $sql$ALTER TABLE {target} RENAME COLUMN {col} TO {next};
ALTER TABLE {target} RENAME COLUMN {twin} TO {col};
COMMENT ON COLUMN {target}.{col} IS {remark};
COMMENT ON COLUMN {target}.{next} IS 'uuidnew_tables.rekey_steps: a twin'$sql$),
		(244, 1, NOT c.nullable, NULL, NULL, 'ALTER TABLE {target} ALTER {col} SET NOT NULL'),
		(245, 1, true, NULL, NULL, 'ALTER TABLE {target} DROP CONSTRAINT {mark}'),
		(280, 1, NOT c.is_key, NULL, NULL, '{function_then}'),
		(299, 1, c.is_key AND NOT c.swapped AND new_default IS NOT NULL, NULL, NULL,
			$sql$SELECT pg_catalog.set_config('search_path', {path}, true);
ALTER TABLE {target} ALTER {col} SET DEFAULT {new_default}$sql$),
		(310, 1, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
		(312, 1, c.triggered, NULL, NULL,
			'DROP TRIGGER {mark} ON {target}; DROP FUNCTION {function}()'),
		(330, -1, c.has_twin, NULL, NULL, 'ALTER TABLE {target} DROP COLUMN {twin}')
	) s(rank, sign, applies, done, why, template)
	WHERE s.applies;
END
$$;
