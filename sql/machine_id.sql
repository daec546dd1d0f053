\set ECHO none
--
-- Machine id: settings, position and readers.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\set VERBOSITY terse

\echo '-- without a machine id, the top of the node is random'
SELECT count(DISTINCT uuid_machine_id(uuid_generate_v7(), 16)) > 90 AS random
	FROM generate_series(1, 100);
SHOW uuidnew.machine_id_bits;
SHOW uuidnew.machine_id;

-- test/t/machine_id_setting.pl tests every layout, for new keys and for given times.
SET uuidnew.machine_id_bits = 32;
SET uuidnew.machine_id = 2596069104;

\echo '-- a machine id may fill the node, but then it must not be 0'
SELECT uuid_machine_id(uuid_generate_v8(layout), 32, layout)
	FROM (VALUES ('custom(1/s, 64, 26)')) l(layout);
SET uuidnew.machine_id = 0;
SELECT uuid_generate_v8('custom(1/s, 64, 26)');
SELECT uuid_generate_v8_at('2026-01-01 00:00:00+00', 'custom(1/s, 64, 26)', NULL,
	'1970-01-01 00:00:00+00', 0);
SELECT uuid_v8_node(uuid_generate_v8('custom(1/s, 64, 26)', '\xcafe'), 'custom(1/s, 64, 26)', 2);
SET uuidnew.machine_id = 2596069104;

\echo '-- the machine id follows the sequence'
SELECT substr(uuid_generate_v6()::text, 25, 8) AS v6, substr(uuid_generate_v7()::text, 25, 8) AS v7,
	   substr(uuid_generate_v7('nanosecond')::text, 27, 8) AS nanosecond;

\echo '-- the argument node replaces the machine id'
SELECT uuid_v8_node(uuid_generate_v8('unix48', '\xcafe'), 'unix48', 2),
	   count(DISTINCT uuid_machine_id(uuid_generate_v8('unix48', '\xcafe'), 32,
		'unix48')) > 1 AS random_after
FROM generate_series(1, 100) GROUP BY 1;

\echo '-- an empty node also replaces the machine id; a NULL node does not'
SELECT count(DISTINCT uuid_machine_id(uuid_generate_v8('unix48', ''), 32,
	'unix48')) AS of_no_octets,
	   count(DISTINCT uuid_machine_id(uuid_generate_v8('unix48', NULL), 32, 'unix48')) AS null_node
FROM generate_series(1, 100);

\echo '-- machine id and order are kept when the sequence overflows into the node'
SELECT layout, count(*) FILTER (WHERE uuid_machine_id(id, 32, layout) = 2596069104) AS kept,
	   count(*) FILTER (WHERE NOT id > previous) AS out_of_order FROM
	(SELECT layout, id, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM
		(SELECT 'unix32' AS layout, n, uuid_generate_v8('unix32') AS id
			FROM generate_series(1, 10000) n OFFSET 0) g) o
GROUP BY 1;

-- A change of the machine id keeps the order within the session.
SET uuidnew.machine_id = 7;
CREATE TEMP TABLE made (n serial, id uuid DEFAULT uuid_generate_v7('millisecond'));
INSERT INTO made SELECT FROM generate_series(1, 3000);
SET uuidnew.machine_id = 5;
INSERT INTO made SELECT FROM generate_series(1, 3000);
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM made) m
	WHERE NOT id > previous;

\echo '-- readers return the machine id only for the specified layout or the version''s default'
SELECT uuid_machine_id(uuid_generate_v7('millisecond'), 32, 'millisecond') AS millisecond,
	   uuid_machine_id(uuid_generate_v7(), 32, 'unix64') AS other_version,
	   uuid_machine_id(gen_random_uuid(), 32) AS v4,
	   uuid_machine_id('00000000-0000-0000-0000-000000000000', 32) AS nil,
	   uuid_machine_id(uuid_generate_v8(), 32) AS v8, uuid_machine_id(NULL, 32),
		uuid_machine_id(uuid_generate_v7(), NULL);

-- A value that does not fit is rejected when it is set, in either order.
SET uuidnew.machine_id_bits = 2;
SET uuidnew.machine_id = 3;
SET uuidnew.machine_id_bits = 2;
SET uuidnew.machine_id = 4;
\set VERBOSITY default
SET uuidnew.machine_id_bits = 1;
SET uuidnew.machine_id = 4;
\set VERBOSITY terse
SET uuidnew.machine_id_bits = 33;
SET uuidnew.machine_id_bits = -1;
SET uuidnew.machine_id = -1;
SET uuidnew.machine_id = '';
SET uuidnew.machine_id = '0x10';
SET uuidnew.machine_id = ' 1';
SET uuidnew.machine_id = 'one';
SET uuidnew.machine_id = 4294967296;
SET uuidnew.machine_id = 99999999999999999999999999;
SELECT name, setting FROM pg_settings WHERE name LIKE 'uuidnew.machine%' ORDER BY 1;

-- RESET restores one setting without a check of the other; no part of a machine id is used.
BEGIN;
SET LOCAL uuidnew.machine_id_bits = 0;
SET LOCAL uuidnew.machine_id = 1000;
SELECT uuid_generate_v7() IS NOT NULL;
ROLLBACK;
SELECT uuid_machine_id(uuid_generate_v7(), 2);
RESET uuidnew.machine_id_bits;
RESET uuidnew.machine_id;
SELECT count(DISTINCT uuid_machine_id(uuid_generate_v7(), 16)) > 90 AS random
	FROM generate_series(1, 100);
