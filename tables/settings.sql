-- The functions find no name by the caller's path, miss no row that a policy hides, and compile no
-- query, as each runs once. Those that commit can have no settings, and set the path themselves.
DO $$
BEGIN
	EXECUTE (
		SELECT string_agg(format('ALTER ROUTINE %s SET search_path = pg_catalog, pg_temp '
			'SET row_security = off SET jit = off', oid::regprocedure), '; ')
		FROM pg_proc
		WHERE pronamespace = 'uuidnew_tables'::regnamespace AND provolatile <> 'i'
			AND prosrc !~ 'set_config\(''search_path'', ''pg_catalog, pg_temp''');
END
$$;
