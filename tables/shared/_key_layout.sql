-- The layout of a version 7 key, rfc9562 or draft; none for another version.
CREATE FUNCTION uuidnew_tables._key_layout(id uuid)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN get_byte(uuid_send(id), 6) >> 4 = 7 AND get_byte(uuid_send(id), 8) >> 6 = 2
	THEN CASE WHEN id < '03000000-0000-7000-8000-000000000000' THEN 'rfc9562' ELSE 'draft' END
	WHEN id IS NOT NULL THEN 'none' END;
