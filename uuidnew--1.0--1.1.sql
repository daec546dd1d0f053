/* uuidnew--1.0--1.1.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION uuidnew UPDATE TO '1.1'" to load this file. \quit

--
-- Version 7 of RFC 9562, without an argument. Names that begin with uuidv7 mean it.
--

CREATE FUNCTION uuid_v7_timestamp_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_timestamp_support(internal) IS
'planner support of uuid_v7_timestamp, uuidv7_timestamp, uuid_v7_fields and uuidv7_fields';

CREATE FUNCTION uuidv7_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS
'new version 7 UUID of RFC 9562 for a given time';

CREATE FUNCTION uuidv7_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
SUPPORT uuid_v7_timestamp_support;
COMMENT ON FUNCTION uuidv7_timestamp(uuid) IS
'creation time of a version 7 UUID of RFC 9562, to the millisecond; NULL for another version';

CREATE FUNCTION uuidv7_min(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_min(timestamptz) IS
'smallest version 7 UUID of RFC 9562 with this time';

CREATE FUNCTION uuidv7_max(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_max(timestamptz) IS
'largest version 7 UUID of RFC 9562 with this time';

CREATE FUNCTION uuidv7_between_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_between_support(internal) IS
'planner support of uuidv7_between';

CREATE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE
SUPPORT uuidv7_between_support;
COMMENT ON FUNCTION uuidv7_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 7 UUID of RFC 9562 in the window since <= time < until? NULL is open; uses an index on the key';

--
-- What the planner puts in place of the ends of a window. Not STRICT: an end that is
-- NULL is open.
--

CREATE FUNCTION uuid_v6_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_since(timestamptz) IS
'where a window over keys of version 6 begins: the smallest with this time, the nil UUID for NULL';

CREATE FUNCTION uuid_v6_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_until(timestamptz) IS
'where a window over keys of version 6 ends: the smallest with this time, the max UUID for NULL';

CREATE FUNCTION uuid_v7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz) IS
'where a window over keys of version 7 of the draft begins: the smallest with this time, the nil UUID for NULL';

CREATE FUNCTION uuid_v7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz) IS
'where a window over keys of version 7 of the draft ends: the smallest with this time, the max UUID for NULL';

CREATE FUNCTION uuid_v7_since(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_since(timestamptz, text) IS
'where a window over keys of version 7 in a layout begins: the smallest with this time, the nil UUID for NULL';

CREATE FUNCTION uuid_v7_until(ts timestamptz, layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_until(timestamptz, text) IS
'where a window over keys of version 7 in a layout ends: the smallest with this time, the max UUID for NULL';

CREATE FUNCTION uuidv7_since(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_since(timestamptz) IS
'where a window over keys of version 7 of RFC 9562 begins: the smallest with this time, the nil UUID for NULL';

CREATE FUNCTION uuidv7_until(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_until(timestamptz) IS
'where a window over keys of version 7 of RFC 9562 ends: the smallest with this time, the max UUID for NULL';

CREATE FUNCTION uuid_v8_since(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_since(timestamptz, text, timestamptz) IS
'where a window over keys of version 8 in a layout begins: the smallest with this time, the nil UUID for NULL';

CREATE FUNCTION uuid_v8_until(ts timestamptz, layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_until(timestamptz, text, timestamptz) IS
'where a window over keys of version 8 in a layout ends: the smallest with this time, the max UUID for NULL';

--
-- The layout of a version 7 UUID
--

CREATE FUNCTION uuid_v7_layout(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_layout(uuid) IS
'kind of layout of a version 7 UUID: rfc9562 or draft, right for times from 1995 to 2074; none for another version';

COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
'is the time of a version 7 UUID of the draft in the window since <= time < until? NULL is open; uses an index on the key; uuidv7_between for those of RFC 9562';
COMMENT ON FUNCTION uuid_v7_partman_encoder(timestamptz) IS
'p_time_encoder of pg_partman for keys of version 7 of the draft';
COMMENT ON FUNCTION uuid_v7_partman_decoder(text) IS
'p_time_decoder of pg_partman for keys of version 7 of the draft';

-- A query that reads a column as one kind, where a CHECK says the other, is refused.
ALTER FUNCTION uuid_v7_timestamp(uuid) SUPPORT uuid_v7_timestamp_support;
ALTER FUNCTION uuid_v7_timestamp(uuid, text) SUPPORT uuid_v7_timestamp_support;

CREATE FUNCTION uuid_v7_convert(id uuid, from_layout text, to_layout text, any_time boolean)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_convert(uuid, text, text, boolean) IS
'version 7 UUID of one layout in another; any_time: also one whose time makes it look like another layout''s';

--
-- All fields of a UUID
--
-- The columns begin with the time, truncated to a microsecond, and all of it in
-- nanoseconds since 1970 (numeric: a bigint ends in 2262), both to the unit of the
-- layout and no finer. node has its bits from the first on, in whole octets. NULL
-- for another version, and for bits that are no time; 22023 for an unknown layout
-- and for an epoch that is infinite or goes to a layout with its own.
--

CREATE FUNCTION uuid_v1_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea, OUT mac macaddr)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_fields(uuid) IS
'time, to 100 ns, and fields of a version 1 UUID; mac is NULL if the multicast bit says that the node is none; NULL for another version';

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
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT uuid_v7_timestamp_support;
COMMENT ON FUNCTION uuid_v7_fields(uuid) IS
'time and fields of a version 7 UUID of the draft that was made in layout microsecond; NULL for another version';

CREATE FUNCTION uuid_v7_fields(id uuid, layout text,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT uuid_v7_timestamp_support;
COMMENT ON FUNCTION uuid_v7_fields(uuid, text) IS
'time and fields of a version 7 UUID that was made in this layout; NULL for another version';

CREATE FUNCTION uuidv7_fields(id uuid,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
SUPPORT uuid_v7_timestamp_support;
COMMENT ON FUNCTION uuidv7_fields(uuid) IS
'time, with the fraction of the millisecond, and fields of a version 7 UUID of RFC 9562 that this extension made; NULL for another version';

CREATE FUNCTION uuid_v8_fields(id uuid,
							   layout text DEFAULT 'unix64',
							   epoch timestamptz DEFAULT '1970-01-01 00:00:00+00',
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_fields(uuid, text, timestamptz) IS
'time and fields of a version 8 UUID that was made in this layout; NULL for another version';

COMMENT ON FUNCTION uuid_info(uuid) IS
'what any UUID is: version and variant, the likely layout with its time, sequence and node, and all readings, each likely, possible or by chance';

--
-- Version 1 with random bits ("Really unique UUIDs"): for a given time, and those that
-- count milliseconds since 1970 where version 1 has 100 ns since 1582
--

CREATE FUNCTION uuid_generate_v1_random_at(ts timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v1_random_at(timestamptz) IS
'new version 1 UUID for a given time, with 62 random bits in place of clock sequence and MAC address';

CREATE FUNCTION uuid_v1_unix_ms_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_timestamp(uuid) IS
'creation time of a version 1 UUID whose timestamp counts milliseconds since 1970, as the code of "Really unique UUIDs" makes it; NULL for any other';

CREATE FUNCTION uuid_v1_unix_ms_to_v1(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_unix_ms_to_v1(uuid) IS
'version 1 UUID whose timestamp counts milliseconds since 1970 with the right timestamp, 100 ns since 1582: same time and random bits';

--
-- Version b, Groupon's Locality UUID
--

COMMENT ON FUNCTION uuid_generate_vb(text, macaddr) IS
'new version b UUID, with a counter in front: variable spreads writes over the index, sequential keeps them together; mac: an address instead of that in uuidnew.vb_mac, or of random bits';
COMMENT ON FUNCTION uuid_vb_counter(uuid, text) IS
'counter of a version b UUID that was made in this mode, variable or sequential, or java: variable, by Groupon''s Java; NULL for another version, and where Java lost bits of it';

--
-- The functions of PostgreSQL 18 in the schema of the extension, on every server, so
-- that a dump with DEFAULT public.uuidv7() can be restored on any. (1.0 made only those
-- that the server lacks.)
--

-- Whoever may update the extension runs this as a superuser: no name and no operator
-- in it may be looked up where somebody else could have put one.  And CREATE OR REPLACE
-- would take over a function that somebody has made a member, and leave it to them:
-- whoever owns a C function can have it called with NULL.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	-- members in C, which no user can have made
	made_by_1_0 CONSTANT text[] := ARRAY(
		SELECT prosrc
		FROM pg_catalog.pg_extension e, pg_catalog.pg_depend d, pg_catalog.pg_proc p
		WHERE extname OPERATOR(pg_catalog.=) 'uuidnew'
			AND refclassid OPERATOR(pg_catalog.=) e.tableoid AND refobjid OPERATOR(pg_catalog.=) e.oid
			AND classid OPERATOR(pg_catalog.=) p.tableoid AND objid OPERATOR(pg_catalog.=) p.oid
			AND deptype OPERATOR(pg_catalog.=) 'e' AND probin OPERATOR(pg_catalog.=) 'MODULE_PATHNAME');
BEGIN
	IF 'uuidnew_uuidv4' OPERATOR(pg_catalog.<>) ALL (made_by_1_0) THEN
		CREATE FUNCTION uuidv4()
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv4'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
	END IF;

	IF 'uuidnew_uuidv7' OPERATOR(pg_catalog.<>) ALL (made_by_1_0) THEN
		CREATE FUNCTION uuidv7()
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv7'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
	END IF;

	IF 'uuidnew_uuidv7_interval' OPERATOR(pg_catalog.<>) ALL (made_by_1_0) THEN
		CREATE FUNCTION uuidv7(shift interval)
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv7_interval'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
	END IF;

	IF 'uuidnew_uuid_extract_timestamp' OPERATOR(pg_catalog.<>) ALL (made_by_1_0) THEN
		CREATE FUNCTION uuid_extract_timestamp(uuid)
		RETURNS timestamptz
		AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_timestamp'
		LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
	END IF;

	IF 'uuidnew_uuid_extract_version' OPERATOR(pg_catalog.<>) ALL (made_by_1_0) THEN
		CREATE FUNCTION uuid_extract_version(uuid)
		RETURNS smallint
		AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_version'
		LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
	END IF;

	-- A comment needs the schema, as core's functions would come first.
	EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.uuidv4() IS %L', schema,
		'generate UUID version 4');
	EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.uuidv7() IS %L', schema,
		'generate UUID version 7');
	EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.uuidv7(interval) IS %L', schema,
		'generate UUID version 7 with a timestamp shifted by specified interval');
	EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.uuid_extract_timestamp(uuid) IS %L', schema,
		'extract timestamp from UUID');
	EXECUTE pg_catalog.format('COMMENT ON FUNCTION %I.uuid_extract_version(uuid) IS %L', schema,
		'extract version from RFC 9562 UUID');
END $do$;

--
-- UUIDs of one time in their order, and nodes of the caller's. Not STRICT where
-- sequence or node may be NULL.
--

CREATE FUNCTION uuid_generate_v6_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_at_numbered'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6_at(timestamptz, bigint, bytea) IS
'new version 6 UUID for a given time, in the order of the sequence, from 0 on; NULL: random; node: octets of your own';

CREATE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_at_numbered'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_at(timestamptz, text, bigint, bytea) IS
'new version 7 UUID in a layout for a given time, in the order of the sequence, from 0 on; NULL: random; node: octets of your own';

CREATE FUNCTION uuidv7_at(ts timestamptz, sequence bigint, node bytea DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuidv7_at_numbered'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuidv7_at(timestamptz, bigint, bytea) IS
'new version 7 UUID of RFC 9562 for a given time, in the order of the sequence, from 0 on; NULL: random; node: octets of your own';

-- no defaults: a call with fewer arguments is the one of 1.0
CREATE FUNCTION uuid_generate_v8_at(ts timestamptz, layout text, node bytea, epoch timestamptz, sequence bigint)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v8_at_numbered'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_at(timestamptz, text, bytea, timestamptz, bigint) IS
'new version 8 UUID in a layout for a given time, in the order of the sequence, from 0 on; NULL: random';

CREATE FUNCTION uuid_generate_v6(node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v6_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6(bytea) IS
'new version 6 UUID; node: up to 6 octets of your own instead of random ones';

CREATE FUNCTION uuid_generate_v7(layout text, node bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'uuid_generate_v7_with_node'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(text, bytea) IS
'new version 7 UUID in a layout; node: octets of your own instead of random ones';

CREATE FUNCTION uuid_v6_node(id uuid, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_node(uuid, int) IS
'first octets of the node of a version 6 UUID; NULL for another version';

CREATE FUNCTION uuid_v7_node(id uuid, layout text, length int)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_node(uuid, text, int) IS
'first octets of the node of a version 7 UUID; NULL for another version';

--
-- Version 8: more layouts, and 122 bits of the caller's
--

COMMENT ON FUNCTION uuid_generate_v8(text, bytea, timestamptz) IS
'new version 8 UUID in a layout: unix32, unix48, gregorian60, unix64, ntp64, iso8601, julian64, or by numbers, such as custom(1000/s, 48, 12); node: octets of your own instead of random ones';

CREATE FUNCTION uuid_v8_from_bits(bits bit)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_bits(bit) IS
'122 bits of your own as a version 8 UUID: version and variant are put between them';

CREATE FUNCTION uuid_v8_to_bits(id uuid)
RETURNS bit
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_to_bits(uuid) IS
'the 122 bits of a version 8 UUID beside version and variant; NULL for another version';

--
-- The UUID below which nothing is in flight
--

CREATE FUNCTION uuid_horizon_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_horizon_support(internal) IS
'planner support of uuid_v6_horizon, uuid_v7_horizon, uuidv7_horizon and uuid_v8_horizon';

CREATE FUNCTION uuid_v6_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v6_horizon() IS
'version 6 UUID below which no transaction has one in flight; in a statement of its own';

CREATE FUNCTION uuid_v7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v7_horizon() IS
'version 7 UUID below which no transaction has one in flight; in a statement of its own';

CREATE FUNCTION uuid_v7_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v7_horizon(text) IS
'the same for a layout of version 7';

CREATE FUNCTION uuidv7_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuidv7_horizon() IS
'version 7 UUID of RFC 9562 below which no transaction has one in flight; in a statement of its own';

CREATE FUNCTION uuid_v8_horizon()
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon() IS
'version 8 UUID below which no transaction has one in flight; in a statement of its own';

CREATE FUNCTION uuid_v8_horizon(layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon(text) IS
'the same for a layout of version 8';

CREATE FUNCTION uuid_v8_horizon(layout text, epoch timestamptz)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
SUPPORT uuid_horizon_support;
COMMENT ON FUNCTION uuid_v8_horizon(text, timestamptz) IS
'the same for a layout of version 8 whose time counts from an epoch';

CREATE FUNCTION uuidnew_order(
	OUT scope text, OUT version int, OUT layout text, OUT last_time timestamptz, OUT ahead interval,
	OUT reserved_until timestamptz, OUT held_since timestamptz, OUT held_by_pid int, OUT held_by_xid xid,
	OUT shared_bytes bigint)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'uuidnew_order'
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuidnew_order() IS
'state of uuidnew.order_scope, a row for each layout in the common order: last time, time reserved, and the oldest transaction with a key in flight';
REVOKE ALL ON FUNCTION uuidnew_order() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION uuidnew_order() TO pg_monitor;

--
-- UUIDs as short text
--

CREATE FUNCTION uuid_to_base32hex(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base32hex(uuid) IS
'UUID as 26 characters of base32hex (RFC 4648 7, no padding), which sort as the UUID in collation "C"';

CREATE FUNCTION base32hex_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base32hex_to_uuid(text) IS
'the inverse of uuid_to_base32hex, in either case; error 22P02 for another text';

CREATE FUNCTION uuid_to_base58(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base58(uuid) IS
'UUID as 22 characters of base58 (Bitcoin''s alphabet), which sort as the UUID in collation "C"';

CREATE FUNCTION base58_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base58_to_uuid(text) IS
'the inverse of uuid_to_base58; error 22P02 for another text';

CREATE FUNCTION uuid_to_base64url(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base64url(uuid) IS
'UUID as 22 characters of base64url (RFC 4648 5, no padding), in no order';

CREATE FUNCTION base64url_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION base64url_to_uuid(text) IS
'the inverse of uuid_to_base64url; error 22P02 for another text';

CREATE FUNCTION uuid_to_typeid(id uuid, prefix text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_typeid(uuid, text) IS
'UUID as TypeID with a prefix of at most 63 lower-case letters and underscores, or none; error 22023 for another prefix';

CREATE FUNCTION typeid_to_uuid(value text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_to_uuid(text) IS
'UUID in a TypeID, whatever its prefix; error 22P02 for another text';

CREATE FUNCTION typeid_prefix(value text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION typeid_prefix(text) IS
'prefix of a TypeID, empty if it has none; error 22P02 for another text';

--
-- min(uuid), max(uuid)
--

CREATE FUNCTION uuidnew_uuid_smaller(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_smaller(uuid, uuid) IS 'the smaller of two; for min(uuid)';

CREATE FUNCTION uuidnew_uuid_larger(uuid, uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuidnew_uuid_larger(uuid, uuid) IS 'the larger of two; for max(uuid)';

-- Many databases have made these aggregates for themselves: those stay as they are.
DO $do$
DECLARE
	schema CONSTANT name := CURRENT_SCHEMA;
	aggregate record;
BEGIN
	FOR aggregate IN VALUES
		('min', 'uuidnew_uuid_smaller', '<', 'smallest UUID'),
		('max', 'uuidnew_uuid_larger', '>', 'largest UUID')
	LOOP
		IF pg_catalog.to_regprocedure(pg_catalog.format('%I.%I(pg_catalog.uuid)', schema, aggregate.column1)) IS NULL THEN
			EXECUTE pg_catalog.format('CREATE AGGREGATE %1$I.%2$I(pg_catalog.uuid) ('
				'SFUNC = %1$I.%3$I, STYPE = pg_catalog.uuid, COMBINEFUNC = %1$I.%3$I, '
				'SORTOP = OPERATOR(pg_catalog.%4$s), PARALLEL = SAFE)',
				schema, aggregate.column1, aggregate.column2, aggregate.column3);
			EXECUTE pg_catalog.format('COMMENT ON AGGREGATE %I.%I(pg_catalog.uuid) IS %L',
				schema, aggregate.column1, aggregate.column4);
		END IF;
	END LOOP;
END $do$;
