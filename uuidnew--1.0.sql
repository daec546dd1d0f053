/* uuidnew--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uuidnew" to load this file. \quit

--
-- Version 1: with random bits, reading, and conversion to and from version 6
--

CREATE FUNCTION uuid_generate_v1_random()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v1_random() IS
'new version 1 UUID with 62 random bits instead of clock sequence and MAC address';

CREATE FUNCTION uuid_generate_v1_random_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v1_random_at(timestamptz) IS
'new version 1 UUID for a given time, with 62 random bits instead of clock sequence and MAC '
'address';

CREATE FUNCTION uuid_v1_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_timestamp(uuid) IS
'creation time of a version 1 UUID; NULL for any other UUID';

CREATE FUNCTION uuid_v1_to_v6(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS
'version 1 UUID converted to version 6, which sorts by time: same time, sequence and node';

CREATE FUNCTION uuid_v6_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS
'version 6 UUID converted to version 1; inverse of uuid_v1_to_v6';

-- "Really unique UUIDs": their code counts milliseconds since 1970, not 100 ns since 1582.
CREATE FUNCTION uuid_v1_unix_ms_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_timestamp(uuid) IS
'creation time of a version 1 UUID whose timestamp counts milliseconds since 1970; NULL for any '
'other UUID';

CREATE FUNCTION uuid_v1_unix_ms_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_to_v1(uuid) IS
'version 1 UUID with its timestamp converted from milliseconds since 1970 to 100 ns since 1582; '
'same time and random bits';

--
-- Version 6
--
-- Here and below, functions are not STRICT where node, sequence or another argument may be NULL.
--

CREATE FUNCTION uuid_generate_v6()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
'new version 6 UUID, greater than every version 6 UUID that the session generated before';

CREATE FUNCTION uuid_generate_v6(node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6(bytea) IS
'new version 6 UUID; node: up to 6 octets instead of random bits';

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz) IS
'new version 6 UUID for a given time';

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz, bigint, bytea) IS
'new version 6 UUID for a given time; UUIDs with the same time sort by sequence, from 0 on (NULL: '
'random); node: octets instead of random bits';

CREATE FUNCTION uuid_v6_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_timestamp(uuid) IS
'creation time of a version 6 UUID; NULL for any other UUID';

CREATE FUNCTION uuid_v6_node(id uuid, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_node(uuid, int) IS
'first octets of the node of a version 6 UUID; NULL for any other UUID';

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

--
-- Version 7 of the draft: layouts millisecond, microsecond (default), nanosecond
--
-- A version 7 UUID below the border, 03000000-0000-7000-8000-000000000000, is an RFC 9562 UUID,
-- with a time from 1970 to 2074. From the border on it is a draft UUID, with a time from 1995 to
-- 4147. Functions for draft UUIDs return NULL for RFC 9562 UUIDs, and the reverse. An argument
-- "layout" also accepts rfc9562.
--

CREATE FUNCTION uuid_generate_v7()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7() IS
'new draft version 7 UUID, to the microsecond, greater than every such UUID that the session '
'generated before';

CREATE FUNCTION uuid_generate_v7(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text) IS
'new version 7 UUID in a layout: millisecond, microsecond, nanosecond (draft) or rfc9562';

CREATE FUNCTION uuid_generate_v7(layout text, node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text, bytea) IS
'new version 7 UUID in a layout; node: octets instead of random bits';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz) IS
'new draft version 7 UUID for a given time, to the microsecond';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text) IS
'new version 7 UUID in a layout for a given time';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text, sequence bigint,
	node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text, bigint, bytea) IS
'new version 7 UUID in a layout for a given time; UUIDs with the same time sort by sequence, from '
'0 on (NULL: random); node: octets instead of random bits';

CREATE FUNCTION uuid_v7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid) IS
'creation time of a version 7 UUID in any draft layout; NULL for any other UUID';

CREATE FUNCTION uuid_v7_timestamp(id uuid, layout text)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid, text) IS
'creation time of a version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v7_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_node(uuid, text, int) IS
'first octets of the node of a version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz) IS
'smallest draft version 7 UUID with this time';

CREATE FUNCTION uuid_v7_min(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz, text) IS
'smallest version 7 UUID in a layout with this time';

CREATE FUNCTION uuid_v7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz) IS
'largest draft version 7 UUID with this time';

CREATE FUNCTION uuid_v7_max(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz, text) IS
'largest version 7 UUID in a layout with this time';

CREATE FUNCTION uuid_v7_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_min(ts)::text;
COMMENT ON FUNCTION uuid_v7_partman_encoder(timestamptz) IS
'p_time_encoder of pg_partman for draft version 7 keys';

CREATE FUNCTION uuid_v7_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(uuid_v7_timestamp(id::uuid),
	CASE WHEN id::uuid OPERATOR(pg_catalog.<) '03000000-0000-7000-8000-000000000000'::uuid
		THEN '-infinity'::timestamptz ELSE 'infinity'::timestamptz END);
COMMENT ON FUNCTION uuid_v7_partman_decoder(text) IS
'p_time_decoder of pg_partman for draft version 7 keys; infinite for a bound outside them';

CREATE FUNCTION uuid_v7_layout(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_layout(uuid) IS
'rfc9562 for a version 7 UUID below the border, draft from the border on; none for another version';

CREATE FUNCTION uuid_v7_convert(id uuid, from_layout text, to_layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_convert(uuid, text, text) IS
'version 7 UUID converted to another layout: same time and order, and the random bits that fit; '
'error 22008 if the layout cannot hold the time';

--
-- Version 7 of RFC 9562: names that begin with uuidv7 mean it
--

CREATE FUNCTION uuidv7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS
'new RFC 9562 version 7 UUID for a given time';

CREATE FUNCTION uuidv7_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidv7_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz, bigint, bytea) IS
'new RFC 9562 version 7 UUID for a given time; UUIDs with the same time sort by sequence, from 0 '
'on (NULL: random); node: octets instead of random bits';

CREATE FUNCTION uuidv7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_timestamp(uuid) IS
'creation time of an RFC 9562 version 7 UUID, to the millisecond; NULL for any other UUID';

CREATE FUNCTION uuidv7_timestamp_micros(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_timestamp_micros(uuid) IS
'creation time of an RFC 9562 version 7 UUID, to the microsecond if its generator wrote the '
'fraction of the millisecond, else up to 1 ms late; NULL for any other UUID';

CREATE FUNCTION uuidv7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_min(timestamptz) IS
'smallest RFC 9562 version 7 UUID with this time';

CREATE FUNCTION uuidv7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_max(timestamptz) IS
'largest RFC 9562 version 7 UUID with this time';

CREATE FUNCTION uuid_v7_rfc9562_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuidv7_min(ts)::text;
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_encoder(timestamptz) IS
'p_time_encoder of pg_partman for RFC 9562 version 7 keys';

CREATE FUNCTION uuid_v7_rfc9562_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(uuidv7_timestamp(id::uuid),
	CASE WHEN id::uuid OPERATOR(pg_catalog.<) '03000000-0000-7000-8000-000000000000'::uuid
		THEN '-infinity'::timestamptz ELSE 'infinity'::timestamptz END);
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_decoder(text) IS
'p_time_decoder of pg_partman for RFC 9562 version 7 keys; infinite for a bound outside them';

--
-- The functions of PostgreSQL 18, in the extension's schema even on servers that have them in
-- pg_catalog: a dump with DEFAULT public.uuidv7() can be restored on every server.
--

CREATE FUNCTION uuidv4()
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidnew_uuidv4'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

CREATE FUNCTION uuidv7()
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidnew_uuidv7'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

CREATE FUNCTION uuidv7(shift interval)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidnew_uuidv7_interval'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

CREATE FUNCTION uuid_extract_timestamp(uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_timestamp'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

CREATE FUNCTION uuid_extract_version(uuid)
RETURNS smallint
AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_version'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

-- COMMENT ON has to name the schema, because pg_catalog comes first in the search path.
--
-- A trusted extension's script runs as a superuser. In DO blocks, every function and operator
-- is therefore named with its schema, so that no other role's is found.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	function record;
BEGIN
	FOR function IN VALUES
		('uuidv4()', 'generate UUID version 4'),
		('uuidv7()', 'generate UUID version 7'),
		('uuidv7(pg_catalog.interval)',
			'generate UUID version 7 with a timestamp shifted by specified interval'),
		('uuid_extract_timestamp(pg_catalog.uuid)', 'extract timestamp from UUID'),
		('uuid_extract_version(pg_catalog.uuid)', 'extract version from RFC 9562 UUID')
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.%s IS %L',
			schema, function.column1, function.column2);
	END LOOP;
END $do$;

--
-- Windows: ranges of key times. The planner puts a filter and comparisons of the key with bounds
-- in their place.
--

CREATE FUNCTION uuidnew_window_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_window_support(internal) IS
'planner support of windows and of their filters';

--
-- Bounds of windows. Not STRICT where a NULL end is open.
--

CREATE FUNCTION uuid_v6_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_since(timestamptz) IS
'start of a window of version 6 keys: smallest UUID with this time; nil UUID for NULL';

CREATE FUNCTION uuid_v6_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_until(timestamptz) IS
'end of a window of version 6 keys: smallest UUID with this time; max UUID for NULL';

CREATE FUNCTION uuid_v7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz) IS
'start of a window of draft version 7 keys: smallest UUID with this time; the border for NULL';

CREATE FUNCTION uuid_v7_since(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz, text) IS
'start of a window of version 7 keys in a layout: smallest UUID with this time; start of the '
'draft or RFC 9562 UUIDs for NULL';

CREATE FUNCTION uuid_v7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz) IS
'end of a window of draft version 7 keys: smallest UUID with this time; max UUID for NULL';

CREATE FUNCTION uuid_v7_until(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz, text) IS
'end of a window of version 7 keys in a layout: smallest UUID with this time; end of the draft or '
'RFC 9562 UUIDs for NULL';

CREATE FUNCTION uuidv7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_since(timestamptz) IS
'start of a window of RFC 9562 version 7 keys: smallest UUID with this time; smallest RFC 9562 '
'UUID for NULL';

CREATE FUNCTION uuidv7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_until(timestamptz) IS
'end of a window of RFC 9562 version 7 keys: smallest UUID with this time; the border for NULL';

CREATE FUNCTION uuid_v8_since(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_since(timestamptz, text, timestamptz) IS
'start of a window of version 8 keys in a layout: smallest UUID with this time; nil UUID for NULL';

CREATE FUNCTION uuid_v8_until(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_until(timestamptz, text, timestamptz) IS
'end of a window of version 8 keys in a layout: smallest UUID with this time; max UUID for NULL';

CREATE FUNCTION uuidv7_range_since(range tstzrange)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_range_since(tstzrange) IS
'start of the RFC 9562 version 7 keys whose times are in a range';

CREATE FUNCTION uuidv7_range_until(range tstzrange)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_range_until(tstzrange) IS
'end of the RFC 9562 version 7 keys whose times are in a range';

--
-- Filters of windows, also for CHECK constraints: true if the key has a time. At this cost, the
-- executor evaluates a filter after comparisons of the key, which cost 1.
--

CREATE FUNCTION uuid_v6_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v6_is(uuid) IS
'true if uuid_v6_timestamp returns a time for the UUID';

CREATE FUNCTION uuid_v7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_is(uuid) IS
'true if uuid_v7_timestamp returns a time for the UUID: it is a draft version 7 UUID';

CREATE FUNCTION uuid_v7_is(id uuid, layout text)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_is(uuid, text) IS
'true if uuid_v7_timestamp returns a time for the UUID in the layout';

CREATE FUNCTION uuidv7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_is(uuid) IS
'true if uuidv7_timestamp returns a time for the UUID: it is an RFC 9562 version 7 UUID';

CREATE FUNCTION uuid_v8_is(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v8_is(uuid, text, timestamptz) IS
'true if uuid_v8_timestamp returns a time for the UUID in the layout';

--
-- Windows: since <= time < until. A NULL end is open.
--

CREATE FUNCTION uuid_v6_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v6_between(uuid, timestamptz, timestamptz) IS
'true if since <= time of a version 6 key < until; NULL is open; uses an index on the key';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
'true if since <= time of a draft version 7 key < until; NULL is open; uses an index on the key';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz, layout text)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz, text) IS
'true if since <= time of a version 7 key < until, in a layout; NULL is open; uses an index on '
'the key';

CREATE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_between(uuid, timestamptz, timestamptz) IS
'true if since <= time of an RFC 9562 version 7 key < until; NULL is open; uses an index on the '
'key';

CREATE FUNCTION uuid_v8_between(id uuid, since timestamptz, until timestamptz,
	layout text DEFAULT 'unix64', epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v8_between(uuid, timestamptz, timestamptz, text, timestamptz) IS
'true if since <= time of a version 8 key < until, in a layout; NULL is open; uses an index on '
'the key';

--
-- Windows with one end, for jobs that delete: NULL matches no rows
--

CREATE FUNCTION uuid_v7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_before(uuid, timestamptz) IS
'true if a draft version 7 key is from before this time; NULL matches no rows; uses an index on '
'the key';

CREATE FUNCTION uuid_v7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_from(uuid, timestamptz) IS
'true if a draft version 7 key is from this time or later; NULL matches no rows; uses an index on '
'the key';

CREATE FUNCTION uuidv7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_before(uuid, timestamptz) IS
'true if an RFC 9562 version 7 key is from before this time; NULL matches no rows; uses an index '
'on the key';

CREATE FUNCTION uuidv7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_from(uuid, timestamptz) IS
'true if an RFC 9562 version 7 key is from this time or later; NULL matches no rows; uses an '
'index on the key';

CREATE FUNCTION uuidv7_upto(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_upto(uuid, timestamptz) IS
'true if an RFC 9562 version 7 key is from this time or earlier; NULL matches no rows; uses an '
'index on the key';

CREATE FUNCTION uuidv7_after(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_after(uuid, timestamptz) IS
'true if an RFC 9562 version 7 key is from after this time; NULL matches no rows; uses an index '
'on the key';

CREATE FUNCTION uuidv7_within(id uuid, range tstzrange)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_within(uuid, tstzrange) IS
'true if the time of an RFC 9562 version 7 key is in a range; NULL matches no rows; uses an index '
'on the key';

-- No negators: for any other UUID, neither operator is true. The database keeps operators of its
-- own.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	op record;
BEGIN
	-- CREATE EXTENSION has set this to warning: let the notices here and below through
	IF pg_catalog.current_setting('client_min_messages') OPERATOR(pg_catalog.=) 'warning' THEN
		PERFORM pg_catalog.set_config('client_min_messages', 'notice', true);
	END IF;
	FOR op IN VALUES
		('<', 'timestamptz', 'uuidv7_before', 'scalarltsel', 'scalarltjoinsel',
			'RFC 9562 version 7 key from before this time'),
		('<=', 'timestamptz', 'uuidv7_upto', 'scalarlesel', 'scalarlejoinsel',
			'RFC 9562 version 7 key from this time or earlier'),
		('>=', 'timestamptz', 'uuidv7_from', 'scalargesel', 'scalargejoinsel',
			'RFC 9562 version 7 key from this time or later'),
		('>', 'timestamptz', 'uuidv7_after', 'scalargtsel', 'scalargtjoinsel',
			'RFC 9562 version 7 key from after this time'),
		('<@', 'tstzrange', 'uuidv7_within', 'matchingsel', 'matchingjoinsel',
			'RFC 9562 version 7 key from a time in this range')
	LOOP
		IF EXISTS (
			SELECT FROM pg_catalog.pg_operator
			WHERE oprname OPERATOR(pg_catalog.=) op.column1::name
				AND oprleft OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype
				AND oprright OPERATOR(pg_catalog.=) op.column2::pg_catalog.regtype
				AND NOT pg_catalog.pg_is_other_temp_schema(oprnamespace)
				AND oprnamespace OPERATOR(pg_catalog.<>) pg_catalog.pg_my_temp_schema())
		THEN
			RAISE NOTICE 'operator % (uuid, %) exists and is kept', op.column1, op.column2;
			CONTINUE;
		END IF;
		EXECUTE pg_catalog.format('CREATE OPERATOR %1$I.%2$s ('
			'LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.%3$I, FUNCTION = %1$I.%4$I, '
			'RESTRICT = pg_catalog.%5$I, JOIN = pg_catalog.%6$I)',
			schema, op.column1, op.column2, op.column3, op.column4, op.column5);
		EXECUTE pg_catalog.format(
			'COMMENT ON OPERATOR %I.%s (pg_catalog.uuid, pg_catalog.%I) IS %L',
			schema, op.column1, op.column2, op.column6);
	END LOOP;
END $do$;

--
-- Times of versions 1, 6 and 7
--

CREATE FUNCTION uuid_time(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_time(uuid) IS
'creation time of a version 1, 6 or 7 UUID, draft or RFC 9562; NULL for any other UUID';

-- The database keeps a cast of its own.
DO $do$
BEGIN
	IF EXISTS (
		SELECT FROM pg_catalog.pg_cast
		WHERE castsource OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype
			AND casttarget OPERATOR(pg_catalog.=) 'pg_catalog.timestamptz'::pg_catalog.regtype)
	THEN
		RAISE NOTICE 'cast (uuid AS timestamptz) exists and is kept';
		RETURN;
	END IF;
	CREATE CAST (uuid AS timestamptz) WITH FUNCTION uuid_time(uuid);
	COMMENT ON CAST (uuid AS timestamptz) IS
	'creation time of a version 1, 6 or 7 UUID; NULL for any other UUID';
END $do$;

CREATE FUNCTION uuid_refuse_skew()
RETURNS trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;
COMMENT ON FUNCTION uuid_refuse_skew() IS
'trigger function (column, ahead, back) that refuses keys whose time is too far from the clock';

--
-- Version 8: layouts unix32, unix48, gregorian60, unix64 (default), ntp64, iso8601, julian64,
-- and layouts by numbers
--

CREATE FUNCTION uuid_generate_v8(layout text DEFAULT 'unix64', node bytea DEFAULT NULL,
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8(text, bytea, timestamptz) IS
'new version 8 UUID in a layout: unix32, unix48, gregorian60, unix64, ntp64, iso8601, julian64, '
'or by numbers, such as custom(1000/s, 48, 12); node: octets instead of random bits';

CREATE FUNCTION uuid_generate_v8_at(ts timestamptz, layout text DEFAULT 'unix64',
	node bytea DEFAULT NULL, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz) IS
'new version 8 UUID in a layout for a given time';

-- no defaults: a call with fewer arguments means the function above
CREATE FUNCTION uuid_generate_v8_at(ts timestamptz, layout text, node bytea, epoch timestamptz,
	sequence bigint)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v8_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz, bigint) IS
'new version 8 UUID in a layout for a given time; UUIDs with the same time sort by sequence, from '
'0 on (NULL: random)';

CREATE FUNCTION uuid_v8_timestamp(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_timestamp(uuid, text, timestamptz) IS
'creation time of a version 8 UUID in a layout; NULL for another version';

CREATE FUNCTION uuid_v8_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_node(uuid, text, int) IS
'first octets of the node of a version 8 UUID in a layout; NULL for another version';

CREATE FUNCTION uuid_v8_min(ts timestamptz, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_min(timestamptz, text, timestamptz) IS
'smallest version 8 UUID in a layout with this time';

CREATE FUNCTION uuid_v8_max(ts timestamptz, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_max(timestamptz, text, timestamptz) IS
'largest version 8 UUID in a layout with this time';

CREATE FUNCTION uuid_v8(octets bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_v8_from_octets'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8(bytea) IS
'version 8 UUID from 16 octets: only version and variant are set';

CREATE FUNCTION uuid_v8_from_bits(bits bit)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_bits(bit) IS
'version 8 UUID from 122 bits: version and variant are put between them';

CREATE FUNCTION uuid_v8_to_bits(id uuid)
RETURNS bit
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_to_bits(uuid) IS
'the 122 bits of a version 8 UUID without version and variant; NULL for another version';

--
-- All fields of a UUID
--
-- The columns begin with the time, truncated to the microsecond, and the time in nanoseconds
-- since 1970 (numeric, because a bigint ends in 2262), both to the unit of the layout. The node
-- begins with its first bit and is filled up to whole octets. NULL for any other UUID, and if
-- the bits do not encode a time; 22023 for an unknown layout, and for an epoch that is infinite
-- or that is passed for a layout with a fixed epoch.
--

CREATE FUNCTION uuid_v1_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea,
	OUT mac macaddr)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_fields(uuid) IS
'time, to 100 ns, and fields of a version 1 UUID; mac is NULL if the multicast bit is set; NULL '
'for another version';

CREATE FUNCTION uuid_v6_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_fields(uuid) IS
'time, to 100 ns, and fields of a version 6 UUID; NULL for another version';

CREATE FUNCTION uuid_v7_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_fields(uuid) IS
'time and fields of a version 7 UUID in layout microsecond; NULL for any other UUID';

CREATE FUNCTION uuid_v7_fields(id uuid, layout text,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_fields(uuid, text) IS
'time and fields of a version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuidv7_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_fields(uuid) IS
'time, with the fraction of the millisecond, and fields of an RFC 9562 version 7 UUID that '
'uuidnew generated; NULL for any other UUID';

CREATE FUNCTION uuid_v8_fields(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_fields(uuid, text, timestamptz) IS
'time and fields of a version 8 UUID in a layout; NULL for another version';

CREATE FUNCTION uuid_info(id uuid,
	OUT version int, OUT variant text, OUT description text, OUT layout text,
	OUT "timestamp" timestamptz, OUT sequence bigint, OUT machine_id bigint, OUT node bytea,
	OUT readings text)
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_info(uuid) IS
'version, variant and likely layout of any UUID, with its time, sequence and node; all readings, '
'each likely, possible or by chance';

--
-- Machine id
--

CREATE FUNCTION uuid_machine_id(id uuid, bits int)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int) IS
'machine id of a version 6, 7 or 8 UUID in its default layout, which is rfc9562 for an RFC 9562 '
'UUID; NULL for any other UUID';

CREATE FUNCTION uuid_machine_id(id uuid, bits int, layout text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int, text) IS
'machine id of a version 7 or 8 UUID in a layout; NULL for any other UUID';

--
-- Text forms
--

CREATE FUNCTION uuid_to_base32hex(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base32hex(uuid) IS
'UUID as 26 characters of base32hex (RFC 4648 section 7, no padding); sorts as the UUID in '
'collation "C"';

CREATE FUNCTION base32hex_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base32hex_to_uuid(text) IS
'inverse of uuid_to_base32hex, in upper or lower case; error 22P02 for any other text';

CREATE FUNCTION uuid_to_base58(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base58(uuid) IS
'UUID as 22 characters of base58 (Bitcoin alphabet); sorts as the UUID in collation "C"';

CREATE FUNCTION base58_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base58_to_uuid(text) IS
'inverse of uuid_to_base58; error 22P02 for any other text';

CREATE FUNCTION uuid_to_base64url(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base64url(uuid) IS
'UUID as 22 characters of base64url (RFC 4648 section 5, no padding); does not sort as the UUID';

CREATE FUNCTION base64url_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base64url_to_uuid(text) IS
'inverse of uuid_to_base64url; error 22P02 for any other text';

CREATE FUNCTION uuid_to_typeid(id uuid, prefix text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
'UUID as a TypeID; prefix: at most 63 lower-case letters and underscores, or empty; error 22023 '
'for any other prefix';

CREATE FUNCTION typeid_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text) IS
'UUID of a TypeID with any prefix; error 22P02 for any other text';

CREATE FUNCTION typeid_to_uuid(value text, prefix text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
'UUID of a TypeID with this prefix; error 22P02 for any other text, 22023 if a TypeID cannot have '
'this prefix';

CREATE FUNCTION typeid_prefix(value text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_prefix(text) IS
'prefix of a TypeID, empty if there is no prefix; error 22P02 for any other text';

--
-- UUIDv47: a version 7 key that is shown to others without its time
--

CREATE FUNCTION uuidv47_encode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_encode(uuid, bytea) IS
'version 7 UUID as a version 4 UUID whose time is masked with a key of 16 octets; error 22023 for '
'another version or key length';

CREATE FUNCTION uuidv47_decode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_decode(uuid, bytea) IS
'inverse of uuidv47_encode; with another key, or for any other version 4 UUID, a version 7 UUID '
'that was never generated';

--
-- IDs of other systems. Each has
--
-- 	<system>_timestamp	its time
-- 	<system>_fields		its time and all other fields
-- 	<system>_to_uuid	the ID as a UUID that sorts by time
-- 	uuid_to_<system>	the inverse
--
-- for the types that its IDs are stored as. UUIDs of all systems whose IDs fit the version 8
-- layout with 48 bits of milliseconds sort by time together, and uuid_v8_timestamp(id, 'unix48')
-- reads them.
--

--
-- Locality UUID (Groupon), "version b": uuid
--

CREATE FUNCTION uuid_generate_vb(mode text DEFAULT 'variable', mac macaddr DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_vb(text, macaddr) IS
'new version b UUID, which begins with a counter; mode variable spreads writes over the index, '
'sequential keeps them together; mac: an address instead of uuidnew.vb_mac or random bits';

CREATE FUNCTION uuid_vb_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_timestamp(uuid) IS
'creation time of a version b UUID; NULL for any other UUID';

CREATE FUNCTION uuid_vb_counter(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid) IS
'counter of a version b UUID in mode variable; NULL for another version';

CREATE FUNCTION uuid_vb_counter(id uuid, mode text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid, text) IS
'counter of a version b UUID in a mode: variable, sequential, or java (variable, from Groupon''s '
'Java code); NULL for another version, or if the Java code lost bits of the counter';

CREATE FUNCTION uuid_vb_process_id(id uuid)
RETURNS int
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_process_id(uuid) IS
'process id, modulo 65536, of a version b UUID; NULL for any other UUID';

CREATE FUNCTION uuid_vb_mac_fragment(id uuid)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_mac_fragment(uuid) IS
'last 28 bits of the MAC address of a version b UUID, in 4 octets; NULL for any other UUID';

CREATE FUNCTION vb_fields(id uuid, mode text DEFAULT 'variable',
	OUT "timestamp" timestamptz, OUT counter bigint, OUT process_id int, OUT mac_fragment bytea)
RETURNS record
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_vb_timestamp(id), uuid_vb_counter(id, mode), uuid_vb_process_id(id),
		uuid_vb_mac_fragment(id)
	WHERE uuid_vb_timestamp(id) IS NOT NULL;
END;
COMMENT ON FUNCTION vb_fields(uuid, text) IS
'time and fields of a version b UUID in a mode; NULL for another version';

CREATE FUNCTION vb_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION vb_to_uuid(uuid) IS
'version b UUID with its time moved to the front, so that it sorts by time: the same bits, but '
'not a valid version';

CREATE FUNCTION uuid_to_vb(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_vb(uuid) IS
'inverse of vb_to_uuid';

--
-- Snowflake (Twitter; Discord with another epoch): bigint
--

CREATE FUNCTION snowflake_timestamp(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'snowflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_timestamp(bigint, timestamptz) IS
'creation time of a Snowflake ID';

CREATE FUNCTION snowflake_fields(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'snowflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_fields(bigint, timestamptz) IS
'time and fields of a Snowflake ID';

CREATE FUNCTION snowflake_to_uuid(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'snowflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_to_uuid(bigint, timestamptz) IS
'Snowflake ID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_snowflake(id uuid,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_snowflake(uuid, timestamptz) IS
'inverse of snowflake_to_uuid';

--
-- ShardingID (Instagram): bigint, negative from 2046 on
--

CREATE FUNCTION shardingid_timestamp(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'shardingid_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_timestamp(bigint, timestamptz) IS
'creation time of a ShardingID';

CREATE FUNCTION shardingid_fields(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00',
	OUT "timestamp" timestamptz, OUT shard int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'shardingid_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_fields(bigint, timestamptz) IS
'time and fields of a ShardingID';

CREATE FUNCTION shardingid_to_uuid(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'shardingid_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_to_uuid(bigint, timestamptz) IS
'ShardingID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_shardingid(id uuid,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_shardingid(uuid, timestamptz) IS
'inverse of shardingid_to_uuid';

--
-- FlakeID (T-PWK/flake-idgen): bigint, negative from 2039 on, or 8 octets
--

CREATE FUNCTION flakeid_timestamp(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flakeid_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_timestamp(bigint, timestamptz) IS
'creation time of a FlakeID';

CREATE FUNCTION flakeid_timestamp(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flakeid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_timestamp(bytea, timestamptz) IS
'creation time of a FlakeID';

CREATE FUNCTION flakeid_fields(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'flakeid_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_fields(bigint, timestamptz) IS
'time and fields of a FlakeID';

CREATE FUNCTION flakeid_fields(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'flakeid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_fields(bytea, timestamptz) IS
'time and fields of a FlakeID';

CREATE FUNCTION flakeid_to_uuid(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'flakeid_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_to_uuid(bigint, timestamptz) IS
'FlakeID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION flakeid_to_uuid(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'flakeid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_to_uuid(bytea, timestamptz) IS
'FlakeID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_flakeid(id uuid, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flakeid(uuid, timestamptz) IS
'inverse of flakeid_to_uuid';

--
-- Sonyflake: bigint; version 2 has the epoch 2025-01-01
--

CREATE FUNCTION sonyflake_timestamp(id bigint,
	epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sonyflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_timestamp(bigint, timestamptz, int) IS
'creation time of a Sonyflake ID';

CREATE FUNCTION sonyflake_fields(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10,
	OUT "timestamp" timestamptz, OUT sequence int, OUT machine int)
RETURNS record
AS 'MODULE_PATHNAME', 'sonyflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_fields(bigint, timestamptz, int) IS
'time and fields of a Sonyflake ID';

CREATE FUNCTION sonyflake_to_uuid(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sonyflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_to_uuid(bigint, timestamptz, int) IS
'Sonyflake ID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_sonyflake(id uuid, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sonyflake(uuid, timestamptz, int) IS
'inverse of sonyflake_to_uuid';

--
-- Mastodon: bigint
--

CREATE FUNCTION mastodon_timestamp(id bigint)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'mastodon_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_timestamp(bigint) IS
'creation time of a Mastodon ID';

CREATE FUNCTION mastodon_fields(id bigint,
	OUT "timestamp" timestamptz, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'mastodon_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_fields(bigint) IS
'time and fields of a Mastodon ID';

CREATE FUNCTION mastodon_to_uuid(id bigint)
RETURNS uuid
AS 'MODULE_PATHNAME', 'mastodon_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_to_uuid(bigint) IS
'Mastodon ID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_mastodon(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_mastodon(uuid) IS
'inverse of mastodon_to_uuid';

--
-- LexicalUUID (Twitter's Cassie): text of 32 hexadecimal digits, or uuid
--

CREATE FUNCTION lexicaluuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'lexicaluuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_timestamp(text) IS
'creation time of a LexicalUUID';

CREATE FUNCTION lexicaluuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_timestamp(uuid) IS
'creation time of a LexicalUUID';

CREATE FUNCTION lexicaluuid_fields(id text,
	OUT "timestamp" timestamptz, OUT worker bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'lexicaluuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_fields(text) IS
'time and fields of a LexicalUUID';

CREATE FUNCTION lexicaluuid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT worker bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_fields(uuid) IS
'time and fields of a LexicalUUID';

CREATE FUNCTION lexicaluuid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'lexicaluuid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_to_uuid(text) IS
'LexicalUUID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION lexicaluuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_to_uuid(uuid) IS
'LexicalUUID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_lexicaluuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_lexicaluuid(uuid) IS
'inverse of lexicaluuid_to_uuid';

--
-- Elasticflake (Elasticsearch before 6): text of 20 characters
--

CREATE FUNCTION elasticflake_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'elasticflake_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_timestamp(text) IS
'creation time of an Elasticflake ID';

CREATE FUNCTION elasticflake_fields(id text,
	OUT "timestamp" timestamptz, OUT address bytea, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'elasticflake_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_fields(text) IS
'time and fields of an Elasticflake ID';

CREATE FUNCTION elasticflake_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'elasticflake_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_to_uuid(text) IS
'Elasticflake ID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_elasticflake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_elasticflake(uuid) IS
'inverse of elasticflake_to_uuid';

--
-- pushID (Firebase): text of 20 characters
--

CREATE FUNCTION pushid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'pushid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_timestamp(text) IS
'creation time of a pushID';

CREATE FUNCTION pushid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'pushid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_fields(text) IS
'time and fields of a pushID';

CREATE FUNCTION pushid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'pushid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_to_uuid(text) IS
'pushID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_pushid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_pushid(uuid) IS
'inverse of pushid_to_uuid';

--
-- XID (rs/xid): text of 20 characters
--

CREATE FUNCTION xid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'xid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_timestamp(text) IS
'creation time of an XID';

CREATE FUNCTION xid_fields(id text,
	OUT "timestamp" timestamptz, OUT machine bytea, OUT pid int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'xid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_fields(text) IS
'time and fields of an XID';

CREATE FUNCTION xid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'xid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_to_uuid(text) IS
'XID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_xid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_xid(uuid) IS
'inverse of xid_to_uuid';

--
-- ObjectID (MongoDB): text of 24 hexadecimal digits, or 12 octets
--

CREATE FUNCTION objectid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'objectid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_timestamp(text) IS
'creation time of an ObjectID';

CREATE FUNCTION objectid_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'objectid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_timestamp(bytea) IS
'creation time of an ObjectID';

CREATE FUNCTION objectid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'objectid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_fields(text) IS
'time and fields of an ObjectID';

CREATE FUNCTION objectid_fields(id bytea,
	OUT "timestamp" timestamptz, OUT random bytea, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'objectid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_fields(bytea) IS
'time and fields of an ObjectID';

CREATE FUNCTION objectid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'objectid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_uuid(text) IS
'ObjectID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION objectid_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'objectid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_uuid(bytea) IS
'ObjectID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_objectid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_objectid(uuid) IS
'inverse of objectid_to_uuid';

--
-- Flake (Boundary): text in base 62, 16 octets, or uuid
--

CREATE FUNCTION flake_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(text) IS
'creation time of a Flake ID';

CREATE FUNCTION flake_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(bytea) IS
'creation time of a Flake ID';

CREATE FUNCTION flake_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(uuid) IS
'creation time of a Flake ID; NULL if the UUID is not a Flake ID';

CREATE FUNCTION flake_fields(id text,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(text) IS
'time and fields of a Flake ID';

CREATE FUNCTION flake_fields(id bytea,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(bytea) IS
'time and fields of a Flake ID';

CREATE FUNCTION flake_fields(id uuid,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(uuid) IS
'time and fields of a Flake ID; NULL if the UUID is not a Flake ID';

CREATE FUNCTION flake_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(text) IS
'Flake ID as the UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION flake_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(bytea) IS
'Flake ID as the UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_flake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flake(uuid) IS
'inverse of flake_to_uuid';

--
-- ULID: text of 26 characters, or uuid
--

CREATE FUNCTION ulid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ulid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_timestamp(text) IS
'creation time of a ULID';

CREATE FUNCTION ulid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ulid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_timestamp(uuid) IS
'creation time of a ULID';

CREATE FUNCTION ulid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ulid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_fields(text) IS
'time and fields of a ULID';

CREATE FUNCTION ulid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ulid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_fields(uuid) IS
'time and fields of a ULID';

CREATE FUNCTION ulid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ulid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuid(text) IS
'ULID as the UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_ulid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
'inverse of ulid_to_uuid';

CREATE FUNCTION ulid_to_uuidv7(id text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuidv7(text) IS
'ULID as an RFC 9562 version 7 UUID with its time and 74 of its 80 random bits; not reversible; '
'error 22008 for a time from 2074-07-11 on';

CREATE FUNCTION ulid_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_min(timestamptz) IS
'smallest ULID with this time, as a UUID';

CREATE FUNCTION ulid_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_max(timestamptz) IS
'largest ULID with this time, as a UUID';

--
-- SID (chilts/sid): text of four forms, or uuid
--

CREATE FUNCTION sid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_timestamp(text) IS
'creation time of a SID';

CREATE FUNCTION sid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_timestamp(uuid) IS
'creation time of a SID; NULL if the UUID is not a SID';

CREATE FUNCTION sid_fields(id text,
	OUT "timestamp" timestamptz, OUT nanoseconds bigint, OUT random bigint)
RETURNS record
AS 'MODULE_PATHNAME', 'sid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_fields(text) IS
'time and fields of a SID';

CREATE FUNCTION sid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds bigint, OUT random bigint)
RETURNS record
AS 'MODULE_PATHNAME', 'sid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_fields(uuid) IS
'time and fields of a SID; NULL if the UUID is not a SID';

CREATE FUNCTION sid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_to_uuid(text) IS
'SID as the UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_sid(id uuid, form text DEFAULT 'decimal')
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sid(uuid, text) IS
'inverse of sid_to_uuid; forms decimal, hex, base32 and base64';

--
-- CUID (version 1; a CUID2 has no time): text of 25 characters, or uuid
--

CREATE FUNCTION cuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'cuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_timestamp(text) IS
'creation time of a CUID';

CREATE FUNCTION cuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'cuid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_timestamp(uuid) IS
'creation time of a CUID; NULL if the UUID is not a CUID';

CREATE FUNCTION cuid_fields(id text,
	OUT "timestamp" timestamptz, OUT counter int, OUT fingerprint text, OUT random text)
RETURNS record
AS 'MODULE_PATHNAME', 'cuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_fields(text) IS
'time and fields of a CUID';

CREATE FUNCTION cuid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT counter int, OUT fingerprint text, OUT random text)
RETURNS record
AS 'MODULE_PATHNAME', 'cuid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_fields(uuid) IS
'time and fields of a CUID; NULL if the UUID is not a CUID';

CREATE FUNCTION cuid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'cuid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_to_uuid(text) IS
'CUID as a UUID of its digits as a number; sorts by time';

CREATE FUNCTION uuid_to_cuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_cuid(uuid) IS
'inverse of cuid_to_uuid';

--
-- KSUID: text of 27 characters, or 20 octets, which do not fit a UUID
--

CREATE FUNCTION ksuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ksuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_timestamp(text) IS
'creation time of a KSUID';

CREATE FUNCTION ksuid_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ksuid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_timestamp(bytea) IS
'creation time of a KSUID';

CREATE FUNCTION ksuid_fields(id text,
	OUT "timestamp" timestamptz, OUT payload bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ksuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_fields(text) IS
'time and fields of a KSUID';

CREATE FUNCTION ksuid_fields(id bytea,
	OUT "timestamp" timestamptz, OUT payload bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ksuid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_fields(bytea) IS
'time and fields of a KSUID';

CREATE FUNCTION ksuid_to_bytea(id text)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_bytea(text) IS
'KSUID as its 20 octets, which sort by time';

CREATE FUNCTION bytea_to_ksuid(id bytea)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea_to_ksuid(bytea) IS
'inverse of ksuid_to_bytea';

CREATE FUNCTION ksuid_to_uuid_lossy(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_text_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(text) IS
'version 8 UUID that sorts by time, from the time of a KSUID and the last 74 of its 128 random '
'bits; not reversible';

CREATE FUNCTION ksuid_to_uuid_lossy(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_bytea_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(bytea) IS
'version 8 UUID that sorts by time, from the time of a KSUID and the last 74 of its 128 random '
'bits; not reversible';

--
-- COMB GUID: version 4 uuid, variants postgresql, sql, legacy (SQL Server) and oracle
--

CREATE FUNCTION comb_timestamp(id uuid, variant text DEFAULT 'postgresql')
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_timestamp(uuid, text) IS
'creation time of a COMB GUID; NULL for another version';

CREATE FUNCTION comb_convert(id uuid, from_variant text, to_variant text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_convert(uuid, text, text) IS
'COMB GUID converted to another variant; postgresql sorts by time';

CREATE FUNCTION comb_to_uuid(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_to_uuid(uuid, text) IS
'COMB GUID as a version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_comb(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_comb(uuid, text) IS
'inverse of comb_to_uuid';

--
-- Ordered UUID (Laravel's Str::orderedUuid): version 4 uuid
--

CREATE FUNCTION ordered_uuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_timestamp(uuid) IS
'creation time of an ordered UUID, with version 4 or 8; NULL for another version';

CREATE FUNCTION ordered_uuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_to_uuid(uuid) IS
'ordered UUID with version 8, which describes its layout, instead of 4';

CREATE FUNCTION uuid_to_ordered_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ordered_uuid(uuid) IS
'inverse of ordered_uuid_to_uuid';

--
-- min(uuid) and max(uuid), which PostgreSQL has from 20 on
--

CREATE FUNCTION uuidnew_uuid_smaller(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_smaller(uuid, uuid) IS
'smaller of two UUIDs, for min(uuid)';

CREATE FUNCTION uuidnew_uuid_larger(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_larger(uuid, uuid) IS
'larger of two UUIDs, for max(uuid)';

-- The database keeps aggregates of its own, which many databases have.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	aggregate record;
BEGIN
	FOR aggregate IN VALUES
		('min', 'uuidnew_uuid_smaller', '<', 'smallest UUID'),
		('max', 'uuidnew_uuid_larger', '>', 'largest UUID')
	LOOP
		CONTINUE WHEN pg_catalog.to_regprocedure(pg_catalog.format(
			'pg_catalog.%I(pg_catalog.uuid)', aggregate.column1)) IS NOT NULL;
		IF EXISTS (
			SELECT FROM pg_catalog.pg_proc
			WHERE proname OPERATOR(pg_catalog.=) aggregate.column1::name
				AND pronargs OPERATOR(pg_catalog.=) 1
				AND proargtypes[0] OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype
				AND prokind OPERATOR(pg_catalog.=) 'a'::"char"
				AND NOT pg_catalog.pg_is_other_temp_schema(pronamespace)
				AND pronamespace OPERATOR(pg_catalog.<>) pg_catalog.pg_my_temp_schema())
		THEN
			RAISE NOTICE 'aggregate %(uuid) exists and is kept', aggregate.column1;
			CONTINUE;
		END IF;
		EXECUTE pg_catalog.format('CREATE AGGREGATE %1$I.%2$I(pg_catalog.uuid) ('
			'SFUNC = %1$I.%3$I, STYPE = pg_catalog.uuid, COMBINEFUNC = %1$I.%3$I, '
			'SORTOP = OPERATOR(pg_catalog.%4$s), PARALLEL = SAFE)',
			schema, aggregate.column1, aggregate.column2, aggregate.column3);
		EXECUTE pg_catalog.format('COMMENT ON AGGREGATE %I.%I(pg_catalog.uuid) IS %L',
			schema, aggregate.column1, aggregate.column4);
	END LOOP;
END $do$;

--
-- Order: the UUID below which no transaction has a UUID in flight
--

CREATE FUNCTION uuidnew_horizon_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_horizon_support(internal) IS
'planner support of uuid_v6_horizon, uuid_v7_horizon, uuidv7_horizon and uuid_v8_horizon';

CREATE FUNCTION uuid_v6_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v6_horizon() IS
'version 6 UUID below which no transaction has a UUID in flight; requires a statement of its own';

CREATE FUNCTION uuid_v7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v7_horizon() IS
'draft version 7 UUID below which no transaction has a UUID in flight; requires a statement of '
'its own';

CREATE FUNCTION uuid_v7_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v7_horizon(text) IS
'version 7 UUID in a layout below which no transaction has a UUID in flight; requires a statement '
'of its own';

CREATE FUNCTION uuidv7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuidv7_horizon() IS
'RFC 9562 version 7 UUID below which no transaction has a UUID in flight; requires a statement of '
'its own';

CREATE FUNCTION uuid_v8_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon() IS
'version 8 UUID below which no transaction has a UUID in flight; requires a statement of its own';

CREATE FUNCTION uuid_v8_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon(text) IS
'version 8 UUID in a layout below which no transaction has a UUID in flight; requires a statement '
'of its own';

CREATE FUNCTION uuid_v8_horizon(layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuidnew_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon(text, timestamptz) IS
'version 8 UUID in a layout with an epoch below which no transaction has a UUID in flight; '
'requires a statement of its own';

--
-- Order: for administrators
--

CREATE FUNCTION uuidnew_order(
	OUT scope text, OUT version int, OUT layout text, OUT last_time timestamptz,
	OUT ahead interval, OUT reserved_until timestamptz, OUT held_since timestamptz,
	OUT held_by_pid int, OUT held_by_xid xid, OUT shared_bytes bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuidnew_order() IS
'state of uuidnew.order_scope, one row for each layout with keys: last time, reserved time, and '
'the transaction with the oldest key in flight';
REVOKE ALL ON FUNCTION uuidnew_order() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION uuidnew_order() TO pg_monitor;

CREATE FUNCTION uuidnew_order_begin_at(timestamptz)
RETURNS void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION uuidnew_order_begin_at(timestamptz) IS
'time of the first keys after the server is next started with uuidnew.order_scope = server; '
'requires uuidnew.order_scope = session until then';
REVOKE ALL ON FUNCTION uuidnew_order_begin_at(timestamptz) FROM PUBLIC;
