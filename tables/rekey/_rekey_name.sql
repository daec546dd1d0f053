-- The name of what belongs to a shadow column: it shows the name of the original, if that is short.
CREATE FUNCTION uuidnew_tables._rekey_name(what text, original name)
RETURNS name
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT concat('uuid_rekey_', what, CASE
	WHEN octet_length(original) <= 52 - length(what) THEN original ELSE md5(original) END)::name
$$;
