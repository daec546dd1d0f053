\set ECHO none
--
-- uuid_info describes any UUID.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\echo '-- version|variant|description|layout|timestamp|sequence|machine_id|node|readings'

\echo '-- one time in each version'
SELECT * FROM uuid_info('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT * FROM uuid_info('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT * FROM uuid_info('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
\echo '-- a draft key that PyPI''s uuid7 generated'
SELECT * FROM uuid_info('061cb26a-54b8-7a52-8000-2124e7041024');
\echo '-- version 8, layout unix48, converted from a Snowflake ID'
SELECT * FROM uuid_info('0181ab11-8149-85e8-8008-000000000000');

\echo '-- unix32, and a UUID that is not unix32 because a bit between time and sequence is set'
SELECT version, "timestamp", readings FROM (VALUES (uuid '698173f2-0000-852d-b350-769dc63d138e'),
	('698173f2-0001-852d-b350-769dc63d138e')) u(id), uuid_info(id);

\echo '-- julian64 is guessed; a custom layout and ntp64 in its second era are not'
SELECT version, "timestamp", readings FROM (VALUES (uuid '02f37021-0f23-8ea9-90b3-76ae50c8cf33'),
	('01c22855-0000-8005-b350-769dc63d138e'), ('07585a36-c9fc-8b0c-8eb3-76ae50c8cf33')) u(id),
	uuid_info(id);

\echo '-- UUIDs without a time'
SELECT * FROM uuid_info('5df41881-3aed-3515-88a7-2f4a814cf09e');
SELECT * FROM uuid_info('919108f7-52d1-4320-9bac-f847db4148a8');
SELECT * FROM uuid_info('00000000-0000-0000-0000-000000000000');
SELECT * FROM uuid_info('00000000-0000-0000-8000-000000000000');
SELECT * FROM uuid_info('ffffffff-ffff-ffff-ffff-ffffffffffff');

\echo '-- other systems: ULID, COMB GUID, version b'
SELECT * FROM uuid_info(ulid_to_uuid('01ARYZ6S41TSV4RRFFQ69G5FAV'));
SELECT * FROM uuid_info('018e5f3b-ff48-4ba5-b01a-d01c25cc63a7');
SELECT * FROM uuid_info('20be0ffc-314a-bd53-7a50-013a65ca76d2');
\echo '-- a ULID that looks like version 6 with an implausible time'
SELECT * FROM uuid_info('01563df3-6481-6676-8c61-efb99302bd5b');

\echo '-- no reading is likely before 1990 or from 2074-07-11 on; version 7 is draft or RFC 9562'
SELECT made.version, at, i.layout, i."timestamp", i.sequence, i.node, i.readings
FROM (SELECT v.version, at, CASE v.version WHEN '1' THEN uuid_v6_to_v1(uuid_v6_min(at))
	WHEN '6' THEN uuid_v6_min(at)
		WHEN '7 draft' THEN uuid_v7_min(at) ELSE uuid_v7_min(at, 'rfc9562') END AS id
	  FROM (VALUES ('1'), ('6'), ('7 draft'), ('7 rfc9562')) v(version),
		   (VALUES (timestamptz '1989-12-31 23:59:59.999+00'), ('1990-01-01 00:00+00'),
			('1995-07-09 16:12:48+00'), ('2074-07-11 11:41:23.327+00'),
			('2074-07-11 11:41:23.328+00')) t(at)
	  WHERE v.version <> '7 draft' OR at > '1995-01-01') made,
	 uuid_info(id) i
ORDER BY made.version, at;
\echo '-- a time after tomorrow is marked as in the future, and is not guessed'
SELECT hours, v6.readings ~ '^likely: .* \(in the future\)$' AS said,
	v8.readings LIKE '%unix48%' IS TRUE AS guessed
FROM (VALUES (23), (25)) h(hours),
	uuid_info(uuid_generate_v6_at(now() + hours * interval '1 hour')) v6,
	 uuid_info(uuid_generate_v8_at(now() + hours * interval '1 hour', 'unix48')) v8;

\echo '-- new keys: version 7 is draft or RFC 9562; the layout of version 8 is possible'
SELECT made.layout, i.version, i.layout AS likely,
	abs(extract(epoch FROM i."timestamp" - now())) < 60 AS now,
	   (SELECT string_agg(regexp_replace(line, ', .*', ''), '; ')
		FROM regexp_split_to_table(i.readings, '\n') line
		WHERE line LIKE '%' || made.layout || '%'
			AND abs(extract(epoch FROM substring(line FROM ', (\S+ \S+)')::timestamptz
			- now())) < 60) AS reading
FROM (SELECT 'version 6' AS layout, uuid_generate_v6() AS id
	  UNION ALL SELECT 'rfc9562', uuid_generate_v7('rfc9562')
	  UNION ALL SELECT layout, uuid_generate_v8(layout)
	  FROM (VALUES ('unix32'), ('unix48'), ('unix64'), ('ntp64'), ('gregorian60'),
		('iso8601')) l(layout)) made, uuid_info(id) i;

-- Draft keys from the clock, for a given time (with a random sequence), and with this server's
-- machine id. Most layouts are recognized, with the fields that uuid_v7_fields returns. A key whose
-- layout is not recognized has no sequence and no node.
CREATE TEMP TABLE draft_keys AS
SELECT made.layout, kind, id FROM (VALUES ('millisecond'), ('microsecond'),
	('nanosecond')) made(layout),
	LATERAL (SELECT 'clock' AS kind, uuid_generate_v7(made.layout) AS id
		FROM generate_series(1, 3000)
		UNION ALL SELECT 'at', uuid_generate_v7_at('2001-01-01'::timestamptz + i
			* interval '234567.891234 s', made.layout) FROM generate_series(1, 3000) i) m;
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
INSERT INTO draft_keys
SELECT layout, 'at, machine id', uuid_generate_v7_at('2001-01-01'::timestamptz + i
	* interval '234567.891234 s', layout)
FROM (VALUES ('millisecond'), ('microsecond'), ('nanosecond')) made(layout),
	generate_series(1, 3000) i;
CREATE TEMP TABLE told AS
SELECT k.*, i.layout AS told, i."timestamp", i.sequence, i.node, i.machine_id, i.readings
	FROM draft_keys k, uuid_info(id) i WHERE kind = 'at, machine id';
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;
INSERT INTO told
SELECT k.*, i.layout, i."timestamp", i.sequence, i.node, i.machine_id, i.readings FROM draft_keys k,
	uuid_info(id) i WHERE kind <> 'at, machine id';
SELECT kind, layout, avg((told = layout)::int) > CASE kind WHEN 'at, machine id' THEN 0.97
	ELSE 0.7 END AS told,
	   avg((told NOT IN (layout, 'draft'))::int) < 0.03 AS seldom_wrong
FROM told GROUP BY 1, 2 ORDER BY 1, 2;
SELECT kind, layout, told, count(*) FROM told
WHERE NOT CASE WHEN told = 'draft'
	THEN num_nonnulls(sequence, node, machine_id) = 0 AND "timestamp" = uuid_v7_timestamp(id)
		AND readings ~ '^likely: draft \((millisecond|microsecond|nanosecond)'
			'( or (microsecond|nanosecond))+; the bits do not show which\), '
	ELSE ("timestamp", sequence, node) = (SELECT f."timestamp", f.sequence, f.node
		FROM uuid_v7_fields(id, told) f)
		AND (machine_id IS NOT NULL) = (kind = 'at, machine id')
			AND (machine_id = 517 OR told <> layout) IS NOT FALSE
		AND readings ~ format('^likely: %s, [^\n]*'
			'(\npossible: .* with another sequence and node, [^\n]*)?$', told) END
	OR readings ~ 'rfc9562'
GROUP BY 1, 2, 3;
DROP TABLE draft_keys, told;

\echo '-- other versions: the fields equal the results of the readers of each version'
SELECT v.version, count(*) FROM
	(SELECT uuid_generate_v6_at(ts) AS v6, uuidv7_at(ts) AS v7
		FROM generate_series(timestamptz '1991-01-01', '2074-01-01', '1 month 5.4321 s') ts) made,
	LATERAL (VALUES (1, uuid_v6_to_v1(v6)), (6, v6), (7, v7)) v(version, id), uuid_info(id) i,
	LATERAL (SELECT uuid_v1_timestamp(id) AS "timestamp", sequence, node FROM uuid_v1_fields(id)
		WHERE v.version = 1
		UNION ALL SELECT uuid_v6_timestamp(id), sequence, node FROM uuid_v6_fields(id)
			WHERE v.version = 6
		UNION ALL SELECT uuidv7_timestamp(id), sequence, node FROM uuidv7_fields(id) WHERE v.version
			= 7) f
WHERE (i."timestamp", i.sequence, i.node) = (f."timestamp", f.sequence, f.node)
GROUP BY 1 ORDER BY 1;

-- Random UUIDs of each version, with an undefined version (0 and 9 to 15), and of other variants
CREATE TEMP TABLE noise AS
SELECT CASE WHEN v = 16 THEN 'no variant' WHEN v BETWEEN 1 AND 8 THEN v::text
	ELSE 'no version' END AS kind, id, i.*
FROM generate_series(0, 16) v, generate_series(1, 2000) n,
	 LATERAL (SELECT md5(v || ' ' || n) AS bits) b,
	 LATERAL (SELECT CASE v WHEN 16 THEN overlay(bits PLACING substr('0123cdef', n % 8 + 1, 1)
		FROM 17)
		ELSE overlay(overlay(bits PLACING to_hex(v) FROM 13) PLACING substr('89ab', n % 4 + 1, 1)
			FROM 17) END::uuid AS id) u,
	 uuid_info(id) i;
\echo '-- each time has one of the three words; version 4 has a time only by chance'
SELECT kind,
	array_agg(DISTINCT substring(line
	FROM '^([a-z ]+): [^:]*, \d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00'
		'(?: \(before 1990\)| \(in the future\))?$')) AS words
FROM noise, regexp_split_to_table(readings, '\n') line GROUP BY kind ORDER BY kind;
SELECT count(*), count(readings) > 500 AS many_look_dated, count(*)
	FILTER (WHERE readings !~ '^by chance: [^\n]+(\nby chance: [^\n]+)*$') AS wrong
FROM noise WHERE version = 4;
\echo '-- likely readings come before possible ones and those by chance; other columns are NULL'
SELECT count(*) FROM noise,
	LATERAL (SELECT regexp_replace(readings, ': [^\n]*', '', 'g') AS words) w
	WHERE words !~ '^(likely(\n|$))?(possible(\n|$))*(by chance(\n|$))*$';
SELECT kind, count(*) FROM noise
WHERE (coalesce(readings, '') LIKE 'likely: %') <> ("timestamp" IS NOT NULL) OR (sequence IS NULL)
	<> ("timestamp" IS NULL OR layout IS NOT DISTINCT FROM 'draft') OR (sequence IS NULL)
	<> (node IS NULL)
   OR (layout IS NOT NULL) <> ("timestamp" IS NOT NULL AND version = 7) OR "timestamp" NOT
	BETWEEN '1990-01-01' AND '2074-07-12' GROUP BY 1;
\echo '-- a likely reading is the first line; implausible times are marked or omitted'
SELECT kind, count(*) FROM noise, LATERAL (SELECT regexp_replace(readings, '\n.*', '') AS first) f
WHERE "timestamp" IS DISTINCT FROM CASE WHEN first LIKE 'likely:%' THEN substring(first
	FROM ', (\S+ \S+)')::timestamptz END GROUP BY 1;
SELECT count(*) FROM noise, regexp_split_to_table(readings, '\n') line,
	LATERAL (SELECT substring(line FROM ', (\S+ \S+)')::timestamptz AS at) t
WHERE (line LIKE '%(before 1990)') <> (at < '1990-01-01') OR (line LIKE '%(in the future)')
	<> (at > now() + interval '1 day')
   OR (at NOT BETWEEN '1990-01-01' AND now() + interval '1 day'
	AND (version NOT IN (1, 6, 7) OR line LIKE 'by chance%'));
\echo '-- version 7 is read in the layout that uuid_v7_layout returns, likely or not'
SELECT uuid_v7_layout(id), layout,
	array_agg(DISTINCT substring(readings FROM '^[a-z]+: [a-z0-9]+')) AS first
FROM noise WHERE version = 7 GROUP BY 1, 2 ORDER BY 1, 2;
DROP TABLE noise;

-- The setting determines the machine id.
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
SELECT made.layout, i.machine_id
FROM (SELECT 'v6' AS layout, uuid_generate_v6() AS id
	  UNION ALL SELECT layout, uuid_generate_v7(layout)
		FROM (VALUES ('microsecond'), ('rfc9562')) l(layout)
	  UNION ALL SELECT layout, uuid_generate_v8(layout)
		FROM (VALUES ('unix48'), ('ntp64')) l(layout)
	  UNION ALL SELECT 'v4', gen_random_uuid()) made, uuid_info(id) i;
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;

SELECT uuid_info(NULL) IS NULL;
