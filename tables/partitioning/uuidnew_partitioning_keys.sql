-- The steps that make constraints whole which are not validated, and foreign keys which are on
-- partitions in place of their parent: before the swap in phase prepare, and undo if they refer to
-- the table; after it in phase finish.
CREATE FUNCTION uuidnew_partitioning_keys(tab regclass, swapped boolean)
RETURNS TABLE (number int, phase text, statement text, lock text, why text)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH key AS (
	SELECT c.*, p.phase, pg_partition_root(conrelid)::regclass AS root,
		to_jsonb(c) ->> 'conenforced' IS DISTINCT FROM 'false' AS enforced	-- since 18
	FROM pg_constraint c
		CROSS JOIN unnest(CASE WHEN swapped THEN '{finish}'
			ELSE '{prepare,undo}' END::text[]) p(phase)
	WHERE tab IN (conrelid, confrelid) AND conname <> 'uuid_partitioning')
SELECT 2, phase,
	format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname),
	'SHARE UPDATE EXCLUSIVE: others read and write', 'reads the table'
FROM key
WHERE contype IN ('c', 'f', 'n') AND NOT convalidated AND enforced
	AND (phase <> 'undo' OR confrelid = tab)
UNION ALL
SELECT DISTINCT 3, phase,
	format('CALL %s.uuidnew_briefly(%L, %L, %L, %L)', @own@, ARRAY[tab, root],
		format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', tab),
		format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', root),
		format('CALL %s.uuidnew_partitioning_parent_key(%L, %L)', @own@, root, conname)),
	'SHARE ROW EXCLUSIVE on both tables, for a moment',
	'what partitions have becomes a foreign key of their parent'
FROM key
WHERE confrelid = tab AND contype = 'f' AND conparentid = 0
	AND obj_description(oid, 'pg_constraint') ^@ 'uuid_partitioning'
$$;
COMMENT ON FUNCTION uuidnew_partitioning_keys(regclass, boolean) IS
'steps that make constraints whole; for uuid_partitioning_steps';
