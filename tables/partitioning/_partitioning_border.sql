-- How a table is to be partitioned: by which key, and until which it is the first partition. As the
-- constraint says that prepare adds, and is_valid of that; without one, by the given time, which
-- must be a day ahead, and later than all keys, as their index says. ACCESS SHARE on the table.
CREATE FUNCTION uuidnew_tables._partitioning_border(tab regclass, until timestamptz, layout text,
	OUT key name, OUT upper uuid, OUT is_valid boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	column_number int;
	kind text;
	beyond uuid;
BEGIN
	SELECT attname, substring(pg_get_constraintdef(pg_constraint.oid)
		FROM '''(.{36})''::uuid\)\)( NOT VALID)?$'), convalidated
	INTO key, upper, is_valid
	FROM pg_constraint
	JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
	WHERE conname = 'uuid_partitioning' AND conrelid = tab;
	IF FOUND AND (is_valid OR until IS NOT NULL) THEN
		RETURN;
	END IF;

	SELECT conkey[1] INTO column_number
	FROM pg_constraint
	JOIN pg_class ON pg_class.oid = conrelid
	WHERE conrelid = tab AND contype = 'p' AND relkind = 'r';
	IF NOT FOUND OR until > now() + interval '1 day' IS NOT TRUE OR NOT isfinite(until) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot partition table %s until %s', tab, until),
			HINT = 'Take a table with a primary key, and a time a day ahead; prepare, then swap.';
	END IF;
	SELECT found.key, found.layout INTO key, kind
	FROM uuidnew_tables._partition_key(tab, _partitioning_border.layout, column_number) found;
	PERFORM uuidnew_tables._check_period(NULL::timestamptz, until, kind);
	upper := uuidnew_tables._key_min(until, kind);
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= %3$L LIMIT 1', key, tab, upper) INTO beyond;
	IF beyond IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('key %s of table %s is not of a time before %s', beyond, tab, until),
			HINT = 'Keys of another kind get new ones with uuidnew_tables.rekey_steps.';
	END IF;
END
$$;
