\set ECHO none
--
-- The time of a UUID of any version, and the microseconds of RFC 9562 version 7.
-- test/t/kinds_properties.pl tests uuid_time of any UUID.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';

\echo '-- new keys have the current time'
SELECT bool_and(uuid_time(id) BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp())
FROM unnest(ARRAY[uuidv7(), uuid_generate_v7(), uuid_generate_v7('nanosecond'), uuid_generate_v6(),
	uuid_generate_v1_random()]) id;

\echo '-- the time that was written is read again, to the microsecond'
SELECT count(*) FILTER (WHERE uuidv7_timestamp_micros(uuidv7_at(ts)) IS DISTINCT FROM ts) AS wrong
FROM (SELECT timestamptz '2026-02-03 04:05:06' + i * interval '1 microsecond' AS ts
	FROM generate_series(0, 1999) i
	UNION ALL SELECT timestamptz '2026-02-03 04:05:06' + i * interval '1.234567 s'
	FROM generate_series(-1000, 1000) i
	UNION ALL SELECT unnest('{1970-01-01, 1970-01-01 00:00:00.000001, 2074-07-11 11:41:23.327998,
		2074-07-11 11:41:23.327999}'::timestamptz[])) times;
\echo '-- it equals the time of uuidv7_fields, and is NULL for other versions and variants'
SELECT count(uuidv7_timestamp_micros(id)) AS times,
	count(*) FILTER (WHERE uuidv7_timestamp_micros(id) IS DISTINCT
		FROM (uuidv7_fields(id))."timestamp") AS wrong
FROM generate_series(1, 20000) i,
	LATERAL (SELECT ('02' || substr(md5(i::text), 3, 10) || to_hex(i % 16)
		|| substr(md5(i::text), 14, 3) || to_hex(i / 16 % 16) || substr(md5(i::text), 18))::uuid
		AS id) u;
SELECT id, uuidv7_timestamp_micros(id)
FROM unnest('{019c21bb-7fd5-7001-8000-000000000000, 019c21bb-7fd5-7004-8000-000000000000,
	019c21bb-7fd5-7fff-bfff-ffffffffffff, 02ffffff-ffff-7fff-bfff-ffffffffffff,
	03000000-0000-7000-8000-000000000000}'::uuid[]) id;

\echo '-- new keys have the time of the clock if they are generated slowly, even PostgreSQL''s own'
SELECT bool_and(uuidv7_timestamp_micros(id) BETWEEN before
	AND after + interval '1 microsecond') AS now
FROM (SELECT clock_timestamp() AS before, uuidv7() AS id, clock_timestamp() AS after,
	pg_sleep(0.0001) FROM generate_series(1, 200) OFFSET 0) k;
