-- Exchanges the names of columns and their twins, and of all that belongs to them, in one
-- transaction: the ranks 200 to 299 of _rekey_plan, as it is now.  ACCESS EXCLUSIVE on all of the
-- tables, for a moment; reads no row.  55000 if a step before is not done, or if something
-- stands in the way that was made since.
CREATE PROCEDURE uuidnew_tables._rekey_swap(root regclass, new_default text, path text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	tables CONSTANT regclass[] := (
		SELECT array_agg(DISTINCT tab) FROM uuidnew_tables._rekey_columns(root));
	statements text[];
	todo text;
BEGIN
	CALL uuidnew_tables._briefly(tables, '{}'::text[]);	-- from now on nobody changes them
	SELECT coalesce(min('still to do: ' || why) FILTER (WHERE rank < 200 AND NOT done), (
			SELECT string_agg(obstacle, E'\n')
			FROM uuidnew_tables.rekey_check(root, NULL::text, new_default, path))),
		array_agg(statement ORDER BY rank, turn) FILTER (WHERE rank BETWEEN 200 AND 299)
	INTO todo, statements
	FROM uuidnew_tables._rekey_plan(root, NULL::text, new_default, path);
	IF todo IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s is not ready for the swap', root), DETAIL = todo;
	END IF;
	CALL uuidnew_tables._briefly(tables, statements);
END
$$;
