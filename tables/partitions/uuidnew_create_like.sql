-- Creates an empty table that ATTACH makes what PARTITION OF would have made: columns, checks,
-- tablespace and access method of the partitioned table, its owner, and row-level security without
-- a policy. Nobody but the owner has a privilege. Named after the table, with the end given.
CREATE FUNCTION uuidnew_create_like(parent regclass, suffix text)
RETURNS regclass
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	places jsonb;
	statement text;
	name text;
BEGIN
	SELECT jsonb_build_object(
		'parent', parent,
		'name', free_name,
		'access_method', 'USING ' || quote_ident(amname),
		'tablespace', 'TABLESPACE ' || quote_ident(spcname),
		'owner', relowner::regrole,
		'row_security', CASE WHEN relrowsecurity THEN 'ENABLE' ELSE 'DISABLE' END)
	INTO places
	FROM pg_class
	JOIN pg_namespace ON pg_namespace.oid = relnamespace
	LEFT JOIN pg_am ON pg_am.oid = relam
	LEFT JOIN pg_tablespace ON pg_tablespace.oid = reltablespace
	CROSS JOIN generate_series(1, 1000) number
	CROSS JOIN format('%I.%I', nspname, concat(
		-- of 63 octets
		left(relname, greatest(44 - octet_length(relname) + length(relname), 1)),
		suffix, '_' || nullif(number, 1))) free_name
	WHERE pg_class.oid = parent AND to_regclass(free_name) IS NULL
	ORDER BY number
	LIMIT 1;

	EXECUTE format('SELECT %s.uuidnew_fill($1, $2)', @own@) INTO statement USING $sql$
		CREATE TABLE {name} (LIKE {parent} INCLUDING ALL
			EXCLUDING COMMENTS EXCLUDING IDENTITY EXCLUDING INDEXES EXCLUDING STATISTICS)
			{access_method} {tablespace};
		ALTER TABLE {name} OWNER TO {owner};
		ALTER TABLE {name} {row_security} ROW LEVEL SECURITY
		$sql$, places;
	EXECUTE statement;
	name := places ->> 'name';
	EXECUTE coalesce((
		SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s', name,
			coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; ')
		FROM pg_class
		CROSS JOIN aclexplode(relacl)
		WHERE oid = name::regclass AND grantee <> relowner), '');
	RETURN name;
END
$$;
COMMENT ON FUNCTION uuidnew_create_like(regclass, text) IS
'creates a table that is to be a partition; for uuid_create_partitions';
