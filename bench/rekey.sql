--
-- Re-keying of :rows rows, with as many that refer to them, step by step; then the index of mixed
-- keys.
--
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;
CREATE EXTENSION uuidnew_tables;

CREATE TABLE orders (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	created_at timestamptz NOT NULL DEFAULT now(),
	note text);
CREATE TABLE items (
	order_id uuid NOT NULL REFERENCES orders,
	no int,
	what text,
	PRIMARY KEY (order_id, no));
INSERT INTO orders (created_at, note)
SELECT timestamptz '2024-01-01' + n * interval '20 s', repeat('x', 60)
FROM generate_series(1, :rows) n;
INSERT INTO items SELECT id, 1, repeat('y', 40) FROM orders;
VACUUM ANALYZE orders, items;
CHECKPOINT;

CREATE TABLE times (step int, statement text, seconds numeric, wal bigint);
CREATE VIEW sizes AS
SELECT relname AS table, pg_size_pretty(pg_table_size(oid)) AS rows,
	pg_size_pretty(pg_indexes_size(oid)) AS indexes
FROM pg_class WHERE relname IN ('orders', 'items');
\echo 'before:'
SELECT * FROM sizes;
\set steps '\'orders\', \'uuidv7_at(created_at)\', \'uuidv7()\''
\timing on
SELECT obstacle FROM uuidnew_tables.rekey_check(:steps);
\timing off
SELECT format($$
	SELECT clock_timestamp() AS began, pg_current_wal_lsn() AS lsn \gset
	%s;
	INSERT INTO times
	VALUES (%s, %L, extract(epoch FROM clock_timestamp() - :'began'),
		pg_current_wal_lsn() - :'lsn');
$$, statement, step, left(why, 70))
FROM uuidnew_tables.rekey_steps(:steps) WHERE phase IN ('prepare', 'swap') ORDER BY step
\g (tuples_only=on format=unaligned) :script
\i :script
\echo 'seconds and WAL of each step:'
SELECT step, statement, round(seconds, 2) AS seconds, pg_size_pretty(wal) AS wal
FROM times ORDER BY step;
SELECT round(sum(seconds), 1) AS seconds, pg_size_pretty(sum(wal)) AS wal FROM times;
\echo 'after the swap:'
SELECT * FROM sizes;
SELECT statement FROM uuidnew_tables.rekey_steps(:steps) WHERE phase = 'finish' \gexec
VACUUM orders, items;
\echo 'finished:'
SELECT * FROM sizes;
VACUUM FULL orders;
VACUUM FULL items;
\echo 'packed:'
SELECT * FROM sizes;
DROP TABLE items, orders;

-- A key whose default goes from version 4 to version 7: half as many new rows as old ones
CREATE TABLE mixed_result (
	keys text, old_size bigint, new_size bigint, seconds numeric, reads bigint, wal bigint);
SELECT format($$
	CREATE TABLE t (id uuid PRIMARY KEY, note text);
	INSERT INTO t SELECT %2$s, repeat('x', 60) FROM generate_series(1, :rows);
	REINDEX TABLE t;
	VACUUM ANALYZE t;
	CHECKPOINT;
	SELECT pg_stat_reset();
	SELECT pg_relation_size('t_pkey') AS old_size, clock_timestamp() AS began,
		pg_current_wal_lsn() AS lsn \gset
	INSERT INTO t SELECT %3$s, repeat('x', 60) FROM generate_series(1, :rows / 2);
	SELECT extract(epoch FROM clock_timestamp() - :'began') AS seconds,
		pg_current_wal_lsn() - :'lsn' AS wal \gset
	SELECT pg_sleep(1.5);
	SELECT idx_blks_read AS reads FROM pg_statio_user_indexes WHERE indexrelname = 't_pkey' \gset
	INSERT INTO mixed_result
	VALUES (%1$L, :old_size, pg_relation_size('t_pkey'), :seconds, :reads, :wal);
	DROP TABLE t;
$$, name, old_key, new_key)
FROM (VALUES ('version 4, then version 4', 'gen_random_uuid()', 'gen_random_uuid()'),
	('version 4, then version 7', 'gen_random_uuid()', 'uuidv7()'),
	('version 7, then version 7', 'uuidv7()', 'uuidv7()')) v(name, old_key, new_key)
\g (tuples_only=on format=unaligned) :script
\o /dev/null
\i :script
\o
\echo 'the index of a key, with half as many new rows as old ones:'
SELECT keys, pg_size_pretty(old_size) AS packed, pg_size_pretty(new_size - old_size) AS growth,
	round(seconds, 1) AS seconds, reads AS "pages read", pg_size_pretty(wal) AS wal
FROM mixed_result;
