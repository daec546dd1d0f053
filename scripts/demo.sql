-- Run by scripts/demo with psql -e, which shows each statement before its result.

\set ECHO none
SELECT count(*) > 0 AS has_pgstattuple FROM pg_available_extensions WHERE name = 'pgstattuple' \gset
\set ECHO queries

\echo
\echo '=== A table whose key is a UUIDv7 ==='
\echo
CREATE EXTENSION uuidnew;
CREATE TABLE orders (
    id   uuid PRIMARY KEY DEFAULT uuid_generate_v7() CHECK (uuid_v7_layout(id) = 'draft'),
    item text
);
\timing on
INSERT INTO orders (item) SELECT 'item ' || n FROM generate_series(1, 1000000) AS n;
\timing off

\echo
\echo '=== The newest rows, and when they were made: read from the key alone ==='
\echo
SELECT id, uuid_v7_timestamp(id), item FROM orders ORDER BY id DESC LIMIT 5;

\echo '=== The rows of a window of time: by the index of the primary key ==='
\echo
ANALYZE orders;
\set ECHO none
SELECT ts AS since, ts + interval '1 ms' AS until
FROM (SELECT uuid_v7_timestamp(id) AS ts FROM orders OFFSET 500000 LIMIT 1) AS middle \gset
\set ECHO queries
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
SELECT item FROM orders WHERE uuid_v7_between(id, :'since', :'until');

\echo '=== The order of the keys is the order of insertion (ctid: place in the table) ==='
\echo
SELECT count(*) AS rows, count(*) FILTER (WHERE id <= previous) AS out_of_order
FROM (SELECT id, lag(id) OVER (ORDER BY ctid) AS previous FROM orders) AS o;

\echo '=== The same table with random keys (v4) ==='
\echo
CREATE TABLE orders_v4 (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), item text);
\timing on
INSERT INTO orders_v4 (item) SELECT 'item ' || n FROM generate_series(1, 1000000) AS n;
\timing off

\echo
\echo '=== Their indexes: the time-ordered one is packed, the random one is full of holes ==='
\echo
\if :has_pgstattuple
CREATE EXTENSION pgstattuple;
SELECT index, pg_size_pretty(index_size) AS size, avg_leaf_density, leaf_fragmentation
FROM unnest(ARRAY['orders_pkey', 'orders_v4_pkey']) AS index, pgstatindex(index);
\else
SELECT index, pg_size_pretty(pg_relation_size(index::regclass)) AS size
FROM unnest(ARRAY['orders_pkey', 'orders_v4_pkey']) AS index;
\endif

\echo '=== UUIDv7 in its four layouts: those of the draft begin with 06, that of RFC 9562 with 01 ==='
\echo
SELECT layout, id, uuid_v7_timestamp(id, layout)
FROM unnest(ARRAY['millisecond', 'microsecond', 'nanosecond', 'rfc9562']) AS layout,
     uuid_generate_v7(layout) AS id;

\echo '=== UUIDv6: the time as in version 1, in an order that sorts ==='
\echo
SELECT id, uuid_v6_timestamp(id) FROM uuid_generate_v6() AS id;

\echo '=== UUIDv8: with a node of your own, and one whose text reads as a date ==='
\echo
SELECT id, uuid_v8_timestamp(id, 'unix48'), uuid_v8_node(id, 'unix48', 2)
FROM uuid_generate_v8('unix48', '\xcafe'::bytea) AS id;
SELECT id, uuid_v8_timestamp(id, 'iso8601') AT TIME ZONE 'UTC' AS utc
FROM uuid_generate_v8('iso8601') AS id;

\echo '=== Which machine made it: here 10 bits, machine 517 ==='
\echo
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
SELECT id, uuid_machine_id(id, 10) FROM uuid_generate_v7() AS id;

\echo '=== A version 1 column, which does not sort by time, moved to version 6, which does ==='
\echo
CREATE TABLE events (id uuid PRIMARY KEY, what text);
INSERT INTO events VALUES
  ('4d92ec80-463b-11e9-9217-0242ac120002', '2019'),
  ('dc71e000-da63-11eb-9217-0242ac120002', '2021'),
  ('5ce31580-7c09-11ee-9217-0242ac120002', '2023'),
  ('6a808000-3ebe-11f0-9217-0242ac120002', '2025');
SELECT id, uuid_v1_timestamp(id), what FROM events ORDER BY id;
ALTER TABLE events ALTER COLUMN id TYPE uuid USING uuid_v1_to_v6(id);
SELECT id, uuid_v6_timestamp(id), what FROM events ORDER BY id;
