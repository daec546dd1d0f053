-- All uuid columns of the database's own tables, and text columns that hold UUIDs, and what is
-- wrong with them. Reads catalogs and statistics, no table.
CREATE FUNCTION uuid_columns()
RETURNS TABLE (tab regclass, col name, type text, default_value text, guard text, keys text,
	index regclass, octets_per_entry numeric, refers_to regclass, referred_by int, problem text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
		SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod),
			pg_get_expr(adbin, adrelid), guard, keys, index, octets, refers, referred,
			nullif(concat_ws('; ',
				CASE WHEN base <> 'uuid'::regtype THEN 'UUIDs are stored as text' END,
				CASE WHEN has_rfc9562 AND has_draft
					THEN 'holds keys of both layouts of version 7' END,
				CASE WHEN made <> holds AND made <> 'version 4'
					THEN 'the default makes another layout than the keys have' END,
				@own.uuidnew_misread(attrelid, attname, holds),
				CASE WHEN made = 'version 4' AND (is_version_7 OR guard IS NOT NULL)
						THEN 'the default still makes version 4'
					WHEN made = 'version 4' AND indisprimary THEN 'new keys are random' END,
				CASE WHEN (is_version_7 OR made IN ('rfc9562', 'draft'))
						AND guard IS NULL AND atttypid = 'uuid'::regtype
					THEN 'no guard' END,
				CASE WHEN refers IS NOT NULL AND index IS NULL
					THEN 'refers to another table, without an index' END,
				CASE WHEN are_uuids IS NULL
						AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = attrelid)
					THEN 'no statistics: ANALYZE' END), '')
		FROM pg_attribute
		JOIN pg_class ON pg_class.oid = attrelid
		JOIN pg_namespace ON pg_namespace.oid = relnamespace
		JOIN pg_type ON pg_type.oid = atttypid
		CROSS JOIN coalesce(nullif(typbasetype, 0), pg_type.oid) base
		LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
		CROSS JOIN LATERAL @own.uuidnew_column_layout(attrelid, attnum)
		CROSS JOIN LATERAL @own.uuidnew_column_keys(attrelid, attname)
		CROSS JOIN LATERAL (
			SELECT has_rfc9562 OR has_draft,
				coalesce(guard, CASE
					WHEN has_rfc9562 AND NOT has_draft THEN 'rfc9562'
					WHEN has_draft AND NOT has_rfc9562 THEN 'draft' END)) of(is_version_7, holds)
		LEFT JOIN LATERAL (
			SELECT indexrelid::regclass, indisprimary,
				CASE WHEN reltuples > 0
					THEN round(pg_relation_size(indexrelid) / reltuples::numeric, 1) END
			FROM pg_index
			JOIN pg_class ON pg_class.oid = indexrelid
			WHERE indrelid = attrelid AND indkey[0] = attnum
			ORDER BY indisprimary DESC, indisunique DESC, indexrelid
			LIMIT 1) best(index, indisprimary, octets) ON true
		CROSS JOIN LATERAL (
			SELECT (max(confrelid)
					FILTER (WHERE conrelid = attrelid AND attnum = ANY (conkey)))::regclass,
				(count(*) FILTER (WHERE confrelid = attrelid AND attnum = ANY (confkey)))::int
			FROM pg_constraint
			WHERE contype = 'f' AND conparentid = 0 AND attrelid IN (conrelid, confrelid)
			) reference(refers, referred)
		WHERE attnum > 0
			AND NOT attisdropped
			AND relkind IN ('r', 'p')
			AND NOT relispartition
			AND nspname <> 'information_schema'
			AND nspname !~ '^pg_'
			AND (base = 'uuid'::regtype
				OR base IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) AND are_uuids)
		ORDER BY nspname, relname, attnum
		$query$, '@own', @own@);
END
$$;
COMMENT ON FUNCTION uuid_columns() IS
'all uuid columns of the database, and what is wrong with them';
