-- Exchanges the names of columns and their twins, and of all that belongs to them, in one
-- transaction: the ranks 200 to 299 of uuidnew_rekey_plan, as it is now.  ACCESS EXCLUSIVE on all
-- of the tables, for a moment; reads no row.  55000 if a step before is not done, or if something
-- stands in the way that was made since.
CREATE PROCEDURE uuidnew_rekey_swap(root regclass, new_default text, path text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	own CONSTANT text := @own@ || '.';
	briefly CONSTANT text := format('CALL %suuidnew_briefly($1, VARIADIC $2)', own);
	tables regclass[];
	statements text[];
	todo text;
BEGIN
	EXECUTE format('SELECT array_agg(DISTINCT tab) FROM %suuidnew_rekey_columns($1)', own)
		INTO tables USING root;
	EXECUTE briefly USING tables, '{}'::text[];	-- from now on nobody changes them
	EXECUTE replace($query$
		SELECT coalesce(min('still to do: ' || why) FILTER (WHERE rank < 200 AND NOT done),
				(SELECT string_agg(obstacle, E'\n') FROM OWN.uuid_rekey_check($1, NULL, $2, $3))),
			array_agg(statement ORDER BY rank, turn) FILTER (WHERE rank BETWEEN 200 AND 299)
		FROM OWN.uuidnew_rekey_plan($1, NULL, $2, $3)
		$query$, 'OWN.', own) INTO todo, statements USING root, new_default, path;
	IF todo IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s is not ready for the swap', root), DETAIL = todo;
	END IF;
	EXECUTE briefly USING tables, statements;
END
$$;
