-- What stands in the way of new keys, by the catalogs, and, as long as nothing has been done, by
-- the rehearsal. Changes nothing, but sequences of defaults go forward. ACCESS SHARE on the tables.
CREATE FUNCTION uuidnew_tables.rekey_check(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (obstacle text)
LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT uuidnew_tables._rekey_obstacles(tab, new_default)
	UNION ALL
	SELECT uuidnew_tables._rekey_rehearsal(tab, new_key, coalesce(new_default, 'NULL'), path)
	WHERE (SELECT NOT bool_or(has_shadow) FROM uuidnew_tables._rekey_columns(tab));
END;
COMMENT ON FUNCTION uuidnew_tables.rekey_check IS 'what stands in the way of new keys for a table';
