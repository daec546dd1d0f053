-- What stands in the way of new keys: what only rows would show, and what the rehearsal finds.
CREATE FUNCTION uuidnew_rekey_obstacles(root regclass, new_key text, new_default text, path text)
RETURNS SETOF text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM set_config('search_path', path, true);	-- a key that does not work is an error
	EXECUTE pg_catalog.format('SELECT (%s)::pg_catalog.uuid FROM ONLY %s LIMIT 0', new_key, root);
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	RETURN QUERY EXECUTE replace($query$
	WITH cols AS (SELECT * FROM OWN.uuidnew_rekey_columns($1)),
		tables AS (SELECT DISTINCT tab FROM cols)
	SELECT format('the new key reads column "%s" of table %s, which is generated after triggers',
		attname, $1)
	FROM pg_attribute
	WHERE attrelid = $1 AND attgenerated <> ''
		AND $2 ~ ('\m' || regexp_replace(attname, '(\W)', '\\\1', 'g') || '\M')
	UNION ALL
	SELECT format('column %s of table %s has a default or identity, and nothing would make new '
		'keys: new_default is not given', col, tab)
	FROM cols
	WHERE is_key AND (has_default OR identity) AND $3 IS NULL
	UNION ALL
	SELECT format('trigger %I of table %s fires after those that set twins: rename it', tgname, tab)
	FROM tables JOIN pg_trigger ON tgrelid = tab	-- before a row is inserted or updated
	WHERE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgenabled <> 'D' AND tgname > 'uuid_rekey_'
	UNION ALL
	SELECT format('table %s is written by a subscription, for which triggers do not fire', tab)
	FROM tables JOIN pg_subscription_rel ON srrelid = tab
	UNION ALL
	SELECT format('table %s forces row security on its owner, who would not see all rows', tab)
	FROM tables JOIN pg_class ON oid = tab
	WHERE relforcerowsecurity
	UNION ALL
	SELECT * FROM OWN.uuidnew_rekey_rehearsal($1, $2, $3, $4)
	$query$, 'OWN.', @own@ || '.') USING root, new_key, new_default, path;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_obstacles IS
'what stands in the way of new keys; for uuid_rekey_steps and others';
