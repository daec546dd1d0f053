-- The key by which a table is partitioned, and the bound up to which it is the first partition: of
-- the constraint that prepare adds (is_valid: is it validated?), else of the given time.
CREATE FUNCTION uuidnew_tables._partitioning_border(tab regclass, until timestamptz,
	OUT key name, OUT upper uuid, OUT is_valid boolean)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
	SELECT attname, substring(pg_get_constraintdef(pg_constraint.oid) FROM '''(.{36})'''),
		convalidated
	INTO key, upper, is_valid
	FROM pg_constraint
	JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
	WHERE conname = 'uuid_partitioning' AND conrelid = tab;
	IF FOUND THEN
		RETURN;
	END IF;
	key := (SELECT found.key FROM uuidnew_tables._partition_key(tab, coalesce((
		SELECT conkey[1] FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
		WHERE conrelid = tab AND contype = 'p' AND relkind = 'r'), 0)) found);
	IF until > now() + interval '1 day' IS NOT TRUE THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'the time must be a day ahead; without one, prepare, then swap';
	END IF;
	upper := uuidnew_tables._key_min(until);
END
$$;
