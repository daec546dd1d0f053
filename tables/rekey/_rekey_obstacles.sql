-- What the catalogs show that stands in the way of new keys, a line each: of the tables, and what
-- depends on the columns and is not carried.
CREATE FUNCTION uuidnew_tables._rekey_obstacles(root regclass, new_default text)
RETURNS SETOF text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
WITH cols AS (SELECT * FROM uuidnew_tables._rekey_columns(root))
SELECT uuidnew_tables._rekey_table_obstacles(root, new_default)
UNION ALL
SELECT DISTINCT format('trigger %I of table %s fires after those that set shadow columns: '
	'rename it', tgname, tab)
FROM cols
JOIN pg_trigger ON tgrelid = tab	-- before a row is inserted or updated
WHERE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_'
	AND tgname !~ '^uuid_rekey_(key$|again$|ref_)'
UNION ALL
SELECT DISTINCT format('foreign key %I of table %s does not hold for all rows, as it is not '
	'valid or has other columns that may be NULL', conname, tab)
FROM cols
JOIN pg_constraint c ON conrelid = tab AND num = ANY (conkey) AND contype = 'f'
WHERE NOT is_key AND (NOT convalidated OR confmatchtype = 's' AND EXISTS (
	SELECT FROM pg_attribute
	WHERE attrelid = tab AND attnum = ANY (conkey) AND attnum <> num AND NOT attnotnull))
UNION ALL
SELECT format('column %s of table %s has a domain that is NOT NULL', col, tab)
FROM cols
JOIN pg_attribute ON attrelid = tab AND attnum = num
JOIN pg_type ON pg_type.oid = atttypid
WHERE typnotnull
UNION ALL
SELECT format('%s depends on column %s of table %s',
	pg_describe_object(classid, objid, objsubid), col, tab)
FROM cols
CROSS JOIN LATERAL (VALUES (tab::oid, num::int),	-- and its sequence, which goes with it
	(pg_get_serial_sequence(target, (parse_ident(col))[1])::regclass, 0)) of_col(rel, sub)
JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel AND refobjsubid = sub
WHERE NOT CASE classid	-- what the steps carry
	WHEN 'pg_class'::regclass
		THEN objid IN (SELECT oid FROM pg_class WHERE relkind IN ('i', 'S'))
	WHEN 'pg_constraint'::regclass
		THEN objid IN (SELECT oid FROM pg_constraint WHERE contype <> 'x')
	WHEN 'pg_attrdef'::regclass
		THEN objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = tab AND adnum = num)
	ELSE false END
$$;
