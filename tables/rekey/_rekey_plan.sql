-- Every statement, in the order of position and number.
CREATE FUNCTION uuidnew_tables._rekey_plan(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (mode text, "position" int, number bigint, statement text, done boolean, why text)
LANGUAGE sql VOLATILE
AS $$
WITH cols AS (
	SELECT *, bool_and(checked IS TRUE) OVER () AS all_checked,
		regexp_replace(col, '^([^"].*)$', '"\1"') AS field	-- may be a key word of PL/pgSQL
	FROM uuidnew_tables._rekey_columns(root)
), key AS (
	SELECT jsonb_object_agg('key_' || item.key, item.value) || jsonb_build_object(
		'root', quote_literal(root), 'path', quote_literal(path), 'new_key', new_key,
		'new_default', coalesce(new_default, 'NULL'),
		'quote', format('$q%s$', replace(gen_random_uuid()::text, '-', ''))) AS places
	FROM cols
	CROSS JOIN jsonb_each(to_jsonb(cols)) item
	WHERE is_key
), parts(kind, number, tabs, places) AS (
	SELECT CASE WHEN NOT is_key THEN 'r' WHEN swapped THEN 'o' ELSE 'k' END,
		row_number() OVER (ORDER BY is_key DESC, tab, num), ARRAY[tab], to_jsonb(cols) || places
			|| jsonb_build_object('of_itself', CASE tab WHEN root THEN format(', CASE WHEN NEW.%s ='
				' uuid_rekey THEN NEW.%s END', places ->> 'key_field', places ->> 'key_shadow') END)
	FROM cols
	CROSS JOIN key
	UNION ALL
	SELECT kind, row_number() OVER (ORDER BY kind, oid), tabs, coalesce(to_jsonb(cols), '{}')
		|| to_jsonb(o) || places
		|| jsonb_build_object('is_there', valid IS NOT NULL, 'interrupted', NOT valid)
	FROM uuidnew_tables._rekey_objects(root) o
	LEFT JOIN cols ON cols.tab = tabs[2] AND cols.num = o.num
	CROSS JOIN key
)
SELECT t.mode, t.position, number, CASE WHEN t.mode <> 'brief' THEN filled
		ELSE format(E'CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], ARRAY[\n%s%L])', tabs,
			-- the referred table first, as writers do
			CASE kind WHEN 'f' THEN format(E'%L,\n',
				format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', tabs[1])) END, filled) END,
	coalesce((places ->> t.done)::boolean, false), uuidnew_tables._fill(t.why, places)
FROM uuidnew_tables._rekey_templates() t
JOIN parts ON strpos(kinds, kind) > 0
CROSS JOIN LATERAL uuidnew_tables._fill(template, places) filled
WHERE needs IS NULL OR (places ->> needs)::boolean
$$;
