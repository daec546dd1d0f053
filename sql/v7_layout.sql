--
-- The layout of a version 7 key, the functions of RFC 9562's without an
-- argument, names of layouts, and a CHECK on the layout at the door.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- uuid_v7_layout at its boundaries: the last key of RFC 9562 that is taken for'
\echo '-- one, the first of the draft'
SELECT id, uuid_v7_layout(id)
FROM (VALUES (1, uuidv7_max('2074-07-11 11:41:23.327+00')),
	(2, uuidv7_min('2074-07-11 11:41:23.328+00')),
			 (3, uuid_v7_max('1995-07-09 16:12:47.999999+00')),
				(4, uuid_v7_min('1995-07-09 16:12:48+00')),
			 (5, '02ffffff-ffff-7fff-bfff-ffffffffffff'),
				(6, '03000000-0000-7000-8000-000000000000'),
			 (7, '00000000-0000-7000-8000-000000000000'),
				(8, 'ffffffff-ffff-7fff-bfff-ffffffffffff')) v(n, id)
ORDER BY n;
SELECT uuidv7_timestamp('02ffffff-ffff-7fff-bfff-ffffffffffff') AS last_rfc9562,
	   uuid_v7_timestamp('03000000-0000-7000-8000-000000000000') AS first_draft;

\echo '-- the digits of the sub-second, sequence and node say nothing'
SELECT count(*) AS wrong
FROM generate_series(0, 999) i, LATERAL (SELECT md5(i::text) AS digits) m,
	 unnest(ARRAY['02ffffff-f', '03000000-0']) WITH ORDINALITY AS v(head, n)
WHERE uuid_v7_layout((head || left(digits, 3) || '-7' || substr(digits, 4, 3) || '-b'
	|| substr(digits, 7, 15))::uuid)
	  <> (ARRAY['rfc9562', 'draft'])[n];

\echo '-- every other version, nil, max, other variants, NULL'
SELECT bool_and(uuid_v7_layout(overlay('019c21bb-7fd5-7032-bedc-ba9876543210' PLACING version
	FROM 15 FOR 1)::uuid) = 'none')
FROM unnest(string_to_array('012345689abcdef', NULL)) version;
SELECT variant, uuid_v7_layout(overlay('019c21bb-7fd5-7032-bedc-ba9876543210' PLACING variant
	FROM 20 FOR 1)::uuid) AS rfc9562,
	   uuid_v7_layout(overlay('0698177a-e097-799f-8fdb-97530eca8642' PLACING variant
		FROM 20 FOR 1)::uuid) AS draft
FROM unnest(string_to_array('0123456789abcdef', NULL)) WITH ORDINALITY v(variant, n) ORDER BY n;
SELECT uuid_v7_layout('00000000-0000-0000-0000-000000000000') AS nil,
	uuid_v7_layout('ffffffff-ffff-ffff-ffff-ffffffffffff') AS max,
	   uuid_v7_layout(NULL) IS NULL AS of_null,
	   uuid_v7_layout(gen_random_uuid()) AS v4, uuid_v7_layout(uuid_generate_v6()) AS v6,
		uuid_v7_layout(uuid_generate_v8('unix48')) AS v8;

\echo '-- keys of now, of every generator'
SELECT layout, uuid_v7_layout(uuid_generate_v7(layout))
	FROM unnest(ARRAY['millisecond', 'microsecond', 'nanosecond', 'rfc9562', 'draft',
	'RFC9562']) layout;
SELECT uuid_v7_layout(uuid_generate_v7()) AS uuid_generate_v7, uuid_v7_layout(uuidv7()) AS uuidv7;

\echo '-- of each year: those that are taken for the other layout'
SELECT layout, count(*) AS years, min(year) FILTER (WHERE NOT ok) AS first_wrong, max(year)
	FILTER (WHERE NOT ok) AS last_wrong
FROM (SELECT layout, year,
			 uuid_v7_layout(uuid_generate_v7_at(make_timestamptz(year, 1, 1, 0, 0, 0), layout))
				= CASE layout WHEN 'rfc9562' THEN 'rfc9562' ELSE 'draft' END AS ok
	  FROM unnest(ARRAY['millisecond', 'microsecond', 'nanosecond', 'rfc9562']) layout,
		   generate_series(1970, 10889) year
	  WHERE layout = 'rfc9562' OR year <= 4147) keys
GROUP BY layout ORDER BY layout COLLATE "C";

