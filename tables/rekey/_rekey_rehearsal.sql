-- Plays the plan, there and back, on temporary copies of the tables, with a row each and the same
-- names, as a new key may use them, and rolls it all back: the first error, or what would be lost.
-- After each action rows are written again. EXPLAIN, as a publication may forbid updates.
CREATE FUNCTION uuidnew_tables._rekey_rehearsal(root regclass, new_key text, new_default text,
	path text)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET client_min_messages = warning
SET temp_tablespaces = ''
AS $$
DECLARE
	copy CONSTANT text := (SELECT format('pg_temp.%I', relname) FROM pg_class WHERE oid = root);
	before CONSTANT jsonb := uuidnew_tables._rekey_definition(root);
	-- there, and back, before and after the swap, and to the end
	actions CONSTANT text[] := '{prepare,drop,prepare,swap,prepare,swap,drop,prepare,swap,drop}';
	action text;
	why text;
	statement text;
	detail text;
BEGIN
	SET CONSTRAINTS ALL IMMEDIATE;
	EXECUTE string_agg(format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT; '
		'CREATE TABLE pg_temp.%s (LIKE %1$s INCLUDING ALL EXCLUDING CONSTRAINTS); '
		'INSERT INTO pg_temp.%3$s (%4$s) OVERRIDING SYSTEM VALUE SELECT %4$s FROM ONLY %1$s '
		'LIMIT 1', c.tab, col, table_name, written), '; ')
	FROM (SELECT DISTINCT ON (k.tab) * FROM uuidnew_tables._rekey_columns(root) k) c;
	EXECUTE repeat(	-- as a key may refer to a key
			concat(string_agg(format('UPDATE pg_temp.%s SET %s = (SELECT %s FROM pg_temp.%s); ',
				own.table_name, own.col, theirs.col, theirs.table_name), '')), 10)
		|| concat(string_agg(format('ALTER TABLE pg_temp.%s ADD CONSTRAINT %I %s; ',
			own.table_name, conname, replace(pg_get_constraintdef(oid),
				format(' REFERENCES %s(', confrelid::regclass),
				format(' REFERENCES pg_temp.%s(', theirs.table_name))), ''))
	FROM pg_constraint
	JOIN uuidnew_tables._rekey_columns(root) own ON own.tab = conrelid AND conkey = ARRAY[own.num]
	JOIN uuidnew_tables._rekey_columns(root) theirs
		ON theirs.tab = confrelid AND confkey = ARRAY[theirs.num]
	WHERE contype = 'f';
	FOR n IN 1 .. cardinality(actions) LOOP
		action := actions[n];
		IF action <> 'prepare' THEN
			why := 'exchange';
			CALL uuidnew_tables._rekey_exchange(copy::regclass, action, new_default, path);
		END IF;
		FOR why, statement IN
			SELECT p.why, p.statement
			FROM uuidnew_tables._rekey_plan(copy::regclass, new_key, new_default, path) p
			WHERE action = 'prepare' AND mode IN ('alone', 'brief') AND NOT done
			ORDER BY position, number
		LOOP
			EXECUTE regexp_replace(statement, '^(CREATE (UNIQUE )?INDEX) CONCURRENTLY ', '\1 ');
		END LOOP;
		CONTINUE WHEN n IN (4, 5);	-- as rows that are written then may have no old key
		why := 'rows that are written afterwards';
		EXECUTE concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', conrelid::regclass,
				conname), ''), (
			SELECT string_agg(format('WITH gone AS (DELETE FROM %1$s RETURNING %2$s) INSERT INTO '
				'%1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM gone; ', target, written),
				'' ORDER BY is_key DESC)
			FROM (SELECT DISTINCT ON (tab) * FROM uuidnew_tables._rekey_columns(copy::regclass)
				ORDER BY tab, is_key DESC) c),
			string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', conrelid::regclass,
				conname, pg_get_constraintdef(oid)), ''))
		FROM pg_constraint
		WHERE contype = 'f' AND conrelid IN (
			SELECT tab FROM uuidnew_tables._rekey_columns(copy::regclass));
	END LOOP;
	RETURN QUERY SELECT uuidnew_tables._lost(before, uuidnew_tables._rekey_definition(
		copy::regclass));
	RAISE SQLSTATE 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		NULL;
	WHEN dependent_objects_still_exist THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN QUERY SELECT unnest(string_to_array(detail, E'\n'));
	WHEN OTHERS THEN
		RETURN QUERY SELECT concat_ws(': ', action || ', ' || why, SQLERRM);
END
$$;
