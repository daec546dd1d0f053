# Random calls of every function with random arguments of the right types and
# of nearly the right ones: no crash, and no error but those that are documented.
#
# The functions are those that the extension has, so new ones need no line here,
# unless they take a type that argument() does not know.
#
# NOISE_SEED=n repeats a run (except for the UUIDs that are new in each),
# NOISE_CALLS=n makes more or fewer calls.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use Session;
use RandomValues;

my $sessions = 4;
my $calls = $ENV{NOISE_CALLS} // ($ENV{UUIDNEW_SOAK} ? 2_000_000 : $ENV{UUIDNEW_QUICK} ? 20_000 : 150_000);
my $seed = $ENV{NOISE_SEED} // int(rand(1_000_000));
my $what = "NOISE_SEED=$seed";

# With --quick every third function, by the seed, as often as all would be by three times the calls.
my $parts = $ENV{UUIDNEW_QUICK} ? 3 : 1;
my $part = $seed % $parts;
note $what;

my $node = start_server(<<~'CONF');
	synchronous_commit = off
	# horizons have a result with one order
	shared_preload_libraries = 'uuidnew'
	uuidnew.order_scope = 'server'
	CONF
$node->safe_psql('postgres', q{CREATE DATABASE noise TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'});
$node->safe_psql('noise', $random_values);
$node->safe_psql('noise', <<~'SQL');
	CREATE EXTENSION uuidnew;

	CREATE TABLE functions AS
	SELECT row_number() OVER (ORDER BY p.oid::regprocedure::text COLLATE "C")::int AS n,
		   p.oid::regprocedure AS function, format('%I.%I', nspname, proname) AS name,
		   array_remove(string_to_array(proargtypes::text, ' '), '')::oid[] AS types,
		   pronargdefaults AS defaults,
		   provariadic <> 0 AS variadic, NOT proisstrict AS takes_null, prokind = 'a' AS aggregate,
		   provolatile = 'i' AS pure,
		   prosupport <> 0 AND prorettype = 'bool'::regtype AS condition, prorettype AS result
	FROM pg_proc p
		JOIN pg_namespace n ON n.oid = pronamespace
		JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
	WHERE extname = 'uuidnew' AND prokind IN ('f', 'a')
		-- for any key, it would move the order out of reach of the other functions
		AND proname <> 'uuidnew_order_begin_after'
		AND NOT ARRAY['internal', 'cstring', 'trigger']::regtype[]::oid[]
			&& (proargtypes::oid[] || prorettype);

	-- Conditions on a key are planned by what is known of a table.
	CREATE TABLE plain (id uuid PRIMARY KEY);
	CREATE TABLE partitioned (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE partition_1 PARTITION OF partitioned
		FOR VALUES FROM (MINVALUE) TO ('60000000-0000-7000-8000-000000000000');
	CREATE TABLE partition_2 PARTITION OF partitioned
		FOR VALUES FROM ('60000000-0000-7000-8000-000000000000') TO (MAXVALUE);
	INSERT INTO plain
	SELECT overlay(overlay(md5(i::text) PLACING substr('12345678', i % 8 + 1, 1) FROM 13)
				   PLACING substr('8888af', i % 6 + 1, 1) FROM 17)::uuid
	FROM generate_series(1, 200) i;
	INSERT INTO plain VALUES
		('00000000-0000-0000-0000-000000000000'), ('ffffffff-ffff-ffff-ffff-ffffffffffff');
	INSERT INTO partitioned SELECT * FROM plain;
	ANALYZE;

	CREATE TABLE results (function regprocedure, nearly boolean, state text, call text);
	CREATE TABLE words (word text, function regprocedure);

	-- What chance does not hit on: IDs of other systems, and UUIDs made of them.
	CREATE TABLE examples (function text, type oid, value text, argument int DEFAULT 1);
	WITH ids (system, id, octets) AS (VALUES
		('lexicaluuid', '0004cfbf-72c4-1981-576846634e2714c6', NULL),
		('elasticflake', 'AVFgSgVHUP18jI2wRx0w', NULL),
		('pushid', '-KKuid1F000000000000', NULL),
		('xid', '9m4e2mr0ui3e8a215n4g', NULL),
		('objectid', '507c7f79bcf86cd7994f6c0e', '\x507c7f79bcf86cd7994f6c0e'),
		('flake', '8HFaR8qWtRlGDHnO57', '\x00000134d4212d43109add5e0e8f0000'),
		('ulid', '01ARYZ6S41TSV4RRFFQ69G5FAV', NULL),
		('sid', '1IeSBAWW9kK-0cDG64GQgGJ', NULL),
		('cuid', 'ch72gsb320000udocl363eofy', NULL),
		('ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', '\x0669f7efb5a1cd34b5f99d1154fb6853345c9735'),
		('flakeid', NULL, '\x05325a4db6000002'))
	INSERT INTO examples
	SELECT format('%s_%s', system, f), type, value
	FROM ids, unnest('{timestamp,fields,to_uuid,to_uuid_lossy,to_uuidv7,to_bytea}'::text[]) f,
		 LATERAL (VALUES ('text'::regtype, id), ('bytea', octets)) v(type, value)
	WHERE value IS NOT NULL
	UNION ALL SELECT 'bytea_to_ksuid', 'bytea'::regtype, octets FROM ids WHERE system = 'ksuid'
	UNION ALL SELECT f, 'text'::regtype, value FROM (VALUES
		('base32hex_to_uuid', '064GKNDCIPRKNF6EMC10J6K0AS'),
		('base58_to_uuid', '1BzmjTFLHWXwiSK4y3H5iW'),
		('base64url_to_uuid', 'AYkKXayWd0u8zrMCCZqAVw'),
		('typeid_to_uuid', 'prefix_01h455vb4pex5vsknk084sn02q'),
		('typeid_prefix', '01h455vb4pex5vsknk084sn02q')) v(f, value)
	UNION ALL SELECT f, 'uuid'::regtype, value FROM (VALUES
		('uuid_to_snowflake', '0181ab11-8149-85e8-8008-000000000000'),
		('uuid_to_shardingid', '0181ab11-8149-85e8-8004-000000000000'),
		('uuid_to_flakeid', '014386ae-e847-838c-8008-000000000000'),
		('uuid_to_sonyflake', '01742d7d-9590-8030-a81e-000000000000'),
		('uuid_to_mastodon', '0181ab11-8149-8123-9200-000000000000'),
		('uuid_to_lexicaluuid', '013b53d3-a6f0-8005-9768-46634e2714c6'),
		('uuid_to_elasticflake', '0151604a-0547-850f-b5f2-3236c11c74c2'),
		('uuid_to_pushid', '014b56a9-9c51-84cf-af99-365049c07da6'),
		('uuid_to_xid', '012edeb0-4b78-860f-921b-90a104b72600'),
		('uuid_to_objectid', '013a6651-f0a8-8bcf-a1b3-5e653db03a00'),
		('uuid_to_sid', '14a970b2-a080-9bd4-09cd-4061106ab413'),
		('uuid_to_cuid', '08118af9-f738-5b10-f7e2-14da772b9e3e'),
		('uuid_to_ordered_uuid', '9009ebcc-cd99-8b5f-90cf-9155607d2de9'),
		('ordered_uuid_to_uuid', '9009ebcc-cd99-4b5f-90cf-9155607d2de9'),
		('uuid_to_comb', '018e5f3b-ff48-87cc-b5ba-d01c25cc63a7'),
		('comb_to_uuid', 'e25afe33-db2d-4502-9bf0-919001862cc4'),
		('comb_convert', 'e25afe33-db2d-4502-9bf0-919001862cc4'),
		('uuid_v1_to_v6', '65ca76d2-013a-1000-a31b-48b2491cd009'),
		('uuid_v6_to_v1', '1ec9414c-232a-6b00-b3c8-9e6bdeced846'),
		('uuid_v7_node', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
		('uuid_v7_convert', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
		('uuid_v8_node', '0181ab11-8149-85e8-8008-000000000000'),
		('uuid_v1_unix_ms_to_v1', '65ca76d2-013a-1000-a31b-48b2491cd009'),
		('uuidv47_decode', '2463c780-7fca-4def-8c3f-7b1a2c4d5e6f'),
		('vb_to_uuid', '20be0ffc-314a-bd53-7a50-013a65ca76d2'),
		('uuid_to_vb', '013a65ca-76d2-20be-0ffc-314abd537a50')) v(f, value);
	INSERT INTO examples VALUES
		('typeid_to_uuid', 'text'::regtype, 'prefix', 2),
		('uuid_machine_id', 'int4'::regtype, '8', 2),
		('uuid_v7_node', 'int4'::regtype, '2', 3),
		('uuid_v8_node', 'int4'::regtype, '2', 3),
		('uuidv47_encode', 'bytea'::regtype, '\xefcdab89674523011032547698badcfe', 2),
		('uuidv47_decode', 'bytea'::regtype, '\xefcdab89674523011032547698badcfe', 2);

	-- An expression with a random value of a type.  The pool is of former results.
	CREATE FUNCTION argument(type oid, words text[], pool_types oid[], pool text[]) RETURNS text
	LANGUAGE plpgsql VOLATILE AS $$
	DECLARE
		value text;
		i int;
		element oid;
	BEGIN
		IF random() < 0.03 THEN
			RETURN format('NULL::%s', type::regtype);
		END IF;
		IF random() < 0.4 THEN
			FOR try IN 1 .. 20 LOOP
				i := 1 + trunc(random() * 200);
				IF pool_types[i] = type THEN
					value := pool[i];
					EXIT;
				END IF;
			END LOOP;
		END IF;
		IF type = 'text'::regtype THEN
			IF value IS NULL THEN
				value := CASE WHEN random() < 0.6 THEN words[1 + trunc(random() * cardinality(words))]
						 ELSE random_text() END;
			END IF;
			IF random() < 0.1 THEN
				i := 1 + trunc(random() * length(value));
				value := one_of(upper(value), overlay(value PLACING digits(1, 64) FROM i), left(value, -1),
								value || digits(1, 64), ' ' || value);
			END IF;
		END IF;
		IF value IS NOT NULL THEN
			RETURN format('%L::%s', value, type::regtype);
		END IF;

		CASE type::regtype::text
			WHEN 'uuid' THEN value := random_uuid();
			WHEN 'timestamp with time zone' THEN value := random_time();
			WHEN 'timestamp without time zone' THEN value := random_time()::timestamptz AT TIME ZONE 'UTC';
			WHEN 'date'
				THEN value := one_of('-infinity', 'infinity', '4714-11-24 BC', '294276-12-31',
					'2026-02-03');
			WHEN 'interval' THEN
				value := one_of('0', '178000000 years', '-178000000 years', '1 month', '1 day', '-1 us',
								'9223372036854 seconds', (random() * interval '10000 years')::text,
								(random() * interval '2 days')::text);
			WHEN 'bytea' THEN
				value := '\x' || repeat(one_of('00', 'ff', digits(2, 16)), trunc(random() * 20)::int);
				value := one_of(value, '\x' || digits(32, 16), '\x',
					'\x' || digits(2 * trunc(random() * 9)::int, 16),
								CASE WHEN random() < 0.1 THEN '\x' || repeat('5a', 50000) ELSE '\x00' END);
			WHEN 'bit' THEN			-- a cast to it would leave one
				RETURN format('%L::varbit',
					digits(one_of('122', '122', '121', '123', '0', '1', '1000')::int, 2));
			WHEN 'boolean' THEN value := one_of('true', 'false');
			WHEN 'smallint' THEN value := least(greatest(random_number(16)::int, -32768), 32767);
			WHEN 'integer' THEN value := random_number(32);
			WHEN 'bigint' THEN value := random_number(64);
			WHEN 'oid' THEN value := trunc(random() * 20000);
			WHEN 'numeric' THEN value := one_of('NaN', '0', '1e1000', '-1e-1000', random_number(64));
			WHEN 'double precision', 'real'
				THEN value := one_of('NaN', '-infinity', 'infinity', '0', '1e30', random()::text);
			WHEN 'jsonb' THEN value := one_of('{}', '{"a": "{b}"}', '[]', 'null');
			WHEN 'macaddr' THEN value := one_of('00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', digits(12, 16));
			WHEN 'tstzrange' THEN
				RETURN (SELECT format('tstzrange(%L, %L)', least(a, b), greatest(a, b))
						FROM (SELECT random_time()::timestamptz AS a,
							random_time()::timestamptz AS b) bounds);
			ELSE
				SELECT typelem INTO element FROM pg_type WHERE oid = type AND typcategory = 'A';
				IF element IS NULL THEN
					RAISE 'do not know what to take for a %', type::regtype;
				END IF;
				RETURN format('ARRAY[%s, %s]::%s', argument(element, words, pool_types, pool),
							  argument(element, words, pool_types, pool), type::regtype);
		END CASE;
		RETURN format('%L::%s', value, type::regtype);
	END $$;

	CREATE PROCEDURE noise(seed float8, calls int)
	LANGUAGE plpgsql AS $$
	DECLARE
		types CONSTANT regtype[] :=
			'{uuid,timestamptz,text,bytea,int8,float8,interval,bool,timestamp,"text[]"}';
		n_functions CONSTANT int := (SELECT count(*) FROM functions);
		known CONSTANT text[] := (SELECT array_agg(DISTINCT word COLLATE "C") FROM words);
		own text[];
		pool_types oid[] := array_fill(0::oid, ARRAY[200]);
		pool text[] := array_fill(''::text, ARRAY[200]);
		f functions;
		arguments text[];
		nearly boolean;
		call text;
		result text;
		state text;
		i int;
		bits int;
	BEGIN
		PERFORM setseed(seed);
		FOR number IN 1 .. calls LOOP
			IF number % 100 = 0 THEN
				COMMIT;
				BEGIN
					bits := one_of('0', '0', '1', '10', '32')::int;
					PERFORM set_config('uuidnew.machine_id', '0', false);
					PERFORM set_config('uuidnew.machine_id_bits', bits::text, false);
					PERFORM set_config('uuidnew.machine_id', one_of('1', '1023', '4294967295'), false);
				EXCEPTION WHEN invalid_parameter_value THEN NULL;
				END;
				PERFORM set_config('timezone', one_of('UTC', 'America/New_York', 'Asia/Kathmandu'), false);
			END IF;

			i := 1 + trunc(random() * n_functions);
			SELECT * INTO f FROM functions WHERE n = i;
			arguments := '{}';
			-- mostly the words that it names itself
			SELECT array_agg(word ORDER BY word COLLATE "C") INTO own FROM words
			WHERE function = f.function;
			IF own IS NULL OR random() < 0.3 THEN
				own := known;
			END IF;
			FOR a IN 1 .. cardinality(f.types) - trunc(random() * (f.defaults + 1))::int LOOP
				arguments[a] := argument(f.types[a], own, pool_types, pool);
				-- or the most are refused where a call has several that may be NULL
				IF f.takes_null AND f.types[a] IN ('bytea'::regtype, 'int8'::regtype)
					AND random() < 0.4 THEN
					arguments[a] := format('NULL::%s', f.types[a]::regtype);
				END IF;
			END LOOP;
			IF random() < 0.5 THEN
				FOR a IN 1 .. cardinality(arguments) LOOP
					SELECT quote_literal(value) || '::' || type::regtype INTO result
					FROM examples
					WHERE function = split_part(f.name, '.', 2) AND type = f.types[a] AND argument = a;
					arguments[a] := coalesce(result, arguments[a]);
				END LOOP;
			END IF;

			-- another type, a literal without one, one argument more or fewer
			nearly := random() < 0.2;
			IF nearly THEN
				i := 1 + trunc(random() * (cardinality(arguments) + 1));
				CASE trunc(random() * 4)
					WHEN 0 THEN arguments[i] := quote_literal(random_text());
					WHEN 1 THEN arguments[i] := one_of('NULL', random_number(64), '''''', '(1, 2)', '*',
						'ARRAY[1]');
					WHEN 2 THEN arguments := trim_array(arguments, least(1, cardinality(arguments)));
					ELSE arguments[i] := argument(types[1 + trunc(random() * cardinality(types))], known,
						pool_types, pool);
				END CASE;
			ELSIF f.variadic AND cardinality(arguments) = cardinality(f.types) THEN
				i := cardinality(arguments);
				arguments[i] := 'VARIADIC ' || arguments[i];
			END IF;

			-- in a WHERE clause, folded by the planner, or called by the executor
			IF f.condition AND random() < 0.4 AND cardinality(arguments) > 0 THEN
				arguments[1] := 'id';
				call := format('SELECT count(*) FROM %s WHERE %s(%s)', one_of('plain', 'partitioned'),
					f.name,
							   array_to_string(arguments, ', '));
			ELSIF f.aggregate THEN
				call := format('SELECT %s(%s)::text FROM generate_series(1, 3)', f.name,
							   array_to_string(arguments, ', '));
			ELSIF random() < 0.5 OR nearly OR f.variadic THEN
				call := format('SELECT (%s(%s))::text', f.name, array_to_string(arguments, ', '));
			ELSE
				call := format('SELECT (%s(%s))::text FROM (SELECT %s OFFSET 0) v', f.name,
					(SELECT string_agg('a' || a, ', ' ORDER BY a)
						FROM generate_series(1, cardinality(arguments)) a),
					(SELECT string_agg(arguments[a] || ' AS a' || a, ', ' ORDER BY a)
					 FROM generate_series(1, cardinality(arguments)) a));
			END IF;

			BEGIN
				EXECUTE call INTO result;
				state := '00000';
				IF f.pure AND NOT f.condition AND length(result) < 200 THEN
					i := 1 + trunc(random() * 200);
					pool_types[i] := f.result;
					pool[i] := result;
				END IF;
			EXCEPTION WHEN OTHERS THEN
				state := SQLSTATE;
			END;
			INSERT INTO results VALUES (f.function, nearly, state, left(call, 300));
		END LOOP;
	END $$;
	SQL

# Words that mean something to the functions are in their own hints.
$node->safe_psql('noise', <<~'SQL');
	DO $$
	DECLARE
		f functions;
		hint text;
	BEGIN
		FOR f IN SELECT * FROM functions WHERE 'text'::regtype = ANY (types) LOOP
			BEGIN
				EXECUTE format('SELECT %s(%s)', f.name, (
					SELECT string_agg(CASE WHEN type = 'text'::regtype THEN '''no such'''
									  ELSE argument(type, '{0}', '{}', '{}') END, ', ' ORDER BY n)
					FROM unnest(f.types) WITH ORDINALITY t(type, n)));
			EXCEPTION WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS hint := PG_EXCEPTION_HINT;
				INSERT INTO words SELECT m[1], f.function FROM regexp_matches(hint, '"([^"]+)"', 'g') m;
			END;
		END LOOP;
	END $$;
	DELETE FROM words a USING words b WHERE (a.word, a.function) = (b.word, b.function) AND a.ctid > b.ctid;
	SQL
cmp_ok($node->safe_psql('noise', 'SELECT count(*) FROM words'), '>=', 10, "the functions' hints list words");
$node->safe_psql('noise',
	"DELETE FROM functions WHERE n % $parts <> $part; UPDATE functions SET n = (n - 1) / $parts + 1");

# A call that does not end would be a finding too.
my $timeout = $PostgreSQL::Test::Utils::timeout_default * (1 + int($calls / 100_000));
my @sessions = map { Session->new($node, '-d', $node->connstr('noise')) } 1 .. $sessions;
foreach my $n (0 .. $#sessions)
{
	$sessions[$n]->query("SET statement_timeout = '${timeout}s'");
	$sessions[$n]
	  ->begin(sprintf 'CALL noise(%.9f, %d)', ($seed + $n / $sessions) / 1_000_001, $calls / $sessions);
}
$_->result foreach @sessions;

# Each session warns once of a node that is as long as it may be.
my $few_bits =
  qr/^\S* ?WARNING:  a node of \d+ bits leaves (?:only \d+|no) random bits\nDETAIL:  .*\nHINT:  .*\n/m;
is(join('', map { $_->errors =~ s/$few_bits//r } @sessions), '', "no session has an error, $what");
$_->quit foreach @sessions;

my $query = sub { return $node->safe_psql('noise', $_[0]) };
is($query->('SELECT count(*) FROM results'), $calls, "all $calls calls were made, $what");

# With arguments of the right types, these are errors that the reference names: 22P02 of text that is parsed;
# with one order, 0A000 of custom layouts and of a horizon that wraps, 54000 of ticks that nodes use up, 55000
# of giving it up.  PostgreSQL 14 has shorter intervals.  Otherwise, PostgreSQL itself refuses the call: there
# is no such function, several, no conversion, no such number, time or interval, or * as an argument.
is($query->(<<~'SQL'), '', "there are only documented errors, $what");
	SELECT function, nearly, state, min(call) FROM results
	WHERE state NOT IN ('00000', '22023', '22008')
		AND NOT (state = '22P02' AND (nearly OR function::text LIKE '%text%'))
		AND NOT (state = '0A000' AND (call ILIKE '%custom%' OR call ILIKE '%v8_horizon(%''ntp64''%'))
		AND NOT (state = '54000' AND function::text LIKE 'uuid_generate_v8(%')
		AND NOT (state = '55000' AND function::text LIKE 'uuidnew_order_give_up(%')
		AND NOT (state = '22015' AND (nearly OR call LIKE '%::interval%'
			AND current_setting('server_version_num')::int < 150000))
		AND NOT (nearly AND state IN ('42883', '42804', '42846', '42725', '22003', '22007', '22009',
			'42809', '42601'))
	GROUP BY 1, 2, 3
	SQL
is($query->(<<~'SQL'), '', "each function is called often, and not in vain, $what");
	SELECT function FROM functions
		LEFT JOIN (SELECT function, count(*) AS calls,
					 count(*) FILTER (WHERE state = '00000' AND NOT nearly) AS right_calls
			  FROM results GROUP BY 1) counts USING (function)
	WHERE coalesce(calls, 0) < (SELECT count(*) FROM results) / (SELECT count(*) FROM functions) / 2
		OR right_calls < calls / 100.0 AND function::text NOT LIKE 'uuidnew_order_give_up(%'
	SQL
note $query->('SELECT nearly, state, count(*) FROM results GROUP BY 1, 2 ORDER BY 1, 2');

unlike(
	slurp_file($node->logfile),
	qr/was terminated|TRAP|PANIC|exited with|terminating connection/,
	"nothing crashes, $what");

done_testing();
