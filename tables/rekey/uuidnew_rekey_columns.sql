--
-- Re-keying: beside the key and each column that refers to it, through foreign keys, stands a twin, new_…,
-- which triggers keep up to date.  The swap exchanges their names: then the twin is old_…, and the
-- same steps lead back.  What is done is read from the catalogs.
--

-- the key and all columns that refer to it, the key first
CREATE FUNCTION uuidnew_rekey_columns(root regclass)
RETURNS TABLE (tab regclass, num int2, col name, twin name, next_twin name, is_key boolean, nullable boolean,
	has_twin boolean, twin_type text, filled boolean, identity boolean, has_default boolean, comment text, equal text,
	twin_equal text, key_type text, name name, owner regrole, here name, label name)	-- two for its triggers' functions
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE key record; prefixes text[];
BEGIN
	SELECT a.attnum AS num, a.atttypmod, a.attcollation, y.typtypmod, coalesce(nullif(y.typbasetype, 0), y.oid) AS type,
		EXISTS (SELECT FROM pg_attribute WHERE attrelid = root AND attname = left('old_' || a.attname, 63)::name
		AND NOT attisdropped AND col_description(root, attnum) = 'uuid_rekey_steps: a twin') AS swapped INTO key
	FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		JOIN pg_type y ON y.oid = a.atttypid WHERE c.conrelid = root AND c.contype = 'p' AND cardinality(c.conkey) = 1;
	IF (SELECT relkind FROM pg_class WHERE oid = root) = 'p' THEN
		RAISE feature_not_supported USING MESSAGE = format('cannot re-key partitioned table %s', root),
			HINT = 'Copy its rows, with new keys, into one that is not; partition that with uuid_partitioning_steps.';
	ELSIF key.num IS NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = format('table %s has no primary key of one column', root);
	END IF;
	prefixes := CASE WHEN key.swapped THEN '{old_,new_}' ELSE '{new_,old_}' END;

	RETURN QUERY WITH RECURSIVE cols(tab, att) AS (SELECT root::oid, key.num
			UNION
			SELECT c.conrelid, c.conkey[array_position(c.confkey, cols.att)]
			FROM cols JOIN pg_constraint c ON c.contype = 'f'
				AND c.confrelid = cols.tab AND cols.att = ANY (c.confkey) AND c.conparentid = 0)
		SELECT a.attrelid::regclass, a.attnum, a.attname, t.twin, left(prefixes[2] || a.attname, 63)::name, p.oid = root
			AND a.attnum = key.num, NOT a.attnotnull, w.attnum IS NOT NULL, coalesce(format_type(w.atttypid,
			w.atttypmod) || coalesce(' COLLATE ' || nullif(w.attcollation, 0)::regcollation, ''), 'uuid'),
			(SELECT convalidated FROM pg_constraint
			WHERE conrelid = p.oid AND conname = ('uuid_rekey_' || a.attname)::name), a.attidentity <> '', a.atthasdef,
			col_description(p.oid, a.attnum), o.equal[1], o.equal[2], format_type(key.type, greatest(key.typtypmod, key.atttypmod))
			|| coalesce(' COLLATE ' || nullif(key.attcollation, 0)::regcollation, ''), p.relname, p.relowner::regrole,
			n.nspname, CASE WHEN octet_length(p.relname::text) > 47 THEN md5(p.relname) ELSE p.relname END
		FROM cols JOIN pg_attribute a ON a.attrelid = cols.tab AND a.attnum = cols.att
			JOIN pg_class p ON p.oid = cols.tab JOIN pg_namespace n ON n.oid = p.relnamespace
			JOIN LATERAL (SELECT left(prefixes[1] || a.attname, 63)::name) t(twin) ON true LEFT JOIN pg_attribute w
			ON w.attrelid = p.oid AND w.attname = t.twin AND NOT w.attisdropped AND col_description(w.attrelid,
			w.attnum) = 'uuid_rekey_steps: a twin', LATERAL (SELECT array_agg(coalesce((	-- of the unique indexes
			SELECT min(format('OPERATOR(%s.%s)', oprnamespace::regnamespace, oprname)) FROM pg_index JOIN pg_opclass p
			ON p.oid = indclass[0] JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = opcintype
			AND amoprighttype = opcintype AND amopstrategy = 3 JOIN pg_operator o ON o.oid = amopopr WHERE indrelid = root
			AND indisunique AND indkey[0] = u.num), 'OPERATOR(pg_catalog.=)')) FROM unnest(ARRAY[key.num, w.attnum]) u(num)) o(equal)
		ORDER BY 6 DESC, cols.tab, a.attnum;
END $$;
COMMENT ON FUNCTION uuidnew_rekey_columns IS 'a key and all columns that refer to it; for uuid_rekey_steps and others';
