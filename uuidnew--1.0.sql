/* uuidnew--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uuidnew" to load this file. \quit

--
-- Version 1: reading, and conversion to and from version 6
--

CREATE FUNCTION uuid_v1_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_timestamp(uuid) IS
'creation time of a version 1 UUID; NULL for any other';

CREATE FUNCTION uuid_v1_to_v6(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS
'version 1 UUID as version 6: same time, sequence and node, in an order that sorts by time';

CREATE FUNCTION uuid_v6_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS
'version 6 UUID as version 1: the inverse of uuid_v1_to_v6';

--
-- Version 6
--

CREATE FUNCTION uuid_generate_v6()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
'new version 6 UUID, greater than all that the same session made before';

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz) IS
'new version 6 UUID for a given time';

CREATE FUNCTION uuid_v6_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_timestamp(uuid) IS
'creation time of a version 6 UUID; NULL for any other';

CREATE FUNCTION uuid_v6_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_min(timestamptz) IS
'smallest version 6 UUID with this time';

CREATE FUNCTION uuid_v6_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_max(timestamptz) IS
'largest version 6 UUID with this time';

CREATE FUNCTION uuid_v6_between_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_between_support(internal) IS
'planner support of uuid_v6_between';

CREATE FUNCTION uuid_v6_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v6_between_support;
COMMENT ON FUNCTION uuid_v6_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 6 UUID in the window since <= time < until? NULL is open; uses an index on the key';

--
-- Version 7: layouts millisecond, microsecond (default), nanosecond, rfc9562
--

CREATE FUNCTION uuid_generate_v7()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7() IS
'new version 7 UUID of the draft, to the microsecond, greater than all that the same session made before';

CREATE FUNCTION uuid_generate_v7(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text) IS
'new version 7 UUID in a layout: millisecond, microsecond, nanosecond (the draft''s) or rfc9562';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz) IS
'new version 7 UUID of the draft for a given time, to the microsecond';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text) IS
'new version 7 UUID in a layout for a given time';

CREATE FUNCTION uuid_v7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid) IS
'creation time of a version 7 UUID of the draft, any precision; NULL for another version';

CREATE FUNCTION uuid_v7_timestamp(id uuid, layout text)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid, text) IS
'creation time of a version 7 UUID; layout rfc9562 for those of RFC 9562; NULL for another version';

CREATE FUNCTION uuid_v7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz) IS
'smallest version 7 UUID of the draft with this time';

CREATE FUNCTION uuid_v7_min(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz, text) IS
'smallest version 7 UUID with this time; layout rfc9562 for those of RFC 9562';

CREATE FUNCTION uuid_v7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz) IS
'largest version 7 UUID of the draft with this time';

CREATE FUNCTION uuid_v7_max(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz, text) IS
'largest version 7 UUID with this time; layout rfc9562 for those of RFC 9562';

CREATE FUNCTION uuid_v7_between_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_between_support(internal) IS
'planner support of uuid_v7_between';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v7_between_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 7 UUID in the window since <= time < until? NULL is open; uses an index on the key';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz, layout text)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuid_v7_between_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz, text) IS
'is the time of a version 7 UUID in the window since <= time < until? NULL is open; uses an index on the key; layout rfc9562 for those of RFC 9562';

CREATE FUNCTION uuid_v7_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_min(ts)::text;
COMMENT ON FUNCTION uuid_v7_partman_encoder(timestamptz) IS
'p_time_encoder of pg_partman for keys of version 7';

CREATE FUNCTION uuid_v7_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_timestamp(id::uuid);
COMMENT ON FUNCTION uuid_v7_partman_decoder(text) IS
'p_time_decoder of pg_partman for keys of version 7';

CREATE FUNCTION uuid_v7_rfc9562_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_min(ts, 'rfc9562')::text;
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_encoder(timestamptz) IS
'p_time_encoder of pg_partman for keys of version 7, layout rfc9562';

CREATE FUNCTION uuid_v7_rfc9562_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_timestamp(id::uuid, 'rfc9562');
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_decoder(text) IS
'p_time_decoder of pg_partman for keys of version 7, layout rfc9562';

--
-- Version 8: layouts unix32, unix48, gregorian60, unix64 (default), ntp64,
-- iso8601.  Not STRICT where the node may be NULL.
--

CREATE FUNCTION uuid_generate_v8(layout text DEFAULT 'unix64',
								 node bytea DEFAULT NULL,
								 epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8(text, bytea, timestamptz) IS
'new version 8 UUID in a layout: unix32, unix48, gregorian60, unix64, ntp64 or iso8601; node: octets of your own instead of random ones';

CREATE FUNCTION uuid_generate_v8_at(ts timestamptz,
									layout text DEFAULT 'unix64',
									node bytea DEFAULT NULL,
									epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz) IS
'new version 8 UUID in a layout for a given time';

CREATE FUNCTION uuid_v8_timestamp(id uuid,
								  layout text DEFAULT 'unix64',
								  epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_timestamp(uuid, text, timestamptz) IS
'creation time of a version 8 UUID that was made in this layout; NULL for another version';

CREATE FUNCTION uuid_v8_min(ts timestamptz,
							layout text DEFAULT 'unix64',
							epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_min(timestamptz, text, timestamptz) IS
'smallest version 8 UUID in a layout with this time';

CREATE FUNCTION uuid_v8_max(ts timestamptz,
							layout text DEFAULT 'unix64',
							epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_max(timestamptz, text, timestamptz) IS
'largest version 8 UUID in a layout with this time';

CREATE FUNCTION uuid_v8_between_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_between_support(internal) IS
'planner support of uuid_v8_between';

CREATE FUNCTION uuid_v8_between(id uuid, since timestamptz, until timestamptz,
								layout text DEFAULT 'unix64',
								epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuid_v8_between_support;
COMMENT ON FUNCTION uuid_v8_between(uuid, timestamptz, timestamptz, text, timestamptz) IS
'is the time of a version 8 UUID in the window since <= time < until? NULL is open; uses an index on the key; in a layout';

CREATE FUNCTION uuid_v8_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_node(uuid, text, int) IS
'first octets of the node of a version 8 UUID; NULL for another version';

CREATE FUNCTION uuid_v8(octets bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_v8_from_octets'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8(bytea) IS
'16 octets of your own as a version 8 UUID: only version and variant are set';

--
-- Machine id
--

CREATE FUNCTION uuid_machine_id(id uuid, bits int)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int) IS
'machine id in a UUID of version 6, 7 or 8 in its default layout; NULL for another version';

CREATE FUNCTION uuid_machine_id(id uuid, bits int, layout text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int, text) IS
'machine id in a UUID of version 7 or 8 that was made in this layout; NULL for another version';
