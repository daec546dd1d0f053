-- Exchanges the names of columns and their twins, and of all that belongs to them, in one
-- transaction: the ranks 200 to 299 of uuidnew_rekey_plan, as it is now.  ACCESS EXCLUSIVE on all
-- of the tables, for a moment; reads no row.  55000 if a step before is not done.
CREATE PROCEDURE uuidnew_rekey_swap(root regclass, new_default text, path text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	own CONSTANT text := @own@;
	briefly CONSTANT text := format('CALL %s.uuidnew_briefly($1, VARIADIC $2)', own);
	tables regclass[];
	statements text[];
	todo text;
BEGIN
	EXECUTE format('SELECT array_agg(DISTINCT tab) FROM %s.uuidnew_rekey_columns($1)', own)
		INTO tables USING root;
	EXECUTE briefly USING tables, '{}'::text[];	-- from now on nobody changes them
	EXECUTE format('SELECT min(why) FILTER (WHERE rank < 200 AND NOT done), array_agg(statement '
		'ORDER BY rank, turn) FILTER (WHERE rank >= 200 AND rank < 300) '
		'FROM %s.uuidnew_rekey_plan($1, NULL, $2, $3)', own) INTO todo, statements USING root,
			new_default, path;
	IF todo IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state
			USING MESSAGE = 'run the steps before', DETAIL = format('Not yet done: %s.', todo);
	END IF;
	EXECUTE briefly USING tables, statements;
END
$$;
COMMENT ON PROCEDURE uuidnew_rekey_swap IS
'exchanges columns and their twins; for uuid_rekey_steps';
