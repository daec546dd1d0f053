--
-- The time of a UUID of any version, and the microseconds of RFC 9562's version 7
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set SHOW_CONTEXT never

\echo '-- one time in all versions: RFC 9562''s examples (appendix A), and the draft''s layouts'
SELECT name, uuid_time(id)
FROM (VALUES (1, 'version 1', uuid 'c232ab00-9414-11ec-b3c8-9f6bdeced846'),
	(2, 'version 6', '1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
	(3, 'rfc9562', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
		(4, 'version 3', '5df41881-3aed-3515-88a7-2f4a814cf09e'),
	(5, 'version 4', '919108f7-52d1-4320-9bac-f847db4148a8'),
		(6, 'version 5', '2ed6657d-e927-568b-95e1-2665a8aea6a2'),
	(7, 'version 8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'),
		(8, 'nil', '00000000-0000-0000-0000-000000000000'),
	(9, 'max', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), (10, 'NULL', NULL)) v(n, name, id)
		ORDER BY n;
SELECT layout, date_trunc(CASE layout WHEN 'millisecond' THEN layout ELSE 'microsecond' END,
	uuid_time(uuid_generate_v7_at('2026-02-03 04:05:06.789012', layout)))
FROM unnest(ARRAY['millisecond', 'microsecond', 'nanosecond', 'rfc9562']) layout;

-- of each version and variant
CREATE TEMP TABLE ids AS
SELECT overlay(overlay(md5(i::text) PLACING to_hex(i % 16) FROM 13 FOR 1)
	PLACING CASE WHEN i % 7 = 0 THEN to_hex(i / 16 % 16) ELSE substr('89ab', i % 4 + 1, 1) END
		FROM 17 FOR 1)::uuid AS id
FROM generate_series(1, 20000) i
UNION ALL SELECT ('02' || substr(md5(i::text), 3, 10) || '7' || substr(md5(i::text), 14, 3) || 'b'
	|| substr(md5(i::text), 18))::uuid
FROM generate_series(1, 5000) i;

\echo '-- keys of now'
SELECT uuid_time(id) BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp() AS now
FROM unnest(ARRAY[uuidv7(), uuid_generate_v7(), uuid_generate_v7('nanosecond'), uuid_generate_v6(),
	uuid_generate_v1_random()]) id;

--
-- Microseconds
--

-- what was written is read again, as by uuidv7_fields
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

\echo '-- of the clock, and from 18 on of PostgreSQL''s own, so slowly that it need not run ahead'
SELECT bool_and(uuidv7_timestamp_micros(id) BETWEEN before
	AND after + interval '1 microsecond') AS now
FROM (SELECT clock_timestamp() AS before, uuidv7() AS id, clock_timestamp() AS after,
	pg_sleep(0.0001) FROM generate_series(1, 200) OFFSET 0) k;
SELECT uuidv7_timestamp_micros(NULL), uuid_time(NULL);

-- in an index, and a generated column
CREATE TABLE timestamps_any (id uuid, made timestamptz GENERATED ALWAYS AS (uuid_time(id)) STORED);
CREATE INDEX ON timestamps_any (uuidv7_timestamp_micros(id));
INSERT INTO timestamps_any VALUES ('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT made FROM timestamps_any;
DROP TABLE timestamps_any;
