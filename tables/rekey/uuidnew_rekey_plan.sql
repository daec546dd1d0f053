-- All that is to be done, by rank and turn: below 200 beside the tables, 200 to 299 the swap, and
-- from 300 on the way out, which drops the twins.
CREATE FUNCTION uuidnew_rekey_plan(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	SELECT * FROM OWN.uuidnew_rekey_column_steps($1, $2, $3, $4)
	UNION ALL
	SELECT * FROM OWN.uuidnew_rekey_index_steps($1)
	UNION ALL
	SELECT * FROM OWN.uuidnew_rekey_reference_steps($1)
	UNION ALL
	SELECT * FROM OWN.uuidnew_rekey_view_steps($1)
	UNION ALL
	SELECT rank, 0, NULL, format('CALL OWN.uuid_rekey_fill(%L)', $1), why, done
	FROM (SELECT bool_and(coalesce(checked, false)) AS done FROM OWN.uuidnew_rekey_columns($1)) c,
		(VALUES (40, 'all rows from before'), (60, 'what older snapshots have written'))
			f(rank, why)
	$query$, 'OWN.', @own@ || '.') USING root, new_key, new_default, path;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_plan IS 'all statements of a re-keying; for uuid_rekey_steps';
