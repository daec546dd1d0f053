-- Fills the shadow columns in batches of pages, each a transaction; then no row is written without
-- them. Call it again to continue. Rows that other transactions hold are left until later. 23502 at
-- the first row that gets no key, before any writer is refused. A rehearsal calls it, too.
CREATE PROCEDURE uuidnew_tables.rekey_fill(tab regclass, batch_pages int DEFAULT 100,
	pause interval DEFAULT '0')
LANGUAGE plpgsql
AS $$
DECLARE
	path CONSTANT pg_catalog.text := pg_catalog.current_setting('search_path');
	part pg_catalog.record;
	batches pg_catalog.int8[];	-- by first pages; later again if rows were locked
	rows varchar;
	missing bigint;
	free pg_catalog.tid[];	-- rows that no other transaction holds
	written bigint;
	keyless pg_catalog.text;	-- a row that got no key
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	IF batch_pages < 1 OR batch_pages IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = 'batch_pages must be at least 1';
	END IF;
	-- the key first, which references need; again before, and after, rows without keys are refused,
	-- by a CHECK that proves NOT NULL at the swap
	FOR part IN
		SELECT c.tab, bool_or(target ^@ 'pg_temp.') AS rehearsed,
			string_agg(unfilled, ' OR ') AS missing,
			string_agg(shadow || ' = DEFAULT', ', ') AS setting,
			string_agg(format('CASE WHEN %s THEN %L OPERATOR(pg_catalog.||) %s::pg_catalog.text '
				'END', unfilled, format('%s: %s is ', shadow, col), col), ', ') AS keyless,
			array_agg(format('ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s%s IS NOT NULL) NOT VALID',
				target, trigger_name, CASE WHEN NOT not_null THEN col || ' IS NULL OR ' END,
				shadow)) FILTER (WHERE checked IS NULL AND pass = 2) AS guards
		FROM uuidnew_tables._rekey_columns(rekey_fill.tab) c
		CROSS JOIN format('%s IS NOT NULL AND %s IS NULL', col, shadow) unfilled
		CROSS JOIN generate_series(1, 3) pass
		WHERE has_shadow
		GROUP BY pass, is_key, c.tab
		ORDER BY pass, is_key DESC, c.tab
	LOOP
		batches := ARRAY(SELECT generate_series(0, pg_relation_size(part.tab)
			/ current_setting('block_size')::int8 - 1, batch_pages));
		FOR turn IN 1 .. 2000000000 LOOP
			IF NOT part.rehearsed THEN
				COMMIT;	-- of the batch, or the CHECK, before
				PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			END IF;
			PERFORM pg_sleep(extract(epoch FROM pause));
			EXIT WHEN turn > cardinality(batches);
			rows := format('FROM ONLY %s WHERE ctid >= ''(%s,0)'' AND ctid < ''(%s,0)'' AND (%s)',
				part.tab, batches[turn], batches[turn] + batch_pages, part.missing);
			EXECUTE format('SELECT (SELECT count(*) %1$s), ARRAY(SELECT ctid %1$s '
				'FOR NO KEY UPDATE SKIP LOCKED)', rows) INTO missing, free;
			PERFORM set_config('search_path', path, true);	-- for the table's triggers
			EXECUTE pg_catalog.format('WITH written AS (UPDATE ONLY %s SET %s '
				'WHERE ctid OPERATOR(pg_catalog.=) ANY ($1) RETURNING coalesce(%s) AS keyless) '
				'SELECT pg_catalog.count(*), pg_catalog.min(keyless) FROM written', part.tab,
				part.setting, part.keyless) INTO written, keyless USING free;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			IF keyless IS NOT NULL OR written < cardinality(free) THEN
				RAISE not_null_violation USING MESSAGE = coalesce(
					format('a row of table %s has no ', part.tab) || keyless,
					format('a trigger of table %s keeps rows from being filled', part.tab));
			END IF;
			CONTINUE WHEN written = missing;
			batches := batches || batches[turn];
			CONTINUE WHEN written > 0;
			RAISE NOTICE 'waiting for rows of % that other transactions hold', part.tab;
			PERFORM pg_sleep(1);
		END LOOP;
		EXECUTE format('ANALYZE %s', part.tab);
		CONTINUE WHEN part.guards IS NULL;
		CALL uuidnew_tables._briefly(ARRAY[part.tab], part.guards);
	END LOOP;
	IF NOT FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s has no shadow columns', tab);
	END IF;
END
$$;
COMMENT ON PROCEDURE uuidnew_tables.rekey_fill IS 'fills what rekey_steps has added, in batches';
