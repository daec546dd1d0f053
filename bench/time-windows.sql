--
-- An hour of a table's rows, which are 1000 hours in all: through the key,
-- through a column beside it, and by reading each key's time.  Then what is harder
-- to plan: windows, bounds by hand, and an indexed timestamptz.
--
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;

CREATE TABLE events (id uuid, created_at timestamptz, payload int);
INSERT INTO events
SELECT uuidv7_at(at), at, i
FROM (SELECT i, timestamptz '2026-01-01 00:00:00+00' + i * (interval '1000 hours' / :rows) AS at
	  FROM generate_series(0, :rows - 1) i) times;
ALTER TABLE events ADD PRIMARY KEY (id);
CREATE INDEX events_created_at ON events (created_at);
VACUUM ANALYZE events;

-- Ranges as short as they can be if their index is to stay below 100 kB, which
-- is 12 pages: the first, up to two that find a range, and 289 ranges in each
-- of the others.
SELECT greatest(ceil(relpages / (9 * 289.0)), 1) AS pages_per_range
FROM pg_class WHERE oid = 'events'::regclass \gset
CREATE INDEX events_brin ON events
USING brin (uuidv7_timestamp(id)) WITH (pages_per_range = :pages_per_range);
ANALYZE events;

-- A variant is to use an index, or none.
CREATE TABLE variants (no int, variant text, condition text, index text);
INSERT INTO variants VALUES
	(1, 'a: uuidv7_between(id, since, until)', 'uuidv7_between(id, %1$L, %2$L)', 'events_pkey'),
	(2, 'b: id >= uuidv7_min(since) AND id < uuidv7_min(until)',
	 'id >= uuidv7_min(%1$L) AND id < uuidv7_min(%2$L)', 'events_pkey'),
	(3, 'b and uuidv7_timestamp(id) IS NOT NULL: the rows of a',
	 'id >= uuidv7_min(%1$L) AND id < uuidv7_min(%2$L)
	  AND uuidv7_timestamp(id) IS NOT NULL', 'events_pkey'),
	(4, 'c: created_at, B-tree index',
	 'created_at >= %1$L AND created_at < %2$L', 'events_created_at'),
	(5, 'd: uuidv7_timestamp(id) in a filter',
	 'uuidv7_timestamp(id) >= %1$L AND uuidv7_timestamp(id) < %2$L', NULL),
	(6, 'e: uuidv7_timestamp(id), BRIN index',
	 'uuidv7_timestamp(id) >= %1$L AND uuidv7_timestamp(id) < %2$L', 'events_brin'),
	(7, 'f: created_at in a filter', 'created_at >= %1$L AND created_at < %2$L', NULL);

CREATE TABLE timings (no int, ms float8, rows bigint, buffers bigint, plan jsonb);
CREATE PROCEDURE measure(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	v record;
	since timestamptz;
	statement text;
	plan jsonb;
	found bigint;
	started timestamptz;
	ended timestamptz;
BEGIN
	PERFORM setseed(0.5);
	FOR r IN 1 .. repetitions LOOP
		since := timestamptz '2026-01-01 00:00:00+00' + random() * interval '999 hours';
		-- another is the first in each repetition
		FOR v IN SELECT * FROM variants ORDER BY (no + r) % 7 LOOP
			PERFORM set_config(name, CASE WHEN v.index IS NULL THEN 'off' ELSE 'on' END, true)
			FROM unnest(ARRAY['enable_indexscan', 'enable_bitmapscan']) name;
			statement := format('SELECT count(payload) FROM events WHERE ' || v.condition,
								since, since + interval '1 hour');
			-- the first time, it finds what the one before left in the caches
			EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || statement INTO plan;
			started := clock_timestamp();
			EXECUTE statement INTO found;
			ended := clock_timestamp();
			plan := plan -> 0 -> 'Plan';
			INSERT INTO timings VALUES
				(v.no, extract(epoch FROM ended - started) * 1000, found,
				 (plan ->> 'Shared Hit Blocks')::bigint + (plan ->> 'Shared Read Blocks')::bigint,
				 plan);
			IF v.index IS DISTINCT FROM
				jsonb_path_query_first(plan, 'strict $.**."Index Name"') #>> '{}'
			THEN
				RAISE 'another plan than expected for %: %', v.variant, jsonb_pretty(plan);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions);

CREATE VIEW medians AS
SELECT no, variant, index, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms,
	   percentile_disc(0.5) WITHIN GROUP (ORDER BY buffers) AS buffers,
	   format('%s - %s', min(rows), max(rows)) AS rows,
	   max((SELECT string_agg(node #>> '{}', ', ')
			FROM jsonb_path_query(plan, 'strict $.Plans.**."Node Type"') node)) AS plan
FROM timings JOIN variants USING (no) GROUP BY 1, 2, 3;

\pset footer off
\echo
\echo An hour of :rows rows: medians of :repetitions hours, with planning
SELECT variant, round(ms::numeric, 2) AS ms,
	   round((ms / (SELECT ms FROM medians WHERE no = 4))::numeric, 2) AS "of c", rows, buffers,
	   CASE WHEN index IS NULL THEN '-'
		   ELSE round(pg_relation_size(index::regclass) / 1000.0) || ' kB' END AS "index size",
	   plan
FROM medians m ORDER BY no;

-- What is harder to plan, on a tenth of the rows: 1000 hours that ANALYZE has seen,
-- and 90 after it, until now.  Autovacuum would not analyze them yet.
SELECT :rows / 10 AS analyzed, :rows / 10 * 109 / 100 AS newest,
	   least(:rows / 2000, 1000) AS partitions \gset
CREATE TABLE times AS
SELECT i,
	   date_trunc('second', now()) - interval '1090 hours'
	   + i * (interval '1000 hours' / :analyzed) AS at
FROM generate_series(0, :newest - 1) i;
CREATE TABLE news (id uuid PRIMARY KEY, created_at timestamptz, acct int, payload int);
CREATE INDEX ON news (created_at);
CREATE TABLE replies (LIKE news INCLUDING INDEXES);
CREATE TABLE accounts AS SELECT generate_series(0, 999) AS acct;
INSERT INTO news SELECT uuidv7_at(at), at, i % 1000, i FROM times WHERE i < :analyzed;
INSERT INTO replies SELECT uuidv7_at(at), at, i % 1000, i FROM times WHERE i < :analyzed;
VACUUM ANALYZE news, replies, accounts;
INSERT INTO news SELECT uuidv7_at(at), at, i % 1000, i FROM times WHERE i >= :analyzed;
INSERT INTO replies SELECT uuidv7_at(at), at, i % 1000, i FROM times WHERE i >= :analyzed;

-- An hour in each partition, ten of them to come.
CREATE TABLE log (id uuid PRIMARY KEY, payload int) PARTITION BY RANGE (id);
CREATE TABLE log_by_time (created_at timestamptz PRIMARY KEY, payload int)
PARTITION BY RANGE (created_at);
SELECT format('CREATE TABLE log_%s PARTITION OF log FOR VALUES FROM (%L) TO (%L)',
			  n, uuidv7_min(hour), uuidv7_min(hour + '1 hour')),
	   format('CREATE TABLE log_by_time_%s PARTITION OF log_by_time FOR VALUES FROM (%L) TO (%L)',
			  n, hour, hour + '1 hour')
FROM generate_series(1, :partitions) n,
	 LATERAL (SELECT date_trunc('hour', now()) + (n - :partitions + 10) * interval '1 hour') h(hour)
ORDER BY n \gexec
INSERT INTO log
SELECT uuidv7_at(now() - n * interval '6 s'), n
FROM generate_series(0, (:partitions - 11) * 600 - 1) n;
INSERT INTO log_by_time SELECT uuidv7_timestamp(id), payload FROM log;
VACUUM ANALYZE log, log_by_time;

CREATE TABLE queries (no int, query text, statement text, since text, until text);
INSERT INTO queries VALUES
	(1, '2 days since ANALYZE',
	 'SELECT count(payload) FROM news a WHERE [a]',
	 'now() - interval ''2 days''', 'now()'),
	(2, '2 days of two tables, joined',
	 'SELECT count(*) FROM news a JOIN replies b USING (acct, payload) WHERE [a] AND [b]',
	 'now() - interval ''2 days''', 'now()'),
	(3, '10 hours of a left join''s nullable side',
	 'SELECT count(payload) FROM accounts LEFT JOIN news a USING (acct) WHERE [a]',
	 format('timestamptz %L', now() - interval '500 hours'),
	 format('timestamptz %L', now() - interval '490 hours')),
	(4, '10 minutes, in one of ' || :partitions || ' partitions',
	 'SELECT count(payload) FROM [log] a WHERE [a]',
	 'now() - interval ''10 minutes''', 'now()'),
	(5, '24 hours, all of as many partitions',
	 'SELECT count(payload) FROM [log] a WHERE [a]',
	 'now() - interval ''1 day''', 'now()');
CREATE TABLE ways (way text, condition text, log text, no int);
INSERT INTO ways VALUES
	('window', 'uuidv7_between(%1$s.id, %2$s, %3$s)', 'log', 1),
	('by hand', '%1$s.id >= uuidv7_min(%2$s) AND %1$s.id < uuidv7_min(%3$s)', 'log', 2),
	('of version 7',
	 '%1$s.id >= uuidv7_min(%2$s) AND %1$s.id < uuidv7_min(%3$s)
	  AND uuidv7_timestamp(%1$s.id) IS NOT NULL', 'log', 3),
	('timestamptz', '%1$s.created_at >= %2$s AND %1$s.created_at < %3$s', 'log_by_time', 4);

CREATE TABLE samples (no int, rep int, way text, planning float8, execution float8);
CREATE PROCEDURE compare(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	q record;
	w record;
	statement text;
	prepared text;
	expected text;
	found text;
	plan jsonb;
	planning float8;
BEGIN
	DEALLOCATE ALL;
	FOR r IN 1 .. repetitions LOOP
		FOR q IN SELECT * FROM queries ORDER BY no LOOP
			expected := NULL;
			-- the least of three, each in its turn: a millisecond is soon lost to another process
			FOR w IN
				SELECT ways.* FROM ways, generate_series(1, 3) turn ORDER BY turn, (no + r) % 4
			LOOP
				statement := replace(q.statement, '[log]', w.log);
				statement := replace(statement, '[a]', format(w.condition, 'a', q.since, q.until));
				statement := replace(statement, '[b]', format(w.condition, 'b', q.since, q.until));
				-- twice, as after a query of 1000 partitions the processor's caches are cold
				planning := 'infinity';
				FOR i IN 1 .. 2 LOOP
					EXECUTE 'EXPLAIN (SUMMARY, FORMAT JSON) ' || statement INTO plan;
					planning := least(planning, (plan #>> '{0,Planning Time}')::float8);
				END LOOP;
				-- with a plan that is there already, for the same reason
				prepared := quote_ident(q.no || w.way);
				IF NOT EXISTS (SELECT FROM pg_prepared_statements WHERE name = q.no || w.way) THEN
					EXECUTE format('PREPARE %s AS %s', prepared, statement);
				END IF;
				EXECUTE 'EXECUTE ' || prepared INTO found;
				IF found <> expected OR found = '0' THEN
					RAISE '% instead of % rows for %', found, expected, statement;
				END IF;
				expected := found;
				EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ' || prepared INTO plan;
				INSERT INTO samples VALUES
					(q.no, r, w.way, planning, (plan #>> '{0,Execution Time}')::float8);
			END LOOP;
		END LOOP;
		COMMIT;					-- now() moves on
	END LOOP;
END $$;
CALL compare(:repetitions);

CREATE VIEW ratios AS
WITH least AS (SELECT no, rep, way, min(planning) AS planning, min(execution) AS execution
			   FROM samples GROUP BY no, rep, way)
SELECT no, query,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.execution) AS ms,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.execution / h.execution) AS of_hand,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.execution / v.execution) AS of_version_7,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.execution / t.execution) AS of_timestamptz,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.planning) AS planning,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.planning / h.planning) AS planning_of_hand,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY w.planning / t.planning)
	   AS planning_of_timestamptz
FROM queries JOIN least w USING (no) JOIN least h USING (no, rep) JOIN least v USING (no, rep)
	JOIN least t USING (no, rep)
WHERE (w.way, h.way, v.way, t.way) = ('window', 'by hand', 'of version 7', 'timestamptz')
GROUP BY no, query;

\echo -n 'Windows against bounds by hand, those with the same rows '
\echo (AND uuidv7_timestamp(id) IS NOT NULL), and an indexed
\echo timestamptz: medians of :repetitions repetitions
SELECT query,
	   round(ms::numeric, 2) AS "execution, ms",
	   round(of_hand::numeric, 2) AS "times by hand",
	   round(of_version_7::numeric, 2) AS "with the same rows",
	   round(of_timestamptz::numeric, 2) AS "times timestamptz",
	   round(planning::numeric, 2) AS "planning, ms",
	   round(planning_of_hand::numeric, 2) AS "times by hand",
	   round(planning_of_timestamptz::numeric, 2) AS "times timestamptz"
FROM ratios ORDER BY no;

-- Queries in queries that the planner does not pull up, each with a window on its key
CREATE TABLE nested (way text, condition text);
INSERT INTO nested VALUES
	('by hand', $$id >= uuidv7_min('2026-01-01') AND id < uuidv7_min('2026-01-02')$$),
	('uuidv7_between', $$uuidv7_between(id, '2026-01-01', '2026-01-02')$$),
	('two operators', $$id >= timestamptz '2026-01-01' AND id < timestamptz '2026-01-02'$$),
	('<@', $$id <@ tstzrange('2026-01-01', '2026-01-02')$$);
CREATE FUNCTION planning_of(depth int, condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	query text := 'events';
	plan jsonb;
BEGIN
	FOR level IN 1 .. depth LOOP
		query := format('(SELECT id, max(payload) AS payload FROM %s WHERE %s GROUP BY id) l%s',
						query, condition, level);
	END LOOP;
	EXECUTE 'EXPLAIN (SUMMARY, FORMAT JSON) SELECT * FROM ' || query INTO plan;
	RETURN (plan #>> '{0,Planning Time}')::float8;
END $$;
CREATE TABLE nested_ratios AS
WITH medians AS (
	SELECT way, percentile_cont(0.5) WITHIN GROUP (ORDER BY planning_of(60, condition)) AS ms
	FROM nested, generate_series(1, :repetitions)
	GROUP BY way
)
SELECT way, ms, ms / max(ms) FILTER (WHERE way = 'by hand') OVER () AS of_hand FROM medians;

\echo Planning of 60 nested queries, each with a window: medians of :repetitions
SELECT way, round(ms::numeric, 2) AS "planning, ms", round(of_hand::numeric, 2) AS "times by hand"
FROM nested_ratios
ORDER BY of_hand;

\if :{?results}
\pset format unaligned
\pset fieldsep '\t'
\o :results/time-windows_targets.tsv
\endif
SELECT target, round(figure::numeric, 4) AS measured,
	   CASE WHEN figure <= most THEN 'met' ELSE 'MISSED' END AS "is"
FROM (SELECT max(ms) FILTER (WHERE no = 1) AS a,
			 max(ms) FILTER (WHERE no = 3) AS b_of_a,
			 max(ms) FILTER (WHERE no = 4) AS c,
			 max(ms) FILTER (WHERE no = 5) AS d
	  FROM medians) ms,
	 LATERAL (VALUES
		('a is at most 1.3 times c', a / c, 1.3),
		('a is at most 1.05 times b with the rows of a', a / b_of_a, 1.05),
		('a is at most 0.01 times d', a / d, 0.01),
		('the BRIN index is below 100 kB', pg_relation_size('events_brin') / 1000.0, 99.9)
	 ) targets(target, figure, most)
UNION ALL
(SELECT DISTINCT ON (base)
		format('a window is at most %s times %s; most: %s', most, base, query),
		round(figure::numeric, 4),
		CASE WHEN figure <= most THEN 'met' ELSE 'MISSED' END
 FROM ratios, LATERAL (VALUES
		('bounds by hand', of_hand, 1.15),
		('bounds by hand with the same rows', of_version_7, 1.05),
		('bounds by hand, planning', planning_of_hand, 1.15),
		('timestamptz', of_timestamptz, 1.3)) targets(base, figure, most)
 ORDER BY base, figure DESC)
UNION ALL
SELECT '60 nested windows are planned in at most 3 times the time of bounds by hand',
	   round(max(of_hand)::numeric, 4),
	   CASE WHEN max(of_hand) <= 3 THEN 'met' ELSE 'MISSED' END
FROM nested_ratios;
