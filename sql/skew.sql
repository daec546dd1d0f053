\set ECHO none
--
-- Keys whose time is too far from the clock
--
\pset format unaligned
\pset tuples_only
\set SHOW_CONTEXT never

CREATE DOMAIN skew_key AS uuid;
CREATE TABLE skew (id uuid, made skew_key, word text);
CREATE TRIGGER refuse_skew
	AFTER INSERT OR UPDATE OF id ON skew
	FOR EACH ROW EXECUTE FUNCTION uuid_refuse_skew('id', '5 minutes', '30 days');

INSERT INTO skew VALUES (uuidv7_at('2070-01-01 00:00+00'));
INSERT INTO skew VALUES (uuidv7_at('1980-01-01 00:00+00'));

-- Returns the SQLSTATE, table and column if the statement is rejected.
CREATE FUNCTION skew_of(statement text, key uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	tab text;
	col text;
BEGIN
	EXECUTE statement USING key;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS
		tab = TABLE_NAME,
		col = COLUMN_NAME;
	RETURN format('%s %s.%s', SQLSTATE, tab, col);
END $$;

-- Times on both sides of each limit.  In a long transaction, the clock counts, not its start.
BEGIN;
SELECT pg_sleep(0.2);
SELECT shift, skew_of('INSERT INTO skew VALUES ($1)',
	uuidv7_at(clock_timestamp() + shift::interval))
FROM unnest('{0, 4 min 50 s, 5 min 10 s, 1 year, -29 days -23 h -50 min, -30 days -10 min,
	-1 year}'::text[]) shift;
SELECT skew_of('INSERT INTO skew VALUES ($1)', uuidv7_at(now() + interval '5 min 0.1 s'));
COMMIT;

\echo '-- all versions with a time are checked; NULL and UUIDs without a time are accepted'
SELECT name, skew_of('INSERT INTO skew VALUES ($1)', now_key),
	skew_of('INSERT INTO skew VALUES ($1)', old_key)
FROM (VALUES
	(1, 'version 1', uuid_generate_v1_random(), uuid_generate_v1_random_at('2000-01-01 00:00+00')),
	(2, 'version 6', uuid_generate_v6(), uuid_generate_v6_at('2000-01-01 00:00+00')),
	(3, 'version 7, draft', uuid_generate_v7(), uuid_generate_v7_at('2000-01-01 00:00+00')),
	(4, 'version 7, RFC 9562', uuidv7(), uuidv7_at('2000-01-01 00:00+00')),
	(5, 'version 4', gen_random_uuid(), gen_random_uuid()),
	(6, 'version 8', uuid_generate_v8(), uuid_generate_v8_at('2000-01-01 00:00+00')),
	(7, 'nil and max', '00000000-0000-0000-0000-000000000000',
		'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	(8, 'NULL', NULL, NULL)) keys (number, name, now_key, old_key)
ORDER BY number;

-- Updates of other columns are accepted.
DELETE FROM skew;
INSERT INTO skew VALUES (uuidv7());
ALTER TABLE skew DISABLE TRIGGER refuse_skew;
UPDATE skew SET id = uuidv7_at('2000-01-01 00:00+00');
ALTER TABLE skew ENABLE TRIGGER refuse_skew;
UPDATE skew SET word = 'other';

-- Rows that a client sends again, some with changes
CREATE UNIQUE INDEX ON skew (id);
SELECT resent, skew_of('INSERT INTO skew SELECT min(id) FROM skew ON CONFLICT ' || resent, NULL)
FROM (VALUES
	('DO NOTHING'),
	('(id) DO UPDATE SET word = EXCLUDED.word'),
	('(id) DO UPDATE SET id = EXCLUDED.id')) resend (resent);
SELECT statement, skew_of(statement, NULL)
FROM unnest(ARRAY['UPDATE skew SET id = id, word = ''again''',
	'UPDATE skew SET id = (SELECT min(id) FROM skew)',
	'UPDATE skew SET id = uuidv7_at(''2000-01-01 00:00:00.001+00'')',
	'WITH o AS (UPDATE skew SET id = NULL RETURNING 1) SELECT FROM o']) statement;
UPDATE skew SET id = NULL;
SELECT skew_of('UPDATE skew SET id = $1', uuidv7_at('2000-01-01 00:00+00'));
ALTER TABLE skew DISABLE TRIGGER refuse_skew;
UPDATE skew SET id = uuidv7_at('2000-01-01 00:00+00');
ALTER TABLE skew ENABLE TRIGGER refuse_skew;
DROP INDEX skew_id_idx;

-- Updates of the key are checked.
SELECT skew_of('UPDATE skew SET id = $1', uuidv7_at('2000-01-02 00:00+00')),
	skew_of('UPDATE skew SET id = $1', uuidv7());

-- A deleted row has no new key.
CREATE TRIGGER deletes AFTER DELETE ON skew
	FOR EACH ROW EXECUTE FUNCTION uuid_refuse_skew('id', '5 minutes', '30 days');
DELETE FROM skew;
DROP TRIGGER deletes ON skew;

-- Replicated rows are not checked.
SET session_replication_role = replica;
SELECT skew_of('INSERT INTO skew VALUES ($1)', uuidv7_at('2000-01-02 00:00+00'));
RESET session_replication_role;

-- A column of a domain type, partitions and COPY
CREATE TABLE skew_parts (id uuid, "the key" skew_key) PARTITION BY RANGE (id);
CREATE TABLE skew_part PARTITION OF skew_parts DEFAULT;
CREATE TRIGGER refuse_skew
	AFTER INSERT OR UPDATE ON skew_parts
	FOR EACH ROW EXECUTE FUNCTION uuid_refuse_skew('the key', '1 day', '1 day');
INSERT INTO skew_parts VALUES (uuidv7(), uuidv7());
SELECT skew_of('INSERT INTO skew_parts VALUES (uuidv7(), $1)', uuidv7_at('2000-01-02 00:00+00'));
COPY skew_parts FROM stdin;
019b76da-a87b-7000-8000-000000000000	\N
019b76da-a87b-7000-8000-000000000001	02df0000-0000-7000-8000-000000000000
\.

-- Invalid triggers
CREATE FUNCTION skew_with(arguments text, kind text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE VIEW skew_view AS SELECT * FROM skew');
	EXECUTE format(kind || ' EXECUTE FUNCTION uuid_refuse_skew(%s)', arguments);
	INSERT INTO skew_view VALUES (uuidv7());
	RAISE 'accepted' USING ERRCODE = 'UU001';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT skew_with(arguments, kind)
FROM (VALUES
	('''id'', ''1 h'', ''1 h''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH ROW'),
	('''id'', ''1 h'', ''1 h''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH STATEMENT'),
	('''id'', ''1 h'', ''1 h''', 'CREATE TRIGGER wrong BEFORE INSERT ON skew FOR EACH ROW'),
	('''id'', ''1 h'', ''1 h''',
		'CREATE TRIGGER wrong INSTEAD OF INSERT ON skew_view FOR EACH ROW'),
	('''id'', ''1 h''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH ROW'),
	('''ID'', ''1 h'', ''1 h''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH ROW'),
	('''ctid'', ''1 h'', ''1 h''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH ROW'),
	('''id'', ''1 h'', ''an hour''', 'CREATE TRIGGER wrong AFTER INSERT ON skew FOR EACH ROW')
	) wrong (arguments, kind);

DROP TABLE skew, skew_parts;
DROP DOMAIN skew_key;
DROP FUNCTION skew_of, skew_with;
