-- The least key with this time or a later one. Before 1970, the first key; at the end, the border.
CREATE FUNCTION uuidnew_tables._key_min(ts timestamptz)
RETURNS uuid
LANGUAGE plpgsql STABLE
AS $$
BEGIN
	IF ts <= '2074-07-11 11:41:23.328+00' IS NOT TRUE THEN
		RAISE 'partition until % is out of range', ts USING ERRCODE = 'datetime_field_overflow';
	END IF;
	RETURN lpad(to_hex(ceil(1000 * extract(epoch FROM greatest(ts, '1970-01-01 00:00+00')))
		::bigint), 12, '0') || '70008000000000000000';
END
$$;
