--
-- Re-keying: beside the key and each column that refers to it, through foreign keys, stands a
-- twin, new_…, which triggers keep up to date.  The swap exchanges their names: then the twin is
-- old_…, and the same steps lead back.  What is done is read from the catalogs.
--

-- The key of a table and all columns that refer to it, directly or through other tables, the key
-- first.  A text is SQL, quoted, so that a row is the places of a template.
CREATE FUNCTION uuidnew_rekey_columns(root regclass)
RETURNS TABLE (tab regclass, target text, num int2, col text, twin text, next text, is_key boolean,
	swapped boolean, nullable boolean, has_default boolean, identity boolean, has_twin boolean,
	checked boolean, function text, trigger text, triggered boolean, check_name text,
	not_null text, twin_not_null text, other_not_null text, settings text, remark text, name text,
	key_target text, key_col text, key_twin text, key_next text, key_owner text, key_type text,
	twin_type text, equal text, twin_equal text)
LANGUAGE plpgsql VOLATILE ROWS 10 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
	WITH RECURSIVE key AS (SELECT * FROM %s.uuidnew_rekey_key($1)),
	found(tab, num) AS (
		SELECT $1::oid, num FROM key
		UNION
		SELECT c.conrelid, c.conkey[array_position(c.confkey, found.num)]
		FROM found JOIN pg_constraint c ON c.contype = 'f' AND c.conparentid = 0
			AND c.confrelid = found.tab AND found.num = ANY (c.confkey)
	), cols AS (
		SELECT a.*, t.relname, quote_ident(CASE n.oid
				WHEN pg_my_temp_schema() THEN 'pg_temp' ELSE n.nspname END) AS schema,
			a.attrelid = $1 AND a.attnum = key.num AS is_key,
			left(key.prefix[1] || a.attname, 63)::name AS twin,
			left(key.prefix[2] || a.attname, 63)::name AS next,
			CASE WHEN octet_length(a.attname) > 45 THEN md5(a.attname) ELSE a.attname END AS label
		FROM key
			CROSS JOIN found
			JOIN pg_class t ON t.oid = found.tab
			JOIN pg_namespace n ON n.oid = t.relnamespace
			JOIN pg_attribute a ON a.attrelid = found.tab AND a.attnum = found.num
	), facts AS (
		SELECT c.*, c.schema || '.' || quote_ident(c.relname) AS target, n.trigger, g.tgfoid,
			(SELECT attnum FROM pg_attribute WHERE attrelid = c.attrelid AND attname = c.twin
			AND NOT attisdropped AND col_description(attrelid, attnum) = 'uuid_rekey_steps: a twin')
				AS twin_num
		FROM cols c
			CROSS JOIN LATERAL (
				SELECT 'uuid_rekey_' || CASE WHEN is_key THEN 'key'
					ELSE 'ref_' || label END) n(trigger)
			LEFT JOIN pg_trigger g ON g.tgrelid = c.attrelid AND g.tgname = n.trigger
	)
	SELECT c.attrelid::regclass, c.target, c.attnum, quote_ident(c.attname), quote_ident(c.twin),
		quote_ident(c.next), c.is_key, key.swapped, NOT c.attnotnull, c.atthasdef,
			c.attidentity <> '',
		c.twin_num IS NOT NULL,
		(SELECT convalidated FROM pg_constraint
		WHERE conrelid = c.attrelid AND conname = 'uuid_rekey_' || c.label),
		coalesce(c.tgfoid::regproc::text,	-- or a name that nobody can have taken
			format('%%s.uuid_rekey_%%s', c.schema, left(gen_random_uuid()::text, 8))),
		quote_ident(c.trigger), c.tgfoid IS NOT NULL, quote_ident('uuid_rekey_' || c.label),
		(SELECT quote_ident(conname) FROM pg_constraint
		WHERE conrelid = c.attrelid AND contype = 'n' AND conkey = ARRAY[c.attnum]),
		(SELECT quote_ident(conname) FROM pg_constraint
		WHERE conrelid = c.attrelid AND contype = 'n' AND conkey = ARRAY[c.twin_num]),
		quote_ident('uuid_rekey_' || c.label || '_n'),
		concat(format('; ALTER TABLE %%s ALTER %%I SET STATISTICS ', c.target, c.twin)
			|| nullif(c.attstattarget, -1),
				(SELECT string_agg(format('; ALTER TABLE %%s ALTER %%I SET (%%s)',
			c.target, c.twin, option), '') FROM unnest(c.attoptions) option
				WHERE option ^@ 'n_distinct')),
		quote_nullable(col_description(c.attrelid, c.attnum)), quote_ident(c.relname),
		k.target, quote_ident(k.attname), quote_ident(k.twin), quote_ident(k.next),
		(SELECT relowner::regrole::text FROM pg_class WHERE oid = $1),
		key.key_type, key.twin_type, key.equal, key.twin_equal
	FROM key JOIN facts k ON k.is_key CROSS JOIN facts c
	ORDER BY c.is_key DESC, c.attrelid, c.attnum
	$query$, @own@) USING root;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_columns IS
'a key and all columns that refer to it; for uuid_rekey_steps';
