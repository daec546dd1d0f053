\set ECHO none
--
-- uuid_info describes any UUID.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\echo '-- version|variant|description|layout|timestamp|sequence|machine_id|node|readings'

\echo '-- RFC 9562, appendix A: one time in each version'
SELECT i.* FROM unnest('{c232ab00-9414-11ec-b3c8-9f6bdeced846,
	1ec9414c-232a-6b00-b3c8-9f6bdeced846, 017f22e2-79b0-7cc3-98c4-dc0c0c07398f}'::uuid[]) id,
	uuid_info(id) i;
\echo '-- a draft key that PyPI''s uuid7 generated; a Snowflake ID as version 8; julian64'
SELECT i.* FROM unnest('{061cb26a-54b8-7a52-8000-2124e7041024,
	0181ab11-8149-85e8-8008-000000000000, 02f37021-0f23-8ea9-90b3-76ae50c8cf33}'::uuid[]) id,
	uuid_info(id) i;
\echo '-- unix32, but not if a bit between time and sequence is set; no custom layout, no NTP era 1'
SELECT i.readings FROM unnest('{698173f2-0000-852d-b350-769dc63d138e,
	698173f2-0001-852d-b350-769dc63d138e, 01c22855-0000-8005-b350-769dc63d138e,
	07585a36-c9fc-8b0c-8eb3-76ae50c8cf33}'::uuid[]) id, uuid_info(id) i;
\echo '-- UUIDs without a time'
SELECT i.* FROM unnest('{5df41881-3aed-3515-88a7-2f4a814cf09e,
	919108f7-52d1-4320-9bac-f847db4148a8, 00000000-0000-0000-0000-000000000000,
	00000000-0000-0000-8000-000000000000, ffffffff-ffff-ffff-ffff-ffffffffffff}'::uuid[]) id,
	uuid_info(id) i;
\echo '-- ULIDs, the second like version 6 with an implausible time; COMB GUID; version b'
SELECT i.* FROM unnest('{01563df3-6481-d676-4c61-efb99302bd5b,
	01563df3-6481-6676-8c61-efb99302bd5b, 018e5f3b-ff48-4ba5-b01a-d01c25cc63a7,
	20be0ffc-314a-bd53-7a50-013a65ca76d2}'::uuid[]) id, uuid_info(id) i;

\echo '-- no reading is likely before 1990 or from 2074-07-11 on; version 7 is draft or RFC 9562'
SELECT k.name, i.layout, i."timestamp", i.readings
FROM unnest('{1989-12-31 23:59:59.999, 1990-01-01, 1995-07-09 16:12:48, 2074-07-11 11:41:23.327,
	2074-07-11 11:41:23.328}'::timestamptz[]) at,
	LATERAL (VALUES ('1', uuid_v6_to_v1(uuid_v6_min(at))), ('6', uuid_v6_min(at)),
		('7 draft', CASE WHEN at > '1995-01-01' THEN uuid_v7_min(at) END),
		('7 rfc9562', uuid_v7_min(at, 'rfc9562'))) k(name, id),
	uuid_info(id) i
WHERE id IS NOT NULL AND (at <> '1995-07-09 16:12:48' OR k.name = '7 draft')
ORDER BY k.name, at;
\echo '-- a time after tomorrow is marked as in the future, and is not guessed'
SELECT hours, v6.readings ~ '^likely: .* \(in the future\)$' AS marked,
	v8.readings LIKE '%unix48%' IS TRUE AS guessed
FROM unnest('{23, 25}'::int[]) hours,
	uuid_info(uuid_generate_v6_at(now() + hours * interval '1 hour')) v6,
	uuid_info(uuid_generate_v8_at(now() + hours * interval '1 hour', 'unix48')) v8;

