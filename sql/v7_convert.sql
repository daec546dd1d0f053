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

-- each microsecond of a millisecond in the finer layouts is the same again on the way back, and
-- each millisecond in all; between two layouts that were made for a time, the time's bits are equal
CREATE TEMP VIEW pairs AS
SELECT f.layout AS old, t.layout AS new, CASE 'millisecond' WHEN f.layout THEN 1000
	WHEN t.layout THEN 1000 ELSE 1 END AS step
FROM (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) f(layout),
	 (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) t(layout);
SELECT old, new, count(*) AS times,
	   bool_and(uuid_v7_timestamp(made, new) = uuid_v7_timestamp(uuid_generate_v7_at(ts, new), new)
				OR 'millisecond' IN (old, new) AND date_trunc('ms', uuid_v7_timestamp(made, new))
					= ts) AS same_time,
	   bool_and(uuid_v7_timestamp(uuid_v7_convert(made, new, old), old) = uuid_v7_timestamp(id, old)
				OR 'millisecond' IN (old, new)
					AND date_trunc('ms', uuid_v7_timestamp(uuid_v7_convert(made, new, old), old))
					= ts) AS and_back,
	   bool_and(left(uuid_v7_convert(made, new, 'microsecond')::text, 18)
		= left(uuid_generate_v7_at(ts)::text, 18)) AS to_microsecond
FROM (SELECT old, new, ts, id, uuid_v7_convert(id, old, new) AS made
	  FROM (SELECT old, new, ts, uuid_generate_v7_at(ts, old) AS id
			FROM pairs, generate_series(0, 999) i,
				LATERAL (SELECT timestamptz '2026-02-03 04:05:06.789' + i * step
				* interval '1 us' AS ts) t) made) converted
GROUP BY old, new ORDER BY old, new;

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
SELECT old, new, count(*) > 3000 AS many, count(*) FILTER (WHERE made < before) AS out_of_order,
	   count(*) FILTER (WHERE made = before AND left(id::text, 27)
		<> left(other::text, 27)) AS cut_too_early,
	   count(*) FILTER (WHERE uuid_extract_version(made) = 7) = count(*) AS version_7
FROM (SELECT *, lag(made) OVER w AS before, lag(id) OVER w AS other FROM converted
	WINDOW w AS (PARTITION BY old, new ORDER BY id)) c
GROUP BY old, new ORDER BY old, new;

\echo '-- the time read is the same to the unit of the coarser one; of bits that uuidnew would'
\echo '-- not make, which name a time within a unit, at most by one unit less'
SELECT old, new, count(*) FILTER (WHERE canonical AND later <> '0') AS other_time,
	   count(*) FILTER (WHERE later NOT BETWEEN '0' AND unit) AS far_off
FROM converted,
	 LATERAL (SELECT CASE WHEN ARRAY[old, new] && '{millisecond,rfc9562}' THEN interval '1 ms'
		ELSE '1 us' END AS unit,
					 id IN (SELECT id FROM uuids LIMIT 3200) AS canonical) u,
	 LATERAL (SELECT CASE unit WHEN '1 ms' THEN date_trunc('ms', uuid_v7_timestamp(id, old))
		- date_trunc('ms', uuid_v7_timestamp(made, new))
							   ELSE uuid_v7_timestamp(id, old)
								- uuid_v7_timestamp(made, new) END AS later) l
GROUP BY old, new ORDER BY old, new;

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
