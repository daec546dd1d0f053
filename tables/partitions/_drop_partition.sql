-- Drops or detaches a partition whose keys are all from before a time, and returns its name.
--
-- First it tries to get its locks, so that the partition is not read in vain: ACCESS EXCLUSIVE on
-- the table, the partition and the tables that refer to the table, and on those that it refers to
-- if the partition is dropped. It releases them and reads the keys under SHARE, while other
-- sessions read. Then it locks again, while DETACH joins the partition with each referring table.
CREATE FUNCTION uuidnew_tables._drop_partition(parent regclass, key name, partition regclass,
	before timestamptz, detach_only boolean)
RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	name CONSTANT text := (SELECT oid::regclass FROM pg_class WHERE oid = partition);
	locks CONSTANT text[] := (
		SELECT CASE WHEN detach_only THEN '{}' ELSE ARRAY(
				SELECT replace(l, 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE')
				FROM unnest(lock_parents) l) END
			|| format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent) || lock_children
		FROM uuidnew_tables._foreign_keys(parent, true));
	has_others boolean;
BEGIN
	IF name IS NULL THEN
		RAISE undefined_table USING MESSAGE = 'another session has dropped it';
	END IF;
	BEGIN
		CALL uuidnew_tables._briefly(ARRAY[partition],
			locks || format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', name));
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
	END;
	CALL uuidnew_tables._briefly(ARRAY[partition],
		ARRAY[format('LOCK TABLE %s IN SHARE MODE', name)]);
	IF partition::text <> name THEN
		RAISE lock_not_available USING MESSAGE = 'another session has renamed it';
	END IF;
	EXECUTE format($query$
		SELECT EXISTS (
			SELECT FROM %1$s
			WHERE CASE uuidnew_tables._key_layout(%2$I)
				WHEN 'rfc9562' THEN %2$I >= $2
				WHEN 'draft' THEN %2$I >= $3
				ELSE (uuidnew_tables._gregorian_time(%2$I) < $1) IS NOT TRUE END)
		$query$, name, key) INTO has_others
	USING before, uuidnew_tables._key_min(before, 'rfc9562'::text),
		uuidnew_tables._key_min(before, 'draft'::text);
	IF has_others THEN
		RAISE check_violation USING MESSAGE = 'it holds keys that are younger, or have no time';
	END IF;
	CALL uuidnew_tables._briefly('{}'::regclass[], locks || array_remove(ARRAY[
		format('ALTER TABLE %s DETACH PARTITION %s', parent, name),
		CASE WHEN NOT detach_only THEN format('DROP TABLE %s', name) END], NULL::text));
	RETURN name;
END
$$;
