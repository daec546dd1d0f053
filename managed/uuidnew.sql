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
--	 DROP FUNCTION
--		uuid_generate_v6(), uuid_generate_v6_at(timestamptz), uuid_v6_timestamp(uuid),
--		uuid_v6_min(timestamptz), uuid_v6_max(timestamptz), uuid_v6_between(uuid, timestamptz, timestamptz),
--		uuid_v1_timestamp(uuid), uuid_v1_to_v6(uuid), uuid_v6_to_v1(uuid),
--		uuid_generate_v7(), uuid_generate_v7(text),
--		uuid_generate_v7_at(timestamptz), uuid_generate_v7_at(timestamptz, text),
--		uuid_v7_timestamp(uuid), uuid_v7_timestamp(uuid, text),
--		uuid_v7_min(timestamptz), uuid_v7_min(timestamptz, text),
--		uuid_v7_max(timestamptz), uuid_v7_max(timestamptz, text),
--		uuid_v7_between(uuid, timestamptz, timestamptz),
--		uuid_v7_between(uuid, timestamptz, timestamptz, text), uuid_v7_layout(uuid),
--		uuidnew.uuidv7(), uuidv7_at(timestamptz), uuidv7_timestamp(uuid),
--		uuidv7_min(timestamptz), uuidv7_max(timestamptz), uuidv7_between(uuid, timestamptz, timestamptz),
--		uuid_to_base32hex(uuid), base32hex_to_uuid(text),
--		uuid_to_typeid(uuid, text), typeid_to_uuid(text), typeid_prefix(text),
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

-- is the time of a version 7 UUID of RFC 9562 in the window since <= time < until? NULL is open
CREATE OR REPLACE FUNCTION uuidv7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= greatest(uuidv7_min(since), '00000000-0000-0000-0000-000000000000')
	AND id < least(uuidv7_min(until), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
	AND uuidnew_has_version(id, 7)::int <> 0;

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

-- is the time of a version 7 UUID of the draft in the window since <= time < until? NULL is open
CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= greatest(uuid_v7_min(since), '00000000-0000-0000-0000-000000000000')
	AND id < least(uuid_v7_min(until), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
	AND uuidnew_has_version(id, 7)::int <> 0;

-- kind of layout of a version 7 UUID: rfc9562 or draft, right for times from 1995 to 2074; none
-- for another version
CREATE OR REPLACE FUNCTION uuid_v7_layout(id uuid)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN uuidnew_has_version(id, 7)
	THEN CASE WHEN id < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562' ELSE 'draft' END
	WHEN id IS NOT NULL THEN 'none' END;

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

CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, since timestamptz, until timestamptz, layout text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN id >= greatest(uuid_v7_min(since, layout), '00000000-0000-0000-0000-000000000000')
	AND id < least(uuid_v7_min(until, layout), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
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

COMMIT;
