-- Statements that give a table (or view) of this name the rights, policies, triggers, rules, comments and labels of
-- this one, in the order to run them:
--
--   access    row security, replica identity, policies, triggers; rules and defaults of a view
--   grant     privileges, in place of those by default, also of its sequences
--   comment   comments and security labels, but for those of foreign keys
--
-- Reads catalogs with the snapshot of the query; takes no lock on the table.
CREATE FUNCTION uuidnew_belongings(rel regclass)
RETURNS TABLE (kind text, statement text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH own AS (	-- with its sequences
	SELECT c.*, CASE c.oid WHEN rel THEN 'TABLE' ELSE 'SEQUENCE' END AS type
	FROM pg_class c
	WHERE c.oid = rel OR c.relkind = 'S' AND c.oid IN (
		SELECT objid FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = rel AND deptype IN ('a', 'i'))),
grantable AS (
	SELECT format('%s %s', type, oid::regclass) AS name, '' AS columns, relowner, left(replace(type, 'T', 'r'), 1) AS kind,
		coalesce(relacl, acldefault(left(replace(lower(type), 't', 'r'), 1)::"char", relowner)) AS acl
	FROM own
	UNION ALL
	SELECT format('TABLE %s', rel), format(' (%I)', attname), NULL, NULL, attacl
	FROM pg_attribute
	WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped),
trig AS (SELECT * FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal AND tgparentid = 0)
SELECT s.kind, s.statement
FROM (
	SELECT 1, 'access', format('ALTER TABLE %s %s ROW LEVEL SECURITY, %s ROW LEVEL SECURITY, REPLICA IDENTITY %s', rel,
		CASE WHEN relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END,
		CASE WHEN relforcerowsecurity THEN 'FORCE' ELSE 'NO FORCE' END,
		CASE relreplident WHEN 'f' THEN 'FULL' WHEN 'n' THEN 'NOTHING' WHEN 'i' THEN (
			SELECT format('USING INDEX %I', relname)
			FROM pg_index JOIN pg_class i ON i.oid = indexrelid
			WHERE indrelid = rel AND indisreplident) ELSE 'DEFAULT' END)
	FROM own
	WHERE relkind IN ('r', 'p')
	UNION ALL
	SELECT 1, 'access', format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', polname, rel,
		CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
		CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
		(SELECT string_agg(coalesce(nullif(role, 0)::regrole::text, 'PUBLIC'), ', ') FROM unnest(polroles) role),
		' USING (' || pg_get_expr(polqual, polrelid) || ')', ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')
	FROM pg_policy
	WHERE polrelid = rel
	UNION ALL
	SELECT 1, 'access', pg_get_triggerdef(oid) FROM trig
	UNION ALL
	SELECT 2, 'access', format('ALTER TABLE %s %s TRIGGER %I', rel,
		CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE REPLICA' END, tgname)
	FROM trig
	WHERE tgenabled <> 'O'
	UNION ALL
	SELECT 2, 'access', rtrim(pg_get_ruledef(pg_rewrite.oid), ';') FROM own, pg_rewrite
	WHERE ev_class = own.oid AND relkind = 'v' AND rulename <> '_RETURN'
	UNION ALL
	SELECT 2, 'access', format('ALTER TABLE %s ALTER %I SET DEFAULT %s', rel, attname, pg_get_expr(adbin, adrelid))
	FROM own
		JOIN pg_attrdef ON adrelid = own.oid
		JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
	WHERE relkind = 'v'
	UNION ALL
	SELECT 3, 'grant', format('REVOKE ALL ON %s FROM %s', name, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
	FROM grantable g, LATERAL (
		SELECT g.relowner AS grantee
		UNION
		SELECT a.grantee FROM pg_default_acl, aclexplode(defaclacl) a WHERE defaclobjtype::text = g.kind) r
	WHERE columns = ''
	UNION ALL
	SELECT 4, 'grant', format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
	FROM grantable, aclexplode(acl)
	UNION ALL
	SELECT 5, 'comment', format(CASE WHEN provider IS NULL THEN 'COMMENT ON %1$s %2$s IS %3$L'
			ELSE 'SECURITY LABEL FOR %4$I ON %1$s %2$s IS %3$L' END,
		regexp_replace(o.type, '^(table|view) ', ''), o.identity, said, provider)
	FROM (
		SELECT classoid, objoid, objsubid, description, NULL FROM pg_description
		UNION ALL
		SELECT classoid, objoid, objsubid, label, provider FROM pg_seclabel) w(class, oid, column_number, said, provider),
		pg_identify_object(class, oid, column_number) o
	WHERE (class, oid) IN (
		SELECT 'pg_class'::regclass, oid FROM own
		UNION ALL
		SELECT 'pg_class'::regclass, indexrelid FROM pg_index WHERE indrelid = rel AND indisvalid
		UNION ALL
		SELECT classid, objid
		FROM pg_depend LEFT JOIN pg_constraint c ON classid = 'pg_constraint'::regclass AND c.oid = objid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = rel AND deptype IN ('a', 'i')
			AND c.contype IS DISTINCT FROM 'f'
			AND classid IN ('pg_constraint'::regclass, 'pg_trigger'::regclass, 'pg_policy'::regclass, 'pg_rewrite'::regclass))
	) s(number, kind, statement)
ORDER BY number, statement
$$;
COMMENT ON FUNCTION uuidnew_belongings(regclass) IS
'statements for the rights, triggers and comments of a table';
