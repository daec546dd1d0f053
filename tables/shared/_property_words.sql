-- A property that _definition gives, in words.
CREATE FUNCTION uuidnew_tables._property_words(property text)
RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT coalesce('its ' || CASE
	WHEN property ~ '^(att|rel)acl$' THEN 'privileges'
	WHEN property ~ 'stattarget$|^statistics$' THEN 'statistics target'
	WHEN property ~ '^(default|atthasdef)$' THEN 'default'
	WHEN property ~ 'options$' THEN 'options'
	WHEN property ~ 'replident$' THEN 'replica identity'
	WHEN property ~ 'tablespace$' THEN 'tablespace'
	WHEN property ~ '^(ind|con)(is)?(valid|ready|live|validated)$' THEN 'validity'
	ELSE CASE property
		WHEN 'attidentity' THEN 'identity'
		WHEN 'attgenerated' THEN 'generation expression'
		WHEN 'attnotnull' THEN 'NOT NULL'
		WHEN 'indisclustered' THEN 'CLUSTER mark'
		WHEN 'relrowsecurity' THEN 'row-level security'
		WHEN 'relforcerowsecurity' THEN 'forced row-level security'
		WHEN 'relpersistence' THEN 'persistence'
		WHEN 'comment' THEN 'comment'
		WHEN 'labels' THEN 'security labels' END END, property)
$$;
