\set ECHO none
--
-- The time of a UUID of any version, and the microseconds of RFC 9562 version 7
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set SHOW_CONTEXT never

-- UUIDs of each version and variant; test/t/kinds_properties.pl has their uuid_time
CREATE TEMP TABLE ids AS
SELECT overlay(overlay(md5(i::text) PLACING to_hex(i % 16) FROM 13 FOR 1)
	PLACING CASE WHEN i % 7 = 0 THEN to_hex(i / 16 % 16) ELSE substr('89ab', i % 4 + 1, 1) END
		FROM 17 FOR 1)::uuid AS id
FROM generate_series(1, 20000) i
UNION ALL SELECT ('02' || substr(md5(i::text), 3, 10) || '7' || substr(md5(i::text), 14, 3) || 'b'
	|| substr(md5(i::text), 18))::uuid
FROM generate_series(1, 5000) i;

\echo '-- new keys have the current time'
SELECT bool_and(uuid_time(id) BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp())
FROM unnest(ARRAY[uuidv7(), uuid_generate_v7(), uuid_generate_v7('nanosecond'), uuid_generate_v6(),
	uuid_generate_v1_random()]) id;

--
-- Microseconds
--

-- The time that was written is read again, and equals the time of uuidv7_fields.
CREATE TEMP TABLE times AS
SELECT timestamptz '2026-02-03 04:05:06' + i * interval '1 microsecond' AS ts
	FROM generate_series(0, 1999) i
UNION ALL SELECT timestamptz '2026-02-03 04:05:06' + i * interval '1.234567 s'
	FROM generate_series(-1000, 1000) i
UNION ALL SELECT unnest('{1970-01-01, 1970-01-01 00:00:00.000001, 2074-07-11 11:41:23.327998,
	2074-07-11 11:41:23.327999}'::timestamptz[]);
SELECT count(*), count(*) FILTER (WHERE uuidv7_timestamp_micros(uuidv7_at(ts)) IS DISTINCT
	FROM ts) AS wrong FROM times;
SELECT count(uuidv7_timestamp_micros(id)) > 5000 AS times,
	count(*) FILTER (WHERE uuidv7_timestamp_micros(id) IS DISTINCT
		FROM (uuidv7_fields(id))."timestamp") AS wrong,
	count(*) FILTER (WHERE uuidv7_timestamp_micros(id) NOT BETWEEN uuidv7_timestamp(id)
		AND uuidv7_timestamp(id) + interval '999 microseconds') AS other_milliseconds
FROM ids;
SELECT id, uuidv7_timestamp_micros(id)
FROM unnest('{019c21bb-7fd5-7000-8000-000000000000, 019c21bb-7fd5-7001-8000-000000000000,
	019c21bb-7fd5-7004-8000-000000000000, 019c21bb-7fd5-7800-8000-000000000000,
	019c21bb-7fd5-7ffe-8000-000000000000, 019c21bb-7fd5-7fff-bfff-ffffffffffff,
	02ffffff-ffff-7fff-bfff-ffffffffffff, 03000000-0000-7000-8000-000000000000,
	ffffffff-ffff-7fff-bfff-ffffffffffff, 019c21bb-7fd5-6800-8000-000000000000,
	019c21bb-7fd5-7800-c000-000000000000}'::uuid[]) id;

\echo '-- new keys have the time of the clock if they are generated slowly, even PostgreSQL''s own'
SELECT bool_and(uuidv7_timestamp_micros(id) BETWEEN before
	AND after + interval '1 microsecond') AS now
FROM (SELECT clock_timestamp() AS before, uuidv7() AS id, clock_timestamp() AS after,
	pg_sleep(0.0001) FROM generate_series(1, 200) OFFSET 0) k;
SELECT uuidv7_timestamp_micros(NULL), uuid_time(NULL);

