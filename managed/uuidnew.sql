-- uuidnew in plain SQL, for servers where no extension in C can be installed.
--
-- The functions of versions 6 and 7 of the extension uuidnew: same names, same bits, same errors.
-- What it lacks, and the way on to the extension: doc/managed.md.
--
-- Needs PostgreSQL 14 and the right to create functions in a schema, best one of its own:
--
--	 CREATE SCHEMA uuidnew;
--	 SET search_path = uuidnew, public;
--	 \i managed/uuidnew.sql
--
-- All goes into the first schema of search_path, in one transaction.  It can be run again.  No
-- function looks up a name when it is called, so callers may have any search_path.
--
-- To remove it, which is refused while a table uses it (uuidv7 with its schema, as PostgreSQL 18 has its own):
--
--	 DROP ROUTINE
--		uuid_generate_v6(), uuid_generate_v6_at(timestamptz), uuid_v6_timestamp(uuid),
--		uuid_v6_min(timestamptz), uuid_v6_max(timestamptz), uuid_v6_between(uuid, timestamptz, timestamptz),
--		uuid_v1_timestamp(uuid), uuid_v1_to_v6(uuid), uuid_v6_to_v1(uuid),
--		uuid_generate_v7(), uuid_generate_v7(text),
--		uuid_generate_v7_at(timestamptz), uuid_generate_v7_at(timestamptz, text),
--		uuid_v7_timestamp(uuid), uuid_v7_timestamp(uuid, text),
--		uuid_v7_min(timestamptz), uuid_v7_min(timestamptz, text),
--		uuid_v7_max(timestamptz), uuid_v7_max(timestamptz, text),
--		uuid_v7_between(uuid, timestamptz, timestamptz), uuid_v7_since(timestamptz),
--		uuid_v7_between(uuid, timestamptz, timestamptz, text),
--		uuid_v7_since(timestamptz, text), uuid_v7_until(timestamptz, text), uuid_v7_layout(uuid),
--		uuidnew.uuidv7(), uuidv7_at(timestamptz), uuidv7_timestamp(uuid), uuidv7_timestamp_micros(uuid), uuid_time(uuid),
--		uuidv7_min(timestamptz), uuidv7_max(timestamptz), uuidv7_between(uuid, timestamptz, timestamptz),
--		uuidv7_until(timestamptz), uuidv7_is(uuid), uuid_v7_is(uuid),
--		uuidv7_before(uuid, timestamptz), uuidv7_from(uuid, timestamptz),
--		uuid_v7_before(uuid, timestamptz), uuid_v7_from(uuid, timestamptz),
--		uuid_to_base32hex(uuid), base32hex_to_uuid(text),
--		uuid_to_typeid(uuid, text), typeid_to_uuid(text), typeid_to_uuid(text, text), typeid_prefix(text),
--		uuid_partitions(regclass, text, regprocedure),
--		uuid_create_partitions(regclass, text, interval, text, text, int, regprocedure),
--		uuid_drop_partitions(regclass, interval, boolean, boolean, boolean, text, int, regprocedure),
--		uuid_partitioning_steps(regclass, text, text, text, regprocedure),
--		uuid_rekey_steps(regclass, text, text, text, regprocedure),
--		uuid_rekey_fill(regclass, int, bigint, bigint, bigint, interval, regprocedure),
--		uuid_rekey_progress(),
--		uuid_rekey_check(regclass, text, regprocedure),
--		uuid_columns(regprocedure),
--		uuidnew_column_layout(regclass, int, regprocedure),
--		uuidnew_partition_key(regclass, text, regprocedure, int),
--		uuidnew_belongings(regclass),
--		uuidnew_rekey_columns(regclass),
--		uuidnew_rekey_renamed(text, jsonb),
--		uuidnew_rekey_obstacles(regclass, text, regnamespace),
--		uuidnew_typeid_digits(text), uuidnew_from_bits(text), uuidnew_to_base32(bit varying, text), uuidnew_from_base32(text, text),
--		uuidnew_is_v7_layout(text), uuidnew_gregorian(timestamptz), uuidnew_draft_bound(numeric, text),
--		uuidnew_millisecond(numeric), uuidnew_nanosecond(numeric), uuidnew_make(text, numeric),
--		uuidnew_uuid(text, bigint, text), uuidnew_number(text), uuidnew_time(timestamp, bigint, bigint),
--		uuidnew_epoch(timestamptz), uuidnew_has_version(uuid, int),
--		uuidnew_wrong_version(uuid, int), uuidnew_unknown_layout(anyelement, text),
--		uuidnew_out_of_range(timestamptz, int, text, timestamptz, timestamptz),
--		uuidnew_error(anyelement, text, text, text);
--
-- The planner inlines most functions, as they are one expression, not STRICT where it has a CASE,
-- and use an argument that may be volatile or costly once.

BEGIN;

-- not in place of a function that an extension has made
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_proc p
			   JOIN pg_namespace n ON n.oid = p.pronamespace
			   JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
			   WHERE p.proname = 'uuid_generate_v7' AND n.nspname = current_schema)
	THEN
		RAISE EXCEPTION USING ERRCODE = 'duplicate_function',
			MESSAGE = format('an extension has a function uuid_generate_v7 in schema "%s"', current_schema),
			HINT = 'Choose another schema.';
	END IF;
END $$;

--
-- Errors, with the messages of the extension
--

CREATE OR REPLACE FUNCTION uuidnew_error(result anyelement, state text, message text, detail text)
RETURNS anyelement LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog AS $$
BEGIN
	RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail;
END $$;

CREATE OR REPLACE FUNCTION uuidnew_unknown_layout(result anyelement, layout text)
RETURNS anyelement LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog AS $$
BEGIN
	IF layout IS NULL THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION USING ERRCODE = '22023',
		MESSAGE = format('unknown layout "%s" for UUID version 7', layout),
		HINT = 'Valid layouts are "millisecond", "microsecond" (or "draft"), "nanosecond", "rfc9562". '
			'Functions whose names begin with "uuidv7" mean "rfc9562".';
END $$;

CREATE OR REPLACE FUNCTION uuidnew_out_of_range(ts timestamptz, version int, layout text, first timestamptz, last timestamptz)
RETURNS uuid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog SET datestyle = 'ISO' AS $$
BEGIN
	RAISE EXCEPTION USING ERRCODE = '22008',
		MESSAGE = format('timestamp out of range for UUID version %s', version),
		DETAIL = format(CASE layout WHEN '' THEN 'It holds times from %2$s to %3$s.'
								   ELSE 'The layout "%1$s" holds times from %2$s to %3$s.' END,
								   layout, first, last);
END $$;

CREATE OR REPLACE FUNCTION uuidnew_has_version(id uuid, version int)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN get_byte(uuid_send(id), 6) >> 4 = version AND get_byte(uuid_send(id), 8) >> 6 = 2;

CREATE OR REPLACE FUNCTION uuidnew_wrong_version(id uuid, version int)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL THEN
	uuidnew_error(id, '22023',
				  CASE WHEN get_byte(uuid_send(id), 8) >> 6 = 2
				  THEN format('cannot convert a UUID of version %s', get_byte(uuid_send(id), 6) >> 4)
				  ELSE 'cannot convert a UUID that is not of the RFC 9562 variant' END,
				  format('The function takes UUIDs of version %s.', version)) END;

--
-- Bits.  Times are numeric or bigint, as floating point would lose microseconds.
--

-- seconds since 1970; not extract() from a timestamptz, which is not IMMUTABLE
CREATE OR REPLACE FUNCTION uuidnew_epoch(ts timestamptz)
RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN extract(epoch FROM ts AT TIME ZONE 'UTC');

-- 100 ns since 1582-10-15
CREATE OR REPLACE FUNCTION uuidnew_gregorian(ts timestamptz)
RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (uuidnew_epoch(ts) + 12219292800) * 10000000;

-- An interval is multiplied as a double, which has room for the seconds but not for all microseconds.
CREATE OR REPLACE FUNCTION uuidnew_time(start timestamp, seconds bigint, microseconds bigint)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (start + seconds * interval '1 second' + microseconds * interval '1 microsecond') AT TIME ZONE 'UTC';

CREATE OR REPLACE FUNCTION uuidnew_number(hex text)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || lpad(hex, 16, '0'))::bit(64)::bigint;

-- 60 bits around the version, and the digits that follow, from the variant on
CREATE OR REPLACE FUNCTION uuidnew_uuid(version text, bits bigint, rest text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (overlay(lpad(to_hex(bits), 15, '0') PLACING version FROM 13 FOR 0) || rest)::uuid;

-- the same with variant and 62 random bits
CREATE OR REPLACE FUNCTION uuidnew_make(version text, bits numeric)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN uuidnew_uuid(version, bits::bigint, right(gen_random_uuid()::text, 18));

-- The draft's fractions of a second are rounded up, so that a reader gets the unit back.  They
-- follow the seconds without a gap, so both are one number: 36 bits and 12, 24 or 38.

CREATE OR REPLACE FUNCTION uuidnew_millisecond(seconds numeric)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN (lpad(to_hex(ceil(floor(seconds * 1000) * 4.096)::bigint), 12, '0') || '7' ||
		right(gen_random_uuid()::text, 21))::uuid;

-- 74 bits of time; 48 that follow, in hex
CREATE OR REPLACE FUNCTION uuidnew_draft_bound(bits numeric, rest text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uuidnew_uuid('7', div(bits, 16384)::bigint, to_hex(32768 + mod(bits, 16384)::int) || rest);

CREATE OR REPLACE FUNCTION uuidnew_nanosecond(seconds numeric)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN uuidnew_draft_bound(ceil(seconds * 274877906944), right(gen_random_uuid()::text, 12));

--
-- Version 6, and version 1
--

-- new version 6 UUID
CREATE OR REPLACE FUNCTION uuid_generate_v6()
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN uuidnew_make('6', (extract(epoch FROM clock_timestamp()) + 12219292800) * 10000000);

-- new version 6 UUID for a given time; 22008 for a time out of range
CREATE OR REPLACE FUNCTION uuid_generate_v6_at(ts timestamptz)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE WHEN ts BETWEEN '1582-10-15 00:00:00+00' AND '5236-03-31 21:21:00.684697+00'
	THEN uuidnew_make('6', uuidnew_gregorian(ts))
	ELSE uuidnew_out_of_range(ts, 6, '', '1582-10-15 00:00:00+00', '5236-03-31 21:21:00.684697+00') END;

-- creation time of a version 6 UUID; NULL for any other
CREATE OR REPLACE FUNCTION uuid_v6_timestamp(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 6) THEN uuidnew_time('1582-10-15',
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3)) / 10000000,
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4) || substr(id::text, 16, 3)) % 10000000 / 10) END;

-- smallest and largest version 6 UUID with this time; the nil or the max UUID beyond the range
CREATE OR REPLACE FUNCTION uuid_v6_min(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1582-10-15 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '5236-03-31 21:21:00.684697+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE uuidnew_uuid('6', uuidnew_gregorian(ts)::bigint, '8000000000000000') END;

CREATE OR REPLACE FUNCTION uuid_v6_max(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1582-10-15 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '5236-03-31 21:21:00.684697+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	-- the last microsecond is not a whole one
	WHEN ts = '5236-03-31 21:21:00.684697+00' THEN 'ffffffff-ffff-6fff-bfff-ffffffffffff'
	ELSE uuidnew_uuid('6', uuidnew_gregorian(ts)::bigint + 9, 'bfffffffffffffff') END;

-- Windows of time.  GREATEST and LEAST ignore a NULL, which leaves the end open.  The test of the
-- version is an inequality, of which the planner expects that nearly all rows pass.

-- is the time of a version 6 UUID in the window since <= time < until? NULL is open
CREATE OR REPLACE FUNCTION uuid_v6_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= greatest(uuid_v6_min(since), '00000000-0000-0000-0000-000000000000')
	AND id < least(uuid_v6_min(until), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
	AND uuidnew_has_version(id, 6)::int <> 0;

-- version 1 as version 6, and back: same time, sequence and node; 22023 for another version
CREATE OR REPLACE FUNCTION uuid_v1_to_v6(id uuid)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 1)
	THEN (substr(id::text, 16, 3) || substr(id::text, 10, 4) || substr(id::text, 1, 5) || '6' ||
		  substr(id::text, 6, 3) || right(id::text, 18))::uuid
	ELSE uuidnew_wrong_version(id, 1) END;

CREATE OR REPLACE FUNCTION uuid_v6_to_v1(id uuid)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 6)
	THEN (substr(id::text, 8, 1) || substr(id::text, 10, 4) || substr(id::text, 16, 3) ||
		  substr(id::text, 4, 4) || '1' || substr(id::text, 1, 3) || right(id::text, 18))::uuid
	ELSE uuidnew_wrong_version(id, 6) END;

-- creation time of a version 1 UUID; NULL for any other
CREATE OR REPLACE FUNCTION uuid_v1_timestamp(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 1) THEN uuid_v6_timestamp(uuid_v1_to_v6(id)) END;

--
-- Version 7 of RFC 9562
--

-- new version 7 UUID of RFC 9562, with the fraction of the millisecond in rand_a
CREATE OR REPLACE FUNCTION uuidv7()
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN uuidnew_make('7', floor(extract(epoch FROM clock_timestamp()) * 4096000));

-- the same for a given time; 22008 for a time out of range
CREATE OR REPLACE FUNCTION uuidv7_at(ts timestamptz)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE WHEN ts BETWEEN '1970-01-01 00:00:00+00' AND '10889-08-02 05:31:50.655999+00'
	THEN uuidnew_make('7', floor(uuidnew_epoch(ts) * 4096000))
	ELSE uuidnew_out_of_range(ts, 7, 'rfc9562', '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.655999+00') END;

-- creation time of a version 7 UUID of RFC 9562, to the millisecond; NULL for another version
CREATE OR REPLACE FUNCTION uuidv7_timestamp(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 7) THEN uuidnew_time('1970-01-01',
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4)) / 1000,
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4)) % 1000 * 1000) END;

-- the same to the microsecond, for keys with the fraction of the millisecond in rand_a
CREATE OR REPLACE FUNCTION uuidv7_timestamp_micros(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 7) THEN uuidnew_time('1970-01-01',
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4)) / 1000,
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 4)) % 1000 * 1000 +
	(uuidnew_number(substr(id::text, 16, 3)) * 1000 + 999) / 4096) END;

