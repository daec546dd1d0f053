--
-- What pgbench measured with many clients: samples come from bench/run.
--
\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\copy samples FROM pstdin
\o :results/clients.tsv
SELECT x AS clients, variant AS key,
	   spread(values_of(variant, 'tps', x), 0) AS "inserts/s",
	   quotient(values_of(variant, 'tps', x), values_of('v4: gen_random_uuid()', 'tps', x))
	   AS "inserts/s ÷ v4's",
	   quotient(values_of(variant, 'tps', x), values_of('bigint identity', 'tps', x))
	   AS "inserts/s ÷ bigint's",
	   spread(values_of(variant, 'p50', x), 2) AS "p50, ms",
	   spread(values_of(variant, 'p99', x), 2) AS "p99, ms"
FROM keys, (SELECT DISTINCT x FROM samples) s ORDER BY x, no;
\o
