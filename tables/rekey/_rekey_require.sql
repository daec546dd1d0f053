-- Refuses, from now on, rows whose shadow column is not filled; 23502, and nothing changes, if
-- there is such a row. Reads the table; then ACCESS EXCLUSIVE on it for a moment. key_table is NULL
-- for the key itself.
CREATE PROCEDURE uuidnew_tables._rekey_require(key_table regclass, tab regclass, col text,
	shadow text, statement text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	missing text;
BEGIN
	CALL uuidnew_tables._rekey_after(key_table, '{}'::regclass[], ''::text);
	EXECUTE format('SELECT %1$s FROM ONLY %2$s WHERE %1$s IS NOT NULL AND %3$s IS NULL LIMIT 1',
		col, tab, shadow) INTO missing;
	IF missing IS NOT NULL THEN
		RAISE not_null_violation USING
			MESSAGE = format('a row of table %s has no %s: %s is %s', tab, shadow, col, missing),
			HINT = format('Set %s in such rows, or delete them.', shadow);
	END IF;
	CALL uuidnew_tables._briefly(ARRAY[tab], ARRAY[statement]);
END
$$;

-- Runs a statement like _briefly, after the first _rekey_require: 55000 if that is not done, so
-- that writers are refused nothing if it has failed.
CREATE PROCEDURE uuidnew_tables._rekey_after(key_table regclass, tabs regclass[], statement text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF key_table IS NOT NULL AND NOT EXISTS (SELECT FROM pg_constraint
		WHERE conrelid = key_table AND conname = 'uuid_rekey_key')
	THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('a step before has failed: keys of table %s are missing', key_table);
	END IF;
	CALL uuidnew_tables._briefly(tabs, ARRAY[statement]);
END
$$;