-- smallest and largest version 7 UUID of RFC 9562 with this time; nil or max beyond the range
CREATE OR REPLACE FUNCTION uuidv7_min(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1970-01-01 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '10889-08-02 05:31:50.655+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE (lpad(to_hex(ceil(uuidnew_epoch(ts) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid END;

CREATE OR REPLACE FUNCTION uuidv7_max(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1970-01-01 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '10889-08-02 05:31:50.655999+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE (lpad(to_hex(floor(uuidnew_epoch(ts) * 1000)::bigint), 12, '0') || '7fffbfffffffffffffff')::uuid END;

-- where a window ends: NULL is open, up to the first key of the draft
CREATE OR REPLACE FUNCTION uuidv7_until(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts IS NULL THEN '03000000-0000-7000-8000-000000000000' ELSE uuidv7_min(ts) END;

-- is the time of a version 7 UUID of RFC 9562 in the window since <= time < until? NULL is open,
-- and finds no key of the draft
CREATE OR REPLACE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= greatest(uuidv7_min(since), '00000000-0000-0000-0000-000000000000')
	AND id < uuidv7_until(until)
	AND uuidnew_has_version(id, 7)::int <> 0;

-- a window of one end: is the time before this one, or this one or later? NULL finds nothing
CREATE OR REPLACE FUNCTION uuidv7_before(id uuid, ts timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id < uuidv7_min(ts)
	AND uuidnew_has_version(id, 7)::int <> 0;

CREATE OR REPLACE FUNCTION uuidv7_from(id uuid, ts timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= uuidv7_min(ts) AND id < '03000000-0000-7000-8000-000000000000'
	AND uuidnew_has_version(id, 7)::int <> 0;

-- is it a version 7 UUID of RFC 9562, or of the draft, by its first 36 bits? For CHECK constraints
CREATE OR REPLACE FUNCTION uuidv7_is(id uuid)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uuidnew_has_version(id, 7) AND id < '03000000-0000-7000-8000-000000000000';

CREATE OR REPLACE FUNCTION uuid_v7_is(id uuid)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uuidnew_has_version(id, 7) AND id >= '03000000-0000-7000-8000-000000000000';

--
-- Version 7 of the draft
--

-- new version 7 UUID of the draft, to the microsecond
CREATE OR REPLACE FUNCTION uuid_generate_v7()
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN uuidnew_make('7', ceil(extract(epoch FROM clock_timestamp()) * 16777216));

-- the same for a given time; 22008 for a time out of range
CREATE OR REPLACE FUNCTION uuid_generate_v7_at(ts timestamptz)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE WHEN ts BETWEEN '1970-01-01 00:00:00+00' AND '4147-08-20 07:32:15.999999+00'
	THEN uuidnew_make('7', ceil(uuidnew_epoch(ts) * 16777216))
	ELSE uuidnew_out_of_range(ts, 7, 'microsecond', '1970-01-01 00:00:00+00', '4147-08-20 07:32:15.999999+00') END;

-- creation time of a version 7 UUID of the draft, any precision; NULL for another version
CREATE OR REPLACE FUNCTION uuid_v7_timestamp(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 7) THEN uuidnew_time('1970-01-01',
	uuidnew_number(left(id::text, 8) || substr(id::text, 10, 1)),
	((uuidnew_number(substr(id::text, 11, 3) || substr(id::text, 16, 3)) << 14) +
	 (uuidnew_number(substr(id::text, 20, 4)) & 16383)) * 15625 >> 32) END;

-- smallest and largest version 7 UUID of the draft with this time; nil or max beyond the range
CREATE OR REPLACE FUNCTION uuid_v7_min(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1970-01-01 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '4147-08-20 07:32:15.999999+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE uuidnew_draft_bound(ceil(uuidnew_epoch(ts) * 274877906944), '000000000000') END;

CREATE OR REPLACE FUNCTION uuid_v7_max(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts < '1970-01-01 00:00:00+00' THEN '00000000-0000-0000-0000-000000000000'
	WHEN ts > '4147-08-20 07:32:15.999999+00' THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
	ELSE uuidnew_draft_bound(ceil((uuidnew_epoch(ts) + 0.000001) * 274877906944) - 1, 'ffffffffffff') END;

-- where a window begins: NULL is open, down to the first key of the draft
CREATE OR REPLACE FUNCTION uuid_v7_since(ts timestamptz)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts IS NULL THEN '03000000-0000-7000-8000-000000000000' ELSE uuid_v7_min(ts) END;

-- is the time of a version 7 UUID of the draft in the window since <= time < until? NULL is open,
-- and finds no key of RFC 9562
CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= uuid_v7_since(since)
	AND id < least(uuid_v7_min(until), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
	AND uuidnew_has_version(id, 7)::int <> 0;

-- a window of one end: is the time before this one, or this one or later? NULL finds nothing
CREATE OR REPLACE FUNCTION uuid_v7_before(id uuid, ts timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= '03000000-0000-7000-8000-000000000000' AND id < uuid_v7_min(ts)
	AND uuidnew_has_version(id, 7)::int <> 0;

CREATE OR REPLACE FUNCTION uuid_v7_from(id uuid, ts timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= uuid_v7_min(ts)
	AND uuidnew_has_version(id, 7)::int <> 0;

-- kind of layout of a version 7 UUID: rfc9562 or draft, right for times from 1995 to 2074; none
-- for another version
CREATE OR REPLACE FUNCTION uuid_v7_layout(id uuid)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 7)
	THEN CASE WHEN id < '03000000-0000-7000-8000-000000000000' THEN 'rfc9562' ELSE 'draft' END
	WHEN id IS NOT NULL THEN 'none' END;

-- creation time of a UUID of version 1, 6 or 7, of the draft or RFC 9562 by its first 36 bits; NULL
-- for another version
CREATE OR REPLACE FUNCTION uuid_time(id uuid)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidv7_is(id) THEN uuidv7_timestamp(id)
	WHEN uuid_v7_is(id) THEN uuid_v7_timestamp(id)
	ELSE coalesce(uuid_v6_timestamp(id), uuid_v1_timestamp(id)) END;

--
-- Version 7 in a layout: millisecond, microsecond (or draft), nanosecond, rfc9562, in any case;
-- 22023 for another
--

CREATE OR REPLACE FUNCTION uuidnew_is_v7_layout(layout text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN lower(layout COLLATE "C") IN ('millisecond', 'microsecond', 'draft', 'nanosecond', 'rfc9562')
	THEN true ELSE uuidnew_unknown_layout(true, layout) END;

CREATE OR REPLACE FUNCTION uuid_generate_v7(layout text)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE lower(layout COLLATE "C")
	WHEN 'microsecond' THEN uuid_generate_v7()
	WHEN 'draft' THEN uuid_generate_v7()
	WHEN 'rfc9562' THEN uuidnew_make('7', floor(extract(epoch FROM clock_timestamp()) * 4096000))
	WHEN 'millisecond' THEN uuidnew_millisecond(extract(epoch FROM clock_timestamp()))
	WHEN 'nanosecond' THEN uuidnew_nanosecond(extract(epoch FROM clock_timestamp()))
	ELSE uuidnew_unknown_layout(NULL::uuid, layout) END;

CREATE OR REPLACE FUNCTION uuid_generate_v7_at(ts timestamptz, layout text)
RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN CASE lower(layout COLLATE "C")
	WHEN 'microsecond' THEN uuid_generate_v7_at(ts)
	WHEN 'draft' THEN uuid_generate_v7_at(ts)
	WHEN 'rfc9562' THEN uuidv7_at(ts)
	WHEN 'millisecond' THEN
		CASE WHEN ts BETWEEN '1970-01-01 00:00:00+00' AND '4147-08-20 07:32:15.999999+00'
		THEN uuidnew_millisecond(uuidnew_epoch(ts))
		ELSE uuidnew_out_of_range(ts, 7, 'millisecond', '1970-01-01 00:00:00+00', '4147-08-20 07:32:15.999999+00') END
	WHEN 'nanosecond' THEN
		CASE WHEN ts BETWEEN '1970-01-01 00:00:00+00' AND '4147-08-20 07:32:15.999999+00'
		THEN uuidnew_nanosecond(uuidnew_epoch(ts))
		ELSE uuidnew_out_of_range(ts, 7, 'nanosecond', '1970-01-01 00:00:00+00', '4147-08-20 07:32:15.999999+00') END
	ELSE uuidnew_unknown_layout(NULL::uuid, layout) END;

CREATE OR REPLACE FUNCTION uuid_v7_timestamp(id uuid, layout text)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN NOT uuidnew_is_v7_layout(layout) THEN NULL
	WHEN lower(layout COLLATE "C") = 'rfc9562' THEN uuidv7_timestamp(id)
	WHEN layout IS NOT NULL THEN uuid_v7_timestamp(id) END;

CREATE OR REPLACE FUNCTION uuid_v7_min(ts timestamptz, layout text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN NOT uuidnew_is_v7_layout(layout) THEN NULL
	WHEN lower(layout COLLATE "C") = 'rfc9562' THEN uuidv7_min(ts)
	WHEN layout IS NOT NULL THEN uuid_v7_min(ts) END;

CREATE OR REPLACE FUNCTION uuid_v7_max(ts timestamptz, layout text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN NOT uuidnew_is_v7_layout(layout) THEN NULL
	WHEN lower(layout COLLATE "C") = 'rfc9562' THEN uuidv7_max(ts)
	WHEN layout IS NOT NULL THEN uuid_v7_max(ts) END;

CREATE OR REPLACE FUNCTION uuid_v7_since(ts timestamptz, layout text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts IS NOT NULL THEN uuid_v7_min(ts, layout)
	WHEN lower(layout COLLATE "C") = 'rfc9562' THEN '00000000-0000-0000-0000-000000000000'
	WHEN uuidnew_is_v7_layout(layout) THEN '03000000-0000-7000-8000-000000000000' END;

CREATE OR REPLACE FUNCTION uuid_v7_until(ts timestamptz, layout text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ts IS NOT NULL THEN uuid_v7_min(ts, layout)
	WHEN lower(layout COLLATE "C") = 'rfc9562' THEN '03000000-0000-7000-8000-000000000000'
	WHEN uuidnew_is_v7_layout(layout) THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' END;

CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz, layout text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= uuid_v7_since(since, layout)
	AND id < uuid_v7_until(until, layout)
	AND (uuidnew_has_version(id, 7)::int <> 0) = uuidnew_is_v7_layout(layout);

--
-- UUIDs as text for URLs: 26 digits of five bits
--

CREATE OR REPLACE FUNCTION uuidnew_to_base32(bits bit varying, alphabet text)
RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $$
DECLARE
	digits text := '';
BEGIN
	FOR i IN 0 .. 25 LOOP
		digits := digits || substr(alphabet, 1 + substring(bits FROM 5 * i + 1 FOR 5)::bit(5)::int, 1);
	END LOOP;
	RETURN digits;
END $$;

-- the bits as text
CREATE OR REPLACE FUNCTION uuidnew_from_base32(digits text, alphabet text)
RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog AS $$
DECLARE
	bits text := '';
BEGIN
	FOR i IN 1 .. 26 LOOP
		bits := bits || (strpos(alphabet, substr(digits, i, 1)) - 1)::bit(5)::text;
	END LOOP;
	RETURN bits;
END $$;

-- 128 of the bits as a UUID
CREATE OR REPLACE FUNCTION uuidnew_from_bits(bits text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (lpad(to_hex(left(bits, 64)::bit(64)::bigint), 16, '0') ||
		lpad(to_hex(right(bits, 64)::bit(64)::bigint), 16, '0'))::uuid;

-- base32hex of RFC 4648, no padding; read in either case, 22P02 for another text
CREATE OR REPLACE FUNCTION uuid_to_base32hex(id uuid)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uuidnew_to_base32(('x' || replace(id::text, '-', ''))::bit(128) || B'00', '0123456789ABCDEFGHIJKLMNOPQRSTUV');

CREATE OR REPLACE FUNCTION base32hex_to_uuid(value text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value COLLATE "C" ~ '^[0-9A-Va-v]{25}[048CGKOScgkos]$' THEN
	uuidnew_from_bits(left(uuidnew_from_base32(upper(value COLLATE "C"), '0123456789ABCDEFGHIJKLMNOPQRSTUV'), 128))
	WHEN value IS NOT NULL THEN
	uuidnew_error(NULL::uuid, '22P02', format('invalid input syntax for base32hex UUID: "%s"', value),
				  'It has 26 characters of 0-9 and A-V, the last of them 0, 4, 8, C, G, K, O or S.') END;

-- TypeID; 22023 for a prefix that it cannot have
CREATE OR REPLACE FUNCTION uuid_to_typeid(id uuid, prefix text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN prefix COLLATE "C" ~ '^([a-z]([a-z_]{0,61}[a-z])?)?$' THEN
	CASE prefix WHEN '' THEN '' ELSE prefix || '_' END ||
	uuidnew_to_base32(B'00' || ('x' || replace(id::text, '-', ''))::bit(128), '0123456789abcdefghjkmnpqrstvwxyz')
	WHEN prefix IS NOT NULL THEN
	uuidnew_error(NULL::text, '22023', format('invalid prefix of TypeID: "%s"', prefix),
				  'It has at most 63 lower-case letters and underscores, and begins and ends with a letter.') END;

-- the last 26 characters of a text that is a TypeID; 22P02 for another
CREATE OR REPLACE FUNCTION uuidnew_typeid_digits(value text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value COLLATE "C" ~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN right(value, 26)
	WHEN value IS NOT NULL THEN
	uuidnew_error(NULL::text, '22P02', format('invalid input syntax for TypeID: "%s"', value),
				  'It has a prefix of lower-case letters and underscores, an underscore, and 26 characters of '
				  '0-9 and a-z without i, l, o and u, the first of them at most 7.') END;

-- the UUID in a TypeID, and its prefix
CREATE OR REPLACE FUNCTION typeid_to_uuid(value text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN uuidnew_from_bits(right(uuidnew_from_base32(uuidnew_typeid_digits(value), '0123456789abcdefghjkmnpqrstvwxyz'), 128));

CREATE OR REPLACE FUNCTION typeid_prefix(value text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN rtrim(left(value, -length(uuidnew_typeid_digits(value))), '_');

-- the UUID in a TypeID of a prefix; 22P02 for another prefix, 22023 for one that it cannot have
CREATE OR REPLACE FUNCTION typeid_to_uuid(value text, prefix text)
RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value IS NULL OR prefix IS NULL THEN NULL
	WHEN typeid_prefix(value) = prefix THEN typeid_to_uuid(value)
	WHEN uuid_to_typeid('00000000-0000-0000-0000-000000000000', prefix) IS NOT NULL THEN
	uuidnew_error(NULL::uuid, '22P02', format('TypeID "%s" does not have the prefix "%s"', value, prefix),
				  format('Its prefix is "%s".', typeid_prefix(value))) END;

--
-- Partitions, re-keying, and a look at all keys: plain SQL, which managed/uuidnew.sql has word for word.
--
-- Functions have a search_path of their own.  Procedures that commit cannot: they set it when a transaction
-- begins, and until then use qualified names, and keywords (bigint, varchar).  All find each other in the schema
-- of the function that is their last argument, whose default was bound to it when they were created.
--

-- layout of version 7 of a column: what a CHECK constraint says, and what its default makes
CREATE OR REPLACE FUNCTION uuidnew_column_layout(tab regclass, col int, uuid_min regprocedure, OUT guard text, OUT made text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT (SELECT max(layout)
	FROM (VALUES ('rfc9562', 'draft', 'uuidv7_is'), ('draft', 'rfc9562', 'uuid_v7_is')) form(layout, other, test),
	pg_constraint c WHERE c.conrelid = tab AND c.contype = 'c' AND c.conkey = ARRAY[col::int2]
	AND pg_get_constraintdef(c.oid) ~ format('^CHECK \(\(?(%4$s\.)?(%3$s\(%4$s\)|uuid_v7_layout\(%4$s\) '
	'(= ''%1$s''::text|<> ''%2$s''::text|'
		'= ANY \(ARRAY\[(''none''::text, )?''%1$s''::text(, ''none''::text)?\]\)))\)',
		layout, other, test, '([[:alnum:]_]+|"([^"]|"")+")')),
	(SELECT CASE WHEN call ^@ 'uuidv7(' OR call = 'uuid_generate_v7(''rfc9562''::text)' THEN 'rfc9562'
		WHEN call ~ '^(gen_random_uuid|uuidv4|uuid_generate_v4)\(' THEN 'version 4'
		-- pg_uuidv7 has a function of this name too
		WHEN call ~ '^uuid_generate_v7\((''(draft|(milli|micro|nano)second)''::text)?\)$'
			AND EXISTS (SELECT FROM pg_depend JOIN pg_proc p ON p.oid = refobjid
			WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid AND refclassid = 'pg_proc'::regclass
			AND p.pronamespace = (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min)) THEN 'draft' END
	FROM pg_attrdef d, regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^[^(]+\.', '') call
	WHERE d.adrelid = tab AND d.adnum = col)
$$;
COMMENT ON FUNCTION uuidnew_column_layout IS 'layout of version 7 of a column, by its guard and by its default';

-- what is partitioned by ranges of one uuid column, or is to be by a column: key, layout and default partition
CREATE OR REPLACE FUNCTION uuidnew_partition_key(parent regclass, wanted text, uuid_min regprocedure, col int,
	OUT key name, OUT layout text, OUT rest regclass, OUT own name)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE known text; wrong record;
BEGIN
	SELECT a.attname, a.attnum, nullif(p.partdefid, 0::oid) INTO key, col, rest FROM pg_attribute a LEFT JOIN pg_partitioned_table p ON p.partrelid = a.attrelid
	WHERE a.attrelid = parent AND a.atttypid = 'uuid'::regtype AND a.attnum = coalesce(col, CASE WHEN p.partstrat = 'r' AND p.partnatts = 1 THEN p.partattrs[0] END);
	IF NOT FOUND THEN RAISE wrong_object_type USING MESSAGE = format('table %s is not partitioned by ranges of a uuid column', parent); END IF;
	own := (SELECT n.nspname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = uuid_min);
	EXECUTE format('SELECT coalesce(guard, nullif(made, ''version 4'')), CASE WHEN %1$I.uuid_v7_min(now(), '
		'$4) IS NULL THEN NULL WHEN lower($4 COLLATE "C") = ''rfc9562'' THEN ''rfc9562'' ELSE ''draft'' END FROM %1$I.uuidnew_column_layout($1, $2, $3)', own)
	INTO known, layout USING parent, col, uuid_min, wanted;	-- an error if there is no such layout
	IF layout <> known THEN RAISE invalid_parameter_value USING MESSAGE = format('column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted); END IF;
	layout := coalesce(layout, known);
	-- The layouts of version 7 meet at this UUID: a bound is on the side of the one that it was made with.
	FOR wrong IN SELECT i.inhrelid::regclass AS partition, CASE WHEN bound[1]::uuid < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562' ELSE 'draft' END AS side
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, regexp_matches(pg_get_expr(c.relpartbound, c.oid), '[(]''([-0-9a-f]{36})''[)]', 'g') bound
		WHERE i.inhparent = parent AND bound[1]::uuid BETWEEN '00000001-0000-0000-0000-000000000000' AND '7fffffff-0000-0000-0000-000000000000' ORDER BY i.inhrelid LOOP
		layout := coalesce(layout, wrong.side);
		IF wrong.side <> layout THEN
			RAISE object_not_in_prerequisite_state USING MESSAGE = format('a bound of partition %s is of layout "%s", but column "%s" of table %s holds layout "%s"',
				wrong.partition, wrong.side, key, parent, layout), HINT = 'Detach the partition, and attach it with bounds of the right layout.';
		END IF;
	END LOOP;
	IF layout IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = format('cannot tell the layout of column "%s" of table %s', key, parent),
			HINT = 'Name it: layout => ''rfc9562'' or ''draft''. Better, add the guard to the table.';
	END IF;
END $$;
COMMENT ON FUNCTION uuidnew_partition_key IS 'key, layout and default partition of a table; for uuid_partitions and others';

CREATE OR REPLACE FUNCTION uuid_partitions(parent regclass, layout text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (partition regclass, since timestamptz, until timestamptz, rows bigint, bytes bigint, lower uuid, upper uuid)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET row_security = off AS $$	-- no policy hides rows
#variable_conflict use_column
DECLARE k record; has_rows boolean;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (SELECT pronamespace::regnamespace
		FROM pg_proc WHERE oid = uuid_min)) INTO k USING parent, layout, uuid_min;
	FOR partition, lower, upper, since, until, rows, bytes IN EXECUTE format($query$
		SELECT c.oid, nullif(b[1], 'MINVALUE')::uuid, nullif(b[2], 'MAXVALUE')::uuid, ts[1], ts[2], s.rows, s.bytes
		-- a bound written by hand may have any version
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, regexp_match(pg_get_expr(c.relpartbound, c.oid),
			'^FOR VALUES FROM [(]''?([^'')]+)''?[)] TO [(]''?([^'')]+)''?[)]$') b, LATERAL (SELECT array_agg(CASE v
			WHEN 'MINVALUE' THEN '-infinity' WHEN 'MAXVALUE' THEN 'infinity' ELSE coalesce(%1$I.uuid_v7_timestamp(v::uuid, $2),
					%1$I.uuid_v7_timestamp(overlay(overlay(v PLACING '7' FROM 15) PLACING '8'
						FROM 20)::uuid, $2)) END ORDER BY nr) FROM unnest(b) WITH ORDINALITY u(v, nr)) bound(ts),
			LATERAL (SELECT coalesce(sum(CASE WHEN l.reltuples < 0 THEN pg_stat_get_live_tuples(l.oid)
				ELSE l.reltuples::bigint END), 0), coalesce(sum(pg_total_relation_size(l.oid)), 0)
				FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid WHERE t.isleaf) s(rows, bytes)
		WHERE i.inhparent = $1 ORDER BY b IS NULL, b[1] <> 'MINVALUE', 2, c.relname$query$, k.own) USING parent, k.layout LOOP
		IF partition = k.rest THEN	-- the estimate cannot tell whether it is empty
			EXECUTE format('SELECT EXISTS (SELECT FROM %s)', partition) INTO has_rows;
			rows := CASE WHEN has_rows THEN greatest(rows, 1) ELSE 0 END;
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
COMMENT ON FUNCTION uuid_partitions IS 'partitions of a table by the time in its key';

CREATE OR REPLACE PROCEDURE uuid_create_partitions(parent regclass, width text, ahead interval, time_zone text DEFAULT 'UTC',
	layout text DEFAULT NULL, batch int DEFAULT 10000,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; step interval; digits varchar; stop pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.+) ahead;
	done pg_catalog.timestamptz := '-infinity';	-- all before is
	since pg_catalog.timestamptz; until pg_catalog.timestamptz; low pg_catalog.uuid; high pg_catalog.uuid;
	cut pg_catalog.uuid;	-- in its place, if there are more rows than a batch
	part varchar; unfinished CONSTANT varchar := 'uuid_create_partitions is moving rows into this partition';
	growing boolean; moving boolean; waiting bigint; deleted bigint; moved bigint := 0; made int := 0; tries int := 0;
	columns varchar; fks varchar; fks_again varchar; triggers varchar; stay varchar; blocked varchar; statement varchar;
	validate pg_catalog.text[] := '{}'; before pg_catalog.text[];
	enable CONSTANT varchar := 'SELECT string_agg(format(''ALTER TABLE %s ENABLE %s TRIGGER %I; '', tgrelid::regclass, '
		'CASE tgenabled WHEN ''A'' THEN ''ALWAYS'' WHEN ''R'' THEN ''REPLICA'' END, tgname), '''') FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal AND tgenabled <> ''D''';
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT w.step, w.digits INTO step, digits FROM (VALUES ('hour', interval '1 hour', 'YYYY_MM_DD_HH24'), ('day', '1 day', 'YYYY_MM_DD'),
		('week', '1 week', 'IYYY"w"IW'), ('month', '1 month', 'YYYY_MM'), ('quarter', '3 months', 'YYYY"q"Q'), ('year', '1 year', 'YYYY')) w(width, step, digits)
	WHERE w.width = lower(uuid_create_partitions.width);
	IF NOT FOUND OR parent IS NULL OR NOT coalesce(isfinite(stop), false) OR time_zone IS NULL OR batch IS NULL OR batch < 1 THEN
		RAISE invalid_parameter_value USING MESSAGE = format('cannot create partitions of width "%s", %s ahead, by %s rows', width, ahead, batch),
			HINT = 'Valid widths are hour, day, week, month, quarter and year.';
	END IF;

	LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		waiting := 0; growing := false; moving := false; cut := NULL; before := validate;
		BEGIN
			-- one at a time: writers go on while this waits
			EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
			-- below deadlock_timeout, so that nobody else is ended
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';
			EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min))
				INTO k USING parent, layout, uuid_min;
			-- the first time from now on that has no partition, or that of a row that waits in the default one
			EXECUTE format('WITH p AS MATERIALIZED (SELECT * FROM %I.uuid_partitions($1, '
				'$2)) SELECT min(ts) FROM (SELECT $3 UNION ALL SELECT until FROM p) t(ts) WHERE ts >= $3 AND NOT EXISTS (SELECT FROM p WHERE since <= ts AND until > ts)', k.own)
			INTO since USING parent, k.layout, greatest(done, date_trunc(width, now(), time_zone));
			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT %1$I.uuid_v7_timestamp(%2$I, '
					'$1) FROM ONLY %3$s WHERE %2$I >= %1$I.uuid_v7_min($2, $1) AND %1$I.uuid_v7_layout(%2$I) = $1 ORDER BY %2$I LIMIT 1', k.own, k.key, k.rest)
				INTO until USING k.layout, done;
				since := least(since, until);
			END IF;
			EXIT WHEN since >= stop;
			-- its period, up to its neighbours
			done := since;
			since := date_trunc(width, done - CASE WHEN date_trunc(width, done, time_zone) > done	-- midnight comes twice
				THEN interval '1 hour' ELSE '0' END, time_zone);
			until := since;
			WHILE until <= done LOOP	-- there may be no midnight
				until := CASE width WHEN 'hour' THEN until + step ELSE (date_trunc(width, until AT TIME ZONE time_zone) + step) AT TIME ZONE time_zone END;
			END LOOP;
			SELECT format('%I.%I', n.nspname, free.name) INTO part FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, generate_series(1, 1000) i, concat(left(c.relname,
				greatest(44 - octet_length(c.relname) + length(c.relname), 1)), to_char(since AT TIME ZONE time_zone, '"_"' || digits), '_' || nullif(i, 1)) free(name)
			WHERE c.oid = parent AND to_regclass(format('%I.%I', n.nspname, free.name)) IS NULL ORDER BY i LIMIT 1;
			EXECUTE format('SELECT %1$I.uuid_v7_min($1, $3), %1$I.uuid_v7_min($2, $3)', k.own) INTO low, high USING since, until, k.layout;
			FOR p IN EXECUTE format('SELECT * FROM %I.uuid_partitions($1, $2)', k.own) USING parent, k.layout LOOP
				IF p.until <= done AND p.until > since THEN
					growing := obj_description(p.partition, 'pg_class') IS NOT DISTINCT FROM unfinished;
					low := p.upper; since := p.until;
					IF growing THEN low := p.lower; since := p.since; part := p.partition; END IF;
				ELSIF p.since > done AND p.since < until THEN
					high := p.lower; until := p.since;
				END IF;
			END LOOP;

			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT $3 OR EXISTS (SELECT FROM ONLY %s WHERE %I >= $1 AND %2$I < $2)', k.rest, k.key) INTO moving USING low, high, growing;
			END IF;
			IF moving THEN	-- in one transaction, in which foreign keys and triggers would take rows for deleted
				SELECT min(format(	-- a foreign key that cannot be dropped and added again: its ON DELETE would fire
					CASE WHEN f.conparentid = 0 AND f.confrelid = parent THEN 'the foreign key of partitioned table %s cannot be added again NOT VALID before PostgreSQL 18'
						ELSE 'a foreign key of table %s refers to another table of the partition tree' END, f.conrelid::regclass)) INTO blocked
				FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid LEFT JOIN pg_constraint above ON above.oid = f.conparentid
				WHERE f.contype = 'f' AND (f.confrelid = k.rest AND f.conparentid = 0 OR f.confrelid = parent
					AND CASE f.conparentid WHEN 0 THEN c.relkind = 'p' AND current_setting('server_version_num')::int < 180000 ELSE above.confrelid <> parent END);
				IF blocked IS NOT NULL THEN RAISE '%', blocked; END IF;
				SELECT string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', conrelid::regclass, conname), ''),
					string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s%4$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L; ',
					conrelid::regclass, conname, pg_get_constraintdef(oid), CASE WHEN convalidated THEN ' NOT VALID' END, obj_description(oid, 'pg_constraint')), ''),
					validate || coalesce(array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname)) FILTER (WHERE convalidated), '{}')
				INTO fks, fks_again, validate FROM pg_constraint WHERE confrelid = parent AND contype = 'f' AND conparentid = 0;
				-- the table first, as a transaction that writes both does
				EXECUTE format('LOCK TABLE ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE', parent, k.rest);
				EXECUTE coalesce(fks, '');
				EXECUTE format('SELECT %1$I FROM ONLY %2$s WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I OFFSET $3 LIMIT 1', k.key, k.rest) INTO cut USING low, high, batch;
				SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
				EXECUTE format('CREATE TEMP TABLE uuidnew_moved ON COMMIT DROP AS SELECT %s FROM ONLY %s WHERE %I >= $1 AND %3$I < $2', columns, k.rest, k.key)
					USING low, coalesce(cut, high);
				EXECUTE enable INTO triggers USING k.rest;
				EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', k.rest);
				EXECUTE format('DELETE FROM ONLY %s WHERE %I >= $1 AND %2$I < $2', k.rest, k.key) USING low, coalesce(cut, high);
				GET DIAGNOSTICS deleted = ROW_COUNT; EXECUTE coalesce(triggers, '');
			END IF;

			IF growing THEN
				EXECUTE format('ALTER TABLE %1$s DETACH PARTITION %2$s; '
					'ALTER TABLE %1$s ATTACH PARTITION %2$s FOR VALUES FROM (%3$L) TO (%4$L)', parent, part, low, coalesce(cut, high));
			ELSE	-- only the parent's policies let anybody in
				EXECUTE (SELECT format('CREATE TABLE %1$s PARTITION OF %2$s FOR VALUES FROM (%3$L) TO (%4$L); ALTER TABLE %1$s OWNER TO %5$s%6$s%7$s',
					part, parent, low, coalesce(cut, high), relowner::regrole, CASE relreplident WHEN 'f' THEN ', REPLICA IDENTITY FULL' END,
					CASE WHEN relrowsecurity THEN ', ENABLE ROW LEVEL SECURITY' END) FROM pg_class WHERE oid = parent);
			END IF;

			IF moving THEN
				EXECUTE enable INTO triggers USING part::regclass;
				EXECUTE format('ALTER TABLE %1$s DISABLE TRIGGER USER; INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT * FROM pg_temp.uuidnew_moved', part, columns);
				GET DIAGNOSTICS waiting = ROW_COUNT;
				IF waiting <> deleted THEN RAISE 'of % rows of partition %, % were moved', deleted, k.rest, waiting; END IF;
				EXECUTE format('%s%sCOMMENT ON TABLE %s IS %L', triggers, fks_again, part, CASE WHEN cut IS NOT NULL THEN unfinished END);
			END IF;
			tries := 0;
		EXCEPTION WHEN OTHERS THEN
			validate := before;
			IF SQLSTATE IN ('55P03', '40P01', '40001') OR SQLSTATE = '23514' AND NOT moving THEN	-- a lock, or a row that came meanwhile
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			ELSIF moving THEN	-- the partitions of times to come do not wait for these
				stay := coalesce(stay, format('rows since %s stay in partition %s: %s', since, k.rest, SQLERRM));
				done := until; moved := 0; tries := 0; CONTINUE;
			ELSE RAISE; END IF;
		END;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		PERFORM pg_sleep(0.5 * random()) WHERE tries > 0; CONTINUE WHEN tries > 0;
		moved := moved + waiting;
		IF cut IS NULL THEN
			RAISE NOTICE 'created partition %: since %, until %, with % rows from the default partition', part, since, until, moved;
			made := made + 1; done := until; moved := 0;
		END IF;
	END LOOP;
	IF stay IS NOT NULL THEN RAISE NOTICE '%', stay; END IF;
	COMMIT;

	FOREACH statement IN ARRAY validate LOOP EXECUTE statement; COMMIT; END LOOP;
	RAISE NOTICE 'created % partitions of %', made, parent;
END $$;
COMMENT ON PROCEDURE uuid_create_partitions IS 'creates the partitions that are missing, and moves what waits in the default';

CREATE OR REPLACE PROCEDURE uuid_drop_partitions(parent regclass, older_than interval, dry_run boolean DEFAULT true,
	delete_children boolean DEFAULT false, detach_only boolean DEFAULT false, layout text DEFAULT NULL,
	batch int DEFAULT 10000, uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; child pg_catalog.record; n bigint; name varchar; tries int; finished boolean;
	reaches pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.-) older_than;	-- a NULL drops nothing
	path CONSTANT varchar := pg_catalog.current_setting('search_path'); children varchar; kept varchar; secure CONSTANT varchar := pg_catalog.current_setting('row_security');
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF older_than < '0' OR dry_run IS NULL OR delete_children IS NULL OR detach_only IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'an age is not negative, and dry_run, delete_children and detach_only are true or false';
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, NULL)', (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min))
		INTO k USING parent, layout, uuid_min;
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);	-- before its partitions, as others do
	FOR p IN EXECUTE format('SELECT * FROM %I.uuid_partitions($1, $2) WHERE until <= $3 ORDER BY until', k.own) USING parent, k.layout, reaches LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);
		CONTINUE WHEN pg_get_partition_constraintdef(p.partition) IS NULL;	-- another session was here
		name := p.partition;	-- while there is one
		kept := NULL; children := '';
		EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %I.uuid_v7_layout(%I) IS DISTINCT FROM $1 LIMIT 1) other', p.partition, k.own, k.key) INTO n USING k.layout;
		IF n > 0 THEN
			kept := 'it holds keys of another version or layout, whose age is not known';
		ELSIF NOT detach_only THEN
			-- what DROP would refuse, but for foreign keys that refer to the parent: DETACH ends those
			WITH RECURSIVE d(classid, objid, objsubid, deptype) AS (SELECT 'pg_class'::regclass::oid, relid::oid, 0, 'i'::"char" FROM pg_partition_tree(p.partition)
				UNION
				SELECT e.classid, e.objid, e.objsubid, e.deptype
				FROM d JOIN pg_depend e ON e.refclassid = d.classid AND e.refobjid = d.objid LEFT JOIN pg_constraint c ON e.classid = 'pg_constraint'::regclass AND c.oid = e.objid
				WHERE d.deptype <> 'n' AND NOT (c.contype IS NOT DISTINCT FROM 'f' AND c.conparentid <> 0))
			SELECT min(replace(pg_describe_object(classid, objid, objsubid), 'rule _RETURN on ', '')) || ' depends on it' INTO kept
			FROM (SELECT * FROM d UNION ALL	-- an extension's own
				SELECT e.refclassid, e.refobjid, 0, 'n'
				FROM pg_partition_tree(p.partition) JOIN pg_depend e ON e.classid = 'pg_class'::regclass AND e.objid = relid WHERE e.deptype = 'e') d
			WHERE deptype = 'n' AND NOT EXISTS (SELECT FROM d own WHERE own.classid = d.classid AND own.objid = d.objid AND own.deptype <> 'n');
		END IF;
		-- what refers to a table that this one is a partition of first: it keeps the partition
		FOR child IN SELECT c.conrelid::regclass AS tab, a.attname AS col, c.conrelid IN (SELECT relid FROM pg_partition_ancestors(parent)) AS above,
			format('%s%I OPERATOR(pg_catalog.<) %L%s', format('%I OPERATOR(pg_catalog.>=) ', a.attname) || quote_literal(p.lower) || ' AND ',
			a.attname, p.upper, (SELECT string_agg(format(' AND %I IS NOT NULL', o.attname), '') FROM pg_attribute o WHERE o.attrelid = c.conrelid
			AND o.attnum = ANY (c.conkey) AND o.attnum <> a.attnum)) AS refers FROM pg_constraint c JOIN pg_attribute key ON key.attrelid = c.confrelid AND key.attname = k.key
			JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[array_position(c.confkey, key.attnum)] LEFT JOIN pg_constraint above ON above.oid = c.conparentid
			WHERE c.confrelid = parent AND c.contype = 'f' AND above.confrelid IS DISTINCT FROM parent ORDER BY 3 DESC, 1, 2 LOOP
			EXIT WHEN kept IS NOT NULL;
			EXECUTE format('SELECT count(*) FROM %s WHERE %s', child.tab, child.refers) INTO n;
			CONTINUE WHEN n = 0;
			children := children || format(', with %s rows of %s', n, child.tab);
			IF NOT delete_children OR child.above THEN kept := format('%s rows of %s refer to it', n, child.tab); END IF;
			WHILE n > 0 AND kept IS NULL AND NOT dry_run LOOP
				PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);	-- for triggers
				EXECUTE pg_catalog.format('DELETE FROM %1$s WHERE %2$I OPERATOR(pg_catalog.=) ANY (ARRAY('
					'SELECT %2$I FROM %1$s WHERE %3$s LIMIT $1)) AND %3$s', child.tab, child.col, child.refers) USING batch;
				GET DIAGNOSTICS n = ROW_COUNT; COMMIT;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
			END LOOP;
		END LOOP;

		tries := 0; finished := kept IS NOT NULL OR dry_run;
		WHILE NOT finished LOOP
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';
			PERFORM set_config('row_security', 'off', true);
			BEGIN
				EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
				IF strpos(pg_get_partition_constraintdef(p.partition), p.upper::text) > 0 THEN
					EXECUTE format('ALTER TABLE %s DETACH PARTITION %s%s', parent,
						name, CASE WHEN NOT detach_only THEN format('; DROP %sTABLE %s', (SELECT 'FOREIGN ' FROM pg_class WHERE oid = p.partition AND relkind = 'f'), name) END);
				ELSE	-- uuid_create_partitions may have moved its end
					kept := 'another session has changed it';
				END IF;
				finished := true;
			EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			WHEN foreign_key_violation OR dependent_objects_still_exist OR object_not_in_prerequisite_state THEN
				-- such as a DETACH that is pending
				GET STACKED DIAGNOSTICS kept = PG_EXCEPTION_DETAIL; kept := coalesce(nullif(kept, ''), SQLERRM); finished := true;
			END;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			PERFORM pg_sleep(0.5 * random()) WHERE NOT finished;
		END LOOP;
		RAISE NOTICE '%', CASE WHEN kept IS NOT NULL THEN format('kept partition %s: %s', name, kept) ELSE format('%s partition %s: until %s, about %s rows, %s%s',
			(ARRAY['dropped', 'detached', 'would drop', 'would detach'])[1 + detach_only::int + 2 * dry_run::int], name, p.until, p.rows, pg_size_pretty(p.bytes), children) END;
	END LOOP;
	-- a dry run may be part of a transaction
	PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);
END $$;
COMMENT ON PROCEDURE uuid_drop_partitions IS 'drops or detaches old partitions; by default only says which';

--
-- Partitioning: the table becomes the first partition of a new one of its name, where all that it has is
-- defined again in the same words, while its own goes by the name of the partition, …_first.  That a
-- CHECK constraint uuid_partitioning is on the table, or on a partition, says how far it is.
--

-- what a table or view has besides its columns, in words: grants (in place of those by default), policies,
-- triggers, rules, and comments, but those of foreign keys to itself
CREATE OR REPLACE FUNCTION uuidnew_belongings(rel regclass)
RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
WITH own AS (	-- with the sequences of its identity columns
	SELECT *, concat(CASE relkind WHEN 'S' THEN 'SEQUENCE ' END, oid::regclass) AS name,
		CASE relkind WHEN 'S' THEN 'S' ELSE 'r' END AS kind
	FROM pg_class WHERE oid = rel OR relkind = 'S' AND oid IN (SELECT objid
		FROM pg_depend WHERE refobjid = rel AND deptype = 'i'))
SELECT concat((SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s; ',
	name, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '') FROM own, LATERAL (SELECT relowner UNION ALL
		SELECT a.grantee FROM pg_default_acl, aclexplode(defaclacl) a WHERE defaclobjtype = kind) g(grantee)),
	(SELECT string_agg(format('GRANT %s%s ON %s TO %s%s; ', privilege_type, columns, name,
	coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '')
	FROM (SELECT name, '' AS columns, coalesce(relacl, acldefault(lower(kind)::"char", relowner)) AS acl FROM own
		UNION ALL SELECT rel::text, format(' (%I)', attname), attacl FROM pg_attribute
		WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped) a, aclexplode(acl)),
	(SELECT format('ALTER TABLE %s %s ROW LEVEL SECURITY, %s ROW LEVEL SECURITY, REPLICA IDENTITY %s; ',
		rel, CASE WHEN relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END, CASE WHEN relforcerowsecurity THEN 'FORCE'
		ELSE 'NO FORCE' END, CASE relreplident WHEN 'f' THEN 'FULL' ELSE 'DEFAULT' END)
		FROM own WHERE relkind IN ('r', 'p')),
	(SELECT string_agg(format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s; ', polname, rel, CASE WHEN polpermissive
		THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END, CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w'
		THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END, (SELECT string_agg(coalesce(nullif(role, 0)::regrole::text,
		'PUBLIC'), ', ') FROM unnest(polroles) role), ' USING (' || pg_get_expr(polqual, polrelid) || ')',
		' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')'), '') FROM pg_policy WHERE polrelid = rel),
	(SELECT string_agg(pg_get_triggerdef(oid) || '; ' || CASE tgenabled WHEN 'O' THEN '' ELSE
		format('ALTER TABLE %s %s TRIGGER %I; ', rel, CASE tgenabled
			WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, tgname) END, '')
			FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal),
	(SELECT string_agg(pg_get_ruledef(oid) || ' ', '') FROM pg_rewrite WHERE ev_class = rel AND rulename <> '_RETURN'),
	(SELECT string_agg(format('COMMENT ON %s %s IS %L; ',
		regexp_replace(type, '^(table|view) ', ''), identity, description), '')
	FROM pg_description, pg_identify_object(classoid, objoid, objsubid)
	WHERE (classoid, objoid) IN (SELECT 'pg_class'::regclass, oid FROM own
		UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM pg_index WHERE indrelid = rel AND indisvalid
		UNION ALL SELECT classid, objid FROM pg_depend LEFT JOIN pg_constraint c ON c.oid = objid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = rel
			AND deptype IN ('a', 'i') AND c.confrelid IS DISTINCT FROM rel AND classid IN ('pg_constraint'::regclass,
			'pg_trigger'::regclass, 'pg_policy'::regclass, 'pg_rewrite'::regclass))))
$$;
COMMENT ON FUNCTION uuidnew_belongings IS 'what a table has, in words; for uuid_partitioning_steps and others';

CREATE OR REPLACE FUNCTION uuid_partitioning_steps(tab regclass, width text, time_zone text DEFAULT 'UTC', layout text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET row_security = off AS $$
DECLARE
	own CONSTANT regnamespace := (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min);
	brief CONSTANT text := 'DECLARE s pg_catalog.record; BEGIN PERFORM pg_catalog.set_config(''lock_timeout'', ''500ms'', '
		'true), pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true), pg_catalog.set_config(''row_security'', ''off'', true); %s END';
	beside CONSTANT text := 'SHARE UPDATE EXCLUSIVE: others read and write'; moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment';
	everything CONSTANT text := 'ACCESS EXCLUSIVE on the table, what refers to it, and views, for a moment';
	mark CONSTANT text := 'uuid_partitioning';	-- also begins the comment of a foreign key that is to be its parent's
	first regclass := (SELECT conrelid FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid WHERE inhparent = tab AND conname = mark);
	swapped CONSTANT boolean := first IS NOT NULL; phases CONSTANT text[] := CASE WHEN swapped THEN '{finish}' ELSE '{prepare,undo}' END;
	period CONSTANT interval := replace('1 ' || substring(lower(width) FROM '^(?:hour|day|week|month|quarter|year)$'), '1 quarter', '3 months');
	name CONSTANT text := tab; old text; source text; t record; k record; f record; border uuid; last uuid; until timestamptz; checked boolean;
	locks text; drops text; indexes text; keys text; sequences text; belongings text; views text; publications text; refs text;
BEGIN
	SELECT c.*, n.nspname, left(c.relname, 57 - octet_length(c.relname) + length(c.relname)) || '_first' AS renamed, (SELECT CASE count(*) WHEN 1 THEN min(attnum) END
		FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey) WHERE conrelid = tab AND contype = 'p' AND atttypid = 'uuid'::regtype) AS num INTO t
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = tab;
	IF t.relkind = 'p' AND NOT swapped OR t.num IS NULL OR period IS NULL OR time_zone IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = format('cannot partition table %s by width "%s"', tab, width),
			HINT = 'A table that is not partitioned needs a primary key with one uuid column. Valid widths are hour, day, week, month, quarter and year.';
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, $3, $4)', own) INTO k USING tab, layout, uuid_min, t.num::int;
	old := coalesce(first::text, format('%I.%I', t.nspname, t.renamed));
	-- what would be lost
	IF NOT swapped THEN
		SELECT string_agg(o, E'\n') INTO drops FROM (SELECT 'it is foreign, unlogged, temporary, typed, a partition or inherited' AS o
			WHERE t.relkind <> 'r' OR t.relpersistence <> 'p' OR t.reloftype <> 0 OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
			UNION ALL SELECT format('unique index %s lacks column "%s"', indexrelid::regclass, k.key) FROM pg_index
			WHERE indrelid = tab AND indisunique AND t.num <> ALL ((indkey::int2[])[0:indnkeyatts - 1])
			UNION ALL SELECT format('constraint "%s" is an exclusion constraint or NO INHERIT', conname) FROM pg_constraint
			WHERE conrelid = tab AND (contype = 'x' OR contype IN ('c', 'n') AND connoinherit)
			UNION ALL SELECT format('trigger "%s" is for each row and has transition tables', tgname) FROM pg_trigger
			WHERE tgrelid = tab AND tgtype & 1 = 1 AND coalesce(tgoldtable, tgnewtable) IS NOT NULL
			UNION ALL SELECT 'its replica identity is neither DEFAULT nor FULL' WHERE t.relreplident NOT IN ('d', 'f')
			UNION ALL SELECT 'a subscription writes to it, which would leave its partitions out'
			WHERE EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = tab)
			UNION ALL SELECT format('publication "%s" publishes partitions by their own names: SET (publish_via_partition_root)', pubname)
			FROM pg_publication_tables JOIN pg_publication USING (pubname) WHERE schemaname = t.nspname AND tablename = t.relname AND NOT pubviaroot
			UNION ALL SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) || ' depends on it'
			FROM pg_depend d LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
				LEFT JOIN pg_class v ON v.oid = r.ev_class LEFT JOIN pg_policy o ON d.classid = 'pg_policy'::regclass AND o.oid = d.objid
			WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab AND (d.classid = 'pg_proc'::regclass OR v.relkind <> 'v' OR r.rulename <> '_RETURN' OR o.polrelid <> tab)
				OR d.refclassid = 'pg_type'::regclass AND d.deptype = 'n' AND d.refobjid IN (t.reltype, (SELECT typarray FROM pg_type WHERE oid = t.reltype))) x;
		IF drops IS NOT NULL THEN
			RAISE dependent_objects_still_exist USING MESSAGE = format('cannot partition table %s', tab), DETAIL = drops, HINT = 'Change or drop these before; '
				'what depends on the table, create again afterwards.';
		END IF;
	END IF;
	-- where the first partition ends: so late that there is a month for all of this
	SELECT (regexp_match(pg_get_constraintdef(oid), '''([-0-9a-f]{36})'''))[1], convalidated INTO border, checked
	FROM pg_constraint WHERE conrelid = coalesce(first, tab) AND conname = mark;
	EXECUTE format('SELECT %s.uuid_v7_timestamp($1, $2)', own) INTO until USING border, k.layout;
	IF NOT swapped AND coalesce(until < now() + interval '1 day', true) THEN
		checked := NULL;
		EXECUTE format('SELECT %I FROM %s ORDER BY 1 DESC LIMIT 1', k.key, tab) INTO last;
		EXECUTE format('SELECT greatest(now() + interval ''1 month'', %1$s.uuid_v7_timestamp($1, $2)) AS latest, %1$s.uuid_v7_layout($1) <> $2 AS wrong', own)
			INTO f USING last, k.layout;
		IF f.wrong THEN
			RAISE object_not_in_prerequisite_state USING HINT = 'Give the table new keys with uuid_rekey_steps before.',
				MESSAGE = format('the greatest key of table %s, %s, is not of layout "%s"', tab, last, k.layout);
		END IF;
		until := (date_trunc(width, f.latest AT TIME ZONE time_zone) + period) AT TIME ZONE time_zone;
		EXECUTE format('SELECT %s.uuid_v7_min($1, $2)', own) INTO border USING until, k.layout;
	END IF;
	-- all that the table has, or the new one, in words
	source := CASE WHEN swapped THEN format('%I.%I', t.nspname, mark) ELSE old END;	-- its name when it is moved
	SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.conrelid::regclass, c.conname), ''), ''),
		coalesce(string_agg((SELECT string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s NOT VALID; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L; ', leaf, c.conname,
		d.def, CASE WHEN is_own AND NOT swapped OR NOT is_own AND (r.relkind = 'p' OR d.comment ^@ mark) THEN mark || coalesce(d.said, '') ELSE nullif(d.said, '') END), '')
		FROM (SELECT DISTINCT CASE WHEN NOT is_own THEN l.oid::regclass::text WHEN swapped THEN name ELSE old END FROM (SELECT relid FROM pg_partition_tree(c.conrelid) WHERE isleaf
		UNION SELECT c.conrelid WHERE r.relkind <> 'p') l(oid)) l(leaf)), ''), ''), string_agg(DISTINCT ', ' || c.conrelid::regclass, '') FILTER (WHERE NOT is_own)
	INTO drops, refs, locks FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid, LATERAL (SELECT c.conrelid IN (tab, coalesce(first, tab))) o(is_own),
		LATERAL (SELECT comment, CASE WHEN comment ^@ mark THEN substr(comment, length(mark) + 1) ELSE comment END, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '')
		FROM obj_description(c.oid, 'pg_constraint') comment) d(comment, said, def) WHERE c.confrelid = tab AND c.contype = 'f' AND c.conparentid = 0;
	IF swapped THEN	-- the way back leads to what the table has by then
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, p.relname), '') INTO indexes
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_inherits h ON h.inhrelid = x.oid JOIN pg_class p ON p.oid = h.inhparent WHERE i.indrelid = first;
		SELECT concat(drops, (SELECT string_agg(format('DROP POLICY %I ON %s; ', polname, old), '') FROM pg_policy
			WHERE polrelid = first), string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s CASCADE; ', old, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '')) INTO drops
		FROM (SELECT relacl FROM pg_class WHERE oid = first UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = first) a(acl), aclexplode(acl);
	ELSE
		SELECT string_agg(format('ALTER INDEX %I.%I RENAME TO %I; ', t.nspname, x.relname, CASE WHEN octet_length(x.relname::text) > 57 THEN md5(x.relname)
			ELSE x.relname END || '_first'), ''), string_agg(CASE WHEN c.oid IS NULL THEN pg_get_indexdef(x.oid)
			|| '; ' ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', name, c.conname, pg_get_constraintdef(c.oid)) END, '') INTO indexes, keys
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid LEFT JOIN pg_constraint c ON c.conindid = x.oid AND c.conrelid = tab AND c.contype IN ('p', 'u')
		WHERE i.indrelid = tab AND i.indisvalid;
		SELECT concat(keys, string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s; ', name, conname, regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', '')), ''))
		INTO keys FROM pg_constraint WHERE conrelid = tab AND contype = 'f' AND confrelid <> tab;
		SELECT concat(drops, string_agg(format('DROP TRIGGER %I ON %s; ', tgname, name), '')) INTO drops FROM pg_trigger WHERE tgrelid = tab AND NOT tgisinternal;
	END IF;
	SELECT string_agg(CASE WHEN a.attidentity = '' THEN format('ALTER SEQUENCE %s OWNED BY %s.%I; ',
		q.seqrelid::regclass, name, a.attname) ELSE format('SELECT last_value, is_called INTO s FROM %4$s; ALTER TABLE %1$s ALTER %3$I DROP IDENTITY; '
		'ALTER TABLE %2$s ALTER %3$I ADD GENERATED %5$s AS IDENTITY (SEQUENCE NAME %4$s START %6$s INCREMENT %7$s MINVALUE %8$s MAXVALUE %9$s CACHE %10$s %11$s); '
		'PERFORM setval(%12$L, s.last_value, s.is_called); ', source, name, a.attname, q.seqrelid::regclass, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
		q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcache, CASE WHEN q.seqcycle THEN 'CYCLE' END, q.seqrelid::regclass) END, '') INTO sequences
	FROM pg_depend d JOIN pg_sequence q ON d.classid = 'pg_class'::regclass AND q.seqrelid = d.objid JOIN pg_attribute a ON a.attrelid = tab AND a.attnum = d.refobjsubid
	WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab AND d.deptype IN ('a', 'i');
	EXECUTE format('SELECT %s.uuidnew_belongings($1)', own) INTO belongings USING tab;
	SELECT string_agg(format('CREATE OR REPLACE VIEW %s%s AS %s ', v.oid::regclass, ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid)), '') INTO views
	FROM pg_class v WHERE v.relkind = 'v' AND v.oid IN (SELECT r.ev_class
		FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = tab);
	SELECT string_agg(format('ALTER PUBLICATION %1$I DROP TABLE %2$s; '
		'ALTER PUBLICATION %1$I ADD TABLE %3$s%4$s%5$s; ', p.pubname, source, name, ' (' || (SELECT string_agg(quote_ident(attname), ', ')
		FROM pg_attribute WHERE attrelid = tab AND to_jsonb(r) -> 'prattrs' @> to_jsonb(attnum)) || ')', ' WHERE (' || (to_jsonb(v) ->> 'rowfilter') || ')'), '') INTO publications
	FROM pg_publication_rel r
		JOIN pg_publication p ON p.oid = r.prpubid JOIN pg_publication_tables v ON v.pubname = p.pubname AND v.schemaname = t.nspname AND v.tablename = t.relname
	WHERE r.prrelid = tab;

	RETURN QUERY SELECT row_number() OVER (ORDER BY nr, s.phase, s.statement)::int, s.phase, CASE WHEN s.lock IN (beside, 'see there') THEN s.statement ELSE format('DO %L',
		format(brief, s.statement)) END, s.lock, s.why, s.done FROM (SELECT 1 AS nr, 'prepare' AS phase, format('ALTER TABLE %s %sADD CONSTRAINT %I CHECK (%I < %L) NOT VALID;',
		name, (SELECT format('DROP CONSTRAINT %I, ', conname) FROM pg_constraint WHERE conrelid = tab AND conname = mark), mark, k.key, border) AS statement,
		moment AS lock, format('the table is to be the partition until %s; until the swap, later keys are refused', until) AS why, checked IS NOT NULL AS done WHERE NOT swapped
			UNION ALL SELECT 2, 'prepare',
				format('ALTER TABLE %s VALIDATE CONSTRAINT %I', name, mark), beside, 'reads the table, so that the swap need not', coalesce(checked, false) WHERE NOT swapped
			UNION ALL SELECT 2, p, format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname), beside, 'reads the table', false
			FROM pg_constraint x, unnest(phases) p WHERE tab IN (conrelid, confrelid) AND contype IN ('c', 'f', 'n')
				AND NOT convalidated AND to_jsonb(x) ->> 'conenforced' IS DISTINCT FROM 'false' AND conname <> mark AND (p <> 'undo' OR confrelid = tab)
			UNION ALL SELECT 3, p, format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE; ', name) || string_agg(format('COMMENT ON CONSTRAINT %I ON %s IS NULL; ', c.conname,
				c.conrelid::regclass), '') || format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L;', root::regclass, conname, def,
				nullif(substr(said, length(mark) + 1), '')), 'SHARE ROW EXCLUSIVE on both tables, for a moment', 'what partitions have becomes a foreign key of their parent', false
			FROM pg_constraint c, unnest(phases) p,
				pg_partition_root(conrelid) root, obj_description(c.oid, 'pg_constraint') said, regexp_replace(pg_get_constraintdef(c.oid), ' NOT VALID$', '') def
			WHERE confrelid = tab AND contype = 'f' AND conparentid = 0 AND said ^@ mark GROUP BY p, root, conname, def, said
			UNION ALL SELECT 4, 'swap', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = %L::regclass AND conname = %L '
				'AND convalidated) THEN RAISE ''run the steps of phase prepare before''; END IF; ', name, locks, name, mark) || drops || format('ALTER TABLE %1$s RENAME TO %2$I; '
				'%3$sCREATE TABLE %1$s (LIKE %4$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION) PARTITION BY RANGE (%5$I); '
				'ALTER TABLE %1$s DROP CONSTRAINT %6$I; ALTER TABLE %1$s OWNER TO %7$s; ', name, t.renamed, indexes, old, k.key, mark, t.relowner::regrole)
				|| concat(sequences, keys, belongings) || format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L); ', name, old, border)
				|| concat(views, publications, refs), everything, 'the table becomes a partition; reads no row', false WHERE NOT swapped
			UNION ALL SELECT 5, 'finish', format('CALL %s.uuid_create_partitions(%L, %L, %L, %L, %L)',
				own, name, lower(width), date_trunc('day', until + 2 * period - now()) + interval '1 day', time_zone, k.layout),
				'see there', 'partitions for what comes then: call it each night', EXISTS (SELECT FROM pg_inherits WHERE inhparent = tab AND inhrelid <> first) WHERE swapped
			UNION ALL SELECT 6, 'finish', format('ALTER TABLE %s DROP CONSTRAINT %I;', old, mark), moment, 'no way leads back from here', false WHERE swapped
			UNION ALL SELECT 7, 'undo', format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', name, mark), moment, 'the table is as before', checked IS NULL WHERE NOT swapped
			UNION ALL SELECT 7, 'undo', format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE; ', name, locks) || drops || format('ALTER TABLE %1$s DETACH PARTITION %2$s; '
				'IF EXISTS (SELECT FROM %1$s) THEN RAISE %3$L USING ERRCODE = ''object_not_in_prerequisite_state''; END IF; ALTER TABLE %1$s RENAME TO %4$I; '
				'ALTER TABLE %2$s RENAME TO %5$I; ALTER TABLE %1$s OWNER TO %6$s; ', name, old, replace(format('table %s has rows in other partitions', name), '%', '%%'),
				mark, t.relname, t.relowner::regrole) || concat(views, publications, sequences, 'DROP TABLE ' || source || '; ', indexes, belongings, refs),
				everything, 'the partition becomes the table', false WHERE swapped) s;
