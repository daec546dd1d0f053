\set ECHO none
--
-- All fields of a UUID: their values, their bits and their precision.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';

\echo '-- the examples of doc/layouts.md'
SELECT * FROM uuid_v1_fields('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT * FROM uuid_v6_fields('1f100b58-6536-69c8-ac3d-cdaafe8743b6');
SELECT layout, f.* FROM (VALUES
	('millisecond', uuid '0698173f-2ca0-7243-b347-d321510b5add'),
	('microsecond', '0698173f-2c9f-7cb1-9abc-cdb5559492ed'),
	('nanosecond', '0698173f-2c9f-7cb0-b00a-bfcdffb362ab'),
	('rfc9562', '019c21ac-ec65-7031-a4cd-fbf88dedf584')) v(layout, id),
		uuid_v7_fields(id, layout) f;
SELECT layout, f.* FROM (VALUES
	('unix32', uuid '698173f2-0000-852d-b350-769dc63d138e'),
	('unix48', '019c21ac-ec65-8c93-b2bf-97a936f7eb32'),
	('gregorian60', '1f100b58-6536-89c8-88b3-41972981672c'),
	('unix64', '1890a0d8-da18-8522-abb3-6dab5bfaf522'),
	('ntp64', 'ed2bf272-c9fc-8b0c-8eb3-76ae50c8cf33'),
	('iso8601', '20260203-0405-8067-8bf3-6c19ecd9912c'),
	('julian64', '02f37021-0f23-8ea9-90b3-76ae50c8cf33'),
	('custom(1000/s, 48, 12)', '019c21ac-ec65-8c93-b2bf-97a936f7eb32'),
	('custom(60s, 32, 12)', '01c22855-0000-8005-b350-769dc63d138e')) v(layout, id),
		uuid_v8_fields(id, layout) f;

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

\echo '-- the first and last times of timestamptz; ticks that begin between two microseconds'
SELECT f.* FROM (VALUES ('00000000-0000-8000-8000-000000000000'::uuid),
	('82f0829a-7292-8fff-bfff-ffffffffffff')) v(id), uuid_v8_fields(id, 'julian64') f;
SELECT f.* FROM uuid_v8_fields('00000000-0000-8001-8000-000000000000', 'custom(3000000/s, 60, 8)',
	'294276-12-31 23:59:59.999999') f;
SELECT f.* FROM uuid_v8_fields('00000000-0001-8000-8000-000000000000', 'custom(300/s, 48, 12)',
	'4714-11-24 BC') f;

\echo '-- NULL for another version or variant, an invalid time, and a time beyond timestamptz'
SELECT v, uuid_v1_fields(id), uuid_v6_fields(id), uuid_v7_fields(id), uuidv7_fields(id),
	uuid_v8_fields(id) IS NULL AS v8
FROM generate_series(0, 8) v,
	LATERAL (SELECT CASE v WHEN 0 THEN '01234567-89ab-7cde-c123-456789abcdef'
	ELSE format('01234567-89ab-%scde-8123-456789abcdef', v) END::uuid AS id) u;
SELECT uuid_v8_fields('20261303-0405-8067-8bf3-6c19ecd9912c', 'iso8601') IS NULL AS no_date,
	   uuid_v8_fields('ffffffff-ffff-8000-8000-000000000000', 'unix48',
		'294276-01-01') IS NULL AS too_late,
	   uuid_v8_fields('82f0829a-7292-8fff-bfff-ffffffffffff', 'julian64') IS NOT NULL
		AND uuid_v8_fields('82f0829a-7293-8000-8000-000000000000',
			'julian64') IS NULL AS julian64_too_late,
	   uuid_v8_fields('ffffffff-ffff-8fff-bfff-ffffffffffff',
		'custom(60s, 64, 8)') IS NULL AS minutes_too_late,
	   uuid_v7_fields(NULL) IS NULL AND uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed',
		NULL) IS NULL AS of_null;
-- Errors
\set VERBOSITY terse
SELECT uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed', 'unix48');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'rfc9562');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'unix48', 'infinity');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'iso8601', '2020-01-01');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'ntp64', '2036-02-07 06:28:17');
SELECT uuid_v8_fields('0698173f-2c9f-8cb1-9abc-cdb5559492ed', 'custom(1000/s, 48, 11)');
SELECT uuid_v7_fields('0698173f-2c9f-7cb1-9abc-cdb5559492ed', 'custom(1000/s, 48, 12)');

