\set ECHO none
--
-- Windows use indexes and prune partitions.  test/t/kinds_windows.pl and window_rows.pl test the
-- rows, window_plans.pl and window_rights.pl other tables, statements and rights.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET jit = off;
SET max_parallel_workers_per_gather = 0;

-- The lines of a plan about scans and conditions, which are the same in every version of PostgreSQL
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ '(Scan|Index Cond|Recheck Cond|Filter:|One-Time|Subplans Removed'
				'|never executed)' THEN
			line := regexp_replace(line, ' \((actual|never).*', CASE
				WHEN line ~ 'never executed' THEN ' (never executed)' ELSE '' END);
			RETURN NEXT regexp_replace(line, '^ *(->)? *', '');
		END IF;
	END LOOP;
END $$;

--
-- Index use
--
CREATE TABLE events (id uuid PRIMARY KEY, n int);
INSERT INTO events
SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 min'), i
FROM generate_series(0, 19999) i;
ANALYZE events;

\echo '-- constants; both ends open; ends in the wrong order; dates in the session''s time zone'
SELECT plan_of($$SELECT n FROM events
	WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00')$$);
SELECT min(n), max(n) FROM events WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00');
SELECT count(*) FROM events WHERE uuid_v7_between(id, NULL, NULL);
SELECT count(*) FROM events WHERE uuid_v7_between(id, '2026-01-05 01:00', '2026-01-05');
SET TimeZone = 'America/New_York';
SELECT min(n), max(n) FROM events
WHERE uuid_v7_between(id, date '2026-01-05', timestamp '2026-01-05 01:00');
SET TimeZone = 'UTC';

\echo '-- ends that are volatile or depend on the same row are not index conditions'
SELECT count(*) FROM plan_of($$SELECT n FROM events
	WHERE uuid_v7_between(id, clock_timestamp() - interval '1 day', NULL)
	UNION ALL SELECT n FROM events
	WHERE uuid_v7_between(id, uuid_v7_timestamp(id), NULL)$$) l WHERE l ~ 'Index Cond';

\echo '-- a generic plan'
PREPARE in_between(timestamptz, timestamptz) AS
	SELECT n FROM events WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_between('2026-01-05', '2026-01-05 01:00')$$);
EXECUTE in_between('2026-01-05', '2026-01-05 00:02');
EXECUTE in_between('2026-01-14 21:18', NULL);
RESET plan_cache_mode;

\echo '-- with ends from another table, the window is the inner side of a nested loop'
CREATE TABLE spans (name text, since timestamptz, until timestamptz);
INSERT INTO spans VALUES
	('a', '2026-01-05', '2026-01-05 00:03'),
	('open', NULL, '2026-01-01 00:01'),
	('none', '2026-01-06', '2026-01-05');
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT plan_of($$SELECT * FROM spans s JOIN events e ON uuid_v7_between(e.id, s.since, s.until)$$);
SELECT s.name, count(e.n), min(e.n)
FROM spans s LEFT JOIN events e ON uuid_v7_between(e.id, s.since, s.until)
GROUP BY 1 ORDER BY 1;
\echo '-- a window that is not a condition on a scan'
SELECT plan_of($$SELECT max(n) FROM events
	WHERE CASE WHEN n > 5 THEN uuid_v7_between(id, '2026-01-05', NULL) END
	HAVING bool_or(uuid_v7_between(id, '2026-01-06', NULL))$$);

--
-- Constants prune partitions at plan time, other expressions at execution
--
CREATE TABLE log (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE log_01 PARTITION OF log
	FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-02-01'));
CREATE TABLE log_02 PARTITION OF log
	FOR VALUES FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-03-01'));
CREATE TABLE log_03 PARTITION OF log
	FOR VALUES FROM (uuid_v7_min('2026-03-01')) TO (uuid_v7_min('2026-04-01'));
INSERT INTO log SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour'), i
FROM generate_series(0, 2159) i;
CREATE INDEX ON log (id);
ANALYZE log;
SELECT count(*), min(n), max(n) FROM log
WHERE uuid_v7_between(id, '2026-02-28', '2026-03-01 00:00:00.000001');
PREPARE in_log(timestamptz, timestamptz) AS SELECT n FROM log WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_log('2026-02-03', '2026-02-03 02:00')$$);
EXECUTE in_log('2026-02-03', '2026-02-03 02:00');
RESET plan_cache_mode;
DELETE FROM log WHERE uuid_v7_between(id, '2026-02-03', '2026-02-03 02:00');
SELECT count(*) FROM log;

--
-- Row-level security: a leakproof condition on the key comes before the policy
--
CREATE ROLE regress_uuidnew_reader;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON events USING (n % 2 = 1);
GRANT SELECT ON events TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT plan_of($$SELECT 1 FROM events
	WHERE uuid_v7_between(id, now() - interval '1 day', now() + interval '1000 years')$$);
