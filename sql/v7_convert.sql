--
-- Version 7 from one layout to another: time, order, and the bits that fit.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SELECT setseed(0.7);

\echo '-- one UUID in all layouts'
SELECT f.layout AS "from", t.layout AS "to", uuid_v7_convert(id, f.layout, t.layout)
FROM (VALUES ('millisecond', '06198102-2ca0-7fff-bedc-ba9876543210'::uuid),
	('microsecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
			 ('nanosecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
				('rfc9562', '019c21bb-7fd5-7032-bedc-ba9876543210')) f(layout, id),
	 (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) t(layout)
ORDER BY f.layout, t.layout;

-- order, of UUIDs that a session made and of any bits: random ones, and neighbours that differ in
-- one bit
CREATE TEMP TABLE uuids (layout text, id uuid);
INSERT INTO uuids SELECT layout, uuid_generate_v7(layout)
FROM (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) l(layout),
	generate_series(1, 800);
INSERT INTO uuids SELECT layout,
	uuid_in(overlay(overlay(md5(random()::text || i) PLACING '7' FROM 13) PLACING 'a'
	FROM 17)::cstring)
FROM (VALUES ('millisecond'), ('microsecond'), ('nanosecond')) l(layout), generate_series(1, 800) i;
INSERT INTO uuids SELECT 'rfc9562',
	uuid_in(overlay(overlay(overlay(md5(random()::text || i) PLACING '00' FROM 1) PLACING '7'
	FROM 13) PLACING 'a' FROM 17)::cstring)
FROM generate_series(1, 800) i;
INSERT INTO uuids SELECT layout,
	uuid_in(encode(set_bit(decode(replace(id::text, '-', ''), 'hex'), bit,
	1 - get_bit(decode(replace(id::text, '-', ''), 'hex'), bit)), 'hex')::cstring)
FROM (SELECT layout, id FROM uuids TABLESAMPLE BERNOULLI (2) REPEATABLE (1)) u,
	generate_series(16, 127) bit
WHERE bit NOT BETWEEN 52 AND 55 AND bit NOT IN (70, 71);
CREATE TEMP TABLE converted AS
SELECT layout AS old, new, id, uuid_v7_convert(id, layout, new, true) AS made
FROM uuids, (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) n(new);
\echo '-- order is kept, what fits is not cut off, and all are of version 7; times: test/unit'
SELECT count(*) > 48000 AS many, count(DISTINCT (old, new)) AS pairs,
	count(*) FILTER (WHERE made < before) AS out_of_order,
	count(*) FILTER (WHERE made = before AND left(id::text, 27) <> left(other::text, 27)) AS cut,
	count(*) FILTER (WHERE uuid_extract_version(made) <> 7) AS other_version
FROM (SELECT *, lag(made) OVER w AS before, lag(id) OVER w AS other FROM converted
	WINDOW w AS (PARTITION BY old, new ORDER BY id)) c;

\echo '-- ends, and what is refused'
SELECT uuid_v7_convert(uuid_v7_max('10889-08-02 05:31:50.655+00', 'rfc9562'), 'rfc9562',
	'nanosecond', true);
SELECT uuid_v7_convert(uuid_v7_max('4147-08-20 07:32:15.999999+00'), 'microsecond', 'rfc9562');
SELECT uuid_v7_timestamp(uuid_v7_convert(uuid_generate_v7_at('4147-08-20 07:32:15.999999+00'),
	'microsecond', 'rfc9562'), 'rfc9562');
SELECT uuid_v7_timestamp(uuid_v7_convert(uuid_generate_v7_at('4147-08-20 07:32:15.999+00',
	'rfc9562'), 'rfc9562', 'microsecond', true));
SELECT uuid_v7_convert(uuid_generate_v7_at('4147-08-20 07:32:16+00', 'rfc9562'), 'rfc9562',
	'microsecond', true);
SELECT uuid_v7_convert(uuid_generate_v7_at('1970-01-01 00:00:00+00'), 'microsecond', 'rfc9562',
	true) < '00000000-0000-7001-8000-000000000000';
SELECT uuid_v7_convert(gen_random_uuid(), 'rfc9562', 'microsecond');
SELECT uuid_v7_convert(uuid_generate_v7(), 'microsecond', 'rfc');
SELECT uuid_v7_convert(uuid_generate_v7(), 'unix48', 'rfc9562');
SELECT uuid_v7_convert(NULL, 'microsecond', 'rfc9562') IS NULL,
	uuid_v7_convert(uuid_generate_v7(), NULL, 'rfc9562') IS NULL,
	   uuid_v7_convert(uuid_generate_v7(), 'microsecond', 'rfc9562', NULL) IS NULL;

\echo '-- twice is harmless: what looks like the other kind of layout is refused, to the time'
\echo '-- where one looks like the other, unless the caller knows better'
SELECT uuid_v7_convert(uuid_v7_convert('06198102-2c9f-7e1b-bedc-ba9876543210', 'draft', 'rfc9562'),
	'draft', 'rfc9562');
SELECT uuid_v7_convert(uuid_v7_convert('019c21bb-7fd5-7032-bedc-ba9876543210', 'rfc9562', 'draft'),
	'RFC9562', 'draft');
SELECT uuid_v7_convert(uuid_v7_min('1995-07-09 16:12:48+00'), 'draft', 'rfc9562');
SELECT uuid_v7_convert(uuid_v7_max('1995-07-09 16:12:47.999999+00'), 'nanosecond', 'rfc9562');
SELECT uuid_v7_convert(uuid_v7_max('1995-07-09 16:12:47.999999+00'), 'draft', 'rfc9562', false);
SELECT uuid_v7_convert(uuid_v7_max('1995-07-09 16:12:47.999999+00'), 'draft', 'rfc9562', true);
SELECT uuid_v7_convert(uuidv7_max('2074-07-11 11:41:23.327+00'), 'rfc9562', 'draft');
SELECT uuid_v7_convert(uuidv7_min('2074-07-11 11:41:23.328+00'), 'rfc9562', 'millisecond');
SELECT uuid_v7_convert(uuidv7_min('2074-07-11 11:41:23.328+00'), 'rfc9562', 'millisecond', true);