END $$;
COMMENT ON FUNCTION uuid_partitioning_steps IS 'statements that partition a table in use, and whether each is done';

--
-- Re-keying: beside the key and each column that refers to it, through foreign keys, stands a twin, new_…,
-- which triggers keep up to date.  The swap exchanges their names: then the twin is old_…, and the
-- same steps lead back.  What is done is read from the catalogs.
--

-- the key and all columns that refer to it, the key first
CREATE OR REPLACE FUNCTION uuidnew_rekey_columns(root regclass)
RETURNS TABLE (tab regclass, num int2, col name, twin name, next_twin name, is_key boolean, nullable boolean,
	has_twin boolean, twin_type text, filled boolean, identity boolean, has_default boolean, comment text, equal text,
	twin_equal text, key_type text, name name, owner regrole, here name, label name)	-- two for its triggers' functions
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE key record; prefixes text[];
BEGIN
	SELECT a.attnum AS num, a.atttypmod, a.attcollation, y.typtypmod, coalesce(nullif(y.typbasetype, 0), y.oid) AS type,
		EXISTS (SELECT FROM pg_attribute WHERE attrelid = root AND attname = left('old_' || a.attname, 63)::name
		AND NOT attisdropped AND col_description(root, attnum) = 'uuid_rekey_steps: a twin') AS swapped INTO key
	FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		JOIN pg_type y ON y.oid = a.atttypid WHERE c.conrelid = root AND c.contype = 'p' AND cardinality(c.conkey) = 1;
	IF (SELECT relkind FROM pg_class WHERE oid = root) = 'p' THEN
		RAISE feature_not_supported USING MESSAGE = format('cannot re-key partitioned table %s', root),
			HINT = 'Copy its rows, with new keys, into one that is not; partition that with uuid_partitioning_steps.';
	ELSIF key.num IS NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = format('table %s has no primary key of one column', root);
	END IF;
	prefixes := CASE WHEN key.swapped THEN '{old_,new_}' ELSE '{new_,old_}' END;

	RETURN QUERY WITH RECURSIVE cols(tab, att) AS (SELECT root::oid, key.num
			UNION
			SELECT c.conrelid, c.conkey[array_position(c.confkey, cols.att)]
			FROM cols JOIN pg_constraint c ON c.contype = 'f'
				AND c.confrelid = cols.tab AND cols.att = ANY (c.confkey) AND c.conparentid = 0)
		SELECT a.attrelid::regclass, a.attnum, a.attname, t.twin, left(prefixes[2] || a.attname, 63)::name, p.oid = root
			AND a.attnum = key.num, NOT a.attnotnull, w.attnum IS NOT NULL, coalesce(format_type(w.atttypid,
			w.atttypmod) || coalesce(' COLLATE ' || nullif(w.attcollation, 0)::regcollation, ''), 'uuid'),
			(SELECT convalidated FROM pg_constraint
			WHERE conrelid = p.oid AND conname = ('uuid_rekey_' || a.attname)::name), a.attidentity <> '', a.atthasdef,
			col_description(p.oid, a.attnum), o.equal[1], o.equal[2], format_type(key.type, greatest(key.typtypmod, key.atttypmod))
			|| coalesce(' COLLATE ' || nullif(key.attcollation, 0)::regcollation, ''), p.relname, p.relowner::regrole,
			n.nspname, CASE WHEN octet_length(p.relname::text) > 47 THEN md5(p.relname) ELSE p.relname END
		FROM cols JOIN pg_attribute a ON a.attrelid = cols.tab AND a.attnum = cols.att
			JOIN pg_class p ON p.oid = cols.tab JOIN pg_namespace n ON n.oid = p.relnamespace
			JOIN LATERAL (SELECT left(prefixes[1] || a.attname, 63)::name) t(twin) ON true LEFT JOIN pg_attribute w
			ON w.attrelid = p.oid AND w.attname = t.twin AND NOT w.attisdropped AND col_description(w.attrelid,
			w.attnum) = 'uuid_rekey_steps: a twin', LATERAL (SELECT array_agg(coalesce((	-- of the unique indexes
			SELECT min(format('OPERATOR(%s.%s)', oprnamespace::regnamespace, oprname)) FROM pg_index JOIN pg_opclass p
			ON p.oid = indclass[0] JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = opcintype
			AND amoprighttype = opcintype AND amopstrategy = 3 JOIN pg_operator o ON o.oid = amopopr WHERE indrelid = root
			AND indisunique AND indkey[0] = u.num), 'OPERATOR(pg_catalog.=)')) FROM unnest(ARRAY[key.num, w.attnum]) u(num)) o(equal)
		ORDER BY 6 DESC, cols.tab, a.attnum;
