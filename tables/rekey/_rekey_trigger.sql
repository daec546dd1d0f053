-- Statements that create a trigger function, as the owner of the keys, and triggers that call it.
-- places fill the body and the triggers.
CREATE FUNCTION uuidnew_tables._rekey_trigger(places jsonb, function text, rights text, body text,
	triggers text)
RETURNS text
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT uuidnew_tables._fill($sql$CREATE OR REPLACE FUNCTION {function}()
	RETURNS pg_catalog.trigger LANGUAGE plpgsql {rights} AS {body};
ALTER FUNCTION {function}() OWNER TO {key_owner};
{triggers};
REVOKE ALL ON FUNCTION {function}() FROM PUBLIC{grantees}$sql$::text,
	places || jsonb_build_object('function', function, 'rights', rights,
		'body', quote_literal(uuidnew_tables._fill(body, places)),
		'triggers', uuidnew_tables._fill(triggers,
			places || jsonb_build_object('function', function)),
		'grantees', (
			SELECT string_agg(DISTINCT ', ' || grantee::regrole, '')
			FROM pg_default_acl
			CROSS JOIN aclexplode(defaclacl)
			WHERE defaclobjtype = 'f' AND grantee <> 0)))
$$;
