\set ECHO none
--
-- Windows use indexes and prune partitions.  test/t/kinds_windows.pl tests the rows.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET enable_seqscan = off;
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
			line := regexp_replace(line, ' \((actual|never).*', CASE WHEN line ~ 'never executed'
				THEN ' (never executed)' ELSE '' END);
			RETURN NEXT regexp_replace(line, '^ *(->)? *', '');
		END IF;
	END LOOP;
END $$;

--
-- Index use
--
CREATE TABLE events (id uuid PRIMARY KEY, n int);
INSERT INTO events SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 min'), i
	FROM generate_series(0, 19999) i;
ANALYZE events;

\echo '-- constants; both ends open; ends in the wrong order'
SELECT plan_of($$SELECT n FROM events
	WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00')$$);
SELECT count(*) FROM events WHERE uuid_v7_between(id, NULL, NULL);
SELECT count(*) FROM events WHERE uuid_v7_between(id, '2026-01-05 01:00', '2026-01-05');
SELECT min(n), max(n) FROM events WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00');
\echo '-- dates and timestamps in the session''s time zone'
SET TimeZone = 'America/New_York';
SELECT min(n), max(n) FROM events
	WHERE uuid_v7_between(id, date '2026-01-05', timestamp '2026-01-05 01:00');
SET TimeZone = 'UTC';

\echo '-- a volatile end is not used as an index condition'
SELECT count(*) FROM plan_of($$SELECT n FROM events
	WHERE uuid_v7_between(id, clock_timestamp() - interval '1 day', NULL)$$) l
	WHERE l ~ 'Index Cond.*clock';

-- A generic plan
PREPARE in_between(timestamptz, timestamptz) AS SELECT n FROM events
	WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_between('2026-01-05', '2026-01-05 01:00')$$);
EXECUTE in_between('2026-01-05', '2026-01-05 00:02');
EXECUTE in_between(NULL, '2026-01-01 00:02');
EXECUTE in_between('2026-01-14 21:18', NULL);
RESET plan_cache_mode;

-- With ends from another table, the window is the inner side of a nested loop.
CREATE TABLE spans (name text, since timestamptz, until timestamptz);
INSERT INTO spans VALUES ('a', '2026-01-05', '2026-01-05 00:03'), ('b', '2026-01-06',
	'2026-01-06 00:02'), ('open', NULL, '2026-01-01 00:01'), ('none', '2026-01-06', '2026-01-05');
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT plan_of($$SELECT * FROM spans s JOIN events e ON uuid_v7_between(e.id, s.since, s.until)$$);
SELECT s.name, e.n FROM spans s JOIN events e ON uuid_v7_between(e.id, s.since, s.until) ORDER BY 2;
SELECT s.name, count(e.n) FROM spans s LEFT JOIN events e ON uuid_v7_between(e.id, s.since, s.until)
	GROUP BY 1 ORDER BY 1;
\echo '-- a window that is not a condition on a scan'
SELECT plan_of($$SELECT max(n) FROM events WHERE CASE WHEN n > 5
	THEN uuid_v7_between(id, '2026-01-05', NULL) END
	HAVING bool_or(uuid_v7_between(id, '2026-01-06', NULL))$$);
\echo '-- an end that depends on the same row'
SELECT count(*) FROM plan_of($$SELECT 1 FROM events
	WHERE uuid_v7_between(id, uuid_v7_timestamp(id), NULL)$$) l WHERE l ~ 'Index Cond';
SELECT count(*) FROM events WHERE uuid_v7_between(id, uuid_v7_timestamp(id), NULL);

-- RFC 9562
CREATE TABLE others (v6 uuid, rfc uuid);
INSERT INTO others SELECT uuid_generate_v6_at(ts), uuid_generate_v7_at(ts, 'rfc9562')
FROM generate_series(timestamptz '2026-01-01', '2026-01-14', '1 min') ts;
CREATE INDEX ON others (rfc);
ANALYZE others;
SELECT plan_of($$SELECT count(*) FROM others
	WHERE uuid_v7_between(rfc, '2026-01-05', '2026-01-05 01:00', 'rfc9562')$$);

--
-- Constants prune partitions at plan time, other expressions at execution
--
CREATE TABLE log (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE log_01 PARTITION OF log FOR VALUES
	FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-02-01'));
CREATE TABLE log_02 PARTITION OF log FOR VALUES
	FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-03-01')) PARTITION BY RANGE (id);
CREATE TABLE log_02a PARTITION OF log_02 FOR VALUES
	FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-02-15'));
CREATE TABLE log_02b PARTITION OF log_02 FOR VALUES
	FROM (uuid_v7_min('2026-02-15')) TO (uuid_v7_min('2026-03-01'));
CREATE TABLE log_03 PARTITION OF log FOR VALUES
	FROM (uuid_v7_min('2026-03-01')) TO (uuid_v7_min('2026-04-01'));
INSERT INTO log SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour'), i
	FROM generate_series(0, 2159) i;
CREATE INDEX ON log (id);
ANALYZE log;
SELECT count(*), min(n), max(n) FROM log
	WHERE uuid_v7_between(id, '2026-02-28', '2026-03-01 00:00:00.000001');
SELECT count(*) FROM log WHERE uuid_v7_between(id, NULL, NULL);
PREPARE in_log(timestamptz, timestamptz) AS SELECT n FROM log WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_log('2026-02-03', '2026-02-03 02:00')$$);
EXECUTE in_log('2026-02-03', '2026-02-03 02:00');
EXECUTE in_log('2026-03-31 22:00', NULL);
RESET plan_cache_mode;
\echo '-- an end from a sub-select uses the indexes of all partitions'
SELECT count(*) FROM plan_of($$SELECT n FROM log
	WHERE uuid_v7_between(id, (SELECT timestamptz '2026-02-03' + (now() - now())),
	'2026-02-03 02:00')$$) l WHERE l ~ 'Index Cond';
