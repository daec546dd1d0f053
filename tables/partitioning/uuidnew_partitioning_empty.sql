-- An error if a table has rows, whoever may see them, also those that were committed while this
-- waited for its lock.
CREATE FUNCTION uuidnew_partitioning_empty(tab regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	has_rows boolean;
BEGIN
	EXECUTE format('SELECT EXISTS (SELECT FROM %s)', tab) INTO has_rows;
	IF has_rows THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s has rows in other partitions', tab);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_empty(regclass) IS
'an error if a table has rows; for uuid_partitioning_steps';
