-- Creates an empty table like another, with its schema and owner, and a name that ends with suffix.
-- No other role has a privilege, even by default privileges.
CREATE FUNCTION uuidnew_tables._create_like(tab regclass, suffix text, excluding text, storage text)
RETURNS regclass
LANGUAGE plpgsql
AS $$
DECLARE
	name text;
	owner regrole;
BEGIN
	SELECT free, relowner INTO name, owner
	FROM pg_class
	CROSS JOIN generate_series(1, 100) number
	CROSS JOIN format('%s.%I', relnamespace::regnamespace, concat(	-- of 63 octets
		left(relname, greatest(44 - octet_length(relname) + length(relname), 1)), suffix,
		'_' || nullif(number, 1))) free
	WHERE oid = tab AND to_regclass(free) IS NULL;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING STATISTICS %s) %s; '
		'ALTER TABLE %1$s OWNER TO %5$s', name, tab, excluding, storage, owner);
	PERFORM uuidnew_tables._revoke(name, owner, relacl) FROM pg_class WHERE oid = name::regclass;
	RETURN name;
END
$$;
