-- The steps that give a table new keys: what to run, in this order, each by itself.
--
-- Ranks below 200 are done beside the tables, 200 to 299 are the swap, and from 300 on is the way out,
-- which drops the twins.  Names in new_key and new_default are found by path.  2BP01 as long as
-- nothing has been done and something stands in the way.
CREATE FUNCTION uuid_rekey_steps(tab regclass, new_key text, new_default text DEFAULT NULL,
	path text DEFAULT current_setting('search_path'))
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	begun boolean;
	filled boolean;
	swapped boolean;
	obstacles text;
BEGIN
	EXECUTE format('SELECT bool_or(has_twin), bool_and(coalesce(checked, false)), bool_or(swapped) '
		'FROM %suuidnew_rekey_columns($1)', own) INTO begun, filled, swapped USING tab;
	IF NOT begun AND (SELECT relpersistence FROM pg_class WHERE oid = tab) <> 't' THEN	-- no rehearsal
		EXECUTE format('SELECT string_agg(o, E''\n'') FROM %suuidnew_rekey_obstacles($1, $2, $3, $4) o',
			own) INTO obstacles USING tab, new_key, new_default, path;
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist
			USING MESSAGE = format('cannot re-key table %s', tab), DETAIL = obstacles,
			HINT = 'Drop what stands in the way, and create it again after the swap.';
	END IF;

	RETURN QUERY EXECUTE replace($query$
	WITH plan AS (
		SELECT * FROM OWN.uuidnew_rekey_column_steps($1, $2, $3, $4)
		UNION ALL
		SELECT * FROM OWN.uuidnew_rekey_index_steps($1)
		UNION ALL
		SELECT * FROM OWN.uuidnew_rekey_reference_steps($1)
		UNION ALL
		SELECT * FROM OWN.uuidnew_rekey_view_steps($1)
		UNION ALL
		SELECT rank, 0, NULL, format('CALL OWN.uuid_rekey_fill(%L)', $1), why, $6
		FROM (VALUES (40, 'all rows from before'), (60, 'what older snapshots have written')) f(rank, why)
		UNION ALL
		SELECT 200, -1000, NULL, 'DO ' || quote_literal(format('BEGIN IF EXISTS (SELECT '
			'FROM OWN.uuid_rekey_steps(%L, NULL) WHERE NOT done AND lock !~ ''on all'') '
			'THEN RAISE ''run the steps before''; END IF; END', $1)), NULL, false
	), kinds AS (
		SELECT *, CASE WHEN rank >= 200 THEN 'ACCESS EXCLUSIVE on all of the tables, for a moment'
			WHEN rank IN (40, 60) THEN 'rows of a batch'
			WHEN rank IN (20, 30, 110) THEN 'SHARE ROW EXCLUSIVE, for a moment'
			WHEN rank IN (10, 50) THEN 'ACCESS EXCLUSIVE, for a moment'
			ELSE 'SHARE UPDATE EXCLUSIVE: others read and write' END AS lock,
			-- the swap is one step, and the way out another
			CASE WHEN rank < 200 THEN rank * 1000 + row_number() OVER (ORDER BY rank, turn)
				ELSE rank / 100 * 100000 END AS number
		FROM plan
	), steps AS (
		SELECT number, lock, min(why) AS why, bool_and(done) AS done, CASE
			WHEN lock !~ 'moment' THEN min(statement)
			ELSE format('CALL OWN.uuidnew_briefly(%L%s)',
				(SELECT array_agg(DISTINCT tab) FROM kinds k, unnest(tabs) tab WHERE k.number = kinds.number),
				string_agg(format(E',\n%L', statement), '' ORDER BY rank, turn)) END AS statement
		FROM kinds
		GROUP BY number, lock
	)
	SELECT row_number() OVER (ORDER BY number)::int, CASE number
			WHEN 300000 THEN CASE WHEN $7 THEN 'finish' ELSE 'undo' END
			WHEN 200000 THEN CASE WHEN $7 THEN 'undo' ELSE 'swap' END
			ELSE CASE WHEN $7 THEN 'undo' ELSE 'prepare' END END,
		statement, lock, CASE number WHEN 200000 THEN 'exchanges the names; reads no row'
			WHEN 300000 THEN CASE WHEN $7 THEN 'drops the old columns: no way leads back'
			ELSE 'drops the twins' END ELSE why END, CASE number WHEN 300000 THEN NOT $5 ELSE done END
	FROM steps
	$query$, 'OWN.', own) USING tab, new_key, new_default, path, begun, filled, swapped;
END
$$;
COMMENT ON FUNCTION uuid_rekey_steps IS 'statements that give a table new keys, and whether each is done';
