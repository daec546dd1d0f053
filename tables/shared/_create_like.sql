-- Creates an empty table like another, with its schema and owner, and a name that ends with suffix.
-- No other role has a privilege: default privileges may admit roles that the other table does not.
CREATE FUNCTION uuidnew_tables._create_like(tab regclass, suffix text, excluding text, storage text)
RETURNS regclass
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number int := 1;
	name text;
	owner regrole;
BEGIN
	LOOP
		SELECT format('%s.%I', relnamespace::regnamespace, concat(
				-- of 63 octets
				left(relname, greatest(44 - octet_length(relname) + length(relname), 1)),
				suffix, '_' || nullif(number, 1))), relowner
		INTO name, owner
		FROM pg_class
		WHERE oid = tab;
		EXIT WHEN to_regclass(name) IS NULL;
		number := number + 1;
	END LOOP;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING STATISTICS %s) %s; '
		'ALTER TABLE %1$s OWNER TO %5$s', name, tab, excluding, storage, owner);
	EXECUTE concat(string_agg(format('REVOKE ALL ON %s FROM %s', name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; '))
	FROM pg_class
	CROSS JOIN aclexplode(relacl)
	WHERE oid = name::regclass AND grantee <> owner;
	RETURN name;
END
$$;
