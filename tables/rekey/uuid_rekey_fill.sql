CREATE PROCEDURE uuid_rekey_fill(tab regclass, batch_pages int DEFAULT 100, max_lag bigint DEFAULT NULL, max_dead bigint DEFAULT NULL,
	max_rows bigint DEFAULT NULL, pause interval DEFAULT '0', uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
LANGUAGE plpgsql AS $$
DECLARE
	c pg_catalog.record; name varchar; state varchar; pages bigint; page bigint; n bigint; filled bigint; total bigint := 0;
	since bigint; rate bigint; lag bigint; dead bigint; remaining interval; began pg_catalog.timestamptz; told pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'batch_pages must be at least 1';
	ELSIF max_lag IS NOT NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
		RAISE insufficient_privilege USING MESSAGE = 'permission denied to see how far replicas are behind, as max_lag needs',
			HINT = 'Be granted the role pg_read_all_stats, or leave max_lag out.';
	END IF;
	-- a table that refers to itself is gone through twice, as a reference finds only keys that are there
	FOR c IN EXECUTE format('SELECT tab, is_key, string_agg(format(''%%I = NULL'', twin), '', '') AS setting, string_agg('
		'CASE WHEN is_key THEN '''' ELSE format(''%%I IS NOT NULL AND '', col) END || format(''%%I IS NULL'', twin), '' OR '') AS missing '
		'FROM %s.uuidnew_rekey_columns($1) WHERE NOT (is_key AND twin ^@ ''old_'') GROUP BY tab, is_key ORDER BY is_key DESC, tab',
		(SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min)) USING tab LOOP
		page := 0; filled := 0; rate := 0; remaining := NULL; name := c.tab;
		pages := pg_relation_size(c.tab) / current_setting('block_size')::int8;	-- what is written later has its twin
		WHILE page < pages LOOP
			IF filled = 0 THEN began := clock_timestamp(); since := page; END IF;	-- what is filled already takes no time
			state := format('uuid_rekey %s %s %s %s %s %s', c.tab::oid, page, pages, filled, rate, extract(epoch FROM remaining)::int8);
			LOOP
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				PERFORM set_config('application_name', state, true);	-- seen by uuid_rekey_progress
				lag := (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication);
				dead := pg_stat_get_dead_tuples(c.tab);
				EXIT WHEN coalesce(lag <= max_lag, true) AND coalesce(dead <= max_dead, true);
				RAISE NOTICE 'waiting for %', CASE WHEN lag > max_lag THEN format('a replica, which is %s behind',
					pg_size_pretty(lag)) ELSE format('autovacuum: %s has %s dead rows', c.tab, dead) END;
				PERFORM pg_sleep(1); COMMIT;
			END LOOP;
			-- waits for nobody, so that nobody is ended
			EXECUTE format('UPDATE ONLY %1$s SET %2$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY %1$s '
				'WHERE ctid >= ''(%3$s,0)'' AND ctid < ''(%4$s,0)'' AND (%5$s) FOR NO KEY UPDATE SKIP LOCKED))', c.tab, c.setting, page, page + batch_pages, c.missing);
			GET DIAGNOSTICS n = ROW_COUNT; page := least(page + batch_pages, pages); filled := filled + n; total := total + n;
			rate := filled / greatest(extract(epoch FROM clock_timestamp() - began), 0.001);
			remaining := CASE WHEN filled > 0 THEN (clock_timestamp() - began) * ((pages - page)::float8 / (page - since)) END;
			IF clock_timestamp() - told >= '1 s' OR page = pages THEN
				RAISE NOTICE '%: % rows filled, % %% of its pages, % rows/s, % left',
					name, filled, 100 * page / pages, rate, coalesce(date_trunc('second', remaining)::text, '?');
				told := clock_timestamp();
			END IF;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF total >= least(max_rows, max_dead) THEN	-- statistics are sent when a call ends
				RAISE NOTICE '% rows filled: call it again to go on', total; RETURN;
			END IF;
			PERFORM set_config('application_name', state, true), pg_sleep(extract(epoch FROM pause)::float8);
		END LOOP;
	END LOOP;
END $$;
COMMENT ON PROCEDURE uuid_rekey_fill IS 'fills what uuid_rekey_steps has added, in batches; call it again to go on';
