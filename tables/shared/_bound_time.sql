-- The time in a partition's bound, of any version and variant. Infinite if the bound is open, or
-- beyond the border.
CREATE FUNCTION uuidnew_tables._bound_time(bound uuid)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
	WHEN bound = '00000000-0000-0000-0000-000000000000' THEN '-infinity'
	WHEN bound >= '03000000-0000-0000-0000-000000000000' THEN 'infinity'
	ELSE to_timestamp(CAST(CAST('x0000' || left(translate(bound::text, '-', ''), 12) AS bit(64))
		AS bigint) / 1000.0) END;
