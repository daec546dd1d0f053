\set ECHO none
--
-- The extension's functions with names of PostgreSQL 18.  Such a name may refer to PostgreSQL's own
-- function, which changes between minor versions.  The schema "ours" has the extension's functions.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET client_min_messages = warning;
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions
SELECT current_setting('server_version_num')::int >= 170000 AS has_infinite_intervals,
	CASE WHEN current_setting('server_version_num')::int >= 180000
		THEN 'pg_catalog.uuid_extract_timestamp'
		ELSE 'uuid_extract_timestamp' END AS core_timestamp \gset
CREATE SCHEMA ours;
CREATE FUNCTION ours.uuidv4() RETURNS uuid
	LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew', 'uuidnew_uuidv4';
CREATE FUNCTION ours.uuidv7() RETURNS uuid
	LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew', 'uuidnew_uuidv7';
CREATE FUNCTION ours.uuidv7(shift interval) RETURNS uuid
	LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew', 'uuidnew_uuidv7_interval';
CREATE FUNCTION ours.uuid_extract_timestamp(uuid) RETURNS timestamptz
	LANGUAGE c IMMUTABLE STRICT AS '$libdir/uuidnew', 'uuidnew_uuid_extract_timestamp';
CREATE FUNCTION ours.uuid_extract_version(uuid) RETURNS smallint
	LANGUAGE c IMMUTABLE STRICT AS '$libdir/uuidnew', 'uuidnew_uuid_extract_version';

\echo '-- every server has the functions; the extension''s have these properties'
SELECT name FROM unnest('{uuid_extract_timestamp(uuid), uuid_extract_version(uuid), uuidv4(),
	uuidv7(), uuidv7(interval)}'::text[]) name
WHERE to_regprocedure(name) IS NULL;
SELECT p.oid::regprocedure, provolatile, proleakproof, proparallel, proisstrict
FROM pg_proc p JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
WHERE proname ~ '^(uuidv[47]|uuid_extract_(version|timestamp))$'
	AND (provolatile, proleakproof, proparallel, proisstrict)
		<> (CASE WHEN proname ~ 'extract' THEN 'i' ELSE 'v' END, proname ~ 'extract', 's', true);

SET search_path = ours, public, pg_catalog;

\echo '-- versions and variants; test/unit/bits_test.c tests all'
SELECT uuid_extract_version(id), substr(id::text, 20, 1) IN ('8', '9', 'a', 'b') AS rfc_variant
FROM unnest(ARRAY[uuidv4(), uuidv7(), uuidv7('-1 hour'), '00000000-0000-0000-0000-000000000000',
	'ffffffff-ffff-ffff-ffff-ffffffffffff']) id;

\echo '-- keys are unique, version 7 keys are in order, all but six bits of version 4 are random'
CREATE TEMP TABLE made AS
SELECT n, uuidv4() AS v4, uuidv7() AS v7 FROM generate_series(1, 10000) n;
SELECT count(DISTINCT v4) AS v4, count(DISTINCT v7) AS v7 FROM made;
SELECT count(*) AS out_of_order
FROM (SELECT v7, lag(v7) OVER (ORDER BY n) AS before FROM made) m WHERE v7 <= before;
SELECT i, bit_and(octet), bit_or(octet) FROM made, generate_series(0, 15) i,
	LATERAL (SELECT get_byte(uuid_send(v4), i) AS octet) o
GROUP BY i HAVING (bit_and(octet), bit_or(octet)) <> (0, 255) ORDER BY i;

\echo '-- the times of RFC 9562''s examples, and the first and last'
SELECT id, uuid_extract_timestamp(id)
FROM unnest('{c232ab00-9414-11ec-b3c8-9f6bdeced846, 1ec9414c-232a-6b00-b3c8-9f6bdeced846,
	017f22e2-79b0-7cc3-98c4-dc0c0c07398f, 5df41881-3aed-3515-88a7-2f4a814cf09e,
	2489e9ad-2ee2-8e00-8ec9-32d5f69181c0, 919108f7-52d1-4320-9bac-f847db4148a8,
	11111111-1111-1111-1111-111111111111, 00000000-0000-7000-8000-000000000000,
	ffffffff-ffff-7fff-bfff-ffffffffffff, 00000000-0000-1000-8000-000000000000}'::uuid[]) id;

\echo '-- the time is the current time'
SELECT bool_and(ts BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp())
FROM unnest(ARRAY[uuid_extract_timestamp(uuidv7()), uuid_v7_timestamp(uuidv7(), 'rfc9562'),
	:core_timestamp(uuid_generate_v7('rfc9562'))]) ts;

\echo '-- a shift works like timestamptz + interval'
SELECT shift FROM unnest('{0, 1 us, -1 day, 1 month, -1 year, 20 years,
	30 years 3 months 2 days 04:05:06.789}'::interval[]) shift
WHERE abs(extract(epoch FROM uuid_extract_timestamp(uuidv7(shift)) - (clock_timestamp() + shift)))
	>= 5;
\echo '-- (the time is rounded down to 1/4096 ms before the shift, and to the millisecond after it)'
SELECT uuid_extract_timestamp(uuidv7(ts - clock_timestamp()))
	BETWEEN ts - interval '1 ms' AND ts + interval '5 s' AS shifted
FROM unnest('{1970-01-01 00:00:01, 2074-07-11 11:41:13}'::timestamptz[]) ts;
\echo '-- keys with the same shift are in order'
SELECT count(*) AS out_of_order
FROM (SELECT id, lag(id) OVER (PARTITION BY shift ORDER BY n) AS before
	FROM (SELECT shift, n, uuidv7(shift) AS id
		FROM unnest('{-7 days, -7 days 1 us}'::interval[]) shift, generate_series(1, 20000) n
		OFFSET 0) made) m
WHERE id <= before;

\echo '-- rejected shifts; PostgreSQL 17 and later have infinite intervals'
SELECT DISTINCT e.code, e.message, e.detail
FROM unnest(ARRAY['-2000 years', '100000 years', '400000 years',
	(timestamptz '1969-12-31 23:59:00+00' - clock_timestamp())::text,
	(timestamptz '2074-07-11 11:41:24+00' - clock_timestamp())::text]) shift,
	error_of(format('SELECT uuidv7(%L::interval)', shift)) e;
SELECT DISTINCT CASE WHEN :'has_infinite_intervals' THEN (e.code, e.message, e.detail)
		= ('22008', 'interval out of range for UUID version 7',
			'UUID version 7 does not support infinite intervals.')
	ELSE true END AS rejected
FROM unnest('{infinity, -infinity}'::text[]) shift,
	error_of(format('SELECT uuidv7(%L::interval)', shift)) e;
RESET search_path;
DROP SCHEMA ours CASCADE;
