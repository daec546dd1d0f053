-- A definition, printed with quote_all_identifiers, in which columns have other names: all that is
-- quoted is renamed, but what follows a point or "::", or comes before a point or a parenthesis.
CREATE FUNCTION uuidnew_tables._rekey_renamed(definition text, names jsonb)
RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(string_agg(CASE WHEN before IN ('.', ':') OR after IN ('.', '(') THEN token
		ELSE coalesce(names ->> token, token) END, '' ORDER BY number), '')
	FROM (
		SELECT found[1] AS token, number,
			coalesce(lag(found[1]) OVER in_turn, '') AS before,
				coalesce(lead(found[1]) OVER in_turn, '') AS after
		FROM regexp_matches(definition, '''(?:[^'']|'''')*''|"(?:[^"]|"")*"|[[:alnum:]_$]+|.', 'g')
			WITH ORDINALITY tokens(found, number)
		WINDOW in_turn AS (ORDER BY number)
	) AS neighbours
$$;
