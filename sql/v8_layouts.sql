\set ECHO none
--
-- Version 8 beyond figure 6 of the draft: NTP eras, julian64, custom layouts, 122 bits from the
-- caller; and for all versions, nodes and the order of UUIDs of one time.
-- Vectors from test/vectors/layouts.py.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/layouts.tsv"`
CREATE TEMP TABLE vectors AS SELECT f FROM vectors_of(:'lines');
SELECT f[1] AS kind, count(*), count(DISTINCT f[2]) FROM vectors GROUP BY 1 ORDER BY 1;

CREATE TEMP TABLE times AS
SELECT f[2] AS layout, CASE f[2] WHEN 'julian64' THEN '1970-01-01'
		ELSE from_unix_us(f[3]::numeric) END AS epoch,
	from_unix_us(f[4]::numeric) AS written, f[5]::uuid AS id,
	from_unix_us(f[6]::numeric) AS read, f[7]::uuid AS smallest, f[8]::uuid AS largest
FROM vectors WHERE f[1] = 'time';
SELECT * FROM times, uuid_generate_v8_at(written, layout, NULL, epoch) made
WHERE (uuid_v8_timestamp(id, layout, epoch), uuid_v8_timestamp(made, layout, epoch),
		uuid_v8_min(read, layout, epoch), uuid_v8_max(read, layout, epoch))
	IS DISTINCT FROM (read, read, smallest, largest)
	OR NOT made BETWEEN smallest AND largest
	OR NOT uuid_v8_between(id, read, CASE WHEN read < '294276-12-31 23:59:59.999999'
		THEN read + interval '1 us' ELSE 'infinity' END, layout, epoch)
LIMIT 10;

--
-- Custom layouts
--

\echo '-- case and spaces do not matter'
SELECT DISTINCT uuid_v8_min('2026-02-03 04:05:06.789', layout)
FROM unnest('{"custom(1000/s, 48, 12)", "custom(1000/s,48,12)",
	" CUSTOM ( 1000 /S , 48 , 12 ) "}'::text[]) layout;

\echo '-- all readers accept custom layouts'
SELECT uuid_v8_node(uuid_generate_v8('custom(60s, 32, 12)', '\x01020304050607'),
		'custom(60s, 32, 12)', 7),
	uuid_machine_id('00000000-0000-8000-8fff-ffffffffffff', 8, 'custom(1/s, 60, 4)');
CREATE TEMP TABLE minutes (id uuid PRIMARY KEY);
INSERT INTO minutes SELECT uuid_generate_v8_at(ts, 'custom(60s, 32, 12)')
FROM generate_series(timestamptz '2026-01-01', '2026-01-02', '1 min') ts;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT FROM minutes
WHERE uuid_v8_between(id, '2026-01-01 12:00', '2026-01-01 12:10', 'custom(60s, 32, 12)');
SELECT count(*) FROM minutes WHERE uuid_v8_between(id, '2026-01-01 12:00', '2026-01-01 12:10',
	'custom(60s,32,12)', '1970-01-01');
RESET enable_seqscan;

\echo '-- NTP eras; the default epoch is era 0; test/t/ntp_eras.pl tests the rows of windows'
SELECT epoch, uuid_v8_min(epoch, 'ntp64', epoch), uuid_v8_max(epoch, 'ntp64', epoch),
	uuid_v8_timestamp('80000000-0000-8000-8000-000000000000', 'ntp64', epoch)
FROM unnest('{1763-11-24 17:31:44, 1900-01-01, 2036-02-07 06:28:16,
	2172-03-15 12:56:32}'::timestamptz[]) epoch;
SELECT uuid_v8_min('1950-01-01', 'ntp64') = uuid_v8_min('1950-01-01', 'ntp64', '1900-01-01'),
	uuid_v8_max('2036-02-07 06:28:16', 'ntp64');

