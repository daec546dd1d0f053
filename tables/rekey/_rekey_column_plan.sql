-- The part of the plan that is about a column: templates, of which three are names of triggers.
CREATE FUNCTION uuidnew_tables._rekey_column_plan(c jsonb, all_triggered boolean)
RETURNS TABLE (phase text, "position" int, direction int, needs_lock boolean, done boolean,
	why text, template text)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT s.phase, s.position, s.direction, s.needs_lock, s.done, s.why, s.template
FROM jsonb_to_record(c) c(table_name text, col text, shadow text, trigger_name text,
	is_key boolean, swapped boolean, nullable boolean, is_identity boolean, has_shadow boolean,
	refers boolean, checked boolean, triggered boolean, new_default text)
CROSS JOIN LATERAL (SELECT format('%s.%s', table_name, col)) of_table(name)
CROSS JOIN (VALUES ($sql$DROP TRIGGER {trigger_name} ON {target};
DROP TRIGGER uuid_rekey_again ON {target};
DROP TRIGGER uuid_rekey_deletes ON {target};
DROP FUNCTION {function}(); DROP FUNCTION {insert_function}()$sql$)) t(drop_key_triggers)
CROSS JOIN LATERAL (VALUES
	('prepare', 10, 1, true, true, has_shadow, 'shadow column of ' || name,
		$sql$ALTER TABLE {target} ADD COLUMN {shadow} {shadow_type};
COMMENT ON COLUMN {target}.{shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$),
	('prepare', 20, 1, true, is_key AND NOT swapped, all_triggered,
		'the new key of each row that is written', 'key'),
	('prepare', 30, 1, true, NOT is_key, triggered, name || ' in each row that is written',
		'reference'),
	-- the first step back: without old keys it changes nothing
	('prepare', CASE WHEN is_key AND swapped THEN 5 ELSE 50 END, 1, false, true,
		checked IS NOT NULL, 'reads the table; then no row is written without ' || shadow,
		$sql$CALL uuidnew_tables._rekey_require({after}::pg_catalog.regclass,
	{tab_name}::pg_catalog.regclass, {col_name}::pg_catalog.text, {shadow_name}::pg_catalog.text,
	{guard}::pg_catalog.text)$sql$),
	('prepare', 80, 1, false, true, checked, 'reads the table: validates ' || trigger_name,
		'ALTER TABLE {target} VALIDATE CONSTRAINT {trigger_name}'),
	('prepare', 120, 1, false, NOT is_key, refers,
		'mends it where the referred row was written again; reads the tables: ' || name,
		$sql$UPDATE {target} c SET {shadow} = NULL FROM {key_target} k
WHERE k.{key_col} OPERATOR(pg_catalog.=) CAST(c.{col} AS {key_type}){key_collate}
	AND k.{key_shadow}::pg_catalog.text COLLATE pg_catalog."C"
		OPERATOR(pg_catalog.<>) c.{shadow}::pg_catalog.text$sql$),
	('swap', 10, 1, true, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
	('swap', 30, 1, true, is_key AND triggered, NULL, NULL, drop_key_triggers),
	-- an identity cannot lose it
	('swap', 50, 1, true, NOT nullable AND NOT is_identity, NULL, NULL,
		'ALTER TABLE {target} ALTER {col} DROP NOT NULL'),
	('swap', 60, 1, true, is_key AND swapped, NULL, NULL,
		'ALTER TABLE {target} ALTER {col} DROP DEFAULT'),
	('swap', 70, 1, true, true, NULL, NULL,
		$sql$ALTER TABLE {target} RENAME COLUMN {col} TO {next_shadow};
ALTER TABLE {target} RENAME COLUMN {shadow} TO {col};
COMMENT ON COLUMN {target}.{col} IS {comment};
COMMENT ON COLUMN {target}.{next_shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$),
	('swap', 80, 1, true, NOT nullable, NULL, NULL,
		'ALTER TABLE {target} ALTER {col} SET NOT NULL'),
	('swap', 85, 1, true, true, NULL, NULL,
		'ALTER TABLE {target} DROP CONSTRAINT {trigger_name}'),
	('swap', 110, 1, true, NOT is_key, NULL, NULL, 'swapped'),
	('swap', 120, 1, true, is_key AND NOT swapped AND new_default IS NOT NULL, NULL, NULL,
		$sql$SELECT pg_catalog.set_config('search_path', {path}, true);
ALTER TABLE {target} ALTER {col} SET DEFAULT {new_default}$sql$),
	('drop', 10, 1, true, true, NULL, NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
	('drop', 20, 1, true, triggered AND (swapped OR NOT is_key), NULL, NULL,
		'DROP TRIGGER {trigger_name} ON {target}; DROP FUNCTION {function}()'),
	('drop', 20, 1, true, is_key AND triggered AND NOT swapped, NULL, NULL, drop_key_triggers),
	('drop', 40, -1, true, has_shadow, NULL, NULL, 'ALTER TABLE {target} DROP COLUMN {shadow}')
) s(phase, position, direction, needs_lock, applies, done, why, template)
WHERE s.applies
$$;
