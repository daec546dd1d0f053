-- The time of a bound, which may have any version if it was written by hand.
CREATE FUNCTION uuidnew_bound_time(bound uuid, layout text)
RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	time_of CONSTANT text := format('SELECT %s.uuid_v7_timestamp($1, $2)', @own@);
	ts timestamptz;
BEGIN
	EXECUTE time_of INTO ts USING bound, layout;
	IF ts IS NULL THEN
		bound := overlay(overlay(bound::text PLACING '7' FROM 15) PLACING '8' FROM 20);
		EXECUTE time_of INTO ts USING bound, layout;
	END IF;
	RETURN ts;
END
$$;
COMMENT ON FUNCTION uuidnew_bound_time(uuid, text) IS
'time of a bound; for uuid_partitions and others';
