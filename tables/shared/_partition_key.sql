-- The key of a table that is partitioned by ranges of one uuid column, or will be by column number
-- col, and the default partition. An error for draft keys, whose times would be misread.
CREATE FUNCTION uuidnew_tables._partition_key(parent regclass, col int,
	OUT key name, OUT rest regclass)
LANGUAGE plpgsql STABLE
AS $$
DECLARE
	source text;
BEGIN
	SELECT attname, nullif(partdefid, 0::oid), CASE
			WHEN generator !~* '\(''rfc9562''' AND starts_with(generator, (	-- not pg_uuidv7's
				SELECT extnamespace::regnamespace || '.uuid_generate_v7('
				FROM pg_extension
				WHERE extname = 'uuidnew'))
			THEN format('column "%s" of table %s has a default that generates', attname, parent) END
	INTO key, rest, source
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
	END IF;
	source := coalesce(source, (
		SELECT format('partition %s of table %s has a bound of', partition, parent)
		FROM uuidnew_tables._partition_bounds(parent)
		CROSS JOIN unnest(ARRAY[lower, upper]) bound
		WHERE bound > '03000000-0000-7000-8000-000000000000'
			AND bound < '80000000-0000-0000-0000-000000000000'
		LIMIT 1));
	IF source IS NOT NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = concat(source,
			' draft keys: partition it with pg_partman, or use uuidv7()');
	END IF;
END
$$;
