-- The key of a table and its twin.  equal and twin_equal are the operators of their unique
-- indexes: a type may have an equality of its own.  0A000 for a partitioned table, 55000 for one
-- without a primary key of one column.
CREATE FUNCTION uuidnew_rekey_key(root regclass)
RETURNS TABLE (num int2, name name, twin_num int2, swapped boolean, prefix text[], key_type text,
	twin_type text, equal text, twin_equal text)
LANGUAGE plpgsql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF (SELECT relkind FROM pg_class WHERE oid = root) = 'p' THEN
		RAISE feature_not_supported USING MESSAGE = format('cannot re-key partitioned table %s',
			root),
			HINT = 'Copy its rows, with new keys, into one that is not; partition that with '
				'uuid_partitioning_steps.';
	END IF;

	RETURN QUERY
	WITH equality(num, operator) AS (
		SELECT i.indkey[0], min(format('OPERATOR(%s.%s)', o.oprnamespace::regnamespace, o.oprname))
		FROM pg_index i
			JOIN pg_opclass p ON p.oid = i.indclass[0]
			JOIN pg_amop m ON m.amopfamily = p.opcfamily AND m.amopstrategy = 3
				AND m.amoplefttype = p.opcintype AND m.amoprighttype = p.opcintype
			JOIN pg_operator o ON o.oid = m.amopopr
		WHERE i.indrelid = root AND i.indisunique
		GROUP BY 1
	)
	SELECT a.attnum, a.attname, w.attnum, coalesce(w.attname ^@ 'old_', false),
		CASE WHEN w.attname ^@ 'old_' THEN '{old_,new_}' ELSE '{new_,old_}' END::text[],
		format_type(coalesce(nullif(y.typbasetype, 0), y.oid), greatest(y.typtypmod, a.atttypmod))
			|| coalesce(' COLLATE ' || nullif(a.attcollation, 0)::regcollation, ''),
		coalesce(format_type(w.atttypid, w.atttypmod)
			|| coalesce(' COLLATE ' || nullif(w.attcollation, 0)::regcollation, ''), 'uuid'),
		coalesce((SELECT operator FROM equality e WHERE e.num = a.attnum),
			'OPERATOR(pg_catalog.=)'),
		coalesce((SELECT operator FROM equality e WHERE e.num = w.attnum), 'OPERATOR(pg_catalog.=)')
	FROM pg_constraint c
		JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		JOIN pg_type y ON y.oid = a.atttypid
		LEFT JOIN pg_attribute w ON w.attrelid = a.attrelid AND NOT w.attisdropped
			AND w.attname IN (left('new_' || a.attname, 63)::name,
				left('old_' || a.attname, 63)::name)
			AND col_description(w.attrelid, w.attnum) = 'uuid_rekey_steps: a twin'
	WHERE c.conrelid = root AND c.contype = 'p' AND cardinality(c.conkey) = 1;
	IF NOT FOUND THEN
		RAISE object_not_in_prerequisite_state
			USING MESSAGE = format('table %s has no primary key of one column', root);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_key IS
'the key of a table and its twin; for uuid_rekey_steps and others';
