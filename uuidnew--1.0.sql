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
'new version 1 UUID with 62 random bits in place of clock sequence and MAC address';

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

CREATE FUNCTION uuid_v7_convert(id uuid, from_layout text, to_layout text)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_convert(uuid, text, text) IS
'version 7 UUID of one layout in another: same time and order, and the random bits that fit';

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

--
-- Version b: Groupon's Locality UUID. Not STRICT where the MAC address may be NULL.
--

CREATE FUNCTION uuid_generate_vb(mode text DEFAULT 'variable', mac macaddr DEFAULT NULL)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_vb(text, macaddr) IS
'new version b UUID, with a counter in front: variable spreads writes over the index, sequential keeps them together; mac: an address instead of a random fragment';

CREATE FUNCTION uuid_vb_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_timestamp(uuid) IS
'creation time of a version b UUID; NULL for any other';

CREATE FUNCTION uuid_vb_counter(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid) IS
'counter of a version b UUID of mode variable; NULL for another version';

CREATE FUNCTION uuid_vb_counter(id uuid, mode text)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_counter(uuid, text) IS
'counter of a version b UUID that was made in this mode, variable or sequential; NULL for another version';

CREATE FUNCTION uuid_vb_process_id(id uuid)
RETURNS int
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_process_id(uuid) IS
'process id, modulo 65536, in a version b UUID; NULL for any other';

CREATE FUNCTION uuid_vb_mac_fragment(id uuid)
RETURNS bytea
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_vb_mac_fragment(uuid) IS
'last 28 bits of a MAC address, in 4 octets, in a version b UUID; NULL for any other';

CREATE FUNCTION vb_fields(id uuid, mode text DEFAULT 'variable',
	OUT "timestamp" timestamptz, OUT counter bigint, OUT process_id int, OUT mac_fragment bytea)
RETURNS record
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT uuid_vb_timestamp(id), uuid_vb_counter(id, mode), uuid_vb_process_id(id), uuid_vb_mac_fragment(id)
	WHERE uuid_vb_timestamp(id) IS NOT NULL;
END;
COMMENT ON FUNCTION vb_fields(uuid, text) IS
'time and fields of a version b UUID that was made in this mode; NULL for another version';

CREATE FUNCTION vb_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION vb_to_uuid(uuid) IS
'version b UUID with its time in front, so that it sorts by it: the same bits, a UUID of no version';

