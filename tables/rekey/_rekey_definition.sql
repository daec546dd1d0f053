-- What the catalogs say of the columns that get new keys, and of what is upon them, as triples: but
-- for CHECKs, which are obstacles, what generates old keys, and what a type brings.
CREATE FUNCTION uuidnew_tables._rekey_definition(root regclass)
RETURNS jsonb
LANGUAGE sql VOLATILE
BEGIN ATOMIC
SELECT jsonb_agg(DISTINCT
	jsonb_build_array(format('%s of table %s', object, table_name), property, value))
FROM (
	SELECT tab, table_name, array_agg(num) AS nums, max(num) FILTER (WHERE is_key) AS key_num
	FROM uuidnew_tables._rekey_columns(root)
	GROUP BY tab, table_name) of_table
CROSS JOIN LATERAL uuidnew_tables._definition(tab)
WHERE columns && nums AND kind <> 'c'
	AND (key_num = ANY (columns) AND property IN ('default', 'atthasdef', 'attidentity'))
		IS NOT TRUE
	AND property !~ '^att(typid|len|align|byval|storage|compression|typmod|ndims)$'
	AND property !~ '^(att|ind)(class|collation)$';
END;
