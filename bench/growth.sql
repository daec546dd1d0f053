--
-- A table that grows far beyond shared_buffers, batch after batch.
--
\ir lib.sql

CREATE PROCEDURE measure(rows bigint, batches int, repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	k keys;
	batch bigint := rows / batches;
	plan jsonb;
	seconds float8;
BEGIN
	FOR r IN 1 .. repetitions LOOP
		FOR k IN SELECT * FROM keys ORDER BY no LOOP
			CALL create_table(k);
			EXECUTE format('ALTER TABLE events RENAME TO events_%s', k.no);
		EXECUTE format('ALTER INDEX events_pkey RENAME TO events_%s_pkey', k.no);
		END LOOP;
		-- batch by batch, so that what else the machine does meets all alike
		FOR b IN 1 .. batches LOOP
			FOR k IN SELECT * FROM keys ORDER BY no LOOP
				EXECUTE format('EXPLAIN (ANALYZE, WAL, TIMING OFF, FORMAT JSON)
					INSERT INTO events_%s (payload) SELECT i FROM generate_series(1, %s) i',
					k.no, batch) INTO plan;
				COMMIT;
				seconds := (plan -> 0 ->> 'Execution Time')::float8 / 1000;
				plan := plan -> 0 -> 'Plan';
				INSERT INTO samples VALUES
					(k.variant, 'rows per second', b * batch, r, batch / seconds),
					(k.variant, 'WAL bytes per row', b * batch, r,
					 (plan ->> 'WAL Bytes')::float8 / batch),
					(k.variant, 'full-page images per row', b * batch, r,
					 (plan ->> 'WAL FPI')::float8 / batch);
			END LOOP;
		END LOOP;
		FOR k IN SELECT * FROM keys ORDER BY no LOOP
			EXECUTE format('DROP TABLE events_%s', k.no);
		END LOOP;
		COMMIT;
	END LOOP;
END $$;
CALL measure(:rows, :batches, :repetitions);

-- the last quarter of the growth, a repetition's median
INSERT INTO samples
SELECT variant, metric || ', last quarter', 0, rep,
	   percentile_cont(0.5) WITHIN GROUP (ORDER BY value)
FROM samples WHERE x > :rows * 3 / 4 GROUP BY variant, metric, rep;

\o :results/growth.tsv
SELECT variant AS key,
	   spread(values_of(variant, 'rows per second', min), 0) AS "rows/s, first batch",
	   spread(values_of(variant, 'rows per second, last quarter'), 0) AS "rows/s, last quarter",
	   spread(values_of(variant, 'WAL bytes per row', min), 1) AS "WAL bytes per row, first batch",
	   spread(values_of(variant, 'WAL bytes per row, last quarter'), 1)
	   AS "WAL bytes per row, last quarter",
	   spread(values_of(variant, 'full-page images per row, last quarter'), 3)
	   AS "full-page images per row, last quarter",
	   quotient(values_of(variant, 'WAL bytes per row, last quarter'),
				values_of('v4: gen_random_uuid()', 'WAL bytes per row, last quarter'))
	   AS "WAL bytes per row, last quarter ÷ v4's"
FROM keys, (SELECT min(x) FROM samples WHERE x > 0) s ORDER BY no;
\o :results/growth_plot.tsv
SELECT k.no, variant AS key, x AS rows,
	   median(values_of(variant, 'rows per second', x)) AS "rows/s",
	   median(values_of(variant, 'WAL bytes per row', x)) AS "WAL bytes per row"
FROM keys k, (SELECT DISTINCT x FROM samples WHERE x > 0) s ORDER BY no, x;
\o :results/growth_targets.tsv
SELECT target, round(figure::numeric, 2) AS measured, is_met(figure, least, most) AS "is"
FROM (VALUES
	('v7 writes at most 0.6 of v4''s WAL per row',
	 median(ratios('v7: uuidv7()', 'v4: gen_random_uuid()', 'WAL bytes per row, last quarter')),
	 0, 0.6)
) t(target, figure, least, most);
\o
