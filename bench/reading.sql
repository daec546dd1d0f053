--
-- Reading by key: recent rows with everything in memory, sort, merge join.
-- What is read from disk is in cold.sql.
--
\ir lib.sql
CREATE PROCEDURE create_all(rows bigint) LANGUAGE plpgsql AS $$
DECLARE
	k keys;
BEGIN
	FOR k IN SELECT * FROM keys ORDER BY no LOOP
		CALL create_table(k);
		EXECUTE format('INSERT INTO events (payload) SELECT i FROM generate_series(1, %s) i', rows);
		EXECUTE format('ALTER TABLE events RENAME TO events_%s', k.no);
		EXECUTE format('ALTER INDEX events_pkey RENAME TO events_%s_pkey', k.no);
		-- as many other rows that refer to them, in their order
		EXECUTE format('CREATE TABLE others_%1$s (id %2$s PRIMARY KEY)', k.no, k.type);
		EXECUTE format('INSERT INTO others_%1$s SELECT id FROM events_%1$s ORDER BY payload', k.no);
		-- keys of the last hundredth of the rows, shuffled
		EXECUTE format('CREATE TABLE recent_%1$s AS SELECT id FROM events_%1$s
			WHERE payload > %2$s ORDER BY random()', k.no, rows - rows / 100);
	END LOOP;
END $$;
CALL create_all(:rows);
VACUUM ANALYZE;

CREATE PROCEDURE measure(rows bigint, repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	k keys;
	q record;
	plan jsonb;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR q IN SELECT * FROM (VALUES
			('lookup, us', 'enable_hashjoin enable_mergejoin enable_bitmapscan enable_seqscan',
			 'SELECT count(payload) FROM recent_%1$s JOIN events_%1$s USING (id)',
			 rows / 100 / 1000.0),
			('sort, ms', 'enable_indexscan enable_indexonlyscan',
			 'SELECT id FROM events_%1$s ORDER BY id OFFSET ' || rows, 1),
			('merge join, ms', 'enable_hashjoin enable_nestloop enable_sort',
			 'SELECT count(payload) FROM events_%1$s JOIN others_%1$s USING (id)', 1)
		) v(metric, off, query, divisor)
		LOOP
			FOR k IN SELECT * FROM keys ORDER BY no LOOP
				PERFORM set_config(name, 'off', true) FROM regexp_split_to_table(q.off, ' ') name;
				EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || format(q.query, k.no)
				INTO plan;
				COMMIT;
				IF r > 0 THEN
					INSERT INTO samples
					VALUES (k.variant, q.metric, 0, r,
						(plan -> 0 ->> 'Execution Time')::float8 / q.divisor);
				END IF;
			END LOOP;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:rows, :repetitions);

