--
-- One lookup after the other of recent keys, right after a start with nothing in
-- memory: one repetition of bench/run, which empties the caches before.
--
\set QUIET on
\set ON_ERROR_STOP on
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_seqscan = off;
DO $$
DECLARE
	k keys;
	plan jsonb;
	probes int;
BEGIN
	FOR k IN SELECT * FROM keys ORDER BY no LOOP
		EXECUTE format('SELECT count(*) FROM recent_%s', k.no) INTO probes;
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)
			SELECT count(payload) FROM recent_%1$s JOIN events_%1$s USING (id)', k.no) INTO plan;
		INSERT INTO samples
		SELECT k.variant, metric, 0,
			(SELECT count(*) + 1 FROM samples s
			 WHERE (s.variant, s.metric) = (k.variant, v.metric)),
			value
		FROM (VALUES ('cold lookup, us', (plan -> 0 ->> 'Execution Time')::float8 * 1000 / probes),
			('cold, blocks read', (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::float8)
		) v(metric, value);
	END LOOP;
END $$;
