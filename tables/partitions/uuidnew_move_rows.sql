-- Moves the rows of a range from a default partition to a table that is no partition yet. User
-- triggers do not fire. The caller has the locks, and has dropped foreign keys that refer to them.
CREATE FUNCTION uuidnew_move_rows(parent regclass, rest regclass, key name, partition regclass,
	lower uuid, upper uuid)
RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	fill CONSTANT text := format('SELECT %s.uuidnew_fill($1, $2)', @own@);
	columns text;
	enable_triggers text;
	statement text;
	places jsonb;
	copied bigint;
	deleted bigint;
BEGIN
	SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns
	FROM pg_attribute
	WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
	SELECT string_agg(format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', tgrelid::regclass,
		CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '; ')
	INTO enable_triggers
	FROM pg_partition_tree(rest)
	JOIN pg_trigger ON tgrelid = relid
	WHERE NOT tgisinternal AND tgenabled <> 'D';
	places := jsonb_build_object(
		'rest', rest,
		'partition', partition,
		'key', quote_ident(key),
		'columns', columns);

	EXECUTE fill INTO statement USING $sql$
		INSERT INTO {partition} ({columns}) OVERRIDING SYSTEM VALUE
		SELECT {columns} FROM {rest} WHERE {key} >= $1 AND {key} < $2
		$sql$, places;
	EXECUTE statement USING lower, upper;
	GET DIAGNOSTICS copied = ROW_COUNT;

	EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', rest);
	EXECUTE fill INTO statement USING 'DELETE FROM {rest} WHERE {key} >= $1 AND {key} < $2', places;
	EXECUTE statement USING lower, upper;
	GET DIAGNOSTICS deleted = ROW_COUNT;
	EXECUTE coalesce(enable_triggers, '');
	IF copied <> deleted THEN	-- a rule
		RAISE 'of % rows of partition %, % were moved', copied, rest, deleted;
	END IF;
	RETURN copied;
END
$$;
COMMENT ON FUNCTION uuidnew_move_rows(regclass, regclass, name, regclass, uuid, uuid) IS
'moves rows from a default partition; for uuid_create_partitions';
