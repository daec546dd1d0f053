-- Plays the plan, to its end and back, on copies of the tables with a row each, and rolls it all
-- back: the first error, or what would be lost of definitions. After each action rows are written
-- again, as programs do. The copies are temporary and have the same names, as a new key may use
-- them. ACCESS SHARE on the tables. A sequence that a default uses may go forward.
CREATE FUNCTION uuidnew_tables._rekey_rehearsal(root regclass, new_key text, new_default text,
	path text)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET client_min_messages = warning
SET search_path = pg_catalog, pg_temp
SET temp_tablespaces = ''
AS $$
DECLARE
	copy CONSTANT text := (SELECT c.copy FROM uuidnew_tables._rekey_columns(root) c WHERE is_key);
	before CONSTANT jsonb := uuidnew_tables._rekey_definition(root);
	phases CONSTANT text[] := '{prepare,undo,prepare,swap,undo,undo,undo,prepare,swap,finish}';
	actions CONSTANT text[] := '{prepare,drop,prepare,swap,prepare,swap,drop,prepare,swap,drop}';
	rehearsed text;
	why text;
	statement text;
	detail text;
	problems text[];
BEGIN
	SET CONSTRAINTS ALL IMMEDIATE;
	PERFORM uuidnew_tables._rekey_copies(root);
	FOR n IN 1 .. cardinality(phases) LOOP
		rehearsed := phases[n];
		IF actions[n] <> 'prepare' THEN
			why := 'exchange';
			CALL uuidnew_tables._rekey_exchange(copy::regclass, actions[n], new_default, path);
		END IF;
		FOR why, statement IN
			SELECT p.why, p.statement
			FROM uuidnew_tables._rekey_plan(copy::regclass, new_key, new_default, path) p
			WHERE actions[n] = 'prepare' AND mode IN ('alone', 'brief') AND NOT done
			ORDER BY position, number
		LOOP
			IF statement ^@ 'CALL uuidnew_tables.rekey_fill' THEN	-- which commits
				SELECT concat(string_agg(format('UPDATE %s SET %s = NULL WHERE %s; ', target,
						shadow, unfilled), '' ORDER BY is_key DESC)
						FILTER (WHERE NOT (is_key AND swapped)),
					string_agg(guard, '; ') FILTER (WHERE checked IS NULL))
				INTO statement
				FROM uuidnew_tables._rekey_columns(copy::regclass)
				WHERE has_shadow;
			END IF;
			EXECUTE regexp_replace(statement,
				'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
		END LOOP;
		problems := ARRAY(SELECT uuidnew_tables._rekey_lost(before, copy::regclass));
		EXIT WHEN problems <> '{}';
		CONTINUE WHEN n IN (4, 5);	-- as rows that are written then may have no old key
		why := 'rows that are written afterwards';
		SELECT concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', conrelid::regclass,
				conname), ''), (
			SELECT string_agg(format('WITH gone AS (DELETE FROM %1$s RETURNING %2$s) INSERT INTO '
				'%1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM gone; ', target, written),
				'' ORDER BY is_key DESC)
			FROM (SELECT DISTINCT ON (tab) * FROM uuidnew_tables._rekey_columns(copy::regclass)
				ORDER BY tab, is_key DESC) c),
			string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', conrelid::regclass,
				conname, pg_get_constraintdef(oid)), ''))
		INTO statement
		FROM pg_constraint
		WHERE contype = 'f' AND conrelid IN (
			SELECT tab FROM uuidnew_tables._rekey_columns(copy::regclass));
		EXECUTE statement;
	END LOOP;
	RAISE SQLSTATE 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN QUERY SELECT unnest(problems);
	WHEN dependent_objects_still_exist THEN	-- the swap's
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN QUERY SELECT unnest(string_to_array(detail, E'\n'));
	WHEN OTHERS THEN
		RETURN QUERY SELECT concat_ws(': ', rehearsed || ', ' || why, SQLERRM);
END
$$;
