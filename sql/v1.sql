\set ECHO none
--
-- Version 1 with random bits instead of clock sequence and node, and conversion between versions 1
-- and 6.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
CREATE TEMP TABLE made AS
SELECT before, id, clock_timestamp() AS after
FROM (SELECT clock_timestamp() AS before, uuid_generate_v1_random() AS id
	FROM generate_series(1, 20000) OFFSET 0) g;
SELECT count(DISTINCT id) FROM made;

\echo '-- version and variant'
SELECT DISTINCT substr(id::text, 15, 1) AS version, substr(id::text, 20, 1)
	IN ('8', '9', 'a', 'b') AS variant FROM made;

\echo '-- the time, to 100 ns, as version 1 and as version 6'
SELECT count(*), min(before), min(uuid_v1_timestamp(id)), min(after) FROM made
WHERE NOT uuid_v1_timestamp(id) BETWEEN before AND after
   OR uuid_v6_timestamp(uuid_v1_to_v6(id)) IS DISTINCT FROM uuid_v1_timestamp(id)
   OR uuid_v6_to_v1(uuid_v1_to_v6(id)) IS DISTINCT FROM id
   OR substr(uuid_v1_to_v6(id)::text, 20) <> substr(id::text, 20);

\echo '-- two keys in one row differ'
SELECT count(DISTINCT id)
	FROM (SELECT unnest(ARRAY[uuid_generate_v1_random(), uuid_generate_v1_random()]) AS id
	FROM generate_series(1, 3)) g;

--
-- Keys for a given time
--
CREATE TEMP TABLE times AS
SELECT ts, uuid_generate_v1_random_at(ts) AS id
FROM (SELECT timestamptz '1582-10-15 00:00:00+00' + i * i
	* interval '3 minutes 7.000001 seconds' AS ts FROM generate_series(0, 3000) i
	  UNION ALL SELECT unnest('{1969-12-31 23:59:59.999999+00, 1970-01-01 00:00:00+00,
								2026-02-03 04:05:06.789012+00,
								5236-03-31 21:21:00.684697+00}'::timestamptz[])) t;
SELECT count(*), count(DISTINCT substr(id::text, 20)), min(ts), max(ts) FROM times;
SELECT ts, id FROM times
WHERE uuid_v1_timestamp(id) IS DISTINCT FROM ts OR substr(id::text, 15, 1) <> '1'
	OR substr(id::text, 20, 1) NOT IN ('8', '9', 'a', 'b')
   OR uuid_v1_to_v6(id) NOT BETWEEN uuid_v6_min(ts) AND uuid_v6_max(ts);

\echo '-- times out of range'
SELECT uuid_generate_v1_random_at('1582-10-14 23:59:59.999999+00');
\set VERBOSITY terse
SELECT uuid_generate_v1_random_at('5236-03-31 21:21:00.684698+00');
SELECT uuid_generate_v1_random_at('4714-11-24 00:00:00+00 BC');
SELECT uuid_generate_v1_random_at('294276-12-31 23:59:59.999999+00');
SELECT uuid_generate_v1_random_at('infinity');
SELECT uuid_generate_v1_random_at('-infinity');
\set VERBOSITY default
SELECT uuid_generate_v1_random_at(NULL) IS NULL;

--
-- Milliseconds since 1970 instead of 100 ns since 1582: vectors from an implementation of the
-- article's code.  Rows without v1 have times that version 1 cannot hold.
--
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v1_unix_ms.tsv"`
CREATE TEMP TABLE article AS
SELECT f[1]::bigint AS unix_ms, f[2]::uuid AS id, nullif(f[3], '')::uuid AS v1
FROM regexp_split_to_table(:'lines', '\n') WITH ORDINALITY AS t(line, n),
	string_to_array(line, E'\t') f
WHERE n > 1 AND line <> '';
SELECT count(*), count(v1) FROM article;
SELECT *, uuid_v1_unix_ms_timestamp(id), uuid_v1_unix_ms_to_v1(id) FROM article
WHERE v1 IS NOT NULL
  AND (extract(epoch FROM uuid_v1_unix_ms_timestamp(id)) * 1000 IS DISTINCT FROM unix_ms
	   OR uuid_v1_unix_ms_to_v1(id) IS DISTINCT FROM v1
	   OR uuid_v1_timestamp(v1) IS DISTINCT FROM uuid_v1_unix_ms_timestamp(id));
CREATE FUNCTION error_code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT unix_ms, uuid_v1_unix_ms_timestamp(id),
	error_code(format('SELECT uuid_v1_unix_ms_to_v1(%L)', id)) FROM article WHERE v1 IS NULL;

\echo '-- correct UUIDs are recognized, so no UUID is converted twice'
SELECT count(*) FROM article
WHERE v1 IS NOT NULL
  AND (uuid_v1_unix_ms_timestamp(v1) IS NOT NULL
	OR error_code(format('SELECT uuid_v1_unix_ms_to_v1(%L)', v1)) <> '22023');
SELECT count(*) FROM made WHERE uuid_v1_unix_ms_timestamp(id) IS NOT NULL;
SELECT uuid_v1_unix_ms_to_v1('c232ab00-9414-11ec-b3c8-9f6bdeced846');

\echo '-- other versions and variants, and NULL'
SELECT count(*) FROM generate_series(0, 15) v, unnest('{0,7,8,b,c,f}'::text[]) variant,
	LATERAL (SELECT overlay(overlay('65ca76d2-013a-1000-a31b-48b2491cd009' PLACING to_hex(v)
		FROM 15) PLACING variant FROM 20)::uuid AS id) u
WHERE (uuid_v1_unix_ms_timestamp(id) IS NOT NULL) <> (v = 1 AND variant IN ('8', 'b'))
   OR error_code(format('SELECT uuid_v1_unix_ms_to_v1(%L)', id)) <> CASE WHEN v = 1 AND variant
	IN ('8', 'b') THEN 'no error' ELSE '22023' END;
SELECT uuid_v1_unix_ms_timestamp(NULL) IS NULL AND uuid_v1_unix_ms_to_v1(NULL) IS NULL;
DROP FUNCTION error_code;

\echo '-- UUIDs of other versions are rejected'
SELECT uuid_v1_to_v6(uuid_generate_v6());
SELECT uuid_v1_to_v6('5b6d6a9c-3c5e-4e5f-9d3c-2f1e0d9c8b7a');
SELECT uuid_v1_to_v6('00000000-0000-0000-0000-000000000000');
SELECT uuid_v1_to_v6('ffffffff-ffff-ffff-ffff-ffffffffffff');
SELECT uuid_v6_to_v1('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT uuid_v6_to_v1(NULL), uuid_v1_to_v6(NULL);
