-- The triggers that keep the shadow column of the key up to date. One computes the new key, with
-- the rights of the writer: a row keeps it as long as its key does not change.
--
-- Another, which fires first, clears what a copied row brings along. If the transaction has deleted
-- rows, a key may be inserted again to which rows refer (deferred foreign keys): then the row gets
-- the new key that they have. It runs as the owner of the keys, as the writer need not see them.
CREATE FUNCTION uuidnew_tables._rekey_key_triggers(places jsonb)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT uuidnew_tables._rekey_trigger(places, places ->> 'function',
	'SET search_path FROM CURRENT'::text,
$sql$
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
END $sql$::text, $sql$CREATE OR REPLACE TRIGGER {trigger_name} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {trigger_name}$sql$::text)
|| E';\n' ||
uuidnew_tables._rekey_trigger(places, places ->> 'insert_function',
	'SECURITY DEFINER SET search_path = pg_catalog, pg_temp'::text, $sql$
BEGIN
	IF TG_OP = 'DELETE' THEN
		PERFORM set_config('uuidnew_tables.rekey_deletes', 'on', true);
		RETURN NULL;
	END IF;
	NEW.{shadow} := NULL;
	IF current_setting('uuidnew_tables.rekey_deletes', true) = 'on' THEN
		NEW.{shadow} := coalesce(NULL, {kept});
	END IF;
	RETURN NEW;
END $sql$::text, $sql$CREATE OR REPLACE TRIGGER uuid_rekey_again BEFORE INSERT ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
CREATE OR REPLACE TRIGGER uuid_rekey_deletes BEFORE DELETE ON {target}
	FOR EACH STATEMENT EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER uuid_rekey_again,
	ENABLE ALWAYS TRIGGER uuid_rekey_deletes$sql$::text)
$$;
