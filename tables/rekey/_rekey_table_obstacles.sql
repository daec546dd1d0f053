-- The part of _rekey_obstacles that is about the tables.
CREATE FUNCTION uuidnew_tables._rekey_table_obstacles(root regclass, new_default text)
RETURNS SETOF text
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT DISTINCT format('table %s %s', tab, words)
FROM uuidnew_tables._rekey_columns(root)
JOIN pg_class ON oid = tab
CROSS JOIN LATERAL (VALUES
	(relkind <> 'r' OR reloftype <> 0
		OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
		OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = tab),
		'is partitioned, has to do with inheritance, is of a type, or has a rule'),
	(EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = tab),
		'is written by a subscription, for which triggers do not fire'),
	((SELECT string_agg(tgname, ', ') FROM pg_trigger
		WHERE tgrelid = tab AND tgenabled <> 'A' AND (quote_ident(tgname) = trigger_name
			OR tgname IN ('uuid_rekey_again', 'uuid_rekey_deletes'))) IS NOT NULL,
		format('has trigger %s disabled, so that new keys may be wrong: undo', trigger_name)),
	(relforcerowsecurity, 'forces row security on its owner, so that steps would not see all rows'),
	(NOT pg_has_role(relowner, 'USAGE'), 'is owned by another role'),
	(NOT has_table_privilege(key_owner, tab, 'SELECT'),
		format('cannot be read by role %s, which owns the keys', key_owner)),
	(NOT has_schema_privilege(key_owner::regrole, relnamespace, 'CREATE'),
		format('is in a schema in which %s may not create', key_owner)),
	(is_key AND has_default AND NOT swapped AND new_default IS NULL,
		'has a key with a default or identity: new_default has to be given'),
	(is_key AND (SELECT opcnamespace <> 'pg_catalog'::regnamespace
		FROM pg_index JOIN pg_opclass ON pg_opclass.oid = indclass[0]
		WHERE indrelid = tab AND indisprimary), 'has a key with an equality of its own')
) v(holds, words)
WHERE holds
$$;
