# Whatever another user has planted, no function finds a name through a search
# path, and no script of the extension takes it for its own.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(product);
use Test::More;

use lib $FindBin::RealBin;
use Server qw(start_server);
use Session;

my $node = start_server();
$node->safe_psql('postgres', $_)
  for (map { "CREATE ROLE $_ LOGIN" } qw(boss clerk mallory)),
  map { "CREATE DATABASE $_ OWNER boss" } qw(trap early late);

sub ask
{
	my ($database, $user, $query) = @_;
	return $node->Session::answer($database, $query, $user);
}

# Each is called with every combination of these arguments.
my %samples = (
	uuid => [
		'c232ab00-9414-11ec-b3c8-9f6bdeced846', '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
		'06955b90-0123-7abc-8fff-0123456789ab', '20260203-0405-8067-8fff-0123456789ab'
	],
	timestamptz => [ '2026-02-03 04:05:06.789012+00', '1970-01-01 00:00:00+00' ],
	text => ['06955b90-0000-7000-8000-000000000000'],
	bytea => [ '\x0123', '\x000102030405060708090a0b0c0d0e0f' ],
	bool => ['true'],
	interval => ['1 hour'],
	macaddr => ['08:00:2b:01:02:03'],
	map { $_ => [ '1', '8' ] } qw(int2 int4 int8 float8 numeric));

