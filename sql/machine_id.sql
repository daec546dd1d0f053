\set ECHO none
--
-- Machine id: settings, position and readers.  test/t/machine_id_setting.pl tests every layout, for
-- new keys and for given times.
--
\pset format unaligned
\pset tuples_only
\set VERBOSITY terse
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- without a machine id, the top of the node is random'
SELECT count(DISTINCT uuid_machine_id(uuid_generate_v7(), 16)) > 90 AS random
FROM generate_series(1, 100);
SHOW uuidnew.machine_id_bits;
SHOW uuidnew.machine_id;

SET uuidnew.machine_id_bits = 32;
SET uuidnew.machine_id = 2596069104;

\echo '-- a machine id may fill the node, but then it must not be 0'
SELECT uuid_machine_id(uuid_generate_v8('custom(1/s, 64, 26)'), 32, 'custom(1/s, 64, 26)');
SET uuidnew.machine_id = 0;
SELECT uuid_generate_v8('custom(1/s, 64, 26)');
SELECT uuid_generate_v8_at('2026-01-01 00:00:00+00', 'custom(1/s, 64, 26)', NULL,
	'1970-01-01 00:00:00+00', 0);
SELECT uuid_v8_node(uuid_generate_v8('custom(1/s, 64, 26)', '\xcafe'), 'custom(1/s, 64, 26)', 2);
SET uuidnew.machine_id = 2596069104;

\echo '-- the argument node replaces the machine id, even if it is empty, but not if it is NULL'
SELECT node, count(DISTINCT uuid_machine_id(id, 16, 'unix48')) > 1 AS random_octets,
	count(DISTINCT uuid_machine_id(id, 32, 'unix48')) > 1 AS random_after
FROM unnest('{"\\xcafe", "", NULL}'::bytea[]) node, generate_series(1, 100) n,
	LATERAL (SELECT n, uuid_generate_v8('unix48', node) AS id) g
GROUP BY 1 ORDER BY 1;

\echo '-- readers return the machine id only for the specified layout or the version''s default'
SELECT uuid_machine_id(uuid_generate_v7('millisecond'), 32, 'millisecond') AS millisecond,
	uuid_machine_id(uuid_generate_v8(), 32) AS v8,
	uuid_machine_id(uuid_generate_v7(), 32, 'unix64') AS other_version,
	uuid_machine_id(gen_random_uuid(), 32) AS v4,
	uuid_machine_id('00000000-0000-0000-0000-000000000000', 32) AS nil;

\echo '-- a value that does not fit is rejected when it is set, in either order'
SET uuidnew.machine_id_bits = 2;
SET uuidnew.machine_id = 3;
SET uuidnew.machine_id_bits = 2;
\set VERBOSITY default
SET uuidnew.machine_id = 4;
SET uuidnew.machine_id_bits = 1;
\set VERBOSITY terse
SET uuidnew.machine_id_bits = 33;
SET uuidnew.machine_id_bits = -1;
SELECT value
FROM unnest('{-1, "", 0x10, " 1", one, 4294967296, 99999999999999999999999999}'::text[]) value,
	error_of(format('SET uuidnew.machine_id = %L', value)) e
WHERE e.message <> format('invalid value for parameter "uuidnew.machine_id": "%s"', value);
SELECT name, setting FROM pg_settings WHERE name LIKE 'uuidnew.machine%' ORDER BY 1;

\echo '-- RESET restores one setting without a check of the other; no part of a machine id is used'
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
