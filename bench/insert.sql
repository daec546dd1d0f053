--
-- Bulk insert into a table with a primary key.
--
\ir lib.sql
CREATE EXTENSION pgstattuple;

CREATE PROCEDURE measure(rows bigint, repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	k keys;
	plan jsonb;
	index record;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR k IN SELECT * FROM keys ORDER BY no LOOP
			CALL create_table(k);
			COMMIT;
			CHECKPOINT;
			-- the first round only warms up, with fewer rows
			EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF, FORMAT JSON)
				INSERT INTO events (payload) SELECT i FROM generate_series(1, %s) i',
				CASE WHEN r > 0 THEN rows ELSE rows / 10 END) INTO plan;
			COMMIT;
			IF r > 0 THEN
				SELECT * INTO index FROM pgstatindex('events_pkey');
				INSERT INTO samples
				SELECT k.variant, metric, 0, r, value
				FROM (VALUES
					('seconds', (plan -> 0 ->> 'Execution Time')::float8 / 1000),
					('WAL bytes per row', (plan -> 0 -> 'Plan' ->> 'WAL Bytes')::float8 / rows),
					('full-page images', (plan -> 0 -> 'Plan' ->> 'WAL FPI')::float8),
					('buffers dirtied', (plan -> 0 -> 'Plan' ->> 'Shared Dirtied Blocks')::float8),
					('index bytes per row', index.index_size::float8 / rows),
					('leaf density', index.avg_leaf_density),
					('fragmentation', index.leaf_fragmentation)) v(metric, value);
			END IF;
			DROP TABLE events;
			COMMIT;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:rows, :repetitions);

INSERT INTO samples
SELECT variant, 'rows per second', 0, rep, :rows / value FROM samples WHERE metric = 'seconds';

\o :results/insert.tsv
SELECT variant AS key,
	   spread(values_of(variant, 'rows per second'), 0) AS "rows/s",
	   quotient(values_of(variant, 'rows per second'),
				values_of('v4: gen_random_uuid()', 'rows per second')) AS "rows/s ÷ v4's",
	   quotient(values_of(variant, 'rows per second'),
				values_of('bigint identity', 'rows per second'))
	   AS "rows/s ÷ bigint's",
	   spread(values_of(variant, 'WAL bytes per row'), 1) AS "WAL bytes per row",
	   round(median(values_of(variant, 'full-page images'))) AS "full-page images",
	   round(median(values_of(variant, 'buffers dirtied'))) AS "buffers dirtied",
	   spread(values_of(variant, 'index bytes per row'), 1) AS "index bytes per row",
	   spread(values_of(variant, 'leaf density'), 1) AS "leaf density %",
	   spread(values_of(variant, 'fragmentation'), 1) AS "leaf fragmentation %"
FROM keys ORDER BY no;
\o :results/insert_summary.tsv
SELECT variant AS key,
	   round(median(values_of(variant, 'rows per second'))) AS "rows/s",
	   round((median(values_of(variant, 'rows per second'))
			  / median(values_of('v4: gen_random_uuid()', 'rows per second')))::numeric, 2)
	   AS "rows/s ÷ v4's",
	   round(median(values_of(variant, 'WAL bytes per row'))) AS "WAL bytes per row",
	   round(median(values_of(variant, 'index bytes per row'))::numeric, 1)
	   AS "index bytes per row",
	   round(median(values_of(variant, 'leaf density'))::numeric, 1) AS "leaf density %"
FROM keys ORDER BY no;
\o :results/insert_targets.tsv
SELECT target, round(figure::numeric, 2) AS measured, is_met(figure, least, most) AS "is"
FROM (VALUES
	('v7 is inserted at least 1.5 times as fast as v4',
	 median(ratios('v4: gen_random_uuid()', 'v7: uuidv7()', 'seconds')), 1.5, 'infinity'::float8),
	('v7 is inserted at least 1.5 times as fast as PostgreSQL''s',
	 median(ratios('v7: PostgreSQL''s uuidv7()', 'v7: uuidv7()', 'seconds')), 1.5, 'infinity'),
	('v7 takes at most 1.5 times bigint identity''s time',
	 median(ratios('v7: uuidv7()', 'bigint identity', 'seconds')), 0, 1.5),
	('the leaves of v7''s index are 90 % ± 1 full',
	 median(values_of('v7: uuidv7()', 'leaf density')), 89, 91),
	('those of v4''s are 70 % ± 5 full',
	 median(values_of('v4: gen_random_uuid()', 'leaf density')), 65, 75)
) t(target, figure, least, most)
WHERE figure IS NOT NULL;
\o
