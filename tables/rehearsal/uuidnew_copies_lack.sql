-- What copies in pg_temp lack of their originals' definitions, but for publications and the tables'
-- own tablespaces.  If direct, only the first table is to be made anew: nothing that belongs to
-- what refers to it, nor what depends on its views, is looked for.  Names are those of originals
-- (and what they refer to) with those of copies (and what stands in).
CREATE FUNCTION uuidnew_copies_lack(originals regclass[], names jsonb, direct boolean)
RETURNS SETOF text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	-- in both, names stand without schemas
	schemas CONSTANT text := (
		SELECT '(?<![\w$."])(?:pg_temp(?:_\d+)?|' || string_agg(DISTINCT
			regexp_replace(relnamespace::regnamespace::text, '([][\\^$.|?*+(){}])', '\\\1', 'g'),
				'|') || ')\.'
		FROM pg_class
		WHERE oid = ANY (originals) OR oid IN (SELECT to_regclass(key)
			FROM jsonb_object_keys(names) key));
	stand_ins CONSTANT jsonb := (
		SELECT jsonb_object_agg(substr(value, 9), regexp_replace(key, schemas, ''))
		FROM jsonb_each_text(names)
		WHERE value ~ '^pg_temp\.uuidnew_\d+$');
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT %1$s.uuidnew_lost(original.definition, copy.definition)
		FROM unnest($1) rel
			JOIN pg_class ON pg_class.oid = rel
			CROSS JOIN LATERAL (
				SELECT jsonb_agg(jsonb_build_array(regexp_replace(object, $2, '', 'g'), property,
					regexp_replace(value, $2, '', 'g')))
				FROM %1$s.uuidnew_definition(rel)
				WHERE object !~ '^publication of '
					AND NOT (relkind <> 'v' AND property = 'reltablespace' AND object ~ '^table ')
					AND NOT ($4 AND relkind = 'v' AND property = 'depends on')) original(definition)
			CROSS JOIN LATERAL (
				SELECT jsonb_agg(jsonb_build_array(regexp_replace(object, $2, '', 'g'), property,
					%1$s.uuidnew_renamed(regexp_replace(value, $2, '', 'g'), $3)))
				FROM %1$s.uuidnew_definition(format('pg_temp.%%I',
					relname)::regclass)) copy(definition)
		WHERE NOT $4 OR rel = $1[1] OR relkind = 'v'
		$query$, own)
	USING originals, schemas, coalesce(stand_ins, '{}'), direct;
END
$$;
COMMENT ON FUNCTION uuidnew_copies_lack(regclass[], jsonb, boolean) IS
'what copies of tables lack; for uuidnew_copy_tables';
