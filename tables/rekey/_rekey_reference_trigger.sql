-- The trigger that keeps the shadow column of a reference up to date: it looks the key up, as the
-- owner of the keys, which the writer need not see.
CREATE FUNCTION uuidnew_tables._rekey_reference_trigger(places jsonb)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT uuidnew_tables._rekey_trigger(
	places || jsonb_build_object('itself', CASE
		WHEN places ->> 'target' = places ->> 'key_target' THEN uuidnew_tables._fill(
			' IF NEW.{key_col} = referred THEN NEW.{shadow} := NEW.{key_shadow}; END IF;'::text,
			places) END),
	places ->> 'function', 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp'::text, $sql$
DECLARE
	referred {key_target}.{key_col}%TYPE := NEW.{col};
BEGIN
	IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 AND NEW.{shadow} IS NULL
		AND OLD.{shadow} IS NOT NULL AND NEW.{col}::text = OLD.{col}::text
	THEN	-- ON DELETE SET NULL of the shadow's foreign key, before that of the column
		NEW.{col} := NULL;
	ELSIF NEW.{shadow} IS NULL OR TG_OP = 'INSERT'
		OR NEW.{col}::text IS DISTINCT FROM OLD.{col}::text
		OR pg_trigger_depth() = 1 AND NEW.{shadow} IS DISTINCT FROM OLD.{shadow}
	THEN
		NEW.{shadow} := (
			SELECT {key_shadow} FROM {key_target} k WHERE k.{key_col} = referred);{itself}
	END IF;
	RETURN NEW;
END $sql$::text, $sql$CREATE OR REPLACE TRIGGER {trigger_name} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {trigger_name}$sql$::text)
$$;
