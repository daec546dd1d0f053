-- The key of a table and all columns that refer to it, directly or through other tables, the key
-- first. A text is SQL, quoted, so that a row fills the places of a template.
CREATE FUNCTION uuidnew_tables._rekey_columns(root regclass)
RETURNS TABLE (tab regclass, target text, table_name text, num int2, col text, col_collate text,
	shadow text, next_shadow text, is_key boolean, swapped boolean, nullable boolean,
	is_identity boolean, has_default boolean, has_shadow boolean, refers boolean, checked boolean,
	triggered boolean, trigger_name text, function text, insert_function text, comment text,
	key_target text, key_col text, key_collate text, key_shadow text, key_next_shadow text,
	key_owner text, key_type text, shadow_type text)
LANGUAGE sql VOLATILE ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
WITH RECURSIVE key AS (
	SELECT * FROM uuidnew_tables._rekey_key(root)
), found(tab, num) AS (
	SELECT root::oid, num FROM key
	UNION
	SELECT conrelid, conkey[array_position(confkey, found.num)]
	FROM found
	JOIN pg_constraint ON contype = 'f' AND conparentid = 0 AND confrelid = found.tab
		AND found.num = ANY (confkey)
), cols AS (
	SELECT a.*, n.schema, n.schema || '.' || quote_ident(relname) AS target, relname, relowner,
		is_key, (key.prefix || attname)::name AS shadow,
		quote_ident((key.next_prefix || attname)::name) AS next_shadow,
		coalesce(' COLLATE ' || nullif(attcollation, 0)::regcollation, '') AS col_collate,
		CASE WHEN is_key THEN 'uuid_rekey_key'	-- fires first
			ELSE uuidnew_tables._rekey_name('ref_'::text, attname) END AS trigger_name,
		key.swapped, key.key_type, key.shadow_type
	FROM found
	CROSS JOIN key
	JOIN pg_class t ON t.oid = found.tab
	JOIN pg_attribute a ON a.attrelid = found.tab AND a.attnum = found.num
	CROSS JOIN LATERAL (SELECT found.tab = root AND found.num = key.num) i(is_key)
	CROSS JOIN LATERAL (SELECT CASE relnamespace WHEN pg_my_temp_schema() THEN 'pg_temp'
		ELSE relnamespace::regnamespace::text END) n(schema)
)
SELECT c.attrelid::regclass, c.target, quote_ident(c.relname), c.attnum, quote_ident(c.attname),
	c.col_collate, quote_ident(c.shadow), c.next_shadow, c.is_key, c.swapped, NOT c.attnotnull,
	c.attidentity <> '', c.atthasdef OR c.attidentity <> '', s.attnum IS NOT NULL,
	EXISTS (SELECT FROM pg_constraint
		WHERE conrelid = c.attrelid AND contype = 'f' AND s.attnum = ANY (conkey) AND convalidated),
	guard.convalidated, g.oid IS NOT NULL, quote_ident(c.trigger_name),
	coalesce(g.tgfoid::regproc::text, new_name.function),
	coalesce(again.tgfoid::regproc::text, new_name.function || '_2'),
	quote_nullable(col_description(c.attrelid, c.attnum)), k.target, quote_ident(k.attname),
	k.col_collate, quote_ident(k.shadow), k.next_shadow, k.relowner::regrole::text, c.key_type,
	c.shadow_type
FROM cols c
JOIN cols k ON k.is_key
LEFT JOIN pg_attribute s ON s.attrelid = c.attrelid AND s.attname = c.shadow AND NOT s.attisdropped
	AND col_description(s.attrelid, s.attnum) = 'uuidnew_tables.rekey_steps: shadow column'
LEFT JOIN pg_trigger g ON g.tgrelid = c.attrelid AND g.tgname = c.trigger_name
LEFT JOIN pg_trigger again ON again.tgrelid = c.attrelid AND again.tgname = 'uuid_rekey_again'
LEFT JOIN pg_constraint guard ON guard.conrelid = c.attrelid AND guard.conname = c.trigger_name
-- a name that no other role can have used
CROSS JOIN LATERAL (SELECT format('%s.uuid_rekey_%s', c.schema,
	left(gen_random_uuid()::text, 8))) new_name(function)
ORDER BY c.is_key DESC, c.attrelid, c.attnum
$$;
