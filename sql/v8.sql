\set ECHO none
--
-- Version 8: sources of time, epochs and nodes.  test/unit/sequence_test.c tests the order of keys
-- of several epochs, and of keys with a node whose sequence is used up.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- the default layout is unix64'
SELECT left(uuid_generate_v8_at(ts)::text, 18), uuid_v8_timestamp(uuid_generate_v8_at(ts)),
	uuid_v8_min(ts) = uuid_v8_min(ts, 'unix64'), uuid_v8_max(ts) = uuid_v8_max(ts, 'unix64')
FROM (VALUES (timestamptz '2026-02-03 04:05:06.789012+00')) v(ts);

\echo '-- UUIDs of several epochs in one session are correct, and in order for each'
CREATE TEMP TABLE made AS
SELECT n, epoch, before, id, clock_timestamp() AS after
FROM (SELECT n, epoch, clock_timestamp() AS before, uuid_generate_v8('unix48', NULL, epoch) AS id
	FROM generate_series(1, 1000) n, unnest('{1970-01-01, 2020-01-01, 1999-12-31 23:59:59.999,
		2024-02-29 12:00:00.0005}'::timestamptz[]) epoch
	OFFSET 0) g;
SELECT epoch, count(*)
FROM (SELECT *, lag(id) OVER (PARTITION BY epoch ORDER BY n) AS previous FROM made) m
WHERE id <= previous OR uuid_v8_timestamp(id, 'unix48', epoch)
	NOT BETWEEN before - interval '2 ms' AND after
GROUP BY 1;

\echo '-- named arguments'
SELECT uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03', layout => 'unix32',
	epoch => '2020-01-01'), 'unix32', epoch => '2020-01-01');

\echo '-- a node that leaves few random bits raises a warning once in a session'
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x0102030405'), 'unix48', 5),
	uuid_v8_node(uuid_generate_v8('unix64', '\x01020304'), 'unix64', 4),
	uuid_v8_node(uuid_generate_v8(), 'unix64', 0);
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x01020304050607'), 'unix48', 7);
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x01020304050607'), 'unix48', 7);
SELECT count(*), count(DISTINCT id)
FROM unnest('{unix32, unix48, gregorian60, unix64, ntp64, iso8601}'::text[]) layout,
	generate_series(1, 3) n,
	LATERAL (SELECT n, uuid_generate_v8(layout, '\xfedcba987654') AS id
		UNION ALL SELECT n, uuid_generate_v8_at('2026-02-03', layout, '\xfedcba987654')) g
WHERE uuid_v8_node(id, layout, 6) = '\xfedcba987654';

\echo '-- a node of zeros is followed by random bits that are not all zero'
SELECT count(*)
FROM (SELECT uuid_generate_v8('unix48', '\x00000000000000') AS id FROM generate_series(1, 1000)) g
WHERE right(id::text, 16) IN ('000-000000000000')
	OR uuid_v8_node(id, 'unix48', 7) <> '\x00000000000000';

\echo '-- 16 octets from the caller'
SELECT uuid_v8('\x00112233445566778899aabbccddeeff'), uuid_v8('\xffffffffffffffffffffffffffffffff'),
	uuid_v8('\x00000000000000000000000000000000');

\echo '-- NULL arguments, except node, return NULL'
SELECT num_nonnulls(uuid_generate_v8(NULL), uuid_generate_v8('unix48', NULL, NULL),
	uuid_generate_v8_at(NULL), uuid_generate_v8_at('2026-02-03', NULL),
	uuid_generate_v8_at('2026-02-03', 'unix48', NULL, NULL));
