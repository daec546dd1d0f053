-- Statements that give a table (or view) of this name the privileges, comments and labels of this
-- one, in the order to run them; for uuidnew_belongings.
CREATE FUNCTION uuidnew_grants(rel regclass)
RETURNS TABLE (kind text, statement text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH own AS (	-- with its sequences
	SELECT c.*, CASE c.oid WHEN rel THEN 'TABLE' ELSE 'SEQUENCE' END AS type
	FROM pg_class c
	WHERE c.oid = rel OR c.relkind = 'S' AND c.oid IN (
		SELECT objid FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = rel
			AND deptype IN ('a', 'i'))),
grantable AS (
	SELECT format('%s %s', type, oid::regclass) AS name, '' AS columns, relowner,
		left(replace(type, 'T', 'r'), 1) AS kind,
		coalesce(relacl, acldefault(left(replace(lower(type), 't', 'r'), 1)::"char", relowner))
			AS acl
	FROM own
	UNION ALL
	SELECT format('TABLE %s', rel), format(' (%I)', attname), NULL, NULL, attacl
	FROM pg_attribute
	WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped)
SELECT s.kind, s.statement
FROM (
	SELECT 3, 'grant', format('REVOKE ALL ON %s FROM %s', name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
	FROM grantable g, LATERAL (
		SELECT g.relowner AS grantee
		UNION
		SELECT a.grantee FROM pg_default_acl, aclexplode(defaclacl) a
			WHERE defaclobjtype::text = g.kind) r
	WHERE columns = ''
	UNION ALL
	SELECT 4, 'grant', format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), CASE WHEN is_grantable
			THEN ' WITH GRANT OPTION' END)
	FROM grantable, aclexplode(acl)
	UNION ALL
	SELECT 5, 'comment', format(CASE WHEN provider IS NULL THEN 'COMMENT ON %1$s %2$s IS %3$L'
			ELSE 'SECURITY LABEL FOR %4$I ON %1$s %2$s IS %3$L' END,
		regexp_replace(o.type, '^(table|view) ', ''), o.identity, said, provider)
	FROM (
		SELECT classoid, objoid, objsubid, description, NULL FROM pg_description
		UNION ALL
		SELECT classoid, objoid, objsubid, label, provider FROM pg_seclabel) w(class, oid,
			column_number, said, provider),
		pg_identify_object(class, oid, column_number) o
	WHERE (class, oid) IN (
		SELECT 'pg_class'::regclass, oid FROM own
		UNION ALL
		SELECT 'pg_class'::regclass, indexrelid FROM pg_index WHERE indrelid = rel AND indisvalid
		UNION ALL
		SELECT classid, objid
		FROM pg_depend LEFT JOIN pg_constraint c ON classid = 'pg_constraint'::regclass
			AND c.oid = objid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = rel AND deptype IN ('a', 'i')
			AND c.contype IS DISTINCT FROM 'f'
			AND classid IN ('pg_constraint'::regclass, 'pg_trigger'::regclass,
				'pg_policy'::regclass, 'pg_rewrite'::regclass))
	) s(number, kind, statement)
ORDER BY number, statement
$$;
COMMENT ON FUNCTION uuidnew_grants(regclass) IS
'privileges, comments and labels; for the functions for tables';
