-- Is it a version 7 key of RFC 9562? From the border on, version 7 keys are draft keys.
CREATE FUNCTION uuidnew_tables._key_is(id uuid)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN get_byte(uuid_send(id), 6) >> 4 = 7 AND get_byte(uuid_send(id), 8) >> 6 = 2
	AND id < '03000000-0000-0000-0000-000000000000';
