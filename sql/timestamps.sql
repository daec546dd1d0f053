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

\echo '-- at the border between the layouts of version 7, and at the ends'
SELECT id, uuid_v7_layout(id), uuid_time(id)
FROM unnest('{00000000-0000-7000-8000-000000000000, 02ffffff-ffff-7fff-bfff-ffffffffffff,
	03000000-0000-7000-8000-000000000000, ffffffff-ffff-7fff-bfff-ffffffffffff,
	00000000-0000-1000-8000-000000000000, ffffffff-ffff-1fff-bfff-ffffffffffff,
	00000000-0000-6000-8000-000000000000, ffffffff-ffff-6fff-bfff-ffffffffffff}'::uuid[]) id;

-- whatever the bits are: of each version and variant, as the reader of that version
CREATE TEMP TABLE ids AS
SELECT overlay(overlay(md5(i::text) PLACING to_hex(i % 16) FROM 13 FOR 1)
	PLACING CASE WHEN i % 7 = 0 THEN to_hex(i / 16 % 16) ELSE substr('89ab', i % 4 + 1, 1) END
		FROM 17 FOR 1)::uuid AS id
FROM generate_series(1, 20000) i
UNION ALL SELECT ('02' || substr(md5(i::text), 3, 10) || '7' || substr(md5(i::text), 14, 3) || 'b'
	|| substr(md5(i::text), 18))::uuid
FROM generate_series(1, 5000) i;
SELECT count(uuid_time(id)) AS times, count(DISTINCT uuid_extract_version(id))
	FILTER (WHERE uuid_time(id) IS NULL) AS versions_without,
	count(*) FILTER (WHERE uuid_time(id) IS DISTINCT
		FROM coalesce(uuid_v1_timestamp(id), uuid_v6_timestamp(id),
		CASE uuid_v7_layout(id) WHEN 'rfc9562' THEN uuidv7_timestamp(id)
			WHEN 'draft' THEN uuid_v7_timestamp(id) END)) AS wrong
FROM ids;

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
UNION ALL SELECT unnest('{1970-01-01, 1970-01-01 00:00:00.000001, 2074-07-11 11:41:23.327999,
	2074-07-11 11:41:23.328, 10889-08-02 05:31:50.655999}'::timestamptz[]);
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
	ffffffff-ffff-7fff-bfff-ffffffffffff, 019c21bb-7fd5-6800-8000-000000000000,
	019c21bb-7fd5-7800-c000-000000000000}'::uuid[]) id;

\echo '-- of the clock, and from 18 on of PostgreSQL''s own, so slowly that it need not run ahead'
SELECT bool_and(uuidv7_timestamp_micros(id) BETWEEN before
	AND after + interval '1 microsecond') AS now
FROM (SELECT clock_timestamp() AS before, uuidv7() AS id, clock_timestamp() AS after,
	pg_sleep(0.0001) FROM generate_series(1, 200) OFFSET 0) k;
SELECT uuidv7_timestamp_micros(NULL), uuid_time(NULL);

-- a guard: what reads one layout is refused for the other; what goes by the border reads both
CREATE TABLE of_draft (id uuid CHECK (uuid_v7_layout(id) = 'draft'));
CREATE TABLE of_rfc9562 (id uuid CHECK (uuid_v7_layout(id) = 'rfc9562'));
INSERT INTO of_draft VALUES (uuid_generate_v7_at('2026-02-03 04:05:06.789012'));
INSERT INTO of_rfc9562 VALUES (uuidv7_at('2026-02-03 04:05:06.789012'));
SELECT uuidv7_timestamp_micros(id) FROM of_draft;
SELECT uuidv7_timestamp_micros(id), uuid_time(id) FROM of_rfc9562;
SELECT uuid_time(id) FROM of_draft;
DROP TABLE of_draft, of_rfc9562;

-- in an index, and a generated column
CREATE TABLE timestamps_any (id uuid, made timestamptz GENERATED ALWAYS AS (uuid_time(id)) STORED);
CREATE INDEX ON timestamps_any (uuidv7_timestamp_micros(id));
INSERT INTO timestamps_any VALUES ('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT made FROM timestamps_any;
DROP TABLE timestamps_any;
