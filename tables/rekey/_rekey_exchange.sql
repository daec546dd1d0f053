-- Steps swap and drop.  The swap exchanges the names of columns and their shadow columns, and of
-- all that belongs to them; drop drops the shadow columns.  ACCESS EXCLUSIVE on all of the tables,
-- for a moment; reads no row.  55000 if a step before the swap is not done, or if something stands
-- in its way that was created since; 2BP01 if a definition would be lost.
CREATE PROCEDURE uuidnew_tables._rekey_exchange(root regclass, step text, new_default text,
	path text)
LANGUAGE plpgsql
SET client_min_messages = warning
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
DECLARE
	tables CONSTANT regclass[] := ARRAY(
		SELECT DISTINCT tab FROM uuidnew_tables._rekey_columns(root));
	before jsonb;
	statements text[];
	problem text;
BEGIN
	CALL uuidnew_tables._briefly(tables, '{}'::text[]);	-- from now on no session changes them
	SELECT 'still to do: ' || (array_agg(why ORDER BY position, number)
			FILTER (WHERE mode IN ('alone', 'brief') AND NOT done))[1],
		array_agg(statement ORDER BY position, number) FILTER (WHERE mode = step)
	INTO problem, statements
	FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path);
	IF step = 'drop' THEN
		CALL uuidnew_tables._briefly(tables, statements);
		RETURN;
	END IF;
	problem := coalesce(problem, (
		SELECT string_agg(o, E'\n') FROM uuidnew_tables._rekey_obstacles(root, new_default) o));
	IF problem IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s is not ready for the swap', root), DETAIL = problem;
	END IF;
	before := uuidnew_tables._rekey_definition(root);
	CALL uuidnew_tables._briefly(tables, statements);
	statements := ARRAY(	-- the triggers of references, which name the columns
		SELECT statement
		FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path)
		WHERE mode = 'brief' AND position = 30);
	CALL uuidnew_tables._briefly(tables, statements);
	SELECT string_agg(lost, E'\n') INTO problem
	FROM uuidnew_tables._rekey_lost(before, root) lost;
	IF problem IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('table %s would not be as before', root), DETAIL = problem,
			HINT = 'Drop these, and create them again after the swap, in its transaction.';
	END IF;
END
$$;