RESET ROLE;
DROP OWNED BY regress_uuidnew_reader;
DROP ROLE regress_uuidnew_reader;
DROP TABLE events, spans, log;

\echo '-- partition maintenance by pg_partman'
SELECT count(*) FROM generate_series(timestamptz '2020-01-01', '2040-01-01', '7 days 1.234 s') ts,
	uuid_v7_partman_encoder(ts) draft, uuid_v7_rfc9562_partman_encoder(ts) rfc
WHERE (draft, rfc, uuid_v7_partman_decoder(draft), uuid_v7_rfc9562_partman_decoder(rfc))
	IS DISTINCT FROM (uuid_v7_min(ts)::text, uuidv7_min(ts)::text, ts, ts);

\echo '-- a NULL layout or epoch returns NULL; an unknown layout is an error'
SELECT uuid_v7_between(uuid_v7_min('2026-01-01'), NULL, NULL, NULL),
	uuid_v8_between(uuid_generate_v8(), NULL, NULL, 'unix64', NULL), uuid_v7_since(now(), NULL),
	uuid_v7_until(NULL, NULL), uuid_v8_since(now(), NULL, now()),
	uuid_v8_until(NULL, 'unix48', NULL);
\set VERBOSITY terse
SELECT uuid_v7_since(now(), 'no such');
SELECT uuid_v7_since(NULL, 'no such');
SELECT uuid_v8_until(NULL, 'unix48', 'infinity');
\set VERBOSITY default

\echo '-- a window in GROUP BY is NULL in the rows of other grouping sets, and so is its bound'
CREATE TABLE grouped AS
SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour') AS id,
	timestamptz '2027-01-01' AS ts
FROM generate_series(0, 99) i;
SELECT NOT uuid_v7_between(id, '2026-01-01', '2026-01-03') AS outside, count(*) FROM grouped
WHERE uuid_v7_between(id, '2026-01-02', '2026-01-05')
GROUP BY ROLLUP (uuid_v7_between(id, '2026-01-01', '2026-01-03')) ORDER BY 1;
SELECT DISTINCT uuid_v7_before(id, ts) FROM grouped
GROUP BY GROUPING SETS ((id, ts), (uuid_v7_min(ts))) HAVING id IS NOT NULL;
SELECT DISTINCT uuid_v7_before(id, ts) FROM grouped
GROUP BY GROUPING SETS ((id, ts), (uuid_v7_is(id))) HAVING id IS NOT NULL;

\echo '-- COPY evaluates the simplified expression itself'
CREATE TABLE copied (id uuid);
COPY copied FROM stdin WHERE uuid_v7_between(id, '2026-01-01', NULL);
069600f0-0000-7000-8000-000000000000
009600f0-0000-7000-8000-000000000000
\N
\.
SELECT count(*) FROM copied;
DROP TABLE copied, grouped;

--
-- Operators compare the time of the key.
--
CREATE TABLE stamped_keys (id uuid PRIMARY KEY);
INSERT INTO stamped_keys
SELECT uuidv7_at(timestamptz '2026-01-01 00:00+00' + i * interval '1 hour')
FROM generate_series(0, 47) i;
\echo '-- types of the other operand'
SELECT count(*) FROM stamped_keys WHERE id >= date '2026-01-02';
SELECT count(*) FROM stamped_keys WHERE id < timestamp '2026-01-01 12:00';
SELECT count(*) FROM stamped_keys
WHERE id BETWEEN '2026-01-01 06:00+00'::timestamptz AND '2026-01-01 12:00+00'::timestamptz;
SELECT count(*) FROM stamped_keys WHERE id >= '019b7000-0000-7000-8000-000000000000';
SELECT count(*) FROM stamped_keys WHERE id >= '2026-01-01';
SELECT count(*) FROM stamped_keys WHERE id < NULL::timestamptz;
PREPARE untyped AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
PREPARE typed(timestamptz, date) AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
SELECT name, parameter_types FROM pg_prepared_statements WHERE name LIKE '%typed' ORDER BY name;
EXECUTE typed('2026-01-01 06:00+00', '2026-01-02');

\echo '-- a policy with an operator uses the index'
CREATE ROLE regress_uuidnew_reader;
CREATE POLICY late ON stamped_keys USING (id >= '2026-01-02 12:00+00'::timestamptz);
ALTER TABLE stamped_keys ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON stamped_keys TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT plan_of('SELECT FROM stamped_keys');
SELECT count(*) FROM stamped_keys WHERE id < '2026-01-02 18:00+00'::timestamptz;
RESET ROLE;
DROP OWNED BY regress_uuidnew_reader;
DROP ROLE regress_uuidnew_reader;

DROP TABLE stamped_keys;
DROP FUNCTION plan_of;
