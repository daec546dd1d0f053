--
-- Memory of a backend: what the library keeps, and what it needs over many calls.
--
\ir lib.sql
CREATE TABLE generators (no serial, call text);
INSERT INTO generators (call) VALUES
	('public.uuidv7()'), ('uuid_generate_v7()'), ('uuid_generate_v6()'),
	('uuid_generate_v8()'), ('uuid_generate_vb()'), ('uuid_generate_v1_random()');
CREATE FUNCTION private_kb() RETURNS int LANGUAGE sql VOLATILE AS
$$
	SELECT (regexp_match(pg_read_file('/proc/self/status', 0, 10000),
		'RssAnon:\s+(\d+)'))[1]::int
$$;
CREATE TABLE memory (call text, before int, after int);
-- the first calls fill what is kept
DO $$
DECLARE
	g generators;
	n bigint;
BEGIN
	FOR g IN SELECT * FROM generators ORDER BY no LOOP
		EXECUTE format('SELECT count(%s) FROM generate_series(1, 1000000)', g.call) INTO n;
	END LOOP;
	PERFORM private_kb();
END $$;
CREATE PROCEDURE measure(calls bigint) LANGUAGE plpgsql AS $$
DECLARE
	g generators;
	n bigint;
	before int;
BEGIN
	FOR g IN SELECT * FROM generators ORDER BY no LOOP
		before := private_kb();
		-- a million at a time: generate_series in FROM keeps its rows
		FOR i IN 1 .. calls / 1000000 LOOP
			EXECUTE format('SELECT count(%s) FROM generate_series(1, 1000000)', g.call) INTO n;
		END LOOP;
		INSERT INTO memory VALUES (g.call, before, private_kb());
	END LOOP;
END $$;
CALL measure(:calls);
\o :results/memory.tsv
SELECT call, :calls AS calls, before AS "kB before", after AS "kB after" FROM memory;
\o :results/memory_targets.tsv
SELECT target, measured, is_met(measured, 0, most) AS "is"
FROM (SELECT 'what the library keeps in a backend is below 32 kB (bytes)' AS target,
		  :state_bytes AS measured, 32767 AS most
	  UNION ALL
	  SELECT 'no generator grows over ' || :calls || ' calls (kB, at most 64)',
		  max(after - before), 64
	  FROM memory) t;
\o
