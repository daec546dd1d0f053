-- The key of a table that is partitioned by ranges of one uuid column, or that is to be by a given
-- one: its name, its layout of version 7, and the default partition.
--
-- The layout is that of the guard, of the default, of the argument (wanted), or of the bounds; an
-- error if two of these differ or nothing tells it. Reads the catalogs only.
CREATE FUNCTION uuidnew_partition_key(parent regclass, wanted text, col int,
	OUT key name, OUT layout text, OUT rest regclass)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	-- where the layouts of version 7 meet: a bound is on the side of the one that it was made with
	border CONSTANT uuid := '03000000-0000-0000-0000-000000000000';
	known text;
	wrong record;
BEGIN
	SELECT attname, attnum, nullif(partdefid, 0::oid) INTO key, col, rest
	FROM pg_attribute
	LEFT JOIN pg_partitioned_table ON partrelid = attrelid
	WHERE attrelid = parent
		AND atttypid = 'uuid'::regtype
		AND attnum = coalesce(col,
			CASE WHEN partstrat = 'r' AND partnatts = 1 THEN partattrs[0] END);
	IF NOT FOUND THEN
		RAISE wrong_object_type USING
			MESSAGE = format('table %s is not partitioned by ranges of a uuid column', parent);
	END IF;

	EXECUTE format('SELECT %s.uuid_v7_min(now(), $1)', own) USING wanted;	-- an error if unknown
	layout := CASE WHEN wanted ILIKE 'rfc9562' THEN 'rfc9562' WHEN wanted <> '' THEN 'draft' END;
	EXECUTE format($query$
		SELECT coalesce(guard, nullif(made, 'version 4')) FROM %s.uuidnew_column_layout($1, $2)
		$query$, own) INTO known USING parent, col;
	IF layout <> known THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('column "%s" of table %s holds layout "%s", not "%s"',
				key, parent, known, wanted);
	END IF;
	layout := coalesce(layout, known);

	FOR wrong IN EXECUTE format($query$
		SELECT partition, CASE WHEN bound < $2 THEN 'rfc9562' ELSE 'draft' END AS side
		FROM %s.uuidnew_partition_bounds($1), unnest(ARRAY[lower, upper]) bound
		WHERE bound >= '00000001-0000-0000-0000-000000000000'
			AND bound <= '7fffffff-0000-0000-0000-000000000000'
		ORDER BY partition::oid
		$query$, own) USING parent, border
	LOOP
		layout := coalesce(layout, wrong.side);
		IF wrong.side <> layout THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('a bound of partition %s is of layout "%s", '
					'but column "%s" of table %s holds layout "%s"',
					wrong.partition, wrong.side, key, parent, layout),
				HINT = 'Detach the partition, and attach it with bounds of the right layout.';
		END IF;
	END LOOP;
	IF layout IS NULL THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot tell the layout of column "%s" of table %s', key, parent),
			HINT = 'Name it: layout => ''rfc9562'' or ''draft''. '
				'Better, add the guard to the table.';
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_partition_key(regclass, text, int) IS
'key, layout and default partition of a table; for uuid_partitions and others';
