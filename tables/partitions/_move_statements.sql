-- What moves rows out of a default partition: statements that take the locks and drop the foreign
-- keys to the table, a template for before ATTACH, and for after it what adds these keys again,
-- without a look at rows. User triggers do not fire.
--
-- A foreign key to the default partition itself, or to a table that this one is a partition of,
-- would treat the moved rows as deleted: an error. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._move_statements(parent regclass, rest regclass, key name,
	OUT children regclass[], OUT locks text[], OUT before text, OUT after text, OUT places jsonb)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	in_way text;
	drop_all text;
BEGIN
	SELECT min(format('foreign key "%s" of table %s cannot be dropped for a while', conname,
		conrelid::regclass))
	INTO in_way
	FROM pg_constraint
	JOIN pg_class ON pg_class.oid = conrelid
	WHERE contype = 'f' AND conparentid = 0 AND confrelid IN (
			SELECT relid FROM pg_partition_ancestors(rest)
			UNION
			SELECT relid FROM pg_partition_tree(rest))
		AND (confrelid <> parent
			OR relkind = 'p' AND current_setting('server_version_num')::int < 180000);
	IF in_way IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = in_way;
	END IF;
	SELECT * INTO children, locks, drop_all, after
	FROM uuidnew_tables._foreign_keys(parent, false);
	locks := ARRAY[format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent),
		format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest)] || locks || drop_all;

	SELECT jsonb_build_object(
		'rest', rest,
		'key', quote_ident(key),
		'columns', string_agg(quote_ident(attname), ', ' ORDER BY attnum),
		'enable_triggers', (
			SELECT string_agg(format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', tgrelid::regclass,
				CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '; ')
			FROM pg_partition_tree(rest)
			JOIN pg_trigger ON tgrelid = relid
			WHERE NOT tgisinternal AND tgenabled <> 'D'))
	INTO places
	FROM pg_attribute
	WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
	before := $sql$
		ALTER TABLE {rest} DISABLE TRIGGER USER;
		WITH moved AS (
			DELETE FROM {rest} WHERE {key} >= {lower} AND {key} < {upper} RETURNING {columns}
		)
		INSERT INTO {partition} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM moved;
		{enable_triggers}
		$sql$;
END
$$;
