-- How a table is to be partitioned: by which key, and until which it is the first partition. As the
-- constraint says that prepare adds, and is_valid of that; without one, by the given time. Or why
-- it cannot be: the time must be a day ahead, and later than all keys, as their index says. ACCESS
-- SHARE on the table.
CREATE FUNCTION uuidnew_tables._partitioning_border(tab regclass, until timestamptz, layout text,
	OUT key name, OUT upper uuid, OUT is_valid boolean, OUT problem text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	column_number int;
	is_uuid boolean;
	kind text;
	beyond uuid;
BEGIN
	SELECT attname, substring(pg_get_constraintdef(pg_constraint.oid)
		FROM '''(.{36})''::uuid\)\)( NOT VALID)?$'), convalidated
	INTO key, upper, is_valid
	FROM pg_constraint
	JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
	WHERE conname = 'uuid_partitioning' AND conrelid = tab;
	IF is_valid OR is_valid IS NOT NULL AND until IS NOT NULL THEN
		RETURN;
	END IF;

	SELECT conkey[1], atttypid = 'uuid'::regtype,
		CASE atttypid WHEN 'uuid'::regtype THEN attname END
	INTO column_number, is_uuid, key
	FROM pg_constraint
	JOIN pg_class ON pg_class.oid = conrelid
	JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
	WHERE conrelid = tab AND contype = 'p' AND relkind = 'r';
	problem := CASE
		WHEN is_valid IS FALSE THEN 'it is not prepared: its phases are prepare, then swap'
		WHEN column_number IS NULL THEN
			format('table %s has no primary key, or is partitioned, or is not a table', tab)
		WHEN NOT is_uuid THEN
			format('the first column of the primary key of table %s is not a uuid', tab)
		WHEN until > now() + interval '1 day' IS NOT TRUE OR NOT isfinite(until) THEN
			'the time must be a day ahead; without one, prepare, then swap' END;
	IF problem IS NOT NULL THEN
		RETURN;
	END IF;
	SELECT found.key, found.layout INTO key, kind
	FROM uuidnew_tables._partition_key(tab, _partitioning_border.layout, column_number) found;
	PERFORM uuidnew_tables._check_period(NULL::timestamptz, until, kind);
	upper := uuidnew_tables._key_min(until, kind);
	EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= %3$L LIMIT 1', key, tab, upper) INTO beyond;
	problem := format('key %s is not of a time before %s: give such rows new keys, with '
		'uuidnew_tables.rekey_steps', beyond, until);
	problem := CASE WHEN beyond IS NOT NULL THEN problem END;
END
$$;
