\set ECHO none
--
-- All fields of a UUID: their values, their bits and their precision.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- default layouts; a MAC address and the multicast bit; nanoseconds that exceed bigint'
SELECT uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed')
	= uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed', 'microsecond') AS v7,
	uuidv7_fields('019c21ac-ec65-7031-a4cd-fbf88dedf584')
	= uuid_v7_fields('019c21ac-ec65-7031-a4cd-fbf88dedf584', 'rfc9562') AS rfc9562,
	uuid_v8_fields('1890a0d8-da18-8522-abb3-6dab5bfaf522')
	= uuid_v8_fields('1890a0d8-da18-8522-abb3-6dab5bfaf522', 'UNIX64') AS v8;
SELECT (uuid_v1_fields(id)).mac FROM (VALUES (uuid 'c232ab00-9414-11ec-b3c8-08002b010203'),
	('c232ab00-9414-11ec-b3c8-09002b010203')) v(id);
SELECT f.* FROM uuid_v8_fields('ffffffff-ffff-8000-8000-000000000000', 'unix48', '285000-01-01') f;
SELECT f.* FROM uuid_v8_fields('00000000-0000-8000-8000-000000000000', 'julian64') f;

\echo '-- NULL for an invalid time, and a time beyond timestamptz; errors.sql has other versions'
SELECT uuid_v8_fields('20261303-0405-8067-8bf3-6c19ecd9912c', 'iso8601') IS NULL AS no_date,
	uuid_v8_fields('ffffffff-ffff-8000-8000-000000000000', 'unix48', '294276-01-01') IS NULL
		AS too_late;
\set VERBOSITY terse
SELECT uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed', 'unix48');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'unix48', 'infinity');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'iso8601', '2020-01-01');
\set VERBOSITY default

--
-- Vectors from test/vectors/fields.py
--
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/fields.tsv"`
CREATE TEMP TABLE vectors AS
SELECT n, f[1]::int AS version, f[2] AS layout, f[3]::bigint AS epoch_unix_s, f[4]::uuid AS id,
	f[5]::numeric AS unix_us, f[6]::numeric AS nanoseconds, f[7]::bigint AS sequence,
	('\x' || f[8])::bytea AS node, nullif(f[9], '-')::macaddr AS mac,
	-- draft keys before 1995-07-09, and RFC 9562 keys from 2074-07-11 on, are out of range
	f[1] <> '7' OR (f[2] = 'rfc9562') = (f[4]::uuid < '03000000-0000-7000-8000-000000000000')
		AS in_range
FROM vectors_of(:'lines');
SELECT count(*), count(DISTINCT (version, layout, epoch_unix_s)),
	count(*) FILTER (WHERE NOT in_range) AS out_of_range
FROM vectors;

CREATE FUNCTION fields(version int, layout text, id uuid, epoch timestamptz,
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea,
	OUT mac macaddr)
LANGUAGE plpgsql AS $$
DECLARE
	call text := CASE version
		WHEN 7 THEN 'uuid_v7_fields($1, $2)'
		WHEN 8 THEN 'uuid_v8_fields($1, $2, $3)'
		ELSE format('uuid_v%s_fields($1)', version)
	END;
BEGIN
	EXECUTE 'SELECT * FROM ' || call
	INTO "timestamp", nanoseconds, sequence, node, mac USING id, layout, epoch;
END $$;
SELECT v.*, f.* FROM vectors v,
	fields(version, layout, id, CASE
		WHEN layout ~ '^(unix|ntp|custom)' THEN from_unix_us(epoch_unix_s * 1000000)
		ELSE '1970-01-01' END) f
WHERE (f."timestamp", f.nanoseconds, f.sequence, f.node, f.mac) IS DISTINCT FROM CASE
	WHEN in_range THEN (from_unix_us(unix_us), v.nanoseconds, v.sequence, v.node, v.mac)
	ELSE (NULL::timestamptz, NULL::numeric, NULL::bigint, NULL::bytea, NULL::macaddr) END
ORDER BY n LIMIT 10;
\echo '-- the layout may change from row to row in one call'
SELECT count(*) FROM (SELECT * FROM vectors WHERE version = 7 AND in_range ORDER BY id) v
WHERE ((uuid_v7_fields(id, layout)).sequence, (uuid_v7_fields(id, layout)).nanoseconds)
	IS DISTINCT FROM (sequence, nanoseconds);

DROP FUNCTION fields;
