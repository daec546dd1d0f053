-- what is partitioned by ranges of one uuid column, or is to be by a column: key, layout and default partition
CREATE FUNCTION uuidnew_partition_key(parent regclass, wanted text, col int,
	OUT key name, OUT layout text, OUT rest regclass, OUT own text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE known text; wrong record;
BEGIN
	SELECT a.attname, a.attnum, nullif(p.partdefid, 0::oid) INTO key, col, rest FROM pg_attribute a LEFT JOIN pg_partitioned_table p ON p.partrelid = a.attrelid
	WHERE a.attrelid = parent AND a.atttypid = 'uuid'::regtype AND a.attnum = coalesce(col, CASE WHEN p.partstrat = 'r' AND p.partnatts = 1 THEN p.partattrs[0] END);
	IF NOT FOUND THEN RAISE wrong_object_type USING MESSAGE = format('table %s is not partitioned by ranges of a uuid column', parent); END IF;
	own := @own@;
	EXECUTE format('SELECT coalesce(guard, nullif(made, ''version 4'')), CASE WHEN %1$s.uuid_v7_min(now(), '
		'$3) IS NULL THEN NULL WHEN lower($3 COLLATE "C") = ''rfc9562'' THEN ''rfc9562'' ELSE ''draft'' END FROM %1$s.uuidnew_column_layout($1, $2)', own)
	INTO known, layout USING parent, col, wanted;	-- an error if there is no such layout
	IF layout <> known THEN RAISE invalid_parameter_value USING MESSAGE = format('column "%s" of table %s holds layout "%s", not "%s"', key, parent, known, wanted); END IF;
	layout := coalesce(layout, known);
	-- The layouts of version 7 meet at this UUID: a bound is on the side of the one that it was made with.
	FOR wrong IN SELECT i.inhrelid::regclass AS partition, CASE WHEN bound[1]::uuid < '03000000-0000-0000-0000-000000000000' THEN 'rfc9562' ELSE 'draft' END AS side
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, regexp_matches(pg_get_expr(c.relpartbound, c.oid), '[(]''([-0-9a-f]{36})''[)]', 'g') bound
		WHERE i.inhparent = parent AND bound[1]::uuid BETWEEN '00000001-0000-0000-0000-000000000000' AND '7fffffff-0000-0000-0000-000000000000' ORDER BY i.inhrelid LOOP
		layout := coalesce(layout, wrong.side);
		IF wrong.side <> layout THEN
			RAISE object_not_in_prerequisite_state USING MESSAGE = format('a bound of partition %s is of layout "%s", but column "%s" of table %s holds layout "%s"',
				wrong.partition, wrong.side, key, parent, layout), HINT = 'Detach the partition, and attach it with bounds of the right layout.';
		END IF;
	END LOOP;
	IF layout IS NULL THEN
		RAISE invalid_parameter_value USING MESSAGE = format('cannot tell the layout of column "%s" of table %s', key, parent),
			HINT = 'Name it: layout => ''rfc9562'' or ''draft''. Better, add the guard to the table.';
	END IF;
END $$;
COMMENT ON FUNCTION uuidnew_partition_key IS 'key, layout and default partition of a table; for uuid_partitions and others';
