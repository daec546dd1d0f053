-- Drops or detaches one partition, if it still has the bounds given.
--
-- Its keys are read first, under SHARE, as one of another layout or version keeps it; guards may
-- admit those. Then ACCESS EXCLUSIVE on the table, its default partition, the partition, and what
-- refers to the table, while the partition is joined with each of these. Waits for half a second
-- for each lock, unless the session has a lock_timeout.
--
-- name is NULL if it is gone. kept says why it stays; is_locked, that this may pass.
CREATE FUNCTION uuidnew_drop_partition(parent regclass, layout text, partition regclass,
	lower uuid, upper uuid, detach_only boolean,
	OUT name text, OUT kept text, OUT is_locked boolean)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	own CONSTANT text := @own@;
	partitioned record;
	has_others boolean;
	is_same boolean;
	kind "char";
BEGIN
	is_locked := false;
	PERFORM set_config('lock_timeout', '500ms', true) WHERE current_setting('lock_timeout') = '0';
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS SHARE MODE', parent);	-- first, as others do
	SELECT oid::regclass, relkind INTO name, kind
	FROM pg_class
	WHERE oid = partition AND relispartition;
	IF name IS NULL THEN
		RETURN;
	END IF;
	EXECUTE format('SELECT FROM %s WHERE false', name);	-- a lock: it keeps its name
	IF to_regclass(name) IS DISTINCT FROM partition THEN
		RAISE lock_not_available USING MESSAGE = format('partition %s has another name now', name);
	END IF;

	EXECUTE format('SELECT * FROM %s.uuidnew_partition_key($1, $2, NULL)', own)
		INTO partitioned USING parent, layout;
	IF kind <> 'f' THEN
		EXECUTE format('LOCK TABLE %s IN SHARE MODE', name);
	END IF;
	EXECUTE format($query$
		SELECT EXISTS (SELECT FROM %s WHERE %s.uuid_v7_layout(%I) IS DISTINCT FROM $1)
		$query$, name, own, partitioned.key) INTO has_others USING partitioned.layout;
	IF has_others THEN
		kept := 'it holds keys of another version or layout, whose age is not known';
		RETURN;
	END IF;

	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
	EXECUTE format($query$
		SELECT EXISTS (
			SELECT FROM %s.uuidnew_partition_bounds($1) bounds
			WHERE partition = $2
				AND bounds.lower IS NOT DISTINCT FROM $3
				AND bounds.upper IS NOT DISTINCT FROM $4)
		$query$, own) INTO is_same USING parent, partition, lower, upper;
	IF NOT is_same THEN
		kept := 'another session has changed it';
		RETURN;
	END IF;
	EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, name);
	IF NOT detach_only THEN
		EXECUTE format('DROP %s %s',
			CASE kind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, name);
	END IF;
EXCEPTION
	WHEN lock_not_available OR deadlock_detected THEN
		is_locked := true;
		kept := SQLERRM;
	WHEN foreign_key_violation OR dependent_objects_still_exist
		OR object_not_in_prerequisite_state	-- such as a DETACH that is pending
	THEN
		GET STACKED DIAGNOSTICS kept = PG_EXCEPTION_DETAIL;
		kept := coalesce(nullif(kept, ''), SQLERRM);
END
$$;
COMMENT ON FUNCTION uuidnew_drop_partition(regclass, text, regclass, uuid, uuid, boolean) IS
'drops or detaches one partition; for uuid_drop_partitions';
