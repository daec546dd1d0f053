-- Drops or detaches a partition whose keys are all less than a key, and returns its name. ACCESS
-- EXCLUSIVE on the table, the partition and tables that the table refers to (to detach, SHARE ROW
-- EXCLUSIVE), after the keys have been read under SHARE.
CREATE FUNCTION uuidnew_tables._drop_partition(parent regclass, key name, partition regclass,
	before uuid, detach_only boolean)
RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
	name CONSTANT text := (SELECT oid::regclass FROM pg_class WHERE oid = partition);
	locks CONSTANT record := uuidnew_tables._locks(parent, partition,
		CASE WHEN detach_only THEN 'SHARE ROW EXCLUSIVE' ELSE 'ACCESS EXCLUSIVE' END,
		'ACCESS EXCLUSIVE'::text);
	has_others boolean;
BEGIN
	IF name IS NULL THEN
		RAISE undefined_table USING MESSAGE = 'another session has dropped it';
	END IF;
	CALL uuidnew_tables._briefly(ARRAY[partition],
		ARRAY[format('LOCK TABLE %s IN SHARE MODE', partition)]);
	IF partition::text <> name THEN
		RAISE undefined_table USING MESSAGE = 'another session has renamed it';
	END IF;
	EXECUTE format('SELECT EXISTS (SELECT FROM %1$s WHERE %2$I >= $1 OR '
		'NOT uuidnew_tables._key_is(%2$I))', name, key)
	INTO has_others USING before;
	IF has_others THEN
		RAISE check_violation USING
			MESSAGE = 'it holds keys that are younger, or not of RFC 9562''s version 7';
	END IF;
	CALL uuidnew_tables._briefly(locks.tables, locks.statements);
	PERFORM uuidnew_tables._refuse('it cannot be detached'::text,
		ARRAY(SELECT uuidnew_tables._referring(parent, NULL::regclass)));
	EXECUTE concat(format('ALTER TABLE %s DETACH PARTITION %s', parent, name),
		CASE WHEN NOT detach_only THEN format('; DROP TABLE %s', name) END);
	RETURN name;
END
$$;
