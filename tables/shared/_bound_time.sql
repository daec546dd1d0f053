-- The time of a partition's bound, which may have any version and variant if it was written by
-- hand. Infinite if the bound is open, or beyond the keys of the layout.
CREATE FUNCTION uuidnew_tables._bound_time(bound uuid, layout text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT CASE
		WHEN bound = '00000000-0000-0000-0000-000000000000'
			OR layout = 'draft' AND key < '03000000-0000-7000-8000-000000000000' THEN '-infinity'
		WHEN bound = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
			OR layout = 'rfc9562' AND key >= '03000000-0000-7000-8000-000000000000' THEN 'infinity'
		ELSE uuidnew_tables._key_time(key, layout) END
	FROM CAST(overlay(overlay(bound::text PLACING '7' FROM 15)
		PLACING translate(substr(bound::text, 20, 1), '01234567cdef', '89ab89ab89ab') FROM 20)
		AS uuid) key);