\echo '-- new keys: version 7 is draft or RFC 9562; the layout of version 8 is possible'
SELECT k.layout, i.version, i.layout AS likely,
	abs(extract(epoch FROM i."timestamp" - now())) < 60 AS now,
	(SELECT string_agg(split_part(line, ', ', 1), '; ')
	FROM regexp_split_to_table(i.readings, '\n') line
	WHERE line LIKE '%' || k.layout || '%'
		AND abs(extract(epoch FROM split_part(line, ', ', 2)::timestamptz - now())) < 60) AS reading
FROM (SELECT 'version 6' AS layout, uuid_generate_v6() AS id
	UNION ALL SELECT 'rfc9562', uuidv7()
	UNION ALL SELECT layout, uuid_generate_v8(layout)
	FROM unnest('{unix32, unix48, unix64, ntp64, gregorian60, iso8601}'::text[]) layout) k,
	uuid_info(id) i;

-- Draft keys from the clock, for a given time (with a random sequence), and with this server's
-- machine id.  Most layouts are recognized, with the fields that uuid_v7_fields returns.  A key
-- whose layout is not recognized has no sequence and no node.
CREATE TEMP TABLE draft_keys AS
SELECT source, k.layout, id, i.layout AS found, i."timestamp", i.sequence, i.node, i.machine_id,
	i.readings
FROM unnest('{millisecond, microsecond, nanosecond}'::text[]) layout, generate_series(1, 3000) n,
	LATERAL (VALUES ('clock', layout, uuid_generate_v7(layout)),
		('at', layout, uuid_generate_v7_at('2001-01-01'::timestamptz
			+ n * interval '234567.891234 s', layout))) k(source, layout, id),
	uuid_info(id) i;
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
INSERT INTO draft_keys
SELECT 'machine id', k.layout, id, i.*
FROM unnest('{millisecond, microsecond, nanosecond}'::text[]) layout,
	generate_series(1, 3000) n,
	LATERAL (SELECT layout, uuid_generate_v7_at('2001-01-01'::timestamptz
		+ n * interval '234567.891234 s', layout) AS id) k,
	LATERAL (SELECT i.layout, "timestamp", sequence, node, machine_id, readings
		FROM uuid_info(id) i) i;
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;
SELECT source, layout FROM draft_keys GROUP BY 1, 2
HAVING avg((found = layout)::int) < CASE source WHEN 'machine id' THEN 0.97 ELSE 0.7 END
	OR avg((found NOT IN (layout, 'draft'))::int) > 0.03;
SELECT source, layout, found, count(*) FROM draft_keys
WHERE NOT CASE WHEN found = 'draft'
	THEN num_nonnulls(sequence, node, machine_id) = 0 AND "timestamp" = uuid_v7_timestamp(id)
		AND readings ~ '^likely: draft \((millisecond|microsecond|nanosecond)'
			'( or (microsecond|nanosecond))+; the bits do not show which\), '
	ELSE ("timestamp", sequence, node)
			= (SELECT f."timestamp", f.sequence, f.node FROM uuid_v7_fields(id, found) f)
		AND (machine_id IS NOT NULL) = (source = 'machine id')
		AND (machine_id = 517 OR found <> layout) IS NOT FALSE
		AND readings ~ format('^likely: %s, [^\n]*'
			'(\npossible: .* with another sequence and node, [^\n]*)?$', found) END
	OR readings ~ 'rfc9562'
GROUP BY 1, 2, 3;
DROP TABLE draft_keys;

\echo '-- other versions: the fields equal the results of the readers of each version'
SELECT v.version, count(*)
FROM generate_series(timestamptz '1991-01-01', '2074-01-01', '1 month 5.4321 s') ts,
	LATERAL (SELECT uuid_generate_v6_at(ts) AS v6, uuidv7_at(ts) AS v7) k,
	LATERAL (SELECT uuid_v6_to_v1(v6) AS v1) w,
	LATERAL (SELECT 1 AS version, v1 AS id, uuid_v1_timestamp(v1) AS at, sequence, node
			FROM uuid_v1_fields(v1)
		UNION ALL SELECT 6, v6, uuid_v6_timestamp(v6), sequence, node FROM uuid_v6_fields(v6)
		UNION ALL SELECT 7, v7, uuidv7_timestamp(v7), sequence, node FROM uuidv7_fields(v7)) v,
	uuid_info(id) i
