-- What the catalogs show that stands in the way of new keys, a line each.
CREATE FUNCTION uuidnew_tables._rekey_obstacles(root regclass, new_default text)
RETURNS SETOF text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
WITH cols AS (SELECT * FROM uuidnew_tables._rekey_columns(root))
SELECT format(CASE WHEN relkind = 'p' OR relispartition THEN 'table %s is partitioned, or a '
		'partition: copy its rows, with new keys, into a table, and partition that'
	WHEN cardinality(conkey) > 1 THEN 'table %s has a primary key of several columns'
	ELSE 'table %s has no primary key' END, root)
FROM pg_class
LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
WHERE pg_class.oid = root AND NOT EXISTS (SELECT FROM cols)
UNION ALL
SELECT DISTINCT format('table %s %s', c.tab, words)
FROM cols c
JOIN cols key ON key.is_key
JOIN pg_class ON pg_class.oid = c.tab
CROSS JOIN LATERAL (VALUES
	(relkind <> 'r' OR reloftype <> 0
		OR EXISTS (SELECT FROM pg_inherits WHERE c.tab IN (inhrelid, inhparent))
		OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.tab),
		'is partitioned, has to do with inheritance, is of a type, or has a rule'),
	(EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = c.tab),
		'is written by a subscription, for which triggers do not fire'),
	(relforcerowsecurity, 'forces row security on its owner, so that steps would not see all rows'),
	(NOT pg_has_role(relowner, 'USAGE'), 'is owned by another role'),
	(NOT has_table_privilege(key.owner::regrole, c.tab, 'SELECT')
		OR NOT has_schema_privilege(key.owner::regrole, relnamespace, 'CREATE'),
		format('is not readable, or in a schema without CREATE, for the owner of the keys, %s',
			key.owner)),
	(EXISTS (SELECT FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
		WHERE attrelid = c.tab AND attnum = c.num AND typnotnull),
		format('has column %s of a domain that is NOT NULL', c.col)),
	(c.is_key AND c.has_default AND NOT c.swapped AND new_default IS NULL,
		'has a key with a default or identity: new_default has to be given'),
	(c.is_key AND (SELECT opcnamespace <> 'pg_catalog'::regnamespace
		FROM pg_index JOIN pg_opclass ON pg_opclass.oid = indclass[0]
		WHERE indrelid = c.tab AND indisprimary), 'has a key with an equality of its own')
) v(holds, words)
WHERE holds
UNION ALL
SELECT DISTINCT format(CASE WHEN its_own THEN 'table %2$s has trigger %1$I disabled, so that new '
		'keys may be wrong: undo'
	ELSE 'trigger %I of table %s fires after those that set shadow columns: rename it' END,
	tgname, tab)
FROM cols
JOIN pg_trigger ON tgrelid = tab
CROSS JOIN LATERAL (SELECT tgname ~ '^uuid_rekey_(key$|again$|deletes$|ref_)') name(its_own)
WHERE CASE WHEN its_own THEN tgenabled <> 'A'	-- or before a row is inserted or updated
	ELSE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_' END
UNION ALL
SELECT DISTINCT format('foreign key %I of table %s does not hold for all rows, as it is not '
	'valid or has other columns that may be NULL', conname, tab)
FROM cols
JOIN pg_constraint ON conrelid = tab AND num = ANY (conkey) AND contype = 'f'
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
WHERE NOT CASE classid	-- what the steps carry
	WHEN 'pg_class'::regclass
		THEN objid IN (SELECT oid FROM pg_class WHERE relkind IN ('i', 'S'))
	WHEN 'pg_constraint'::regclass
		THEN objid IN (SELECT oid FROM pg_constraint WHERE contype <> 'x')
	WHEN 'pg_attrdef'::regclass
		THEN objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = tab AND adnum = num)
	ELSE false END
$$;