CREATE FUNCTION uuid_to_vb(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_vb(uuid) IS
'the inverse of vb_to_uuid';

--
-- IDs of other systems. Each has
--
-- 	<system>_timestamp	its time
-- 	<system>_fields		its time and all other fields
-- 	<system>_to_uuid	the ID as a UUID in time order
-- 	uuid_to_<system>	the inverse
--
-- for the types that its IDs are stored as. Where they share the layout of
-- version 8 with 48 bits of milliseconds, UUIDs of all systems are in one time
-- order, and uuid_v8_timestamp(id, 'unix48') reads them.
--

--
-- Snowflake (Twitter; with its own epoch Discord's): bigint
--

CREATE FUNCTION snowflake_timestamp(id bigint, epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'snowflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_timestamp(bigint, timestamptz) IS
'creation time of a Snowflake ID';

CREATE FUNCTION snowflake_fields(id bigint, epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00',
	OUT "timestamp" timestamptz, OUT datacenter int, OUT worker int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'snowflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_fields(bigint, timestamptz) IS
'time and fields of a Snowflake ID';

CREATE FUNCTION snowflake_to_uuid(id bigint, epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'snowflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION snowflake_to_uuid(bigint, timestamptz) IS
'a Snowflake ID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_snowflake(id uuid, epoch timestamptz DEFAULT '2010-11-04 01:42:54.657+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_snowflake(uuid, timestamptz) IS
'the inverse of snowflake_to_uuid';

--
-- ShardingID (Instagram): bigint, from 2046 on negative
--

CREATE FUNCTION shardingid_timestamp(id bigint, epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'shardingid_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_timestamp(bigint, timestamptz) IS
'creation time of a ShardingID';

CREATE FUNCTION shardingid_fields(id bigint, epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00',
	OUT "timestamp" timestamptz, OUT shard int, OUT sequence int)
RETURNS record
AS 'MODULE_PATHNAME', 'shardingid_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_fields(bigint, timestamptz) IS
'time and fields of a ShardingID';

CREATE FUNCTION shardingid_to_uuid(id bigint, epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'shardingid_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION shardingid_to_uuid(bigint, timestamptz) IS
'a ShardingID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_shardingid(id uuid, epoch timestamptz DEFAULT '2011-08-24 21:07:01.721+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_shardingid(uuid, timestamptz) IS
'the inverse of shardingid_to_uuid';

--
-- FlakeID (T-PWK/flake-idgen): bigint, from 2039 on negative, or 8 octets
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
'a FlakeID as a version 8 UUID in time order, without loss';

CREATE FUNCTION flakeid_to_uuid(id bytea, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS uuid
AS 'MODULE_PATHNAME', 'flakeid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_to_uuid(bytea, timestamptz) IS
'a FlakeID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_flakeid(id uuid, epoch timestamptz DEFAULT '1970-01-01 00:00:00+00')
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flakeid(uuid, timestamptz) IS
'the inverse of flakeid_to_uuid';

--
-- Sonyflake: bigint; the epoch of version 2 is 2025-01-01
--

CREATE FUNCTION sonyflake_timestamp(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10)
RETURNS timestamptz
AS 'MODULE_PATHNAME', 'sonyflake_bigint_timestamp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_timestamp(bigint, timestamptz, int) IS
'creation time of a Sonyflake ID';

CREATE FUNCTION sonyflake_fields(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10,
	OUT "timestamp" timestamptz, OUT sequence int, OUT machine int)
RETURNS record
AS 'MODULE_PATHNAME', 'sonyflake_bigint_fields'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_fields(bigint, timestamptz, int) IS
'time and fields of a Sonyflake ID';

CREATE FUNCTION sonyflake_to_uuid(id bigint, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sonyflake_bigint_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sonyflake_to_uuid(bigint, timestamptz, int) IS
'a Sonyflake ID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_sonyflake(id uuid, epoch timestamptz DEFAULT '2014-09-01 00:00:00+00', unit_ms int DEFAULT 10)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sonyflake(uuid, timestamptz, int) IS
'the inverse of sonyflake_to_uuid';

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
'a Mastodon ID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_mastodon(id uuid)
RETURNS bigint
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_mastodon(uuid) IS
'the inverse of mastodon_to_uuid';

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
'a LexicalUUID as a version 8 UUID in time order, without loss';

CREATE FUNCTION lexicaluuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME', 'lexicaluuid_uuid_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION lexicaluuid_to_uuid(uuid) IS
'a LexicalUUID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_lexicaluuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_lexicaluuid(uuid) IS
'the inverse of lexicaluuid_to_uuid';

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
'an Elasticflake ID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_elasticflake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_elasticflake(uuid) IS
'the inverse of elasticflake_to_uuid';

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
'a pushID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_pushid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_pushid(uuid) IS
'the inverse of pushid_to_uuid';

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
'an XID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_xid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_xid(uuid) IS
'the inverse of xid_to_uuid';

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
'an ObjectID as a version 8 UUID in time order, without loss';

CREATE FUNCTION objectid_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'objectid_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_uuid(bytea) IS
'an ObjectID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_objectid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_objectid(uuid) IS
'the inverse of objectid_to_uuid';

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
'creation time of a Flake ID; NULL for a UUID that is none';

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
'time and fields of a Flake ID; NULL for a UUID that is none';

CREATE FUNCTION flake_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(text) IS
'a Flake ID as the UUID of the same 128 bits, in time order';

CREATE FUNCTION flake_to_uuid(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'flake_bytea_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flake_to_uuid(bytea) IS
'a Flake ID as the UUID of the same 128 bits, in time order';

CREATE FUNCTION uuid_to_flake(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_flake(uuid) IS
'the inverse of flake_to_uuid';

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
'a ULID as the UUID of the same 128 bits, in time order';

CREATE FUNCTION uuid_to_ulid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ulid(uuid) IS
'the inverse of ulid_to_uuid';

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
'creation time of a SID; NULL for a UUID that is none';

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
'time and fields of a SID; NULL for a UUID that is none';

CREATE FUNCTION sid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'sid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sid_to_uuid(text) IS
'a SID as the UUID of the same 128 bits, in time order';

CREATE FUNCTION uuid_to_sid(id uuid, form text DEFAULT 'decimal')
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_sid(uuid, text) IS
'the inverse of sid_to_uuid; forms decimal, hex, base32 and base64';

--
-- CUID (the first; CUID2 has no time): text of 25 characters, or uuid
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
'creation time of a CUID; NULL for a UUID that is none';

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
'time and fields of a CUID; NULL for a UUID that is none';

CREATE FUNCTION cuid_to_uuid(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'cuid_text_to_uuid'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuid_to_uuid(text) IS
'a CUID as a UUID of its digits as a number, in time order';

CREATE FUNCTION uuid_to_cuid(id uuid)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_cuid(uuid) IS
'the inverse of cuid_to_uuid';

--
-- KSUID: text of 27 characters, or 20 octets, which are too many for a UUID
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
'a KSUID as its 20 octets, which sort by time';

CREATE FUNCTION bytea_to_ksuid(id bytea)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea_to_ksuid(bytea) IS
'the inverse of ksuid_to_bytea';

CREATE FUNCTION ksuid_to_uuid_lossy(id text)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_text_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(text) IS
'version 8 UUID in time order with the time of a KSUID and the last 74 of its 128 random bits: no way back';

CREATE FUNCTION ksuid_to_uuid_lossy(id bytea)
RETURNS uuid
AS 'MODULE_PATHNAME', 'ksuid_bytea_to_uuid_lossy'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksuid_to_uuid_lossy(bytea) IS
'version 8 UUID in time order with the time of a KSUID and the last 74 of its 128 random bits: no way back';

--
-- COMB GUID: uuid of version 4, variants postgresql, sql, legacy (SQL Server) and
-- oracle
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
'a COMB GUID of one variant as another; postgresql sorts by time';

CREATE FUNCTION comb_to_uuid(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION comb_to_uuid(uuid, text) IS
'a COMB GUID as a version 8 UUID in time order, without loss';

CREATE FUNCTION uuid_to_comb(id uuid, variant text DEFAULT 'postgresql')
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_comb(uuid, text) IS
'the inverse of comb_to_uuid';

--
-- Ordered UUID (Laravel's Str::orderedUuid): uuid of version 4
--

CREATE FUNCTION ordered_uuid_timestamp(id uuid)
RETURNS timestamptz
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_timestamp(uuid) IS
'creation time of an ordered UUID, of version 4 or relabelled; NULL for another version';

CREATE FUNCTION ordered_uuid_to_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ordered_uuid_to_uuid(uuid) IS
'an ordered UUID that says version 8, which it is by its layout, instead of 4';

CREATE FUNCTION uuid_to_ordered_uuid(id uuid)
RETURNS uuid
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_ordered_uuid(uuid) IS
'the inverse of ordered_uuid_to_uuid';

--
-- Any UUID
--

CREATE FUNCTION uuid_info(id uuid,
	OUT version int, OUT variant text, OUT description text,
	OUT layout text, OUT "timestamp" timestamptz, OUT sequence bigint,
	OUT machine_id bigint, OUT node bytea, OUT readings text)
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_info(uuid) IS
'what any UUID is: version, variant, the layout whose time is nearest to now, and all other readings';

--
-- The functions of PostgreSQL 18, on servers that lack them
--

-- Whoever may create the extension runs this as a superuser: no name and no
-- operator in it may be looked up where somebody else could have put one.
DO $do$
BEGIN
	IF pg_catalog.to_regprocedure('pg_catalog.uuidv4()') IS NULL THEN
		CREATE FUNCTION uuidv4()
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv4'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
		COMMENT ON FUNCTION uuidv4() IS
		'generate UUID version 4';
	END IF;

	IF pg_catalog.to_regprocedure('pg_catalog.uuidv7()') IS NULL THEN
		CREATE FUNCTION uuidv7()
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv7'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
		COMMENT ON FUNCTION uuidv7() IS
		'generate UUID version 7';
	END IF;

	IF pg_catalog.to_regprocedure('pg_catalog.uuidv7(interval)') IS NULL THEN
		CREATE FUNCTION uuidv7(shift interval)
		RETURNS uuid
		AS 'MODULE_PATHNAME', 'uuidnew_uuidv7_interval'
		LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
		COMMENT ON FUNCTION uuidv7(interval) IS
		'generate UUID version 7 with a timestamp shifted by specified interval';
	END IF;

	IF pg_catalog.to_regprocedure('pg_catalog.uuid_extract_timestamp(uuid)') IS NULL THEN
		CREATE FUNCTION uuid_extract_timestamp(uuid)
		RETURNS timestamptz
		AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_timestamp'
		LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
		COMMENT ON FUNCTION uuid_extract_timestamp(uuid) IS
		'extract timestamp from UUID';
	END IF;

	IF pg_catalog.to_regprocedure('pg_catalog.uuid_extract_version(uuid)') IS NULL THEN
		CREATE FUNCTION uuid_extract_version(uuid)
		RETURNS smallint
		AS 'MODULE_PATHNAME', 'uuidnew_uuid_extract_version'
		LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
		COMMENT ON FUNCTION uuid_extract_version(uuid) IS
		'extract version from RFC 9562 UUID';
	END IF;
END $do$;
