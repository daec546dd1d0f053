--
-- A window of time on the key: right rows, index, partitions.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET enable_seqscan = off;
SET jit = off;
SET max_parallel_workers_per_gather = 0;

-- the lines of a plan that say how the key is found; they are the same in
-- every version of PostgreSQL
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ '(Scan|Index Cond|Recheck Cond|Filter:|One-Time|Subplans Removed|never executed)' THEN
			line := regexp_replace(line, ' \((actual|never).*', CASE WHEN line ~ 'never executed' THEN ' (never executed)' ELSE '' END);
			RETURN NEXT regexp_replace(line, '^ *(->)? *', '');
		END IF;
	END LOOP;
END $$;

--
-- Right results: the same as reading each key, on a column that holds
-- everything, without an index and with several
--
CREATE TABLE keys (id uuid, row serial);
INSERT INTO keys (id) SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '7 min 13.000001 s', layout)
FROM generate_series(0, 999) i, unnest(ARRAY['millisecond', 'microsecond', 'nanosecond']) layout;
INSERT INTO keys (id) SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '7 min 13.000001 s', 'rfc9562') FROM generate_series(0, 999) i;
INSERT INTO keys (id) SELECT uuid_generate_v6_at(timestamptz '2026-01-01' + i * interval '7 min') FROM generate_series(0, 999) i;
INSERT INTO keys (id) SELECT uuid_generate_v8_at(timestamptz '2026-01-01' + i * interval '7 min', layout)
FROM generate_series(0, 199) i, unnest(ARRAY['unix32', 'unix48', 'gregorian60', 'unix64', 'ntp64', 'iso8601']) layout;
-- version 4, also in the range of the others' first bytes
INSERT INTO keys (id) SELECT overlay(overlay(md5(i::text) PLACING '4' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid FROM generate_series(1, 1000) i;
INSERT INTO keys (id) SELECT overlay(id::text PLACING '4' FROM 15 FOR 1)::uuid FROM keys WHERE uuid_v7_timestamp(id) IS NOT NULL LIMIT 1000;
INSERT INTO keys (id) SELECT overlay(id::text PLACING 'c' FROM 20 FOR 1)::uuid FROM keys WHERE uuid_v7_timestamp(id) IS NOT NULL LIMIT 100;
INSERT INTO keys (id) VALUES (NULL), (NULL), ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('00000000-0000-7000-8000-000000000000'), ('ffffffff-ffff-7fff-bfff-ffffffffffff');

CREATE TABLE windows (n serial, since timestamptz, until timestamptz);
INSERT INTO windows (since, until) SELECT since, since + len FROM
	unnest(ARRAY['2026-01-01', '2026-01-02 03:04:05.678901', '2026-01-03 00:07:13.000001', '2026-01-05 23:59:59.999999']::timestamptz[]) since,
	unnest(ARRAY['0', '1 us', '1 ms', '7 min 13 s', '1 day', '1 year']::interval[]) len;
INSERT INTO windows (since, until) VALUES (NULL, NULL), (NULL, '2026-01-02'), ('2026-01-02', NULL), ('2026-01-03', '2026-01-02'),
	('-infinity', 'infinity'), ('infinity', '-infinity'), ('-infinity', '2026-01-02'), ('2026-01-02', 'infinity'),
	('infinity', NULL), (NULL, '-infinity'), ('4713-01-01 BC', '294276-12-31'), ('1970-01-01', '1970-01-01 00:00:00.000001'),
	('4147-08-20 07:32:15.999999', '4147-08-20 07:32:16'), ('2199-01-01', '2200-01-01'), ('-infinity', NULL), (NULL, 'infinity'), ('1995-07-09', '2074-07-12');

-- the readers, as a call of the timestamp and of the window
CREATE TABLE readers (reader text);
INSERT INTO readers VALUES ('uuid_v6_%s(id%s)'), ('uuid_v7_%s(id%s)'), ('uuid_v7_%s(id%s, ''nanosecond'')'), ('uuid_v7_%s(id%s, ''rfc9562'')'), ('uuidv7_%s(id%s)'),
	('uuid_v8_%s(id%s)'), ('uuid_v8_%s(id%s, ''unix32'')'), ('uuid_v8_%s(id%s, ''unix48'', ''2020-01-01'')'),
	('uuid_v8_%s(id%s, ''gregorian60'')'), ('uuid_v8_%s(id%s, ''ntp64'')'), ('uuid_v8_%s(id%s, ''iso8601'')');

-- each key, and what each reader reads in it
CREATE TABLE times (reader text, row int, ts timestamptz);
DO $$
DECLARE
	r text;
BEGIN
	FOR r IN SELECT reader FROM readers LOOP
		EXECUTE format('INSERT INTO times SELECT %L, row, %s FROM keys', r, format(r, 'timestamp', ''));
	END LOOP;
END $$;
-- in a window? An open end of version 7 is the border between the draft's keys and RFC 9562's
CREATE FUNCTION is_inside(reader text, id uuid, ts timestamptz, since timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql AS $$
SELECT ts IS NOT NULL
	AND CASE WHEN since IS NOT NULL THEN ts >= since
		ELSE reader !~ '^uuid_v7' OR reader ~ 'rfc9562' OR id >= '03000000-0000-7000-8000-000000000000' END
	AND CASE WHEN until IS NOT NULL THEN ts < until
		ELSE reader !~ '^uuidv7|rfc9562' OR id < '03000000-0000-7000-8000-000000000000' END $$;
-- rows as a sum that another set of rows does not have
CREATE TABLE expected AS
SELECT reader, n, since, until, count(row) AS hits, coalesce(sum(row::numeric ^ 3), 0) AS which
FROM readers CROSS JOIN windows
	LEFT JOIN times USING (reader)
	LEFT JOIN keys USING (row)
WHERE is_inside(reader, id, ts, since, until)
GROUP BY 1, 2, 3, 4;

-- for each window as constants: does the function find the same?
CREATE FUNCTION differences() RETURNS TABLE (reader text, n int, hits bigint, same boolean) LANGUAGE plpgsql AS $$
DECLARE
	w record;
BEGIN
	FOR w IN SELECT r.reader, windows.*, coalesce(e.hits, 0) AS hits, coalesce(e.which, 0) AS which
			 FROM readers r CROSS JOIN windows LEFT JOIN expected e ON e.reader = r.reader AND e.n = windows.n LOOP
		reader := w.reader;
		n := w.n;
		hits := w.hits;
		EXECUTE format('SELECT (count(*), coalesce(sum(row::numeric ^ 3), 0)) = ($1, $2) FROM keys WHERE %s',
			format(w.reader, 'between', format(', %L, %L', w.since, w.until)))
		INTO same USING w.hits, w.which;
		RETURN NEXT;
	END LOOP;
END $$;

CREATE TABLE results AS SELECT 'no index' AS index, * FROM differences();
CREATE INDEX keys_btree ON keys (id);
INSERT INTO results SELECT 'btree', * FROM differences();
DROP INDEX keys_btree;
CREATE INDEX keys_desc ON keys (id DESC NULLS LAST);
INSERT INTO results SELECT 'btree desc', * FROM differences();
DROP INDEX keys_desc;
CREATE INDEX keys_brin ON keys USING brin (id) WITH (pages_per_range = 1);
INSERT INTO results SELECT 'brin', * FROM differences();
DROP INDEX keys_brin;
CREATE INDEX keys_brin_multi ON keys USING brin (id uuid_minmax_multi_ops) WITH (pages_per_range = 1);
INSERT INTO results SELECT 'brin multi', * FROM differences();
DROP INDEX keys_brin_multi;
-- these can't find a range, and must not be asked to
CREATE INDEX keys_hash ON keys USING hash (id);
INSERT INTO results SELECT 'hash', * FROM differences();
DROP INDEX keys_hash;
CREATE INDEX keys_bloom ON keys USING brin (id uuid_bloom_ops);
INSERT INTO results SELECT 'brin bloom', * FROM differences();
DROP INDEX keys_bloom;

SELECT index, count(*) AS windows, sum(hits) > 100000 AS enough, bool_and(same) AS same FROM results GROUP BY 1 ORDER BY 1;
SELECT index, reader, n, hits FROM results WHERE NOT same ORDER BY 1, 2, 3 LIMIT 10;

-- with a constraint, too
CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuid_v7_timestamp(id) IS NOT NULL), row int);
INSERT INTO checked SELECT id, row FROM keys WHERE uuid_v7_timestamp(id) IS NOT NULL;
SELECT n, since, until FROM windows
WHERE (SELECT count(*) FROM checked WHERE uuid_v7_between(id, since, until)) <>
	  (SELECT count(*) FROM times JOIN keys USING (row) WHERE reader = 'uuid_v7_%s(id%s)' AND is_inside(reader, id, ts, since, until));
SELECT count(*) FROM checked WHERE uuid_v7_between(id, NULL, NULL, NULL);

\echo '-- NULL for a NULL key, false for what carries no time'
SELECT id, uuid_v6_between(id, NULL, NULL) AS v6, uuid_v7_between(id, NULL, NULL) AS v7, uuid_v7_between(id, NULL, NULL, 'rfc9562') AS rfc, uuid_v8_between(id, NULL, NULL) AS v8, uuid_v8_between(id, NULL, NULL, 'iso8601') AS iso
FROM (VALUES (NULL::uuid), ('00000000-0000-0000-0000-000000000000'), ('5b6d6a9c-3c5e-4e5f-9d3c-2f1e0d9c8b7a'), ('1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
	('0698173f-2c9f-7cb0-b00a-000000000000'), ('02ffffff-ffff-7fff-bfff-ffffffffffff'), ('20240231-2359-8599-8000-000000000000'), ('20240229-2359-8599-8000-000000000000')) v(id);
\echo '-- infinity reaches across the border'
SELECT uuid_v7_layout(id), uuid_v7_between(id, '-infinity', NULL) AS draft, uuid_v7_between(id, '-infinity', 'infinity', 'microsecond') AS also, uuidv7_between(id, NULL, 'infinity') AS rfc
FROM unnest(ARRAY[uuid_generate_v7(), uuidv7()]) id;
SELECT uuid_v7_between(uuid_v7_min('2026-01-01'), NULL, NULL, NULL), uuid_v8_between(uuid_generate_v8(), NULL, NULL, 'unix64', NULL);
SELECT uuid_v7_between(uuid_generate_v7(), NULL, NULL, 'x');
SELECT uuid_v8_between(uuid_generate_v8(), NULL, NULL, 'unix64', 'infinity');

--
-- Index use
--
CREATE TABLE events (id uuid PRIMARY KEY, n int);
INSERT INTO events SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 min'), i FROM generate_series(0, 19999) i;
ANALYZE events;

\echo '-- constants; open ends; both open; ends in the wrong order'
SELECT plan_of($$SELECT n FROM events WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00')$$);
SELECT count(*) FROM events WHERE uuid_v7_between(id, NULL, NULL);
SELECT count(*) FROM events WHERE uuid_v7_between(id, '2026-01-05 01:00', '2026-01-05');
SELECT min(n), max(n) FROM events WHERE uuid_v7_between(id, '2026-01-05', '2026-01-05 01:00');
\echo '-- dates and timestamps in the session''s zone'
SET TimeZone = 'America/New_York';
SELECT min(n), max(n) FROM events WHERE uuid_v7_between(id, date '2026-01-05', timestamp '2026-01-05 01:00');
SET TimeZone = 'UTC';

\echo '-- a volatile end is not fixed while an index is scanned'
SELECT count(*) FROM plan_of($$SELECT n FROM events WHERE uuid_v7_between(id, clock_timestamp() - interval '1 day', NULL)$$) l WHERE l ~ 'Index Cond.*clock';

-- a generic plan
PREPARE in_between(timestamptz, timestamptz) AS SELECT n FROM events WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_between('2026-01-05', '2026-01-05 01:00')$$);
EXECUTE in_between('2026-01-05', '2026-01-05 00:02');
EXECUTE in_between(NULL, '2026-01-01 00:02');
EXECUTE in_between('2026-01-14 21:18', NULL);
RESET plan_cache_mode;

-- ends from another table: the inner side of a nested loop
CREATE TABLE spans (name text, since timestamptz, until timestamptz);
INSERT INTO spans VALUES ('a', '2026-01-05', '2026-01-05 00:03'), ('b', '2026-01-06', '2026-01-06 00:02'), ('open', NULL, '2026-01-01 00:01'), ('none', '2026-01-06', '2026-01-05');
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT plan_of($$SELECT * FROM spans s JOIN events e ON uuid_v7_between(e.id, s.since, s.until)$$);
SELECT s.name, e.n FROM spans s JOIN events e ON uuid_v7_between(e.id, s.since, s.until) ORDER BY 2;
SELECT s.name, count(e.n) FROM spans s LEFT JOIN events e ON uuid_v7_between(e.id, s.since, s.until) GROUP BY 1 ORDER BY 1;
\echo '-- the same expression where its bounds help nobody'
SELECT plan_of($$SELECT max(n) FROM events WHERE CASE WHEN n > 5 THEN uuid_v7_between(id, '2026-01-05', NULL) END HAVING bool_or(uuid_v7_between(id, '2026-01-06', NULL))$$);
\echo '-- not from the same table''s row'
SELECT count(*) FROM plan_of($$SELECT 1 FROM events WHERE uuid_v7_between(id, uuid_v7_timestamp(id), NULL)$$) l WHERE l ~ 'Index Cond';
SELECT count(*) FROM events WHERE uuid_v7_between(id, uuid_v7_timestamp(id), NULL);

\echo '-- NOT, DELETE, UPDATE, a domain, a view, an index on several columns'
SELECT count(*) FROM events WHERE NOT uuid_v7_between(id, '2026-01-02', NULL);
BEGIN;
DELETE FROM events WHERE uuid_v7_between(id, NULL, '2026-01-01 01:00');
UPDATE events SET n = -n WHERE uuid_v7_between(id, NULL, '2026-01-01 02:00');
SELECT count(*), sum(n) FILTER (WHERE n < 0) FROM events;
ROLLBACK;
CREATE DOMAIN event_id AS uuid CHECK (uuid_v7_timestamp(VALUE) IS NOT NULL);
CREATE TABLE domain_events (tenant int, id event_id, PRIMARY KEY (tenant, id));
INSERT INTO domain_events SELECT n % 10, id FROM events;
CREATE VIEW recent AS SELECT * FROM domain_events WHERE uuid_v7_between(id, '2026-01-05', NULL);
SELECT count(*) FROM recent WHERE tenant = 3 AND uuid_v7_between(id, NULL, '2026-01-05 01:00');

-- versions 6 and 8, RFC 9562
CREATE TABLE others (v6 uuid, rfc uuid, v8 uuid, iso uuid, epoch uuid);
INSERT INTO others SELECT uuid_generate_v6_at(ts), uuid_generate_v7_at(ts, 'rfc9562'), uuid_generate_v8_at(ts), uuid_generate_v8_at(ts, 'iso8601'), uuid_generate_v8_at(ts, 'unix48', NULL, '2020-01-01')
FROM generate_series(timestamptz '2026-01-01', '2026-01-14', '1 min') ts;
CREATE INDEX ON others (v6);
CREATE INDEX ON others (rfc);
CREATE INDEX ON others (v8);
CREATE INDEX ON others (iso);
CREATE INDEX ON others (epoch);
ANALYZE others;
SELECT plan_of($$SELECT count(*) FROM others WHERE uuid_v7_between(rfc, '2026-01-05', '2026-01-05 01:00', 'rfc9562')$$);
SELECT plan_of($$SELECT count(*) FROM others WHERE uuid_v8_between(epoch, '2026-01-05', '2026-01-05 01:00', 'unix48', '2020-01-01')$$);
SELECT (SELECT count(*) FROM others WHERE uuid_v6_between(v6, '2026-01-05', '2026-01-05 01:00')) AS v6,
	   (SELECT count(*) FROM others WHERE uuid_v7_between(rfc, '2026-01-05', '2026-01-05 01:00', 'rfc9562')) AS rfc,
	   (SELECT count(*) FROM others WHERE uuid_v8_between(v8, '2026-01-05', '2026-01-05 01:00')) AS v8,
	   (SELECT count(*) FROM others WHERE uuid_v8_between(iso, '2026-01-05', '2026-01-05 01:00', 'iso8601')) AS iso,
	   (SELECT count(*) FROM others WHERE uuid_v8_between(epoch, '2026-01-05', '2026-01-05 01:00', 'unix48', '2020-01-01')) AS epoch;

--
-- Partitions: pruned by constants when planned, by others when executed
--
CREATE TABLE log (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE log_01 PARTITION OF log FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-02-01'));
CREATE TABLE log_02 PARTITION OF log FOR VALUES FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-03-01')) PARTITION BY RANGE (id);
CREATE TABLE log_02a PARTITION OF log_02 FOR VALUES FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-02-15'));
CREATE TABLE log_02b PARTITION OF log_02 FOR VALUES FROM (uuid_v7_min('2026-02-15')) TO (uuid_v7_min('2026-03-01'));
CREATE TABLE log_03 PARTITION OF log FOR VALUES FROM (uuid_v7_min('2026-03-01')) TO (uuid_v7_min('2026-04-01'));
INSERT INTO log SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour'), i FROM generate_series(0, 2159) i;
CREATE INDEX ON log (id);
ANALYZE log;
SELECT count(*), min(n), max(n) FROM log WHERE uuid_v7_between(id, '2026-02-28', '2026-03-01 00:00:00.000001');
SELECT count(*) FROM log WHERE uuid_v7_between(id, NULL, NULL);
PREPARE in_log(timestamptz, timestamptz) AS SELECT n FROM log WHERE uuid_v7_between(id, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of($$EXECUTE in_log('2026-02-03', '2026-02-03 02:00')$$);
EXECUTE in_log('2026-02-03', '2026-02-03 02:00');
EXECUTE in_log('2026-03-31 22:00', NULL);
RESET plan_cache_mode;
\echo '-- an end from a sub-select: the indexes of all partitions'
SELECT count(*) FROM plan_of($$SELECT n FROM log WHERE uuid_v7_between(id, (SELECT timestamptz '2026-02-03' + (now() - now())), '2026-02-03 02:00')$$) l WHERE l ~ 'Index Cond';
DELETE FROM log WHERE uuid_v7_between(id, '2026-02-03', '2026-02-03 02:00');
SELECT count(*) FROM log;

--
-- Windows of one end: the rows of the window with the other end open, none for NULL
--
CREATE TABLE ends (id uuid, n serial);
INSERT INTO ends (id) SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour', layout)
FROM generate_series(0, 99) i, unnest(ARRAY['microsecond', 'rfc9562']) layout;
INSERT INTO ends (id) SELECT overlay(id::text PLACING '4' FROM 15 FOR 1)::uuid FROM ends;
INSERT INTO ends (id) VALUES (NULL), ('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('00000000-0000-7000-8000-000000000000'), ('ffffffff-ffff-7fff-bfff-ffffffffffff'), ('02ffffff-ffff-7fff-bfff-ffffffffffff'), ('03000000-0000-7000-8000-000000000000');
CREATE FUNCTION volatile_time(timestamptz) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION volatile_key(uuid) RETURNS uuid LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION rows_of(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT concat_ws('' '', count(*), sum(n)) FROM ends WHERE %s', condition) INTO result;
	RETURN result;
END $$;
CREATE TABLE end_results (family text, ts text, name text, condition text, key text, time text);
INSERT INTO end_results SELECT family, ts, name, condition, key, time
FROM unnest(ARRAY['uuid_v7', 'uuidv7']) family, unnest(ARRAY['2026-01-03', '2026-01-03 12:00:00.000001', 'infinity', '-infinity', '2100-01-01', '1960-01-01', NULL]) ts,
	(VALUES ('before', '%1$s_before(%2$s, %3$s)', '%1$s_between(%2$s, NULL, %3$s) AND %3$s IS NOT NULL'),
		('from', '%1$s_from(%2$s, %3$s)', '%1$s_between(%2$s, %3$s, NULL) AND %3$s IS NOT NULL')) f(name, condition, twin),
	(VALUES ('id', '%L::timestamptz'), ('id', '(SELECT %L::timestamptz)'), ('id', 'volatile_time(%L)'), ('volatile_key(id)', '%L::timestamptz')) v(key, time)
WHERE rows_of(format(condition, family, key, format(time, ts))) IS DISTINCT FROM rows_of(format(twin, family, 'id', format(time, ts)));
TABLE end_results;
SELECT family, ts, rows_of(format('%s_before(id, %L)', family, ts)) AS before, rows_of(format('%s_from(id, %L)', family, ts)) AS "from"
FROM unnest(ARRAY['uuid_v7', 'uuidv7']) family, unnest(ARRAY['2026-01-03', 'infinity', '-infinity', NULL]) ts;
\echo '-- as its bounds: false for what no time lets in, whether it is rewritten or not'
SELECT id, uuid_v7_before(id, NULL) AS draft, uuid_v7_from(volatile_key(id), NULL) AS also, uuidv7_before(id, NULL) AS rfc, uuidv7_from(volatile_key(id), NULL) AS also
FROM (VALUES (NULL::uuid), ('5b6d6a9c-3c5e-4e5f-9d3c-2f1e0d9c8b7a'), ('0698173f-2c9f-7cb0-b00a-000000000000'), ('0198173f-2c9f-7cb0-b00a-000000000000')) v(id);
BEGIN;
DELETE FROM ends WHERE uuidv7_before(id, NULL);
DELETE FROM ends WHERE uuid_v7_before(id, (SELECT NULL::timestamptz));
PREPARE delete_old(timestamptz) AS DELETE FROM ends WHERE uuid_v7_before(id, $1);
SET LOCAL plan_cache_mode = force_generic_plan;
EXECUTE delete_old(NULL);
SELECT count(*) FROM ends;
EXECUTE delete_old('2026-01-03');
SELECT count(*) FROM ends;
ROLLBACK;
\echo '-- by index and partitions'
SELECT plan_of($$SELECT rfc FROM others WHERE uuidv7_from(rfc, now() - interval '1 day')$$);
SELECT plan_of($$SELECT n FROM log WHERE uuid_v7_before(id, now() - (now() - '2026-01-02'::timestamptz))$$);
CREATE VIEW end_barrier WITH (security_barrier) AS SELECT * FROM events WHERE n >= 0;
SELECT count(*) FROM plan_of($$SELECT n FROM end_barrier WHERE uuid_v7_before(id, now() - (now() - '2026-01-01 01:00'::timestamptz))$$) l WHERE l ~ 'Index Cond.*uuid_v7_min';
DROP VIEW end_barrier;
DROP TABLE ends, end_results;
DROP FUNCTION rows_of, volatile_time, volatile_key;

--
-- Row-level security: the key's condition comes first where it tells nothing
--
CREATE ROLE regress_uuidnew_reader;
ALTER TABLE others ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON others USING (extract(minute FROM uuid_v6_timestamp(v6))::int % 2 = 1);
GRANT SELECT ON others TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT count(*) FROM others WHERE uuid_v7_between(rfc, '2026-01-05', '2026-01-05 01:00', 'rfc9562');
SELECT plan_of($$SELECT 1 FROM others WHERE uuid_v7_between(rfc, now() - interval '1 day', now() + interval '1000 years', 'rfc9562')$$);
RESET ROLE;
DROP OWNED BY regress_uuidnew_reader;
DROP ROLE regress_uuidnew_reader;

--
-- While core looks for a hash of EXISTS, the number of the key's table may be
-- that of one that holds the other layout, which another call reads rightly
--
CREATE TABLE drafts (id uuid CHECK (uuid_v7_layout(id) = 'draft'), n int);
CREATE TABLE standards (id uuid CHECK (uuid_v7_layout(id) = 'rfc9562'), n int);
INSERT INTO drafts VALUES (uuid_v7_min('2026-01-05'), 1);
INSERT INTO standards VALUES (uuidv7_min('2026-01-05'), 1);
SELECT count(*) FROM drafts d, standards s
WHERE uuid_v7_between(s.id, NULL, NULL, 'rfc9562') AND
	(EXISTS (SELECT FROM events, drafts WHERE drafts.n = d.n AND uuid_v7_between(drafts.id, '2026-01-03', NULL, 'draft')) OR s.n > 1);
\echo '-- or that of a join of it'
SELECT count(*) FROM drafts d JOIN drafts e USING (id)
WHERE NOT EXISTS (SELECT FROM events, standards a LEFT JOIN standards b USING (id) WHERE a.n = d.n AND uuidv7_between(b.id, '2026-01-03', NULL)) OR d.n > 1;
DROP TABLE drafts, standards;

--
-- Predicates on the time itself: a BRIN index of the expression
--
CREATE INDEX events_time ON events USING brin (uuid_v7_timestamp(id)) WITH (pages_per_range = 8);
SELECT plan_of($$SELECT n FROM events WHERE uuid_v7_timestamp(id) >= '2026-01-05' AND uuid_v7_timestamp(id) < '2026-01-05 01:00'$$);
SELECT count(*) FROM events WHERE uuid_v7_timestamp(id) >= '2026-01-05' AND uuid_v7_timestamp(id) < '2026-01-05 01:00';
SELECT pg_relation_size('events_time') < 100000 AS small;
DROP INDEX events_time;

-- and statistics of the expression
CREATE FUNCTION estimate_of(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE STATISTICS events_time ON (uuid_v7_timestamp(id)) FROM events;
ANALYZE events;
SELECT estimate_of($$SELECT FROM events WHERE uuid_v7_timestamp(id) >= '2026-01-05' AND uuid_v7_timestamp(id) < '2026-01-06'$$) BETWEEN 720 AND 2880 AS near_1440;
-- an end that is not known, and one that is open
SET plan_cache_mode = force_generic_plan;
PREPARE open_end(timestamptz) AS SELECT FROM events WHERE uuid_v7_between(id, NULL, $1);
PREPARE open_start(timestamptz) AS SELECT FROM events WHERE uuid_v7_between(id, $1, NULL);
SELECT estimate_of('EXECUTE open_end(now())') BETWEEN 6600 AND 6700 AS a_third, estimate_of('EXECUTE open_start(now())') BETWEEN 6600 AND 6700 AS a_third;
CREATE TABLE not_analyzed (id uuid);
INSERT INTO not_analyzed SELECT id FROM events LIMIT 3000;
SELECT estimate_of($$SELECT FROM not_analyzed WHERE uuidv7_between(id, '2026-01-05', NULL)$$) > 500 AS many, estimate_of($$SELECT FROM not_analyzed WHERE uuidv7_between(id, '2026-01-05', '2026-01-06')$$) < 50 AS few;
DROP TABLE not_analyzed;
DEALLOCATE open_end;
DEALLOCATE open_start;
RESET plan_cache_mode;
\echo '-- in a join, a third for each end, as by hand'
SELECT estimate_of($$SELECT FROM events, (VALUES (timestamptz '2026-01-05'), ('2026-01-07')) d(day) WHERE uuid_v7_between(id, day, day + interval '1 day')$$) BETWEEN 4400 AND 4500 AS a_ninth;
\echo '-- half of a range counts once'
SELECT estimate_of($$SELECT FROM events, (VALUES (timestamptz '2026-01-05'), ('2026-01-07')) d(day) WHERE uuid_v7_between(id, day, '2026-01-08')$$) BETWEEN 5040 AND 10080 AS near_6720;

\echo '-- Partition upkeep by pg_partman'
SELECT uuid_v7_partman_encoder('2026-01-01'), uuid_v7_partman_decoder('06955b90-0000-7000-8000-000000000000'),
	   uuid_v7_rfc9562_partman_encoder('2026-01-01'), uuid_v7_rfc9562_partman_decoder('019b76da-a800-7000-8000-000000000000');
SELECT count(*) FROM generate_series(timestamptz '2020-01-01', '2040-01-01', '7 days 1.234 s') ts
WHERE uuid_v7_partman_decoder(uuid_v7_partman_encoder(ts)) IS DISTINCT FROM ts
   OR uuid_v7_rfc9562_partman_decoder(uuid_v7_rfc9562_partman_encoder(ts)) IS DISTINCT FROM ts;
SELECT uuid_v7_partman_encoder(NULL), uuid_v7_partman_decoder(NULL), uuid_v7_partman_decoder('00000000-0000-0000-0000-000000000000');
SELECT uuid_v7_partman_decoder('not a uuid');

DROP VIEW recent;
DROP TABLE checked, keys, windows, readers, times, expected, results, events, spans, domain_events, others, log;
DROP DOMAIN event_id;

\echo '-- The ends of a window as UUIDs: the bound; for an end that is NULL the border of version 7, or the'
\echo '-- least or greatest UUID; NULL for a layout that is'
SELECT f, count(*) FILTER (WHERE since IS DISTINCT FROM min) AS since, count(*) FILTER (WHERE until IS DISTINCT FROM min) AS until
FROM unnest(ARRAY['-infinity', '1900-01-01', '1970-01-01', '2026-02-03 04:05:06.789012+00', '2300-01-01', 'infinity']::timestamptz[]) ts, LATERAL (VALUES
	('v6', uuid_v6_since(ts), uuid_v6_until(ts), uuid_v6_min(ts)), ('v7', uuid_v7_since(ts), uuid_v7_until(ts), uuid_v7_min(ts)),
	('v7 rfc9562', uuid_v7_since(ts, 'rfc9562'), uuid_v7_until(ts, 'rfc9562'), uuid_v7_min(ts, 'rfc9562')),
	('uuidv7', uuidv7_since(ts), uuidv7_until(ts), uuidv7_min(ts)),
	('v8', uuid_v8_since(ts, 'unix48', '2000-01-01'), uuid_v8_until(ts, 'unix48', '2000-01-01'), uuid_v8_min(ts, 'unix48', '2000-01-01'))) v(f, since, until, min)
GROUP BY f ORDER BY f COLLATE "C";
SELECT uuid_v6_since(NULL), uuid_v7_since(NULL), uuid_v7_since(NULL, 'draft'), uuidv7_since(NULL), uuid_v8_since(NULL, 'unix64', '1970-01-01');
SELECT uuid_v6_until(NULL), uuid_v7_until(NULL), uuid_v7_until(NULL, 'draft'), uuidv7_until(NULL), uuid_v8_until(NULL, 'unix64', '1970-01-01');
SELECT uuid_v7_since(now(), NULL), uuid_v7_until(NULL, NULL), uuid_v8_since(now(), NULL, now()), uuid_v8_until(NULL, 'unix48', NULL);
SELECT uuid_v7_since(now(), 'no such');
SELECT uuid_v7_since(NULL, 'no such');
SELECT uuid_v8_until(NULL, 'unix48', 'infinity');

--
-- A window that is grouped by is NULL in the rows of other grouping sets
--
CREATE TABLE grouped AS
SELECT uuid_generate_v7_at(timestamptz '2026-01-01' + i * interval '1 hour') AS id FROM generate_series(0, 99) i;
SELECT uuid_v7_between(id, '2026-01-01', '2026-01-03') AS inside, count(*) FROM grouped
GROUP BY ROLLUP (1) HAVING uuid_v7_between(id, '2026-01-01', '2026-01-03');
SELECT NOT uuid_v7_between(id, '2026-01-01', '2026-01-03') AS outside, count(*) FROM grouped
WHERE uuid_v7_between(id, '2026-01-02', '2026-01-05') GROUP BY ROLLUP (uuid_v7_between(id, '2026-01-01', '2026-01-03')) ORDER BY 1;
-- also where an SQL function holds it
CREATE FUNCTION is_early(uuid) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$SELECT uuid_v7_between($1, '2026-01-01', '2026-01-03')$$;
SELECT is_early(id) AS inside, count(*) FROM grouped GROUP BY ROLLUP (is_early(id)) HAVING is_early(id);
SELECT NOT is_early(id) AS outside, count(*) FROM grouped GROUP BY ROLLUP (is_early(id)) ORDER BY 1;

--
-- COPY takes what is simplified as it is
--
COPY grouped FROM stdin WHERE uuid_v7_between(id, '2026-01-01', NULL);
069600f0-0000-7000-8000-000000000000
009600f0-0000-7000-8000-000000000000
\N
\.
SELECT count(*) FROM grouped;

--
-- An index with a window is the same for users with different rights
--
CREATE ROLE regress_uuidnew_reader;
CREATE TABLE arbiter (n int, id uuid);
CREATE UNIQUE INDEX ON arbiter (n) WHERE uuid_v7_between(id, '2026-01-03', NULL);
GRANT ALL ON arbiter TO regress_uuidnew_reader;
REVOKE EXECUTE ON FUNCTION uuid_v7_since(timestamptz) FROM public;
SET ROLE regress_uuidnew_reader;
INSERT INTO arbiter VALUES (1, uuid_v7_min('2026-02-01')) ON CONFLICT (n) WHERE uuid_v7_between(id, '2026-01-03', NULL) DO NOTHING;
RESET ROLE;
INSERT INTO arbiter VALUES (1, uuid_v7_min('2026-02-02')) ON CONFLICT (n) WHERE uuid_v7_between(id, '2026-01-03', NULL) DO NOTHING;
SELECT uuid_v7_timestamp(id) FROM arbiter;
GRANT EXECUTE ON FUNCTION uuid_v7_since(timestamptz) TO public;
DROP TABLE arbiter;
DROP ROLE regress_uuidnew_reader;
DROP FUNCTION is_early;
DROP TABLE grouped;
DROP FUNCTION plan_of, differences, is_inside, estimate_of;

--
-- Operators: the key is its time.
--

-- keys at the ends of a millisecond, in between, and of other versions
CREATE TABLE stamped AS
SELECT id, kind, uuidv7_is(id) AS is_rfc9562
FROM (SELECT timestamptz '2026-01-01 12:00+00' + i * interval '1 ms' AS ts FROM generate_series(-2, 2) i) t,
	LATERAL (VALUES (uuidv7_min(ts), 'first'), (uuidv7_max(ts), 'last'), (uuidv7_at(ts), 'at'),
		(uuid_generate_v7_at(ts), 'draft'), (uuid_generate_v6_at(ts), 'version 6'),
		(overlay(uuidv7_at(ts)::text PLACING '4' FROM 15)::uuid, 'version 4')) keys(id, kind)
UNION ALL
VALUES (uuidv7_at('1970-01-01 00:00+00'), 'epoch', true), (uuidv7_at('2074-07-11 00:00+00'), 'before the border', true),
	('00000000-0000-0000-0000-000000000000', 'nil', false), ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'max', false),
	(NULL, 'NULL', false);
UPDATE stamped SET id = overlay(overlay(id::text PLACING '7' FROM 15) PLACING 'b' FROM 20)::uuid, is_rfc9562 = true
WHERE kind = 'last';
UPDATE stamped SET id = overlay(overlay(id::text PLACING '7' FROM 15) PLACING '8' FROM 20)::uuid, is_rfc9562 = true
WHERE kind = 'first';
CREATE INDEX ON stamped (id);
CREATE TABLE moments AS
SELECT timestamptz '2026-01-01 12:00+00' + i * interval '500 us' + j * interval '1 us' AS ts
FROM generate_series(-5, 5) i, generate_series(-1, 1) j
UNION ALL
SELECT unnest(ARRAY['-infinity', '1969-12-31 23:59:59.999999+00', '1970-01-01 00:00+00', '2074-07-11 00:00:00.001+00', NULL]::timestamptz[]);

-- is each true where comparing the time is, by the function; and the same by the planner's bounds?
CREATE FUNCTION wrong_operators(operator text) RETURNS TABLE (by_function bigint, by_bounds bigint, true_for bigint)
LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
SELECT count(*) FILTER (WHERE by_function IS TRUE <> expected IS TRUE),
	count(*) FILTER (WHERE by_bounds IS DISTINCT FROM by_function), count(*) FILTER (WHERE expected)
FROM (SELECT CASE WHEN random() < 2 THEN id END %1$s ts AS by_function, id %1$s ts AS by_bounds,
		is_rfc9562 AND uuidv7_timestamp(id) %1$s ts AS expected
	FROM stamped, moments) x$q$, operator);
END $$;
SELECT operator, wrong.* FROM unnest(ARRAY['<', '<=', '>=', '>']) operator, wrong_operators(operator) wrong;

\echo '-- infinity reaches over all keys of version 7, as in a window'
SELECT kind, id < 'infinity'::timestamptz AS lt, id <= 'infinity'::timestamptz AS le,
	id >= 'infinity'::timestamptz AS ge, id > 'infinity'::timestamptz AS gt
FROM (SELECT DISTINCT ON (kind) * FROM stamped ORDER BY kind, id) x ORDER BY kind COLLATE "C";

-- what stands on the other side of an operator
CREATE TABLE stamped_keys (id uuid PRIMARY KEY);
INSERT INTO stamped_keys SELECT uuidv7_at('2026-01-01 00:00+00'::timestamptz + i * interval '1 hour') FROM generate_series(0, 47) i;
SELECT count(*) FROM stamped_keys WHERE id >= date '2026-01-02';
SELECT count(*) FROM stamped_keys WHERE id < timestamp '2026-01-01 12:00';
SELECT count(*) FROM stamped_keys WHERE id BETWEEN '2026-01-01 06:00+00'::timestamptz AND '2026-01-01 12:00+00'::timestamptz;
SELECT count(*) FROM stamped_keys WHERE id NOT BETWEEN timestamptz '2026-01-01 06:00+00' AND '2026-01-01 12:00+00';
SELECT count(*) FROM stamped_keys WHERE id >= '019b7000-0000-7000-8000-000000000000';
SELECT count(*) FROM stamped_keys WHERE id >= '2026-01-01';
PREPARE untyped AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
PREPARE typed(timestamptz, date) AS SELECT count(*) FROM stamped_keys WHERE id >= $1 AND id < $2;
SELECT name, parameter_types FROM pg_prepared_statements WHERE name LIKE '%typed' ORDER BY name;
EXECUTE typed('2026-01-01 06:00+00', '2026-01-02');
SELECT count(*) FROM stamped_keys WHERE id < NULL::timestamptz;
SELECT count(*) FROM (VALUES (timestamptz '2026-01-01 06:00+00')) v(ts),
	LATERAL (SELECT id FROM stamped_keys WHERE id >= ts ORDER BY id LIMIT 5) x;

-- what is stored with them
CREATE TABLE late_keys (
	id uuid CHECK (id >= '2026-01-01 00:00+00'::timestamptz),
	at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED,
	is_late boolean GENERATED ALWAYS AS (id > '2026-01-01 12:00+00'::timestamptz) STORED
) PARTITION BY RANGE (id);
CREATE TABLE late_keys_1 PARTITION OF late_keys FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-02 00:00+00'));
CREATE TABLE late_keys_2 PARTITION OF late_keys FOR VALUES FROM (uuidv7_min('2026-01-02 00:00+00')) TO (MAXVALUE);
CREATE INDEX ON late_keys (at) WHERE id < '2026-01-02 00:00+00'::timestamptz;
INSERT INTO late_keys SELECT id FROM stamped_keys;
INSERT INTO late_keys VALUES ('019b76d9-bda0-7000-8000-000000000001');
SELECT is_late, count(*), min(at) FROM late_keys WHERE id < timestamptz '2026-01-03 00:00+00' GROUP BY 1;
PREPARE pruned(timestamptz) AS SELECT count(*) FROM late_keys WHERE id >= $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE pruned('2026-01-02 06:00+00');
RESET plan_cache_mode;
DELETE FROM late_keys USING stamped_keys k WHERE late_keys.id = k.id AND k.id > '2026-01-02 12:00+00'::timestamptz;
COPY late_keys (id) FROM PROGRAM 'echo 019b7e2c-3e00-7000-8000-000000000001; echo 019b8000-0000-7000-8000-000000000002'
	WHERE id < '2026-01-02 12:00+00'::timestamptz;
SELECT count(*), max(at) FROM late_keys;
CREATE FUNCTION older_than(age interval) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
	cutoff timestamptz := timestamptz '2026-01-03 00:00+00' - age;
BEGIN
	DELETE FROM stamped_keys WHERE id < cutoff;
	GET DIAGNOSTICS n = ROW_COUNT;
	RETURN n;
END $$;
SELECT older_than('1 day'), older_than(NULL);

DROP TABLE stamped, moments, stamped_keys, late_keys;
DROP FUNCTION wrong_operators, older_than;
