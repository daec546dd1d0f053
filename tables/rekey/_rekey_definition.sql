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
	SELECT tab, table_name, array_agg(num) AS nums,
		array_agg(num) FILTER (WHERE is_key) AS key_nums,
		array_agg(format('constraint %s CHECK', trigger_name)) AS guards
	FROM uuidnew_tables._rekey_columns(root)
	GROUP BY tab, table_name) of_table
CROSS JOIN LATERAL uuidnew_tables._definition(tab)
WHERE columns && nums
	AND NOT EXISTS (SELECT FROM unnest(guards) guard WHERE object ^@ guard)
	AND (columns && key_nums AND property IN ('default', 'atthasdef', 'attidentity')) IS NOT TRUE
	AND property !~ '^att(typid|len|align|byval|storage|compression|typmod|ndims)$'
	AND property !~ '^(att|ind)(class|collation)$'
$$;

-- What a definition has and another has not, a line each.
CREATE FUNCTION uuidnew_tables._rekey_lost(before jsonb, after jsonb)
RETURNS SETOF text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT CASE WHEN after @> jsonb_build_array(jsonb_build_array(lost ->> 0))
	THEN format('%s would lose %s', lost ->> 0,
		string_agg(DISTINCT uuidnew_tables._property_words(lost ->> 1), ', '))
	ELSE format('%s would be lost', lost ->> 0) END
FROM jsonb_array_elements(before) losses(lost)
WHERE lost NOT IN (SELECT jsonb_array_elements(after))
GROUP BY lost ->> 0
$$;
