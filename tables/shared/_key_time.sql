-- The time of a version 7 key of a layout, rfc9562 or draft; NULL for any other UUID.
CREATE FUNCTION uuidnew_tables._key_time(id uuid, layout text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
	WHEN uuidnew_tables._key_layout(id) <> layout THEN NULL
	-- seconds and the rest apart, as an interval is multiplied as a double
	WHEN layout = 'rfc9562' THEN (timestamp '1970-01-01'
		+ ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint / 1000
			* interval '1 second'
		+ ('x0000' || translate(left(id::text, 13), '-', ''))::bit(64)::bigint % 1000
			* interval '1 millisecond') AT TIME ZONE 'UTC'
	WHEN layout = 'draft' THEN (timestamp '1970-01-01'
		+ ('x0000000' || left(id::text, 8) || substr(id::text, 10, 1))::bit(64)::bigint
			* interval '1 second'
		+ (((('x0000000000' || substr(id::text, 11, 3) || substr(id::text, 16, 3))
					::bit(64)::bigint << 14)
				+ (('x000000000000' || substr(id::text, 20, 4))::bit(64)::bigint & 16383))
			* 15625 >> 32) * interval '1 microsecond') AT TIME ZONE 'UTC' END;
