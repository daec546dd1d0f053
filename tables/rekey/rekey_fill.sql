-- Fills the shadow columns that rekey_steps has added, in batches of pages, each a transaction
-- and a snapshot.  Call it again to continue.
--
-- Locks the rows of a batch.  Rows that other transactions hold it leaves, so that it waits for no
-- transaction that might wait for it, and comes back to them until none is left.  23502 at the
-- first row that gets no key.
CREATE PROCEDURE uuidnew_tables.rekey_fill(tab regclass, batch_pages int DEFAULT 100,
	pause interval DEFAULT '0')
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	part pg_catalog.record;
	batches pg_catalog.int8[];	-- by first pages; later again if rows were locked
	turn int;
	range varchar;
	missing bigint;
	free pg_catalog.tid[];	-- rows that no other transaction holds
	written bigint;
	keyless pg_catalog.text;	-- a row that got no key
	told pg_catalog.timestamptz := pg_catalog.clock_timestamp();
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'batch_pages must be at least 1';
	END IF;
	-- the key first: a reference finds only new keys that are there
	FOR part IN
		SELECT c.tab, string_agg(shadow || ' = NULL', ', ') AS setting, string_agg(
			CASE WHEN is_key THEN '' ELSE col || ' IS NOT NULL AND ' END || shadow || ' IS NULL',
				' OR ') AS missing,
			string_agg(format('CASE WHEN %1$s IS NOT NULL AND %2$s IS NULL THEN %3$L '
				'OPERATOR(pg_catalog.||) %1$s::pg_catalog.text END', col, shadow, col || ' is '),
				', ') AS keyless
		FROM uuidnew_tables._rekey_columns(rekey_fill.tab) c
		WHERE NOT (is_key AND swapped)
		GROUP BY c.tab, is_key
		ORDER BY is_key DESC, c.tab
	LOOP
		batches := ARRAY(SELECT generate_series(0, pg_relation_size(part.tab)
			/ current_setting('block_size')::int8 - 1, batch_pages));
		turn := 1;
		WHILE turn <= cardinality(batches) LOOP
			range := format('ctid >= ''(%s,0)'' AND ctid < ''(%s,0)'' AND (%s)', batches[turn],
				batches[turn] + batch_pages, part.missing);
			EXECUTE format('SELECT count(*) FROM ONLY %s WHERE %s', part.tab, range) INTO missing;
			EXECUTE format('SELECT ARRAY(SELECT ctid FROM ONLY %s WHERE %s '
				'FOR NO KEY UPDATE SKIP LOCKED)', part.tab, range) INTO free;
			PERFORM set_config('search_path', path, true);	-- for the table's triggers
			EXECUTE pg_catalog.format('WITH written AS (UPDATE ONLY %s SET %s '
				'WHERE ctid OPERATOR(pg_catalog.=) ANY ($1) RETURNING coalesce(%s) AS keyless) '
				'SELECT pg_catalog.count(*), pg_catalog.min(keyless) FROM written', part.tab,
				part.setting, part.keyless) INTO written, keyless USING free;
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF keyless IS NOT NULL THEN
				RAISE not_null_violation USING
					MESSAGE = format('a row of table %s gets no key: %s', part.tab, keyless);
			END IF;
			IF written < cardinality(free) THEN
				RAISE triggered_action_exception USING MESSAGE = format(
					'a trigger of table %s keeps rows from being filled', part.tab);
			END IF;
			IF written < missing THEN
				batches := batches || batches[turn];
				PERFORM pg_sleep(0.2) WHERE written = 0;
				IF written = 0 AND clock_timestamp() > told + '10 s' THEN
					RAISE NOTICE 'waiting for rows of table % that other transactions hold',
						part.tab;
					told := clock_timestamp();
				END IF;
			END IF;
			PERFORM pg_sleep(extract(epoch FROM pause));
			turn := turn + 1;
		END LOOP;
		EXECUTE format('ANALYZE %s', part.tab);
	END LOOP;
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.rekey_fill IS 'fills what rekey_steps has added, in batches';
