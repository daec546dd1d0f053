-- The trigger that keeps a twin up to date, and its function.  That of the key computes it, with
-- the rights of who writes; that of a reference looks it up, as the owner of the keys, which the
-- writer need not see.
CREATE FUNCTION uuidnew_tables._rekey_function(places jsonb)
RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	is_key CONSTANT boolean := places ->> 'is_key';
	body text;
	statement text;
BEGIN
	body := uuidnew_tables._fill(CASE WHEN is_key THEN $sql$
#variable_conflict use_column
BEGIN
	IF NEW.{twin} IS NULL OR TG_OP OPERATOR(pg_catalog.=) 'UPDATE'
		AND NEW.{col}::pg_catalog.text OPERATOR(pg_catalog.<>) OLD.{col}::pg_catalog.text
	THEN
		NEW.{twin} := (SELECT {new_key} FROM (SELECT NEW.*) {name});
	END IF;
	RETURN NEW;
END $sql$ ELSE $sql$
DECLARE
	referred {key_target}.{key_col}%TYPE := NEW.{col};
BEGIN
	IF TG_OP = 'UPDATE' AND pg_trigger_depth() > 1 AND NEW.{twin} IS NULL AND OLD.{twin} IS NOT NULL
		AND NEW.{col}::text = OLD.{col}::text
	THEN	-- ON DELETE SET NULL of the twin's foreign key, which came before that of the column
		NEW.{col} := NULL;
	ELSIF NEW.{twin} IS NULL OR TG_OP = 'INSERT'
		OR NEW.{col}::text IS DISTINCT FROM OLD.{col}::text
	THEN
		NEW.{twin} := (SELECT {key_twin} FROM {key_target} k WHERE k.{key_col} = referred);{itself}
	END IF;
	RETURN NEW;
END $sql$ END, places || jsonb_build_object('itself', CASE
		WHEN places ->> 'target' = places ->> 'key_target' THEN format(
			' IF NEW.%s = referred THEN NEW.%s := NEW.%s; END IF;',
			places ->> 'key_col', places ->> 'twin', places ->> 'key_twin') END));

	statement := uuidnew_tables._fill($sql$CREATE OR REPLACE FUNCTION {function}()
	RETURNS pg_catalog.trigger LANGUAGE plpgsql {rights} AS {body};
ALTER FUNCTION {function}() OWNER TO {key_owner};
CREATE OR REPLACE TRIGGER {mark} BEFORE INSERT OR UPDATE ON {target}
	FOR EACH ROW EXECUTE FUNCTION {function}();
ALTER TABLE {target} ENABLE ALWAYS TRIGGER {mark};
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC{grantees}$sql$::text,
		places || jsonb_build_object('body', quote_literal(body),
		'rights', CASE WHEN is_key THEN 'SET search_path FROM CURRENT'
			ELSE 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp' END,
		'grantees', (SELECT string_agg(DISTINCT ', ' || grantee::regrole, '')
			FROM pg_default_acl, aclexplode(defaclacl)
			WHERE defaclobjtype = 'f' AND grantee <> 0)));
	RETURN statement;
END
$$;
