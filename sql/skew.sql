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
CREATE FUNCTION skew_of(statement text, key uuid DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
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

\echo '-- times on both sides of each limit; the clock counts, not the start of the transaction'
BEGIN;
SELECT pg_sleep(0.2);
SELECT shift, skew_of('INSERT INTO skew VALUES ($1)',
	uuidv7_at(clock_timestamp() + shift::interval))
FROM unnest('{4 min 50 s, 5 min 10 s, -29 days -23 h -50 min, -30 days -10 min}'::text[]) shift;
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
	(5, 'version 8', uuid_generate_v8(), uuid_generate_v8_at('2000-01-01 00:00+00')),
	(6, 'version 4 and NULL', gen_random_uuid(), NULL)) keys (number, name, now_key, old_key)
ORDER BY number;

-- one old key
DELETE FROM skew;
ALTER TABLE skew DISABLE TRIGGER refuse_skew;
INSERT INTO skew VALUES (uuidv7_at('2000-01-01 00:00+00'));
ALTER TABLE skew ENABLE TRIGGER refuse_skew;
CREATE UNIQUE INDEX ON skew (id);
\echo '-- rows that are sent again and updates that keep the key are accepted, new keys are checked'
SELECT statement, skew_of(statement)
FROM unnest(ARRAY['UPDATE skew SET word = ''other''',
	'INSERT INTO skew SELECT min(id) FROM skew ON CONFLICT DO NOTHING',
	'INSERT INTO skew SELECT min(id) FROM skew ON CONFLICT (id) DO UPDATE SET id = EXCLUDED.id',
	'UPDATE skew SET id = id, word = ''again''',
	'UPDATE skew SET id = uuidv7_at(''2000-01-01 00:00:00.001+00'')',
	'UPDATE skew SET id = NULL',
	'UPDATE skew SET id = uuidv7_at(''2000-01-01 00:00+00'')',
	'UPDATE skew SET id = uuidv7()']) statement;

\echo '-- a deleted row has no new key'
CREATE TRIGGER deletes AFTER DELETE ON skew
	FOR EACH ROW EXECUTE FUNCTION uuid_refuse_skew('id', '5 minutes', '30 days');
DELETE FROM skew;
DROP TRIGGER deletes ON skew;

\echo '-- replicated rows are not checked'
SET session_replication_role = replica;
SELECT skew_of('INSERT INTO skew VALUES ($1)', uuidv7_at('2000-01-02 00:00+00'));
RESET session_replication_role;

\echo '-- a column of a domain type, partitions and COPY'
CREATE TABLE skew_parts (id uuid, "the key" skew_key) PARTITION BY RANGE (id);
CREATE TABLE skew_part PARTITION OF skew_parts DEFAULT;
CREATE TRIGGER refuse_skew
	AFTER INSERT OR UPDATE ON skew_parts
	FOR EACH ROW EXECUTE FUNCTION uuid_refuse_skew('the key', '1 day', '1 day');
SELECT skew_of('INSERT INTO skew_parts VALUES (uuidv7(), $1)', key)
FROM unnest(ARRAY[uuidv7(), uuidv7_at('2000-01-02 00:00+00')]) key;
COPY skew_parts FROM stdin;
019b76da-a87b-7000-8000-000000000000	\N
019b76da-a87b-7000-8000-000000000001	02df0000-0000-7000-8000-000000000000
\.

\echo '-- invalid triggers'
CREATE VIEW skew_view AS SELECT * FROM skew;
CREATE FUNCTION skew_with(arguments text, event text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TRIGGER wrong %s EXECUTE FUNCTION uuid_refuse_skew(%s)', event,
		arguments);
	INSERT INTO skew_view VALUES (uuidv7());
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT skew_with('''id'', ''1 h'', ''1 h''', event)
FROM unnest('{AFTER INSERT ON skew FOR EACH STATEMENT, BEFORE INSERT ON skew FOR EACH ROW,
	INSTEAD OF INSERT ON skew_view FOR EACH ROW}'::text[]) event;
SELECT skew_with(arguments, 'AFTER INSERT ON skew FOR EACH ROW')
FROM unnest(ARRAY['''id'', ''1 h''', '''ID'', ''1 h'', ''1 h''', '''ctid'', ''1 h'', ''1 h''',
	'''id'', ''1 h'', ''an hour''']) arguments;

DROP VIEW skew_view;
DROP TABLE skew, skew_parts;
DROP DOMAIN skew_key;
DROP FUNCTION skew_of, skew_with;
