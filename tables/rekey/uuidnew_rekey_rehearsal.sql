-- Plays the plan, to its end and back, on empty copies of the tables, and rolls it all back: the
-- first error, or what would be lost of definitions. The copies are temporary and have the same
-- names, as a new key may use them. ACCESS SHARE on the tables, of which no row is read.
CREATE FUNCTION uuidnew_rekey_rehearsal(root regclass, new_key text, new_default text, path text)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE SET client_min_messages = warning
SET search_path = pg_catalog, pg_temp SET temp_tablespaces = '' AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	-- of what is upon the columns: not CHECK constraints, what makes old keys, what a type brings
	definition CONSTANT text := replace($query$
		SELECT jsonb_agg(DISTINCT jsonb_build_array(format('%s of table %s', object, name),
			property, value))
		FROM OWN.uuidnew_rekey_columns($1)
		CROSS JOIN LATERAL OWN.uuidnew_definition(tab)
		WHERE num = ANY (columns)
			AND kind <> 'c'
			AND NOT (is_key AND property IN ('default', 'atthasdef', 'attidentity'))
			AND property !~ '^att(typid|len|align|byval|storage|compression|typmod|ndims)$'
			AND property !~ '^(att|ind)(class|collation)$'
		$query$, 'OWN.', own);
	steps CONSTANT text := format('SELECT why, statement FROM %suuid_rekey_steps($1, $2, $3, $4) '
		'WHERE phase = $5 AND NOT done ORDER BY step', own);
	copy CONSTANT text := (SELECT format('pg_temp.%I', relname) FROM pg_class WHERE oid = root);
	script text;
	before jsonb;
	after jsonb;
	phase text;
	why text;
	statement text;
	problems text[];
BEGIN
	EXECUTE definition INTO before USING root;
	EXECUTE replace($query$
	WITH tables AS (
		SELECT tab, target, 'pg_temp.' || name AS copy, min(col) AS col
		FROM OWN.uuidnew_rekey_columns($1)
		GROUP BY tab, target, name
	)
	SELECT string_agg(statement, '; ' ORDER BY rank)
	FROM (	-- at first what a publication may forbid, which else only filling would see
		SELECT 0, format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT', target, col) FROM tables
		UNION ALL
		SELECT 1, format('CREATE TEMPORARY TABLE %s (LIKE %s INCLUDING ALL)', copy, target)
		FROM tables
		UNION ALL
		SELECT 2, format('ALTER TABLE %s ADD CONSTRAINT %I %s', ours.copy, conname,
			replace(pg_get_constraintdef(oid), format(' REFERENCES %s(', confrelid::regclass),
				format(' REFERENCES %s(', theirs.copy)))
		FROM pg_constraint
		JOIN tables ours ON ours.tab = conrelid
		JOIN tables theirs ON theirs.tab = confrelid
		WHERE contype = 'f'
	) s(rank, statement)
	$query$, 'OWN.', own) INTO script USING root;

	BEGIN
		EXECUTE script;
		FOREACH phase IN ARRAY '{prepare,swap,undo,undo,prepare,swap,finish}'::text[] LOOP
			FOR why, statement IN EXECUTE steps USING copy, new_key, new_default, path, phase LOOP
				EXECUTE regexp_replace(statement,
					'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
			END LOOP;
			EXECUTE definition INTO after USING copy;
			problems := ARRAY(
				SELECT CASE WHEN after @> jsonb_build_array(jsonb_build_array(lost ->> 0))
					THEN format('%s would lose %s', lost ->> 0, string_agg(lost ->> 1, ', '))
					ELSE format('%s would be lost', lost ->> 0) END
				FROM jsonb_array_elements(before) losses(lost)
				WHERE lost NOT IN (SELECT jsonb_array_elements(after))
				GROUP BY lost ->> 0);
			EXIT WHEN problems <> '{}';
		END LOOP;
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
		WHEN OTHERS THEN
			problems := ARRAY[concat(phase || ', ' || why || ': ', SQLERRM)];
	END;
	RETURN QUERY SELECT unnest(problems);
END
$$;
