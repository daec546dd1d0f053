-- A generated statement: a template in which {name} is a place for the SQL text of that name, which
-- is quoted, or NULL for nothing.
CREATE FUNCTION uuidnew_tables._fill(template text, places jsonb)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
	SELECT string_agg(CASE WHEN places ? name THEN places ->> name ELSE piece[1] END, ''
		ORDER BY number)
	FROM regexp_matches(template, '\{[a-z0-9_]+\}|[^{]+|\{', 'g')
		WITH ORDINALITY pieces(piece, number)
	CROSS JOIN substring(piece[1] FROM '^\{(.*)\}$') name
);
