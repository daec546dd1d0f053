--
-- The report of tables.sql, and of what pgbench measured: samples come from bench/run.
--
\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\copy samples FROM pstdin

-- Less is better in all: time, bytes.
CREATE TABLE measures (no serial, metric text, measure text, unit text, factor float8,
	digits int);
INSERT INTO measures (metric, measure, unit, factor, digits) VALUES
	('insert', 'bulk insert, per row', 'µs', 1, 2),
	('insert WAL', 'its WAL, per row', 'bytes', 1, 0),
	('table bytes', 'table, per row', 'bytes', 1, 1),
	('index bytes', 'indexes, per row', 'bytes', 1, 1),
	('bytes', 'table and indexes, per row', 'bytes', 1, 1),
	('page', 'the newest 50 rows', 'µs', 1, 0),
	('id', 'a row by its id', 'µs', 1, 0),
	('id of partitions', 'the same, 25 partitions', 'µs', 1, 0),
	('hour', 'an hour of 1000', 'µs', 1, 0),
	('hour of partitions', 'the same, 25 partitions', 'µs', 1, 0),
	('drop', 'the oldest partition dropped', 'ms', 0.001, 1),
	('delete', 'as many rows by DELETE', 'ms', 0.001, 0),
	('vacuum', 'the VACUUM after it', 'ms', 0.001, 0),
	('delete WAL', 'WAL of both, per row deleted', 'bytes', 1, 0);
INSERT INTO samples
SELECT variant, 'bytes', 0, rep, sum(value) FROM samples
WHERE metric IN ('table bytes', 'index bytes') GROUP BY variant, rep;

\o :results/tables.tsv
SELECT measure, unit,
	   spread((SELECT array_agg(s * factor)
			   FROM unnest(values_of('v4 + created_at', metric)) s), digits)
	   AS "v4 + created_at",
	   spread((SELECT array_agg(s * factor)
			   FROM unnest(values_of('v7', metric)) s), digits)
	   AS "v7",
	   spread((SELECT array_agg(s * factor)
			   FROM unnest(values_of('bigint + created_at', metric)) s), digits)
	   AS "bigint + created_at",
	   quotient(values_of('v7', metric), values_of('v4 + created_at', metric)) AS "v7 ÷ v4",
	   quotient(values_of('v7', metric), values_of('bigint + created_at', metric)) AS "v7 ÷ bigint"
FROM measures ORDER BY no;

\o :results/tables_clients.tsv
SELECT x AS clients, variant AS "table",
	   spread(values_of(variant, 'tps', x), 0) AS "inserts/s",
	   quotient(values_of(variant, 'tps', x), values_of('v4 + created_at', 'tps', x))
	   AS "inserts/s ÷ v4's",
	   quotient(values_of(variant, 'tps', x), values_of('bigint + created_at', 'tps', x))
	   AS "inserts/s ÷ bigint's",
	   spread(values_of(variant, 'WAL', x), 0) AS "WAL bytes per row",
	   quotient(values_of(variant, 'WAL', x), values_of('v4 + created_at', 'WAL', x))
	   AS "WAL bytes per row ÷ v4's"
FROM kinds, (SELECT DISTINCT x FROM samples WHERE metric = 'tps') s ORDER BY x, no;
\o
