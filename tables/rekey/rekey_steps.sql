-- The steps that give a table new keys, each to be run by itself. Names in new_key and new_default
-- are found by path. 2BP01 as long as nothing has been done and something stands in the way. A step
-- that needs a strong lock blocks other sessions for half a second.
CREATE FUNCTION uuidnew_tables.rekey_steps(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (step int, phase text, statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
	PERFORM uuidnew_tables._refuse(format('cannot re-key table %s', tab), ARRAY(
		SELECT obstacle FROM uuidnew_tables.rekey_check(tab, new_key, new_default, path)
		WHERE NOT EXISTS (SELECT FROM uuidnew_tables._rekey_columns(tab) WHERE has_shadow)));
	RETURN QUERY
	SELECT (row_number() OVER (ORDER BY position, number))::int,
		(CASE WHEN swapped THEN '{undo,undo,finish}' ELSE '{prepare,swap,undo}' END::text[])[
			1 + position / 1000],
		CASE WHEN mode <> 'exchange' THEN p.statement
			ELSE format('CALL uuidnew_tables._rekey_exchange(%L::pg_catalog.regclass, '
				'%L::pg_catalog.text, %L::pg_catalog.text, %L::pg_catalog.text)', tab,
				p.statement, new_default, path) END, p.why, p.done
	FROM uuidnew_tables._rekey_plan(tab, new_key, new_default, path) p
	CROSS JOIN (SELECT bool_or(swapped) FROM uuidnew_tables._rekey_columns(tab)) state(swapped)
	WHERE mode IN ('alone', 'brief', 'exchange');
END
$$;
COMMENT ON FUNCTION uuidnew_tables.rekey_steps IS
'statements that give a table new keys, in their order';
