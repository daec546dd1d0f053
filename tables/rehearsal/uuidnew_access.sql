-- Statements that give a table (or view) of this name the row security, replica identity, policies
-- and triggers of this one, or rules and defaults of this view, in the order to run them; for
-- uuidnew_belongings.
CREATE FUNCTION uuidnew_access(rel regclass)
RETURNS TABLE (kind text, statement text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH trig AS (
	SELECT * FROM pg_trigger WHERE tgrelid = rel AND NOT tgisinternal AND tgparentid = 0)
SELECT s.kind, s.statement
FROM (
	SELECT 1, 'access', format('ALTER TABLE %s %s ROW LEVEL SECURITY, '
			'%s ROW LEVEL SECURITY, REPLICA IDENTITY %s', rel,
		CASE WHEN relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END,
		CASE WHEN relforcerowsecurity THEN 'FORCE' ELSE 'NO FORCE' END,
		CASE relreplident WHEN 'f' THEN 'FULL' WHEN 'n' THEN 'NOTHING' WHEN 'i' THEN (
			SELECT format('USING INDEX %I', relname)
			FROM pg_index JOIN pg_class i ON i.oid = indexrelid
			WHERE indrelid = rel AND indisreplident) ELSE 'DEFAULT' END)
	FROM pg_class
	WHERE oid = rel AND relkind IN ('r', 'p')
	UNION ALL
	SELECT 1, 'access', format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', polname, rel,
		CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
		CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd'
			THEN 'DELETE' ELSE 'ALL' END,
		(SELECT string_agg(coalesce(nullif(role, 0)::regrole::text, 'PUBLIC'), ', ')
			FROM unnest(polroles) role),
		' USING (' || pg_get_expr(polqual, polrelid) || ')', ' WITH CHECK ('
			|| pg_get_expr(polwithcheck, polrelid) || ')')
	FROM pg_policy
	WHERE polrelid = rel
	UNION ALL
	SELECT 1, 'access', pg_get_triggerdef(oid) FROM trig
	UNION ALL
	SELECT 2, 'access', format('ALTER TABLE %s %s TRIGGER %I', rel,
		CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
			ELSE 'ENABLE REPLICA' END, tgname)
	FROM trig
	WHERE tgenabled <> 'O'
	UNION ALL
	SELECT 2, 'access', rtrim(pg_get_ruledef(w.oid), ';')
	FROM pg_rewrite w JOIN pg_class v ON v.oid = ev_class
	WHERE ev_class = rel AND relkind = 'v' AND rulename <> '_RETURN'
	UNION ALL
	SELECT 2, 'access', format('ALTER TABLE %s ALTER %I SET DEFAULT %s', rel, attname,
		pg_get_expr(adbin, adrelid))
	FROM pg_class v
		JOIN pg_attrdef ON adrelid = v.oid
		JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
	WHERE v.oid = rel AND relkind = 'v'
	) s(number, kind, statement)
ORDER BY number, statement
$$;
COMMENT ON FUNCTION uuidnew_access(regclass) IS
'row security, policies, triggers, rules and defaults; for the functions for tables';
