-- Every statement, in the order of phase (prepare; swap; drop, which drops the shadow columns),
-- position and number. tabs are the tables that a statement locks.
CREATE FUNCTION uuidnew_tables._rekey_plan(root regclass, new_key text, new_default text, path text)
RETURNS TABLE (phase text, "position" int, number bigint, needs_lock boolean, done boolean,
	why text, tabs regclass[], statement text)
LANGUAGE sql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
WITH cols AS (
	SELECT c.*, row_number() OVER () AS number,
		-- as triggers see it
		(SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
			WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS row
	FROM uuidnew_tables._rekey_columns(root) c
), whole AS (
	SELECT bool_and(checked IS TRUE) AS checked, bool_and(triggered) AS triggered,
		string_agg(uuidnew_tables._fill('(SELECT c.{shadow} FROM {target} c WHERE c.{col} = '
			'NEW.{key_col}{col_collate} AND c.{shadow} IS NOT NULL LIMIT 1)'::text, to_jsonb(cols)),
			E',\n\t\t\t') FILTER (WHERE NOT is_key) AS kept
	FROM cols
), places AS (
	SELECT cols.*, to_jsonb(cols) || jsonb_build_object('new_key', new_key, 'new_default',
		new_default, 'path', quote_literal(path), 'kept', coalesce(kept, 'NULL'),
		'after', CASE WHEN is_key THEN 'NULL' ELSE quote_literal(root) END,
		'tab_name', quote_literal(tab), 'col_name', quote_literal(col),
		'shadow_name', quote_literal(shadow), 'guard', quote_literal(format(
			'ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s%s IS NOT NULL) NOT VALID', target,
			trigger_name, CASE WHEN nullable THEN col || ' IS NULL OR ' END, shadow))) AS all
	FROM cols
	CROSS JOIN whole
)
SELECT * FROM uuidnew_tables._rekey_object_plan(root)
UNION ALL
SELECT 'prepare', position, 0, false, whole.checked, why, NULL,
	format('CALL uuidnew_tables.rekey_fill(%L::pg_catalog.regclass, batch_pages => 100, '
		'pause => interval ''0'')', root)
FROM whole
CROSS JOIN (VALUES (40, 'all rows from before'), (70, 'what was being written meanwhile'))
	f(position, why)
UNION ALL
SELECT s.phase, s.position, s.direction * c.number, s.needs_lock, coalesce(s.done, false), s.why,
	ARRAY[c.tab], CASE s.template
		WHEN 'key' THEN uuidnew_tables._fill($sql$
SELECT pg_catalog.set_config('search_path', {path}, true);
SELECT ({new_key})::pg_catalog.uuid FROM (SELECT {row} FROM ONLY {target} LIMIT 0) {table_name};
$sql$::text, c.all) || uuidnew_tables._rekey_key_triggers(c.all)
		WHEN 'reference' THEN uuidnew_tables._rekey_reference_trigger(c.all)
		WHEN 'swapped' THEN uuidnew_tables._rekey_reference_trigger(c.all
			|| jsonb_build_object('shadow', next_shadow, 'key_shadow', key_next_shadow))
		ELSE uuidnew_tables._fill(s.template, c.all) END
FROM places c
CROSS JOIN whole
CROSS JOIN LATERAL uuidnew_tables._rekey_column_plan(c.all, whole.triggered) s
$$;
