--
-- Partitioning: the table becomes the first partition of a new one of its name, where all that it has is
-- defined again in the same words, while its own goes by the name of the partition, …_first.  That a
-- CHECK constraint uuid_partitioning is on the table, or on a partition, says how far it is.
--

-- what a table or view has besides its columns, in words: grants (in place of those by default), policies,
-- triggers, rules, and comments, but those of foreign keys to itself
CREATE FUNCTION uuidnew_belongings(rel regclass)
RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
WITH own AS (	-- with the sequences of its identity columns
	SELECT *, concat(CASE relkind WHEN 'S' THEN 'SEQUENCE ' END, oid::regclass) AS name,
		CASE relkind WHEN 'S' THEN 'S' ELSE 'r' END AS kind
	FROM pg_class WHERE oid = rel OR relkind = 'S' AND oid IN (SELECT objid
		FROM pg_depend WHERE refobjid = rel AND deptype = 'i'))
SELECT concat((SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s; ',
	name, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '') FROM own, LATERAL (SELECT relowner UNION ALL
		SELECT a.grantee FROM pg_default_acl, aclexplode(defaclacl) a WHERE defaclobjtype = kind) g(grantee)),
	(SELECT string_agg(format('GRANT %s%s ON %s TO %s%s; ', privilege_type, columns, name,
	coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '')
	FROM (SELECT name, '' AS columns, coalesce(relacl, acldefault(lower(kind)::"char", relowner)) AS acl FROM own
		UNION ALL SELECT rel::text, format(' (%I)', attname), attacl FROM pg_attribute
		WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped) a, aclexplode(acl)),
	(SELECT format('ALTER TABLE %s %s ROW LEVEL SECURITY, %s ROW LEVEL SECURITY, REPLICA IDENTITY %s; ',
		rel, CASE WHEN relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END, CASE WHEN relforcerowsecurity THEN 'FORCE'
		ELSE 'NO FORCE' END, CASE relreplident WHEN 'f' THEN 'FULL' ELSE 'DEFAULT' END)
		FROM own WHERE relkind IN ('r', 'p')),
	(SELECT string_agg(format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s; ', polname, rel, CASE WHEN polpermissive
		THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END, CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w'
		THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END, (SELECT string_agg(coalesce(nullif(role, 0)::regrole::text,
		'PUBLIC'), ', ') FROM unnest(polroles) role), ' USING (' || pg_get_expr(polqual, polrelid) || ')',
		' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')'), '') FROM pg_policy WHERE polrelid = rel),
	(SELECT string_agg(pg_get_triggerdef(oid) || '; ' || CASE tgenabled WHEN 'O' THEN '' ELSE
		format('ALTER TABLE %s %s TRIGGER %I; ', rel, CASE tgenabled
			WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, tgname) END, '')
			FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal),
	(SELECT string_agg(pg_get_ruledef(oid) || ' ', '') FROM pg_rewrite WHERE ev_class = rel AND rulename <> '_RETURN'),
	(SELECT string_agg(format('COMMENT ON %s %s IS %L; ',
		regexp_replace(type, '^(table|view) ', ''), identity, description), '')
	FROM pg_description, pg_identify_object(classoid, objoid, objsubid)
	WHERE (classoid, objoid) IN (SELECT 'pg_class'::regclass, oid FROM own
		UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM pg_index WHERE indrelid = rel AND indisvalid
		UNION ALL SELECT classid, objid FROM pg_depend LEFT JOIN pg_constraint c ON c.oid = objid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = rel
			AND deptype IN ('a', 'i') AND c.confrelid IS DISTINCT FROM rel AND classid IN ('pg_constraint'::regclass,
			'pg_trigger'::regclass, 'pg_policy'::regclass, 'pg_rewrite'::regclass))))
$$;
COMMENT ON FUNCTION uuidnew_belongings IS 'what a table has, in words; for uuid_partitioning_steps and others';
