-- Creates the copies of a rehearsal, with their rows and foreign keys; an error if a publication
-- forbids updates of the tables.
CREATE FUNCTION uuidnew_tables._rekey_copies(root regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tables CONSTANT regclass[] := ARRAY(
		SELECT DISTINCT tab FROM uuidnew_tables._rekey_columns(root));
BEGIN
	EXECUTE string_agg(format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT; '
		'CREATE TEMPORARY TABLE %s (LIKE %1$s INCLUDING ALL)', tab, col,
		uuidnew_tables._rekey_copy(tab)), '; ')
	FROM (
		SELECT tab, min(col) FROM uuidnew_tables._rekey_columns(root) GROUP BY tab) t(tab, col);
	PERFORM uuidnew_tables._rekey_samples(tables);
	EXECUTE concat(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s',
		uuidnew_tables._rekey_copy(conrelid::regclass), conname, replace(pg_get_constraintdef(oid),
			format(' REFERENCES %s(', confrelid::regclass),
			format(' REFERENCES %s(', uuidnew_tables._rekey_copy(confrelid::regclass)))), '; '))
	FROM pg_constraint
	WHERE contype = 'f' AND conrelid = ANY (tables) AND confrelid = ANY (tables);
END
$$;

-- The statements with which the rehearsal fills the copies, as it cannot commit.
CREATE FUNCTION uuidnew_tables._rekey_fill_at_once(root regclass)
RETURNS text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT concat(string_agg(format('UPDATE %s SET %s = NULL WHERE %2$s IS NULL', target, shadow), '; '
	ORDER BY is_key DESC))
FROM uuidnew_tables._rekey_columns(root)
WHERE NOT (is_key AND swapped)
$$;
