-- a definition with other columns of a table
CREATE FUNCTION uuidnew_rekey_renamed(definition text, twins jsonb)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
SELECT coalesce(string_agg(CASE WHEN coalesce(before, '') NOT IN ('.', ':')
	AND coalesce(after, '') NOT IN ('(', '.') THEN coalesce(twins ->> token, token) ELSE token END, '' ORDER BY nr), '')
FROM (	-- of texts, names, and single characters
	SELECT m[1] AS token, nr, lag(m[1]) OVER w AS before, lead(m[1]) OVER w AS after
	FROM regexp_matches(definition, '''(?:[^'']|'''')*''|"(?:[^"]|"")*"|[[:alnum:]_$]+|.', 'g') WITH ORDINALITY r(m, nr)
	WINDOW w AS (ORDER BY nr)) t
$$;
COMMENT ON FUNCTION uuidnew_rekey_renamed IS 'a definition with other columns; for uuid_rekey_steps';
