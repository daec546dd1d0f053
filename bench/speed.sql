--
-- Cost of one call, in nanoseconds.
--
-- A query makes ten calls for each of its rows, so that the row itself costs
-- little, and the same query with an empty C function is taken off.
--
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;
CREATE FUNCTION bench_empty() RETURNS uuid AS :'library' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION bench_floor() RETURNS uuid AS :'library' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION bench_empty_timestamp(uuid) RETURNS timestamptz AS :'library' LANGUAGE C VOLATILE STRICT;

CREATE TABLE calls (no serial, kind text, call text);
INSERT INTO calls (kind, call) VALUES
	('generate', 'bench_empty()'),
	('generate', 'bench_floor()'),
	('generate', 'gen_random_uuid()'),
	('generate', 'uuid_generate_v7()'),
	('generate', 'uuid_generate_v6()'),
	('generate', 'uuid_generate_v7(''millisecond'')'),
	('generate', 'uuid_generate_v7(''microsecond'')'),
	('generate', 'uuid_generate_v7(''nanosecond'')'),
	('generate', 'uuid_generate_v7(''rfc9562'')'),
	('generate', 'uuid_generate_v8()'),
	('generate', 'uuid_generate_v8(''unix32'')'),
	('generate', 'uuid_generate_v8(''unix48'')'),
	('generate', 'uuid_generate_v8(''gregorian60'')'),
	('generate', 'uuid_generate_v8(''ntp64'')'),
	('generate', 'uuid_generate_v8(''iso8601'')'),
	('v7', 'nothing(k)'),
	('v7', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_v7_timestamp(k)'),
	('rfc', 'uuid_v7_timestamp(k, ''rfc9562'')'),
	('v6', 'uuid_v6_timestamp(k)'),
	('v8', 'uuid_v8_timestamp(k)'),
	('ts', 'uuid_v7_min(k)');

-- Ten keys and times in each row: a call on the same value would be made once.
-- Few rows, read again and again, so that memory is not what is measured.
SELECT format('CREATE TABLE keys_%s AS SELECT %s FROM generate_series(1, 500) i', kind,
	(SELECT string_agg(format('%s AS k%s', value, n), ', ') FROM generate_series(0, 9) n))
FROM (VALUES ('v6', 'uuid_generate_v6()'), ('v7', 'uuid_generate_v7()'), ('rfc', 'uuid_generate_v7(''rfc9562'')'),
			 ('v8', 'uuid_generate_v8()'), ('ts', 'now() + random() * interval ''1 year''')) v(kind, value) \gexec
VACUUM FREEZE ANALYZE;

CREATE TABLE timings (no int, ns float8);
CREATE PROCEDURE measure(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	c record;
	statement text;
	started timestamptz;
	ended timestamptz;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR c IN SELECT * FROM calls ORDER BY no LOOP
			SELECT format('SELECT %s FROM generate_series(1, %s)%s',
				string_agg(format('count(%s)', regexp_replace(replace(c.call, 'nothing', ''), '(?<=\()k', 'k' || i)), ', '),
				CASE c.kind WHEN 'generate' THEN 50000 ELSE 100 END,
				CASE c.kind WHEN 'generate' THEN '' ELSE ', keys_' || c.kind END)
			INTO statement FROM generate_series(0, 9) i;
			started := clock_timestamp();
			EXECUTE statement;
			ended := clock_timestamp();
			-- the first round only warms up
			IF r > 0 THEN
				INSERT INTO timings VALUES (c.no, extract(epoch FROM ended - started) * 1e9 / 500000);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions);

CREATE VIEW medians AS
SELECT no, kind, call, percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) AS ns
FROM timings JOIN calls USING (no) GROUP BY 1, 2, 3;

\pset footer off
\echo
\echo Generating: net of an empty call, and as a multiple of the floor (one reading of the
\echo clock, 8 octets copied), of gen_random_uuid() and of the fastest generator
WITH g AS (
	SELECT *, ns - (SELECT ns FROM medians WHERE call = 'bench_empty()') AS net FROM medians WHERE kind = 'generate'
)
SELECT call, round(ns::numeric, 1) AS ns, round(net::numeric, 1) AS net,
	   round((net / (SELECT net FROM g WHERE call = 'bench_floor()'))::numeric, 2) AS "of floor",
	   '1/' || round(((SELECT net FROM g WHERE call = 'gen_random_uuid()') / nullif(net, 0))::numeric, 1) AS "of random",
	   CASE WHEN call LIKE 'uuid%' THEN
			round((net / (SELECT min(net) FROM g WHERE call LIKE 'uuid%'))::numeric, 2) END AS "of fastest"
FROM g ORDER BY no;

\echo Reading: net of an empty call, where an empty call costs what it does more than nothing
WITH r AS (
	SELECT *, ns - (SELECT ns FROM medians WHERE call = 'nothing(k)') AS more,
		   ns - (SELECT ns FROM medians WHERE call = 'bench_empty_timestamp(k)') AS net
	FROM medians WHERE kind <> 'generate'
)
SELECT call, round(ns::numeric, 1) AS ns, round(more::numeric, 1) AS "more than nothing", round(net::numeric, 1) AS net,
	   round((net / (SELECT more FROM r WHERE call = 'bench_empty_timestamp(k)'))::numeric, 2) AS "net of an empty call"
FROM r ORDER BY no;
