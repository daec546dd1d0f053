\set ECHO none
--
-- Test vectors, computed from the draft with exact integer arithmetic and
-- independently of this implementation.  Times are Unix microseconds.
-- pg_regress sets PG_ABS_SRCDIR; before PostgreSQL 15, the current directory is the source.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v1_v6.tsv"`
CREATE TEMP TABLE v1_v6 AS
SELECT f[1]::uuid AS v1, f[2]::uuid AS v6, f[3]::bigint AS unix_us, from_unix_us(f[3]::bigint) AS ts
FROM vectors_of(:'lines');
SELECT count(*) FROM v1_v6;
SELECT * FROM v1_v6
WHERE (uuid_v1_to_v6(v1), uuid_v6_to_v1(v6), uuid_v1_timestamp(v1), uuid_v6_timestamp(v6),
		uuid_v6_timestamp(uuid_generate_v6_at(ts)))
	IS DISTINCT FROM (v6, v1, ts, ts, ts)
	OR NOT v6 BETWEEN uuid_v6_min(ts) AND uuid_v6_max(ts);

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v7.tsv"`
CREATE TEMP TABLE v7 AS
SELECT f[1] AS layout, f[2]::uuid AS id, from_unix_us(f[3]::bigint) AS ts,
	from_unix_us(f[3]::bigint + f[4]::bigint - 1) AS last, f[4] AS unit,
	-- draft keys before 1995-07-09, and RFC 9562 keys from 2074-07-11 on, are out of range
	(f[1] = 'rfc9562') = (f[2]::uuid < '03000000-0000-7000-8000-000000000000') AS in_range
FROM vectors_of(:'lines');
SELECT layout, unit, count(*) FILTER (WHERE in_range) AS in_range, count(*) FROM v7
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT * FROM v7
WHERE NOT in_range AND (uuid_v7_timestamp(id, layout) IS NOT NULL
	OR result_of(format('uuid_generate_v7_at(%L, %L)', ts, layout)) <> '22008');
DELETE FROM v7 WHERE NOT in_range;

\echo '-- times are read to the unit of the generator, and draft keys without a layout'
SELECT *, uuid_v7_timestamp(id, layout) FROM v7
WHERE uuid_v7_timestamp(id, layout) NOT BETWEEN ts AND last
	OR NOT id BETWEEN uuid_v7_min(ts, layout) AND uuid_v7_max(last, layout)
	OR layout <> 'rfc9562'
		AND uuid_v7_timestamp(id) IS DISTINCT FROM uuid_v7_timestamp(id, layout);

\echo '-- times are read as they were written; the bits fill the first characters of the text'
SELECT v.*, made FROM v7 v JOIN (VALUES ('millisecond', 13), ('microsecond', 18), ('rfc9562', 13),
	('nanosecond', 0)) t(layout, len) USING (layout),
	uuid_generate_v7_at(ts, v.layout) made
WHERE left(made::text, len) <> left(id::text, len)
	OR uuid_v7_timestamp(made, layout) NOT BETWEEN ts AND last;

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v8.tsv"`
CREATE TEMP TABLE v8 AS
SELECT f[1] AS layout, to_timestamp(f[2]::bigint) AS epoch, f[3]::uuid AS id,
	from_unix_us(f[4]::bigint) AS ts
FROM vectors_of(:'lines');
SELECT count(*), count(DISTINCT (layout, epoch)) FROM v8;
\echo '-- generators write the same timestamp bits if a tick is at least a microsecond'
SELECT v.*, made FROM v8 v LEFT JOIN (VALUES ('unix32', 13), ('unix48', 13), ('iso8601', 18)
	) t(layout, len) USING (layout),
	uuid_generate_v8_at(ts, layout, NULL, epoch) made
WHERE uuid_v8_timestamp(id, layout, epoch) IS DISTINCT FROM ts
	OR NOT id BETWEEN uuid_v8_min(ts, layout, epoch) AND uuid_v8_max(ts, layout, epoch)
	OR uuid_v8_timestamp(made, layout, epoch) IS DISTINCT FROM ts
	OR left(made::text, coalesce(len, 0)) <> left(id::text, coalesce(len, 0));

\echo '-- RFC 9562, appendix A'
SELECT uuid_v1_timestamp('C232AB00-9414-11EC-B3C8-9F6BDECED846') AS v1,
	   uuid_v6_timestamp('1EC9414C-232A-6B00-B3C8-9F6BDECED846') AS v6,
	   uuid_v7_timestamp('017F22E2-79B0-7CC3-98C4-DC0C0C07398F', 'rfc9562') AS v7;
SELECT uuid_v1_to_v6('C232AB00-9414-11EC-B3C8-9F6BDECED846');

\echo '-- RFC 9562, 6.2, method 3: .4567 ms is 0x74E, and is read as the start of this 1/4096 ms'
SELECT "timestamp" = '2023-01-01 12:34:56.123456+00' AND nanoseconds % 1000000 = 456543 AS method_3
FROM uuidv7_fields('01856d53-f1fb-774e-8000-000000000001');

\echo '-- RFC 9562, appendix B: 60 bits of 10 ns, and the SHA-256 of a name'
SELECT uuid_v8('\x2489e9ad2ee20e000ec932d5f69181c0')
	= '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0' AS of_a_time,
	   uuid_v8_timestamp('2489E9AD-2EE2-8E00-8EC9-32D5F69181C0', 'custom(100000000/s, 60, 8)')
		= '2022-02-22 19:22:22+00' AS read,
	   uuid_v8(substr(sha256(uuid_send('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
		|| 'www.example.com'), 1, 16))
		   = '5c146b14-3c52-8afd-938a-375d0df1fbf6' AS of_a_name;

\echo '-- draft, 4.4.4.2: the 16 bits 0101 0101 0101 0101 are 0.3333282 s; a reader'
\echo '-- of milliseconds, and a reader of more bits than were written'
SELECT extract(epoch FROM uuid_v7_timestamp('69817232-0555-7500-8000-000000000001'))
	% 1 = 0.333328 AS sixteen_bits,
	   date_trunc('milliseconds', uuid_v7_timestamp(id))
		= '2026-02-03 04:05:06.789+00' AS scenario_1,
	   trunc((uuid_v7_fields(id, 'nanosecond')).nanoseconds / 1000) = 1770091506789012 AS scenario_2
FROM uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', 'microsecond') AS id;
