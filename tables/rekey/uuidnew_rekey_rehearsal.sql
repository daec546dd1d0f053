-- Plays the plan, to its end and back, on empty copies of the tables, and rolls it all back: the
-- first error, or what would be lost of what uuidnew_rekey_definition gives.
--
-- The copies are temporary and have the same names, as a new key may use them.  They have columns,
-- constraints and indexes, and foreign keys among them: nothing else depends on the columns.
-- ACCESS SHARE on the tables, of which no row is read.
CREATE FUNCTION uuidnew_rekey_rehearsal(root regclass, new_key text, new_default text, path text)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp SET temp_tablespaces = '' AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	definition CONSTANT text := format(
		'SELECT jsonb_object_agg(object, content) FROM %suuidnew_rekey_definition($1)', own);
	steps CONSTANT text := format('SELECT why, statement FROM %suuid_rekey_steps($1, $2, $3, $4) '
		'WHERE phase = $5 AND NOT done ORDER BY step', own);
	copy CONSTANT text := (SELECT format('pg_temp.%I', relname) FROM pg_class WHERE oid = root);
	statements text[];
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
		SELECT DISTINCT tab, target, 'pg_temp.' || name AS copy FROM OWN.uuidnew_rekey_columns($1)
	)
	SELECT array_agg(statement ORDER BY rank)
	FROM (	-- at first what a publication may forbid, which else only filling would see
		SELECT 0, format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT', target, min(col))
		FROM OWN.uuidnew_rekey_columns($1)
		GROUP BY target
		UNION ALL
		SELECT 1, format('CREATE TEMPORARY TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES)',
			copy, target)
		FROM tables
		UNION ALL
		SELECT 2, replace(pg_get_indexdef(indexrelid), format(' ON %s USING ', target),
			format(' ON %s USING ', copy))
		FROM tables JOIN pg_index ON indrelid = tab
		WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = tab
			AND contype <> 'f')
		UNION ALL
		SELECT CASE contype WHEN 'f' THEN 3 ELSE 2 END,
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.copy, conname,
			replace(pg_get_constraintdef(oid), format(' REFERENCES %s(', confrelid::regclass),
				format(' REFERENCES %s(', theirs.copy)))
		FROM tables t
			JOIN pg_constraint ON conrelid = t.tab
			LEFT JOIN tables theirs ON theirs.tab = confrelid
		WHERE contype IN ('p', 'u', 'x') OR contype = 'f' AND theirs.tab IS NOT NULL
	) s(rank, statement)
	$query$, 'OWN.', own) INTO statements USING root;

	BEGIN
		FOREACH statement IN ARRAY statements LOOP
			EXECUTE statement;
		END LOOP;
		FOREACH phase IN ARRAY '{prepare,swap,undo,undo,prepare,swap,finish}'::text[] LOOP
			FOR why, statement IN EXECUTE steps USING copy, new_key, new_default, path, phase LOOP
				EXECUTE regexp_replace(statement,
					'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
			END LOOP;
			EXECUTE definition INTO after USING copy;
			problems := ARRAY(
				SELECT format('%s would %s', b.key, CASE WHEN after ? b.key THEN 'lose ' || (
					SELECT string_agg(key, ', ') FROM jsonb_each(b.value) p
					WHERE p.value IS DISTINCT FROM after -> b.key -> p.key) ELSE 'be lost' END)
				FROM jsonb_each(before) b
				WHERE b.value IS DISTINCT FROM after -> b.key);
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
