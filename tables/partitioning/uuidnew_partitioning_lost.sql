-- What the catalogs say of a table, its columns, constraints and indexes, and do not say of its
-- twin: all but numbers, counters, what is carried otherwise (foreign keys, privileges, triggers,
-- names of indexes), and what stays with the first partition, as doc/partitions.md says.
CREATE FUNCTION uuidnew_partitioning_lost(tab regclass, twin regclass)
RETURNS SETOF text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH part(rel, object, content) AS (
	SELECT oid, 'table', to_jsonb(pg_class) FROM pg_class
	UNION ALL
	SELECT attrelid, format('column "%s"', attname),
		to_jsonb(pg_attribute) || jsonb_build_object('default', pg_get_expr(adbin, adrelid),
			'comment', col_description(attrelid, attnum))
	FROM pg_attribute
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	WHERE attnum > 0 AND NOT attisdropped
	UNION ALL
	SELECT conrelid, concat('constraint ', CASE conindid WHEN 0 THEN format('%I ', conname) END,
			pg_get_constraintdef(oid)),
		to_jsonb(pg_constraint)
			|| jsonb_build_object('comment', obj_description(oid, 'pg_constraint'))
	FROM pg_constraint
	WHERE contype NOT IN ('f', 't') AND conname <> 'uuid_partitioning'
	UNION ALL
	SELECT indrelid, 'index ' || split_part(pg_get_indexdef(indexrelid),
			format(' %s USING ', indrelid::regclass), 2),
		to_jsonb(pg_index)
			|| jsonb_build_object('comment', obj_description(indexrelid, 'pg_class'))
	FROM pg_index
), property AS (
	SELECT rel, object, key, value
	FROM part
	CROSS JOIN LATERAL jsonb_each(content)
	WHERE rel IN (tab, twin)
		-- a counter that some servers keep in attoptions
		AND value::text !~ '^\["pg_attver=\d+"]$'
		AND key !~ ('^(oid|\w+(relid|name|kind|num)'
			'|rel(type|am|filenode|tablespace|pages|tuples|all\w+|has\w+|natts|checks'
				'|ispartition|partbound|rewrite|frozenxid|minmxid|acl|options)'
			'|att(cacheoff|islocal|inhcount|\w*missing\w*|acl)'
			'|con(indid|parentid|islocal|inhcount|noinherit|key|bin)'
			'|ind(key|exprs|pred|isclustered|checkxmin))$')
)
SELECT DISTINCT CASE
	WHEN object IN (SELECT object FROM property WHERE rel = twin)
	THEN format('%s would not keep %s %s', object, key, value)
	ELSE format('%s would be lost', object) END
FROM (
	SELECT object, key, value FROM property WHERE rel = tab
	EXCEPT
	SELECT object, key, value FROM property WHERE rel = twin) missing
$$;
