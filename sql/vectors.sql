\set ECHO none
--
-- Test vectors, computed from the draft with exact integer arithmetic and
-- independently of this implementation.  Times are Unix microseconds.
-- pg_regress sets PG_ABS_SRCDIR; before PostgreSQL 15, the current directory is the source.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

CREATE FUNCTION from_unix_us(us bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '1970-01-01 00:00:00+00'
	+ us / 1000000 * interval '1 second' + us % 1000000 * interval '1 microsecond' $$;

\echo '-- an interval is multiplied as a double, which is exact for these times'
SELECT bool_and(extract(epoch FROM from_unix_us(us)) * 1000000 = us)
FROM (VALUES (0::bigint), (1), (-12219292800000000), (103072857660684697),
			 (68719476735999999), (281474976710655000)) v(us);

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v1_v6.tsv"`
CREATE TEMP TABLE v1_v6 AS
SELECT f[1]::uuid AS v1, f[2]::uuid AS v6, f[3]::bigint AS unix_us
FROM regexp_split_to_table(:'lines', '\n') WITH ORDINALITY AS t(line, n),
	string_to_array(line, E'\t') f
WHERE n > 1;

SELECT count(*) FROM v1_v6;

SELECT * FROM v1_v6
WHERE uuid_v1_to_v6(v1) IS DISTINCT FROM v6
   OR uuid_v6_to_v1(v6) IS DISTINCT FROM v1
   OR uuid_v1_timestamp(v1) IS DISTINCT FROM from_unix_us(unix_us)
   OR uuid_v6_timestamp(v6) IS DISTINCT FROM from_unix_us(unix_us)
   OR uuid_v6_timestamp(uuid_generate_v6_at(from_unix_us(unix_us))) IS DISTINCT
	FROM from_unix_us(unix_us)
   OR NOT v6 BETWEEN uuid_v6_min(from_unix_us(unix_us)) AND uuid_v6_max(from_unix_us(unix_us));

\echo '-- version 6 sorts by time with any sequence and node'
SELECT count(*) FROM
	(SELECT unix_us, lag(unix_us) OVER (ORDER BY v6) AS before FROM v1_v6) o
WHERE unix_us < before;

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v7.tsv"`
CREATE TEMP TABLE v7 AS
SELECT f[1]::text AS layout, f[2]::uuid AS id, f[3]::bigint AS unix_us, f[4]::bigint AS unit
FROM regexp_split_to_table(:'lines', '\n') WITH ORDINALITY AS t(line, n),
	string_to_array(line, E'\t') f
WHERE n > 1;

SELECT layout, unit, count(*) FROM v7 GROUP BY 1, 2 ORDER BY 1, 2;

\echo '-- draft keys before 1995-07-09, and RFC 9562 keys from 2074-07-11 on, are out of range'
CREATE TEMP TABLE v7_of_no_kind AS
SELECT * FROM v7 WHERE (layout = 'rfc9562') <> (id < '03000000-0000-7000-8000-000000000000');
DELETE FROM v7 WHERE id IN (SELECT id FROM v7_of_no_kind);
CREATE FUNCTION generated_at(ts timestamptz, layout text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN uuid_generate_v7_at(ts, layout);
EXCEPTION WHEN datetime_field_overflow THEN
	RETURN 'out of range';
END $$;
SELECT layout, generated_at(from_unix_us(unix_us), layout), count(*),
	count(uuid_v7_timestamp(id, layout)) AS read
FROM v7_of_no_kind GROUP BY 1, 2 ORDER BY 1, 2;

\echo '-- times are read to the unit of the generator'
SELECT *, uuid_v7_timestamp(id, layout) FROM v7
WHERE extract(epoch FROM uuid_v7_timestamp(id, layout)) * 1000000
	NOT BETWEEN unix_us AND unix_us + unit - 1
   OR NOT id BETWEEN uuid_v7_min(from_unix_us(unix_us), layout)
				 AND uuid_v7_max(from_unix_us(unix_us + unit - 1), layout);

\echo '-- draft keys are read without a layout'
SELECT * FROM v7
WHERE layout <> 'rfc9562'
  AND uuid_v7_timestamp(id) IS DISTINCT FROM uuid_v7_timestamp(id, layout);

\echo '-- generators write the same timestamp bits, which fill the first characters of the text'
SELECT v.*, uuid_generate_v7_at(from_unix_us(unix_us), v.layout)
FROM v7 v JOIN (VALUES ('millisecond', 13), ('microsecond', 18), ('rfc9562', 13)) t(layout, len)
	ON v.layout = t.layout
WHERE left(uuid_generate_v7_at(from_unix_us(unix_us), v.layout)::text, len) <> left(id::text, len);

\echo '-- times are read as they were written'
SELECT * FROM v7
WHERE uuid_v7_timestamp(uuid_generate_v7_at(from_unix_us(unix_us), layout), layout)
	NOT BETWEEN from_unix_us(unix_us) AND from_unix_us(unix_us + unit - 1);

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v8.tsv"`
CREATE TEMP TABLE v8 AS
SELECT f[1]::text AS layout, f[2]::bigint AS epoch_unix_s, f[3]::uuid AS id, f[4]::bigint AS unix_us
FROM regexp_split_to_table(:'lines', '\n') WITH ORDINALITY AS t(line, n),
	string_to_array(line, E'\t') f
WHERE n > 1;

SELECT count(*), count(DISTINCT (layout, epoch_unix_s)) FROM v8;

SELECT *, uuid_v8_timestamp(id, layout, to_timestamp(epoch_unix_s)) FROM v8
WHERE uuid_v8_timestamp(id, layout, to_timestamp(epoch_unix_s))
	IS DISTINCT FROM from_unix_us(unix_us)
   OR NOT id BETWEEN uuid_v8_min(from_unix_us(unix_us), layout, to_timestamp(epoch_unix_s))
				 AND uuid_v8_max(from_unix_us(unix_us), layout, to_timestamp(epoch_unix_s))
   OR uuid_v8_timestamp(uuid_generate_v8_at(from_unix_us(unix_us), layout, NULL,
	to_timestamp(epoch_unix_s)),
						layout, to_timestamp(epoch_unix_s))
	IS DISTINCT FROM from_unix_us(unix_us);

\echo '-- generators write the same timestamp bits if a tick is at least a microsecond'
SELECT v.*
FROM v8 v JOIN (VALUES ('unix32', 13), ('unix48', 13), ('iso8601', 18)) t(layout, len)
	ON v.layout = t.layout
WHERE left(uuid_generate_v8_at(from_unix_us(unix_us), v.layout, NULL,
	to_timestamp(epoch_unix_s))::text, len)
	<> left(id::text, len);

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

\echo '-- seconds and milliseconds are not confused'
SELECT left(uuid_generate_v7_at('2026-01-01 00:00:00.123456+00', 'rfc9562')::text, 15);

DROP FUNCTION from_unix_us, generated_at;
