--
-- What uuidnew.order_scope = server costs: samples come from bench/run.
--
\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\copy samples FROM pstdin
INSERT INTO samples
SELECT variant, 'keys', x, rep, value * 10000 FROM samples WHERE metric = 'queries';

\o :results/order.tsv
SELECT x AS clients, spread(values_of('session', 'keys', x), 0) AS "session, keys/s",
	   spread(values_of('server', 'keys', x), 0) AS "server, keys/s",
	   quotient(values_of('server', 'keys', x), values_of('session', 'keys', x))
	   AS "server ÷ session"
FROM generate_series(1, 2) x;
\o
