--
-- Moving :rows rows of a month out of the default partition: alone, and with 400 partitions and
-- three tables that refer to it. How long a reader of the table waits meanwhile is about as long,
-- as each partition is filled under one lock.
--
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;
CREATE EXTENSION uuidnew_tables;

CREATE TABLE times (what text, seconds numeric, wal bigint);

SELECT format($$
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuidv7(), line text)
		PARTITION BY RANGE (id);
	CREATE TABLE orders_default PARTITION OF orders DEFAULT;
	CALL uuidnew_tables.create_partitions('orders', 'day', %2$L);
	INSERT INTO orders
	SELECT uuidv7_at('2026-03-01 00:00+00'::timestamptz + n * interval '2 s'), repeat('x', 100)
	FROM generate_series(1, :rows) n;
	%3$s;
	VACUUM ANALYZE orders;
	CHECKPOINT;
	SELECT clock_timestamp() AS began, pg_current_wal_lsn() AS lsn \gset
	CALL uuidnew_tables.create_partitions('orders', 'month', '0');
	INSERT INTO times VALUES (%1$L, extract(epoch FROM clock_timestamp() - :'began'),
		pg_current_wal_lsn() - :'lsn');
	DROP TABLE orders CASCADE;
	DROP TABLE IF EXISTS child1, child2, child3;
$$, what, ahead, children)
FROM (VALUES
	('alone', '1 day', ''),
	(:'days' || ' partitions, three tables that refer to it', :'days' || ' days',
		'CREATE TABLE child1 AS SELECT id FROM orders LIMIT 100000; '
		'CREATE INDEX ON child1 (id); '
		'ALTER TABLE child1 ADD FOREIGN KEY (id) REFERENCES orders; '
		'CREATE TABLE child2 (id uuid REFERENCES orders); '
		'CREATE TABLE child3 (id uuid REFERENCES orders)'))
	v(what, ahead, children)
\g (tuples_only=on format=unaligned) :script
\i :script
SELECT what, round(seconds, 1) AS seconds, pg_size_pretty(wal) AS wal FROM times;
