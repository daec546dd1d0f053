CREATE PROCEDURE uuid_drop_partitions(parent regclass, older_than interval, dry_run boolean DEFAULT true,
	delete_children boolean DEFAULT false, detach_only boolean DEFAULT false, layout text DEFAULT NULL,
	batch int DEFAULT 10000)
LANGUAGE plpgsql AS $$
DECLARE
	k pg_catalog.record; p pg_catalog.record; child pg_catalog.record; n bigint; name varchar; tries int; finished boolean;
	reaches pg_catalog.timestamptz := pg_catalog.now() OPERATOR(pg_catalog.-) older_than;	-- a NULL drops nothing
	path CONSTANT varchar := pg_catalog.current_setting('search_path'); children varchar; kept varchar; secure CONSTANT varchar := pg_catalog.current_setting('row_security');
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF older_than < '0' OR dry_run IS NULL OR delete_children IS NULL OR detach_only IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'an age is not negative, and dry_run, delete_children and detach_only are true or false';
	END IF;
	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', @own@)
		INTO k USING parent, layout;
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);	-- before its partitions, as others do
	FOR p IN EXECUTE format('SELECT * FROM %s.uuid_partitions($1, $2) WHERE until <= $3 ORDER BY until', k.own) USING parent, k.layout, reaches LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);
		CONTINUE WHEN pg_get_partition_constraintdef(p.partition) IS NULL;	-- another session was here
		name := p.partition;	-- while there is one
		kept := NULL; children := '';
		EXECUTE format('SELECT count(*) FROM (SELECT FROM %s WHERE %s.uuid_v7_layout(%I) IS DISTINCT FROM $1 LIMIT 1) other', p.partition, k.own, k.key) INTO n USING k.layout;
		IF n > 0 THEN
			kept := 'it holds keys of another version or layout, whose age is not known';
		ELSIF NOT detach_only THEN
			-- what DROP would refuse, but for foreign keys that refer to the parent: DETACH ends those
			WITH RECURSIVE d(classid, objid, objsubid, deptype) AS (SELECT 'pg_class'::regclass::oid, relid::oid, 0, 'i'::"char" FROM pg_partition_tree(p.partition)
				UNION
				SELECT e.classid, e.objid, e.objsubid, e.deptype
				FROM d JOIN pg_depend e ON e.refclassid = d.classid AND e.refobjid = d.objid LEFT JOIN pg_constraint c ON e.classid = 'pg_constraint'::regclass AND c.oid = e.objid
				WHERE d.deptype <> 'n' AND NOT (c.contype IS NOT DISTINCT FROM 'f' AND c.conparentid <> 0))
			SELECT min(replace(pg_describe_object(classid, objid, objsubid), 'rule _RETURN on ', '')) || ' depends on it' INTO kept
			FROM (SELECT * FROM d UNION ALL	-- an extension's own
				SELECT e.refclassid, e.refobjid, 0, 'n'
				FROM pg_partition_tree(p.partition) JOIN pg_depend e ON e.classid = 'pg_class'::regclass AND e.objid = relid WHERE e.deptype = 'e') d
			WHERE deptype = 'n' AND NOT EXISTS (SELECT FROM d own WHERE own.classid = d.classid AND own.objid = d.objid AND own.deptype <> 'n');
		END IF;
		-- what refers to a table that this one is a partition of first: it keeps the partition
		FOR child IN SELECT c.conrelid::regclass AS tab, a.attname AS col, c.conrelid IN (SELECT relid FROM pg_partition_ancestors(parent)) AS above,
			format('%s%I OPERATOR(pg_catalog.<) %L%s', format('%I OPERATOR(pg_catalog.>=) ', a.attname) || quote_literal(p.lower) || ' AND ',
			a.attname, p.upper, (SELECT string_agg(format(' AND %I IS NOT NULL', o.attname), '') FROM pg_attribute o WHERE o.attrelid = c.conrelid
			AND o.attnum = ANY (c.conkey) AND o.attnum <> a.attnum)) AS refers FROM pg_constraint c JOIN pg_attribute key ON key.attrelid = c.confrelid AND key.attname = k.key
			JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[array_position(c.confkey, key.attnum)] LEFT JOIN pg_constraint above ON above.oid = c.conparentid
			WHERE c.confrelid = parent AND c.contype = 'f' AND above.confrelid IS DISTINCT FROM parent ORDER BY 3 DESC, 1, 2 LOOP
			EXIT WHEN kept IS NOT NULL;
			EXECUTE format('SELECT count(*) FROM %s WHERE %s', child.tab, child.refers) INTO n;
			CONTINUE WHEN n = 0;
			children := children || format(', with %s rows of %s', n, child.tab);
			IF NOT delete_children OR child.above THEN kept := format('%s rows of %s refer to it', n, child.tab); END IF;
			WHILE n > 0 AND kept IS NULL AND NOT dry_run LOOP
				PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);	-- for triggers
				EXECUTE pg_catalog.format('DELETE FROM %1$s WHERE %2$I OPERATOR(pg_catalog.=) ANY (ARRAY('
					'SELECT %2$I FROM %1$s WHERE %3$s LIMIT $1)) AND %3$s', child.tab, child.col, child.refers) USING batch;
				GET DIAGNOSTICS n = ROW_COUNT; COMMIT;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), pg_catalog.set_config('row_security', 'off', true);
			END LOOP;
		END LOOP;

		tries := 0; finished := kept IS NOT NULL OR dry_run;
		WHILE NOT finished LOOP
			PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';
			PERFORM set_config('row_security', 'off', true);
			BEGIN
				EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
				IF strpos(pg_get_partition_constraintdef(p.partition), p.upper::text) > 0 THEN
					EXECUTE format('ALTER TABLE %s DETACH PARTITION %s%s', parent,
						name, CASE WHEN NOT detach_only THEN format('; DROP %sTABLE %s', (SELECT 'FOREIGN ' FROM pg_class WHERE oid = p.partition AND relkind = 'f'), name) END);
				ELSE	-- uuid_create_partitions may have moved its end
					kept := 'another session has changed it';
				END IF;
				finished := true;
			EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
				tries := tries + 1; IF tries = 20 THEN RAISE; END IF;
			WHEN foreign_key_violation OR dependent_objects_still_exist OR object_not_in_prerequisite_state THEN
				-- such as a DETACH that is pending
				GET STACKED DIAGNOSTICS kept = PG_EXCEPTION_DETAIL; kept := coalesce(nullif(kept, ''), SQLERRM); finished := true;
			END;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			PERFORM pg_sleep(0.5 * random()) WHERE NOT finished;
		END LOOP;
		RAISE NOTICE '%', CASE WHEN kept IS NOT NULL THEN format('kept partition %s: %s', name, kept) ELSE format('%s partition %s: until %s, about %s rows, %s%s',
			(ARRAY['dropped', 'detached', 'would drop', 'would detach'])[1 + detach_only::int + 2 * dry_run::int], name, p.until, p.rows, pg_size_pretty(p.bytes), children) END;
	END LOOP;
	-- a dry run may be part of a transaction
	PERFORM set_config('search_path', path, true), set_config('row_security', secure, true);
END $$;
COMMENT ON PROCEDURE uuid_drop_partitions IS 'drops or detaches old partitions; by default only says which';
