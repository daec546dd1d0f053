\set ECHO none
--
-- Version 1 with random bits instead of clock sequence and node, and conversion between versions 1
-- and 6.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- new keys are unique, with the time to 100 ns, as version 1 and as version 6'
CREATE TEMP TABLE made AS
SELECT before, id, clock_timestamp() AS after
FROM (SELECT clock_timestamp() AS before, uuid_generate_v1_random() AS id
	FROM generate_series(1, 20000) OFFSET 0) g;
SELECT count(DISTINCT id), count(DISTINCT substr(id::text, 20)) FROM made;
SELECT count(*) FROM made
WHERE id <> relabeled(id, 1, 8 + get_byte(uuid_send(id), 8) / 16 % 4)
	OR NOT uuid_v1_timestamp(id) BETWEEN before AND after
	OR uuid_v6_timestamp(uuid_v1_to_v6(id)) IS DISTINCT FROM uuid_v1_timestamp(id)
	OR uuid_v6_to_v1(uuid_v1_to_v6(id)) IS DISTINCT FROM id
	OR substr(uuid_v1_to_v6(id)::text, 20) <> substr(id::text, 20);

\echo '-- keys for a given time'
CREATE TEMP TABLE times AS
SELECT ts, uuid_generate_v1_random_at(ts) AS id
FROM (SELECT timestamptz '1582-10-15 00:00:00+00'
		+ i * i * interval '3 minutes 7.000001 seconds' AS ts FROM generate_series(0, 3000) i
	UNION ALL SELECT unnest('{1969-12-31 23:59:59.999999+00, 1970-01-01 00:00:00+00,
		2026-02-03 04:05:06.789012+00, 5236-03-31 21:21:00.684697+00}'::timestamptz[])) t;
SELECT count(*), count(DISTINCT substr(id::text, 20)) FROM times;
SELECT ts, id FROM times
WHERE uuid_v1_timestamp(id) IS DISTINCT FROM ts
	OR uuid_v1_to_v6(id) NOT BETWEEN uuid_v6_min(ts) AND uuid_v6_max(ts);
SELECT DISTINCT e.*
FROM unnest('{1582-10-14 23:59:59.999999+00, 5236-03-31 21:21:00.684698+00, infinity,
	-infinity}'::text[]) ts, error_of(format('SELECT uuid_generate_v1_random_at(%L)', ts)) e;

--
-- Milliseconds since 1970 instead of 100 ns since 1582: vectors from an implementation of the
-- article's code.  Rows without v1 have times that version 1 cannot hold.
--
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v1_unix_ms.tsv"`
CREATE TEMP TABLE article AS
SELECT f[1]::bigint AS unix_ms, f[2]::uuid AS id, nullif(f[3], '')::uuid AS v1
FROM vectors_of(:'lines');
SELECT count(*), count(v1) FROM article;
SELECT * FROM article
WHERE (extract(epoch FROM uuid_v1_unix_ms_timestamp(id)) * 1000)::bigint
		IS DISTINCT FROM CASE WHEN v1 IS NOT NULL THEN unix_ms END
	OR result_of('uuid_v1_unix_ms_to_v1($1::uuid)', id::text) <> coalesce(v1::text, '22023')
	OR uuid_v1_timestamp(v1) IS DISTINCT FROM uuid_v1_unix_ms_timestamp(id);

\echo '-- correct UUIDs are recognized, so no UUID is converted twice'
SELECT count(*) FROM (SELECT v1 FROM article UNION ALL SELECT id FROM made LIMIT 1000) u(id)
WHERE uuid_v1_unix_ms_timestamp(id) IS NOT NULL
	OR result_of('uuid_v1_unix_ms_to_v1($1::uuid)', id::text) <> '22023';
SELECT uuid_v1_unix_ms_to_v1('c232ab00-9414-11ec-b3c8-9f6bdeced846');
