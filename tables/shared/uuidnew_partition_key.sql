-- The key of a table that is partitioned by ranges of one uuid column, or is to be by that of
-- number col: its name, its layout of version 7, and the default partition.
--
-- The layout is that of the default, else of a bound, else the argument (wanted), else RFC 9562's.
-- An error if the argument differs from what tells it, or a guard. Reads the catalogs only.
CREATE FUNCTION uuidnew_partition_key(parent regclass, wanted text, col int,
	OUT key name, OUT layout text, OUT rest regclass)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	known text;
	made text;
BEGIN
	SELECT attname, attnum, nullif(partdefid, 0::oid), pg_get_expr(adbin, adrelid)
	INTO key, col, rest, made
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

	EXECUTE format($query$
		SELECT %1$s.uuid_v7_layout(%1$s.uuid_v7_min(now(), $1)),
			coalesce(CASE
				WHEN $3 ~* '^([^(]+\.)?uuid(v7\(|_generate_v7\(''rfc9562'')' THEN 'rfc9562'
				WHEN starts_with($3, $4 || '.uuid_generate_v7(') THEN 'draft' END, (
				SELECT CASE WHEN bound < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562'
					ELSE 'draft' END
				FROM %1$s.uuidnew_partition_bounds($2), unnest(ARRAY[lower, upper]) bound
				WHERE bound BETWEEN '00000001-0000-0000-0000-000000000000'
					AND '7fffffff-0000-0000-0000-000000000000'
				LIMIT 1))
		$query$, own) INTO layout, known USING wanted, parent, made, own;
	IF layout <> known THEN
		RAISE invalid_parameter_value USING MESSAGE = format(
			'column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted);
	END IF;
	layout := coalesce(known, layout, 'rfc9562');
	IF known IS NULL THEN	-- the planner looks at guards
		EXECUTE format('SELECT %s.uuid_v7_between(%I, NULL, NULL, %L) FROM ONLY %s LIMIT 0', own,
			key, layout, parent);
	END IF;
END
$$;
