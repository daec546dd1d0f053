-- Creates the copies of a rehearsal, with a row each, and foreign keys; an error if a publication
-- forbids updates of the tables.
CREATE FUNCTION uuidnew_tables._rekey_copies(root regclass)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tab regclass;
BEGIN
	EXECUTE string_agg(format('EXPLAIN UPDATE ONLY %s SET %s = DEFAULT; '
		'CREATE TEMPORARY TABLE %s (LIKE %1$s INCLUDING ALL)', c.tab, col, copy), '; ')
	FROM (SELECT DISTINCT ON (k.tab) * FROM uuidnew_tables._rekey_columns(root) k) c;
	FOR tab IN
		SELECT DISTINCT c.tab FROM uuidnew_tables._rekey_columns(root) c
	LOOP
		BEGIN
			PERFORM uuidnew_tables._rekey_sample(root, tab, 'true'::text, 10);
		EXCEPTION
			WHEN no_data_found OR unique_violation THEN
				NULL;	-- no row, or too many to which it refers, or just changed
		END;
	END LOOP;
	EXECUTE concat(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', own.copy, conname,
		replace(pg_get_constraintdef(oid), format(' REFERENCES %s(', confrelid::regclass),
			format(' REFERENCES %s(', theirs.copy))), '; '))
	FROM pg_constraint
	JOIN (SELECT DISTINCT c.tab, copy FROM uuidnew_tables._rekey_columns(root) c) own
		ON own.tab = conrelid
	JOIN (SELECT DISTINCT c.tab, copy FROM uuidnew_tables._rekey_columns(root) c) theirs
		ON theirs.tab = confrelid
	WHERE contype = 'f';
END
$$;
