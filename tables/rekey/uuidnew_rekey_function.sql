-- The function of the trigger that keeps a twin up to date.  That of the key computes it, with the
-- rights of who writes; that of a reference looks it up, as the owner of the keys, which the
-- writer need not see.
CREATE FUNCTION uuidnew_rekey_function(places jsonb)
RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	fill CONSTANT text := format('SELECT %s.uuidnew_fill($1, $2)', @own@);
	is_key CONSTANT boolean := places ->> 'is_key';
	rights CONSTANT text := CASE WHEN is_key THEN 'SET search_path FROM CURRENT'
		ELSE 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp' END;
	template text;
	body text;
BEGIN
	template := CASE WHEN is_key THEN $sql$
#variable_conflict use_column
BEGIN
	IF NEW.{twin} IS NULL OR TG_OP OPERATOR(pg_catalog.=) 'UPDATE'
		AND NOT NEW.{col} {equal} OLD.{col}
	THEN
		NEW.{twin} := (SELECT {new_key} FROM (SELECT NEW.*) {name});
	END IF;
	RETURN NEW;
END $sql$ ELSE $sql$
BEGIN
	IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 AND NEW.{twin} IS NULL AND OLD.{twin} IS NOT NULL
		AND NEW.{col}::text = OLD.{col}::text
	THEN	-- ON DELETE SET NULL of the twin's foreign key, which came before that of the column
		NEW.{col} := NULL;
	ELSIF NEW.{twin} IS NULL OR TG_OP = 'INSERT'
		OR NEW.{col}::text IS DISTINCT FROM OLD.{col}::text
	THEN
		NEW.{twin} := (SELECT k.{key_twin} FROM {key_target} k
			WHERE k.{key_col} {equal} NEW.{col}::{key_type});$sql$ || CASE
			WHEN places ->> 'target' = places ->> 'key_target' THEN $sql$
		IF NEW.{col}::{key_type} {equal} NEW.{key_col}::{key_type} THEN	-- to the row itself
			NEW.{twin} := NEW.{key_twin};
		END IF;$sql$ ELSE '' END || $sql$
	END IF;
	RETURN NEW;
END $sql$ END;
	EXECUTE fill INTO body USING template, places;
	RETURN format('CREATE OR REPLACE FUNCTION %s() '
		'RETURNS pg_catalog.trigger LANGUAGE plpgsql %s AS %L',
		places ->> 'function', rights, body);
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_function IS
'the function of a twin''s trigger; for uuid_rekey_steps';
