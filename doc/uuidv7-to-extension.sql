-- Creates the extension in schema uuidnew, and turns each function of uuidv7.sql in schema public
-- into a wrapper around the extension's function of that name.  No table is read or rewritten.  If
-- uuidv7.sql was not run in public, replace that name.
BEGIN;
CREATE SCHEMA uuidnew;
GRANT USAGE ON SCHEMA uuidnew TO PUBLIC;
CREATE EXTENSION uuidnew SCHEMA uuidnew;

DO $$
DECLARE
    f record;
BEGIN
    FOR f IN
        SELECT p.proname, p.provolatile, pg_get_function_arguments(p.oid) AS arguments,
               pg_get_function_result(p.oid) AS result,
               array_to_string(ARRAY(SELECT '$' || i FROM generate_series(1, p.pronargs) i), ', ')
               AS parameters
        FROM pg_proc p JOIN pg_proc c USING (proname, proargtypes)
        WHERE p.pronamespace = 'public'::regnamespace AND c.pronamespace = 'uuidnew'::regnamespace
    LOOP
        EXECUTE format('CREATE OR REPLACE FUNCTION public.%I(%s) RETURNS %s LANGUAGE sql %s '
                       'PARALLEL SAFE RETURN uuidnew.%I(%s)', f.proname, f.arguments, f.result,
                       CASE f.provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'VOLATILE' END,
                       f.proname, f.parameters);
    END LOOP;
END $$;
COMMIT;
