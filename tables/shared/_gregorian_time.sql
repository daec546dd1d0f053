-- The time of a UUID of version 1 or 6; NULL for another version.
CREATE FUNCTION uuidnew_tables._gregorian_time(id uuid)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT (timestamp '1582-10-15' + ticks / 10000000 * interval '1 second'
		+ ticks % 10000000 / 10 * interval '1 microsecond') AT TIME ZONE 'UTC'
	FROM CAST(CAST('x0' || CASE substr(id::text, 15, 1)
		WHEN '1' THEN substr(id::text, 16, 3) || substr(id::text, 10, 4) || left(id::text, 8)
		WHEN '6' THEN left(id::text, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3) END
		AS bit(64)) AS bigint) ticks
	WHERE get_byte(uuid_send(id), 8) >> 6 = 2);
