-- Creates the new parent of a table with the name that the partition will have (table_first), as
-- names of its indexes are the partition's later; and with the comment and privileges, which LIKE
-- leaves out, as if the owner had granted them. Without indexes if it cannot have them all.
CREATE FUNCTION uuidnew_tables._partitioning_parent(tab regclass, key name)
RETURNS regclass
LANGUAGE plpgsql
AS $$
DECLARE
	parent CONSTANT regclass := uuidnew_tables._create_like(tab, '_first'::text, (
		SELECT coalesce(max('EXCLUDING INDEXES'), '')
		FROM uuidnew_tables._partitioning_obstacles(tab, key) o
		WHERE o ^@ 'unique index '), format('PARTITION BY RANGE (%I)', key));
BEGIN
	EXECUTE format('COMMENT ON TABLE %s IS %L; REVOKE ALL ON %1$s FROM %3$s; %4$s', parent,
		obj_description(tab, 'pg_class'), relowner::regrole, (
		SELECT string_agg(format('GRANT %s ON %s TO %s%s', privilege_type, parent,
			coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'),
			CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '; ')
		FROM aclexplode(coalesce(relacl, acldefault('r', relowner)))))
	FROM pg_class
	WHERE oid = tab;
	RETURN parent;
END
$$;
