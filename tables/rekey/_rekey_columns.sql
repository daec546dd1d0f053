-- The name of what belongs to a shadow column: it shows the name of the original, if that is short.
CREATE FUNCTION uuidnew_tables._rekey_name(what text, original name)
RETURNS name
LANGUAGE sql IMMUTABLE
RETURN concat('uuid_rekey_', what, CASE
	WHEN octet_length(original) <= 52 - length(what) THEN original ELSE md5(original) END)::name;

-- The key of a table and all columns that refer to it, directly or through other tables; no rows if
-- the table cannot get new keys. Beside each there is a shadow column, new_..., which triggers keep
-- up to date. The swap exchanges the names: then the shadow column is old_..., and the same steps
-- lead back. A text is SQL, quoted, to fill the places of a template. written: the columns of the
-- table that programs write.
CREATE FUNCTION uuidnew_tables._rekey_columns(root regclass)
RETURNS TABLE (tab regclass, target text, table_name text, written text, owner text, num int2,
	col text, shadow text, next_shadow text, shadow_type text, comment text, trigger_name text,
	function text, is_key boolean, swapped boolean, not_null boolean, no_identity boolean,
	has_default boolean, has_shadow boolean, triggered boolean, checked boolean)
LANGUAGE sql VOLATILE ROWS 10
BEGIN ATOMIC
WITH RECURSIVE key AS (
	SELECT conkey[1] AS num, old.attnum IS NOT NULL AS swapped,
		format_type(old.atttypid, old.atttypmod) AS old_type
	FROM pg_constraint
	JOIN pg_class ON pg_class.oid = conrelid AND relkind = 'r' AND NOT relispartition
	JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
	LEFT JOIN pg_attribute old ON old.attrelid = conrelid AND NOT old.attisdropped
		AND old.attname = ('old_' || a.attname)::name
		AND col_description(conrelid, old.attnum) = 'uuidnew_tables.rekey_steps: shadow column'
	WHERE conrelid = root AND contype = 'p' AND cardinality(conkey) = 1
), found(tab, num) AS (
	SELECT root::oid, num FROM key
	UNION
	SELECT conrelid, conkey[array_position(confkey, num)]
	FROM found
	JOIN pg_constraint ON confrelid = tab AND contype = 'f' AND conparentid = 0
		AND num = ANY (confkey)
)
SELECT t.oid, format('%s.%I', n.schema, relname), quote_ident(relname), (
		SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
		FROM pg_attribute
		WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
			AND attnum <> ALL (ARRAY(SELECT objsubid FROM pg_description WHERE objoid = t.oid
				AND description = 'uuidnew_tables.rekey_steps: shadow column'))),
	relowner::regrole, a.attnum, quote_ident(a.attname), quote_ident(n.shadow),
	quote_ident(n.next_shadow), CASE WHEN swapped THEN old_type ELSE 'uuid' END,
	quote_nullable(col_description(t.oid, a.attnum)), quote_ident(n.trigger_name),
	-- a new name is one that no other role can have used
	coalesce(tgfoid::regproc::text, format('%s.uuid_rekey_%s', n.schema,
		left(gen_random_uuid()::text, 8))),
	n.is_key, swapped, a.attnotnull, a.attidentity = '', a.atthasdef OR a.attidentity <> '',
	s.attnum IS NOT NULL, tgfoid IS NOT NULL, convalidated
FROM found
CROSS JOIN key
JOIN pg_class t ON t.oid = found.tab
JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = found.num
CROSS JOIN LATERAL (SELECT t.oid = root AND a.attnum = key.num) k(is_key)
CROSS JOIN LATERAL (SELECT k.is_key, CASE relnamespace WHEN pg_my_temp_schema() THEN 'pg_temp'
		ELSE relnamespace::regnamespace::text END,
	CASE WHEN k.is_key THEN 'uuid_rekey_key'
		ELSE uuidnew_tables._rekey_name('ref_'::text, a.attname) END,
	concat(CASE WHEN swapped THEN 'old_' ELSE 'new_' END, a.attname)::name,
	concat(CASE WHEN swapped THEN 'new_' ELSE 'old_' END, a.attname)::name
	OFFSET 0	-- once for each column
) n(is_key, schema, trigger_name, shadow, next_shadow)
LEFT JOIN pg_attribute s ON s.attrelid = t.oid AND s.attname = n.shadow AND NOT s.attisdropped
	AND col_description(t.oid, s.attnum) = 'uuidnew_tables.rekey_steps: shadow column'
LEFT JOIN pg_trigger ON tgrelid = t.oid AND tgname = n.trigger_name
	AND tgfoid::regproc::text ~ '\.uuid_rekey_[0-9a-f]{8}$'	-- not any function
LEFT JOIN pg_constraint ON conrelid = t.oid AND conname = n.trigger_name;
END;
