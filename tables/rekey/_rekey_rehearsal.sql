-- Plays the plan, to its end and back, on empty copies of the tables, and rolls it all back: the
-- first error, or what would be lost of definitions. The copies are temporary and have the same
-- names, as a new key may use them. ACCESS SHARE on the tables, of which no row is read.
CREATE FUNCTION uuidnew_tables._rekey_rehearsal(root regclass, new_key text, new_default text,
	path text)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE SET client_min_messages = warning
SET search_path = pg_catalog, pg_temp SET temp_tablespaces = '' AS $$
DECLARE
	copy CONSTANT text := (SELECT format('pg_temp.%I', relname) FROM pg_class WHERE oid = root);
	before CONSTANT jsonb := uuidnew_tables._rekey_definition(root);
	after jsonb;
	script text;
	rehearsed text;
	why text;
	statement text;
	problems text[];
BEGIN
	WITH tables AS (
		SELECT tab, target, 'pg_temp.' || name AS of_tab, min(col) AS col
		FROM uuidnew_tables._rekey_columns(root)
		GROUP BY tab, target, name
	)
	SELECT string_agg(s.statement, '; ' ORDER BY rank) INTO script
	FROM (	-- at first what a publication may forbid, which else only filling would see
		SELECT 0, format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT', target, col) FROM tables
		UNION ALL
		SELECT 1, format('CREATE TEMPORARY TABLE %s (LIKE %s INCLUDING ALL)', of_tab, target)
		FROM tables
		UNION ALL
		SELECT 2, format('ALTER TABLE %s ADD CONSTRAINT %I %s', ours.of_tab, conname,
			replace(pg_get_constraintdef(oid), format(' REFERENCES %s(', confrelid::regclass),
				format(' REFERENCES %s(', theirs.of_tab)))
		FROM pg_constraint
		JOIN tables ours ON ours.tab = conrelid
		JOIN tables theirs ON theirs.tab = confrelid
		WHERE contype = 'f'
	) s(rank, statement);

	BEGIN
		EXECUTE script;
		FOREACH rehearsed IN ARRAY '{prepare,swap,undo,undo,prepare,swap,finish}'::text[] LOOP
			FOR why, statement IN
				SELECT s.why, s.statement
				FROM uuidnew_tables.rekey_steps(copy::regclass, new_key, new_default, path) s
				WHERE phase = rehearsed AND NOT done
				ORDER BY step
			LOOP
				EXECUTE regexp_replace(statement,
					'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
			END LOOP;
			after := uuidnew_tables._rekey_definition(copy::regclass);
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
			problems := ARRAY[concat(rehearsed || ', ' || why || ': ', SQLERRM)];
	END;
	RETURN QUERY SELECT unnest(problems);
END
$$;
