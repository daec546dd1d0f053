-- The steps, which _rekey_plan fills. mode: alone; brief, by _briefly; exchange, by
-- _rekey_exchange; or a part of its steps, swap and drop. kinds: k is a key, o a key after the
-- swap, r a reference; _rekey_objects has the others. needs, done: the property without which
-- there is no step, and the property to which it leads.
CREATE FUNCTION uuidnew_tables._rekey_templates()
RETURNS TABLE (mode text, "position" int, kinds text, needs text, template text, done text,
	why text)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
VALUES
	-- the first step back: without old keys it changes nothing
	('alone', 5, 'o', NULL, $sql$CALL uuidnew_tables.rekey_fill({root}::pg_catalog.regclass,
	batch_pages => 100, pause => interval '0')$sql$,
		'checked', 'from now on no row is written without {shadow}'),
	('brief', 10, 'kor', NULL, $sql$ALTER TABLE {target} ADD COLUMN {shadow} {shadow_type};
COMMENT ON COLUMN {target}.{shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$,
		'has_shadow', 'shadow column of {table_name}.{col}'),
	('brief', 20, 'k', NULL, uuidnew_tables._rekey_trigger_template('key'::text),
		'all_triggered', 'the new key of each row that is written'),
	('brief', 30, 'r', NULL, uuidnew_tables._rekey_trigger_template('reference'::text),
		'triggered', '{table_name}.{col} in each row that is written'),
	('alone', 40, 'ko', NULL, $sql$CALL uuidnew_tables.rekey_fill({root}::pg_catalog.regclass,
	batch_pages => 100, pause => interval '0')$sql$,
		'all_checked', 'all rows from before; then no row is written without a shadow column'),
	('alone', 50, 'kor', NULL, 'ALTER TABLE {target} VALIDATE CONSTRAINT {trigger_name}',
		'checked', 'reads the table: validates {trigger_name}'),
	('alone', 60, 'ipu', 'interrupted', 'DROP INDEX CONCURRENTLY {schema}.{counterpart}',
		NULL, 'index {name}: its creation was interrupted'),
	('alone', 70, 'ipu', NULL,
		'CREATE {unique}INDEX CONCURRENTLY {counterpart} ON {target}{definition}',
		'valid', 'index {name}:{definition}'),
	('alone', 80, 'r', NULL, $sql$UPDATE {target} c SET {shadow} = NULL FROM {key_target} k
WHERE k.{key_col} OPERATOR(pg_catalog.=) CAST(c.{col} AS {key_type}){key_in_collation}
	AND k.{key_shadow}::pg_catalog.text COLLATE pg_catalog."C"
		OPERATOR(pg_catalog.<>) c.{shadow}::pg_catalog.text$sql$, 'refers',
		'mends {table_name}.{col} where the referred row was written again; reads the tables'),
	('brief', 90, 'c', NULL,
		'ALTER TABLE {target} ADD CONSTRAINT {counterpart} {definition} NOT VALID',
		'is_there', 'check constraint {name}'),
	('brief', 90, 'f', NULL,
		'LOCK TABLE {parent} IN SHARE ROW EXCLUSIVE MODE;	-- first, as writers do
ALTER TABLE {target} ADD CONSTRAINT {counterpart} {definition} NOT VALID',
		'is_there', 'foreign key {name}'),
	('alone', 100, 'cf', NULL, 'ALTER TABLE {target} VALIDATE CONSTRAINT {counterpart}',
		'valid', 'reads the table: validates {counterpart}'),
	('exchange', 1000, 'ko', NULL, 'swap', NULL, 'exchanges the names; reads no row'),
	('exchange', 2000, 'k', NULL, 'drop', 'not_begun', 'drops the shadow columns'),
	('exchange', 2000, 'o', NULL, 'drop', NULL, 'drops the old columns: no way leads back'),
	('swap', 10, 'kor', NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE', NULL, NULL),
	('swap', 20, 'cfpu', NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}', NULL, NULL),
	('swap', 30, 'k', NULL, 'DROP FUNCTION {function}(), {function}_2() CASCADE', NULL, NULL),
	('swap', 40, 'kor', 'no_identity', 'ALTER TABLE {target} ALTER {col} DROP NOT NULL',
		NULL, NULL),
	('swap', 50, 'o', NULL, 'ALTER TABLE {target} ALTER {col} DROP DEFAULT', NULL, NULL),
	('swap', 60, 'kor', NULL, $sql$ALTER TABLE {target} DROP CONSTRAINT {trigger_name};
ALTER TABLE {target} RENAME COLUMN {col} TO {next_shadow};
ALTER TABLE {target} RENAME COLUMN {shadow} TO {col};
COMMENT ON COLUMN {target}.{col} IS {comment};
COMMENT ON COLUMN {target}.{next_shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$,
		NULL, NULL),
	('swap', 70, 'kor', 'not_null', 'ALTER TABLE {target} ALTER {col} SET NOT NULL', NULL, NULL),
	('swap', 80, 'pu', NULL, 'ALTER TABLE {target} ADD CONSTRAINT {name} {key} '
		'USING INDEX {counterpart}', NULL, NULL),
	('swap', 80, 'i', NULL, $sql$ALTER INDEX {schema}.{name} RENAME TO uuid_rekey_swap;
ALTER INDEX {schema}.{counterpart} RENAME TO {name};
ALTER INDEX {schema}.uuid_rekey_swap RENAME TO {counterpart}$sql$, NULL, NULL),
	('swap', 90, 'cf', NULL, 'ALTER TABLE {target} RENAME CONSTRAINT {counterpart} TO {name}',
		NULL, NULL),
	('swap', 100, 'k', NULL, $sql$SELECT pg_catalog.set_config('search_path', {path}, true);
ALTER TABLE {target} ALTER {col} SET DEFAULT {new_default}$sql$, NULL, NULL),
	('drop', 10, 'kor', NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE', NULL, NULL),
	('drop', 20, 'k', 'triggered', 'DROP FUNCTION {function}(), {function}_2() CASCADE',
		NULL, NULL),
	('drop', 20, 'r', 'triggered', 'DROP FUNCTION {function}() CASCADE', NULL, NULL),
	('drop', 30, 'cf', 'is_there', 'ALTER TABLE {target} DROP CONSTRAINT {counterpart}',
		NULL, NULL),
	('drop', 40, 'kor', 'has_shadow', 'ALTER TABLE {target} DROP COLUMN {shadow}', NULL, NULL)
$$;
