-- The foreign keys that refer to a table, its own among them: a statement that drops each, and
-- those that add it again without a look at rows, where PostgreSQL allows that: a partitioned
-- table's, and the table's own after the swap, on the partitions.  Comments tell those, which are
-- to become their parent's.
CREATE FUNCTION uuidnew_partitioning_references(tab regclass, first regclass, owns_to text)
RETURNS TABLE (child regclass, drop_it text, add_it text[])
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT f.conrelid::regclass, format('ALTER TABLE %s DROP CONSTRAINT %I', f.conrelid::regclass,
	f.conname), ARRAY(
	SELECT unnest(ARRAY[
		format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', leaf.name, f.conname,
			regexp_replace(pg_get_constraintdef(f.oid), ' NOT VALID$', '')),
		format('COMMENT ON CONSTRAINT %I ON %s IS %L', f.conname, leaf.name,
			CASE WHEN CASE WHEN o.is_own THEN first IS NULL ELSE r.relkind = 'p'
				OR said ^@ 'uuid_partitioning' END
				THEN 'uuid_partitioning' || regexp_replace(coalesce(said, ''), '^uuid_partitioning',
					'')
				ELSE nullif(regexp_replace(said, '^uuid_partitioning', ''), '') END)])
	FROM (
		SELECT owns_to WHERE o.is_own
		UNION
		SELECT relid::regclass::text FROM pg_partition_tree(f.conrelid)
			WHERE isleaf AND r.relkind = 'p' AND NOT o.is_own
		UNION
		SELECT f.conrelid::regclass::text WHERE r.relkind <> 'p' AND NOT o.is_own) leaf(name))
FROM pg_constraint f
	JOIN pg_class r ON r.oid = f.conrelid
	CROSS JOIN obj_description(f.oid, 'pg_constraint') said
	CROSS JOIN LATERAL (SELECT f.conrelid IN (tab, coalesce(first, tab))) o(is_own)
WHERE f.confrelid = tab AND f.contype = 'f' AND f.conparentid = 0
$$;
COMMENT ON FUNCTION uuidnew_partitioning_references(regclass, regclass, text) IS
'foreign keys that refer to a table; for uuid_partitioning_steps';
