-- What the catalogs say of the columns that get new keys, and of what is upon them, as triples: but
-- for what generates old keys, and what a type brings. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._rekey_definition(root regclass)
RETURNS jsonb
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT jsonb_agg(DISTINCT
	jsonb_build_array(format('%s of table %s', object, table_name), property, value))
FROM (
	SELECT tab, table_name, array_agg(num) AS nums, max(num) FILTER (WHERE is_key) AS key_num
	FROM uuidnew_tables._rekey_columns(root)
	GROUP BY tab, table_name) of_table
CROSS JOIN LATERAL uuidnew_tables._definition(tab)
WHERE columns && nums
	AND object !~ '^constraint "?uuid_rekey_(key|ref_)'
	AND (key_num = ANY (columns) AND property IN ('default', 'atthasdef', 'attidentity'))
		IS NOT TRUE
	AND property !~ '^att(typid|len|align|byval|storage|compression|typmod|ndims)$'
	AND property !~ '^(att|ind)(class|collation)$'
$$;

-- What a definition of before has and the tables no longer have, a line each.
CREATE FUNCTION uuidnew_tables._rekey_lost(before jsonb, root regclass)
RETURNS SETOF text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT CASE WHEN after @> jsonb_build_array(jsonb_build_array(lost ->> 0))
	THEN format('%s would lose %s', lost ->> 0,
		string_agg(DISTINCT uuidnew_tables._property_words(lost ->> 1), ', '))
	ELSE format('%s would be lost', lost ->> 0) END
FROM uuidnew_tables._rekey_definition(root) after
CROSS JOIN jsonb_array_elements(before) losses(lost)
WHERE lost NOT IN (SELECT jsonb_array_elements(after))
GROUP BY lost ->> 0, after
$$;
