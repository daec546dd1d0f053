-- A look before re-keying, with the arguments that the steps will get: what stands in the way, and
-- what to know.  Changes nothing, and reads no row: plays the plan on empty copies.
CREATE FUNCTION uuid_rekey_check(tab regclass, new_key text, new_default text DEFAULT NULL,
	path text DEFAULT current_setting('search_path'))
RETURNS TABLE (kind text, finding text)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH cols AS (SELECT * FROM OWN.uuidnew_rekey_columns($1))
	SELECT 'obstacle', o FROM OWN.uuidnew_rekey_obstacles($1, $2, $3, $4) o
	UNION ALL
	SELECT CASE WHEN indexed THEN 'note' ELSE 'warning' END,
		format('column %s of %s refers to the key%s', col, tab,
			CASE WHEN NOT indexed THEN ' and has no index' END)
	FROM cols CROSS JOIN LATERAL (SELECT EXISTS (
		SELECT FROM pg_index WHERE indrelid = tab AND indkey[0] = num)) i(indexed)
	WHERE NOT is_key
	UNION ALL
	SELECT v.kind, format(v.words, tab, v.names)
	FROM (SELECT DISTINCT tab FROM cols) t CROSS JOIN LATERAL (VALUES
		('warning', 'triggers of %s fire for what is filled: %s', (
			SELECT string_agg(tgname, ', ')
			FROM pg_trigger
			WHERE tgrelid = tab AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 16 <> 0
				AND tgname !~ '^uuid_rekey_')),
		('warning', '%s is published, and a subscriber does not get ALTER TABLE: %s', (
			SELECT string_agg(pubname, ', ')
			FROM pg_publication_tables
			WHERE format('%I.%I', schemaname, tablename) = tab::text)),
		('note', 'filling writes %s anew: another %s, until the table is packed, and as much WAL',
			pg_size_pretty(pg_table_size(tab)))
	) v(kind, words, names)
	WHERE v.names IS NOT NULL
	$query$, 'OWN.', @own@ || '.') USING tab, new_key, new_default, path;
END
$$;
COMMENT ON FUNCTION uuid_rekey_check IS 'a look before re-keying, which changes nothing';
