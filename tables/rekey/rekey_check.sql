-- What stands in the way of new keys, with the arguments that the steps will get: what the catalogs
-- show, and, as long as nothing has been done, what the rehearsal finds. Changes nothing. ACCESS
-- SHARE on the tables.
CREATE FUNCTION uuidnew_tables.rekey_check(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
BEGIN
	RETURN QUERY
	SELECT * FROM uuidnew_tables._rekey_obstacles(tab, new_default);
	IF NOT (SELECT bool_or(has_shadow) FROM uuidnew_tables._rekey_columns(tab)) THEN
		RETURN QUERY
		SELECT * FROM uuidnew_tables._rekey_rehearsal(tab, new_key,
			coalesce(new_default, 'NULL'), path);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_tables.rekey_check IS 'what stands in the way of new keys for a table';
