-- Re-keying: beside the key and each column that refers to it, through foreign keys, stands a
-- twin, new_…, which triggers keep up to date.  The swap exchanges their names: then the twin is
-- old_…, and the same steps lead back.  What is done is read from the catalogs.
--
-- The key of a table and all columns that refer to it, directly or through other tables, the key
-- first.  A text is SQL, quoted, so that a row is the places of a template.  55000 if there is no
-- such key.
CREATE FUNCTION uuidnew_tables._rekey_columns(root regclass)
RETURNS TABLE (tab regclass, target text, num int2, col text, twin text, next text, is_key boolean,
	swapped boolean, nullable boolean, identity boolean, made boolean, has_twin boolean,
	checked boolean, triggered boolean, mark text, function text, remark text, name text,
	key_target text, key_col text, key_twin text, key_next text, key_owner text, twin_type text)
LANGUAGE plpgsql VOLATILE ROWS 10 SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	mark_of_twins CONSTANT text := 'uuidnew_tables.rekey_steps: a twin';
	key record;
BEGIN
	SELECT a.attnum, old.attnum IS NOT NULL AS swapped,
		CASE WHEN old.attnum IS NULL THEN '{new_,old_}' ELSE '{old_,new_}' END::text[] AS prefix,
		coalesce(format_type(old.atttypid, old.atttypmod)
			|| coalesce(' COLLATE ' || nullif(old.attcollation, 0)::regcollation, ''), 'uuid')
			AS twin_type
	INTO key
	FROM pg_constraint c
		JOIN pg_class t ON t.oid = c.conrelid AND t.relkind = 'r'
		JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		LEFT JOIN pg_attribute old ON old.attrelid = a.attrelid AND NOT old.attisdropped
			AND old.attname = ('old_' || a.attname)::name
			AND col_description(old.attrelid, old.attnum) = mark_of_twins
	WHERE c.conrelid = root AND c.contype = 'p' AND cardinality(c.conkey) = 1;
	IF NOT FOUND THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s has no primary key of one column, or is partitioned', root),
			HINT = 'Copy rows of partitions, with new keys, into a table, and partition that.';
	END IF;

	RETURN QUERY
	WITH RECURSIVE found(tab, num) AS (
		SELECT root::oid, key.attnum
		UNION
		SELECT c.conrelid, c.conkey[array_position(c.confkey, found.num)]
		FROM found JOIN pg_constraint c ON c.contype = 'f' AND c.conparentid = 0
			AND c.confrelid = found.tab AND found.num = ANY (c.confkey)
	), cols AS (
		SELECT a.*, s.schema, s.schema || '.' || quote_ident(t.relname) AS target, t.relname,
			t.relowner, i.is_key, (key.prefix[1] || a.attname)::name AS twin,
			quote_ident((key.prefix[2] || a.attname)::name) AS next,
			'uuid_rekey_' || CASE WHEN i.is_key THEN 'key'	-- fires first
				ELSE 'ref_' || md5(a.attname) END AS mark
		FROM found
			JOIN pg_class t ON t.oid = found.tab
			JOIN pg_namespace n ON n.oid = t.relnamespace
			JOIN pg_attribute a ON a.attrelid = found.tab AND a.attnum = found.num
			CROSS JOIN LATERAL (SELECT found.tab = root AND found.num = key.attnum) i(is_key)
			CROSS JOIN LATERAL (SELECT quote_ident(CASE n.oid WHEN pg_my_temp_schema()
				THEN 'pg_temp' ELSE n.nspname END)) s(schema)
	)
	SELECT c.attrelid::regclass, c.target, c.attnum, quote_ident(c.attname), quote_ident(c.twin),
		c.next, c.is_key, key.swapped, NOT c.attnotnull, c.attidentity <> '',
		c.atthasdef OR c.attidentity <> '', w.attnum IS NOT NULL, b.convalidated,
		g.oid IS NOT NULL, quote_ident(c.mark),
		coalesce(g.tgfoid::regproc::text,	-- or a name that nobody can have taken
			format('%s.uuid_rekey_%s', c.schema, left(gen_random_uuid()::text, 8))),
		quote_nullable(col_description(c.attrelid, c.attnum)), quote_ident(c.relname),
		k.target, quote_ident(k.attname), quote_ident(k.twin), k.next, k.relowner::regrole::text,
		key.twin_type
	FROM cols c
		JOIN cols k ON k.is_key
		LEFT JOIN pg_attribute w ON w.attrelid = c.attrelid AND w.attname = c.twin
			AND NOT w.attisdropped AND col_description(w.attrelid, w.attnum) = mark_of_twins
		LEFT JOIN pg_trigger g ON g.tgrelid = c.attrelid AND g.tgname = c.mark
		LEFT JOIN pg_constraint b ON b.conrelid = c.attrelid AND b.conname = c.mark
	ORDER BY c.is_key DESC, c.attrelid, c.attnum;
END
$$;