END $$;
COMMENT ON FUNCTION uuidnew_rekey_columns IS 'a key and all columns that refer to it; for uuid_rekey_steps and others';

-- a definition with other columns of a table
CREATE OR REPLACE FUNCTION uuidnew_rekey_renamed(definition text, twins jsonb)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT coalesce(string_agg(CASE WHEN coalesce(before, '') NOT IN ('.', ':')
	AND coalesce(after, '') NOT IN ('(', '.') THEN coalesce(twins ->> token, token) ELSE token END, '' ORDER BY nr), '')
FROM (	-- of texts, names, and single characters
	SELECT m[1] AS token, nr, lag(m[1]) OVER w AS before, lead(m[1]) OVER w AS after
	FROM regexp_matches(definition, '''(?:[^'']|'''')*''|"(?:[^"]|"")*"|[[:alnum:]_$]+|.', 'g') WITH ORDINALITY r(m, nr)
	WINDOW w AS (ORDER BY nr)) t
$$;
COMMENT ON FUNCTION uuidnew_rekey_renamed IS 'a definition with other columns; for uuid_rekey_steps';

-- what depends on the columns and would stay with the old ones
CREATE OR REPLACE FUNCTION uuidnew_rekey_obstacles(root regclass, new_key text, own regnamespace)
RETURNS SETOF text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
WITH RECURSIVE c AS (SELECT k.*, attacl FROM uuidnew_rekey_columns($1) k JOIN pg_attribute ON attrelid = tab AND attnum = num),
views(oid, num) AS (	-- and tables
	SELECT tab::oid, num::int FROM c
	UNION
	SELECT ev_class, NULL FROM views v JOIN pg_depend ON refclassid = 'pg_class'::regclass
		AND refobjid = v.oid AND refobjsubid = coalesce(v.num, refobjsubid) AND classid = 'pg_rewrite'::regclass JOIN pg_rewrite r ON r.oid = objid AND ev_class <> v.oid)
