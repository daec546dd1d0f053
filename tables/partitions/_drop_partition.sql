-- Drops or detaches a partition whose keys are all from before a time, and returns its name.
--
-- ACCESS EXCLUSIVE on the table, the partition and the tables that refer to the table, and, if the
-- partition is dropped, on those that it refers to, while DETACH joins it with each referring
-- table. Before, these locks are tried, and released, and the keys are read under SHARE.
CREATE FUNCTION uuidnew_tables._drop_partition(parent regclass, key name, partition regclass,
	before timestamptz, detach_only boolean)
RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	name CONSTANT text := (SELECT oid::regclass FROM pg_class WHERE oid = partition);
	locks record;
	has_others boolean;
BEGIN
	IF name IS NULL THEN
		RAISE undefined_table USING MESSAGE = 'another session has dropped it';
	END IF;
	SELECT * INTO locks FROM uuidnew_tables._locks(parent, partition, CASE WHEN NOT detach_only
		THEN 'ACCESS EXCLUSIVE' END, 'ACCESS EXCLUSIVE'::text, 'ACCESS EXCLUSIVE'::text);
	BEGIN	-- else the partition would be read in vain
		CALL uuidnew_tables._briefly(locks.tables, locks.statements);
		RAISE SQLSTATE 'UNDO1';
	EXCEPTION
		WHEN SQLSTATE 'UNDO1' THEN
			NULL;
	END;
	CALL uuidnew_tables._briefly(ARRAY[partition],
		ARRAY[format('LOCK TABLE %s IN SHARE MODE', partition)]);
	IF partition::text <> name THEN
		RAISE lock_not_available USING MESSAGE = 'another session has renamed it';
	END IF;
	EXECUTE format($query$
		SELECT EXISTS (
			SELECT FROM %1$s
			WHERE CASE uuidnew_tables._key_layout(%2$I)
				WHEN 'rfc9562' THEN %2$I >= $1
				WHEN 'draft' THEN %2$I >= $2
				ELSE true END)
		$query$, name, key) INTO has_others
	USING uuidnew_tables._key_min(before, 'rfc9562'::text),
		uuidnew_tables._key_min(before, 'draft'::text);
	IF has_others THEN
		RAISE check_violation USING MESSAGE = 'it holds keys that are younger, or not of version 7';
	END IF;
	CALL uuidnew_tables._briefly('{}'::regclass[], locks.statements
		|| format('ALTER TABLE %s DETACH PARTITION %s', parent, name)
		|| CASE WHEN detach_only THEN '' ELSE format('DROP TABLE %s', name) END);
	RETURN name;
END
$$;
