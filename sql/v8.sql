--
-- Version 8: sources of time, epochs, the caller's node.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- one instant in each layout: the bits of time'
SELECT layout, left(uuid_generate_v8_at('2026-02-03 04:05:06.789012+00', layout)::text,
	len) AS bits,
	   uuid_v8_min('2026-02-03 04:05:06.789012+00', layout),
		uuid_v8_max('2026-02-03 04:05:06.789012+00', layout)
FROM (VALUES ('unix32', 13), ('unix48', 13), ('gregorian60', 18), ('unix64', 18), ('ntp64', 18),
	('iso8601', 18)) l(layout, len);

\echo '-- the default is unix64'
SELECT left(uuid_generate_v8_at('2026-02-03 04:05:06.789012+00')::text, 18),
	   uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03 04:05:06.789012+00')),
	   uuid_v8_min('2026-02-03 04:05:06.789012+00') = uuid_v8_min('2026-02-03 04:05:06.789012+00',
		'unix64'),
	   uuid_v8_max('2026-02-03 04:05:06.789012+00') = uuid_v8_max('2026-02-03 04:05:06.789012+00',
		'unix64');

\echo '-- Epochs'
SELECT layout, epoch,
	left(uuid_generate_v8_at('2026-02-03 04:05:06.789012+00', layout, NULL, epoch)::text,
	13) AS bits,
	   uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03 04:05:06.789012+00', layout, NULL, epoch),
		layout, epoch)
FROM unnest(ARRAY['unix32', 'unix48']) layout,
	 unnest(ARRAY['2020-01-01+00', '1970-01-01+00', '1926-02-03+00',
		'2026-02-03 04:05:06.789012+00']::timestamptz[]) epoch;

\echo '-- microseconds come back from unix64 whatever the epoch'
SELECT count(*) FROM
	(SELECT timestamptz '2000-01-01' + i % 1009 * interval '1.000001 day' AS epoch,
			timestamptz '2026-02-03' + i * interval '1.234567 hours' AS ts
				FROM generate_series(1, 10000) i) t
WHERE uuid_v8_timestamp(uuid_generate_v8_at(ts, 'unix64', NULL, epoch), 'unix64', epoch) = ts
  AND uuid_v8_timestamp(uuid_v8_min(ts, 'unix64', epoch), 'unix64', epoch) = ts
  AND uuid_v8_timestamp(uuid_v8_max(ts, 'unix64', epoch), 'unix64', epoch) = ts;

-- generated in turn with several epochs, each one's UUIDs are in order and right
CREATE TEMP TABLE made AS
SELECT n, epoch, before, id, clock_timestamp() AS after FROM
	(SELECT n, epoch, clock_timestamp() AS before, uuid_generate_v8('unix48', NULL, epoch) AS id
	 FROM generate_series(1, 3000) n,
		  unnest(ARRAY['1970-01-01', '2020-01-01', '1999-12-31 23:59:59.999',
			'2024-02-29 12:00:00.0005']::timestamptz[]) epoch
	 OFFSET 0) g;
SELECT epoch, count(*) FROM
	(SELECT *, lag(id) OVER (PARTITION BY epoch ORDER BY n) AS previous FROM made) m
WHERE NOT id > previous GROUP BY 1;
SELECT epoch, count(*) FROM made
WHERE NOT uuid_v8_timestamp(id, 'unix48', epoch)
	BETWEEN before - interval '2 ms' AND after GROUP BY 1;

\echo '-- named arguments'
SELECT uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03', layout => 'unix32',
	epoch => '2020-01-01'), 'unix32', epoch => '2020-01-01');

