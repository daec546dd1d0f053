-- The definition of a table as uuidnew_lost takes it: an array of [object, property, value].
CREATE FUNCTION uuidnew_snapshot(rel regclass)
RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	definition jsonb;
BEGIN
	EXECUTE format($query$
		SELECT jsonb_agg(jsonb_build_array(object, property, value)) FROM %s.uuidnew_definition($1)
		$query$, @own@) INTO definition USING rel;
	RETURN definition;
END
$$;
COMMENT ON FUNCTION uuidnew_snapshot(regclass) IS
'definition of a table as one value; for the functions for tables';