WHERE (i."timestamp", i.sequence, i.node) = (v.at, v.sequence, v.node)
GROUP BY 1 ORDER BY 1;

-- Random UUIDs of each version, with an undefined version (0 and 9 to 15), and of other variants
CREATE TEMP TABLE noise AS
SELECT CASE WHEN v = 16 THEN 'no variant' WHEN v BETWEEN 1 AND 8 THEN v::text
	ELSE 'no version' END AS name, id, i.*
FROM generate_series(0, 16) v, generate_series(1, 2000) n,
	LATERAL (SELECT CASE v WHEN 16 THEN n % 16 ELSE v END AS version,
		substr(CASE v WHEN 16 THEN '0123cdef' ELSE '89ab89ab' END, n % 8 + 1, 1) AS variant) d,
	LATERAL (SELECT overlay(overlay(md5(v || ' ' || n) PLACING to_hex(d.version) FROM 13)
		PLACING d.variant FROM 17)::uuid AS id) u,
	uuid_info(id) i;
\echo '-- each time has one of the three words; version 4 has a time only by chance'
SELECT name, array_agg(DISTINCT substring(line
	FROM '^([a-z ]+): [^:]*, \d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00'
		'(?: \(before 1990\)| \(in the future\))?$')) AS words
FROM noise, regexp_split_to_table(readings, '\n') line GROUP BY name ORDER BY name;
SELECT count(readings) > 500 AS many_have_times,
	count(*) FILTER (WHERE readings !~ '^by chance: [^\n]+(\nby chance: [^\n]+)*$') AS wrong
FROM noise WHERE version = 4;
\echo '-- a likely reading is the first line and in the columns, which are NULL without one'
SELECT name, count(*) FROM noise,
	LATERAL (SELECT regexp_replace(readings, ': [^\n]*', '', 'g') AS words,
		split_part(readings, E'\n', 1) AS first) r
WHERE words !~ '^(likely(\n|$))?(possible(\n|$))*(by chance(\n|$))*$'
	OR "timestamp" IS DISTINCT FROM CASE WHEN first LIKE 'likely:%'
		THEN substring(first FROM ', (\S+ \S+)')::timestamptz END
	OR (sequence IS NULL) <> ("timestamp" IS NULL OR layout IS NOT DISTINCT FROM 'draft')
	OR (sequence IS NULL) <> (node IS NULL)
	OR (layout IS NOT NULL) <> ("timestamp" IS NOT NULL AND version = 7)
	OR "timestamp" NOT BETWEEN '1990-01-01' AND '2074-07-12'
GROUP BY 1;
\echo '-- implausible times are marked or omitted'
SELECT count(*) FROM noise, regexp_split_to_table(readings, '\n') line,
	LATERAL (SELECT substring(line FROM ', (\S+ \S+)')::timestamptz AS at) t
WHERE (line LIKE '%(before 1990)') <> (at < '1990-01-01')
	OR (line LIKE '%(in the future)') <> (at > now() + interval '1 day')
	OR (at NOT BETWEEN '1990-01-01' AND now() + interval '1 day'
		AND (version NOT IN (1, 6, 7) OR line LIKE 'by chance%'));
\echo '-- version 7 is read in the layout that uuid_v7_layout returns, likely or not'
SELECT id, layout, readings FROM noise
WHERE version = 7 AND substring(readings FROM '^[a-z]+: [a-z0-9]+')
	<> coalesce('likely: ' || layout, 'possible: ' || uuid_v7_layout(id));
DROP TABLE noise;

\echo '-- the setting determines the machine id'
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
SELECT i.version, i.layout, i.machine_id
FROM unnest(ARRAY[uuid_generate_v6(), uuid_generate_v7(), public.uuidv7(),
	uuid_generate_v8('unix48'), gen_random_uuid()]) id, uuid_info(id) i;
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;
