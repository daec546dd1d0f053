-- The steps that give a table new keys: what to run, in this order, each by itself.  Names in
-- new_key and new_default are found by path.  2BP01 as long as nothing has been done and something
-- stands in the way.  What needs a strong lock holds others up for half a second at most.
CREATE FUNCTION uuidnew_tables.rekey_steps(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (step int, phase text, statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
#variable_conflict use_column
DECLARE
	begun boolean;
	is_swapped boolean;
	obstacles text;
BEGIN
	SELECT bool_or(has_twin), bool_or(swapped) INTO begun, is_swapped
	FROM uuidnew_tables._rekey_columns(rekey_steps.tab);
	IF NOT begun THEN
		SELECT string_agg(obstacle, E'\n') INTO obstacles
		FROM uuidnew_tables.rekey_check(tab, new_key, new_default, path);
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot re-key table %s', tab), DETAIL = obstacles,
			HINT = 'Drop what stands in the way, and create it again after the swap.';
	END IF;

	RETURN QUERY
	WITH plan AS (
		SELECT *, rank IN (10, 20, 30, 50, 110) AS locks
		FROM uuidnew_tables._rekey_plan(tab, new_key, new_default, path)
	), steps AS (
		SELECT rank, turn, CASE WHEN is_swapped THEN 'undo' ELSE 'prepare' END AS phase,
			CASE WHEN locks
				THEN format(E'CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], ARRAY[\n%L])',
					tabs, statement)
				ELSE statement END AS statement, why, done
		FROM plan
		WHERE rank < 200
		UNION ALL
		SELECT 200, 0, CASE WHEN is_swapped THEN 'undo' ELSE 'swap' END,
			format('CALL uuidnew_tables._rekey_swap(%L::pg_catalog.regclass, '
				'%L::pg_catalog.text, %L::pg_catalog.text)', tab, new_default, path),
			'exchanges the names; reads no row', false
		UNION ALL
		SELECT 300, 0, CASE WHEN is_swapped THEN 'finish' ELSE 'undo' END,
			format('CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], ARRAY[%s])',
				array_agg(DISTINCT tabs[1]),
				string_agg(format(E'\n%L', statement), ',' ORDER BY rank, turn)),
			format('drops the %s', CASE WHEN is_swapped THEN 'old columns: no way leads back'
				ELSE 'twins' END), NOT begun
		FROM plan
		WHERE rank >= 300
	)
	SELECT (row_number() OVER (ORDER BY rank, turn))::int, phase, statement, why, done FROM steps;
END
$$;
COMMENT ON FUNCTION uuidnew_tables.rekey_steps IS
'statements that give a table new keys, in their order';
