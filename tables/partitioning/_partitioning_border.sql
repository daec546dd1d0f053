-- The key by which a table is partitioned, and the bound up to which it is the first partition. The
-- constraint that prepare adds has both, and is_valid says whether it is validated. Without it, the
-- given time decides, which must be a day ahead. An error if the table has no such key.
CREATE FUNCTION uuidnew_tables._partitioning_border(tab regclass, until timestamptz, wanted text,
	OUT key name, OUT upper uuid, OUT is_valid boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	column_number int;
	problem text;
	layout text;
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

	SELECT conkey[1] INTO column_number
	FROM pg_constraint
	JOIN pg_class ON pg_class.oid = conrelid
	WHERE conrelid = tab AND contype = 'p' AND relkind = 'r';
	problem := CASE
		WHEN NOT FOUND THEN
			format('table %s has no primary key, or is partitioned, or is not a table', tab)
		WHEN until > now() + interval '1 day' IS NOT TRUE OR NOT isfinite(until) THEN
			'the time must be a day ahead; without one, prepare, then swap' END;
	IF problem IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = problem;
	END IF;
	SELECT found.key, found.layout INTO key, layout
	FROM uuidnew_tables._partition_key(tab, wanted, column_number) found;
	PERFORM uuidnew_tables._check_period(NULL::timestamptz, until, layout);
	upper := uuidnew_tables._key_min(until, layout);
END
$$;
