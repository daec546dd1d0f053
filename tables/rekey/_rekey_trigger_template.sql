-- The triggers that keep shadow columns up to date, with functions that the owner of the keys owns.
-- {quote} is a dollar quote drawn by lot, which no name in the body can contain.
-- k: computes the new key, with the rights of the writer. A row keeps it as long as its key stays,
-- and an inserted row brings none along.
-- r: looks up the new key of the referred row, with the rights of the owner of the keys.
CREATE FUNCTION uuidnew_tables._rekey_trigger_template(kind text)
RETURNS text
LANGUAGE sql STABLE
RETURN 'LOCK TABLE {target} IN SHARE ROW EXCLUSIVE MODE;' || CASE kind WHEN 'k' THEN $$
SELECT pg_catalog.set_config('search_path', {path}, true);
SELECT ({new_key})::pg_catalog.uuid FROM (SELECT {written} FROM ONLY {target} LIMIT 0) {table_name};
CREATE OR REPLACE FUNCTION {function}() RETURNS pg_catalog.trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT AS {quote}
#variable_conflict use_column
BEGIN
	NEW.{shadow} := CASE
		WHEN NEW.{field}::pg_catalog.text OPERATOR(pg_catalog.=) OLD.{field}::pg_catalog.text
		THEN coalesce(OLD.{shadow}, NEW.{shadow}) END;
	IF NEW.{shadow} IS NULL THEN
		NEW.{shadow} := (SELECT {new_key} FROM (SELECT NEW.*) {table_name});
	END IF;
	RETURN NEW;
END {quote}$$
ELSE $$
CREATE OR REPLACE FUNCTION {function}() RETURNS pg_catalog.trigger LANGUAGE plpgsql
	SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS {quote}
DECLARE
	uuid_rekey {key_target}.{key_field}%TYPE := NEW.{field};
BEGIN
	IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 AND NEW.{shadow} IS NULL
		AND OLD.{shadow} IS NOT NULL AND NEW.{field}::text = OLD.{field}::text
	THEN	-- the shadow's ON DELETE SET NULL acts before the column's
		NEW.{field} := NULL;
	ELSIF NEW.{shadow} IS NULL OR TG_OP = 'INSERT'
		OR NEW.{field}::text IS DISTINCT FROM OLD.{field}::text
		OR pg_trigger_depth() = 1 AND NEW.{shadow} IS DISTINCT FROM OLD.{shadow}
	THEN
		NEW.{shadow} := coalesce((
			SELECT {key_shadow} FROM {key_target} k WHERE k.{key_col} = uuid_rekey){of_itself});
	END IF;
	RETURN NEW;
END {quote}$$ END || $$;
ALTER FUNCTION {function}() OWNER TO {key_owner};
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC;
SELECT uuidnew_tables._revoke({quote}FUNCTION {function}(){quote}::pg_catalog.text,
	proowner::pg_catalog.regrole, proacl)
FROM pg_catalog.pg_proc
WHERE oid OPERATOR(pg_catalog.=) {quote}{function}(){quote}::pg_catalog.regprocedure;
CREATE OR REPLACE TRIGGER {trigger_name} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {trigger_name}$$;
