-- What becomes of the objects of _rekey_objects: each gets a counterpart for the shadow columns,
-- with which it changes names in the swap.
CREATE FUNCTION uuidnew_tables._rekey_object_plan(root regclass)
RETURNS TABLE (phase text, "position" int, number bigint, needs_lock boolean, done boolean,
	why text, tabs regclass[], statement text)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT s.phase, s.position, row_number() OVER (ORDER BY o.oid), s.needs_lock,
	coalesce(s.done, false), s.why, tabs, uuidnew_tables._fill(s.template, to_jsonb(o)
		|| jsonb_build_object('key', CASE kind WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END))
FROM uuidnew_tables._rekey_objects(root) o
CROSS JOIN LATERAL (VALUES
	('prepare', 60, true, kind = 'c', valid IS NOT NULL, 'check constraint ' || name,
		'ALTER TABLE {target} ADD CONSTRAINT {counterpart} {definition} NOT VALID'),
	('prepare', 100, false, kind IN ('p', 'u', 'i') AND NOT valid, false,
		format('index %s: its creation was interrupted', name),
		'DROP INDEX CONCURRENTLY {schema}.{counterpart}'),
	('prepare', 110, false, kind IN ('p', 'u', 'i'), valid,
		format('index %s:%s', name, definition),
		'CREATE {unique}INDEX CONCURRENTLY {counterpart} ON {target}{definition}'),
	('prepare', 130, true, kind = 'f', valid IS NOT NULL, 'foreign key ' || name,
		'LOCK TABLE {parent} IN SHARE ROW EXCLUSIVE MODE;	-- first, as writers do
ALTER TABLE {target} ADD CONSTRAINT {counterpart} {definition} NOT VALID'),
	('prepare', 140, false, kind IN ('c', 'f'), valid OR definition ~ ' NOT ENFORCED$',
		'reads the table: validates ' || counterpart,
		'ALTER TABLE {target} VALIDATE CONSTRAINT {counterpart}'),
	('swap', 20, true, kind IN ('c', 'f'), NULL, NULL,
		'ALTER TABLE {target} DROP CONSTRAINT {name}'),
	('swap', 40, true, kind IN ('p', 'u'), NULL, NULL,
		'ALTER TABLE {target} DROP CONSTRAINT {name}'),
	('swap', 90, true, kind IN ('p', 'u'), NULL, NULL,
		'ALTER TABLE {target} ADD CONSTRAINT {name} {key} USING INDEX {counterpart}'),
	('swap', 90, true, kind = 'i', NULL, NULL,
		$sql$ALTER INDEX {schema}.{name} RENAME TO uuid_rekey_swap;
ALTER INDEX {schema}.{counterpart} RENAME TO {name};
ALTER INDEX {schema}.uuid_rekey_swap RENAME TO {counterpart}$sql$),
	('swap', 100, true, kind IN ('c', 'f'), NULL, NULL,
		'ALTER TABLE {target} RENAME CONSTRAINT {counterpart} TO {name}'),
	('drop', 30, true, kind IN ('c', 'f') AND valid IS NOT NULL, NULL, NULL,
		'ALTER TABLE {target} DROP CONSTRAINT {counterpart}')
) s(phase, position, needs_lock, applies, done, why, template)
WHERE s.applies
$$;
