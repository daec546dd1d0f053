\set ECHO none
--
-- ULIDs converted to version 7 UUIDs, and windows over a column of ULIDs.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- a ULID as an RFC 9562 key keeps its time and all random bits except six'
SELECT ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64A'), ulid_to_uuidv7('01j2vzhew5gatwjgm56cs5q64a'),
	uuidv7_timestamp(ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64A'));
CREATE TEMP TABLE ulids AS
SELECT uuid_to_ulid(id) AS ulid, id, ulid_to_uuidv7(uuid_to_ulid(id)) AS key
FROM generate_series(1, 5000) i, LATERAL (SELECT CASE i % 4
	WHEN 0 THEN '0' || i % 3 || substr(md5(i::text), 3)
	WHEN 1 THEN '0190b7f8bb85' || left(md5(i::text), 20)
	ELSE '0190b7f8' || left(md5(i::text), 24) END::uuid AS id) u
UNION ALL SELECT uuid_to_ulid(id), id, ulid_to_uuidv7(uuid_to_ulid(id))
FROM unnest('{00000000-0000-0000-0000-000000000000, 02ffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[])
	id;
SELECT count(*) FILTER (WHERE NOT uuidv7_is(key)) AS other_kind,
	count(*) FILTER (WHERE uuidv7_timestamp(key) IS DISTINCT FROM ulid_timestamp(ulid))
		AS other_time,
	count(*) FILTER (WHERE relabeled(id, 7, 8 + get_byte(uuid_send(id), 8) / 16 % 4) <> key)
		AS other_bits,
	count(*) FILTER (WHERE ulid_to_uuidv7(ulid) <> key) AS changes
FROM ulids;

\echo '-- errors: a time from 2074-07-11 on, and text that is not a ULID'
SELECT ulid, e.* FROM unnest('{8ZZZZZZZZZZZZZZZZZZZZZZZZZ, 01J2VZHEW5GATWJGM56CS5Q64,
	01J2VZHEW5GATWJGM56CS5Q64AA, 01J2VZHEW5GATWJGM56CS5Q64U, ""}'::text[]) ulid,
	error_of(format('SELECT ulid_to_uuidv7(%L)', ulid)) e
WHERE e.code IS DISTINCT FROM '22P02';
SELECT ulid_to_uuidv7(uuid_to_ulid('02ffffff-ffff-ffff-ffff-ffffffffffff'));
SELECT ulid_to_uuidv7(uuid_to_ulid('03000000-0000-0000-0000-000000000000'));

\echo '-- comparison with a bound agrees with comparison of the ULID''s time'
CREATE TEMP TABLE moments AS
SELECT unnest('{-infinity, 4714-11-24 00:00 BC, 1969-12-31 23:59:59.999999, 1970-01-01,
	1970-01-01 00:00:00.000001, 2024-07-15 15:35:25.829, 2024-07-15 15:35:25.828999,
	2024-07-15 15:35:25.829001, 2074-07-11 11:41:23.328, 10889-08-02 05:31:50.655,
	10889-08-02 05:31:50.655001, 10889-08-02 05:31:50.656, 294276-12-31 23:59:59.999999,
	infinity}'::timestamptz[]) AS ts
UNION ALL SELECT ulid_timestamp(ulid) + (n % 3 - 1) * interval '1 us'
FROM (SELECT ulid, row_number() OVER () AS n FROM ulids ORDER BY ulid LIMIT 200) u;
CREATE TEMP TABLE all_ids AS
SELECT id FROM ulids
UNION ALL SELECT md5(i::text)::uuid FROM generate_series(1, 1000) i
UNION ALL SELECT unnest(ARRAY[ulid_min(ts), ulid_max(ts)]) FROM moments
UNION ALL VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);
SELECT count(*) > 10000 AS many,
	count(*) FILTER (WHERE (id >= ulid_min(ts)) <> (ulid_timestamp(id) >= ts)) AS wrong_min,
	count(*) FILTER (WHERE (id <= ulid_max(ts)) <> (ulid_timestamp(id) <= ts)) AS wrong_max
FROM all_ids, moments
WHERE ts BETWEEN '1970-01-01' AND '10889-08-02 05:31:50.655';
SELECT DISTINCT ts, ulid_min(ts), ulid_max(ts) FROM moments
WHERE ts NOT BETWEEN '1970-01-01' AND '10889-08-02 05:31:50.655' ORDER BY ts;
