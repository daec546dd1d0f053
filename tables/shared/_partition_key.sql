-- The key of a table that is partitioned by ranges of one uuid column, or will be partitioned by
-- column number col: its name, its layout, rfc9562 or draft, and the default partition.
--
-- The column's default determines the layout, else a bound, else the caller (wanted), else it is
-- rfc9562. An error if the caller contradicts the default or the bound. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._partition_key(parent regclass, wanted text, col int,
	OUT key name, OUT layout text, OUT rest regclass)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	known text;
	generator text;
BEGIN
	SELECT attname, attnum, nullif(partdefid, 0::oid), pg_get_expr(adbin, adrelid)
	INTO key, col, rest, generator
	FROM pg_attribute
	LEFT JOIN pg_partitioned_table ON partrelid = attrelid
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE attrelid = parent
		AND atttypid = 'uuid'::regtype
		AND attnum = coalesce(col,
			CASE WHEN partstrat = 'r' AND partnatts = 1 THEN partattrs[0] END);
	IF NOT FOUND THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table %s is not partitioned by ranges of a uuid column', parent);
	END IF;
	IF lower(wanted COLLATE "C")
		NOT IN ('millisecond', 'microsecond', 'draft', 'nanosecond', 'rfc9562')
	THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('unrecognized layout "%s"', wanted),
			HINT = 'Use "rfc9562" or "draft".';
	END IF;

	known := coalesce(
		CASE
			WHEN generator ~* '^([^(]+\.)?uuid(v7\(|_generate_v7\(''rfc9562'')' THEN 'rfc9562'
			WHEN starts_with(generator, (	-- pg_uuidv7's generates RFC 9562's keys
				SELECT extnamespace::regnamespace || '.uuid_generate_v7('
				FROM pg_extension
				WHERE extname = 'uuidnew')) THEN 'draft' END,
		(SELECT CASE WHEN bound < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562'
				ELSE 'draft' END
			FROM uuidnew_tables._partition_bounds(parent)
			CROSS JOIN unnest(ARRAY[lower, upper]) bound
			WHERE bound BETWEEN '00000001-0000-0000-0000-000000000000'
				AND '7fffffff-0000-0000-0000-000000000000'
			LIMIT 1));
	layout := CASE WHEN wanted IS NOT NULL
		THEN CASE lower(wanted COLLATE "C") WHEN 'rfc9562' THEN 'rfc9562' ELSE 'draft' END END;
	IF layout <> known THEN
		RAISE invalid_parameter_value USING MESSAGE = format(
			'column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted);
	END IF;
	layout := coalesce(known, layout, 'rfc9562');
END
$$;
