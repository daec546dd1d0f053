--
-- An hour of a table's rows, which are 1000 hours in all: through the key, through a column beside
-- it, and by reading each key's time.
--
\ir lib.sql

CREATE TABLE events (id uuid, created_at timestamptz, payload int);
INSERT INTO events
SELECT uuidv7_at(at), at, i
FROM (SELECT i, timestamptz '2026-01-01 00:00:00+00' + i * (interval '1000 hours' / :rows) AS at
	  FROM generate_series(0, :rows - 1) i) times;
ALTER TABLE events ADD PRIMARY KEY (id);
CREATE INDEX events_created_at ON events (created_at);
VACUUM ANALYZE events;

-- An index that a variant must use, or none.
CREATE TABLE variants (no int, variant text, condition text, index text);
INSERT INTO variants VALUES
	(1, 'uuidv7_between(id, since, until)', 'uuidv7_between(id, %1$L, %2$L)', 'events_pkey'),
	(2, 'id >= uuidv7_min(since) AND id < uuidv7_min(until)',
	 'id >= uuidv7_min(%1$L) AND id < uuidv7_min(%2$L)', 'events_pkey'),
	(3, 'the same AND uuidv7_is(id)',
	 'id >= uuidv7_min(%1$L) AND id < uuidv7_min(%2$L) AND uuidv7_is(id)', 'events_pkey'),
	(4, 'created_at with a B-tree index',
	 'created_at >= %1$L AND created_at < %2$L', 'events_created_at'),
	(5, 'uuidv7_timestamp(id) without an index',
	 'uuidv7_timestamp(id) >= %1$L AND uuidv7_timestamp(id) < %2$L', NULL);

CREATE PROCEDURE measure(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	v variants;
	since timestamptz;
	statement text;
	plan jsonb;
	found bigint;
	expected bigint;
	started timestamptz;
	elapsed interval;
BEGIN
	PERFORM setseed(0.5);
	FOR r IN 1 .. repetitions LOOP
		since := timestamptz '2026-01-01 00:00:00+00' + random() * interval '999 hours';
		expected := NULL;
		-- another is the first in each repetition
		FOR v IN SELECT * FROM variants ORDER BY (no + r) % 5 LOOP
			PERFORM set_config(name, CASE WHEN v.index IS NULL THEN 'off' ELSE 'on' END, true)
			FROM unnest(ARRAY['enable_indexscan', 'enable_bitmapscan']) name;
			statement := format('SELECT count(payload) FROM events WHERE ' || v.condition,
								since, since + interval '1 hour');
			-- the first time, it finds what the one before left in the caches
			EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || statement INTO plan;
			started := clock_timestamp();
			EXECUTE statement INTO found;
			elapsed := clock_timestamp() - started;
			plan := plan -> 0 -> 'Plan';
			INSERT INTO samples VALUES
				(v.variant, 'ms', 0, r, extract(epoch FROM elapsed) * 1000),
				(v.variant, 'buffers', 0, r, (plan ->> 'Shared Hit Blocks')::float8
				 + (plan ->> 'Shared Read Blocks')::float8);
			IF found <> expected OR v.index IS DISTINCT FROM
				jsonb_path_query_first(plan, 'strict $.**."Index Name"') #>> '{}'
			THEN
				RAISE 'other rows or plan than expected for %: %', v.variant, jsonb_pretty(plan);
			END IF;
			expected := found;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions);

\o :results/windows.tsv
SELECT variant AS "an hour of 1000", spread(values_of(variant, 'ms'), 2) AS ms,
	   quotient(values_of(variant, 'ms'), values_of('created_at with a B-tree index', 'ms'))
	   AS "ms ÷ created_at's",
	   round(median(values_of(variant, 'buffers'))) AS buffers
FROM variants ORDER BY no;
\o :results/windows_targets.tsv
SELECT target, round(figure::numeric, 4) AS measured, is_met(figure, 0, most) AS "is"
FROM variants v, LATERAL (VALUES
	(3, 'a window is at most 1.05 times bounds with the same rows', 1.05),
	(4, 'a window is at most 1.4 times created_at', 1.4),
	(5, 'a window is at most 0.01 times reading each key', 0.01)) t(no, target, most),
	LATERAL median(ratios('uuidv7_between(id, since, until)', variant, 'ms')) figure
WHERE v.no = t.no ORDER BY t.no;
\o
