--
-- An hour of a table's rows, which are 1000 hours in all: through the key,
-- through a column beside it, and by reading each key's time.
--
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;

CREATE TABLE events (id uuid, created_at timestamptz, payload int);
INSERT INTO events
SELECT uuid_generate_v7_at(at), at, i
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
CREATE INDEX events_brin ON events USING brin (uuid_v7_timestamp(id)) WITH (pages_per_range = :pages_per_range);
ANALYZE events;

-- A variant is to use an index, or none.  Two are measured with a constraint that
-- lets only version 7 into the key.
CREATE TABLE variants (no int, variant text, condition text, index text, checked boolean DEFAULT false);
INSERT INTO variants (no, variant, condition, index) VALUES
	(1, 'a: uuid_v7_between(id, since, until)', 'uuid_v7_between(id, %1$L, %2$L)', 'events_pkey'),
	(2, 'b: id >= uuid_v7_min(since) AND id < uuid_v7_min(until)',
	 'id >= uuid_v7_min(%1$L) AND id < uuid_v7_min(%2$L)', 'events_pkey'),
	(3, 'c: created_at, B-tree index', 'created_at >= %1$L AND created_at < %2$L', 'events_created_at'),
	(4, 'd: uuid_v7_timestamp(id) in a filter', 'uuid_v7_timestamp(id) >= %1$L AND uuid_v7_timestamp(id) < %2$L', NULL),
	(5, 'e: uuid_v7_timestamp(id), BRIN index', 'uuid_v7_timestamp(id) >= %1$L AND uuid_v7_timestamp(id) < %2$L', 'events_brin'),
	(6, 'f: created_at in a filter', 'created_at >= %1$L AND created_at < %2$L', NULL);
INSERT INTO variants VALUES
	(7, 'g: a, with CHECK (uuid_v7_timestamp(id) IS NOT NULL)', 'uuid_v7_between(id, %1$L, %2$L)', 'events_pkey', true),
	(8, 'c again, beside g', 'created_at >= %1$L AND created_at < %2$L', 'events_created_at', true);

CREATE TABLE timings (no int, ms float8, rows bigint, buffers bigint, plan jsonb);
CREATE PROCEDURE measure(repetitions int, with_check boolean) LANGUAGE plpgsql AS $$
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
		FOR v IN SELECT * FROM variants WHERE checked = with_check ORDER BY (no + r) % 6 LOOP
			PERFORM set_config(name, CASE WHEN v.index IS NULL THEN 'off' ELSE 'on' END, true)
			FROM unnest(ARRAY['enable_indexscan', 'enable_bitmapscan']) name;
			statement := format('SELECT count(payload) FROM events WHERE ' || v.condition, since, since + interval '1 hour');
			-- the first time, it finds what the one before left in the caches
			EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || statement INTO plan;
			started := clock_timestamp();
			EXECUTE statement INTO found;
			ended := clock_timestamp();
			plan := plan -> 0 -> 'Plan';
			INSERT INTO timings VALUES
				(v.no, extract(epoch FROM ended - started) * 1000, found,
				 (plan ->> 'Shared Hit Blocks')::bigint + (plan ->> 'Shared Read Blocks')::bigint, plan);
			IF v.index IS DISTINCT FROM jsonb_path_query_first(plan, 'strict $.**."Index Name"') #>> '{}' THEN
				RAISE 'another plan than expected for %: %', v.variant, jsonb_pretty(plan);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions, false);
ALTER TABLE events ADD CHECK (uuid_v7_timestamp(id) IS NOT NULL);
CALL measure(:repetitions, true);

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
	   round((ms / (SELECT ms FROM medians WHERE no = CASE WHEN m.no < 7 THEN 3 ELSE 8 END))::numeric, 2) AS "of c", rows, buffers,
	   CASE WHEN index IS NULL THEN '-' ELSE round(pg_relation_size(index::regclass) / 1000.0) || ' kB' END AS "index size", plan
FROM medians m ORDER BY no;

\if :{?results}
\pset format unaligned
\pset fieldsep '\t'
\o :results/time-windows_targets.tsv
\endif
SELECT target, round(figure::numeric, 4) AS measured, CASE WHEN figure <= most THEN 'met' ELSE 'MISSED' END AS "is"
FROM (SELECT max(ms) FILTER (WHERE no = 1) AS a, max(ms) FILTER (WHERE no = 3) AS c, max(ms) FILTER (WHERE no = 4) AS d,
			 max(ms) FILTER (WHERE no = 7) AS g, max(ms) FILTER (WHERE no = 8) AS c_again
	  FROM medians) ms,
	 LATERAL (VALUES
		('a is at most 1.2 times c', a / c, 1.2),
		('g is at most 1.2 times c', g / c_again, 1.2),
		('a is at most 0.01 times d', a / d, 0.01),
		('the BRIN index is below 100 kB', pg_relation_size('events_brin') / 1000.0, 99.9)) targets(target, figure, most);
