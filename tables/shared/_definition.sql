-- What the catalogs say of a table, its columns, constraints and indexes, a row for each property,
-- except OIDs, counters and generated names. columns: the attribute numbers that the object covers.
CREATE FUNCTION uuidnew_tables._definition(tab regclass)
RETURNS TABLE (kind text, columns int2[], object text, property text, value jsonb)
LANGUAGE sql STABLE
BEGIN ATOMIC
WITH part(class, id, number, kind, columns, object, content) AS (
	SELECT 'pg_class'::regclass, oid, 0, 'table', NULL::int2[], 'table', to_jsonb(pg_class)
	FROM pg_class
	WHERE oid = tab
	UNION ALL
	SELECT 'pg_class'::regclass, attrelid, attnum, 'column', ARRAY[attnum],
		format('column "%s"', attname),
		to_jsonb(pg_attribute) || jsonb_build_object('default', pg_get_expr(adbin, adrelid),
			-- some servers keep a counter there
			'attoptions', ARRAY(SELECT o FROM unnest(attoptions) o WHERE o ^@ 'n_distinct'))
	FROM pg_attribute
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped
	UNION ALL
	SELECT 'pg_constraint'::regclass, oid, 0, contype::text, conkey,
		concat('constraint ', CASE WHEN conindid = 0 AND conname !~ '_not_null\d*$'
			THEN format('%I ', conname) END, replace(pg_get_constraintdef(oid),
			format(' REFERENCES %s(', confrelid::regclass), ' REFERENCES (')),
		to_jsonb(pg_constraint)
	FROM pg_constraint
	WHERE conrelid = tab AND contype <> 't'
	UNION ALL
	SELECT 'pg_class'::regclass, indexrelid, 0, 'index', indkey::int2[],
		'index ' || split_part(pg_get_indexdef(indexrelid), format(' %s.%I USING ',
			CASE relnamespace WHEN pg_my_temp_schema() THEN 'pg_temp'
				ELSE relnamespace::regnamespace::text END, relname), 2),
		to_jsonb(pg_index) || jsonb_build_object(
			'tablespace', (SELECT reltablespace FROM pg_class WHERE oid = indexrelid),
			'statistics', ARRAY(SELECT attstattarget FROM pg_attribute
				WHERE attrelid = indexrelid ORDER BY attnum))
	FROM pg_index
	JOIN pg_class ON oid = indrelid
	WHERE indrelid = tab
)
SELECT kind, columns, object, key, jsonb_each.value
FROM part
CROSS JOIN LATERAL jsonb_each(content || jsonb_build_object(
	'comment', (SELECT description FROM pg_description
		WHERE (classoid, objoid, objsubid) = (class, id, number)),
	'labels', ARRAY(SELECT label FROM pg_seclabel
		WHERE (classoid, objoid, objsubid) = (class, id, number))))
WHERE key !~ ('^(oid|\w+(relid|name|kind|num)'
	'|rel(type|filenode|pages|tuples|(all|has)\w+|natts|checks|(is)?part\w+|rewrite|\w+xid)'
	'|att(cacheoff|islocal|inhcount|\w*missing\w*)'
	'|con\w*(namespace|indid|parentid|islocal|inhcount|noinherit|key|eqop|bin|delsetcols)'
	'|ind(key|exprs|pred|checkxmin))$');
END;
