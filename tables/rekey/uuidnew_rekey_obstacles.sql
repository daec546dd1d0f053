-- what depends on the columns and would stay with the old ones
CREATE FUNCTION uuidnew_rekey_obstacles(root regclass, new_key text, own regnamespace)
RETURNS SETOF text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
WITH RECURSIVE c AS (SELECT k.*, attacl FROM uuidnew_rekey_columns($1) k JOIN pg_attribute ON attrelid = tab AND attnum = num),
views(oid, num) AS (	-- and tables
	SELECT tab::oid, num::int FROM c
	UNION
	SELECT ev_class, NULL FROM views v JOIN pg_depend ON refclassid = 'pg_class'::regclass
		AND refobjid = v.oid AND refobjsubid = coalesce(v.num, refobjsubid) AND classid = 'pg_rewrite'::regclass JOIN pg_rewrite r ON r.oid = objid AND ev_class <> v.oid)
-- a default of a reference, as that of the key goes on making old ones
SELECT DISTINCT format('%s depends on column "%s"', pg_describe_object(d.classid, d.objid, d.objsubid), c.col)
FROM c JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.tab AND d.refobjsubid = c.num
	LEFT JOIN pg_attrdef def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
	LEFT JOIN pg_class o ON o.oid = CASE d.classid WHEN 'pg_class'::regclass THEN d.objid ELSE r.ev_class END
WHERE d.classid <> 'pg_constraint'::regclass AND coalesce(o.relkind, ' ') NOT IN ('i', 'S', 'v')
	AND ((def.adrelid, def.adnum) IS DISTINCT FROM (c.tab, c.num) OR EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = c.tab AND c.num = ANY (conkey)))
UNION ALL
SELECT DISTINCT format('%s depends on view %s', pg_describe_object(d.classid, d.objid, d.objsubid), w.oid::regclass)
FROM views JOIN pg_class w USING (oid) JOIN pg_depend d ON d.deptype = 'n' AND (d.refclassid, d.refobjid) IN (('pg_class'::regclass, w.oid),
	('pg_type'::regclass, w.reltype)) LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid LEFT JOIN pg_class x ON x.oid = r.ev_class
WHERE w.relkind = 'v' AND coalesce(x.relkind, ' ') <> 'v'
UNION ALL SELECT format('constraint "%s" of table %s %s', conname, tab, CASE contype WHEN 'x' THEN 'is an exclusion constraint' ELSE 'refers to another key' END)
FROM c JOIN pg_constraint ON conrelid = tab AND num = ANY (conkey)
WHERE contype = 'x' OR contype = 'f' AND NOT EXISTS (SELECT FROM c k WHERE k.tab = confrelid AND k.num = confkey[array_position(conkey, c.num)])
UNION ALL SELECT DISTINCT format('trigger "%s" of table %s fires after those that set twins: rename it', tgname, tab)
FROM c JOIN pg_trigger ON tgrelid = tab AND tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_' AND tgname !~ '^uuid_rekey_'
UNION ALL SELECT format(CASE WHEN marked THEN 'column "%s" of table %s is of a re-keying that is not finished'
	ELSE 'table %2$s has a column "%1$s" of its own' END, attname, tab) FROM (SELECT tab, array_agg(twin) || array_agg(next_twin) AS twins FROM c GROUP BY tab) t
	JOIN pg_attribute ON attrelid = tab AND NOT attisdropped, LATERAL (SELECT col_description(attrelid, attnum) IS NOT DISTINCT FROM 'uuid_rekey_steps: a twin') m(marked)
WHERE marked <> (attname = ANY (twins))
UNION ALL SELECT format('the new key reads column "%s" of table %s, which is generated after triggers', attname, tab)
FROM c JOIN pg_attribute ON attrelid = tab AND attgenerated <> ''
WHERE is_key AND twin ^@ 'new_' AND $2 ~ ('\m' || regexp_replace(attname, '(\W)', '\\\1', 'g') || '\M')
UNION ALL SELECT DISTINCT format('table %s is written by a subscription, for which triggers do not fire', tab) FROM c JOIN pg_subscription_rel ON srrelid = tab
UNION ALL SELECT format('there are privileges on column "%s" of table %s', col, tab) FROM c WHERE attacl IS NOT NULL
UNION ALL SELECT DISTINCT format('index %s %s', indexrelid::regclass, CASE WHEN indisreplident THEN 'is the replica identity of its table'
	ELSE 'has an operator class or a collation of its own' END) FROM c JOIN pg_index ON indrelid = tab AND num = ANY (indkey) JOIN pg_attribute a ON attrelid = tab AND attnum = num
WHERE indisreplident OR twin ^@ 'new_' AND EXISTS (SELECT FROM unnest(indkey::int2[], indclass::oid[], indcollation::oid[]) x(n, class, coll)
	JOIN pg_opclass o ON o.oid = class WHERE n = num AND (NOT opcdefault OR coll <> attcollation))
UNION ALL SELECT DISTINCT format('table %s %s',
	tab, CASE WHEN t.relforcerowsecurity THEN 'forces row security on its owner, who would not see all rows' ELSE 'is partitioned, a partition or inherited' END)
FROM c JOIN pg_class t ON t.oid = tab WHERE t.relforcerowsecurity OR t.relkind <> 'r' OR t.relispartition OR EXISTS (SELECT FROM pg_inherits
	WHERE tab IN (inhrelid, inhparent)) $query$, 'uuidnew_rekey_columns', own || '.uuidnew_rekey_columns') USING root, new_key;
END $$;
COMMENT ON FUNCTION uuidnew_rekey_obstacles IS 'what stands in the way of new keys; for uuid_rekey_steps and others';