\echo '-- uuidv7_...: what the functions with ''rfc9562'' give'
CREATE TEMP TABLE times AS
SELECT unnest(ARRAY['-infinity', '1969-12-31 23:59:59.999999', '1970-01-01',
	'2026-02-03 04:05:06.000111', '2074-07-11 11:41:23.328', '10889-08-02 05:31:50.655999',
	'10889-08-02 05:31:50.656', 'infinity', NULL]::timestamptz[]) AS ts;
SELECT ts, uuidv7_min(ts), uuidv7_max(ts),
	uuidv7_min(ts) IS NOT DISTINCT FROM uuid_v7_min(ts, 'rfc9562') AS min,
	uuidv7_max(ts) IS NOT DISTINCT FROM uuid_v7_max(ts, 'rfc9562') AS max
FROM times;
SELECT left(uuidv7_at(ts)::text, 18) = left(uuid_generate_v7_at(ts, 'rfc9562')::text, 18) AS same
FROM times WHERE ts >= '1970-01-01' AND ts < '10889-08-02 05:31:50.656';
SELECT uuidv7_at('-infinity');
SELECT uuidv7_at('1969-12-31 23:59:59.999999+00');
SELECT uuidv7_at('10889-08-02 05:31:50.656+00');
SELECT uuidv7_at('infinity');
SELECT uuidv7_at(NULL) IS NULL, uuidv7_timestamp(NULL) IS NULL, uuidv7_min(NULL) IS NULL,
	uuidv7_max(NULL) IS NULL, uuidv7_between(NULL, NULL, NULL) IS NULL;

SELECT count(*), count(uuidv7_timestamp(id)) > 200 AS many_times,
	count(*) FILTER (WHERE uuidv7_timestamp(id)
		IS DISTINCT FROM uuid_v7_timestamp(id, 'rfc9562')) AS other_times,
	count(*) FILTER (WHERE uuidv7_between(id, '2000-01-01', '4000-01-01')
		IS DISTINCT FROM uuid_v7_between(id, '2000-01-01', '4000-01-01', 'rfc9562')) AS other_window
FROM generate_series(1, 2000) i,
	LATERAL (SELECT overlay(md5(i::text) PLACING substr('47', i % 2 + 1, 1) FROM 13)::uuid AS id) m;

\echo '-- ''draft'' is ''microsecond'', and names are taken in any case, wherever a layout is'
SELECT layout, uuid_v7_layout(uuid_generate_v7(layout)) AS generated,
	uuid_v7_layout(uuid_generate_v7_at('2026-02-03', layout)) AS generated_at,
	   uuid_v7_min('2026-02-03', layout), uuid_v7_max('2026-02-03', layout),
	   uuid_v7_timestamp('019c21bb-7fd5-7032-bedc-ba9876543210', layout),
	   uuid_v7_between('019c21bb-7fd5-7032-bedc-ba9876543210', '2000-01-01', NULL, layout)
FROM unnest(ARRAY['draft', 'DRAFT', 'Draft', 'microsecond', 'MicroSecond', 'MILLISECOND',
	'NanoSecond', 'rfc9562', 'RFC9562', 'Rfc9562']) layout;
SELECT uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'Draft')
	= uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'microsecond') AS machine_id;
SELECT uuid_v6_timestamp(uuid_generate_v6_at('2026-02-03'));
SELECT layout, uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03', layout), lower(layout))
	= '2026-02-03' AS v8,
	   uuid_v8_min('2026-02-03', layout) = uuid_v8_min('2026-02-03', lower(layout)) AS v8_min,
	   uuid_v8_max('2026-02-03', layout) = uuid_v8_max('2026-02-03', lower(layout)) AS v8_max,
	   uuid_v8_between(uuid_generate_v8_at('2026-02-03', layout), '2026-02-03', '2026-02-04',
		layout) AS v8_between,
	   uuid_v8_node(uuid_generate_v8_at('2026-02-03', layout, '\x0102'), layout, 2) AS v8_node
FROM unnest(ARRAY['Unix32', 'UNIX48', 'Gregorian60', 'uniX64', 'NTP64', 'ISO8601']) layout;
\echo '-- nearly a name is none'
SELECT uuid_generate_v7('drafts');
SELECT uuid_generate_v7('draf');
SELECT uuid_generate_v7('');
SELECT uuid_generate_v7(' draft');
SELECT uuid_v7_timestamp(uuid_generate_v7(), 'rfc_9562');
SELECT uuid_generate_v8('draft');

