-- A look before re-keying, with the arguments that the steps will get: what stands in the way,
-- what is wrong with rows, and what to know.  Changes nothing; reads the table, and plays the plan
-- on empty copies.
CREATE FUNCTION uuid_rekey_check(tab regclass, new_key text, new_default text DEFAULT NULL,
	path text DEFAULT current_setting('search_path'))
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	SELECT 'obstacle', o FROM OWN.uuidnew_rekey_obstacles($1, $2, $3, $4) o
	UNION ALL
	SELECT * FROM OWN.uuidnew_rekey_keys($1, $2, $4)
	$query$, 'OWN.', @own@ || '.') USING tab, new_key, new_default, path;

	RETURN QUERY EXECUTE replace($query$
	WITH cols AS (SELECT * FROM OWN.uuidnew_rekey_columns($1)),
		tables AS (SELECT DISTINCT tab FROM cols)
	SELECT 'note', format('column %s of %s refers to the key', col, tab) FROM cols WHERE NOT is_key
	UNION ALL
	SELECT 'warning', format('column %s of %s has no index', col, tab)
	FROM cols
	WHERE NOT is_key AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = tab AND indkey[0] = num)
	UNION ALL
	SELECT 'warning', format('column %s of %s has neither a default nor an identity: rows that are '
		'written after the swap have no old key, and no way leads back', col, tab)
	FROM cols
	WHERE is_key AND NOT has_default AND NOT identity
	UNION ALL
	SELECT DISTINCT CASE contype WHEN 'c' THEN 'note'
		ELSE 'warning' END, format('constraint %I of %s %s',
		conname, tab, CASE contype WHEN 'c' THEN 'stays with the old column' ELSE 'is deferrable: '
		'once the triggers exist, what a row refers to has to be written first' END)
	FROM cols JOIN pg_constraint ON conrelid = tab AND num = ANY (conkey)
	WHERE contype = 'c' OR contype = 'f' AND condeferrable
	UNION ALL
	SELECT 'warning', format('trigger %I of %s%s: its function has to take a uuid after the swap',
		tgname, tab,
		CASE WHEN tgtype & 16 <> 0 THEN ' fires for each row that is filled' END)
	FROM tables JOIN pg_trigger ON tgrelid = tab
	WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgname !~ '^uuid_rekey_'
	UNION ALL
	SELECT 'warning', format('%s is published by %s: a subscriber does not get ALTER TABLE', tab,
		pubname)
	FROM tables JOIN pg_publication_tables ON format('%I.%I', schemaname, tablename) = tab::text
	UNION ALL
	SELECT 'note', format('filling writes %s anew: another %s, until the table is packed, and '
		'as much WAL at least', tab, pg_size_pretty(pg_table_size(tab)))
	FROM tables
	$query$, 'OWN.', @own@ || '.') USING tab;
END
$$;
COMMENT ON FUNCTION uuid_rekey_check IS 'a look before re-keying, which changes nothing';