--
-- Order of UUIDs of one time
--
SELECT f, id
FROM (SELECT f, from_unix_us(f[4]::numeric) AS ts, nullif(f[5], '\x')::bytea AS node,
		f[6]::bigint AS number
	FROM vectors WHERE f[1] = 'numbered') n,
	LATERAL (SELECT uuid_generate_v6_at(ts, number, node) AS id WHERE f[2] = '6'
		UNION ALL SELECT uuid_generate_v7_at(ts, f[3], number, node) WHERE f[2] = '7'
		UNION ALL SELECT uuidv7_at(ts, number, node) WHERE f[3] = 'rfc9562'
		UNION ALL SELECT uuid_generate_v8_at(ts, f[3], node, '1970-01-01', number)
			WHERE f[2] = '8') made
WHERE (id BETWEEN f[7]::uuid AND f[8]::uuid) IS NOT TRUE;

\echo '-- a NULL sequence is random'
SELECT count(DISTINCT right(left(id::text, 23), 4)) > 50 AS random
FROM (SELECT uuid_generate_v7_at('2026-01-01', 'microsecond', NULL, '\xcafe') AS id
	FROM generate_series(1, 100)) g;

\echo '-- calls without a sequence or with literals are resolved to the right function'
SELECT uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03 04:05:06', 'unix48', '\xcafe'), 'unix48'),
	uuid_v7_timestamp(uuid_generate_v7_at('2026-02-03 04:05:06', 'draft')),
	uuid_v6_timestamp(uuid_generate_v6_at('2026-02-03 04:05:06')),
	uuidv7_timestamp(uuidv7_at('2026-02-03 04:05:06', 5));

\echo '-- nodes of versions 6 and 7'
SELECT uuid_v6_node(uuid_generate_v6('\x010203040506'), 6),
	uuid_v6_node(uuid_generate_v6_at('2026-01-01', NULL, '\xcafe'), 2),
	uuid_v6_timestamp(uuid_generate_v6('\xcafe')) > now() - interval '1 min' AS now;
SELECT layout, len, bool_and(uuid_v7_node(id, layout, len) = node) AS node_kept,
	count(*) FILTER (WHERE NOT id > last) AS out_of_order
FROM (SELECT *, lag(id) OVER (PARTITION BY layout, len ORDER BY n) AS last
	FROM (SELECT layout, len, node, n, uuid_generate_v7(layout, node) AS id
		FROM (VALUES ('millisecond', 7), ('microsecond', 6), ('nanosecond', 5), ('rfc9562', 7),
			('rfc9562', 2)) l(layout, len),
			substr('\x0123456789abcdef'::bytea, 1, len) node, generate_series(1, 2000) n
		OFFSET 0) g) o
GROUP BY 1, 2 ORDER BY 1, 2;
\echo '-- without a node, the machine id is used'
SET uuidnew.machine_id_bits = 16;
SET uuidnew.machine_id = 51966;
SELECT uuid_v6_node(uuid_generate_v6(NULL), 2),
	uuid_v7_node(uuid_generate_v7('rfc9562', NULL), 'rfc9562', 2),
	uuid_v7_node(uuidv7_at('2026-01-01', 3), 'rfc9562', 2),
	uuid_v7_node(uuidv7_at('2026-01-01', 3, '\xaffe'), 'rfc9562', 2);
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;

\echo '-- 122 bits from the caller'
SELECT f FROM vectors
WHERE f[1] = 'bits' AND (uuid_v8_from_bits(f[2]::bit(122)), uuid_v8_to_bits(f[3]::uuid))
	IS DISTINCT FROM (f[3]::uuid, f[2]::bit(122));
SELECT uuid_v8_from_bits(2026::bit(16) || 7::bit(44) || repeat('01', 31)::varbit);

\echo '-- NULL arguments return NULL'
SELECT num_nonnulls(uuid_generate_v6_at(NULL, 1), uuid_generate_v7_at(NULL, 'draft', 1),
	uuid_generate_v7_at('2026-01-01', NULL, 1), uuidv7_at(NULL, 1),
	uuid_generate_v8_at('2026-01-01', NULL, NULL, '1970-01-01', 1),
	uuid_generate_v8_at('2026-01-01', 'unix48', NULL, NULL, 1), uuid_generate_v7(NULL, '\xcafe'));
