-- Gives a table a twin: its new parent, created as LIKE makes it, with the name that the partition
-- will have (table_first), as names of its indexes are the partition's later; or a given table, its
-- first partition. The twin gets the owner, comment, privileges and triggers, which LIKE leaves
-- out. Privileges that others granted become the owner's.
CREATE FUNCTION uuidnew_partitioning_twin(tab regclass, key name, twin regclass DEFAULT NULL)
RETURNS regclass
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	name text := twin;
BEGIN
	IF name IS NULL THEN
		SELECT format('%s.%I', relnamespace::regnamespace, concat(
			-- of 63 octets
			left(relname, 57 - octet_length(relname) + length(relname)), '_first'))
		INTO name
		FROM pg_class
		WHERE oid = tab;
		EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING STATISTICS) '
			'PARTITION BY RANGE (%I)', name, tab, key);
	END IF;
	EXECUTE format('ALTER TABLE %s OWNER TO %s; COMMENT ON TABLE %1$s IS %3$L',
		name, relowner::regrole, obj_description(oid, 'pg_class'))
	FROM pg_class
	WHERE oid = tab;
	-- those by default, too
	EXECUTE concat(string_agg(format('REVOKE ALL ON %s FROM %s CASCADE', name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; '))
	FROM pg_class
	CROSS JOIN aclexplode(coalesce(relacl, acldefault('r', relowner)))
	WHERE oid = name::regclass;
	EXECUTE concat(string_agg(format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, name,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'),
		CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '; '))
	FROM (
		SELECT NULL, coalesce(relacl, acldefault('r', relowner))
		FROM pg_class
		WHERE oid = tab
		UNION ALL
		SELECT format('(%I)', attname), attacl
		FROM pg_attribute
		WHERE attrelid = tab AND NOT attisdropped) privileges(columns, acl)
	CROSS JOIN aclexplode(acl);
	EXECUTE concat(string_agg(format('%s; COMMENT ON TRIGGER %I ON %s IS %L',
		overlay(words PLACING format(' ON %s ', name) FROM strpos(words, here) FOR length(here)),
		tgname, name, obj_description(oid, 'pg_trigger')), '; '))
	FROM pg_trigger
	CROSS JOIN pg_get_triggerdef(oid) words
	CROSS JOIN format(' ON %s ', tab) here
	WHERE tgrelid = tab AND NOT tgisinternal AND tgparentid = 0;
	RETURN name;
END
$$;
