-- How far the partitioning of a table is: its first partition (itself before the swap), the key,
-- where the partition ends, and whether the constraint that says so is valid; it is on the table
-- while it is prepared, and on the partition until the last step. NULL if there is none: then the
-- given time is taken, which must be a day ahead, and later than all keys, as their index says.
CREATE FUNCTION uuidnew_partitioning_border(tab regclass, until timestamptz, layout text,
	OUT first regclass, OUT schema regnamespace, OUT key name, OUT upper uuid,
	OUT is_valid boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	own CONSTANT text := @own@;
	column_number int;
	beyond uuid;
BEGIN
	SELECT conrelid, connamespace, attname, substring(pg_get_constraintdef(pg_constraint.oid)
		FROM '''(.{36})''::uuid\)\)( NOT VALID)?$'), convalidated
	INTO first, schema, key, upper, is_valid
	FROM pg_constraint
	JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
	LEFT JOIN pg_inherits ON inhrelid = conrelid
	WHERE conname = 'uuid_partitioning' AND tab IN (conrelid, inhparent);
	IF FOUND AND (is_valid OR until IS NOT NULL) THEN
		RETURN;
	END IF;

	IF tab IN (SELECT partrelid FROM pg_partitioned_table) THEN
		RAISE wrong_object_type USING MESSAGE = format('table %s is partitioned already', tab);
	END IF;
	SELECT conrelid, connamespace, conkey[1] INTO first, schema, column_number
	FROM pg_constraint
	WHERE conrelid = tab AND contype = 'p';
	IF first IS NULL OR until > now() + interval '1 day' IS NOT TRUE OR NOT isfinite(until) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot partition table %s until %s', tab, until),
			HINT = 'It must be a table with a primary key, a time that is a day ahead or more, '
				'and prepared before the swap.';
	END IF;
	EXECUTE format($query$
		SELECT found.key, %1$s.uuid_v7_min($2, found.layout)
		FROM %1$s.uuidnew_partition_key($1, $3, $4) found
		$query$, own) INTO key, upper USING tab, until, layout, column_number;
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= %3$L LIMIT 1', key, tab, upper) INTO beyond;
	IF beyond IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('key %s of table %s is not of a time before %s', beyond, tab, until),
			HINT = 'Keys of another kind get new ones with uuid_rekey_steps.';
	END IF;
END
$$;
