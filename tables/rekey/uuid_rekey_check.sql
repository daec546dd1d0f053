CREATE FUNCTION uuid_rekey_check(tab regclass, new_key text,
	uuid_min regprocedure DEFAULT 'uuid_v7_min(timestamptz, text)'::regprocedure)
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	path CONSTANT varchar := pg_catalog.current_setting('search_path'); own varchar; key pg_catalog.name;
	k pg_catalog.record; c pg_catalog.record;
	query varchar; n bigint; page bigint := 0; failed boolean := false; wrong int := 0;
	began pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	own := (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = uuid_min);
	RETURN QUERY EXECUTE format('SELECT ''obstacle'', o FROM %1$s.uuidnew_rekey_obstacles($1, $2, %1$L) o',
		own) USING tab, new_key;
	-- The expression is the caller's, and finds names as the caller does.
	key := (SELECT attname FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
		WHERE conrelid = tab AND contype = 'p');
	BEGIN
		PERFORM set_config('search_path', path, true);
		EXECUTE pg_catalog.format('SELECT pg_catalog.sum(n) '
			'AS rows, pg_catalog.count(*) FILTER (WHERE key IS NULL) AS missing, pg_catalog.count(*) '
			'FILTER (WHERE n OPERATOR(pg_catalog.>) 1 AND key IS NOT NULL) AS same, pg_catalog.min(ts) AS '
			'first, pg_catalog.max(ts) AS last, pg_catalog.array_agg(DISTINCT %1$s.uuid_v7_layout(key)) FILTER (WHERE '
			'key IS NOT NULL) AS layouts FROM (SELECT key, pg_catalog.count(*) AS n, %1$s.uuid_v7_timestamp(key, '
			'CASE WHEN key OPERATOR(pg_catalog.<) ''03000000-0000-7000-8000-000000000000'' THEN ''rfc9562'' '
			'ELSE ''draft'' END) AS ts FROM (SELECT (%2$s)::pg_catalog.uuid AS key FROM ONLY %3$s) k GROUP BY key) g',
			own, new_key, tab) INTO k;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	EXCEPTION WHEN data_exception OR raise_exception THEN failed := true; SELECT 1::bigint AS missing INTO k;
	END;
	query := format('SELECT pg_catalog.count(*) FILTER (WHERE (%s)::pg_catalog.uuid IS '
		'NULL) FROM ONLY %s WHERE ctid OPERATOR(pg_catalog.>=) $1 AND ctid OPERATOR(pg_catalog.<=) $2', new_key, tab);
	WHILE k.missing > 0 AND page < pg_relation_size(tab) / current_setting('block_size')::int8 AND wrong < 10 LOOP
		-- these pages, and if one of their rows is wrong, row by row
		FOR c IN EXECUTE format('SELECT ''(%1$s,0)''::tid '
			'AS low, ''(%2$s,65535)''::tid AS high, NULL AS old UNION ALL SELECT ctid, ctid, %3$I::text FROM '
			'ONLY %4$s WHERE ctid >= ''(%1$s,0)'' AND ctid <= ''(%2$s,65535)'' ORDER BY 1', page, page + 99, key, tab)
		LOOP
			BEGIN
				PERFORM set_config('search_path', path, true);
				EXECUTE query INTO n USING c.low, c.high;
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
				EXIT WHEN c.old IS NULL AND n = 0; CONTINUE WHEN c.old IS NULL OR n = 0;
				RETURN QUERY SELECT 'error', format('the new key is NULL for old key %s', c.old);
			EXCEPTION WHEN data_exception OR raise_exception THEN
				CONTINUE WHEN c.old IS NULL;
				RETURN QUERY SELECT 'error', format('the new key fails: %s, for old key %s', SQLERRM, c.old);
			END;
			wrong := wrong + 1; EXIT WHEN wrong = 10;
		END LOOP;
		page := page + 100;
	END LOOP;
	IF NOT failed THEN
		RETURN QUERY SELECT 'error', format('%s new keys are the same for several rows', k.same) WHERE k.same > 0;
		RETURN QUERY SELECT 'error', format('the new keys are of several layouts: %s', array_to_string(k.layouts, ', '))
			WHERE cardinality(k.layouts) > 1;
		RETURN QUERY SELECT 'warning', format('new keys are of the future, until %s', k.last) WHERE k.last > now();
		RETURN QUERY SELECT 'note', format('%s rows of %s, new keys of layout %s from %s to %s; '
			'computing them took %s', coalesce(k.rows, 0), tab, coalesce(k.layouts[1], 'unknown'),
			coalesce(k.first::text, '?'), coalesce(k.last::text, '?'), clock_timestamp() - began);
	END IF;

	FOR c IN EXECUTE format('SELECT * FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		IF NOT c.is_key THEN
			EXECUTE format('SELECT count(*) FROM %s r WHERE %I IS NOT NULL AND NOT EXISTS '
				'(SELECT FROM %s k WHERE k.%I %s r.%2$I::%6$s)', c.tab, c.col, tab, key, c.equal, c.key_type) INTO n;
			RETURN QUERY SELECT CASE WHEN n > 0 THEN 'error' ELSE 'note' END, format('column "%s" of '
				'%s refers to the key%s', c.col, c.tab, CASE WHEN n > 0 THEN format('; %s rows to none', n) END);
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has no index', c.col, c.tab)
				WHERE NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.tab AND indkey[0] = c.num);
		ELSIF NOT (c.has_default OR c.identity) THEN
			RETURN QUERY SELECT 'warning', format('column "%s" of %s has neither a default nor an '
				'identity: rows that are written after the swap have no old key, and no way leads back', c.col, c.tab);
		END IF;
		RETURN QUERY SELECT CASE contype WHEN 'c' THEN 'note' ELSE 'warning' END, format('constraint "%s" of %s %s',
			conname, c.tab, CASE contype WHEN 'c' THEN 'stays with the old column' ELSE 'is deferrable: '
			'once the triggers exist, what a row refers to has to be written first' END) FROM pg_constraint
			WHERE conrelid = c.tab AND (contype = 'c' OR contype = 'f' AND condeferrable) AND c.num = ANY (conkey);
		RETURN QUERY SELECT DISTINCT 'note', format('view %s is made again in the swap', r.ev_class::regclass)
			FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
			WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.tab AND d.refobjsubid = c.num;
	END LOOP;
	FOR c IN EXECUTE format('SELECT DISTINCT tab FROM %s.uuidnew_rekey_columns($1)', own) USING tab LOOP
		RETURN QUERY SELECT 'warning', format('trigger %s of %s fires for each row that is filled', tgname, c.tab)
			FROM pg_trigger WHERE tgrelid = c.tab
			AND NOT tgisinternal AND tgtype & 16 <> 0 AND tgname !~ '^uuid_rekey_' AND tgenabled <> 'D';
		RETURN QUERY SELECT 'warning', format('%s is published by %s: a subscriber does not get ALTER TABLE',
			c.tab, pubname) FROM pg_publication_tables WHERE format('%I.%I', schemaname, tablename) = c.tab::text;
		RETURN QUERY SELECT 'note', format('filling writes %s anew: another '
			'%s, until the table is packed, and as much WAL at least', c.tab, pg_size_pretty(pg_table_size(c.tab)));
	END LOOP;
	PERFORM set_config('search_path', path, true);
END $$;
COMMENT ON FUNCTION uuid_rekey_check IS 'a look before re-keying, which changes nothing';