--
-- The guard at the door: INSERT, UPDATE, COPY
--
CREATE TABLE of_draft (n int, id uuid CONSTRAINT draft_keys CHECK (uuid_v7_layout(id) = 'draft'));
CREATE TABLE of_rfc9562 (n int, id uuid CONSTRAINT rfc9562_keys CHECK (uuid_v7_layout(id)
	= 'rfc9562'));
CREATE TEMP TABLE at_the_door (n int, name text, id uuid);
INSERT INTO at_the_door VALUES
	(1, 'draft', '0698177a-e097-799f-8fdb-97530eca8642'),
		(2, 'rfc9562', '019c21bb-7fd5-7032-bedc-ba9876543210'),
	(3, 'v4', '0698177a-e097-499f-8fdb-97530eca8642'),
		(4, 'v1', '0698177a-e097-199f-8fdb-97530eca8642'),
	(5, 'v6', '0698177a-e097-699f-8fdb-97530eca8642'),
		(6, 'v8', '0698177a-e097-899f-8fdb-97530eca8642'),
	(7, 'nil', '00000000-0000-0000-0000-000000000000'),
		(8, 'max', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	(9, 'NULL', NULL), (10, 'other variant', '0698177a-e097-799f-cfdb-97530eca8642'),
	(11, 'nanosecond', uuid_generate_v7('nanosecond')),
		(12, 'millisecond', uuid_generate_v7('millisecond')),
	(13, 'uuidv7()', uuidv7()), (14, 'uuidv7_at', uuidv7_at('2026-02-03'));

CREATE FUNCTION accepts(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	violated text;
BEGIN
	EXECUTE statement;
	RETURN 'yes';
EXCEPTION WHEN check_violation THEN
	GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
	RETURN violated;
END $$;
SELECT name,
	   accepts(format('INSERT INTO of_draft VALUES (%s, %L)', n, id)) AS insert_draft,
	   accepts(format('INSERT INTO of_rfc9562 VALUES (%s, %L)', n, id)) AS insert_rfc9562
FROM at_the_door ORDER BY n;
SELECT accepts('UPDATE of_draft SET id = ''019c21bb-7fd5-7032-bedc-ba9876543210'''),
	   accepts('UPDATE of_rfc9562 SET id = ''0698177a-e097-799f-8fdb-97530eca8642''');

\echo '-- one wrong key stops a COPY'
\set VERBOSITY terse
COPY of_draft FROM stdin;
20	0698177a-e097-799f-8fdb-97530eca8642
21	019c21bb-7fd5-7032-bedc-ba9876543210
\.
SELECT count(*) FROM of_draft WHERE n >= 20;

-- it cannot be put on a table that holds other keys, and then it says nothing
INSERT INTO of_draft SELECT 30, NULL;
CREATE TABLE of_both (id uuid);
INSERT INTO of_both SELECT id FROM at_the_door;
ALTER TABLE of_both ADD CHECK (uuid_v7_layout(id) = 'rfc9562');
ALTER TABLE of_both ADD CHECK (uuid_v7_layout(id) = 'rfc9562') NOT VALID;
SELECT count(uuid_v7_timestamp(id)) FROM of_both;
\set VERBOSITY default
SELECT count(uuid_v7_timestamp(id)) FROM of_rfc9562;
SELECT count(uuid_v7_timestamp(id, 'rfc9562')) FROM of_draft;

DROP TABLE of_draft, of_rfc9562, of_both;
DROP FUNCTION accepts(text);

\echo '-- the same as two questions'
SELECT count(*) FILTER (WHERE uuidv7_is(id)) AS rfc9562, count(*)
	FILTER (WHERE uuid_v7_is(id)) AS draft,
	count(*) FILTER (WHERE uuidv7_is(id) IS DISTINCT FROM (uuid_v7_layout(id) = 'rfc9562')
		OR uuid_v7_is(id) IS DISTINCT FROM (uuid_v7_layout(id) = 'draft')) AS wrong
FROM (VALUES (uuidv7()), (uuid_generate_v7()), (gen_random_uuid()), (uuid_generate_v6()), (NULL),
	('00000000-0000-0000-0000-000000000000'),
	('02ffffff-ffff-7fff-bfff-ffffffffffff'), ('03000000-0000-7000-8000-000000000000'),
		('ffffffff-ffff-ffff-ffff-ffffffffffff')) v(id);
