--
-- Cost of one call, in nanoseconds.
--
-- A query makes ten calls for each of its rows, so that the row itself costs
-- little, and the same query with an empty C function is taken off.
--
\ir lib.sql
CREATE FUNCTION bench_empty() RETURNS uuid AS :'library' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION bench_floor() RETURNS uuid AS :'library' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION bench_empty_timestamp(uuid) RETURNS timestamptz
	AS :'library' LANGUAGE C VOLATILE STRICT;

-- What people write where there is no extension: RFC 9562's v7 out of a v4.
CREATE FUNCTION sql_uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
	SELECT encode(
		set_bit(set_bit(
			overlay(uuid_send(gen_random_uuid())
					placing substring(int8send(
						(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
					FROM 1 FOR 6),
			52, 1), 53, 1), 'hex')::uuid
$$;
CREATE FUNCTION plpgsql_uuid_v7() RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	msec bigint := extract(epoch FROM clock_timestamp()) * 1000;
	octets bytea := uuid_send(gen_random_uuid());
BEGIN
	octets := overlay(octets placing substring(int8send(msec) FROM 3) FROM 1 FOR 6);
	octets := set_byte(octets, 6, (get_byte(octets, 6) & 15) | 112);
	RETURN encode(octets, 'hex')::uuid;
END $$;

-- Slow ones are called less often.
CREATE TABLE calls (no serial, kind text, call text, base text, calls int DEFAULT 500000);
INSERT INTO calls (kind, call, base) VALUES
	('generate', 'bench_empty()', NULL),
	('generate', 'bench_floor()', 'bench_empty()'),
	('generate', 'public.uuidv7()', 'bench_empty()'),
	('generate', 'uuid_generate_v7()', 'bench_empty()'),
	('generate', 'uuid_generate_v6()', 'bench_empty()'),
	('generate', 'uuid_generate_v7(''millisecond'')', 'bench_empty()'),
	('generate', 'uuid_generate_v7(''microsecond'')', 'bench_empty()'),
	('generate', 'uuid_generate_v7(''nanosecond'')', 'bench_empty()'),
	('generate', 'uuid_generate_v7(''rfc9562'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8()', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''unix32'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''unix48'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''gregorian60'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''ntp64'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''iso8601'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''julian64'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''custom(1000/s, 48, 12)'')', 'bench_empty()'),
	('generate', 'uuid_generate_v8(''unix64'', ''\x0123456789ab'')', 'bench_empty()'),
	('generate', 'uuid_generate_vb()', 'bench_empty()'),
	('generate', 'uuid_generate_vb(''sequential'')', 'bench_empty()'),
	('generate', 'uuid_generate_v1_random()', 'bench_empty()'),
	('generate', 'uuid_generate_v1_random_at(now())', 'bench_empty()'),
	('generate', 'uuid_generate_v6_at(now())', 'bench_empty()'),
	('generate', 'uuid_generate_v7_at(now())', 'bench_empty()'),
	('generate', 'uuid_generate_v7_at(now(), ''microsecond'', 1)', 'bench_empty()'),
	('generate', 'uuidv7_at(now())', 'bench_empty()'),
	('generate', 'uuid_generate_v8_at(now())', 'bench_empty()'),
	('generate', 'gen_random_uuid()', 'bench_empty()'),
	('v7', 'nothing(k)', NULL),
	('v7', 'bench_empty_timestamp(k)', NULL),
	('v7', 'uuid_v7_timestamp(k)', 'bench_empty_timestamp(k)'),
	('rfc', 'uuid_v7_timestamp(k, ''rfc9562'')', 'bench_empty_timestamp(k)'),
	('rfc', 'uuidv7_timestamp(k)', 'bench_empty_timestamp(k)'),
	('v6', 'uuid_v6_timestamp(k)', 'bench_empty_timestamp(k)'),
	('v1', 'uuid_v1_timestamp(k)', 'bench_empty_timestamp(k)'),
	('v8', 'uuid_v8_timestamp(k)', 'bench_empty_timestamp(k)'),
	('unix32', 'uuid_v8_timestamp(k, ''unix32'')', 'bench_empty_timestamp(k)'),
	('v8', 'uuid_v8_timestamp(k, ''julian64'')', 'bench_empty_timestamp(k)'),
	('v8', 'uuid_v8_timestamp(k, ''custom(1000/s, 48, 12)'')', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_to_base32hex(k)', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_to_base58(k)', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_to_typeid(k, ''user'')', 'bench_empty_timestamp(k)'),
	('unix48', 'uuid_v8_timestamp(k, ''unix48'')', 'bench_empty_timestamp(k)'),
	('gregorian60', 'uuid_v8_timestamp(k, ''gregorian60'')', 'bench_empty_timestamp(k)'),
	('ntp64', 'uuid_v8_timestamp(k, ''ntp64'')', 'bench_empty_timestamp(k)'),
	('iso8601', 'uuid_v8_timestamp(k, ''iso8601'')', 'bench_empty_timestamp(k)'),
	('vb', 'uuid_vb_timestamp(k)', 'bench_empty_timestamp(k)'),
	('v1', 'uuid_v1_to_v6(k)', 'bench_empty_timestamp(k)'),
	('v6', 'uuid_v6_to_v1(k)', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_v7_convert(k, ''microsecond'', ''rfc9562'')', 'bench_empty_timestamp(k)'),
	('v6', 'uuid_v6_between(k, ''2020-01-01'', ''2120-01-01'')', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_v7_between(k, ''2020-01-01'', ''2120-01-01'')', 'bench_empty_timestamp(k)'),
	('rfc', 'uuidv7_between(k, ''2020-01-01'', ''2120-01-01'')', 'bench_empty_timestamp(k)'),
	('v8', 'uuid_v8_between(k, ''2020-01-01'', ''2120-01-01'')', 'bench_empty_timestamp(k)'),
	('ts', 'uuid_v6_min(k)', 'bench_empty_timestamp(k)'),
	('ts', 'uuid_v7_min(k)', 'bench_empty_timestamp(k)'),
	('ts', 'uuid_v7_max(k)', 'bench_empty_timestamp(k)'),
	('ts', 'uuidv7_min(k)', 'bench_empty_timestamp(k)'),
	('ts', 'uuid_v8_min(k)', 'bench_empty_timestamp(k)');
INSERT INTO calls (kind, call, base, calls) VALUES
	('v7', 'uuid_info(k)', 'bench_empty_timestamp(k)', 50000),
	('generate', 'sql_uuid_v7()', 'bench_empty()', 50000),
	('generate', 'plpgsql_uuid_v7()', 'bench_empty()', 20000);
-- the server's own or, before PostgreSQL 18, ours
INSERT INTO calls (kind, call, base) VALUES
	('generate', 'uuidv4()', 'bench_empty()'),
	('generate', 'uuidv7(''-1 day'')', 'bench_empty()'),
	('rfc', 'uuid_extract_timestamp(k)', 'bench_empty_timestamp(k)'),
	('v7', 'uuid_extract_version(k)', 'bench_empty_timestamp(k)');
\if :has_uuidv7
INSERT INTO calls (kind, call, base)
VALUES ('generate', 'pg_catalog.uuidv7()', 'bench_empty()');
\endif

-- Ten keys and times in each row: a call on the same value would be made once.
-- Few rows, read again and again, so that memory is not what is measured.
SELECT format('CREATE TABLE keys_%s AS SELECT %s FROM generate_series(1, 500) i', kind,
	(SELECT string_agg(format('%s AS k%s', value, n), ', ') FROM generate_series(0, 9) n))
FROM (VALUES
	('v1', 'uuid_generate_v1_random()'), ('v6', 'uuid_generate_v6()'), ('v7', 'uuid_generate_v7()'),
	('rfc', 'uuid_generate_v7(''rfc9562'')'), ('v8', 'uuid_generate_v8()'),
	('vb', 'uuid_generate_vb()'), ('unix32', 'uuid_generate_v8(''unix32'')'),
	('unix48', 'uuid_generate_v8(''unix48'')'),
	('gregorian60', 'uuid_generate_v8(''gregorian60'')'),
	('ntp64', 'uuid_generate_v8(''ntp64'')'), ('iso8601', 'uuid_generate_v8(''iso8601'')'),
	('ts', 'now() + random() * interval ''1 year''')
) v(kind, value) \gexec
VACUUM FREEZE ANALYZE;

CREATE PROCEDURE measure(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	c record;
	statement text;
	started timestamptz;
	ended timestamptz;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR c IN SELECT *, kind = 'generate' AS makes FROM calls ORDER BY no LOOP
			SELECT format('SELECT %s FROM generate_series(1, %s)%s',
				string_agg(format('count(%s)',
					regexp_replace(replace(c.call, 'nothing', ''), '(?<=\()k', 'k' || i)), ', '),
				CASE WHEN c.makes THEN c.calls / 10 ELSE c.calls / 5000 END,
				CASE WHEN c.makes THEN '' ELSE ', keys_' || c.kind END)
			INTO statement FROM generate_series(0, 9) i;
			started := clock_timestamp();
			EXECUTE statement;
			ended := clock_timestamp();
			-- the first round only warms up
			IF r > 0 THEN
				INSERT INTO samples
				VALUES (c.call, 'ns', 0, r, extract(epoch FROM ended - started) * 1e9 / c.calls);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions);

INSERT INTO samples
SELECT call, 'net', 0, s.rep, s.value - b.value
FROM calls JOIN samples s ON s.variant = call JOIN samples b ON b.variant = base AND b.rep = s.rep;

\o :results/calls.tsv
SELECT call, spread(values_of(call, 'net'), 1) AS "net ns",
	   quotient(values_of(call, 'net'), values_of('bench_floor()', 'net'))
	   AS "net ns ÷ bench_floor()'s",
	   quotient(values_of('gen_random_uuid()', 'net'), values_of(call, 'net'), 1)
	   AS "gen_random_uuid()'s ÷ net ns"
FROM calls WHERE kind = 'generate' AND base IS NOT NULL
ORDER BY median(values_of(call, 'net'));
\o
SELECT call AS reader, spread(values_of(call, 'net'), 1) AS "net ns"
FROM calls WHERE kind <> 'generate' AND base IS NOT NULL ORDER BY no;
\o :results/calls_targets.tsv
SELECT target, round(figure::numeric, 2) AS measured, is_met(figure, least, most) AS "is"
FROM (VALUES
	('uuidv7() is at least 15 times cheaper than gen_random_uuid()',
	 median(ratios('gen_random_uuid()', 'public.uuidv7()', 'net')), 15, 'infinity'::float8),
	('uuidv7() is at least 20 times cheaper than PostgreSQL''s',
	 median(ratios('pg_catalog.uuidv7()', 'public.uuidv7()', 'net')), 20, 'infinity'),
	('uuidv7() costs at most 1.5 times the floor',
	 median(ratios('public.uuidv7()', 'bench_floor()', 'net')), 0, 1.5)
) t(target, figure, least, most)
WHERE figure IS NOT NULL;
\o
