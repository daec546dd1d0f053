-- The statements that make copies of relations, in the order to run them. Names are those of what
-- is copied with those of the copies; for foreign keys to other tables, also those of stand-ins.
CREATE FUNCTION uuidnew_copy_statements(relations regclass[], names jsonb, stand_ins jsonb)
RETURNS text[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- keys before what refers to them, and of partitions before those of their parent, which then
	-- takes these
	kinds CONSTANT text[] := '{table,check,identity,partition,key,setting,place,statistics,'
		'foreign,self,view,access,grant,comment}';
	statements text[];
BEGIN
	EXECUTE format($query$
		SELECT array_agg(%1$s.uuidnew_renamed(s.statement, $2 || CASE s.kind WHEN 'foreign' THEN $3
			ELSE '{}' END)
			ORDER BY array_position($4, s.kind), c.relispartition DESC, r.number, s.number)
		FROM unnest($1) WITH ORDINALITY r(rel, number)
			JOIN pg_class c ON c.oid = rel
			CROSS JOIN LATERAL (
				SELECT CASE c.relkind WHEN 'v' THEN 'view' ELSE 'table' END, *
				FROM unnest(%1$s.uuidnew_creation(rel)) WITH ORDINALITY
				UNION ALL
				SELECT 'partition', format('ALTER TABLE %%s ATTACH PARTITION %%s %%s',
					inhparent::regclass, rel,
					pg_get_expr(c.relpartbound, rel)), 1
				FROM pg_inherits
				WHERE inhrelid = rel AND c.relispartition AND inhparent = ANY ($1)
				UNION ALL
				SELECT * FROM %1$s.uuidnew_constraints(rel) WITH ORDINALITY
				UNION ALL
				SELECT * FROM %1$s.uuidnew_belongings(rel) WITH ORDINALITY) s(kind, statement,
					number)
		$query$, @own@)
	INTO statements
	USING relations, names, stand_ins, kinds;
	RETURN statements;
END
$$;
COMMENT ON FUNCTION uuidnew_copy_statements(regclass[], jsonb, jsonb) IS
'statements that make copies; for uuidnew_copy_tables';
