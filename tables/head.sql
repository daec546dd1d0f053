-- uuidnew_tables 0.9: partitions by the time in a UUID key, and new keys for tables in use.
-- CREATE EXTENSION uuidnew_tables runs this script. Where no extension can be installed, psql runs
-- it, in one transaction, as the role that has created schema uuidnew_tables (doc/plain-sql.md).

SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL check_function_bodies = off;	-- a function may call one that follows

-- The owner of a schema can drop it with all that it holds, and add functions that calls may find.
-- The database's owner may be that: a superuser who restores a dump finds the schema so.
DO $$
DECLARE
	other CONSTANT name := (
		SELECT rolname
		FROM pg_namespace
		JOIN pg_roles ON pg_roles.oid = nspowner
		WHERE nspname = 'uuidnew_tables' AND NOT rolsuper AND rolname <> current_user
			AND nspowner NOT IN (
				SELECT extowner FROM pg_extension WHERE extname = 'uuidnew_tables' UNION
				SELECT datdba FROM pg_database WHERE datname = current_database()));
BEGIN
	IF other IS NOT NULL THEN
		RAISE insufficient_privilege USING
			MESSAGE = format('schema "uuidnew_tables" is owned by role "%s"', other),
			HINT = 'Drop the schema, or make the role that installs uuidnew_tables its owner.';
	END IF;
END
$$;

GRANT USAGE ON SCHEMA uuidnew_tables TO PUBLIC;