-- a default of a reference, as that of the key goes on making old ones
SELECT DISTINCT format('%s depends on column "%s"', pg_describe_object(d.classid, d.objid, d.objsubid), c.col)
FROM c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.tab AND d.refobjsubid = c.num
	LEFT JOIN pg_attrdef def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
	LEFT JOIN pg_class o ON o.oid = CASE d.classid WHEN 'pg_class'::regclass THEN d.objid ELSE r.ev_class END
WHERE d.classid <> 'pg_constraint'::regclass AND coalesce(o.relkind, ' ') NOT IN ('i', 'S', 'v')
	AND ((def.adrelid, def.adnum) IS DISTINCT FROM (c.tab, c.num) OR EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = c.tab AND c.num = ANY (conkey)))
UNION ALL
SELECT DISTINCT format('%s depends on view %s', pg_describe_object(d.classid, d.objid, d.objsubid), w.oid::regclass)
FROM views JOIN pg_class w USING (oid) JOIN pg_depend d ON d.deptype = 'n' AND (d.refclassid, d.refobjid) IN (('pg_class'::regclass, w.oid),
	('pg_type'::regclass, w.reltype)) LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class x ON x.oid = r.ev_class
WHERE w.relkind = 'v' AND coalesce(x.relkind, ' ') <> 'v'
UNION ALL SELECT format('constraint "%s" of table %s %s', conname, tab, CASE contype WHEN 'x' THEN 'is an exclusion constraint' ELSE 'refers to another key' END)
FROM c JOIN pg_constraint ON conrelid = tab AND num = ANY (conkey)
WHERE contype = 'x' OR contype = 'f' AND NOT EXISTS (SELECT FROM c k WHERE k.tab = confrelid AND k.num = confkey[array_position(conkey, c.num)])
UNION ALL SELECT DISTINCT format('trigger "%s" of table %s fires after those that set twins: rename it', tgname, tab)
FROM c JOIN pg_trigger ON tgrelid = tab AND tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_' AND tgname !~ '^uuid_rekey_'
UNION ALL SELECT format(CASE WHEN marked THEN 'column "%s" of table %s is of a re-keying that is not finished'
	ELSE 'table %2$s has a column "%1$s" of its own' END, attname, tab) FROM (SELECT tab, array_agg(twin) || array_agg(next_twin) AS twins FROM c GROUP BY tab) t
	JOIN pg_attribute ON attrelid = tab AND NOT attisdropped, LATERAL (SELECT col_description(attrelid, attnum) IS NOT DISTINCT FROM 'uuid_rekey_steps: a twin') m(marked)
