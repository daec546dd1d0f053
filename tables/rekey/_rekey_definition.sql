-- What the catalogs say of the columns that get new keys, and of what is upon them, as triples: but
-- for CHECK constraints, what generates old keys, and what a type brings. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._rekey_definition(root regclass)
RETURNS jsonb
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT jsonb_agg(DISTINCT
	jsonb_build_array(format('%s of table %s', object, name), property, value))
FROM uuidnew_tables._rekey_columns(root)
CROSS JOIN LATERAL uuidnew_tables._definition(tab)
WHERE num = ANY (columns)
	AND kind <> 'c'
	AND NOT (is_key AND property IN ('default', 'atthasdef', 'attidentity'))
	AND property !~ '^att(typid|len|align|byval|storage|compression|typmod|ndims)$'
	AND property !~ '^(att|ind)(class|collation)$'
$$;
