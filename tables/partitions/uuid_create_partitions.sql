CREATE PROCEDURE uuid_create_partitions(parent regclass, width text, ahead interval, time_zone text DEFAULT 'UTC',
	layout text DEFAULT NULL, batch int DEFAULT 10000)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; step interval; digits varchar; stop pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.+) ahead;
	done pg_catalog.timestamptz := '-infinity';	-- all before is
	since pg_catalog.timestamptz; until pg_catalog.timestamptz; low pg_catalog.uuid; high pg_catalog.uuid;
	cut pg_catalog.uuid;	-- in its place, if there are more rows than a batch
	part varchar; unfinished CONSTANT varchar := 'uuid_create_partitions is moving rows into this partition';
	growing boolean; moving boolean; waiting bigint; deleted bigint; moved bigint := 0; made int := 0; tries int := 0;
	columns varchar; fks varchar; fks_again varchar; triggers varchar; stay varchar; blocked varchar; statement varchar;
	validate pg_catalog.text[] := '{}'; before pg_catalog.text[];
	enable CONSTANT varchar := 'SELECT string_agg(format(''ALTER TABLE %s ENABLE %s TRIGGER %I; '', tgrelid::regclass, '
		'CASE tgenabled WHEN ''A'' THEN ''ALWAYS'' WHEN ''R'' THEN ''REPLICA'' END, tgname), '''') FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal AND tgenabled <> ''D''';
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT w.step, w.digits INTO step, digits FROM (VALUES ('hour', interval '1 hour', 'YYYY_MM_DD_HH24'), ('day', '1 day', 'YYYY_MM_DD'),
		('week', '1 week', 'IYYY"w"IW'), ('month', '1 month', 'YYYY_MM'), ('quarter', '3 months', 'YYYY"q"Q'), ('year', '1 year', 'YYYY')) w(width, step, digits)
	WHERE w.width = lower(uuid_create_partitions.width);
	IF NOT FOUND OR parent IS NULL OR NOT coalesce(isfinite(stop), false) OR time_zone IS NULL OR batch IS NULL OR batch < 1 THEN
		RAISE invalid_parameter_value USING MESSAGE = format('cannot create partitions of width "%s", %s ahead, by %s rows', width, ahead, batch),
			HINT = 'Valid widths are hour, day, week, month, quarter and year.';
	END IF;

	LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		waiting := 0; growing := false; moving := false; cut := NULL; before := validate;
		BEGIN
			-- one at a time: writers go on while this waits
			EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
			-- below deadlock_timeout, so that nobody else is ended
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';
			EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', @own@)
				INTO k USING parent, layout;
			-- the first time from now on that has no partition, or that of a row that waits in the default one
			EXECUTE format('WITH p AS MATERIALIZED (SELECT * FROM %s.uuid_partitions($1, '
				'$2)) SELECT min(ts) FROM (SELECT $3 UNION ALL SELECT until FROM p) t(ts) WHERE ts >= $3 AND NOT EXISTS (SELECT FROM p WHERE since <= ts AND until > ts)', k.own)
			INTO since USING parent, k.layout, greatest(done, date_trunc(width, now(), time_zone));
			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT %1$s.uuid_v7_timestamp(%2$I, '
					'$1) FROM ONLY %3$s WHERE %2$I >= %1$s.uuid_v7_min($2, $1) AND %1$s.uuid_v7_layout(%2$I) = $1 ORDER BY %2$I LIMIT 1', k.own, k.key, k.rest)
				INTO until USING k.layout, done;
				since := least(since, until);
			END IF;
			EXIT WHEN since >= stop;
			-- its period, up to its neighbours
			done := since;
			since := date_trunc(width, done - CASE WHEN date_trunc(width, done, time_zone) > done	-- midnight comes twice
				THEN interval '1 hour' ELSE '0' END, time_zone);
			until := since;
			WHILE until <= done LOOP	-- there may be no midnight
				until := CASE width WHEN 'hour' THEN until + step ELSE (date_trunc(width, until AT TIME ZONE time_zone) + step) AT TIME ZONE time_zone END;
			END LOOP;
			SELECT format('%I.%I', n.nspname, free.name) INTO part FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, generate_series(1, 1000) i, concat(left(c.relname,
				greatest(44 - octet_length(c.relname) + length(c.relname), 1)), to_char(since AT TIME ZONE time_zone, '"_"' || digits), '_' || nullif(i, 1)) free(name)
			WHERE c.oid = parent AND to_regclass(format('%I.%I', n.nspname, free.name)) IS NULL ORDER BY i LIMIT 1;
			EXECUTE format('SELECT %1$s.uuid_v7_min($1, $3), %1$s.uuid_v7_min($2, $3)', k.own) INTO low, high USING since, until, k.layout;
			FOR p IN EXECUTE format('SELECT * FROM %s.uuid_partitions($1, $2)', k.own) USING parent, k.layout LOOP
				IF p.until <= done AND p.until > since THEN
					growing := obj_description(p.partition, 'pg_class') IS NOT DISTINCT FROM unfinished;
					low := p.upper; since := p.until;
					IF growing THEN low := p.lower; since := p.since; part := p.partition; END IF;
				ELSIF p.since > done AND p.since < until THEN
					high := p.lower; until := p.since;
				END IF;
			END LOOP;

			IF k.rest IS NOT NULL THEN
				EXECUTE format('SELECT $3 OR EXISTS (SELECT FROM ONLY %s WHERE %I >= $1 AND %2$I < $2)', k.rest, k.key) INTO moving USING low, high, growing;
			END IF;
			IF moving THEN	-- in one transaction, in which foreign keys and triggers would take rows for deleted
				SELECT min(format(	-- a foreign key that cannot be dropped and added again: its ON DELETE would fire
					CASE WHEN f.conparentid = 0 AND f.confrelid = parent THEN 'the foreign key of partitioned table %s cannot be added again NOT VALID before PostgreSQL 18'
						ELSE 'a foreign key of table %s refers to another table of the partition tree' END, f.conrelid::regclass)) INTO blocked
				FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid LEFT JOIN pg_constraint above ON above.oid = f.conparentid
				WHERE f.contype = 'f' AND (f.confrelid = k.rest AND f.conparentid = 0 OR f.confrelid = parent
					AND CASE f.conparentid WHEN 0 THEN c.relkind = 'p' AND current_setting('server_version_num')::int < 180000 ELSE above.confrelid <> parent END);
				IF blocked IS NOT NULL THEN RAISE '%', blocked; END IF;
				SELECT string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I; ', conrelid::regclass, conname), ''),
					string_agg(format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s%4$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %5$L; ',
					conrelid::regclass, conname, pg_get_constraintdef(oid), CASE WHEN convalidated THEN ' NOT VALID' END, obj_description(oid, 'pg_constraint')), ''),
					validate || coalesce(array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname)) FILTER (WHERE convalidated), '{}')
				INTO fks, fks_again, validate FROM pg_constraint WHERE confrelid = parent AND contype = 'f' AND conparentid = 0;
				-- the table first, as a transaction that writes both does
				EXECUTE format('LOCK TABLE ONLY %s, ONLY %s IN ACCESS EXCLUSIVE MODE', parent, k.rest);
				EXECUTE coalesce(fks, '');
				EXECUTE format('SELECT %1$I FROM ONLY %2$s WHERE %1$I >= $1 AND %1$I < $2 ORDER BY %1$I OFFSET $3 LIMIT 1', k.key, k.rest) INTO cut USING low, high, batch;
				SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
				EXECUTE format('CREATE TEMP TABLE uuidnew_moved ON COMMIT DROP AS SELECT %s FROM ONLY %s WHERE %I >= $1 AND %3$I < $2', columns, k.rest, k.key)
					USING low, coalesce(cut, high);
				EXECUTE enable INTO triggers USING k.rest;
				EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', k.rest);
				EXECUTE format('DELETE FROM ONLY %s WHERE %I >= $1 AND %2$I < $2', k.rest, k.key) USING low, coalesce(cut, high);
				GET DIAGNOSTICS deleted = ROW_COUNT; EXECUTE coalesce(triggers, '');
			END IF;

			IF growing THEN
				EXECUTE format('ALTER TABLE %1$s DETACH PARTITION %2$s; '
					'ALTER TABLE %1$s ATTACH PARTITION %2$s FOR VALUES FROM (%3$L) TO (%4$L)', parent, part, low, coalesce(cut, high));
			ELSE	-- only the parent's policies let anybody in
				EXECUTE (SELECT format('CREATE TABLE %1$s PARTITION OF %2$s FOR VALUES FROM (%3$L) TO (%4$L); ALTER TABLE %1$s OWNER TO %5$s%6$s%7$s',
					part, parent, low, coalesce(cut, high), relowner::regrole, CASE relreplident WHEN 'f' THEN ', REPLICA IDENTITY FULL' END,
					CASE WHEN relrowsecurity THEN ', ENABLE ROW LEVEL SECURITY' END) FROM pg_class WHERE oid = parent);
			END IF;

			IF moving THEN
				EXECUTE enable INTO triggers USING part::regclass;
				EXECUTE format('ALTER TABLE %1$s DISABLE TRIGGER USER; INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT * FROM pg_temp.uuidnew_moved', part, columns);
				GET DIAGNOSTICS waiting = ROW_COUNT;
				IF waiting <> deleted THEN RAISE 'of % rows of partition %, % were moved', deleted, k.rest, waiting; END IF;
				EXECUTE format('%s%sCOMMENT ON TABLE %s IS %L', triggers, fks_again, part, CASE WHEN cut IS NOT NULL THEN unfinished END);
			END IF;
			tries := 0;
		EXCEPTION WHEN OTHERS THEN
			validate := before;
			IF SQLSTATE IN ('55P03', '40P01', '40001') OR SQLSTATE = '23514' AND NOT moving THEN	-- a lock, or a row that came meanwhile
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			ELSIF moving THEN	-- the partitions of times to come do not wait for these
				stay := coalesce(stay, format('rows since %s stay in partition %s: %s', since, k.rest, SQLERRM));
				done := until; moved := 0; tries := 0; CONTINUE;
			ELSE RAISE; END IF;
		END;
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		PERFORM pg_sleep(0.5 * random()) WHERE tries > 0; CONTINUE WHEN tries > 0;
		moved := moved + waiting;
		IF cut IS NULL THEN
			RAISE NOTICE 'created partition %: since %, until %, with % rows from the default partition', part, since, until, moved;
			made := made + 1; done := until; moved := 0;
		END IF;
	END LOOP;
	IF stay IS NOT NULL THEN RAISE NOTICE '%', stay; END IF;
	COMMIT;

	FOREACH statement IN ARRAY validate LOOP EXECUTE statement; COMMIT; END LOOP;
	RAISE NOTICE 'created % partitions of %', made, parent;
END $$;
COMMENT ON PROCEDURE uuid_create_partitions IS 'creates the partitions that are missing, and moves what waits in the default';
