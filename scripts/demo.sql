-- scripts/demo runs this file with psql -e, which shows each statement before its
-- result.  Lines have at most 80 columns.

\set ECHO none
\set rows 150000
\pset footer off
\pset format wrapped
\pset columns 79
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0; -- for short plans
SET synchronize_seqscans = off; -- a scan begins at the start of the table
SELECT to_char(:rows, 'FM999,999,999') AS some, to_char(4 * :rows, 'FM999,999,999') AS many \gset
\set ECHO queries

\echo
\echo '=== Two tables: random keys (version 4), time-ordered keys (version 7) ==='
\echo
CREATE EXTENSION uuidnew;
CREATE TABLE orders_v4 (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                        created timestamptz DEFAULT clock_timestamp(),
                        item text);
CREATE TABLE orders_v7 (id uuid PRIMARY KEY DEFAULT uuidv7(),
                        created timestamptz DEFAULT clock_timestamp(),
                        item text);

\echo
\echo After :many rows and a checkpoint, :some more rows are measured
\echo '(ratio: version 7 divided by version 4; WAL: write-ahead log):'
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
      (1, 'rows per second', :rows / extract(epoch FROM :'t2'::timestamptz - :'t1'),
       :rows / extract(epoch FROM :'t3'::timestamptz - :'t2')),
      (2, 'size of the index, kB', pg_relation_size('orders_v4_pkey') / 1000.0,
       pg_relation_size('orders_v7_pkey') / 1000.0),
      (3, 'WAL, kB', (:'w2'::pg_lsn - :'w1') / 1000, (:'w3'::pg_lsn - :'w2') / 1000)
     ) AS measured (line, what, v4, v7)
ORDER BY line;

-- Both windows have about the same number of rows.
SELECT (SELECT created FROM orders_v4 OFFSET :rows LIMIT 1) AS since4,
       (SELECT created FROM orders_v4 OFFSET :rows + 5000 LIMIT 1) AS until4,
       (SELECT created FROM orders_v7 OFFSET :rows LIMIT 1) AS since7,
       (SELECT created FROM orders_v7 OFFSET :rows + 5000 LIMIT 1) AS until7 \gset
ANALYZE;
\set ECHO queries

\echo
\echo '=== A short window: version 4 has no index on created, and reads all rows ==='
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM orders_v4
WHERE created >= :'since4'
  AND created < :'until4';

\echo
\echo '=== Version 7 uses the primary key and reads only the rows of the window ==='
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM orders_v7
WHERE id <@ tstzrange(:'since7',
                      :'until7');
\set ECHO none

\echo
\echo '=== More features ==='
\echo
\echo 'Windows     <, >=, BETWEEN and <@, by the same index      doc/time-windows.md'
\echo 'Partitions  by the key, created ahead and dropped         doc/partitions.md'
\echo 'Re-keying   new keys for a table in use                   doc/rekeying.md'
\echo 'Order       one for the keys of all sessions              doc/reference.md'
\echo 'Other IDs   ULID, Snowflake and 16 others, converted      doc/other-systems.md'
\echo
