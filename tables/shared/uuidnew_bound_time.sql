-- The time of a bound, which has any version and variant if it was written by hand; infinite where
-- it is open.
CREATE FUNCTION uuidnew_bound_time(bound uuid, layout text)
RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	variant CONSTANT text := translate(substr(bound::text, 20, 1), '01234567cdef', '89ab89ab89ab');
	ts timestamptz;
BEGIN
	EXECUTE format('SELECT %s.uuid_v7_timestamp($1, $2)', @own@) INTO ts
	USING overlay(overlay(bound::text PLACING '7' FROM 15) PLACING variant FROM 20)::uuid, layout;
	RETURN CASE bound
		WHEN '00000000-0000-0000-0000-000000000000' THEN '-infinity'
		WHEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 'infinity'
		ELSE ts END;
END
$$;
