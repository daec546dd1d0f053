-- What stands in the way of new keys, with the arguments that the steps will get: of the tables,
-- what depends on the columns and is not carried, and, as long as nothing has been done, what the
-- rehearsal finds. Changes nothing, and reads no row. ACCESS SHARE on the tables.
CREATE FUNCTION uuidnew_tables.rekey_check(tab regclass, new_key text,
	new_default text DEFAULT NULL, path text DEFAULT current_setting('search_path'))
RETURNS TABLE (obstacle text)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
#variable_conflict use_column
DECLARE
	begun boolean;
BEGIN
	begun := (SELECT bool_or(has_twin) FROM uuidnew_tables._rekey_columns(rekey_check.tab));
	RETURN QUERY
	WITH cols AS (SELECT * FROM uuidnew_tables._rekey_columns(rekey_check.tab))
	SELECT DISTINCT format('table %s %s', tab, words)
	FROM cols
		JOIN pg_class ON oid = tab
		CROSS JOIN LATERAL (VALUES
			(relkind <> 'r' OR reloftype <> 0
				OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
				OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = tab),
				'is partitioned, has to do with inheritance, is of a type, or has a rule'),
			(EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = tab),
				'is written by a subscription, for which triggers do not fire'),
			(EXISTS (SELECT FROM pg_trigger
				WHERE tgrelid = tab AND quote_ident(tgname) = mark AND tgenabled <> 'A'),
				format('has trigger %s disabled, so that new keys may be wrong: undo', mark)),
			(relforcerowsecurity, 'forces row security on its owner, who would not see all rows'),
			(NOT pg_has_role(relowner, 'USAGE'), 'belongs to somebody else'),
			(NOT has_schema_privilege(key_owner::regrole, relnamespace, 'CREATE'),
				format('is in a schema in which %s may not create', key_owner)),
			(is_key AND made AND NOT swapped AND new_default IS NULL,
				'has a key with a default or identity: new_default has to be given'),
			(is_key AND (SELECT opcnamespace <> 'pg_catalog'::regnamespace
				FROM pg_index JOIN pg_opclass ON pg_opclass.oid = indclass[0]
				WHERE indrelid = tab AND indisprimary), 'has a key with an equality of its own')
		) v(holds, words)
	WHERE holds
	UNION ALL
	SELECT DISTINCT format('trigger %I of table %s fires after those that set twins: rename it',
		tgname, tab)
	FROM cols JOIN pg_trigger ON tgrelid = tab	-- before a row is inserted or updated
	WHERE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_'
		AND tgname !~ '^uuid_rekey_(key|ref_)'
	UNION ALL
	SELECT DISTINCT format('foreign key %I of table %s does not hold for all rows, as it is not '
		'valid or has other columns that may be NULL', conname, tab)
	FROM cols JOIN pg_constraint c ON conrelid = tab AND num = ANY (conkey) AND contype = 'f'
	WHERE NOT is_key AND (NOT convalidated OR confmatchtype = 's' AND EXISTS (
		SELECT FROM pg_attribute
		WHERE attrelid = tab AND attnum = ANY (conkey) AND attnum <> num AND NOT attnotnull))
	UNION ALL
	SELECT format('%s depends on column %s of table %s',
		pg_describe_object(classid, objid, objsubid), col, tab)
	FROM cols
		CROSS JOIN LATERAL (VALUES (tab::oid, num::int),	-- and its sequence, which goes with it
			(pg_get_serial_sequence(target, (parse_ident(col))[1])::regclass, 0)) of_col(rel, sub)
		JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel AND refobjsubid = sub
	WHERE NOT CASE classid	-- what the steps carry, or leave to the old column
		WHEN 'pg_class'::regclass
			THEN objid IN (SELECT oid FROM pg_class WHERE relkind IN ('i', 'S'))
		WHEN 'pg_constraint'::regclass
			THEN objid IN (SELECT oid FROM pg_constraint WHERE contype <> 'x')
		WHEN 'pg_attrdef'::regclass
			THEN objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = tab AND adnum = num)
		ELSE false END;
	IF NOT FOUND AND NOT begun
		AND (SELECT relpersistence FROM pg_class WHERE oid = tab) <> 't'
	THEN
		RETURN QUERY
		SELECT * FROM uuidnew_tables._rekey_rehearsal(tab, new_key, new_default, path);
	END IF;
END
$$;
COMMENT ON FUNCTION uuidnew_tables.rekey_check IS 'what stands in the way of new keys for a table';
