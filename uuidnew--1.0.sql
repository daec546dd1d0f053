/* uuidnew--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION uuidnew" to load this file. \quit

--
-- Version 1: generation with random bits, extraction, conversion to and from version 6
--

CREATE FUNCTION uuid_generate_v1_random()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v1_random() IS
'generate version 1 UUID with 62 random bits instead of clock sequence and node';

CREATE FUNCTION uuid_generate_v1_random_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v1_random_at(timestamptz) IS
'generate version 1 UUID with specified timestamp and 62 random bits';

CREATE FUNCTION uuid_v1_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_timestamp(uuid) IS
'extract timestamp from version 1 UUID, truncated to microseconds; NULL for any other UUID';

CREATE FUNCTION uuid_v1_to_v6(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS
'convert version 1 UUID to version 6, which sorts by time; error for any other UUID';

CREATE FUNCTION uuid_v6_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS
'convert version 6 UUID to version 1 (inverse of uuid_v1_to_v6)';

-- The code of "Really unique UUIDs" counts milliseconds since 1970, not 100 ns since 1582.
CREATE FUNCTION uuid_v1_unix_ms_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_timestamp(uuid) IS
'extract timestamp from version 1 UUID that counts ms since 1970; NULL for any other UUID';

CREATE FUNCTION uuid_v1_unix_ms_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_to_v1(uuid) IS
'correct version 1 UUID that counts ms since 1970; error for any other UUID';

--
-- Version 6
--
-- Here and below, functions are not STRICT if node, sequence or another argument may be NULL.
--

CREATE FUNCTION uuid_generate_v6()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
'generate version 6 UUID, in ascending order within a session';

CREATE FUNCTION uuid_generate_v6(node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6(bytea) IS
'generate version 6 UUID; node: up to 6 octets (NULL: machine id or random)';

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz) IS
'generate version 6 UUID with specified timestamp';

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz, bigint, bytea) IS
'generate version 6 UUID with specified timestamp; sequence: order within one timestamp, from 0 '
'(NULL: random); node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuid_v6_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_timestamp(uuid) IS
'extract timestamp from version 6 UUID, truncated to microseconds; NULL for any other UUID';

CREATE FUNCTION uuid_v6_node(id uuid, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_node(uuid, int) IS
'extract first octets of the node from version 6 UUID; NULL for any other UUID';

CREATE FUNCTION uuid_v6_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_min(timestamptz) IS
'smallest version 6 UUID with this time or a later one';

CREATE FUNCTION uuid_v6_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_max(timestamptz) IS
'largest version 6 UUID with this time or an earlier one';

--
-- Draft version 7: layouts millisecond, microsecond (default) and nanosecond
--
-- A version 7 UUID below the border, 03000000-0000-7000-8000-000000000000, is an RFC 9562 UUID,
-- with a time from 1970 to 2074. The border and any greater version 7 UUID are draft UUIDs, with
-- a time from 1995 to 4147. Functions for draft UUIDs return NULL for RFC 9562 UUIDs, and vice
-- versa. The argument "layout" also accepts rfc9562.
--

CREATE FUNCTION uuid_generate_v7()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7() IS
'generate draft version 7 UUID in layout microsecond, in ascending order within a session';

CREATE FUNCTION uuid_generate_v7(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text) IS
'generate version 7 UUID in layout rfc9562, or draft layout millisecond, microsecond or nanosecond';

CREATE FUNCTION uuid_generate_v7(layout text, node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text, bytea) IS
'generate version 7 UUID with specified layout; node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz) IS
'generate draft version 7 UUID with specified timestamp in layout microsecond';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text) IS
'generate version 7 UUID with specified timestamp and layout';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text, sequence bigint,
	node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text, bigint, bytea) IS
'generate version 7 UUID with specified timestamp and layout; sequence: order within one '
'timestamp, from 0 (NULL: random); node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuid_v7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid) IS
'extract timestamp from draft version 7 UUID, to the microsecond; NULL for any other UUID';

CREATE FUNCTION uuid_v7_timestamp(id uuid, layout text)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp(uuid, text) IS
'extract timestamp from version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v7_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_node(uuid, text, int) IS
'extract first octets of the node from version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz) IS
'smallest draft version 7 UUID with this time or a later one';

CREATE FUNCTION uuid_v7_min(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz, text) IS
'smallest version 7 UUID in a layout with this time or a later one';

CREATE FUNCTION uuid_v7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz) IS
'largest draft version 7 UUID with this time or an earlier one';

CREATE FUNCTION uuid_v7_max(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz, text) IS
'largest version 7 UUID in a layout with this time or an earlier one';

CREATE FUNCTION uuid_v7_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuid_v7_min(ts)::text;
COMMENT ON FUNCTION uuid_v7_partman_encoder(timestamptz) IS
'encode timestamp as draft version 7 key, for p_time_encoder of pg_partman';

CREATE FUNCTION uuid_v7_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(uuid_v7_timestamp(id::uuid),
	CASE WHEN id::uuid OPERATOR(pg_catalog.<) '03000000-0000-7000-8000-000000000000'::uuid
		THEN '-infinity'::timestamptz ELSE 'infinity'::timestamptz END);
COMMENT ON FUNCTION uuid_v7_partman_decoder(text) IS
'decode draft version 7 key for p_time_decoder of pg_partman; other UUIDs: -infinity below the '
'first draft UUID, else infinity';

CREATE FUNCTION uuid_v7_layout(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_layout(uuid) IS
'rfc9562 or draft for version 7 UUID, by its range; none for another version';

CREATE FUNCTION uuid_v7_convert(id uuid, from_layout text, to_layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_convert(uuid, text, text) IS
'convert version 7 UUID to another layout; keeps order, and time to the coarser unit of both';

--
-- RFC 9562 version 7: the names of these functions begin with uuidv7
--

CREATE FUNCTION uuidv7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS
'generate RFC 9562 version 7 UUID with specified timestamp';

CREATE FUNCTION uuidv7_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidv7_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz, bigint, bytea) IS
'generate RFC 9562 version 7 UUID with specified timestamp; sequence: order within one timestamp, '
'from 0 (NULL: random); node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuidv7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_timestamp(uuid) IS
'extract timestamp from RFC 9562 version 7 UUID, to the millisecond; NULL for any other UUID';

CREATE FUNCTION uuidv7_timestamp_micros(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_timestamp_micros(uuid) IS
'like uuidv7_timestamp, to the microsecond; up to 1 ms late if the generator wrote no fraction';

CREATE FUNCTION uuidv7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_min(timestamptz) IS
'smallest RFC 9562 version 7 UUID with this time or a later one';

CREATE FUNCTION uuidv7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_max(timestamptz) IS
'largest RFC 9562 version 7 UUID with this time or an earlier one';

CREATE FUNCTION uuid_v7_rfc9562_partman_encoder(ts timestamptz)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN uuidv7_min(ts)::text;
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_encoder(timestamptz) IS
'encode timestamp as RFC 9562 version 7 key, for p_time_encoder of pg_partman';

CREATE FUNCTION uuid_v7_rfc9562_partman_decoder(id text)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(uuidv7_timestamp(id::uuid),
	CASE WHEN id::uuid OPERATOR(pg_catalog.<) '03000000-0000-7000-8000-000000000000'::uuid
		THEN '-infinity'::timestamptz ELSE 'infinity'::timestamptz END);
COMMENT ON FUNCTION uuid_v7_rfc9562_partman_decoder(text) IS
'decode RFC 9562 version 7 key for p_time_decoder of pg_partman; other UUIDs: -infinity below the '
'first draft UUID, else infinity';

--
-- PostgreSQL 18's functions. They are created even on servers that have them in pg_catalog, so that
-- a dump with DEFAULT public.uuidv7() can be restored on every server.
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

-- COMMENT ON must name the schema, because pg_catalog comes first in the search path.
--
-- A trusted extension's script runs as a superuser. The DO blocks therefore qualify each function
-- and operator with its schema, so that they never call one that another role has created.
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
-- Windows: ranges of key times. The planner replaces a window function with a filter and
-- comparisons of the key with bounds.
--

CREATE FUNCTION uuidnew_window_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_window_support(internal) IS
'planner support for windows and their filters';

--
-- Bounds of windows. They are not STRICT if a NULL end is open.
--

CREATE FUNCTION uuid_v6_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_since(timestamptz) IS
'lower bound, inclusive, of window of version 6 keys; NULL: nil UUID';

CREATE FUNCTION uuid_v6_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_until(timestamptz) IS
'upper bound, exclusive, of window of version 6 keys; NULL: max UUID';

CREATE FUNCTION uuid_v7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz) IS
'lower bound, inclusive, of window of draft version 7 keys; NULL: first draft UUID';

CREATE FUNCTION uuid_v7_since(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz, text) IS
'lower bound, inclusive, of window of version 7 keys in a layout; NULL: first UUID of draft or RFC '
'9562';

CREATE FUNCTION uuid_v7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz) IS
'upper bound, exclusive, of window of draft version 7 keys; NULL: max UUID';

CREATE FUNCTION uuid_v7_until(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz, text) IS
'upper bound, exclusive, of window of version 7 keys in a layout; NULL: end of draft or RFC 9562';

CREATE FUNCTION uuidv7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_since(timestamptz) IS
'lower bound, inclusive, of window of RFC 9562 version 7 keys; NULL: first RFC 9562 UUID';

CREATE FUNCTION uuidv7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_until(timestamptz) IS
'upper bound, exclusive, of window of RFC 9562 version 7 keys; NULL: first draft UUID';

CREATE FUNCTION uuid_v8_since(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_since(timestamptz, text, timestamptz) IS
'lower bound, inclusive, of window of version 8 keys in a layout; NULL: nil UUID';

CREATE FUNCTION uuid_v8_until(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_until(timestamptz, text, timestamptz) IS
'upper bound, exclusive, of window of version 8 keys in a layout; NULL: max UUID';

CREATE FUNCTION uuidv7_range_since(range tstzrange)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_range_since(tstzrange) IS
'lower bound, inclusive, of RFC 9562 version 7 keys with time in range';

CREATE FUNCTION uuidv7_range_until(range tstzrange)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_range_until(tstzrange) IS
'upper bound, exclusive, of RFC 9562 version 7 keys with time in range';

--
-- Filters of windows, also for CHECK constraints: true if the key has a time. They cost more than
-- comparisons of the key, which cost 1, so that the executor evaluates them later.
--

CREATE FUNCTION uuid_v6_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v6_is(uuid) IS
'true for version 6 UUID';

CREATE FUNCTION uuid_v7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_is(uuid) IS
'true for draft version 7 UUID';

CREATE FUNCTION uuid_v7_is(id uuid, layout text)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_is(uuid, text) IS
'true for version 7 UUID in a layout; a draft layout matches every draft UUID';

CREATE FUNCTION uuidv7_is(id uuid)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_is(uuid) IS
'true for RFC 9562 version 7 UUID';

CREATE FUNCTION uuid_v8_is(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1.01
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v8_is(uuid, text, timestamptz) IS
'true for version 8 UUID with a valid timestamp in a layout';

--
-- Windows with two ends: since <= time < until. A NULL end is open.
--

CREATE FUNCTION uuid_v6_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v6_between(uuid, timestamptz, timestamptz) IS
'true if version 6 key has since <= time < until; NULL end is open; no match for other keys; can '
'use index';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
'true if draft version 7 key has since <= time < until; NULL end is open; no match for other keys; '
'can use index';

CREATE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz, layout text)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz, text) IS
'true if version 7 key in a layout has since <= time < until; NULL end is open; no match for other '
'keys; can use index';

CREATE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_between(uuid, timestamptz, timestamptz) IS
'true if RFC 9562 version 7 key has since <= time < until; NULL end is open; no match for other '
'keys; can use index';

CREATE FUNCTION uuid_v8_between(id uuid, since timestamptz, until timestamptz,
	layout text DEFAULT 'unix64', epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v8_between(uuid, timestamptz, timestamptz, text, timestamptz) IS
'true if version 8 key in a layout has since <= time < until; NULL end is open; no match for other '
'keys; can use index';

--
-- Windows with one end, for jobs that delete rows. A NULL operand matches no rows.
--

CREATE FUNCTION uuid_v7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_before(uuid, timestamptz) IS
'true if draft version 7 key has time < ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuid_v7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuid_v7_from(uuid, timestamptz) IS
'true if draft version 7 key has time >= ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuidv7_before(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_before(uuid, timestamptz) IS
'true if RFC 9562 version 7 key has time < ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuidv7_from(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_from(uuid, timestamptz) IS
'true if RFC 9562 version 7 key has time >= ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuidv7_upto(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_upto(uuid, timestamptz) IS
'true if RFC 9562 version 7 key has time <= ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuidv7_after(id uuid, ts timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_after(uuid, timestamptz) IS
'true if RFC 9562 version 7 key has time > ts; no match for other keys or NULL; can use index';

CREATE FUNCTION uuidv7_within(id uuid, range tstzrange)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidnew_window_support;
COMMENT ON FUNCTION uuidv7_within(uuid, tstzrange) IS
'true if RFC 9562 version 7 key has time in range; no match for other keys or NULL; can use index';

-- No operator has a negator, because for any other UUID both would be false. An operator that the
-- database already has is kept.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	op record;
BEGIN
	-- CREATE EXTENSION has set this to warning, which would hide the notices here and below.
	IF pg_catalog.current_setting('client_min_messages') OPERATOR(pg_catalog.=) 'warning' THEN
		PERFORM pg_catalog.set_config('client_min_messages', 'notice', true);
	END IF;
	FOR op IN VALUES
		('<', 'timestamptz', 'uuidv7_before', 'scalarltsel', 'scalarltjoinsel',
			'RFC 9562 version 7 key earlier than timestamp'),
		('<=', 'timestamptz', 'uuidv7_upto', 'scalarlesel', 'scalarlejoinsel',
			'RFC 9562 version 7 key no later than timestamp'),
		('>=', 'timestamptz', 'uuidv7_from', 'scalargesel', 'scalargejoinsel',
			'RFC 9562 version 7 key no earlier than timestamp'),
		('>', 'timestamptz', 'uuidv7_after', 'scalargtsel', 'scalargtjoinsel',
			'RFC 9562 version 7 key later than timestamp'),
		('<@', 'tstzrange', 'uuidv7_within', 'matchingsel', 'matchingjoinsel',
			'RFC 9562 version 7 key with timestamp in range')
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
-- Timestamps of versions 1, 6 and 7
--

CREATE FUNCTION uuid_time(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_time(uuid) IS
'extract timestamp from version 1, 6 or 7 UUID, draft or RFC 9562; NULL for any other UUID';

-- A cast that the database already has is kept.
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
	'extract timestamp from version 1, 6 or 7 UUID, draft or RFC 9562; NULL for any other UUID';
END $do$;

CREATE FUNCTION uuid_refuse_skew()
RETURNS trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;
COMMENT ON FUNCTION uuid_refuse_skew() IS
'trigger (column, ahead, back) that refuses keys whose time is too far from the clock';

--
-- Version 8: unix32, unix48, gregorian60, unix64 (default), ntp64, iso8601, julian64, custom
--

CREATE FUNCTION uuid_generate_v8(layout text DEFAULT 'unix64', node bytea DEFAULT NULL,
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8(text, bytea, timestamptz) IS
'generate version 8 UUID in layout unix32, unix48, gregorian60, unix64, ntp64, iso8601, julian64 '
'or custom, such as custom(1000/s, 48, 12); node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuid_generate_v8_at(ts timestamptz, layout text DEFAULT 'unix64',
	node bytea DEFAULT NULL, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz) IS
'generate version 8 UUID with specified timestamp and layout; node: first octets (NULL: machine id '
'or random)';

-- There are no defaults, so that a call with fewer arguments calls the function above.
CREATE FUNCTION uuid_generate_v8_at(ts timestamptz, layout text, node bytea, epoch timestamptz,
	sequence bigint)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v8_at'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz, bigint) IS
'generate version 8 UUID with specified timestamp and layout; sequence: order within one '
'timestamp, from 0 (NULL: random); node: first octets (NULL: machine id or random)';

CREATE FUNCTION uuid_v8_timestamp(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_timestamp(uuid, text, timestamptz) IS
'extract timestamp from version 8 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v8_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_node(uuid, text, int) IS
'extract first octets of the node from version 8 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_v8_min(ts timestamptz, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_min(timestamptz, text, timestamptz) IS
'smallest version 8 UUID in a layout with this time or a later one';

CREATE FUNCTION uuid_v8_max(ts timestamptz, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_max(timestamptz, text, timestamptz) IS
'largest version 8 UUID in a layout with this time or an earlier one';

CREATE FUNCTION uuid_v8(octets bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_v8_from_octets'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8(bytea) IS
'create version 8 UUID from 16 octets; version and variant replace 6 of their bits';

CREATE FUNCTION uuid_v8_from_bits(bits bit)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_bits(bit) IS
'create version 8 UUID from 122 bits, with version and variant inserted';

CREATE FUNCTION uuid_v8_to_bits(id uuid)
RETURNS bit
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_to_bits(uuid) IS
'extract 122 bits from version 8 UUID (inverse of uuid_v8_from_bits); NULL for any other UUID';

--
-- All fields of a UUID
--
-- "timestamp" is truncated to the microsecond. "nanoseconds" counts from 1970 and is numeric,
-- because bigint ends in 2262. Both have the precision of the layout. Zeros fill the last octet of
-- "node". The row is NULL for any other UUID, and if the bits do not encode a time. An unknown
-- layout, an infinite epoch, and an epoch for a layout with a fixed epoch raise 22023.
--

CREATE FUNCTION uuid_v1_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea,
	OUT mac macaddr)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_fields(uuid) IS
'extract fields from version 1 UUID; mac is NULL if multicast bit is set; NULL for any other UUID';

CREATE FUNCTION uuid_v6_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_fields(uuid) IS
'extract fields from version 6 UUID; NULL for any other UUID';

CREATE FUNCTION uuid_v7_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_fields(uuid) IS
'extract fields from draft version 7 UUID in layout microsecond; NULL for any other UUID';

CREATE FUNCTION uuid_v7_fields(id uuid, layout text,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_fields(uuid, text) IS
'extract fields from version 7 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuidv7_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_fields(uuid) IS
'extract fields from RFC 9562 version 7 UUID, as uuidnew writes them; NULL for any other UUID';

CREATE FUNCTION uuid_v8_fields(id uuid, layout text DEFAULT 'unix64',
	epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_fields(uuid, text, timestamptz) IS
'extract fields from version 8 UUID in a layout; NULL for any other UUID';

CREATE FUNCTION uuid_info(id uuid,
	OUT version int, OUT variant text, OUT description text, OUT layout text,
	OUT "timestamp" timestamptz, OUT sequence bigint, OUT machine_id bigint, OUT node bytea,
	OUT readings text)
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_info(uuid) IS
'describe UUID: version, variant, fields of likely layout, and all ways to read its time';

--
-- Machine id
--

CREATE FUNCTION uuid_machine_id(id uuid, bits int)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int) IS
'extract machine id from version 6, microsecond, rfc9562 or unix64 UUID; NULL for any other UUID';

CREATE FUNCTION uuid_machine_id(id uuid, bits int, layout text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_machine_id(uuid, int, text) IS
'extract machine id from version 7 or 8 UUID in a layout; NULL for any other UUID';

--
-- Text forms
--

CREATE FUNCTION uuid_to_base32hex(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base32hex(uuid) IS
'convert UUID to 26 characters of base32hex; sorts like the UUID in collation "C"';

CREATE FUNCTION base32hex_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base32hex_to_uuid(text) IS
'convert base32hex, in any case, to UUID; error 22P02 for any other text';

CREATE FUNCTION uuid_to_base58(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base58(uuid) IS
'convert UUID to 22 characters of base58; sorts like the UUID in collation "C"';

CREATE FUNCTION base58_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base58_to_uuid(text) IS
'convert base58 to UUID; error 22P02 for any other text';

CREATE FUNCTION uuid_to_base64url(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base64url(uuid) IS
'convert UUID to 22 characters of base64url; does not sort like the UUID';

CREATE FUNCTION base64url_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base64url_to_uuid(text) IS
'convert base64url to UUID; error 22P02 for any other text';

CREATE FUNCTION uuid_to_typeid(id uuid, prefix text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
'convert UUID to TypeID; prefix: at most 63 lower-case letters and inner underscores, or empty';

CREATE FUNCTION typeid_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text) IS
'convert TypeID with any prefix to UUID; error 22P02 for any other text';

CREATE FUNCTION typeid_to_uuid(value text, prefix text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text, text) IS
'convert TypeID with this prefix to UUID; error 22P02 for any other text, 22023 for invalid prefix';

CREATE FUNCTION typeid_prefix(value text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_prefix(text) IS
'extract prefix from TypeID, or an empty string; error 22P02 for any other text';

--
-- UUIDv47: version 7 keys that clients see without their time
--

CREATE FUNCTION uuidv47_encode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_encode(uuid, bytea) IS
'mask timestamp of version 7 UUID with a key of 16 octets; the result has version 4';

CREATE FUNCTION uuidv47_decode(id uuid, key bytea)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION uuidv47_decode(uuid, bytea) IS
'recover version 7 UUID from uuidv47_encode; meaningless with another key or version 4 UUID';

--
-- IDs of other systems. Each system has these functions, for each type that stores its IDs:
--
-- 	<system>_timestamp	extracts the timestamp
-- 	<system>_fields		extracts the timestamp and all other fields
-- 	<system>_to_uuid	converts the ID to a UUID that sorts by time
-- 	uuid_to_<system>	converts the UUID back
--
-- IDs that fit version 8 layout unix48 become version 8 UUIDs, which sort by time across systems.
-- uuid_v8_timestamp(id, 'unix48') reads them.
--

--
-- Locality UUID (Groupon), "version b": uuid
--

CREATE FUNCTION uuid_generate_vb(mode text DEFAULT 'variable', mac macaddr DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_vb(text, macaddr) IS
'generate version b UUID; mode variable spreads writes over the index, sequential keeps them '
'together; mac (NULL: uuidnew.vb_mac or random)';

CREATE FUNCTION uuid_vb_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_timestamp(uuid) IS
'extract timestamp from version b UUID, to the millisecond; NULL for any other UUID';

CREATE FUNCTION uuid_vb_counter(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid) IS
'extract counter from version b UUID in mode variable; NULL for any other UUID';

CREATE FUNCTION uuid_vb_counter(id uuid, mode text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid, text) IS
'extract counter from version b UUID in mode variable, sequential or java; NULL for any other '
'UUID, or if Groupon''s Java code lost bits';

CREATE FUNCTION uuid_vb_process_id(id uuid)
RETURNS int
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_process_id(uuid) IS
'extract process id, modulo 65536, from version b UUID; NULL for any other UUID';

CREATE FUNCTION uuid_vb_mac_fragment(id uuid)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_mac_fragment(uuid) IS
'extract last 28 bits of MAC address, in 4 octets, from version b UUID; NULL for any other UUID';

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
'extract timestamp and fields from version b UUID in a mode; NULL for any other UUID';

CREATE FUNCTION vb_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION vb_to_uuid(uuid) IS
'move timestamp of version b UUID to the front; sorts by time, but has no valid version';

CREATE FUNCTION uuid_to_vb(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_vb(uuid) IS
'convert UUID back to version b (inverse of vb_to_uuid)';

--
-- Snowflake (Twitter, and Discord with another epoch): bigint
--

CREATE FUNCTION snowflake_timestamp(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'snowflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_timestamp(bigint, timestamptz) IS
'extract timestamp from Snowflake ID';

CREATE FUNCTION snowflake_fields(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'snowflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_fields(bigint, timestamptz) IS
'extract timestamp and fields from Snowflake ID';

CREATE FUNCTION snowflake_to_uuid(id bigint,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'snowflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_to_uuid(bigint, timestamptz) IS
'convert Snowflake ID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_snowflake(id uuid,
	epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_snowflake(uuid, timestamptz) IS
'convert UUID back to Snowflake ID (inverse of snowflake_to_uuid)';

--
-- ShardingID (Instagram): bigint, negative from 2046 on
--

CREATE FUNCTION shardingid_timestamp(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'shardingid_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_timestamp(bigint, timestamptz) IS
'extract timestamp from ShardingID';

CREATE FUNCTION shardingid_fields(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00',
	OUT "timestamp" timestamptz, OUT shard int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'shardingid_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_fields(bigint, timestamptz) IS
'extract timestamp and fields from ShardingID';

CREATE FUNCTION shardingid_to_uuid(id bigint,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'shardingid_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_to_uuid(bigint, timestamptz) IS
'convert ShardingID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_shardingid(id uuid,
	epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_shardingid(uuid, timestamptz) IS
'convert UUID back to ShardingID (inverse of shardingid_to_uuid)';

--
-- FlakeID (T-PWK/flake-idgen): bigint, negative from 2039 on, or 8 octets
--

CREATE FUNCTION flakeid_timestamp(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flakeid_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_timestamp(bigint, timestamptz) IS
'extract timestamp from FlakeID';

CREATE FUNCTION flakeid_timestamp(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flakeid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_timestamp(bytea, timestamptz) IS
'extract timestamp from FlakeID';

CREATE FUNCTION flakeid_fields(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'flakeid_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_fields(bigint, timestamptz) IS
'extract timestamp and fields from FlakeID';

CREATE FUNCTION flakeid_fields(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'flakeid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_fields(bytea, timestamptz) IS
'extract timestamp and fields from FlakeID';

CREATE FUNCTION flakeid_to_uuid(id bigint, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'flakeid_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_to_uuid(bigint, timestamptz) IS
'convert FlakeID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION flakeid_to_uuid(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'flakeid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_to_uuid(bytea, timestamptz) IS
'convert FlakeID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_flakeid(id uuid, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flakeid(uuid, timestamptz) IS
'convert UUID back to FlakeID (inverse of flakeid_to_uuid)';

--
-- Sonyflake: bigint; version 2 has the epoch 2025-01-01
--

CREATE FUNCTION sonyflake_timestamp(id bigint,
	epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sonyflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_timestamp(bigint, timestamptz, int) IS
'extract timestamp from Sonyflake ID';

CREATE FUNCTION sonyflake_fields(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10,
	OUT "timestamp" timestamptz, OUT sequence int, OUT machine int)
RETURNS record
AS 'MODULE_PATHNAME', 'sonyflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_fields(bigint, timestamptz, int) IS
'extract timestamp and fields from Sonyflake ID';

CREATE FUNCTION sonyflake_to_uuid(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sonyflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_to_uuid(bigint, timestamptz, int) IS
'convert Sonyflake ID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_sonyflake(id uuid, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00',
	unit_ms int DEFAULT 10)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sonyflake(uuid, timestamptz, int) IS
'convert UUID back to Sonyflake ID (inverse of sonyflake_to_uuid)';

--
-- Mastodon: bigint
--

CREATE FUNCTION mastodon_timestamp(id bigint)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'mastodon_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_timestamp(bigint) IS
'extract timestamp from Mastodon ID';

CREATE FUNCTION mastodon_fields(id bigint,
	OUT "timestamp" timestamptz, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'mastodon_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_fields(bigint) IS
'extract timestamp and fields from Mastodon ID';

CREATE FUNCTION mastodon_to_uuid(id bigint)
RETURNS uuid
AS 'MODULE_PATHNAME', 'mastodon_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION mastodon_to_uuid(bigint) IS
'convert Mastodon ID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_mastodon(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_mastodon(uuid) IS
'convert UUID back to Mastodon ID (inverse of mastodon_to_uuid)';

--
-- LexicalUUID (Twitter's Cassie): text of 32 hexadecimal digits, or uuid
--

CREATE FUNCTION lexicaluuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'lexicaluuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_timestamp(text) IS
'extract timestamp from LexicalUUID';

CREATE FUNCTION lexicaluuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_timestamp(uuid) IS
'extract timestamp from LexicalUUID';

CREATE FUNCTION lexicaluuid_fields(id text,
	OUT "timestamp" timestamptz, OUT worker bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'lexicaluuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_fields(text) IS
'extract timestamp and fields from LexicalUUID';

CREATE FUNCTION lexicaluuid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT worker bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_fields(uuid) IS
'extract timestamp and fields from LexicalUUID';

CREATE FUNCTION lexicaluuid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'lexicaluuid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_to_uuid(text) IS
'convert LexicalUUID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION lexicaluuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_to_uuid(uuid) IS
'convert LexicalUUID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_lexicaluuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_lexicaluuid(uuid) IS
'convert UUID back to LexicalUUID (inverse of lexicaluuid_to_uuid)';

--
-- Elasticflake (Elasticsearch before 6): text of 20 characters
--

CREATE FUNCTION elasticflake_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'elasticflake_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_timestamp(text) IS
'extract timestamp from Elasticflake ID';

CREATE FUNCTION elasticflake_fields(id text,
	OUT "timestamp" timestamptz, OUT address bytea, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'elasticflake_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_fields(text) IS
'extract timestamp and fields from Elasticflake ID';

CREATE FUNCTION elasticflake_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'elasticflake_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION elasticflake_to_uuid(text) IS
'convert Elasticflake ID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_elasticflake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_elasticflake(uuid) IS
'convert UUID back to Elasticflake ID (inverse of elasticflake_to_uuid)';

--
-- pushID (Firebase): text of 20 characters
--

CREATE FUNCTION pushid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'pushid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_timestamp(text) IS
'extract timestamp from pushID';

CREATE FUNCTION pushid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'pushid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_fields(text) IS
'extract timestamp and fields from pushID';

CREATE FUNCTION pushid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'pushid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION pushid_to_uuid(text) IS
'convert pushID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_pushid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_pushid(uuid) IS
'convert UUID back to pushID (inverse of pushid_to_uuid)';

--
-- XID (rs/xid): text of 20 characters
--

CREATE FUNCTION xid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'xid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_timestamp(text) IS
'extract timestamp from XID';

CREATE FUNCTION xid_fields(id text,
	OUT "timestamp" timestamptz, OUT machine bytea, OUT pid int, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'xid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_fields(text) IS
'extract timestamp and fields from XID';

CREATE FUNCTION xid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'xid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION xid_to_uuid(text) IS
'convert XID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_xid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_xid(uuid) IS
'convert UUID back to XID (inverse of xid_to_uuid)';

--
-- ObjectID (MongoDB): text of 24 hexadecimal digits, or 12 octets
--

CREATE FUNCTION objectid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'objectid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_timestamp(text) IS
'extract timestamp from ObjectID';

CREATE FUNCTION objectid_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'objectid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_timestamp(bytea) IS
'extract timestamp from ObjectID';

CREATE FUNCTION objectid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'objectid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_fields(text) IS
'extract timestamp and fields from ObjectID';

CREATE FUNCTION objectid_fields(id bytea,
	OUT "timestamp" timestamptz, OUT random bytea, OUT counter int)
RETURNS record
AS 'MODULE_PATHNAME', 'objectid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_fields(bytea) IS
'extract timestamp and fields from ObjectID';

CREATE FUNCTION objectid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'objectid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_uuid(text) IS
'convert ObjectID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION objectid_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'objectid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_uuid(bytea) IS
'convert ObjectID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_objectid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_objectid(uuid) IS
'convert UUID back to ObjectID (inverse of objectid_to_uuid)';

--
-- Flake (Boundary): text in base 62, 16 octets, or uuid
--

CREATE FUNCTION flake_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(text) IS
'extract timestamp from Flake ID';

CREATE FUNCTION flake_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(bytea) IS
'extract timestamp from Flake ID';

CREATE FUNCTION flake_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'flake_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_timestamp(uuid) IS
'extract timestamp from Flake ID; NULL if the UUID is not a Flake ID';

CREATE FUNCTION flake_fields(id text,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(text) IS
'extract timestamp and fields from Flake ID';

CREATE FUNCTION flake_fields(id bytea,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(bytea) IS
'extract timestamp and fields from Flake ID';

CREATE FUNCTION flake_fields(id uuid,
	OUT "timestamp" timestamptz, OUT mac macaddr, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'flake_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_fields(uuid) IS
'extract timestamp and fields from Flake ID; NULL if the UUID is not a Flake ID';

CREATE FUNCTION flake_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(text) IS
'convert Flake ID to UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION flake_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(bytea) IS
'convert Flake ID to UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_flake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flake(uuid) IS
'convert UUID back to Flake ID (inverse of flake_to_uuid)';

--
-- ULID: text of 26 characters, or uuid
--

CREATE FUNCTION ulid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ulid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_timestamp(text) IS
'extract timestamp from ULID';

CREATE FUNCTION ulid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ulid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_timestamp(uuid) IS
'extract timestamp from ULID';

CREATE FUNCTION ulid_fields(id text,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ulid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_fields(text) IS
'extract timestamp and fields from ULID';

CREATE FUNCTION ulid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT random bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ulid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_fields(uuid) IS
'extract timestamp and fields from ULID';

CREATE FUNCTION ulid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ulid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuid(text) IS
'convert ULID to UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_ulid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
'convert UUID back to ULID (inverse of ulid_to_uuid)';

CREATE FUNCTION ulid_to_uuidv7(id text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulid_to_uuidv7(text) IS
'convert ULID to RFC 9562 version 7 UUID; keeps time and 74 of 80 random bits; not reversible';

CREATE FUNCTION ulid_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_min(timestamptz) IS
'smallest ULID, as UUID, with this time or a later one';

CREATE FUNCTION ulid_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulid_max(timestamptz) IS
'largest ULID, as UUID, with this time or an earlier one';

--
-- SID (chilts/sid): text of four forms, or uuid
--

CREATE FUNCTION sid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_timestamp(text) IS
'extract timestamp from SID';

CREATE FUNCTION sid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_timestamp(uuid) IS
'extract timestamp from SID; NULL if the UUID is not a SID';

CREATE FUNCTION sid_fields(id text,
	OUT "timestamp" timestamptz, OUT nanoseconds bigint, OUT random bigint)
RETURNS record
AS 'MODULE_PATHNAME', 'sid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_fields(text) IS
'extract timestamp and fields from SID';

CREATE FUNCTION sid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds bigint, OUT random bigint)
RETURNS record
AS 'MODULE_PATHNAME', 'sid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_fields(uuid) IS
'extract timestamp and fields from SID; NULL if the UUID is not a SID';

CREATE FUNCTION sid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_to_uuid(text) IS
'convert SID to UUID of the same 128 bits, which sorts by time';

CREATE FUNCTION uuid_to_sid(id uuid, form text DEFAULT 'decimal')
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sid(uuid, text) IS
'convert UUID back to SID in form decimal, hex, base32 or base64 (inverse of sid_to_uuid)';

--
-- CUID (version 1, because CUID2 has no timestamp): text of 25 characters, or uuid
--

CREATE FUNCTION cuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'cuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_timestamp(text) IS
'extract timestamp from CUID';

CREATE FUNCTION cuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'cuid_uuid_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_timestamp(uuid) IS
'extract timestamp from CUID; NULL if the UUID is not a CUID';

CREATE FUNCTION cuid_fields(id text,
	OUT "timestamp" timestamptz, OUT counter int, OUT fingerprint text, OUT random text)
RETURNS record
AS 'MODULE_PATHNAME', 'cuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_fields(text) IS
'extract timestamp and fields from CUID';

CREATE FUNCTION cuid_fields(id uuid,
	OUT "timestamp" timestamptz, OUT counter int, OUT fingerprint text, OUT random text)
RETURNS record
AS 'MODULE_PATHNAME', 'cuid_uuid_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_fields(uuid) IS
'extract timestamp and fields from CUID; NULL if the UUID is not a CUID';

CREATE FUNCTION cuid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'cuid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_to_uuid(text) IS
'convert CUID to UUID of its base-36 digits as a number; sorts by time';

CREATE FUNCTION uuid_to_cuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_cuid(uuid) IS
'convert UUID back to CUID (inverse of cuid_to_uuid)';

--
-- KSUID: text of 27 characters, or 20 octets, which do not fit a UUID
--

CREATE FUNCTION ksuid_timestamp(id text)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ksuid_text_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_timestamp(text) IS
'extract timestamp from KSUID';

CREATE FUNCTION ksuid_timestamp(id bytea)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'ksuid_bytea_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_timestamp(bytea) IS
'extract timestamp from KSUID';

CREATE FUNCTION ksuid_fields(id text,
	OUT "timestamp" timestamptz, OUT payload bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ksuid_text_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_fields(text) IS
'extract timestamp and fields from KSUID';

CREATE FUNCTION ksuid_fields(id bytea,
	OUT "timestamp" timestamptz, OUT payload bytea)
RETURNS record
AS 'MODULE_PATHNAME', 'ksuid_bytea_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_fields(bytea) IS
'extract timestamp and fields from KSUID';

CREATE FUNCTION ksuid_to_bytea(id text)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_bytea(text) IS
'convert KSUID to its 20 octets, which sort by time';

CREATE FUNCTION bytea_to_ksuid(id bytea)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea_to_ksuid(bytea) IS
'convert 20 octets back to KSUID (inverse of ksuid_to_bytea)';

CREATE FUNCTION ksuid_to_uuid_lossy(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_text_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(text) IS
'convert KSUID to version 8 UUID that sorts by time; keeps 74 of 128 random bits; not reversible';

CREATE FUNCTION ksuid_to_uuid_lossy(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_bytea_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(bytea) IS
'convert KSUID to version 8 UUID that sorts by time; keeps 74 of 128 random bits; not reversible';

--
-- COMB GUID: version 4 uuid, variants postgresql, sql, legacy (SQL Server) and oracle
--

CREATE FUNCTION comb_timestamp(id uuid, variant text DEFAULT 'postgresql')
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_timestamp(uuid, text) IS
'extract timestamp from COMB GUID in a variant; NULL for another version or an invalid time';

CREATE FUNCTION comb_convert(id uuid, from_variant text, to_variant text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_convert(uuid, text, text) IS
'convert COMB GUID to another variant; variant postgresql sorts by time';

CREATE FUNCTION comb_to_uuid(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_to_uuid(uuid, text) IS
'convert COMB GUID to version 8 UUID that sorts by time, without loss';

CREATE FUNCTION uuid_to_comb(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_comb(uuid, text) IS
'convert UUID back to COMB GUID (inverse of comb_to_uuid)';

--
-- Ordered UUID (Laravel's Str::orderedUuid): version 4 uuid
--

CREATE FUNCTION ordered_uuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_timestamp(uuid) IS
'extract timestamp from ordered UUID of version 4 or 8; NULL for another version';

CREATE FUNCTION ordered_uuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_to_uuid(uuid) IS
'convert ordered UUID from version 4 to 8, which allows any layout';

CREATE FUNCTION uuid_to_ordered_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ordered_uuid(uuid) IS
'convert UUID back to ordered UUID (inverse of ordered_uuid_to_uuid)';

--
-- min(uuid) and max(uuid), which PostgreSQL 20 and later have
--

CREATE FUNCTION uuidnew_uuid_smaller(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_smaller(uuid, uuid) IS
'smaller of two, for min(uuid)';

CREATE FUNCTION uuidnew_uuid_larger(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_larger(uuid, uuid) IS
'larger of two, for max(uuid)';

-- An aggregate that the database already has is kept: many databases have their own.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	aggregate record;
BEGIN
	FOR aggregate IN VALUES
		('min', 'uuidnew_uuid_smaller', '<', 'minimum value of all uuid input values'),
		('max', 'uuidnew_uuid_larger', '>', 'maximum value of all uuid input values')
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
-- Order: the UUID below which no row can appear
--

CREATE FUNCTION uuid_v6_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v6_horizon() IS
'version 6 UUID; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuid_v7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v7_horizon() IS
'draft version 7 UUID; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuid_v7_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v7_horizon(text) IS
'version 7 UUID in a layout; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuidv7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuidv7_horizon() IS
'RFC 9562 version 7 UUID; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuid_v8_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v8_horizon() IS
'version 8 UUID; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuid_v8_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v8_horizon(text) IS
'version 8 UUID in a layout; no row with a smaller one can become visible after the statement';

CREATE FUNCTION uuid_v8_horizon(layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid_v8_horizon(text, timestamptz) IS
'version 8 UUID in a layout with an epoch; no row with a smaller one can become visible after the '
'statement';

--
-- Order: for administrators
--

CREATE FUNCTION uuidnew_state_of_order(
	number int, OUT scope text, OUT version int, OUT layout text, OUT last_time timestamptz,
	OUT reserved_until timestamptz, OUT held_since timestamptz,
	OUT held_by_pid int, OUT held_by_xid xid)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuidnew_state_of_order(int) IS
'what uuidnew_order returns of the layout with a number';
REVOKE ALL ON FUNCTION uuidnew_state_of_order(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION uuidnew_state_of_order(int) TO pg_monitor;

CREATE FUNCTION uuidnew_order(
	OUT scope text, OUT version int, OUT layout text, OUT last_time timestamptz,
	OUT ahead interval, OUT reserved_until timestamptz, OUT held_since timestamptz,
	OUT held_by_pid int, OUT held_by_xid xid, OUT outside_tables regclass[])
RETURNS SETOF record
LANGUAGE SQL VOLATILE PARALLEL RESTRICTED
BEGIN ATOMIC
	WITH layouts AS MATERIALIZED (
		SELECT state.*
		FROM pg_catalog.generate_series(0, 31) AS number, uuidnew_state_of_order(number) AS state
	), outside AS (
		SELECT pg_catalog.array_agg(DISTINCT attrdef.adrelid::pg_catalog.regclass) AS tables
		FROM pg_catalog.pg_attrdef AS attrdef, pg_catalog.pg_proc AS proc
		WHERE proc.proname OPERATOR(pg_catalog.=) 'uuidv7'
			AND proc.pronamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
			AND attrdef.adbin::text
				OPERATOR(pg_catalog.~~) pg_catalog.format('%%{FUNCEXPR :funcid %s :%%', proc.oid)
	)
	SELECT scopes.scope, state.version, state.layout, state.last_time,
		CASE WHEN state.last_time IS NOT NULL
			THEN GREATEST(state.last_time OPERATOR(pg_catalog.-) pg_catalog.clock_timestamp(),
				'0'::pg_catalog.interval) END,
		state.reserved_until, state.held_since, state.held_by_pid, state.held_by_xid,
		outside.tables
	FROM (SELECT DISTINCT layouts.scope FROM layouts) AS scopes
		LEFT JOIN layouts AS state ON state.version IS NOT NULL
		LEFT JOIN outside ON scopes.scope OPERATOR(pg_catalog.=) 'server';
END;
COMMENT ON FUNCTION uuidnew_order() IS
'state of uuidnew.order_scope, one row for each layout with keys: last time, reserved time, the '
'transaction with the oldest key in flight, and tables whose default is not in the order';
REVOKE ALL ON FUNCTION uuidnew_order() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION uuidnew_order() TO pg_monitor;

CREATE FUNCTION uuidnew_order_begin_after(uuid)
RETURNS void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION uuidnew_order_begin_after(uuid) IS
'moves the order of the server forward: all UUIDs generated from now on have a time after this '
'one';
REVOKE ALL ON FUNCTION uuidnew_order_begin_after(uuid) FROM PUBLIC;

-- Core drops only a replication origin with a name, so it gets one before.
CREATE FUNCTION uuidnew_order_give_up()
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog
SET allow_system_table_mods = on
AS $function$
BEGIN
	IF lower(current_setting('uuidnew.order_scope', true)) = 'server' THEN
		RAISE 'the order of the server is in use' USING ERRCODE = '55000',
			HINT = 'Set "uuidnew.order_scope" to "session" and restart the server before.';
	END IF;
	IF EXISTS (SELECT FROM pg_replication_origin_status WHERE local_id = 65534) THEN
		INSERT INTO pg_replication_origin VALUES (65534, 'uuidnew');
		PERFORM pg_replication_origin_drop('uuidnew');
	END IF;
END $function$;
COMMENT ON FUNCTION uuidnew_order_give_up() IS
'frees the replication origin of the order of the server; requires uuidnew.order_scope = session';
REVOKE ALL ON FUNCTION uuidnew_order_give_up() FROM PUBLIC;