DELETE FROM log WHERE uuid_v7_between(id, '2026-02-03', '2026-02-03 02:00');
SELECT count(*) FROM log;

--
-- Row-level security: a leakproof condition on the key comes before the policy
--
CREATE ROLE regress_uuidnew_reader;
ALTER TABLE others ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON others USING (extract(minute FROM uuid_v6_timestamp(v6))::int % 2 = 1);
GRANT SELECT ON others TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT count(*) FROM others WHERE uuid_v7_between(rfc, '2026-01-05', '2026-01-05 01:00', 'rfc9562');
SELECT plan_of($$SELECT 1 FROM others
	WHERE uuid_v7_between(rfc, now() - interval '1 day', now() + interval '1000 years',
	'rfc9562')$$);
RESET ROLE;
DROP OWNED BY regress_uuidnew_reader;
DROP ROLE regress_uuidnew_reader;

\echo '-- partition maintenance by pg_partman'
SELECT uuid_v7_partman_encoder('2026-01-01'),
	uuid_v7_partman_decoder('06955b90-0000-7000-8000-000000000000'),
	   uuid_v7_rfc9562_partman_encoder('2026-01-01'),
	   	uuid_v7_rfc9562_partman_decoder('019b76da-a800-7000-8000-000000000000');
SELECT count(*) FROM generate_series(timestamptz '2020-01-01', '2040-01-01', '7 days 1.234 s') ts
WHERE uuid_v7_partman_decoder(uuid_v7_partman_encoder(ts)) IS DISTINCT FROM ts
   OR uuid_v7_rfc9562_partman_decoder(uuid_v7_rfc9562_partman_encoder(ts)) IS DISTINCT FROM ts;
SELECT uuid_v7_partman_encoder(NULL), uuid_v7_partman_decoder(NULL);

DROP TABLE events, spans, others, log;

\echo '-- a NULL layout or epoch returns NULL; an unknown layout is an error'
SELECT uuid_v7_between(uuid_v7_min('2026-01-01'), NULL, NULL, NULL),
	uuid_v8_between(uuid_generate_v8(), NULL, NULL, 'unix64', NULL);
SELECT uuid_v7_since(now(), NULL), uuid_v7_until(NULL, NULL), uuid_v8_since(now(), NULL, now()),
	uuid_v8_until(NULL, 'unix48', NULL);
SELECT uuid_v7_since(now(), 'no such');
SELECT uuid_v7_since(NULL, 'no such');
SELECT uuid_v8_until(NULL, 'unix48', 'infinity');

--
-- A window in GROUP BY is NULL in the rows of other grouping sets
--
CREATE TABLE grouped AS
SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour') AS id
	FROM generate_series(0, 99) i;
SELECT uuid_v7_between(id, '2026-01-01', '2026-01-03') AS inside, count(*) FROM grouped
GROUP BY ROLLUP (1) HAVING uuid_v7_between(id, '2026-01-01', '2026-01-03');
SELECT NOT uuid_v7_between(id, '2026-01-01', '2026-01-03') AS outside, count(*) FROM grouped
WHERE uuid_v7_between(id, '2026-01-02', '2026-01-05')
	GROUP BY ROLLUP (uuid_v7_between(id, '2026-01-01', '2026-01-03')) ORDER BY 1;
SELECT DISTINCT uuid_v7_before(id, ts) FROM grouped, (VALUES (timestamptz '2027-01-01')) t(ts)
GROUP BY GROUPING SETS ((id, ts), (uuid_v7_min(ts))) HAVING id IS NOT NULL;
SELECT DISTINCT uuid_v7_before(id, ts) FROM grouped, (VALUES (timestamptz '2027-01-01')) t(ts)
GROUP BY GROUPING SETS ((id, ts), (uuid_v7_is(id))) HAVING id IS NOT NULL;

--
-- COPY evaluates the simplified expression itself
--
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
-- Types of the other operand
CREATE TABLE stamped_keys (id uuid PRIMARY KEY);
INSERT INTO stamped_keys SELECT uuidv7_at(timestamptz '2026-01-01 00:00+00' + i * interval '1 hour')
	FROM generate_series(0, 47) i;
SELECT count(*) FROM stamped_keys WHERE id >= date '2026-01-02';
SELECT count(*) FROM stamped_keys WHERE id < timestamp '2026-01-01 12:00';
SELECT count(*) FROM stamped_keys
	WHERE id BETWEEN '2026-01-01 06:00+00'::timestamptz AND '2026-01-01 12:00+00'::timestamptz;
SELECT count(*) FROM stamped_keys
	WHERE id NOT BETWEEN timestamptz '2026-01-01 06:00+00' AND '2026-01-01 12:00+00';
SELECT count(*) FROM stamped_keys WHERE id >= '019b7000-0000-7000-8000-000000000000';
SELECT count(*) FROM stamped_keys WHERE id >= '2026-01-01';
PREPARE untyped AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
PREPARE typed(timestamptz, date) AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
SELECT name, parameter_types FROM pg_prepared_statements WHERE name LIKE '%typed' ORDER BY name;
EXECUTE typed('2026-01-01 06:00+00', '2026-01-02');
SELECT count(*) FROM stamped_keys WHERE id < NULL::timestamptz;
SELECT count(*) FROM (VALUES (timestamptz '2026-01-01 06:00+00')) v(ts),
	LATERAL (SELECT id FROM stamped_keys WHERE id >= ts ORDER BY id LIMIT 5) x;

-- A policy with an operator uses the index.
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
