-- The new keys of all rows, computed and looked at: what uuid_rekey_check finds of them.
--
-- Reads the table, and where a key fails or is NULL once more, row by row, until ten are found.
-- The expression stands in a temporary view, and finds names as the caller does; the view is
-- rolled back.
CREATE FUNCTION uuidnew_rekey_keys(root regclass, new_key text, path text)
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	began CONSTANT timestamptz := clock_timestamp();
	keys record;
	failed boolean := false;
	problem text;
	old record;
	wrong text[] := '{}';
BEGIN
	BEGIN
		PERFORM set_config('search_path', path, true);
		EXECUTE pg_catalog.format('CREATE TEMPORARY VIEW uuid_rekey_keys AS '
			'SELECT ctid AS at, (%s)::pg_catalog.uuid AS key FROM ONLY %s', new_key, root);
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		BEGIN
			EXECUTE replace($query$
			SELECT coalesce(sum(n), 0) AS rows, count(*) FILTER (WHERE key IS NULL) AS missing,
				count(*) FILTER (WHERE n > 1 AND key IS NOT NULL) AS same,
				min(made) AS first, max(made) AS last,
				array_agg(DISTINCT layout) FILTER (WHERE key IS NOT NULL) AS layouts
			FROM (SELECT key, count(*) AS n FROM pg_temp.uuid_rekey_keys GROUP BY key) counted
				CROSS JOIN LATERAL OWN.uuid_v7_layout(key) layout
				CROSS JOIN LATERAL OWN.uuid_v7_timestamp(key, nullif(layout, 'none')) made
			$query$, 'OWN.', @own@ || '.') INTO keys;
		EXCEPTION WHEN data_exception OR raise_exception THEN
			failed := true;
			SELECT 1 AS missing INTO keys;
		END;
		IF keys.missing > 0 THEN
			FOR old IN EXECUTE format('SELECT ctid AS at, %I::text AS key FROM ONLY %s',
				(SELECT attname FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid
					AND attnum = conkey[1]
				WHERE conrelid = root AND contype = 'p'), root)
			LOOP
				problem := NULL;
				BEGIN
					SELECT 'is NULL' INTO problem FROM pg_temp.uuid_rekey_keys k
					WHERE k.at = old.at AND k.key IS NULL;
				EXCEPTION WHEN data_exception OR raise_exception THEN
					problem := format('fails: %s,', SQLERRM);
				END;
				IF problem IS NOT NULL THEN
					wrong := wrong || format('the new key %s for old key %s', problem, old.key);
				END IF;
				EXIT WHEN cardinality(wrong) = 10;
			END LOOP;
		END IF;
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION WHEN SQLSTATE 'UNDO1' THEN
		NULL;
	END;

	RETURN QUERY SELECT 'error', w FROM unnest(wrong) w;
	IF NOT failed THEN
		RETURN QUERY
		SELECT 'error', format('%s new keys are the same for several rows', keys.same)
			WHERE keys.same > 0
		UNION ALL
		SELECT 'error', format('the new keys are of several layouts: %s',
			array_to_string(keys.layouts, ', '))
		WHERE cardinality(keys.layouts) > 1
		UNION ALL
		SELECT 'warning', format('new keys are of the future, until %s', keys.last)
			WHERE keys.last > now()
		UNION ALL
		SELECT 'note', format('%s rows of %s, new keys of layout %s from %s to %s; '
			'computing them took %s',
			keys.rows, root, coalesce(keys.layouts[1], 'unknown'), coalesce(keys.first::text, '?'),
			coalesce(keys.last::text, '?'), clock_timestamp() - began);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_keys IS 'new keys, computed and looked at; for uuid_rekey_check';
