-- What the catalogs show that stands in the way of new keys, a line each.
CREATE FUNCTION uuidnew_tables._rekey_obstacles(root regclass, new_default text)
RETURNS SETOF text
LANGUAGE sql VOLATILE
BEGIN ATOMIC
WITH cols AS (SELECT * FROM uuidnew_tables._rekey_columns(root))
SELECT format('table %s has no primary key of one column, or is partitioned, or a partition: add a '
	'second column, or copy its rows, with new keys, into a table', root)
WHERE NOT EXISTS (SELECT FROM cols)
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
	(c.owner <> key.owner OR NOT has_schema_privilege(c.owner::regrole, relnamespace, 'CREATE'),
		-- its trigger has the owner's rights, and converts values of the table's types
		format('has another owner than the keys, or is in a schema without CREATE for its owner: '
			'until you finish, %s must own it, and may CREATE', key.owner)),
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
CROSS JOIN LATERAL (SELECT tgname ~ '^uuid_rekey_(key$|ref_)') name(its_own)
WHERE CASE WHEN its_own THEN tgenabled <> 'A'	-- or before a row is inserted or updated
	ELSE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_' END
UNION ALL
SELECT format('foreign key %I of table %s %s', conname, tab, CASE
	WHEN cardinality(conkey) > 1 THEN format('has several columns: until after the swap, replace '
		'it by one of column %s', col)
	WHEN NOT convalidated THEN 'is not valid: validate it, or drop it'
	WHEN condeferrable THEN format('is deferrable: until after the swap, ALTER TABLE %s '
		'ALTER CONSTRAINT %I NOT DEFERRABLE', tab, conname)
	ELSE format('refers to table %s, whose keys stay: drop it', confrelid::regclass) END)
FROM cols
JOIN pg_constraint ON conrelid = tab AND num = ANY (conkey) AND contype = 'f'
WHERE cardinality(conkey) > 1 OR NOT convalidated OR condeferrable
	OR (confrelid, confkey[1]) NOT IN (SELECT k.tab, k.num FROM cols k)
UNION ALL
SELECT format('%s depends on column %s of table %s',
	pg_describe_object(classid, objid, objsubid), col, tab)
FROM cols
CROSS JOIN LATERAL (VALUES (tab::oid, num::int),	-- and its sequence, which goes with it
	(pg_get_serial_sequence(target, (parse_ident(col))[1])::regclass, 0)) of_col(rel, sub)
JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = rel	-- or on whole rows
	AND (refobjsubid = sub OR refobjsubid = 0 AND classid = 'pg_constraint'::regclass)
WHERE NOT CASE classid	-- what the steps carry
	WHEN 'pg_class'::regclass THEN objid IN (
		SELECT oid FROM pg_class LEFT JOIN pg_index ON indexrelid = oid
		WHERE relkind IN ('i', 'S') AND indexprs IS NULL AND indpred IS NULL)
	WHEN 'pg_constraint'::regclass THEN objid IN (
		SELECT oid FROM pg_constraint WHERE contype NOT IN ('c', 'x')
			OR conname ~ '^uuid_rekey_(key$|ref_)')
	WHEN 'pg_attrdef'::regclass
		THEN objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = tab AND adnum = num)
	ELSE false END;
END;
