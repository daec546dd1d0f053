-- Creates the new parent of a table as LIKE makes it, with the name that the partition will have
-- (table_first), as names of its indexes are the partition's later; and with the owner, comment and
-- privileges, which LIKE leaves out. Privileges that other roles granted become the owner's.
CREATE FUNCTION uuidnew_tables._partitioning_parent(tab regclass, key name,
	with_indexes boolean)
RETURNS regclass
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent text;
BEGIN
	SELECT format('%s.%I', relnamespace::regnamespace, concat(
		-- of 63 octets
		left(relname, 57 - octet_length(relname) + length(relname)), '_first'))
	INTO parent
	FROM pg_class
	WHERE oid = tab;
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING STATISTICS %s) '
		'PARTITION BY RANGE (%I)', parent, tab,
		CASE WHEN NOT with_indexes THEN 'EXCLUDING INDEXES' END, key);
	EXECUTE format('ALTER TABLE %s OWNER TO %s; COMMENT ON TABLE %1$s IS %3$L',
		parent, relowner::regrole, obj_description(oid, 'pg_class'))
	FROM pg_class
	WHERE oid = tab;
	-- those by default, too
	EXECUTE concat(string_agg(format('REVOKE ALL ON %s FROM %s CASCADE', parent,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; '))
	FROM pg_class
	CROSS JOIN aclexplode(coalesce(relacl, acldefault('r', relowner)))
	WHERE oid = parent::regclass;
	EXECUTE concat(string_agg(format('GRANT %s ON %s TO %s%s', privilege_type, parent,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'),
		CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '; '))
	FROM pg_class
	CROSS JOIN aclexplode(coalesce(relacl, acldefault('r', relowner)))
	WHERE oid = tab;
	RETURN parent;
END
$$;
