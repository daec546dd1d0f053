-- Every statement, in the order of position and number. Constraints need uuid_rekey_key: if filling
-- has failed, no writer is refused anything.
CREATE FUNCTION uuidnew_tables._rekey_plan(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (mode text, "position" int, number bigint, statement text, done boolean, why text)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
WITH cols AS (
	SELECT *, bool_and(triggered) OVER () AS all_triggered,
		bool_and(checked IS TRUE) OVER () AS all_checked,
		NOT bool_or(has_shadow) OVER () AS not_begun
	FROM uuidnew_tables._rekey_columns(root)
), key AS (
	SELECT jsonb_object_agg('key_' || item.key, item.value) || jsonb_build_object(
		'root', quote_literal(root), 'path', quote_literal(path), 'new_key', new_key,
		'new_default', coalesce(new_default, 'NULL'),
		'quote', format('$q%s$', replace(gen_random_uuid()::text, '-', '')),
		'kept', (
			SELECT string_agg(format(E',\n\t\t\t(SELECT c.%s FROM %s c WHERE c.%s = NEW.%s%s '
				'AND c.%1$s IS NOT NULL LIMIT 1)', shadow, target, col, k.col, in_collation), '')
			FROM cols
			WHERE NOT is_key),
		'grantees', (
			SELECT string_agg(DISTINCT ', ' || grantee::regrole, '')
			FROM pg_default_acl
			CROSS JOIN aclexplode(defaclacl)
			WHERE defaclobjtype = 'f' AND grantee <> 0)) AS places,
		target, shadow, col
	FROM cols k
	CROSS JOIN LATERAL jsonb_each(to_jsonb(k)) item
	WHERE is_key
	GROUP BY target, shadow, col
), parts(kind, number, tabs, places) AS (
	SELECT CASE WHEN NOT is_key THEN 'r' WHEN swapped THEN 'o' ELSE 'k' END,
		row_number() OVER (ORDER BY is_key DESC, tab, num), ARRAY[tab], to_jsonb(cols) || places
			|| jsonb_build_object('of_itself', CASE cols.target WHEN key.target THEN format(
				', CASE WHEN NEW.%s = referred THEN NEW.%s END', key.col, key.shadow) END)
	FROM cols
	CROSS JOIN key
	UNION ALL
	SELECT kind, row_number() OVER (ORDER BY kind, oid), tabs, to_jsonb(o)
		|| jsonb_build_object('is_there', valid IS NOT NULL, 'interrupted', NOT valid)
	FROM uuidnew_tables._rekey_objects(root) o
)
SELECT t.mode, t.position, number, CASE WHEN t.mode <> 'brief' THEN filled
		WHEN t.position < 90 THEN format(E'CALL uuidnew_tables._briefly('
			'%L::pg_catalog.regclass[], ARRAY[\n%L])', tabs, filled)
		ELSE format(E'CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], ARRAY[\n%L,\n%L])',
			root || array_remove(tabs, root), format(
				'ALTER TABLE %s VALIDATE CONSTRAINT uuid_rekey_key', root), filled) END,
	coalesce((places ->> t.done)::boolean, false), uuidnew_tables._fill(t.why, places)
FROM uuidnew_tables._rekey_templates() t
JOIN parts ON strpos(kinds, kind) > 0
CROSS JOIN LATERAL uuidnew_tables._fill(template, places) filled
WHERE needs IS NULL OR (places ->> needs)::boolean
$$;
