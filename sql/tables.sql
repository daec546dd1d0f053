--
-- On real tables: keys by default, times from keys, indexes.  Partitions: time_window.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), n int);
INSERT INTO orders (n) SELECT i FROM generate_series(1, 10000) i;
SELECT count(*), count(DISTINCT id) FROM orders;
\echo '-- in the order of insertion, with times of now'
SELECT array_agg(n ORDER BY id) = array_agg(n ORDER BY n) AS in_order FROM orders;
SELECT bool_and(uuid_v7_timestamp(id) BETWEEN now() - interval '1 hour' AND clock_timestamp())
	FROM orders;
INSERT INTO orders (n) VALUES (10001) RETURNING id > (SELECT max(id::text)::uuid
	FROM orders) AS newest;
-- several keys in a row, COPY, UPDATE to DEFAULT, ON CONFLICT
COPY orders (n) FROM stdin;
10002
10003
\.
UPDATE orders SET id = DEFAULT WHERE n = 1;
INSERT INTO orders (id, n) SELECT id, -1 FROM orders WHERE n = 2 ON CONFLICT (id) DO UPDATE SET n
	= 2;
SELECT n FROM orders ORDER BY id DESC LIMIT 4;

-- a time as a generated column, an expression index, a check
CREATE TABLE events (
	id uuid PRIMARY KEY DEFAULT uuid_generate_v7() CHECK (uuid_v7_timestamp(id) IS NOT NULL),
	created_at timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id)) STORED
);
INSERT INTO events VALUES (uuid_generate_v7_at('2026-02-03 04:05:06.789012')) RETURNING created_at;
INSERT INTO events VALUES ('5b6d6a9c-3c5e-4e5f-9d3c-2f1e0d9c8b7a');
CREATE INDEX ON events (uuid_v7_timestamp(id));
CREATE INDEX ON events (uuid_v7_timestamp(id, 'rfc9562'));

-- a generator with arguments as a default
CREATE TABLE all_defaults (
	id uuid DEFAULT uuid_generate_v8('unix48', '\xcafe'),
	of_2020 uuid DEFAULT uuid_generate_v8('unix32', NULL, '2020-01-01')
);
INSERT INTO all_defaults SELECT FROM generate_series(1, 1000);
SELECT count(DISTINCT id), count(DISTINCT of_2020) FROM all_defaults;

-- in parallel workers each has a sequence and random bits of its own
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
CREATE TEMP TABLE by_leader AS SELECT uuid_generate_v7('millisecond') AS id
	FROM generate_series(1, 1000);
CREATE TABLE by_workers AS SELECT uuid_generate_v7('millisecond') AS id, uuid_generate_v6() AS v6
	FROM orders;
SELECT count(*), count(DISTINCT id), count(DISTINCT v6) FROM by_workers;
COMMIT;

\echo '-- the default survives as it was written'
SELECT column_name, column_default FROM information_schema.columns
WHERE table_name = 'all_defaults' ORDER BY ordinal_position;

DROP TABLE orders, events, all_defaults, by_workers;
