CREATE FUNCTION uuid_columns()
RETURNS TABLE (tab regclass, col name, type text, default_value text, guard text, keys text, index regclass,
	octets_per_entry numeric, refers_to regclass, referred_by int, problem text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
			pg_get_expr(d.adbin, d.adrelid), g.guard, k.keys, i.index, i.octets, f.refers,
			f.referred, nullif(concat_ws('; ', CASE WHEN b.type <> 'uuid'::regtype THEN 'UUIDs are stored as text' END,
			CASE WHEN k.rfc9562 AND k.draft THEN 'holds keys of both layouts of version 7' END,
			CASE WHEN g.made <> h.holds AND g.made <> 'version 4' THEN 'the default makes another layout than the keys '
			'have' END, (SELECT string_agg(format('generated column "%%s" reads the other layout', y.attname), '; ')
			FROM pg_attrdef e JOIN pg_attribute y ON y.attrelid = e.adrelid AND y.attnum = e.adnum
			WHERE e.adrelid = a.attrelid
			AND y.attgenerated <> '' AND pg_get_expr(e.adbin, e.adrelid) ~ format(CASE h.holds
			WHEN 'rfc9562' THEN '\muuid_v7_(timestamp|fields)\(%%1$s(\)|, ''(?!rfc9562))'
			WHEN 'draft' THEN '\m(uuidv7_timestamp|uuidv7_fields|uuid_extract_timestamp)\(%%1$s\)'
						'|\muuid_v7_(timestamp|fields)\(%%1$s, ''rfc9562' END,
					regexp_replace(quote_ident(a.attname), '(\W)', '\\\1', 'g'))),
				CASE WHEN g.made = 'version 4'
					AND (k.rfc9562 OR k.draft OR g.guard IS NOT NULL) THEN 'the default still makes version 4'
					WHEN g.made = 'version 4' AND i.is_primary THEN 'new keys are random' END,
				CASE WHEN (k.rfc9562 OR k.draft OR g.made IN ('rfc9562', 'draft'))
					AND g.guard IS NULL AND a.atttypid = 'uuid'::regtype THEN 'no guard' END,
				CASE WHEN f.refers IS NOT NULL AND i.index IS NULL THEN 'refers to another table, without an index' END,
				CASE WHEN s.stats IS NULL AND NOT EXISTS (SELECT FROM pg_inherits
					WHERE inhparent = a.attrelid) THEN 'no statistics: ANALYZE' END), '')
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
			JOIN LATERAL (SELECT coalesce(nullif(typbasetype, 0), oid) FROM pg_type WHERE oid = a.atttypid) b(type)
			ON true LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
			LEFT JOIN LATERAL (SELECT coalesce(histogram_bounds::text, most_common_vals::text)::text[] AS stats
			FROM pg_stats WHERE schemaname = n.nspname AND tablename = c.relname AND attname = a.attname
			ORDER BY inherited DESC LIMIT 1) s ON true LEFT JOIN LATERAL (SELECT string_agg(format('%%s %%s %%%%', kind,
			round(100.0 * number / total)), ', ' ORDER BY number DESC) AS keys, coalesce(bool_or(kind = 'rfc9562'),
			false) AS rfc9562, coalesce(bool_or(kind = 'draft'), false) AS draft FROM (SELECT CASE WHEN substr(h,
			13, 1) <> '7' THEN 'version ' || substr(h, 13, 1) WHEN h < '03' THEN 'rfc9562' ELSE 'draft' END AS kind,
			count(*) AS number, sum(count(*)) OVER () AS total FROM unnest(s.stats) u, LATERAL (SELECT replace(lower(u),
			'-', '') COLLATE "C" AS h) x WHERE u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$' GROUP BY 1) z) k
			ON true LEFT JOIN LATERAL (SELECT x.indexrelid::regclass AS index, x.indisprimary AS is_primary,
			CASE WHEN ic.reltuples > 0 THEN round(pg_relation_size(ic.oid) / ic.reltuples::numeric, 1) END AS octets
			FROM pg_index x JOIN pg_class ic ON ic.oid = x.indexrelid WHERE x.indrelid = a.attrelid
			AND x.indkey[0] = a.attnum ORDER BY x.indisprimary DESC, x.indisunique DESC, x.indexrelid LIMIT 1) i ON true
			CROSS JOIN LATERAL %1$s.uuidnew_column_layout(a.attrelid, a.attnum) g
			CROSS JOIN LATERAL (SELECT coalesce(g.guard, CASE WHEN k.rfc9562 AND NOT k.draft THEN 'rfc9562' WHEN k.draft
			AND NOT k.rfc9562 THEN 'draft' END)) h(holds) CROSS JOIN LATERAL (SELECT max(confrelid)
			FILTER (WHERE conrelid = a.attrelid AND a.attnum = ANY (conkey))::regclass,
			(count(*) FILTER (WHERE confrelid = a.attrelid AND a.attnum = ANY (confkey)))::int FROM pg_constraint
			WHERE contype = 'f' AND conparentid = 0 AND a.attrelid IN (conrelid, confrelid)) f(refers, referred)
		WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND (b.type = 'uuid'::regtype
			OR b.type IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) AND s.stats <> '{}'
			AND (SELECT bool_and(u ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$') FROM unnest(s.stats) u))
		ORDER BY n.nspname, c.relname, a.attnum
		$query$, @own@);
END $$;
COMMENT ON FUNCTION uuid_columns IS 'all uuid columns of the database, and what is wrong with them';