WHERE marked <> (attname = ANY (twins))
UNION ALL SELECT format('the new key reads column "%s" of table %s, which is generated after triggers', attname, tab)
FROM c JOIN pg_attribute ON attrelid = tab AND attgenerated <> ''
WHERE is_key AND twin ^@ 'new_' AND $2 ~ ('\m' || regexp_replace(attname, '(\W)', '\\\1', 'g') || '\M')
UNION ALL SELECT DISTINCT format('table %s is written by a subscription, for which triggers do not fire', tab) FROM c JOIN pg_subscription_rel ON srrelid = tab
UNION ALL SELECT format('there are privileges on column "%s" of table %s', col, tab) FROM c WHERE attacl IS NOT NULL
UNION ALL SELECT DISTINCT format('index %s %s', indexrelid::regclass, CASE WHEN indisreplident THEN 'is the replica identity of its table'
	ELSE 'has an operator class or a collation of its own' END) FROM c JOIN pg_index ON indrelid = tab AND num = ANY (indkey) JOIN pg_attribute a ON attrelid = tab AND attnum = num
WHERE indisreplident OR twin ^@ 'new_' AND EXISTS (SELECT FROM unnest(indkey::int2[], indclass::oid[], indcollation::oid[]) x(n, class, coll)
	JOIN pg_opclass o ON o.oid = class WHERE n = num AND (NOT opcdefault OR coll <> attcollation))
UNION ALL SELECT DISTINCT format('table %s %s',
	tab, CASE WHEN t.relforcerowsecurity THEN 'forces row security on its owner, who would not see all rows' ELSE 'is partitioned, a partition or inherited' END)
FROM c JOIN pg_class t ON t.oid = tab WHERE t.relforcerowsecurity OR t.relkind <> 'r' OR t.relispartition OR EXISTS (SELECT FROM pg_inherits
	WHERE tab IN (inhrelid, inhparent)) $query$, 'uuidnew_rekey_columns', own || '.uuidnew_rekey_columns') USING root, new_key;
END $$;
COMMENT ON FUNCTION uuidnew_rekey_obstacles IS 'what stands in the way of new keys; for uuid_rekey_steps and others';

