-- The time in a partition's bound, which may have any version and variant if it was written by
-- hand. Infinite if the bound is open, or beyond the keys of the layout.
CREATE FUNCTION uuidnew_tables._bound_time(bound uuid, layout text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT CASE
		WHEN bound = '00000000-0000-0000-0000-000000000000'
			OR layout = 'draft' AND bound < border THEN '-infinity'
		WHEN bound = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
			OR layout = 'rfc9562' AND bound >= border THEN 'infinity'
		-- seconds and the rest apart, as an interval is multiplied as a double
		WHEN layout = 'rfc9562' THEN (timestamp '1970-01-01'
			+ milliseconds / 1000 * interval '1 second'
			+ milliseconds % 1000 * interval '1 millisecond') AT TIME ZONE 'UTC'
		WHEN layout = 'draft' THEN (timestamp '1970-01-01'
			+ ('x0000000' || left(digits, 9))::bit(64)::bigint * interval '1 second'
			+ (((('x0000000000' || substr(digits, 10, 3) || substr(digits, 14, 3))
						::bit(64)::bigint << 14)
					+ (('x000000000000' || substr(digits, 17, 4))::bit(64)::bigint & 16383))
				* 15625 >> 32) * interval '1 microsecond') AT TIME ZONE 'UTC' END
	FROM translate(bound::text, '-', '') digits
	CROSS JOIN CAST(CAST('x0000' || left(digits, 12) AS bit(64)) AS bigint) milliseconds
	CROSS JOIN CAST('03000000-0000-0000-0000-000000000000' AS uuid) border);
