-- Exchanges the names of columns and their shadow columns, and of all that belongs to them, in one
-- transaction: phase swap of _rekey_plan.  ACCESS EXCLUSIVE on all of the tables, for a moment;
-- reads no row.  55000 if a step before is not done, or if something stands in the way that was
-- created since; 2BP01 if a definition would be lost.
CREATE PROCEDURE uuidnew_tables._rekey_swap(root regclass, new_default text, path text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
DECLARE
	tables CONSTANT regclass[] := (
		SELECT array_agg(DISTINCT tab) FROM uuidnew_tables._rekey_columns(root));
	before jsonb;
	statements text[];
	problem text;
BEGIN
	CALL uuidnew_tables._briefly(tables, '{}'::text[]);	-- from now on no session changes them
	SELECT coalesce((array_agg('still to do: ' || why ORDER BY position, number)
			FILTER (WHERE phase = 'prepare' AND NOT done))[1],
			(SELECT string_agg(o, E'\n')
				FROM uuidnew_tables._rekey_obstacles(root, new_default) o)),
		array_agg(statement ORDER BY position, number) FILTER (WHERE phase = 'swap')
	INTO problem, statements
	FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path);
	IF problem IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s is not ready for the swap', root), DETAIL = problem;
	END IF;
	before := uuidnew_tables._rekey_definition(root);
	CALL uuidnew_tables._briefly(tables, statements);
	SELECT string_agg(l, E'\n') INTO problem
	FROM uuidnew_tables._rekey_lost(before, uuidnew_tables._rekey_definition(root)) l;
	IF problem IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('table %s would not be as before', root), DETAIL = problem,
			HINT = 'Drop these, and create them again after the swap, in its transaction.';
	END IF;
END
$$;
