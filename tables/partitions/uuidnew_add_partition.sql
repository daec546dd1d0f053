-- Creates one partition, as PARTITION OF would, but open to its owner alone, since default
-- privileges may let in whom the table does not. Moves rows of the default partition into it if
-- asked to.
--
-- LIKE and ATTACH take SHARE UPDATE EXCLUSIVE on the table, and ACCESS EXCLUSIVE on the default
-- partition, which ATTACH reads. To move rows, ACCESS EXCLUSIVE on the table, its default
-- partition and what refers to the table, until the end of the transaction. Waits for half a
-- second in all, unless the session has a lock_timeout.
--
-- partition is NULL if another session was here before, and if there is a reason why it could not
-- be done: a lock (is_locked), a row that waits meanwhile, or whatever keeps rows from moving.
CREATE FUNCTION uuidnew_add_partition(parent regclass, key name, rest regclass, lower uuid,
	upper uuid, suffix text, moving boolean,
	OUT partition regclass, OUT moved bigint, OUT validate_later text[],
	OUT reason text, OUT is_locked boolean)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	children record;
BEGIN
	is_locked := false;
	-- one at a time; autovacuum gives way to these, as they wait long enough, and writers go on
	EXECUTE format('LOCK TABLE ONLY %s%s IN SHARE UPDATE EXCLUSIVE MODE',
		parent, ', ' || rest::text);
	EXECUTE format($query$
		SELECT count(*) AS number,
			coalesce(string_agg(DISTINCT ', ' || child, ''), '') AS names,
			coalesce(string_agg(drop_it, '; '), '') AS drop_all,
			coalesce(string_agg(add_it, '; '), '') AS add_all,
			array_agg(validate_it) FILTER (WHERE validate_it IS NOT NULL) AS validate_all,
			min(obstacle) AS obstacle
		FROM %s.uuidnew_foreign_keys($1, $2)
		WHERE $3
		$query$, own) INTO children USING parent, rest, moving;
	IF children.obstacle IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = children.obstacle;
	END IF;
	-- everybody else waits behind this, so all locks together take half a second; that is less than
	-- deadlock_timeout, so nobody else is ended
	PERFORM set_config('lock_timeout', format('%sms', 500 / (2 + children.number)), true)
	WHERE current_setting('lock_timeout') = '0';
	IF moving THEN
		EXECUTE format('LOCK TABLE ONLY %s, %s%s IN ACCESS EXCLUSIVE MODE',
			parent, rest, children.names);
	END IF;

	EXECUTE children.drop_all;
	EXECUTE format('SELECT %s.uuidnew_create_like($1, $2)', own)
		INTO partition USING parent, suffix;
	moved := 0;
	IF moving THEN
		EXECUTE format('SELECT %s.uuidnew_move_rows($1, $2, $3, $4, $5, $6)', own)
			INTO moved USING parent, rest, key, partition, lower, upper;
	END IF;
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
		parent, partition, lower, upper);
	EXECUTE format('SELECT %s.uuidnew_copy_replica_identity($1, $2)', own) USING parent, partition;
	EXECUTE children.add_all;
	validate_later := children.validate_all;
EXCEPTION
	WHEN lock_not_available OR deadlock_detected THEN
		partition := NULL;
		is_locked := true;
		reason := SQLERRM;
	WHEN invalid_object_definition THEN	-- it would overlap
		partition := NULL;
	WHEN OTHERS THEN
		IF NOT moving AND SQLSTATE <> '23514' THEN	-- a row that waits meanwhile
			RAISE;
		END IF;
		partition := NULL;
		reason := SQLERRM;
END
$$;
COMMENT ON FUNCTION uuidnew_add_partition(regclass, name, regclass, uuid, uuid, text, boolean) IS
'creates one partition; for uuid_create_partitions';
