-- What moves rows out of a default partition: statements that take the locks and drop the foreign
-- keys to the table, templates for before and after ATTACH, and what adds these keys again, without
-- reading rows. Rows are inserted after ATTACH, so that publications carry them. User triggers do
-- not fire.
--
-- A foreign key to the default partition itself, or to a table that this one is a partition of,
-- would treat the moved rows as deleted: an error. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._move_statements(parent regclass, rest regclass, key name,
	partition text, OUT children regclass[], OUT locks text[], OUT before text, OUT after text,
	OUT add_all text, OUT places jsonb)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	in_way text;
	keys record;
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
			OR relkind = 'p' AND current_setting('server_version_num')::int < 180000
			OR EXISTS (SELECT FROM pg_trigger
				WHERE tgconstraint = pg_constraint.oid AND tgenabled <> 'O'));
	IF in_way IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = in_way;
	END IF;
	SELECT * INTO keys FROM uuidnew_tables._foreign_keys(parent, true);
	locks := keys.lock_parents || ARRAY[
		format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent),
		format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest)] || keys.lock_children;
	SELECT * INTO keys FROM uuidnew_tables._foreign_keys(parent, false);
	children := keys.children;
	locks := locks || keys.drop_all;
	add_all := keys.add_all;

	SELECT jsonb_build_object(
		'rest', rest,
		'key', quote_ident(key),
		'columns', string_agg(quote_ident(attname), ', ' ORDER BY attnum),
		'enable_triggers', (
			SELECT string_agg(format('ALTER TABLE ONLY %s ENABLE %s TRIGGER %I', tgrelid::regclass,
				CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '; ')
			FROM pg_partition_tree(rest)
			JOIN pg_trigger ON tgrelid = relid
			WHERE NOT tgisinternal AND tgenabled <> 'D'),
		'enable_new', (
			SELECT string_agg(format('ALTER TABLE %s ENABLE %s TRIGGER %I', partition,
				CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' END, tgname), '; ')
			FROM pg_trigger
			WHERE tgrelid = parent AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 1 = 1))
	INTO places
	FROM pg_attribute
	WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
	before := $sql$
		ALTER TABLE {rest} DISABLE TRIGGER USER;
		CREATE TEMPORARY TABLE uuidnew_late ON COMMIT DROP AS
		SELECT {columns} FROM {rest} WHERE {key} >= {lower} AND {key} < {upper};
		DELETE FROM {rest} WHERE {key} >= {lower} AND {key} < {upper};
		{enable_triggers}
		$sql$;
	after := $sql$
		ALTER TABLE {partition} DISABLE TRIGGER USER;
		SET CONSTRAINTS ALL IMMEDIATE;
		INSERT INTO {partition} ({columns}) OVERRIDING SYSTEM VALUE
		SELECT {columns} FROM pg_temp.uuidnew_late;
		DROP TABLE pg_temp.uuidnew_late;
		ANALYZE {partition};
		{enable_new}
		$sql$;
END
$$;
