-- The key of a table that is partitioned by ranges of one uuid column, or will be partitioned by
-- column number col: its name, its layout, rfc9562 or draft, and the default partition.
--
-- The column's default determines the layout, else a bound, else the caller (wanted), else it is
-- rfc9562. An error if the caller contradicts the default or the bound.
CREATE FUNCTION uuidnew_tables._partition_key(parent regclass, wanted text, col int,
	OUT key name, OUT layout text, OUT rest regclass)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	known text;
BEGIN
	SELECT attname, nullif(partdefid, 0::oid), CASE
			WHEN generator ~* '^([^(]+\.)?uuid(v7\(|_generate_v7\(''rfc9562'')' THEN 'rfc9562'
			WHEN starts_with(generator, (	-- pg_uuidv7's generates RFC 9562's keys
				SELECT extnamespace::regnamespace || '.uuid_generate_v7('
				FROM pg_extension
				WHERE extname = 'uuidnew')) THEN 'draft' END
	INTO key, rest, known
	FROM pg_attribute
	LEFT JOIN pg_partitioned_table ON partrelid = attrelid
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	CROSS JOIN pg_get_expr(adbin, adrelid) generator
	WHERE attrelid = parent AND atttypid = 'uuid'::regtype AND attnum = coalesce(col,
		CASE WHEN partstrat = 'r' AND partnatts = 1 THEN partattrs[0] END);
	IF NOT FOUND THEN
		RAISE wrong_object_type USING
			MESSAGE = format(CASE WHEN col IS NULL
				THEN 'table %s is not partitioned by ranges of a uuid column'
				ELSE 'the first column of the primary key of table %s is not a uuid' END, parent);
	END IF;
	layout := CASE
		WHEN lower(wanted COLLATE "C") = 'rfc9562' THEN 'rfc9562'
		WHEN lower(wanted COLLATE "C") IN ('draft', 'millisecond', 'microsecond', 'nanosecond')
			THEN 'draft' END;
	IF layout IS NULL AND wanted IS NOT NULL THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('unrecognized layout "%s"', wanted),
			HINT = 'Use "rfc9562" or "draft".';
	END IF;

	known := coalesce(known, (
		SELECT CASE WHEN bound < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562'
			ELSE 'draft' END
		FROM uuidnew_tables._partition_bounds(parent)
		CROSS JOIN unnest(ARRAY[lower, upper]) bound
		WHERE bound BETWEEN '00000001-0000-0000-0000-000000000000'
			AND '7fffffff-0000-0000-0000-000000000000'
		LIMIT 1));
	IF layout <> known THEN
		RAISE invalid_parameter_value USING MESSAGE = format(
			'column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted);
	END IF;
	layout := coalesce(known, layout, 'rfc9562');
END
$$;
