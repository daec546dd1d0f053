\set ECHO none
--
-- ULIDs converted to version 7 UUIDs, and windows over a column of ULIDs.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SELECT setseed(0.4);

\echo '-- a ULID as an RFC 9562 key keeps its time and all random bits except six'
SELECT ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64A'), ulid_to_uuidv7('01j2vzhew5gatwjgm56cs5q64a'),
	uuidv7_timestamp(ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64A'));
CREATE TEMP TABLE ulids AS
SELECT uuid_to_ulid(id) AS ulid, id, ulid_to_uuidv7(uuid_to_ulid(id)) AS key
FROM generate_series(1, 5000) i, LATERAL (SELECT CASE i % 4
	WHEN 0 THEN '0' || i % 3 || substr(md5(random()::text), 3)
	WHEN 1 THEN '0190b7f8bb85' || left(md5(random()::text), 20)
	ELSE '0190b7f8' || left(md5(random()::text), 24) END::uuid AS id) u
UNION ALL SELECT uuid_to_ulid(id), id, ulid_to_uuidv7(uuid_to_ulid(id))
FROM unnest('{00000000-0000-0000-0000-000000000000, 02ffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[])
	id;
SELECT count(*) FILTER (WHERE NOT uuidv7_is(key)) AS other_kind,
	count(*) FILTER (WHERE uuidv7_timestamp(key) IS DISTINCT FROM ulid_timestamp(ulid))
		AS other_time,
	count(*) FILTER (WHERE overlay(overlay(id::text PLACING '7' FROM 15)
			PLACING substr('89ab89ab89ab89ab',
				1 + strpos('0123456789abcdef', substr(id::text, 20, 1)) - 1, 1) FROM 20)
		<> key::text) AS other_bits,
	count(*) FILTER (WHERE ulid_to_uuidv7(ulid) <> key) AS changes
FROM ulids;
\echo '-- conversion keeps the order of milliseconds'
SELECT count(*) FILTER (WHERE key < before) AS out_of_order
FROM (SELECT key, max(key) OVER (ORDER BY ulid_timestamp(ulid)
	RANGE BETWEEN UNBOUNDED PRECEDING AND '1 ms' PRECEDING) AS before FROM ulids) o;

\echo '-- errors: a time from 2074-07-11 on, and text that is not a ULID; NULL'
SELECT ulid_to_uuidv7(uuid_to_ulid('02ffffff-ffff-ffff-ffff-ffffffffffff'));
SELECT ulid_to_uuidv7(uuid_to_ulid('03000000-0000-0000-0000-000000000000'));
SELECT ulid_to_uuidv7('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
\set VERBOSITY sqlstate
SELECT ulid_to_uuidv7('8ZZZZZZZZZZZZZZZZZZZZZZZZZ');
SELECT ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64');
SELECT ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64AA');
SELECT ulid_to_uuidv7('01J2VZHEW5GATWJGM56CS5Q64U');
SELECT ulid_to_uuidv7('');
SELECT ulid_to_uuidv7('0190b7f8-bb85-72b5-8942-8533325b988a');
\set VERBOSITY default
SELECT ulid_to_uuidv7(NULL) IS NULL, ulid_min(NULL) IS NULL, ulid_max(NULL) IS NULL;

\echo '-- comparison with a bound agrees with comparison of the ULID''s time'
CREATE TEMP TABLE moments AS
SELECT unnest('{-infinity, 4714-11-24 00:00 BC, 1969-12-31 23:59:59.999999, 1970-01-01,
	1970-01-01 00:00:00.000001, 2024-07-15 15:35:25.829, 2024-07-15 15:35:25.828999,
	2024-07-15 15:35:25.829001, 2074-07-11 11:41:23.327, 2074-07-11 11:41:23.328,
	10889-08-02 05:31:50.655, 10889-08-02 05:31:50.655001, 10889-08-02 05:31:50.656,
	294276-12-31 23:59:59.999999, infinity}'::timestamptz[]) AS ts
UNION ALL SELECT ulid_timestamp(ulid) + floor(random() * 3 - 1) * interval '1 us'
FROM (SELECT * FROM ulids ORDER BY ulid LIMIT 200) u;
CREATE TEMP TABLE all_ids AS
SELECT id FROM ulids
UNION ALL SELECT md5(i::text)::uuid FROM generate_series(1, 1000) i
UNION ALL SELECT unnest(ARRAY[ulid_min(ts), ulid_max(ts)]) FROM moments
UNION ALL VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);
SELECT count(*) > 10000 AS many,
	count(*) FILTER (WHERE (id >= ulid_min(ts)) <> (ulid_timestamp(id) >= ts)) AS wrong_min,
	count(*) FILTER (WHERE (id <= ulid_max(ts)) <> (ulid_timestamp(id) <= ts)) AS wrong_max
FROM all_ids, moments WHERE ulid_timestamp(id) IS NOT NULL
	AND ts BETWEEN '1970-01-01' AND '10889-08-02 05:31:50.655';
SELECT ts, ulid_min(ts), ulid_max(ts) FROM moments
WHERE ts NOT BETWEEN '1970-01-01' AND '10889-08-02 05:31:50.655'
	OR ts::date = '2024-07-15' AND extract(milliseconds FROM ts) BETWEEN 25828.9 AND 25829.01
ORDER BY ts;
