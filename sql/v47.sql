\set ECHO none
--
-- UUIDv47: version 7 with a masked time
--
\pset format unaligned
\pset tuples_only
\set SHOW_CONTEXT never
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- vectors of other implementations, and of the reference for random keys'
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/v47.tsv"`
SELECT count(*), count(*) FILTER (WHERE (uuidv47_encode(f[2]::uuid, key),
	uuidv47_decode(f[3]::uuid, key)) IS DISTINCT FROM (f[3]::uuid, f[2]::uuid)) AS wrong
FROM vectors_of(:'lines'), decode(f[1], 'hex') key;

\echo '-- errors about versions, variants and lengths do not show the key'
\set key '\\x000102030405060708090a0b0c0d0e0f'
SELECT e.code, e.message, e.detail FROM (VALUES
	('uuidv47_encode', '919108f7-52d1-4320-9bac-f847db4148a8', :'key'),
	('uuidv47_encode', '017f22e2-79b0-7cc3-c8c4-dc0c0c07398f', :'key'),
	('uuidv47_decode', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', :'key'),
	('uuidv47_decode', '00000000-0000-0000-0000-000000000000', :'key'),
	('uuidv47_encode', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', ''),
	('uuidv47_decode', '919108f7-52d1-4320-9bac-f847db4148a8', left(:'key', -2)),
	('uuidv47_decode', '919108f7-52d1-4320-9bac-f847db4148a8', :'key' || '10')
	) v(function, id, key), error_of(format('SELECT %s(%L, %L)', function, id, key)) e;

\echo '-- a query by the decoded key uses the index of the primary key'
CREATE TABLE v47_orders (id uuid PRIMARY KEY, n int);
INSERT INTO v47_orders
SELECT uuidv7_at('2026-02-03'::timestamptz + i * interval '1 s'), i FROM generate_series(1, 1000) i;
ANALYZE v47_orders;
PREPARE by_public_id(uuid, bytea) AS SELECT n FROM v47_orders WHERE id = uuidv47_decode($1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_public_id(NULL, NULL);
SELECT uuidv47_encode(id, :'key') AS public_id FROM v47_orders WHERE n = 7 \gset
EXECUTE by_public_id(:'public_id', :'key');
EXECUTE by_public_id(:'public_id', '\xff0102030405060708090a0b0c0d0e0f');
DROP TABLE v47_orders;
