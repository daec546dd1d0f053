-- Steps swap, which exchanges the names of columns and their shadow columns, and of all that
-- belongs to them, and drop, which drops the shadow columns. ACCESS EXCLUSIVE on all of the tables,
-- for a moment; reads no row. 2BP01 if a step before the swap is not done, something stands in its
-- way, or a definition would be lost.
CREATE PROCEDURE uuidnew_tables._rekey_exchange(root regclass, step text, new_default text,
	path text)
LANGUAGE plpgsql
SET client_min_messages = warning
AS $$
DECLARE
	tables CONSTANT regclass[] := ARRAY(
		SELECT DISTINCT tab FROM uuidnew_tables._rekey_columns(root));
	before jsonb;
	statements text[];
	to_do text[];
BEGIN
	CALL uuidnew_tables._briefly(tables, '{}'::text[]);	-- from now on no session changes them
	SELECT array_agg('still to do: ' || why ORDER BY position, number)
			FILTER (WHERE mode IN ('alone', 'brief') AND NOT done),
		array_agg(statement ORDER BY position, number) FILTER (WHERE strpos(mode, step) > 0)
	INTO to_do, statements
	FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path);
	PERFORM uuidnew_tables._refuse(format('table %s is not ready for the swap', root),
		to_do[1:1] || ARRAY(SELECT uuidnew_tables._rekey_obstacles(root, new_default)))
	WHERE step = 'swap';
	PERFORM uuidnew_tables._refuse('there are triggers of foreign keys that are gone'::text, ARRAY(
		SELECT DISTINCT format('trigger %I of table %s: add its foreign key again, or drop '
			'function %s with CASCADE, then the shadow column', tgname, tgrelid::regclass,
			tgfoid::regprocedure)
		FROM uuidnew_tables._rekey_columns(root) key
		JOIN pg_proc ON strpos(prosrc, format(' FROM %s k WHERE', target)) > 0
		JOIN pg_trigger ON tgfoid = pg_proc.oid AND tgname ^@ 'uuid_rekey_ref_'
		WHERE is_key AND tgfoid::regproc::text NOT IN (
			SELECT function FROM uuidnew_tables._rekey_columns(root))));
	before := uuidnew_tables._rekey_definition(root);
	CALL uuidnew_tables._briefly(tables, statements);
	statements := ARRAY(	-- the triggers of references, which name the columns
		SELECT statement
		FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path)
		WHERE step = 'swap' AND mode = 'brief' AND position = 30);
	CALL uuidnew_tables._briefly(tables, statements);
	PERFORM uuidnew_tables._refuse(format('table %s would not be as before', root),
		ARRAY(SELECT uuidnew_tables._lost(before, uuidnew_tables._rekey_definition(root))));
END
$$;
