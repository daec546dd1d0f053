-- The steps, which _rekey_plan fills. mode: alone; brief, by _briefly; exchange, by
-- _rekey_exchange, whose parts are swap and drop. kinds: a key (k; o after the swap), a reference
-- (r), or as in _rekey_objects. A step needs a property, and leads to one (done).
CREATE FUNCTION uuidnew_tables._rekey_templates()
RETURNS TABLE (mode text, "position" int, kinds text, needs text, template text, done text,
	why text)
LANGUAGE sql STABLE
AS $$
VALUES
	-- the first step back: without old keys it changes nothing
	('alone', 5, 'o', NULL, $sql$CALL uuidnew_tables.rekey_fill({root}::pg_catalog.regclass,
	batch_pages => 100, pause => interval '0')$sql$,
		'checked', 'from now on no row is written without {shadow}'),
	('brief', 10, 'kor', NULL, $sql$ALTER TABLE {target} ADD COLUMN {shadow} {shadow_type};
COMMENT ON COLUMN {target}.{shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$,
		'has_shadow', 'shadow column of {table_name}.{col}'),
	('brief', 20, 'k', NULL, uuidnew_tables._rekey_trigger_template('k'::text),
		'triggered', 'the new key of each row that is written'),
	('brief', 30, 'r', NULL, uuidnew_tables._rekey_trigger_template('r'::text),
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
	('alone', 80, 'f', NULL, $sql$UPDATE {target} c SET {shadow} = NULL FROM {key_target} k
WHERE k.{key_col}::pg_catalog.text COLLATE pg_catalog."C" OPERATOR(pg_catalog.=)
		c.{col}::pg_catalog.text
	AND k.{key_shadow}::pg_catalog.text COLLATE pg_catalog."C" OPERATOR(pg_catalog.<>)
		c.{shadow}::pg_catalog.text$sql$, 'valid',
		'mends {table_name}.{col} where the referred row was written again; reads the tables'),
	-- which fails if filling has failed
	('brief', 90, 'f', NULL, 'ALTER TABLE {target} ADD CONSTRAINT {counterpart} {definition} '
		'NOT VALID, VALIDATE CONSTRAINT {trigger_name}', 'is_there', 'foreign key {name}'),
	('alone', 100, 'f', NULL, 'ALTER TABLE {target} VALIDATE CONSTRAINT {counterpart}',
		'valid', 'reads the table: validates {counterpart}'),
	('exchange', 1000, 'ko', NULL, 'swap', NULL, 'exchanges the names; reads no row'),
	('exchange', 2000, 'ko', 'has_shadow', 'drop', NULL, 'drops {shadow} and its like for good')
UNION ALL
SELECT *, NULL, NULL
FROM (VALUES
	('swap, drop', 10, 'kor', NULL, 'LOCK TABLE {target} IN ACCESS EXCLUSIVE MODE'),
	('swap', 20, 'fpu', NULL, 'ALTER TABLE {target} DROP CONSTRAINT {name}'),
	('swap', 30, 'k', NULL, 'DROP FUNCTION {function}() CASCADE'),
	('swap', 40, 'kor', 'no_identity', 'ALTER TABLE {target} ALTER {col} DROP NOT NULL'),
	('swap', 50, 'o', NULL, 'ALTER TABLE {target} ALTER {col} DROP DEFAULT'),
	('swap', 60, 'kor', NULL, $sql$ALTER TABLE {target} RENAME COLUMN {col} TO {next_shadow};
ALTER TABLE {target} RENAME COLUMN {shadow} TO {col};
COMMENT ON COLUMN {target}.{col} IS {comment};
COMMENT ON COLUMN {target}.{next_shadow} IS 'uuidnew_tables.rekey_steps: shadow column'$sql$),
	-- which the constraint proves, so that no row is read
	('swap', 70, 'kor', 'not_null', 'ALTER TABLE {target} ALTER {col} SET NOT NULL'),
	('swap', 75, 'kor', NULL, 'ALTER TABLE {target} DROP CONSTRAINT {trigger_name}'),
	('swap', 80, 'pu', NULL, 'ALTER TABLE {target} ADD CONSTRAINT {name} {key} '
		'USING INDEX {counterpart}'),
	('swap', 80, 'i', NULL, $sql$ALTER INDEX {schema}.{name} RENAME TO uuid_rekey_swap;
ALTER INDEX {schema}.{counterpart} RENAME TO {name};
ALTER INDEX {schema}.uuid_rekey_swap RENAME TO {counterpart}$sql$),
	('swap', 90, 'f', NULL, 'ALTER TABLE {target} RENAME CONSTRAINT {counterpart} TO {name}'),
	('swap', 100, 'k', NULL, $sql$SELECT pg_catalog.set_config('search_path', {path}, true);
ALTER TABLE {target} ALTER {col} SET DEFAULT {new_default}$sql$),
	('drop', 20, 'kr', 'triggered', 'DROP FUNCTION {function}() CASCADE'),
	('drop', 30, 'f', 'is_there', 'ALTER TABLE {target} DROP CONSTRAINT {counterpart}'),
	('drop', 40, 'kor', 'has_shadow', 'ALTER TABLE {target} DROP COLUMN {shadow}')) parts
$$;
