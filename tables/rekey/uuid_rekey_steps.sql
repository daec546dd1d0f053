-- The steps that give a table new keys: what to run, in this order, each by itself.  Names in
-- new_key and new_default are found by path.  2BP01 as long as nothing has been done and something
-- stands in the way.  What needs a strong lock holds others up for half a second at most.
CREATE FUNCTION uuid_rekey_steps(tab regclass, new_key text, new_default text DEFAULT NULL,
	path text DEFAULT current_setting('search_path'))
RETURNS TABLE (step int, phase text, statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	begun boolean;
	swapped boolean;
	obstacles text;
BEGIN
	EXECUTE format('SELECT bool_or(has_twin), bool_or(swapped) FROM %suuidnew_rekey_columns($1)',
		own) INTO begun, swapped USING tab;
	IF NOT begun THEN
		EXECUTE format('SELECT string_agg(obstacle, E''\n'') '
			'FROM %suuid_rekey_check($1, $2, $3, $4)', own)
			INTO obstacles USING tab, new_key, new_default, path;
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot re-key table %s', tab), DETAIL = obstacles,
			HINT = 'Drop what stands in the way, and create it again after the swap.';
	END IF;

	RETURN QUERY EXECUTE replace($query$
	WITH plan AS (
		SELECT *, rank IN (10, 20, 30, 50, 110) AS locks FROM OWN.uuidnew_rekey_plan($1, $2, $3, $4)
	), steps AS (
		SELECT rank, turn, CASE WHEN $6 THEN 'undo' ELSE 'prepare' END AS phase, CASE WHEN locks
			THEN format(E'CALL OWN.uuidnew_briefly(%L,\n%L)', tabs, statement)
			ELSE statement END AS statement, why, done
		FROM plan
		WHERE rank < 200
		UNION ALL
		SELECT 200, 0, CASE WHEN $6 THEN 'undo' ELSE 'swap' END,
			format('CALL OWN.uuidnew_rekey_swap(%L, %L, %L)', $1, $3, $4),
			'exchanges the names; reads no row', false
		UNION ALL
		SELECT 300, 0, CASE WHEN $6 THEN 'finish' ELSE 'undo' END,
			format('CALL OWN.uuidnew_briefly(%L%s)', array_agg(DISTINCT tabs[1]),
				string_agg(format(E',\n%L', statement), '' ORDER BY rank, turn)),
			format('drops the %s', CASE WHEN $6 THEN 'old columns: no way leads back'
				ELSE 'twins' END), NOT $5
		FROM plan
		WHERE rank >= 300
	)
	SELECT (row_number() OVER (ORDER BY rank, turn))::int, phase, statement, why, done FROM steps
	$query$, 'OWN.', own) USING tab, new_key, new_default, path, begun, swapped;
END
$$;
COMMENT ON FUNCTION uuid_rekey_steps IS 'statements that give a table new keys, in their order';
