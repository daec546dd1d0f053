-- Plays the plan, to its end and back, on copies of the tables with a row each, and rolls it all
-- back: the first error, or what would be lost of definitions. Between the phases rows are written.
-- The copies are temporary and have the same names, as a new key may use them. ACCESS SHARE on the
-- tables. A sequence that a default uses may go forward.
CREATE FUNCTION uuidnew_tables._rekey_rehearsal(root regclass, new_key text, new_default text,
	path text)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET client_min_messages = warning
SET search_path = pg_catalog, pg_temp
SET temp_tablespaces = ''
AS $$
DECLARE
	copy CONSTANT text := uuidnew_tables._rekey_copy(root);
	before CONSTANT jsonb := uuidnew_tables._rekey_definition(root);
	rehearsed text := 'start';
	why text;
	statement text;
	detail text;
	problems text[];
BEGIN
	SET CONSTRAINTS ALL IMMEDIATE;
	PERFORM uuidnew_tables._rekey_copies(root);
	FOREACH rehearsed IN ARRAY
		'{prepare,undo,prepare,swap,undo,undo,prepare,swap,finish}'::text[]
	LOOP
		FOR why, statement IN
			SELECT s.why, s.statement
			FROM uuidnew_tables._rekey_listing(copy::regclass, new_key, new_default, path) s
			WHERE phase = rehearsed AND NOT done
			ORDER BY step
		LOOP
			EXECUTE CASE WHEN statement ^@ 'CALL uuidnew_tables.rekey_fill'
				THEN uuidnew_tables._rekey_fill_at_once(copy::regclass)
				ELSE regexp_replace(statement,
					'^(CREATE (UNIQUE )?INDEX|DROP INDEX) CONCURRENTLY ', '\1 ') END;
		END LOOP;
		problems := ARRAY(SELECT uuidnew_tables._rekey_lost(before,
			uuidnew_tables._rekey_definition(copy::regclass)));
		EXIT WHEN problems <> '{}';
		why := 'rows that are written afterwards';
		PERFORM uuidnew_tables._rekey_write_again(copy::regclass);
	END LOOP;
	RAISE SQLSTATE 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN QUERY SELECT unnest(problems);
	WHEN dependent_objects_still_exist THEN	-- the swap's
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN QUERY SELECT unnest(string_to_array(detail, E'\n'));
	WHEN OTHERS THEN
		RETURN QUERY SELECT concat_ws(': ', rehearsed || ', ' || why, SQLERRM);
END
$$;
