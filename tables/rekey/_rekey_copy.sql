-- The name of a table's copy for the rehearsal.
CREATE FUNCTION uuidnew_tables._rekey_copy(tab regclass)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format('pg_temp.%I', relname) FROM pg_class WHERE oid = tab
$$;

-- The columns that programs write: not generated, and no shadow columns.
CREATE FUNCTION uuidnew_tables._rekey_written_columns(tab regclass)
RETURNS text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
FROM pg_attribute
WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
	AND col_description(attrelid, attnum) IS DISTINCT FROM
		'uuidnew_tables.rekey_steps: shadow column'
$$;

-- Writes the rows of the copies again, as programs do, and rolls that back: an error if a row is
-- refused, or its references are.
CREATE FUNCTION uuidnew_tables._rekey_write_again(root regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tables CONSTANT regclass[] := ARRAY(
		SELECT tab FROM uuidnew_tables._rekey_columns(root)
		GROUP BY tab
		ORDER BY bool_or(is_key) DESC, tab);
	keys record;
	tab regclass;
	place tid;
BEGIN
	SELECT concat(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass,
			conname), '; ')) AS drop_all,
		concat(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass,
			conname, pg_get_constraintdef(oid)), '; ')) AS add_all
	INTO keys
	FROM pg_constraint
	WHERE contype = 'f' AND conrelid = ANY (tables);
	EXECUTE keys.drop_all;
	FOREACH tab IN ARRAY tables LOOP
		FOR place IN EXECUTE format('SELECT ctid FROM %s', tab) LOOP
			EXECUTE format('WITH gone AS (DELETE FROM %1$s WHERE ctid = %3$L RETURNING %2$s) '
				'INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM gone',
				tab, uuidnew_tables._rekey_written_columns(tab), place);
		END LOOP;
	END LOOP;
	EXECUTE keys.add_all;
	RAISE SQLSTATE 'UNDO2';
EXCEPTION
	WHEN SQLSTATE 'UNDO2' THEN
		NULL;
END
$$;
