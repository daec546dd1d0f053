-- Takes from every role but the owner what default privileges have given it of a new object.
CREATE FUNCTION uuidnew_tables._revoke(object text, owner regrole, acl aclitem[])
RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
	EXECUTE concat(string_agg(format('REVOKE ALL ON %s FROM %s', object,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), '; '))
	FROM aclexplode(acl)
	WHERE grantee <> owner;
END
$$;
