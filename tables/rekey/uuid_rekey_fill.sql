-- Fills the twins that uuid_rekey_steps has added, in batches of pages, each a transaction and a
-- snapshot.
--
-- Locks the rows of a batch.  Those that others hold it leaves, so that it waits for nobody who
-- might wait for it, and comes back to them until none is left.  Call it again to go on.
CREATE PROCEDURE uuid_rekey_fill(tab regclass, batch_pages int DEFAULT 100,
	max_lag bigint DEFAULT NULL,
	max_dead bigint DEFAULT NULL, max_rows bigint DEFAULT NULL, pause interval DEFAULT '0')
LANGUAGE plpgsql
AS $$
DECLARE
	part pg_catalog.record;
	batches pg_catalog.int8[];	-- by their first pages; at the end those with rows that were locked
	number int;	-- of batches that the table has
	turn int;
	since int;	-- how many had nothing to fill
	began pg_catalog.timestamptz;
	told pg_catalog.timestamptz := pg_catalog.clock_timestamp();
	range varchar;
	missing bigint;
	written bigint;
	filled bigint;
	total bigint := 0;
	lag bigint;
	dead bigint;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'batch_pages must be at least 1';
	ELSIF max_lag IS NOT NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE insufficient_privilege
			USING MESSAGE =
				'permission denied to see how far replicas are behind, as max_lag needs',
			HINT = 'Be granted the role pg_read_all_stats, or leave max_lag out.';
	END IF;

	-- the key first: a reference finds only new keys that are there
	FOR part IN EXECUTE format($query$
		SELECT tab, tab::text AS name, string_agg(twin || ' = NULL', ', ') AS setting, string_agg(
			CASE WHEN is_key THEN '' ELSE col || ' IS NOT NULL AND ' END || twin || ' IS NULL',
				' OR ') AS missing
		FROM %s.uuidnew_rekey_columns($1)
		WHERE NOT (is_key AND swapped)
		GROUP BY tab, is_key
		ORDER BY is_key DESC, tab $query$, @own@) USING tab
	LOOP
		-- later rows have their twins
		batches := ARRAY(SELECT generate_series(0, pg_relation_size(part.tab)
			/ current_setting('block_size')::int8 - 1, batch_pages));
		number := cardinality(batches);
		filled := 0;
		turn := 1;
		WHILE turn <= cardinality(batches) LOOP
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			lag := (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))
				FROM pg_stat_replication);
			dead := pg_stat_get_dead_tuples(part.tab);
			IF lag > max_lag OR dead > max_dead THEN
				RAISE NOTICE 'waiting for %', CASE WHEN lag > max_lag
					THEN format('a replica, which is %s behind', pg_size_pretty(lag))
					ELSE format('autovacuum: %s has %s dead rows', part.name, dead) END;
				PERFORM pg_sleep(1);
				COMMIT;
				CONTINUE;
			END IF;
			IF filled = 0 THEN
				began := clock_timestamp();
				since := turn - 1;
			END IF;
			range := format('ctid >= ''(%s,0)'' AND ctid < ''(%s,0)'' AND (%s)', batches[turn],
				batches[turn] + batch_pages, part.missing);
			EXECUTE format('SELECT count(*) FROM ONLY %s WHERE %s', part.tab, range) INTO missing;
			EXECUTE format('UPDATE ONLY %1$s SET %2$s WHERE ctid = ANY (ARRAY('
				'SELECT ctid FROM ONLY %1$s WHERE %3$s FOR NO KEY UPDATE SKIP LOCKED))',
				part.tab, part.setting, range);
			GET DIAGNOSTICS written = ROW_COUNT;
			filled := filled + written;
			total := total + written;
			IF written < missing THEN
				batches := batches || batches[turn];
			END IF;
			IF clock_timestamp() - told >= '1 s' OR turn = cardinality(batches) THEN
				RAISE NOTICE '%: % rows filled, % %% of its pages, %', part.name, filled,
					least(100, 100 * turn / number), CASE WHEN turn < cardinality(batches)
						AND turn >= number
					THEN 'others hold the rest' WHEN filled = 0 THEN '? left'
						ELSE date_trunc('second',
					(clock_timestamp() - began) * (greatest(number - turn,
						0)::float8 / (turn - since))) || ' left' END;
				told := clock_timestamp();
			END IF;
			turn := turn + 1;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF total >= least(max_rows, max_dead) THEN	-- statistics are sent when a call ends
				RAISE NOTICE '% rows filled: call it again to go on', total;
				RETURN;
			END IF;
			PERFORM pg_sleep(CASE WHEN turn > number AND turn <= cardinality(batches) THEN 0.2
				ELSE extract(epoch FROM pause) END);
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuid_rekey_fill IS
'fills what uuid_rekey_steps has added; call it again to go on';
