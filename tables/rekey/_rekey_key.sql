-- Re-keying: beside the key, and each column that refers to it through foreign keys, there is a
-- shadow column, new_..., which triggers keep up to date. The swap exchanges the names: then the
-- shadow column is old_..., and the same steps lead back. The catalogs reveal what is done.
--
-- Why a table cannot get new keys at all, in words; NULL if it can. Reads the catalogs only.
CREATE FUNCTION uuidnew_tables._rekey_key_problem(root regclass)
RETURNS text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format(CASE
	WHEN relkind = 'p' OR relispartition THEN 'table %s is partitioned, or a partition: copy its '
		'rows, with new keys, into a table, and partition that'
	WHEN relkind <> 'r' THEN '%s is not a table'
	WHEN cardinality(conkey) > 1 THEN 'table %s has a primary key of several columns'
	ELSE 'table %s has no primary key' END, root)
FROM pg_class
LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
WHERE pg_class.oid = root AND (relkind = 'r' AND NOT relispartition AND cardinality(conkey) = 1)
	IS NOT TRUE
$$;

-- The key of a table: its number, whether it is swapped, before which names its shadow column has
-- and will have after the swap, and the types of both. 55000 if the table cannot get new keys.
CREATE FUNCTION uuidnew_tables._rekey_key(root regclass, OUT num int2, OUT swapped boolean,
	OUT prefix text, OUT next_prefix text, OUT key_type text, OUT shadow_type text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	problem CONSTANT text := uuidnew_tables._rekey_key_problem(root);
BEGIN
	IF problem IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING MESSAGE = problem;
	END IF;
	SELECT a.attnum, old.attnum IS NOT NULL,
		CASE WHEN old.attnum IS NULL THEN 'new_' ELSE 'old_' END,
		CASE WHEN old.attnum IS NULL THEN 'old_' ELSE 'new_' END,
		format_type(a.atttypid, -1),
		coalesce(concat(format_type(old.atttypid, old.atttypmod),
			' COLLATE ' || nullif(old.attcollation, 0)::regcollation), 'uuid')
	INTO num, swapped, prefix, next_prefix, key_type, shadow_type
	FROM pg_constraint
	JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
	LEFT JOIN pg_attribute old ON old.attrelid = a.attrelid AND NOT old.attisdropped
		AND old.attname = ('old_' || a.attname)::name
		AND col_description(old.attrelid, old.attnum) = 'uuidnew_tables.rekey_steps: shadow column'
	WHERE conrelid = root AND contype = 'p';
	shadow_type := CASE WHEN swapped THEN shadow_type ELSE 'uuid' END;
END
$$;
