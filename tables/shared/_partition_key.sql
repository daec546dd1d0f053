-- The key of a table that is partitioned by ranges of one uuid column, or will be by column number
-- col, and the default partition. An error if its default generates draft keys.
CREATE FUNCTION uuidnew_tables._partition_key(parent regclass, col int,
	OUT key name, OUT rest regclass)
LANGUAGE plpgsql STABLE
AS $$
DECLARE
	obstacle text;
BEGIN
	SELECT attname, nullif(partdefid, 0::oid), CASE
			WHEN generator !~* '\(''rfc9562''' AND starts_with(generator, (	-- not pg_uuidv7's
				SELECT extnamespace::regnamespace || '.uuid_generate_v7('
				FROM pg_extension
				WHERE extname = 'uuidnew'))
			THEN format('column "%s" of table %s has a default that generates draft keys: '
				'partition it with pg_partman, or use uuidv7()', attname, parent) END
	INTO key, rest, obstacle
	FROM pg_attribute
	LEFT JOIN pg_partitioned_table ON partrelid = attrelid
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	CROSS JOIN pg_get_expr(adbin, adrelid) generator
	WHERE attrelid = parent AND atttypid = 'uuid'::regtype AND attnum = coalesce(col,
		CASE WHEN partstrat = 'r' AND partnatts = 1 THEN partattrs[0] END);
	IF NOT FOUND THEN
		RAISE wrong_object_type USING MESSAGE = format('table %s %s', parent, CASE WHEN col IS NULL
			THEN 'is not partitioned by ranges of a uuid column'
			ELSE 'is partitioned, or has no primary key that begins with a uuid' END);
	ELSIF obstacle IS NOT NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = obstacle;
	END IF;
END
$$;
