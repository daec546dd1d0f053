-- The steps that give a table new keys: what to run, in this order, each by itself.  Names in
-- new_key and new_default are found by path.  2BP01 as long as nothing has been done and something
-- stands in the way.  A step that needs a strong lock blocks other sessions for half a second.
CREATE FUNCTION uuidnew_tables.rekey_steps(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (step int, phase text, statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
DECLARE
	obstacles text;
BEGIN
	IF NOT (SELECT bool_or(has_shadow) FROM uuidnew_tables._rekey_columns(tab)) THEN
		SELECT string_agg(obstacle, E'\n') INTO obstacles
		FROM uuidnew_tables.rekey_check(tab, new_key, new_default, path);
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot re-key table %s', tab), DETAIL = obstacles,
			HINT = 'Drop what stands in the way, and create it again after the swap.';
	END IF;
	RETURN QUERY
	SELECT * FROM uuidnew_tables._rekey_listing(tab, new_key, new_default, path) l ORDER BY l.step;
END
$$;
COMMENT ON FUNCTION uuidnew_tables.rekey_steps IS
'statements that give a table new keys, in their order';
