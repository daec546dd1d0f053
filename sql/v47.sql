\set ECHO none
--
-- UUIDv47: version 7 with a masked time
--
-- test/unit/v47_test.c tests all vectors.
--
\pset format unaligned
\pset tuples_only
\set SHOW_CONTEXT never

\echo '-- vectors of other implementations: k0 and k1 of the key are little-endian'
SELECT uuidv47_encode(v7, key) = v4 AS encoded, uuidv47_decode(v4, key) = v7 AS decoded
FROM (VALUES (bytea '\xefcdab89674523011032547698badcfe',
	uuid '018f2d9f-9a2a-7def-8c3f-7b1a2c4d5e6f', uuid '2463c780-7fca-4def-8c3f-7b1a2c4d5e6f'),
	('\x1581e97df4102211b10cb7e3b8871089', '01996ba2-996c-7472-aece-b7c149213a7b',
		'8874573e-e474-4472-aece-b7c149213a7b')) v(key, v7, v4);

\echo '-- errors about versions, variants and lengths do not show the key'
SELECT uuidv47_encode('919108f7-52d1-4320-9bac-f847db4148a8', '\x000102030405060708090a0b0c0d0e0f');
SELECT uuidv47_encode('017f22e2-79b0-7cc3-c8c4-dc0c0c07398f', '\x000102030405060708090a0b0c0d0e0f');
SELECT uuidv47_decode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '\x000102030405060708090a0b0c0d0e0f');
SELECT uuidv47_decode('00000000-0000-0000-0000-000000000000', '\x000102030405060708090a0b0c0d0e0f');
SELECT uuidv47_encode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '');
SELECT uuidv47_encode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '\x000102030405060708090a0b0c0d0e');
SELECT uuidv47_decode('919108f7-52d1-4320-9bac-f847db4148a8',
	'\x000102030405060708090a0b0c0d0e0f10');
SELECT uuidv47_decode('919108f7-52d1-4320-9bac-f847db4148a8', '000102030405060708090a0b0c0d0e0f');
\set VERBOSITY sqlstate
SELECT uuidv47_encode('919108f7-52d1-4320-9bac-f847db4148a8', '\x000102030405060708090a0b0c0d0e0f');
SELECT uuidv47_encode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '');
\set VERBOSITY default
SELECT uuidv47_encode(NULL, '\x00') IS NULL AS no_id,
	uuidv47_encode('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', NULL) IS NULL AS no_key,
	uuidv47_decode(NULL, '\x00') IS NULL AS no_id,
		uuidv47_decode('919108f7-52d1-4320-9bac-f847db4148a8', NULL) IS NULL AS no_key;

-- A query by the decoded key uses the index of the primary key.
CREATE TABLE v47_orders (id uuid PRIMARY KEY, n int);
INSERT INTO v47_orders SELECT uuidv7_at('2026-02-03'::timestamptz + i * interval '1 s'), i
	FROM generate_series(1, 1000) i;
ANALYZE v47_orders;
PREPARE by_public_id(uuid, bytea) AS SELECT n FROM v47_orders WHERE id = uuidv47_decode($1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_public_id(NULL, NULL);
SELECT uuidv47_encode(id, '\x000102030405060708090a0b0c0d0e0f') AS public_id FROM v47_orders
	WHERE n = 7 \gset
EXECUTE by_public_id(:'public_id', '\x000102030405060708090a0b0c0d0e0f');
EXECUTE by_public_id(:'public_id', '\xff0102030405060708090a0b0c0d0e0f');
EXECUTE by_public_id(gen_random_uuid(), '\x000102030405060708090a0b0c0d0e0f');
DROP TABLE v47_orders;
