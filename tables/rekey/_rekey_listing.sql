-- The plan as steps: the swap, and what drops the shadow columns, are one statement each.
CREATE FUNCTION uuidnew_tables._rekey_listing(root regclass, new_key text, new_default text,
	path text)
RETURNS TABLE (step int, phase text, statement text, why text, done boolean)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
WITH plan AS (
	SELECT *, format('%L::pg_catalog.regclass', root) AS key_table
	FROM uuidnew_tables._rekey_plan(root, new_key, new_default, path)
), state AS (
	SELECT bool_or(has_shadow) AS begun, bool_or(swapped) AS swapped
	FROM uuidnew_tables._rekey_columns(root)
), steps AS (
	SELECT position, number, CASE WHEN swapped THEN 'undo' ELSE 'prepare' END AS phase,
		CASE WHEN NOT needs_lock THEN statement
			WHEN position < 50 THEN format(E'CALL uuidnew_tables._briefly('
				'%L::pg_catalog.regclass[], ARRAY[\n%L])', tabs, statement)
			ELSE format(E'CALL uuidnew_tables._rekey_after(%s, %L::pg_catalog.regclass[],\n'
				'%L::pg_catalog.text)', key_table, tabs, statement) END AS statement, why, done
	FROM plan
	CROSS JOIN state
	WHERE plan.phase = 'prepare'
	UNION ALL
	SELECT 1000, 0, CASE WHEN swapped THEN 'undo' ELSE 'swap' END,
		format('CALL uuidnew_tables._rekey_swap(%L::pg_catalog.regclass, '
			'%L::pg_catalog.text, %L::pg_catalog.text)', root, new_default, path),
		'exchanges the names; reads no row', false
	FROM state
	UNION ALL
	SELECT 2000, 0, CASE WHEN swapped THEN 'finish' ELSE 'undo' END,
		format('CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], ARRAY[%s])',
			(SELECT array_agg(DISTINCT tab) FROM uuidnew_tables._rekey_columns(root)),
			string_agg(format(E'\n%L', statement), ',' ORDER BY position, number)),
		format('drops the %s', CASE WHEN swapped THEN 'old columns: no way leads back'
			ELSE 'shadow columns' END), NOT begun
	FROM plan
	CROSS JOIN state
	WHERE plan.phase = 'drop'
	GROUP BY swapped, begun
)
SELECT (row_number() OVER (ORDER BY position, number))::int, phase, statement, why, done
FROM steps
$$;