CREATE OR REPLACE FUNCTION uuid_rekey_steps(tab regclass, new_key text, new_default text DEFAULT NULL, guard text DEFAULT NULL,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	own CONSTANT regnamespace := (SELECT pronamespace FROM pg_proc WHERE oid = uuid_min);
	columns CONSTANT text := format('SELECT * FROM %s.uuidnew_rekey_columns($1)', own);
	fill CONSTANT text := format('CALL %s.uuid_rekey_fill(%L)', own, tab);
	brief CONSTANT text := 'DECLARE path CONSTANT varchar := pg_catalog.current_setting(''search_path''); '
		'BEGIN PERFORM pg_catalog.set_config(''lock_timeout'', ''500ms'', '
		'true), pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true); %s END';
	callers CONSTANT text := 'PERFORM set_config(''search_path'', path, true); ';	-- for expressions of the caller
	moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment'; batch CONSTANT text := 'rows of a batch';
	beside CONSTANT text := 'SHARE UPDATE EXCLUSIVE: others read and write';
	everything CONSTANT text := 'ACCESS EXCLUSIVE on all of the tables, for a moment';
	plan jsonb[] := '{}'; later jsonb[] := '{}';	-- of each step: statement, lock, why, done
	k record; c record; r record; t text;
	cols jsonb;	-- of each table: its columns and their twins
	swapped boolean; first text; filled boolean := true; checks int := 0; tables text[] := '{}'; kept text;
	-- pieces of the swap, and of the ways out of it
	drop_fks text := ''; drop_keys text; rename text := ''; add_keys text := ''; rename_fks text := ''; swap text := '';
	untrigger text := ''; drop_twins text := ''; views text := ''; views_again text := ''; belongings text := '';
	unchecked text := ''; refusal text := ''; late text; names text[]; known text; key_words text;
BEGIN
	EXECUTE columns || ' WHERE is_key' INTO k USING tab;
	EXECUTE format('SELECT jsonb_object_agg(tab, twins) FROM (SELECT tab::oid, jsonb_object_agg(quote_ident(col), '
		'quote_ident(twin)) AS twins FROM %s.uuidnew_rekey_columns($1) GROUP BY tab) t', own) INTO cols USING tab;
	swapped := k.twin ^@ 'old_'; first := CASE WHEN swapped THEN 'undo' ELSE 'prepare' END; names := ARRAY[k.name];
	EXECUTE format('SELECT string_agg(o, E''\n'') FROM %1$s.uuidnew_rekey_obstacles($1, $2, %1$L) o', own) INTO t USING tab, new_key;
	IF t IS NOT NULL AND swapped THEN	-- such as what has been created again
		refusal := format('RAISE dependent_objects_still_exist USING MESSAGE = %L, DETAIL = %L; ',
			format('cannot undo the new keys of table %s', tab), t);
		plan := plan || jsonb_build_array(refusal, 'none', 'what stands in the way', false);
	ELSIF t IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING MESSAGE = format('cannot re-key table %s', tab),
			DETAIL = t, HINT = 'Drop these before, and create them again after the swap.';
	END IF;
	-- columns before triggers: a trigger without its column would make every write fail
	FOR c IN EXECUTE columns USING tab LOOP
		plan := plan || jsonb_build_array(format('ALTER TABLE %1$s ADD COLUMN %2$I %3$s; '
			'COMMENT ON COLUMN %1$s.%2$I IS ''uuid_rekey_steps: a twin'';', c.tab, c.twin, k.twin_type), moment,
			'the twin of ' || CASE WHEN c.is_key THEN 'the key' ELSE 'a column that refers to it' END, c.has_twin);
		drop_twins := concat(CASE WHEN c.has_twin THEN format('ALTER TABLE %s DROP COLUMN IF EXISTS %I; ', c.tab, c.twin) END, drop_twins);
		filled := filled AND coalesce(c.filled, false);
	END LOOP;

	IF NOT swapped THEN	-- a key that does not work is an error now, not in each write
		t := format('%I.%I', k.here, 'uuid_rekey_' || k.label || '_key');
		plan := plan || jsonb_build_array(callers || format('EXECUTE %L; CREATE OR REPLACE FUNCTION %2$s() RETURNS '
			'pg_catalog.trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS %3$L; ALTER FUNCTION %2$s() OWNER TO '
			'%4$s; CREATE TRIGGER uuid_rekey_key BEFORE INSERT OR UPDATE ON %5$s FOR EACH ROW EXECUTE FUNCTION %2$s();',
			format('SELECT (%s)::pg_catalog.uuid FROM ONLY %s LIMIT 0', new_key, tab), t,
			format('#variable_conflict use_column BEGIN IF NEW.%1$I IS NULL OR TG_OP OPERATOR(pg_catalog.=) ''UPDATE'' '
			'AND NOT NEW.%2$I %3$s OLD.%2$I THEN NEW.%1$I := (SELECT %4$s FROM (SELECT NEW.*) %5$I); END IF; '
			'RETURN NEW; END', k.twin, k.col, k.equal, new_key, k.name), k.owner, tab), moment, 'the new key of each '
			'row that is written', EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tab AND tgname = 'uuid_rekey_key'));
		untrigger := format('DROP TRIGGER IF EXISTS uuid_rekey_key ON %s; DROP FUNCTION IF EXISTS %s(); ', tab, t);
	END IF;
	drop_keys := untrigger;
	-- from columns to twins, as it is now, and as it is after the swap
	FOR r IN EXECUTE format('SELECT tab, format(''%%I.%%I'', '
		'here, ''uuid_rekey_'' || label || ''_ref'') AS name, array_agg(col) AS cols, array_agg(twin) AS twins, '
		'array_agg(next_twin) AS nexts FROM %s.uuidnew_rekey_columns($1) WHERE NOT is_key GROUP BY 1, 2', own) USING tab LOOP
		FOR c IN SELECT w.now,
			format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET '
			'search_path = pg_catalog, pg_temp AS %L; ', r.name, format('BEGIN %sRETURN NEW; END', string_agg(format(
				-- where the twin's foreign key is before the key's own with its ON DELETE SET NULL, this goes along
				'IF TG_OP = ''UPDATE'' AND pg_trigger_depth() > 1 AND NEW.%2$I IS NULL AND OLD.%2$I IS NOT NULL '
				'AND NEW.%1$I::text = OLD.%1$I::text THEN NEW.%1$I := NULL; '
				'ELSIF NEW.%2$I IS NULL OR TG_OP = ''INSERT'' OR NEW.%1$I::text IS DISTINCT FROM OLD.%1$I::text THEN '
				'NEW.%2$I := CASE WHEN NEW.%1$I IS NULL THEN NULL '
				|| CASE WHEN r.tab = tab THEN 'WHEN NEW.%1$I %6$s NEW.%5$I THEN NEW.%3$I ' ELSE '' END
				|| 'ELSE (SELECT k.%3$I FROM %4$s k WHERE k.%5$I %6$s NEW.%1$I::%7$s) END; END IF; ',
				u.col, CASE WHEN w.now THEN u.twin ELSE u.next END, w.twin, tab, k.col, w.equal, w.type), ''))) AS body
			FROM (VALUES (true, k.twin, k.equal, k.key_type), (false, k.next_twin, k.twin_equal, k.twin_type)) w(now,
				twin, equal, type), unnest(r.cols, r.twins, r.nexts) u(col, twin, next) GROUP BY w.now LOOP
			IF NOT c.now THEN swap := swap || c.body; CONTINUE; END IF;
			plan := plan || jsonb_build_array(c.body || format(	-- as the owner of the keys, whoever runs this
				'ALTER FUNCTION %2$s() OWNER TO %3$s; '
				'CREATE OR REPLACE TRIGGER uuid_rekey_ref BEFORE INSERT OR UPDATE ON %1$s FOR EACH ROW EXECUTE FUNCTION %2$s(); '
					'REVOKE ALL ON FUNCTION %2$s() FROM PUBLIC%4$s;', r.tab, r.name, k.owner,
				(SELECT string_agg(DISTINCT ', ' || grantee::regrole, '') FROM pg_default_acl, aclexplode(defaclacl)
				WHERE defaclobjtype = 'f' AND grantee <> 0)),
				moment, 'the twin in each row that is written', EXISTS (SELECT FROM pg_trigger
					JOIN pg_proc p ON p.oid = tgfoid WHERE tgrelid = r.tab AND tgname = 'uuid_rekey_ref'
					AND NOT EXISTS (SELECT FROM unnest(r.twins) w WHERE strpos(prosrc, format('NEW.%I := ', w)) = 0)));
		END LOOP;
		untrigger := untrigger
			|| format('DROP TRIGGER IF EXISTS uuid_rekey_ref ON %s; DROP FUNCTION IF EXISTS %s(); ', r.tab, r.name);
	END LOOP;
	-- fill, have it checked for what is written from now on, and fill what was written meanwhile
	plan := plan || jsonb_build_array(fill, batch, 'all rows from before', filled);
	FOR c IN EXECUTE columns USING tab LOOP
		t := ('uuid_rekey_' || c.col)::name; checks := checks + 1;
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s%I IS NOT NULL) NOT VALID;',
			c.tab, t, CASE WHEN c.nullable THEN format('%I IS NULL OR ', c.col) END, c.twin) || CASE WHEN c.is_key
			AND swapped THEN format(' IF EXISTS (SELECT FROM %s WHERE %I IS NULL) THEN RAISE not_null_violation USING '
			'MESSAGE = %L, HINT = %L; END IF;', c.tab, c.twin, format('table %s has rows without an old key', c.tab),
			format('Give them one in column "%s", or delete them.', c.twin)) ELSE '' END,
			moment, 'no row without it from now on', c.filled IS NOT NULL);
		later := later || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.tab, t), beside,
			'reads the table; an error says that a row is left, which refers to no row', coalesce(c.filled, false));
		unchecked := unchecked || format('ALTER TABLE %s DROP CONSTRAINT %I; ', c.tab, t);
		IF c.tab::text <> ALL (tables) THEN tables := tables || c.tab::text; END IF;
		rename := rename || format('ALTER TABLE %1$s RENAME COLUMN %2$I TO %4$I; '
			'ALTER TABLE %1$s RENAME COLUMN %3$I TO %2$I; COMMENT ON COLUMN %1$s.%2$I IS %5$L; COMMENT '
			'ON COLUMN %1$s.%4$I IS ''uuid_rekey_steps: a twin''; ', c.tab, c.col, c.twin, c.next_twin, c.comment)
			|| CASE WHEN NOT c.nullable THEN format('ALTER TABLE %s ALTER %I SET NOT NULL; ', c.tab, c.col) ELSE '' END
			-- a default goes on making old keys, so that the swap can be undone
			|| CASE WHEN NOT c.identity AND NOT (c.is_key AND c.has_default
				AND NOT swapped) THEN format('ALTER TABLE %s ALTER %I DROP NOT NULL; ', c.tab, c.next_twin) ELSE '' END;
	END LOOP;
	plan := plan || jsonb_build_array(fill, batch, 'rows of transactions that had begun before', filled) || later;

	IF guard IS NOT NULL AND NOT swapped THEN
		EXECUTE format('SELECT %s.uuid_v7_min(now(), $1)', own) USING guard;	-- is there such a layout?
		t := k.label || '_layout' || CASE WHEN EXISTS (	-- of the old key
			SELECT FROM pg_constraint
			WHERE conrelid = tab AND conname = k.label || '_layout' AND NOT EXISTS (SELECT FROM pg_attribute
				WHERE attrelid = tab AND attname = k.twin AND attnum = ANY (conkey))) THEN '1' ELSE '' END;
		filled := (SELECT convalidated FROM pg_constraint WHERE conrelid = tab AND conname = t);
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s.%s(%I)) NOT VALID;',
			tab, t, own, CASE lower(guard) WHEN 'rfc9562' THEN 'uuidv7_is' ELSE 'uuid_v7_is' END, k.twin), moment,
			'the guard', filled IS NOT NULL) || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I',
			tab, t), beside, 'the guard', coalesce(filled, false));
	END IF;
	-- indexes, also on expressions, and one of the old key, by which it can be looked up after the swap
	SELECT CASE WHEN octet_length(conname::text) > 57 THEN md5(conname) ELSE conname END || '_keep' INTO kept
	FROM pg_constraint WHERE conrelid = tab AND contype = 'p';
	FOR r IN SELECT i.indrelid::regclass AS tab, x.relname AS name, x.relnamespace::regnamespace AS schema,
		con.conname, v.keep, w.twin, CASE con.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END AS kind,
		cols -> i.indrelid::text AS twins, CASE WHEN con.condeferrable THEN ' DEFERRABLE' END
		|| CASE WHEN con.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END AS deferrable,
		obj_description(coalesce(con.oid, x.oid), CASE WHEN con.oid IS NULL THEN 'pg_class'
		ELSE 'pg_constraint' END) AS comment, CASE WHEN i.indisunique THEN 'UNIQUE ' END AS is_unique,
		s.short, b.indexrelid::regclass AS built, coalesce(b.indisvalid, false) AS valid, substr(def, strpos(def,
		format(' ON %s USING ', i.indrelid::regclass)) + length(format(' ON %s', i.indrelid::regclass))) AS def
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
		LEFT JOIN pg_constraint con ON con.conindid = x.oid AND con.contype IN ('p', 'u') AND con.conrelid = i.indrelid
		CROSS JOIN (VALUES (false), (true)) v(keep) CROSS JOIN pg_get_indexdef(i.indexrelid) def
		CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(x.relname::text) > 57 THEN md5(x.relname)
		ELSE x.relname END) s(short) CROSS JOIN LATERAL (SELECT s.short || CASE WHEN v.keep THEN '_keep'
		ELSE '_rekey' END) w(twin) LEFT JOIN pg_index b ON b.indexrelid = to_regclass(format('%s.%I',
		x.relnamespace::regnamespace, w.twin)) WHERE x.relname <> kept AND (NOT v.keep
		OR NOT swapped AND con.contype = 'p' AND i.indrelid = tab) AND EXISTS (SELECT FROM pg_attribute a
		WHERE a.attrelid = i.indrelid AND cols -> i.indrelid::text ? quote_ident(a.attname)
		AND (a.attnum = ANY (i.indkey) OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
		AND objid = x.oid AND refobjid = a.attrelid AND refobjsubid = a.attnum))) ORDER BY x.oid, v.keep LOOP
		IF NOT r.valid AND r.built IS NOT NULL THEN
			plan := plan || jsonb_build_array(format('DROP INDEX CONCURRENTLY %s', r.built),
				beside, 'its creation was interrupted', false);
		END IF;
		EXECUTE format('SELECT %s.uuidnew_rekey_renamed($1, $2)', own)
			INTO t USING r.def, CASE WHEN NOT r.keep THEN r.twins END;
		plan := plan || jsonb_build_array(format('CREATE %sINDEX CONCURRENTLY %I ON %s%s',
			r.is_unique, r.twin, r.tab, t), beside, CASE WHEN r.keep THEN 'the old key can be looked up after the swap'
			ELSE format('the twin of index %I', r.name) END, r.valid);
		IF r.keep THEN
			add_keys := add_keys || format('ALTER INDEX %s.%I RENAME TO %I; ', r.schema, r.twin, r.short || '_rekey');
			drop_twins := drop_twins || format('DROP INDEX IF EXISTS %s.%I; ', r.schema, r.twin);
		ELSIF r.conname IS NOT NULL THEN
			drop_keys := drop_keys || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.tab, r.conname);
			add_keys := add_keys || format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s USING INDEX %4$I%5$s; COMMENT '
				'ON CONSTRAINT %2$I ON %1$s IS %6$L; ', r.tab, r.conname, r.kind, r.twin, r.deferrable, r.comment);
		ELSE
			add_keys := add_keys || format('ALTER INDEX %1$s.%2$I RENAME TO uuid_rekey_swap; '
				'ALTER INDEX %1$s.%3$I RENAME TO %2$I; ALTER INDEX %1$s.uuid_rekey_swap RENAME TO %3$I; '
				'COMMENT ON INDEX %1$s.%2$I IS %4$L; ', r.schema, r.name, r.twin, r.comment);
		END IF;
	END LOOP;

	FOR r IN SELECT f.conrelid::regclass AS tab,
		f.conname AS name, w.twin, n.convalidated AS valid, m, cols -> f.conrelid::text AS own,
		cols -> f.confrelid::text AS theirs, obj_description(f.oid, 'pg_constraint') AS comment FROM pg_constraint f
		CROSS JOIN LATERAL (SELECT CASE WHEN octet_length(f.conname::text) > 57 THEN md5(f.conname) ELSE f.conname END
		|| '_rekey') w(twin) LEFT JOIN pg_constraint n ON n.conrelid = f.conrelid AND n.conname = w.twin,
		LATERAL regexp_match(pg_get_constraintdef(f.oid), replace('^(FOREIGN KEY '
		'\(@\)) REFERENCES (@\(@\))(.*?)( NOT VALID)?$', '@', '(?:[^"()]|"(?:[^"]|"")*")*')) m WHERE f.contype = 'f'
		AND f.conparentid = 0 AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = f.confrelid
		AND a.attnum = ANY (f.confkey) AND cols -> f.confrelid::text ? quote_ident(a.attname)) ORDER BY f.oid LOOP
		EXECUTE format('SELECT %1$s.uuidnew_rekey_renamed($1[1], $2) || '' '
			'REFERENCES '' || %1$s.uuidnew_rekey_renamed($1[2], $3) || %1$s.uuidnew_rekey_renamed($1[3], $2)', own)
			INTO t USING r.m, r.own, r.theirs;
		plan := plan || jsonb_build_array(format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;', r.tab, r.twin, t),
			'SHARE ROW EXCLUSIVE on both tables, for a moment', format('the twin of foreign key %I', r.name),
			r.valid IS NOT NULL) || jsonb_build_array(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', r.tab, r.twin),
			beside, 'reads the table', coalesce(r.valid, false) OR t ~ ' NOT ENFORCED$');
		drop_fks := drop_fks || format('ALTER TABLE %s DROP CONSTRAINT %I; ', r.tab, r.name);
		rename_fks := rename_fks || format('ALTER TABLE %1$s RENAME CONSTRAINT %2$I TO %3$I; '
			'COMMENT ON CONSTRAINT %3$I ON %1$s IS %4$L; ', r.tab, r.twin, r.name, r.comment);
	END LOOP;
	-- views are made again: they follow columns, not names
	FOR r IN EXECUTE format('WITH RECURSIVE '
		'v(oid, num, depth) AS (SELECT tab::oid, num::int, 0 FROM %s.uuidnew_rekey_columns($1)
			UNION
			SELECT ev_class, NULL, depth + 1 FROM v JOIN pg_depend ON refclassid = ''pg_class''::regclass
				AND refobjid = v.oid AND refobjsubid = coalesce(num, refobjsubid) AND classid = ''pg_rewrite''::regclass
				JOIN pg_rewrite w ON w.oid = objid AND ev_class <> v.oid)
		SELECT oid::regclass AS view, max(depth), relname, relowner::regrole AS owner, reloptions
		FROM v JOIN pg_class USING (oid) WHERE depth > 0 GROUP BY 1, 3, 4, 5 ORDER BY 2, 1', own) USING tab LOOP
		views := format('DROP VIEW %s; ', r.view) || views; names := names || r.relname::text;
		views_again := views_again || format('CREATE VIEW %1$s%2$s AS %3$s ALTER VIEW %1$s OWNER TO %4$s; ',
			r.view, ' WITH (' || array_to_string(r.reloptions, ', ') || ')', pg_get_viewdef(r.view), r.owner);
		EXECUTE format('SELECT %s.uuidnew_belongings($1)', own) INTO t USING r.view;
		SELECT concat(belongings, t, string_agg(format('ALTER VIEW %s ALTER %I SET DEFAULT %s; ',
			r.view, attname, pg_get_expr(adbin, adrelid)), '')) INTO belongings
		FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = r.view;
	END LOOP;

	SELECT string_agg(regexp_replace(replace(n, '"', '""'), '(\W)', '\\\1', 'g'), '|') INTO known FROM unnest(names) n;
	key_words := regexp_replace(k.col, '(\W)', '\\\1', 'g');
	t := format('%I.%I', k.here, 'uuid_rekey_' || k.label || '_late');
	late := CASE WHEN swapped THEN format('DROP TRIGGER IF EXISTS uuid_rekey_late_update ON %1$s; '
		'DROP TRIGGER IF EXISTS uuid_rekey_late_delete ON %1$s; DROP FUNCTION IF EXISTS %2$s(); ', tab, t)
		-- an old key is no uuid, or becomes one
		WHEN k.key_type !~ '^(uuid|text|char)' OR k.key_type <> 'uuid' AND new_key ~ ('\m' || key_words || '\M') THEN ''
		ELSE format('CREATE OR REPLACE FUNCTION %2$s() RETURNS trigger LANGUAGE plpgsql SET search_path '
			'= pg_catalog, pg_temp AS %3$L; ALTER FUNCTION %2$s() OWNER TO %4$s; CREATE TRIGGER uuid_rekey_late_update '
			'AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION %2$s(); CREATE '
			'TRIGGER uuid_rekey_late_delete AFTER DELETE ON %1$s REFERENCING OLD TABLE AS touched FOR EACH STATEMENT '
			'EXECUTE FUNCTION %2$s(); ', tab, t, format('BEGIN IF NOT EXISTS (SELECT FROM touched) AND current_query() '
			'~* (TG_OP || %L) THEN RAISE no_data_found USING MESSAGE = %L, HINT = %L; END IF; RETURN NULL; END', format(
				-- said of this table, or a view of it, and of no other: foreign keys of others write to it too
				'\s+(?:from\s+)?(?:only\s+)?(?:(?:"(?:[^"]|"")+"|\w+)\s*\.\s*)?"?(%s)"?(?!\w)'
				'(?:\s+(?:as\s+)?"?(\w+))?.*(?:[^\w."]"?|\m(?:\1|\2)"?\s*\.\s*"?)%s"?\s*(?:=|in\M)', known, key_words),
				format('no row of table %s has this key', tab),
				format('Its keys have changed: the old ones are in column "%s".',
					left('old_' || k.col, 63))), k.owner) END;
	t := format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE; ', array_to_string(tables, ', '));
	plan := plan || jsonb_build_array(concat(refusal, t, format('IF (SELECT count(*) FILTER (WHERE '
		'conname ^@ ''uuid_rekey_'' AND convalidated) <> %s OR bool_or(conname ~ ''_rekey$'' AND NOT convalidated '
		'AND to_jsonb(x) ->> ''conenforced'' IS DISTINCT FROM ''false'') FROM pg_constraint x WHERE conrelid = ANY '
		'(%L::regclass[])) OR EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid '
		'= ANY (%2$L::regclass[]) AND relname ~ ''_rekey$'' AND NOT indisvalid) THEN RAISE ''run the steps before''; '
		'END IF; ', checks, tables), views, drop_fks, drop_keys,
		rename, unchecked, add_keys, rename_fks, swap, late, views_again, belongings, CASE WHEN new_default IS NOT NULL
		AND NOT swapped THEN callers || format('ALTER TABLE %s ALTER %I SET DEFAULT %s;', tab, k.col, new_default) END),
		everything, 'exchanges the names; reads no row', false)
		|| jsonb_build_array(concat(t, untrigger, CASE WHEN swapped THEN late END, drop_twins), everything,
		CASE WHEN swapped THEN 'drops the old columns: no way leads back' ELSE 'drops the twins' END, NOT k.has_twin);

	RETURN QUERY	-- what holds others up is brief
		SELECT nr::int, CASE cardinality(plan) - nr WHEN 0 THEN CASE WHEN swapped THEN 'finish' ELSE 'undo' END
			WHEN 1 THEN CASE WHEN swapped THEN 'undo' ELSE 'swap' END ELSE first END, CASE WHEN s ->> 1 IN (beside,
			batch) THEN s ->> 0 ELSE format('DO %L', format(brief, s ->> 0)) END, s ->> 1, s ->> 2, (s ->> 3)::boolean
		FROM unnest(plan) WITH ORDINALITY p(s, nr);
END $$;
COMMENT ON FUNCTION uuid_rekey_steps IS 'statements that give a table new keys, and whether each is done';

