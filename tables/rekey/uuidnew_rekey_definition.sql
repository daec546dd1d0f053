-- What is known of the key, of what refers to it, and of their constraints and indexes: rows of the
-- catalogs, whatever columns they have, but for numbers of objects, counters, and what a type
-- brings.  CHECK constraints, and what makes old keys, are left out.
CREATE FUNCTION uuidnew_rekey_definition(root regclass)
RETURNS TABLE (object text, content jsonb)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	meaningless CONSTANT text := '^(oid'
		'|att(relid|num|typid|len|align|byval|storage|compression|collation|typmod|ndims|cacheoff'
		'|hasmissing|missingval)'
		'|con\w*(name|relid|namespace|indid|key|eqop|bin|delsetcols)'
		'|ind(exrelid|relid|key|class|collation|exprs|pred|checkxmin)'
		'|rel(namespace|owner|filenode|pages|tuples|all\w+|persistence|\w+xid))$';
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH cols AS (SELECT * FROM OWN.uuidnew_rekey_columns($1)),
	part(class, oid, num, object, content) AS (
		SELECT 'pg_class'::regclass, a.attrelid, num, format('column %s of table %s', col, name),
			to_jsonb(a) - CASE WHEN is_key THEN '{atthasdef,attidentity}'::text[] ELSE '{}' END
				|| jsonb_build_object('attoptions',
				ARRAY(SELECT o FROM unnest(attoptions) o WHERE o ^@ 'n_distinct'))
		FROM cols JOIN pg_attribute a ON attrelid = tab AND attnum = num
		UNION
		SELECT 'pg_constraint'::regclass, c.oid, 0,
			format('constraint %s of table %s', CASE WHEN conname ~ '_not_null\d*$'	-- by default
				THEN pg_get_constraintdef(c.oid) ELSE quote_ident(conname) END, name),
			to_jsonb(c) || jsonb_build_object('definition', replace(pg_get_constraintdef(c.oid),
			format(' REFERENCES %s(', confrelid::regclass), ' REFERENCES ('))
		FROM cols JOIN pg_constraint c ON conrelid = tab AND num = ANY (conkey)
			AND contype <> 'c'
		UNION
		SELECT 'pg_class'::regclass, x.oid, 0, format('index %I', relname),
			to_jsonb(x) || to_jsonb(i) || jsonb_build_object(
			'definition', replace(pg_get_indexdef(x.oid), format(' ON %s ', target), ' '),
			'statistics', ARRAY(SELECT attstattarget FROM pg_attribute WHERE attrelid = x.oid
				ORDER BY attnum))
		FROM cols
			JOIN pg_index i ON indrelid = tab
			JOIN pg_class x ON x.oid = indexrelid
		WHERE num = ANY (indkey) OR x.oid IN (
			SELECT objid FROM pg_depend WHERE refobjid = tab AND refobjsubid = num)
	)
	SELECT object, jsonb_object_agg(key, value)
	FROM part p CROSS JOIN LATERAL jsonb_each(content || jsonb_build_object(
		'comment', (SELECT description FROM pg_description
			WHERE (classoid, objoid, objsubid) = (class, p.oid, num)),
		'labels', ARRAY(SELECT label FROM pg_seclabel
			WHERE (classoid, objoid, objsubid) = (class, p.oid, num))))
	WHERE key !~ $2
	GROUP BY object
	$query$, 'OWN.', @own@ || '.') USING root, meaningless;
END
$$;
