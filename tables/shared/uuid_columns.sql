-- All uuid columns of the database's own tables, and what is wrong with them.
--
-- keys: versions and layouts in the column's statistics, as far as the caller may see them.
-- Reads catalogs and statistics, no table.
CREATE FUNCTION uuid_columns()
RETURNS TABLE (tab regclass, col name, default_value text, guard text, keys text, problem text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
		SELECT attrelid::regclass, attname, pg_get_expr(adbin, adrelid), guard, keys,
			nullif(concat_ws('; ',
				CASE WHEN keys ~ 'rfc9562' AND keys ~ 'draft'
					THEN 'holds keys of both layouts of version 7' END,
				CASE WHEN pg_get_expr(adbin, adrelid) ~ '(gen_random_uuid|uuidv4|generate_v4)\('
					THEN 'new keys are random' END,
				CASE WHEN keys ~ 'rfc9562|draft' AND guard IS NULL AND atttypid = 'uuid'::regtype
					THEN 'no guard' END,
				CASE WHEN keys IS NULL AND relkind = 'r' THEN 'no statistics: ANALYZE' END), '')
		FROM pg_attribute
		JOIN pg_class ON pg_class.oid = attrelid
		JOIN pg_namespace ON pg_namespace.oid = relnamespace
		JOIN pg_type ON pg_type.oid = atttypid
		LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
		CROSS JOIN @own.uuidnew_column_guard(attrelid, attnum) guard
		CROSS JOIN LATERAL (
			SELECT string_agg(format('%s %s %%', kind, round(100 * number / total)), ', '
				ORDER BY number DESC)
			FROM (
				SELECT kind, count(*) AS number, sum(count(*)) OVER () AS total
				FROM pg_stats
				CROSS JOIN unnest(coalesce(histogram_bounds, most_common_vals)::text::uuid[]) key
				CROSS JOIN coalesce(nullif(@own.uuid_v7_layout(key), 'none'),
					'version ' || substr(key::text, 15, 1)) kind
				WHERE schemaname = nspname
					AND tablename = relname
					AND pg_stats.attname = pg_attribute.attname
					AND inherited = (relkind = 'p')
				GROUP BY kind) kinds) statistics(keys)
		WHERE attnum > 0
			AND NOT attisdropped
			AND relkind IN ('r', 'p')
			AND NOT relispartition
			AND nspname !~ '^(pg_|information_schema$)'
			AND 'uuid'::regtype IN (atttypid, typbasetype)
		ORDER BY nspname, relname, attnum
		$query$, '@own', @own@);
END
$$;
COMMENT ON FUNCTION uuid_columns() IS
'all uuid columns of the database, and what is wrong with them';