\set VERBOSITY default

--
-- Vectors from test/vectors/fields.py
--
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/fields.tsv"`
CREATE TEMP TABLE vectors AS
SELECT n, f[1]::int AS version, f[2] AS layout, f[3]::bigint AS epoch_unix_s, f[4]::uuid AS id,
	f[5]::numeric AS unix_us,
	   f[6]::numeric AS nanoseconds, f[7]::bigint AS sequence, ('\x' || f[8])::bytea AS node,
		nullif(f[9], '-')::macaddr AS mac
FROM regexp_split_to_table(:'lines', '\n') WITH ORDINALITY AS t(line, n),
	string_to_array(line, E'\t') f
WHERE n > 1;
SELECT count(*), count(DISTINCT (version, layout, epoch_unix_s)) FROM vectors;
-- Some version 7 vectors are out of range: draft before 1995-07-09, RFC 9562 from 2074-07-11 on.
ALTER TABLE vectors ADD of_kind boolean;
UPDATE vectors SET of_kind = version <> 7
	OR (layout = 'rfc9562') = (id < '03000000-0000-7000-8000-000000000000');
\echo '-- draft keys before 1995-07-09, and RFC 9562 keys from 2074-07-11 on, have no fields'
SELECT layout, count(*), count(*) FILTER (WHERE uuid_v7_fields(id, layout) IS NULL) AS without
FROM vectors WHERE NOT of_kind GROUP BY layout ORDER BY layout COLLATE "C";

-- This is exact; an interval would be multiplied as a double.
CREATE FUNCTION from_unix_us(us numeric) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '1970-01-01 00:00:00+00' + div(us, 86400000000)::int * interval '1 day'
	+ mod(us, 86400000000)::bigint / 1000000 * interval '1 second' + mod(us, 1000000)::int
		* interval '1 microsecond' $$;
CREATE FUNCTION fields(version int, layout text, id uuid, epoch timestamptz DEFAULT '1970-01-01',
	OUT "timestamp" timestamptz, OUT nanoseconds numeric, OUT sequence bigint, OUT node bytea,
		OUT mac macaddr)
LANGUAGE plpgsql AS $$
BEGIN
	CASE version
		WHEN 1 THEN SELECT * INTO "timestamp", nanoseconds, sequence, node, mac
			FROM uuid_v1_fields(id);
		WHEN 6 THEN SELECT * INTO "timestamp", nanoseconds, sequence, node FROM uuid_v6_fields(id);
		WHEN 7 THEN SELECT * INTO "timestamp", nanoseconds, sequence, node
			FROM uuid_v7_fields(id, layout);
		WHEN 8 THEN SELECT * INTO "timestamp", nanoseconds, sequence, node
			FROM uuid_v8_fields(id, layout, epoch);
	END CASE;
END $$;

SELECT v.*, f.* FROM vectors v,
	fields(version, layout, id, CASE
		WHEN layout ~ '^(unix|ntp|custom)' THEN from_unix_us(epoch_unix_s * 1000000)
		ELSE '1970-01-01' END) f
WHERE of_kind AND (f."timestamp", f.nanoseconds, f.sequence, f.node, f.mac) IS DISTINCT FROM
	  (from_unix_us(unix_us), v.nanoseconds, v.sequence, v.node, v.mac)
ORDER BY n LIMIT 10;
\echo '-- the layout may change from row to row in one call'
SELECT count(*) FROM (SELECT * FROM vectors WHERE version = 7 AND of_kind ORDER BY id) v
WHERE (uuid_v7_fields(id, layout)).sequence IS DISTINCT FROM sequence
	OR (uuid_v7_fields(id, layout)).nanoseconds IS DISTINCT FROM nanoseconds;
SELECT count(*) FROM (SELECT * FROM vectors WHERE layout ~ '^unix' ORDER BY id) v
WHERE (uuid_v8_fields(id, layout)).sequence <> sequence;

DROP FUNCTION fields, from_unix_us;
