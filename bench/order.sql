--
-- What uuidnew.order_scope = server costs: samples come from bench/run.
--
\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset fieldsep '\t'
\pset footer off
\copy samples FROM pstdin

CREATE FUNCTION differences(v text, base text, m text, at bigint) RETURNS float8[]
LANGUAGE sql STABLE AS $$
	SELECT array_agg(s.value - b.value ORDER BY rep)
	FROM samples s JOIN samples b USING (metric, x, rep)
	WHERE (s.variant, metric, x) = (v, m, at) AND b.variant = base
$$;

\o :results/order.tsv
SELECT scope AS "order_scope",
	   spread(differences(scope, 'empty', 'ns', 1), 1) AS "net ns of processor time a key",
	   spread(values_of(scope, 'keys', 2), 0) AS "keys/s of two sessions",
	   quotient(values_of(scope, 'keys', 2), values_of('session', 'keys', 2))
	   AS "keys/s of two sessions ÷ session's",
	   spread(values_of(scope, 'keys of ten a row', 2), 0) AS "ten keys a row",
	   quotient(values_of(scope, 'keys of ten a row', 2),
				values_of('session', 'keys of ten a row', 2)) AS "ten keys a row ÷ session's"
FROM (VALUES (1, 'session'), (2, 'server')) v(no, scope) ORDER BY no;

\o :results/order_clients.tsv
SELECT x AS clients,
	   spread(values_of('session', 'tps', x), 0) AS "session, inserts/s",
	   spread(values_of('server', 'tps', x), 0) AS "server, inserts/s",
	   quotient(values_of('server', 'tps', x), values_of('session', 'tps', x)) AS "server ÷ session"
FROM (SELECT DISTINCT x FROM samples WHERE metric = 'tps') s ORDER BY x;

\o :results/order_horizon.tsv
SELECT title AS "beside", spread(values_of(crowd, 'horizon'), 2) AS "uuidv7_horizon(), µs"
FROM (VALUES (1, 'none', 'no other session'), (2, 'idle', :'many' || ' idle sessions'),
	(3, 'in flight', :'many' || ' sessions with a key in flight')) v(no, crowd, title)
ORDER BY no;

\o :results/order_memory.tsv
SELECT x AS "max_connections", round(value / 1024) AS "shared memory, kB"
FROM samples WHERE metric = 'bytes' ORDER BY 1;

\o :results/order_targets.tsv
SELECT target, round(figure::numeric, 3) AS measured, is_met(figure, least, most) AS "is"
FROM (
	SELECT 'server costs at most 12 ns more than session',
		   median(differences('server', 'session', 'ns', 1)), '-infinity'::float8, 12::float8
	UNION ALL
	SELECT 'two sessions make at least 0.60 of what they make with session',
		   median(ratios('server', 'session', 'keys', 2)), 0.60, 'infinity'
	UNION ALL
	SELECT format('INSERTs of %s clients within 3 %%', x),
		   median(ratios('server', 'session', 'tps', x)), 0.97, 'infinity'
	FROM (SELECT DISTINCT x FROM samples WHERE metric = 'tps' ORDER BY 1) s
	UNION ALL
	SELECT format('a horizon beside %s sessions takes less than 1 µs', :'many'),
		   greatest(median(values_of('idle', 'horizon')),
					median(values_of('in flight', 'horizon'))),
		   0, 1
) t(target, figure, least, most);
\o