# Calls of each function: where there are many, the first, and then one in a prime, so that values of all
# arguments come; all of them in a soak
sub calls
{
	my ($schema, @functions) = @_;
	my @calls;

	for (@functions)
	{
		my ($name, $volatility, $types) = @$_;

		# what differs from call to call is at least not NULL
		my $result = $volatility eq 'v' ? 'IS NOT NULL' : '';
		my @arguments = map {
			my $type = $_;
			my $values = $samples{ $type =~ s/.*\.//r };
			[ map { "${_}::$type" } $values ? map { "'$_'" } @$values : 'NULL' ]
		} split /,/, $types;
		my $count = product(map { scalar @$_ } @arguments);
		my $one_in = $ENV{UUIDNEW_SOAK} ? 1 : $count < 5000 ? 37 : 101;

		for (my $n = 0; $n < $count; $n += $n < 7 ? 1 : $one_in - $n % $one_in)
		{
			my $rest = $n;
			my @values;
			for my $of (reverse @arguments)
			{
				unshift @values, $of->[ $rest % @$of ];
				$rest = int($rest / @$of);
			}
			push @calls, "SELECT ($schema.$name(" . join(', ', @values) . ") $result)::pg_catalog.text";
		}
	}
	return @calls;
}

# The results of many calls, or their SQLSTATEs, in lines that begin with the
# call; with each the hint.  In here no name depends on the search path.
my $answers = <<~'SQL';
	CREATE FUNCTION app.answers(calls pg_catalog.text[]) RETURNS SETOF pg_catalog.text
	LANGUAGE plpgsql AS $$
	DECLARE
		call pg_catalog.text;
		answer pg_catalog.text;
		hint pg_catalog.text;
	BEGIN
		FOREACH call IN ARRAY calls LOOP
			hint := '';
			BEGIN
				EXECUTE call INTO answer;
			EXCEPTION WHEN OTHERS THEN
				answer := SQLSTATE;
				GET STACKED DIAGNOSTICS hint := PG_EXCEPTION_HINT;
			END;
			RETURN NEXT pg_catalog.concat_ws(' -> ', call, answer, hint);
		END LOOP;
	END $$;
	SQL

sub answers
{
	my ($database, $user, $settings, @calls) = @_;
	my ($result, $stdout, $errors) = $node->psql(
		$database,
		"$settings;\nSELECT * FROM app.answers(ARRAY["
		  . join(', ', map { '$call$' . $_ . '$call$' } @calls) . ']);',
		extra_params => [ '-U', $user ]);

	is($errors, '', "$database: calls of $user end without an error");
	return $stdout;
}

is( ask('trap', 'boss', <<~'SQL' . $answers),
	CREATE SCHEMA keys;
	CREATE EXTENSION uuidnew SCHEMA keys;
	CREATE SCHEMA app;
	GRANT USAGE ON SCHEMA keys, app TO PUBLIC;
	GRANT CREATE ON DATABASE trap TO mallory;
	SET search_path = keys;
	-- what does depend on it
	CREATE FUNCTION app.a_function(ts timestamptz) RETURNS text
		LANGUAGE sql IMMUTABLE AS 'SELECT uuid_v7_min(ts)::text';
	CREATE FUNCTION app.an_operator(ts timestamptz) RETURNS text
		LANGUAGE sql AS $$SELECT (ts + interval '1 hour')::text$$;
	CREATE FUNCTION app.a_type(ts timestamptz) RETURNS text
		LANGUAGE sql AS $$SELECT '06955b90-0000-7000-8000-000000000000'::uuid$$;
	SQL
	'',
	'the extension is created in a schema of its own');

# All functions but those for the planner: name, volatility, types of arguments; is the result a text?
my @functions = map { [ split /\|/, $_, -1 ] } split /\n/, $node->safe_psql('trap', <<~'SQL');
	SELECT proname, provolatile, (
		SELECT string_agg(format('%I.%I', t.typnamespace::regnamespace, typname), ',' ORDER BY n)
		FROM unnest(proargtypes) WITH ORDINALITY arguments(oid, n) JOIN pg_type t USING (oid)),
		prorettype = 'text'::regtype
	FROM pg_proc p
		JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
	WHERE extname = 'uuidnew' AND 'internal'::regtype <> ALL (proargtypes)
	ORDER BY proname COLLATE "C", proargtypes
	SQL
cmp_ok(scalar(@functions), '>=', 35, 'the functions are found');

# Texts that they take are those that their own hints list.
my %words = map { $_ => 1 }
  map { /"(\w+)"/g } map { (split / -> /)[2] // () } split /\n/,
  answers('trap', 'boss', '', calls('keys', @functions));
cmp_ok(scalar(keys %words), '>=', 10, 'the hints list words');
push @{ $samples{text} }, sort keys %words;

# And what one function gives as text, another may take.
my %texts = map { $_->[1] => $_->[0] } grep { @$_ == 2 }
  map { [/^SELECT \(keys\.(\w+)\(.* -> ([^ ]{16,}) -> $/] } split /\n/,
  answers('trap', 'boss', '', calls('keys', grep { $_->[3] eq 't' } @functions));
push @{ $samples{text} }, sort keys %texts;

my @calls = calls('keys', @functions);
my @victims = map { "SELECT app.$_('2026-01-01 00:00:00+00')" } qw(a_function an_operator a_type);
my $expected = answers('trap', 'boss', 'SET search_path = keys', @calls, @victims);
my $others = $expected =~ s/\n(SELECT app\..*)//s ? $1 : '';
my @expected = split /\n(?=SELECT \()/, $expected;
is(scalar(@expected), scalar(@calls), 'each call has an answer');

for (@functions)
{
	my ($name, undef, $types) = @$_;
	my $arguments = join ', ', map { "'?[^',]*'?::\Q$_\E" } split /,/, $types;

	like($expected, qr/\.$name\($arguments\) .* -> (?![0-9A-Z]{5} -> .*$)/m, "$name($types) gives a result");
}
is( $others =~ s/.* -> (.*) -> /$1/gmr,
	"06955b90-0000-7000-8000-000000000000\n2026-01-01 01:00:00+00\n06955b90-0000-7000-8000-000000000000",
	'what depends on the search path gives a result too');

# All of core's functions and operators on plain types, those of the extension,
# and some types: as another user can plant them, where the name is found first.
is( ask('trap', 'mallory', <<~'SQL'),
	CREATE SCHEMA evil;
	CREATE SCHEMA types;
	GRANT USAGE ON SCHEMA evil, types TO PUBLIC;
	DO $do$
	DECLARE
		plain regtype[] := '{uuid,timestamptz,timestamp,date,interval,text,varchar,name,bytea,bool,int2,'
			'int4,int8,oid,float8,numeric,macaddr,regtype}';
		traps int := 0;
		trap constant text := 'CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql IMMUTABLE AS
			$f$ BEGIN RAISE EXCEPTION ''caught''; END $f$';
		result text;
		r record;
	BEGIN
		-- some names are in both schemas
		FOR r IN SELECT DISTINCT ON (proname, proargtypes) proname, prorettype,
						(SELECT string_agg(t::regtype::text, ',') FROM unnest(proargtypes) t) AS types
				 FROM pg_proc
				 WHERE pronamespace IN ('pg_catalog'::regnamespace, 'keys'::regnamespace)
					AND prokind = 'f' AND NOT proretset AND proargtypes::oid[] <@ plain::oid[]
					AND prorettype = ANY (plain || 'tstzrange'::regtype)
		LOOP
			EXECUTE format(trap, r.proname, r.types, r.prorettype::regtype);
			traps := traps + 1;
		END LOOP;
		FOR r IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result
				 FROM pg_operator
				 WHERE oprright = ANY (plain) AND (oprleft = 0 OR oprleft = ANY (plain))
					AND oprresult = ANY (plain)
		LOOP
			EXECUTE format(trap, 'trap_' || traps, concat_ws(',', nullif(r.l::oid, 0)::regtype, r.r),
				r.result);
			EXECUTE format(
				'CREATE OPERATOR evil.%s (FUNCTION = evil.trap_%s, %s RIGHTARG = %s)',
				r.oprname, traps, 'LEFTARG = ' || nullif(r.l::oid, 0)::regtype || ',', r.r);
			traps := traps + 1;
		END LOOP;
		IF traps < 1000 THEN
			RAISE 'only % traps', traps;
		END IF;
		FOREACH result IN ARRAY
			'{uuid,timestamptz,timestamp,interval,text,bytea,bool,int4,int8,macaddr}'::text[]
		LOOP
			EXECUTE format('CREATE TYPE types.%I AS ENUM (''caught'')', result);
		END LOOP;
		CREATE CAST (types.uuid AS pg_catalog.uuid) WITH INOUT AS IMPLICIT;
		CREATE CAST (pg_catalog.text AS types.uuid) WITH INOUT AS IMPLICIT;
	END $do$;
	SQL
	'',
	'traps are set');
$node->safe_psql('trap', <<~'SQL');
	CREATE TABLE app.orders (id uuid PRIMARY KEY DEFAULT keys.uuid_generate_v7()) PARTITION BY RANGE (id);
	CREATE TABLE app.orders_2025 PARTITION OF app.orders
		FOR VALUES FROM (MINVALUE) TO (keys.uuid_v7_min('2026-01-01'));
	CREATE TABLE app.orders_later PARTITION OF app.orders
		FOR VALUES FROM (keys.uuid_v7_min('2026-01-01')) TO (MAXVALUE);
	INSERT INTO app.orders
	SELECT keys.uuid_generate_v7_at(timestamptz '2025-12-31' + i * interval '1 hour')
	FROM generate_series(0, 71) i;
	ANALYZE app.orders;
	GRANT SELECT ON ALL TABLES IN SCHEMA app TO PUBLIC;
	CREATE INDEX ON app.orders (keys.uuid_v7_timestamp(id));
	SQL

my $planted = <<~'SQL';
	CREATE TYPE pg_temp.uuid AS ENUM ('caught');
	CREATE TYPE pg_temp.timestamptz AS ENUM ('caught');
	CREATE TYPE pg_temp.text AS ENUM ('caught');
	CREATE FUNCTION pg_temp.uuid_v7_min(pg_catalog.timestamptz) RETURNS pg_catalog.uuid
		LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
	SQL
for (
	# who finds what, and what becomes of those that depend on it
	[ 'evil, keys, pg_catalog', 'P0001', 'P0001', 'its own' ],
	[ 'types, keys, pg_catalog', '42846', '42846', '22P02' ],
	[ 'pg_temp, evil, pg_catalog', '42846', '42846', '22P02' ],
	[ 'nowhere', '42883', 'its own', 'its own' ])
{
	my ($path, @fate) = @$_;
	my $set = ($path =~ /pg_temp/ ? $planted : '') . "SET search_path = $path";

	my $given = answers(
		'trap', 'clerk', $set . q{;
SET enable_seqscan = off;
SELECT pg_catalog.count(*) FROM app.orders
WHERE keys.uuid_v7_between(id, '2025-12-31 12:00:00+00', '2026-01-02 00:00:00+00');
SELECT pg_catalog.count(*) FROM app.orders
WHERE keys.uuid_v7_between(id, '2025-12-31 12:00:00+00', pg_catalog.now(), 'microsecond')},
		@calls, @victims);
	my $windows = $given =~ s/\A(\d+\n\d+)\n// ? $1 : $given;
	$others = $given =~ s/\n(SELECT app\..*)//s ? $1 : '';

	is_deeply([ split /\n/, $given ], \@expected, "no function depends on the search path $path");
	is( $others =~ s/.* -> (?:([0-9A-Z]{5})|.*) -> .*/$1 || 'its own'/gemr,
		join("\n", @fate),
		"what depends on the search path finds what is planted: $path");
	is($windows, "36\n60", "windows are planned without what is planted: $path");
}

# Other than by its name in the library, or when it was created, no function is
# to find what it calls.
$node->safe_psql('trap', 'CREATE EXTENSION uuidnew_tables');
is( $node->safe_psql('trap', <<~'SQL'),
	SELECT p.oid::regprocedure FROM pg_proc p
		JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
		JOIN pg_language l ON l.oid = prolang
	WHERE extname ^@ 'uuidnew' AND lanname NOT IN ('c', 'internal') AND prosqlbody IS NULL
		AND NOT coalesce(proconfig::text LIKE '%search_path%', false)
		-- one that commits sets it first of all
		AND NOT (lanname = 'plpgsql'
			AND substring(prosrc FROM 'BEGIN\s+(\S[^\n]*)') =
				$$PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);$$)
	SQL
	'',
	'bodies in SQL are bound to what they call');

# What waits in a schema before the extension is created there: functions that
# are called in nearly the same way.
$node->safe_psql('early',
		"CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO PUBLIC;\n"
	  . 'GRANT CREATE ON SCHEMA public TO PUBLIC, mallory');
$node->safe_psql('early', $answers);
my %own = map { $_->[0] . '(' . $_->[2] . ')' => 1 } @functions;
my %planted;
for (@functions)
{
	my ($name, undef, $types) = @$_;

	for my $arguments (
		$types =~ s/pg_catalog\.text/varchar/r,
		$types =~ s/pg_catalog\.text$/VARIADIC text[]/r,
		$types =~ s/pg_catalog\.\w+/anyelement/r,
		"$types,pg_catalog.int4" =~ s/^,//r, '')
	{
		my $signature = "$name($arguments)";
		$planted{$signature} =
			"CREATE FUNCTION public.$name($arguments) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS "
		  . "\$\$ BEGIN RAISE EXCEPTION 'caught'; END \$\$;\n"
		  if !$own{$signature};
	}
}
cmp_ok(scalar(keys %planted), '>', 50, 'there are functions of all names');
is(ask('early', 'mallory', join('', values %planted)), '', 'functions are planted early');
is(ask('early', 'boss', 'CREATE EXTENSION uuidnew SCHEMA public'),
	'', 'the extension is created where functions are planted');

my ($calls, $wanted) = map {
	[ map { s/\bkeys\./public./gr } @$_ ]
} \@calls, \@expected;
is_deeply([ split /\n/, answers('early', 'boss', '', @$calls) ],
	$wanted, 'functions of the new extension call each other');

# What the script calls itself, as a superuser: functions and operators that are
# called in the same way, or nearly so.
$node->safe_psql('early', 'DROP EXTENSION uuidnew');
my @arguments =
  ('text, name', 'text, name, text', 'VARIADIC text[]', map { join ', ', ('text') x $_ } 1 .. 6);
my (@functions_there, @operators);
foreach my $name (qw(format to_regprocedure to_regproc quote_ident quote_literal concat))
{
	push @functions_there, map { "public.$name($_) RETURNS text" } @arguments;
}
foreach my $types (
	'oid, regnamespace',
	'name, text',
	'text, text',
	'oid, oid',
	'text, regnamespace',
	'regprocedure, regprocedure',
	'anyelement, anyelement',
	'"char", text',
	'oid, regclass')
{
	my ($left, $right) = split /, /, $types;
	push @functions_there, "public.trap($types) RETURNS boolean";
	push @operators,
	  map { "public.$_ (FUNCTION = public.trap, LEFTARG = $left, RIGHTARG = $right)" } qw(= <> ||);
}
my $trap = q{LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'caught, as %', current_user; END $$};
my $script = join ";\n", (map { "CREATE FUNCTION $_ $trap" } @functions_there),
  map { "CREATE OPERATOR $_" } @operators;
is(ask('early', 'mallory', $script), '', 'functions and operators that the script might call are planted');
is(ask('early', 'boss', 'CREATE EXTENSION uuidnew SCHEMA public; DROP EXTENSION uuidnew'),
	'', 'the script calls no planted function');
$node->safe_psql('late', 'GRANT CREATE ON SCHEMA public TO PUBLIC, mallory');

# Where an object of the same name and arguments is in the way, the extension is not created, rather
# than with another role's function.
for my $object (
	'FUNCTION public.uuidv7()',
	'FUNCTION public.uuid_v7_min(timestamptz, text)',
	'PROCEDURE public.uuidv7_min(timestamptz)',
	'AGGREGATE public.uuidv7_max(timestamptz)')
{
	my $end =
		$object =~ /^FUNCTION/ ? 'RETURNS uuid LANGUAGE sql RETURN NULL::uuid'
	  : $object =~ /^PROCEDURE/ ? q{LANGUAGE sql AS ''}
	  : '(SFUNC = timestamptz_larger, STYPE = timestamptz)';

	is(ask('late', 'mallory', "CREATE $object $end"), '', "$object is there first");
	is(ask('late', 'boss', 'CREATE EXTENSION uuidnew SCHEMA public'),
		'42723', "the extension is not created beside $object");
	ask('late', 'mallory', "DROP $object");
}

done_testing();
