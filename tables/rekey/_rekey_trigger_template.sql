-- The triggers that keep shadow columns up to date, with functions that the owner of the keys owns.
-- {quote} is a dollar quote drawn by lot, which no name in the body can contain.
--
-- key: computes the new key, with the rights of the writer. A row keeps it as long as its key does
-- not change. A trigger that fires first clears what a copied row brings along. If the transaction
-- has deleted rows, a key may be inserted again to which rows refer (deferred foreign keys): then
-- the row gets the new key that they have. reference: looks the new key up. Both read rows with the
-- rights of the owner of the keys, as the writer need not see them.
CREATE FUNCTION uuidnew_tables._rekey_trigger_template(kind text)
RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $outer$
SELECT CASE kind WHEN 'key' THEN $$
SELECT pg_catalog.set_config('search_path', {path}, true);
SELECT ({new_key})::pg_catalog.uuid FROM (SELECT {written} FROM ONLY {target} LIMIT 0) {table_name};
CREATE OR REPLACE FUNCTION {function}() RETURNS pg_catalog.trigger LANGUAGE plpgsql
	SET search_path FROM CURRENT AS {quote}
#variable_conflict use_column
BEGIN
	IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
		NEW.{shadow} := CASE
			WHEN NEW.{col}::pg_catalog.text OPERATOR(pg_catalog.=) OLD.{col}::pg_catalog.text
			THEN coalesce(OLD.{shadow}, NEW.{shadow}) END;
	END IF;
	IF NEW.{shadow} IS NULL THEN
		NEW.{shadow} := (SELECT {new_key} FROM (SELECT NEW.*) {table_name});
	END IF;
	RETURN NEW;
END {quote};
CREATE OR REPLACE FUNCTION {function}_2() RETURNS pg_catalog.trigger LANGUAGE plpgsql
	SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS {quote}
BEGIN
	IF TG_OP = 'DELETE' THEN
		PERFORM set_config('uuidnew_tables.rekey_deletes', 'on', true);
		RETURN NULL;
	END IF;
	NEW.{shadow} := NULL;
	IF current_setting('uuidnew_tables.rekey_deletes', true) = 'on' THEN
		NEW.{shadow} := coalesce(NULL{kept});
	END IF;
	RETURN NEW;
END {quote};
ALTER FUNCTION {function}() OWNER TO {key_owner};
ALTER FUNCTION {function}_2() OWNER TO {key_owner};
REVOKE ALL ON FUNCTION {function}(), {function}_2() FROM PUBLIC{grantees};
CREATE OR REPLACE TRIGGER {trigger_name} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
CREATE OR REPLACE TRIGGER uuid_rekey_again BEFORE INSERT ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}_2();
CREATE OR REPLACE TRIGGER uuid_rekey_deletes BEFORE DELETE ON {target}
	FOR EACH STATEMENT EXECUTE FUNCTION {function}_2();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {trigger_name}, ENABLE ALWAYS TRIGGER uuid_rekey_again,
	ENABLE ALWAYS TRIGGER uuid_rekey_deletes$$
ELSE $$CREATE OR REPLACE FUNCTION {function}() RETURNS pg_catalog.trigger LANGUAGE plpgsql
	SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS {quote}
DECLARE
	referred {key_target}.{key_col}%TYPE := NEW.{col};
BEGIN
	IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 AND NEW.{shadow} IS NULL
		AND OLD.{shadow} IS NOT NULL AND NEW.{col}::text = OLD.{col}::text
	THEN	-- the shadow's ON DELETE SET NULL acts before the column's
		NEW.{col} := NULL;
	ELSIF NEW.{shadow} IS NULL OR TG_OP = 'INSERT'
		OR NEW.{col}::text IS DISTINCT FROM OLD.{col}::text
		OR pg_trigger_depth() = 1 AND NEW.{shadow} IS DISTINCT FROM OLD.{shadow}
	THEN
		NEW.{shadow} := coalesce((
			SELECT {key_shadow} FROM {key_target} k WHERE k.{key_col} = referred){of_itself});
	END IF;
	RETURN NEW;
END {quote};
ALTER FUNCTION {function}() OWNER TO {key_owner};
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC{grantees};
CREATE OR REPLACE TRIGGER {trigger_name} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {trigger_name}$$ END
$outer$;
