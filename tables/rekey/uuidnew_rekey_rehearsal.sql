-- Plays the plan, to its end and back, on empty copies of the tables, and rolls it all back: the
-- first error, or what would be lost.
--
-- Undone, the copies are as they were.  Finished, the columns have other types and stand in
-- another order, and what belonged to the old ones is gone: defaults, sequences, CHECK
-- constraints.
CREATE FUNCTION uuidnew_rekey_rehearsal(root regclass, new_key text, new_default text, path text)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	steps CONSTANT text := format('SELECT why, statement FROM %suuid_rekey_steps($1, $2, $3, $4) '
		'WHERE phase = $5 AND NOT done ORDER BY step', own);
	definition CONSTANT text := format(
		'SELECT jsonb_agg(jsonb_build_array(object, property, value)) '
		'FROM pg_class c CROSS JOIN LATERAL %suuidnew_definition(c.oid) '
		'WHERE relnamespace = pg_my_temp_schema() AND relkind IN (''r'', ''v'')', own);
	lost CONSTANT text := format('SELECT array_agg(l) FROM %suuidnew_lost($1, $2) l', own);
	copy regclass;
	key_column text;
	before jsonb;
	after jsonb;
	phase text;
	why text;
	statement text;
	detail text;
	problems text[];
BEGIN
	BEGIN
		EXECUTE format('SELECT (%1$suuidnew_copy_tables('
			'array_agg(tab ORDER BY is_key DESC, tab)))[1] '
			'FROM (SELECT tab, bool_or(is_key) AS is_key '
			'FROM %1$suuidnew_rekey_columns($1) GROUP BY tab) t', own)
			INTO copy USING root;
		SELECT pg_describe_object('pg_class'::regclass, copy, conkey[1]) INTO key_column
		FROM pg_constraint
		WHERE conrelid = copy AND contype = 'p';
		EXECUTE definition INTO before;
		FOREACH phase IN ARRAY
			'{prepare,undo,same,prepare,swap,undo,undo,same,prepare,swap,finish}'::text[]
		LOOP
			IF phase = 'same' THEN
				EXECUTE definition INTO after;
				EXECUTE lost INTO problems USING before, after;
				EXIT WHEN problems IS NOT NULL;
			END IF;
			FOR why, statement IN EXECUTE steps USING copy, new_key, new_default, path, phase LOOP
				EXECUTE regexp_replace(statement,
					'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
			END LOOP;
		END LOOP;
		IF problems IS NULL THEN
			EXECUTE definition INTO after;
			EXECUTE lost INTO problems USING (
				SELECT jsonb_agg(row)
				FROM jsonb_array_elements(before) row
				WHERE row ->> 1 !~ '^(att(align|byval|len|typid|typmod|collation|storage'
					'|compression)|columns|relchecks|con..eqop|ind(class|collation))$'
					AND row ->> 0 !~ '^(column .* of )?sequence '
					AND row ->> 0 <> 'default value for ' || key_column
					AND (row ->> 0, row ->> 1) NOT IN ((key_column, 'attidentity'),
						(key_column, 'atthasdef'))
					AND NOT before @> jsonb_build_array(jsonb_build_array(row -> 0, 'contype',
						'c'))), after;
		END IF;
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
		WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			problems := CASE WHEN why IS NULL
				THEN string_to_array(coalesce(nullif(detail, ''), SQLERRM), E'\n')
				ELSE ARRAY[concat(phase, ', ', why, ': ', SQLERRM, ' (' || nullif(detail, '')
					|| ')')] END;
	END;
	RETURN QUERY SELECT * FROM unnest(problems);
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_rehearsal IS
'plays the plan on empty copies; for uuid_rekey_check and others';
