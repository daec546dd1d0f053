-- Run by scripts/demo with psql -e, which shows each statement before its result.  At most 80
-- columns.

\set ECHO none
\if :{?rows} \else \set rows 150000 \endif
\pset footer off
\pset format wrapped
\pset columns 79
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0; -- plans of a few lines
SET synchronize_seqscans = off; -- tables are read from their beginning
SELECT to_char(:rows, 'FM999,999,999') AS some, to_char(4 * :rows, 'FM999,999,999') AS many \gset
\set ECHO queries

\echo
\echo '=== Two tables, with random keys (version 4) and keys by time (version 7) ==='
\echo
CREATE EXTENSION uuidnew;
CREATE TABLE orders_v4 (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                        made timestamptz DEFAULT clock_timestamp(), item text);
CREATE TABLE orders_v7 (id uuid PRIMARY KEY DEFAULT uuidv7(),
                        made timestamptz DEFAULT clock_timestamp(), item text);

\echo
\echo Each gets :many rows, then a checkpoint, then :some more, measured here
\echo '(ratio: of version 7 to version 4; WAL: the write-ahead log):'
\echo
\set ECHO none
INSERT INTO orders_v4 (item) SELECT 'item ' || n FROM generate_series(1, 4 * :rows) AS n;
INSERT INTO orders_v7 (item) SELECT 'item ' || n FROM generate_series(1, 4 * :rows) AS n;
CHECKPOINT;
SELECT clock_timestamp() AS t1, pg_current_wal_insert_lsn() AS w1 \gset
INSERT INTO orders_v4 (item) SELECT 'item ' || n FROM generate_series(1, :rows) AS n;
SELECT clock_timestamp() AS t2, pg_current_wal_insert_lsn() AS w2 \gset
INSERT INTO orders_v7 (item) SELECT 'item ' || n FROM generate_series(1, :rows) AS n;
SELECT clock_timestamp() AS t3, pg_current_wal_insert_lsn() AS w3 \gset

SELECT what AS " ",
       to_char(v4, 'FM999,999,999') AS "version 4",
       to_char(v7, 'FM999,999,999') AS "version 7",
       to_char(v7 / v4, '90.99') AS ratio
FROM (VALUES
      (1, 'rows a second', :rows / extract(epoch FROM :'t2'::timestamptz - :'t1'),
       :rows / extract(epoch FROM :'t3'::timestamptz - :'t2')),
      (2, 'size of the index, kB', pg_relation_size('orders_v4_pkey') / 1000.0,
       pg_relation_size('orders_v7_pkey') / 1000.0),
      (3, 'WAL, kB', (:'w2'::pg_lsn - :'w1') / 1000, (:'w3'::pg_lsn - :'w2') / 1000)
     ) AS measured (line, what, v4, v7)
ORDER BY line;

-- windows of as many rows in both
SELECT (SELECT made FROM orders_v4 OFFSET :rows LIMIT 1) AS since4,
       (SELECT made FROM orders_v4 OFFSET :rows + 5000 LIMIT 1) AS until4,
       (SELECT made FROM orders_v7 OFFSET :rows LIMIT 1) AS since7,
       (SELECT made FROM orders_v7 OFFSET :rows + 5000 LIMIT 1) AS until7 \gset
ANALYZE;
\set ECHO queries

\echo
\echo '=== A few milliseconds: version 4, without an index on made, reads all ... ==='
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM orders_v4
WHERE made >= :'since4'
  AND made < :'until4';

\echo
\echo '=== ... version 7 only these: the index of its primary key has the time ==='
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM orders_v7
WHERE id <@ tstzrange(:'since7',
                      :'until7');
\set ECHO none

\echo
\echo '=== What else there is ==='
\echo
\echo 'Windows     <, >=, BETWEEN and <@, by the same index      doc/time-windows.md'
\echo 'Partitions  by the key, created ahead and dropped         doc/partitions.md'
\echo 'Re-keying   new keys for a table in use                   doc/rekeying.md'
\echo 'One order   for the keys of all sessions of a server      doc/uuidnew.md'
\echo 'Other IDs   read, converted: ULID, Snowflake, and 16 more doc/other-systems.md'
\echo