CREATE OR REPLACE PROCEDURE uuid_rekey_fill(tab regclass, batch_pages int DEFAULT 100, max_lag bigint DEFAULT NULL, max_dead bigint DEFAULT NULL,
	max_rows bigint DEFAULT NULL, pause interval DEFAULT '0', uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	c pg_catalog.record; name varchar; state varchar; pages bigint; page bigint; n bigint; filled bigint; total bigint := 0;
	since bigint; rate bigint; lag bigint; dead bigint; remaining interval; began pg_catalog.timestamptz; told pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'batch_pages must be at least 1';
	ELSIF max_lag IS NOT NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE insufficient_privilege USING MESSAGE = 'permission denied to see how far replicas are behind, as max_lag needs',
			HINT = 'Be granted the role pg_read_all_stats, or leave max_lag out.';
	END IF;
	-- a table that refers to itself is gone through twice, as a reference finds only keys that are there
	FOR c IN EXECUTE format('SELECT tab, is_key, string_agg(format(''%%I = NULL'', twin), '', '') AS setting, string_agg('
		'CASE WHEN is_key THEN '''' ELSE format(''%%I IS NOT NULL AND '', col) END || format(''%%I IS NULL'', twin), '' OR '') AS missing '
		'FROM %s.uuidnew_rekey_columns($1) WHERE NOT (is_key AND twin ^@ ''old_'') GROUP BY tab, is_key ORDER BY is_key DESC, tab',
		(SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) USING tab LOOP
		page := 0; filled := 0; rate := 0; remaining := NULL; name := c.tab;
		pages := pg_relation_size(c.tab) / current_setting('block_size')::int8;	-- what is written later has its twin
		WHILE page < pages LOOP
			IF filled = 0 THEN began := clock_timestamp(); since := page; END IF;	-- what is filled already takes no time
			state := format('uuid_rekey %s %s %s %s %s %s', c.tab::oid, page, pages, filled, rate, extract(epoch FROM remaining)::int8);
			LOOP
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				PERFORM set_config('application_name', state, true);	-- seen by uuid_rekey_progress
				lag := (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication);
				dead := pg_stat_get_dead_tuples(c.tab);
				EXIT WHEN coalesce(lag <= max_lag, true) AND coalesce(dead <= max_dead, true);
				RAISE NOTICE 'waiting for %', CASE WHEN lag > max_lag THEN format('a replica, which is %s behind',
					pg_size_pretty(lag)) ELSE format('autovacuum: %s has %s dead rows', c.tab, dead) END;
				PERFORM pg_sleep(1); COMMIT;
			END LOOP;
			-- waits for nobody, so that nobody is ended
			EXECUTE format('UPDATE ONLY %1$s SET %2$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY %1$s '
				'WHERE ctid >= ''(%3$s,0)'' AND ctid < ''(%4$s,0)'' AND (%5$s) FOR NO KEY UPDATE SKIP LOCKED))', c.tab, c.setting, page, page + batch_pages, c.missing);
			GET DIAGNOSTICS n = ROW_COUNT; page := least(page + batch_pages, pages); filled := filled + n; total := total + n;
			rate := filled / greatest(extract(epoch FROM clock_timestamp() - began), 0.001);
			remaining := CASE WHEN filled > 0 THEN (clock_timestamp() - began) * ((pages - page)::float8 / (page - since)) END;
			IF clock_timestamp() - told >= '1 s' OR page = pages THEN
				RAISE NOTICE '%: % rows filled, % %% of its pages, % rows/s, % left',
					name, filled, 100 * page / pages, rate, coalesce(date_trunc('second', remaining)::text, '?');
				told := clock_timestamp();
			END IF;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF total >= least(max_rows, max_dead) THEN	-- statistics are sent when a call ends
				RAISE NOTICE '% rows filled: call it again to go on', total; RETURN;
			END IF;
			PERFORM set_config('application_name', state, true), pg_sleep(extract(epoch FROM pause)::float8);
		END LOOP;
	END LOOP;
END $$;
COMMENT ON PROCEDURE uuid_rekey_fill IS 'fills what uuid_rekey_steps has added, in batches; call it again to go on';

CREATE OR REPLACE FUNCTION uuid_rekey_progress()
RETURNS TABLE (pid int, tab regclass, pages_done bigint, pages bigint, percent numeric, rows_filled bigint,
	rows_per_second numeric, remaining interval)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT a.pid, c.oid::regclass, w[3]::bigint, w[4]::bigint, round(100 * w[3]::numeric / w[4]::numeric, 1), w[5]::bigint, w[6]::numeric, nullif(w[7], '')::int * interval '1 s'
FROM pg_stat_activity a, string_to_array(application_name, ' ') w JOIN pg_class c ON c.oid::text = w[2]
WHERE datname = current_database()	-- anyone can set such a name
	AND application_name ~ '^uuid_rekey \d+ \d{1,10} [1-9]\d{0,9} \d{1,15} \d{1,15} \d{0,9}$'
$$;
COMMENT ON FUNCTION uuid_rekey_progress IS 'sessions that are in uuid_rekey_fill, and how far they are';

CREATE OR REPLACE FUNCTION uuid_rekey_check(tab regclass, new_key text,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	path CONSTANT varchar := pg_catalog.current_setting('search_path'); own varchar; key pg_catalog.name;
	k pg_catalog.record; c pg_catalog.record;
	query varchar; n bigint; page bigint := 0; failed boolean := false; wrong int := 0;
	began pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	own := (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min);
	RETURN QUERY EXECUTE format('SELECT ''obstacle'', o FROM %1$s.uuidnew_rekey_obstacles($1, $2, %1$L) o',
		own) USING tab, new_key;
	-- The expression is the caller's, and finds names as the caller does.
	key := (SELECT attname FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
		WHERE conrelid = tab AND contype = 'p');
	BEGIN
		PERFORM set_config('search_path', path, true);
		EXECUTE pg_catalog.format('SELECT pg_catalog.sum(n) '
			'AS rows, pg_catalog.count(*) FILTER (WHERE key IS NULL) AS missing, pg_catalog.count(*) '
			'FILTER (WHERE n OPERATOR(pg_catalog.>) 1 AND key IS NOT NULL) AS same, pg_catalog.min(ts) AS '
			'first, pg_catalog.max(ts) AS last, pg_catalog.array_agg(DISTINCT %1$s.uuid_v7_layout(key)) FILTER (WHERE '
			'key IS NOT NULL) AS layouts FROM (SELECT key, pg_catalog.count(*) AS n, %1$s.uuid_v7_timestamp(key, '
			'CASE WHEN key OPERATOR(pg_catalog.<) ''03000000-0000-7000-8000-000000000000'' THEN ''rfc9562'' '
			'ELSE ''draft'' END) AS ts FROM (SELECT (%2$s)::pg_catalog.uuid AS key FROM ONLY %3$s) k GROUP BY key) g',
			own, new_key, tab) INTO k;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	EXCEPTION WHEN data_exception OR raise_exception THEN failed := true; SELECT 1::bigint AS missing INTO k;
	END;
	query := format('SELECT pg_catalog.count(*) FILTER (WHERE (%s)::pg_catalog.uuid IS '
		'NULL) FROM ONLY %s WHERE ctid OPERATOR(pg_catalog.>=) $1 AND ctid OPERATOR(pg_catalog.<=) $2', new_key, tab);
	WHILE k.missing > 0 AND page < pg_relation_size(tab) / current_setting('block_size')::int8 AND wrong < 10 LOOP
		-- these pages, and if one of their rows is wrong, row by row
		FOR c IN EXECUTE format('SELECT ''(%1$s,0)''::tid '
			'AS low, ''(%2$s,65535)''::tid AS high, NULL AS old UNION ALL SELECT ctid, ctid, %3$I::text FROM '
			'ONLY %4$s WHERE ctid >= ''(%1$s,0)'' AND ctid <= ''(%2$s,65535)'' ORDER BY 1', page, page + 99, key, tab)
		LOOP
			BEGIN
				PERFORM set_config('search_path', path, true);
				EXECUTE query INTO n USING c.low, c.high;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				EXIT WHEN c.old IS NULL AND n = 0; CONTINUE WHEN c.old IS NULL OR n = 0;
				RETURN QUERY SELECT 'error', format('the new key is NULL for old key %s', c.old);
			EXCEPTION WHEN data_exception OR raise_exception THEN
				CONTINUE WHEN c.old IS NULL;
				RETURN QUERY SELECT 'error', format('the new key fails: %s, for old key %s', SQLERRM, c.old);
			END;
			wrong := wrong + 1; EXIT WHEN wrong = 10;
		END LOOP;
		page := page + 100;
	END LOOP;
	IF NOT failed THEN
		RETURN QUERY SELECT 'error', format('%s new keys are the same for several rows', k.same) WHERE k.same > 0;
		RETURN QUERY SELECT 'error', format('the new keys are of several layouts: %s', array_to_string(k.layouts, ', '))
			WHERE cardinality(k.layouts) > 1;
		RETURN QUERY SELECT 'warning', format('new keys are of the future, until %s', k.last) WHERE k.last > now();
		RETURN QUERY SELECT 'note', format('%s rows of %s, new keys of layout %s from %s to %s; '
			'computing them took %s', coalesce(k.rows, 0), tab, coalesce(k.layouts[1], 'unknown'),
			coalesce(k.first::text, '?'), coalesce(k.last::text, '?'), clock_timestamp() - began);
	END IF;

	FOR c IN EXECUTE format('SELECT * FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		IF NOT c.is_key THEN
			EXECUTE format('SELECT count(*) FROM %s r WHERE %I IS NOT NULL AND NOT EXISTS '
				'(SELECT FROM %s k WHERE k.%I %s r.%2$I::%6$s)', c.tab, c.col, tab, key, c.equal, c.key_type) INTO n;
			RETURN QUERY SELECT CASE WHEN n > 0 THEN 'error' ELSE 'note' END, format('column "%s" of '
				'%s refers to the key%s', c.col, c.tab, CASE WHEN n > 0 THEN format('; %s rows to none', n) END);
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has no index', c.col, c.tab)
				WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.tab AND indkey[0] = c.num);
		ELSIF NOT (c.has_default OR c.identity) THEN
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has neither a default nor an '
				'identity: rows that are written after the swap have no old key, and no way leads back', c.col, c.tab);
		END IF;
		RETURN QUERY SELECT CASE contype WHEN 'c' THEN 'note' ELSE 'warning' END, format('constraint "%s" of %s %s',
			conname, c.tab, CASE contype WHEN 'c' THEN 'stays with the old column' ELSE 'is deferrable: '
			'once the triggers exist, what a row refers to has to be written first' END) FROM pg_constraint
			WHERE conrelid = c.tab AND (contype = 'c' OR contype = 'f' AND condeferrable) AND c.num = ANY (conkey);
		RETURN QUERY SELECT DISTINCT 'note', format('view %s is made again in the swap', r.ev_class::regclass)
			FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
			WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.tab AND d.refobjsubid = c.num;
	END LOOP;
	FOR c IN EXECUTE format('SELECT DISTINCT tab FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		RETURN QUERY SELECT 'warning', format('trigger %s of %s fires for each row that is filled', tgname, c.tab)
			FROM pg_trigger WHERE tgrelid = c.tab
			AND NOT tgisinternal AND tgtype & 16 <> 0 AND tgname !~ '^uuid_rekey_' AND tgenabled <> 'D';
		RETURN QUERY SELECT 'warning', format('%s is published by %s: a subscriber does not get ALTER TABLE',
			c.tab, pubname) FROM pg_publication_tables WHERE format('%I.%I', schemaname, tablename) = c.tab::text;
		RETURN QUERY SELECT 'note', format('filling writes %s anew: another '
			'%s, until the table is packed, and as much WAL at least', c.tab, pg_size_pretty(pg_table_size(c.tab)));
	END LOOP;
	PERFORM set_config('search_path', path, true);
END $$;
COMMENT ON FUNCTION uuid_rekey_check IS 'a look before re-keying, which changes nothing';

CREATE OR REPLACE FUNCTION uuid_columns(uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (tab regclass, col name, type text, default_value text, guard text, keys text, index regclass,
	octets_per_entry numeric, refers_to regclass, referred_by int, problem text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
			pg_get_expr(d.adbin, d.adrelid), g.guard, k.keys, i.index, i.octets, f.refers,
			f.referred, nullif(concat_ws('; ', CASE WHEN b.type <> 'uuid'::regtype THEN 'UUIDs are stored as text' END,
			CASE WHEN k.rfc9562 AND k.draft THEN 'holds keys of both layouts of version 7' END,
			CASE WHEN g.made <> h.holds AND g.made <> 'version 4' THEN 'the default makes another layout than the keys '
			'have' END, (SELECT string_agg(format('generated column "%%s" reads the other layout', y.attname), '; ')
			FROM pg_attrdef e JOIN pg_attribute y ON y.attrelid = e.adrelid AND y.attnum = e.adnum
			WHERE e.adrelid = a.attrelid
			AND y.attgenerated <> '' AND pg_get_expr(e.adbin, e.adrelid) ~ format(CASE h.holds
			WHEN 'rfc9562' THEN '\muuid_v7_(timestamp|fields)\(%%1$s(\)|, ''(?!rfc9562))'
			WHEN 'draft' THEN '\m(uuidv7_timestamp|uuidv7_fields|uuid_extract_timestamp)\(%%1$s\)'
						'|\muuid_v7_(timestamp|fields)\(%%1$s, ''rfc9562' END,
					regexp_replace(quote_ident(a.attname), '(\W)', '\\\1', 'g'))),
				CASE WHEN g.made = 'version 4'
					AND (k.rfc9562 OR k.draft OR g.guard IS NOT NULL) THEN 'the default still makes version 4'
					WHEN g.made = 'version 4' AND i.is_primary THEN 'new keys are random' END,
				CASE WHEN (k.rfc9562 OR k.draft OR g.made IN ('rfc9562', 'draft'))
					AND g.guard IS NULL AND a.atttypid = 'uuid'::regtype THEN 'no guard' END,
				CASE WHEN f.refers IS NOT NULL AND i.index IS NULL THEN 'refers to another table, without an index' END,
				CASE WHEN s.stats IS NULL AND NOT EXISTS (SELECT FROM pg_inherits
					WHERE inhparent = a.attrelid) THEN 'no statistics: ANALYZE' END), '')
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
			JOIN LATERAL (SELECT coalesce(nullif(typbasetype, 0), oid) FROM pg_type WHERE oid = a.atttypid) b(type)
			ON true LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
			LEFT JOIN LATERAL (SELECT coalesce(histogram_bounds::text, most_common_vals::text)::text[] AS stats
			FROM pg_stats WHERE schemaname = n.nspname AND tablename = c.relname AND attname = a.attname
			ORDER BY inherited DESC LIMIT 1) s ON true LEFT JOIN LATERAL (SELECT string_agg(format('%%s %%s %%%%', kind,
			round(100.0 * number / total)), ', ' ORDER BY number DESC) AS keys, coalesce(bool_or(kind = 'rfc9562'),
			false) AS rfc9562, coalesce(bool_or(kind = 'draft'), false) AS draft FROM (SELECT CASE WHEN substr(h,
			13, 1) <> '7' THEN 'version ' || substr(h, 13, 1) WHEN h < '03' THEN 'rfc9562' ELSE 'draft' END AS kind,
			count(*) AS number, sum(count(*)) OVER () AS total FROM unnest(s.stats) u, LATERAL (SELECT replace(lower(u),
			'-', '') COLLATE "C" AS h) x WHERE u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$' GROUP BY 1) z) k
			ON true LEFT JOIN LATERAL (SELECT x.indexrelid::regclass AS index, x.indisprimary AS is_primary,
			CASE WHEN ic.reltuples > 0 THEN round(pg_relation_size(ic.oid) / ic.reltuples::numeric, 1) END AS octets
			FROM pg_index x JOIN pg_class ic ON ic.oid = x.indexrelid WHERE x.indrelid = a.attrelid
			AND x.indkey[0] = a.attnum ORDER BY x.indisprimary DESC, x.indisunique DESC, x.indexrelid LIMIT 1) i ON true
			CROSS JOIN LATERAL %1$s.uuidnew_column_layout(a.attrelid, a.attnum, $1) g
			CROSS JOIN LATERAL (SELECT coalesce(g.guard, CASE WHEN k.rfc9562 AND NOT k.draft THEN 'rfc9562' WHEN k.draft
			AND NOT k.rfc9562 THEN 'draft' END)) h(holds) CROSS JOIN LATERAL (SELECT max(confrelid)
			FILTER (WHERE conrelid = a.attrelid AND a.attnum = ANY (conkey))::regclass,
			(count(*) FILTER (WHERE confrelid = a.attrelid AND a.attnum = ANY (confkey)))::int FROM pg_constraint
			WHERE contype = 'f' AND conparentid = 0 AND a.attrelid IN (conrelid, confrelid)) f(refers, referred)
		WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND (b.type = 'uuid'::regtype
			OR b.type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) AND s.stats <> '{}'
			AND (SELECT bool_and(u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$') FROM unnest(s.stats) u))
		ORDER BY n.nspname, c.relname, a.attnum
		$query$, (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) USING uuid_min;
END $$;
COMMENT ON FUNCTION uuid_columns IS 'all uuid columns of the database, and what is wrong with them';

COMMIT;