\echo '-- Nodes with few random bits beside them, a warning, once in a session'
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x0102030405'), 'unix48', 5),
	uuid_v8_node(uuid_generate_v8('unix64', '\x01020304'), 'unix64', 4);
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x01020304050607'), 'unix48', 7);
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x01020304050607'), 'unix48', 7);
SELECT layout, len, uuid_v8_node(id, layout, len) AS node, count(*)
FROM unnest(ARRAY['unix32', 'unix48', 'gregorian60', 'unix64', 'ntp64', 'iso8601']) layout,
	generate_series(0, 6) len,
	LATERAL (SELECT uuid_generate_v8(layout, substr('\x0123456789abcdef'::bytea, 1, len)) AS id
			 FROM generate_series(1, 20) OFFSET 0) g
GROUP BY 1, 2, 3 ORDER BY 1, 2 LIMIT 8;
SELECT layout, bool_and(uuid_v8_node(id, layout, 6) = '\xfedcba987654') AS node_kept,
	count(DISTINCT id)
FROM unnest(ARRAY['unix32', 'unix48', 'gregorian60', 'unix64', 'ntp64', 'iso8601']) layout,
	LATERAL (SELECT unnest(ARRAY[uuid_generate_v8(layout, '\xfedcba987654'),
								 uuid_generate_v8_at('2026-02-03', layout, '\xfedcba987654')]) AS id
			 FROM generate_series(1, 3) OFFSET 0) g
GROUP BY 1 ORDER BY 1;
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\x01020304050607'), 'unix48', 7);

\echo '-- a node of zeros keeps random bits, and they are not all zero'
SELECT count(*) FROM
	(SELECT uuid_generate_v8('unix48', '\x00000000000000') AS id FROM generate_series(1, 1000)) g
WHERE right(id::text, 16) IN ('000-000000000000') OR uuid_v8_node(id, 'unix48', 7)
	<> '\x00000000000000';

\echo '-- the node is kept when a used-up sequence takes bits of it, and so is order'
SELECT count(*) FILTER (WHERE uuid_v8_node(id, 'iso8601', 2) = '\xcafe') AS kept,
	   count(*) FILTER (WHERE NOT id > previous) AS out_of_order FROM
	(SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM
		(SELECT n, uuid_generate_v8('iso8601', '\xcafe') AS id FROM generate_series(1, 20000) n
			OFFSET 0) g) o;
SELECT count(*) FILTER (WHERE uuid_v8_node(id, 'unix32', 1) = decode(CASE n % 2 WHEN 0 THEN 'aa'
	ELSE '55' END, 'hex')) AS kept,
	   count(*) FILTER (WHERE NOT id > previous) AS out_of_order FROM
	(SELECT n, id, lag(id) OVER (ORDER BY n) AS previous FROM
		(SELECT n, uuid_generate_v8('unix32', decode(CASE n % 2 WHEN 0 THEN 'aa' ELSE '55' END,
			'hex')) AS id
		 FROM generate_series(1, 20000) n OFFSET 0) g) o;

\echo '-- no node is NULL or no octets'
SELECT count(DISTINCT right(id::text, 12)) FROM
	(SELECT unnest(ARRAY[uuid_generate_v8('unix48', NULL),
		uuid_generate_v8('unix48', '')]) AS id) g;

\echo '-- 16 octets of the caller''s own'
SELECT uuid_v8('\x00112233445566778899aabbccddeeff'), uuid_v8('\xffffffffffffffffffffffffffffffff'),
	   uuid_v8('\x00000000000000000000000000000000');

\echo '-- NULL for NULL, except no node; NULL for another version'
SELECT uuid_generate_v8(NULL), uuid_generate_v8('unix48', NULL, NULL), uuid_generate_v8_at(NULL),
	   uuid_generate_v8_at('2026-02-03', NULL), uuid_generate_v8_at('2026-02-03', 'unix48', NULL,
		NULL),
	   uuid_v8_timestamp(NULL), uuid_v8_timestamp(uuid_generate_v8(), NULL),
		uuid_v8_timestamp(uuid_generate_v8(), 'unix64', NULL),
	   uuid_v8_min(NULL), uuid_v8_max(NULL), uuid_v8_node(NULL, 'unix48', 1), uuid_v8(NULL);
SELECT uuid_v8_node(uuid_generate_v7(), 'unix48', 2);
