# uuidnew_tables as an extension: who may create it, and in which schema; beside uuidnew or without it; its
# dump; how its script is written; and that no function of another role is called in place of its own.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node();
make('CREATE ROLE boss LOGIN; CREATE ROLE mallory LOGIN; CREATE ROLE clerk LOGIN');
make("CREATE DATABASE $_ OWNER boss") for qw(owned restored again squatted);
make('GRANT CREATE ON DATABASE squatted TO mallory');

# What psql gives a user, or the SQLSTATE of the error
sub answer
{
	my ($database, $user, $sql) = @_;
	return $node->Session::answer($database, $sql, $user);
}

#
# How it is written
#
my $script = join '', map { slurp_file($_) } glob "$FindBin::Bin/../../tables/{*,*/*}.sql";
unlike(
	$script,
	qr/\@extschema|^\\|OR REPLACE (?:FUNCTION|PROCEDURE) uuidnew_tables/m,
	'psql can run the script, which replaces nothing');

# transactions of procedures begin with their search_path
my $set = q{PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);};
my @commits = $script =~ /\bCOMMIT;/g;
cmp_ok(scalar(@commits), '>=', 2, 'there are procedures that commit');
my @without = grep { !/\A(?:\s|--.*)*\Q$set\E/ } $script =~ /\bCOMMIT;(?:\s*--[^\n]*)?(.{120})/sg;
is("@without", '', 'they set their search_path again after each COMMIT');
#
# Who may create it, and where
#
is(answer('owned', 'boss', 'CREATE SCHEMA mine'), '', 'there is another schema');
is(answer('owned', 'boss', 'CREATE EXTENSION uuidnew_tables SCHEMA mine'),
	'0A000', 'no schema but its own is accepted');
is(answer('owned', 'clerk', 'CREATE EXTENSION uuidnew_tables'),
	'42501', 'a user without CREATE on the database may not create it');
is(answer('owned', 'boss', 'CREATE EXTENSION uuidnew_tables'), '', 'the owner of the database may');
is( answer('owned', 'boss', <<~'SQL'),
	SELECT extowner::regrole, nspname, nspowner::regrole, has_schema_privilege('clerk', nspname, 'USAGE')
	FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
	WHERE extname = 'uuidnew_tables';
	SELECT count(*) > 30, count(*) FILTER (WHERE proowner <> 10 OR prosecdef OR proacl IS NOT NULL)
	FROM pg_proc WHERE pronamespace = 'uuidnew_tables'::regnamespace
	SQL
	"boss|uuidnew_tables|boss|t\nt|0",
	q{it is hers, in the schema that it makes, and its functions are the superuser's, for everyone});
is(answer('owned', 'boss', 'ALTER EXTENSION uuidnew_tables SET SCHEMA mine'), '0A000', 'it cannot be moved');

make('CREATE ROLE admin SUPERUSER LOGIN');
foreach my $role ('boss', 'admin')
{
	is(answer('squatted', 'mallory', 'CREATE SCHEMA uuidnew_tables'), '', 'another role makes the schema');
	is(answer('squatted', $role, 'CREATE EXTENSION uuidnew_tables'), '42501', "it is refused to $role");
	is(answer('squatted', 'mallory', 'DROP SCHEMA uuidnew_tables'), '', 'the schema is dropped');
	is(answer('squatted', $role, 'CREATE SCHEMA uuidnew_tables; CREATE EXTENSION uuidnew_tables'),
		'', "$role may make the schema before");
	is(answer('squatted', $role, 'DROP EXTENSION uuidnew_tables; DROP SCHEMA uuidnew_tables'),
		'', 'which stays when the extension is dropped, and is empty');
}
is(answer('squatted', 'admin', 'CREATE SCHEMA uuidnew_tables'), '', 'a superuser makes the schema');
is(answer('squatted', 'boss', 'CREATE EXTENSION uuidnew_tables'), '', 'for the owner of the database');

#
# Without uuidnew; and its dump
#
my $log = <<~'SQL';
	SELECT count(*) FILTER (WHERE since <= now() AND until > now()), count(*)
	FROM uuidnew_tables.partitions('log')
	SQL
is(answer('owned', 'boss', <<~SQL), '1|4', 'it creates partitions where uuidnew is not');
	SET client_min_messages = warning;
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT gen_random_uuid()) PARTITION BY RANGE (id);
	CALL uuidnew_tables.create_partitions('log', 'month', '3 months');
	GRANT SELECT ON log TO clerk;
	$log
	SQL
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
foreach ([ 'restored', 'boss', '-x' ], [ 'again', 'admin', '-O' ])
{
	my ($database, $role, $option) = @$_;
	$node->command_ok([ 'pg_dump', $option, '-f', $dump, '-d', $node->connstr('owned') ], "a dump: $option");
	is(answer($database, $role, "\\i $dump"), '', "is restored by $role") or diag(slurp_file($dump));
	is(answer($database, $role, $log), '1|4', 'with its partitions');
	is(answer($database, 'clerk', q{SELECT count(*) FROM uuidnew_tables._partition_bounds(0)}),
		'0', 'and everyone may call its functions');
}

#
# Functions of nearly the same arguments that another role has put into the schema
#
my %nearer = (
	text => [ 'varchar', 'name', '"char"', 'anyelement' ],
	name => [ 'text', 'varchar', 'anyelement' ],
	regclass => [ 'oid', 'text', 'regtype', 'anyelement' ],
	'regclass[]' => [ 'oid[]', 'text[]', 'anyarray' ],
	regrole => [ 'oid', 'text', 'anyelement' ],
	'aclitem[]' => [ 'text[]', 'anyarray' ],
	'text[]' => [ 'varchar[]', 'name[]', 'anyarray' ],
	uuid => [ 'text', 'anyelement' ],
	jsonb => [ 'json', 'text', 'anyelement' ],
	boolean => [ 'text', 'anyelement' ],
	bigint => [ 'integer', 'smallint', 'numeric', 'anyelement' ],
	integer => [ 'bigint', 'smallint', 'oid', 'numeric', 'anyelement' ],
	interval => [ 'text', 'time', 'anyelement' ],
	'timestamp with time zone' => [ 'timestamp', 'date', 'text', 'anyelement' ]);
my %planted;
foreach (split /\n/, ask(<<~'SQL'))
	SELECT p.proname, p.prokind, p.pronargdefaults,
		(SELECT string_agg(t::regtype::text, ',' ORDER BY n)
			FROM unnest(proargtypes) WITH ORDINALITY a(t, n))
	FROM pg_proc p
	WHERE pronamespace = 'uuidnew_tables'::regnamespace
	SQL
{
	my ($name, $kind, $defaults, $types) = split /\|/;
	my @types = split /,/, $types;
	my $end = $kind eq 'p' ? '' : 'RETURNS text';
	my @variants = map { [ @types[ 0 .. $#types - $_ ] ] } 1 .. $defaults;
	foreach my $n (0 .. $#types)
	{
		push @variants,
		  map { my @of = @types; $of[$n] = $_; \@of } @{ $nearer{ $types[$n] } // die $types[$n] };
	}
	push @variants, [ @types, 'VARIADIC text[]' ];
	$planted{"$name(@$_)"} =
		($kind eq 'p' ? 'PROCEDURE' : 'FUNCTION')
	  . " uuidnew_tables.$name("
	  . join(', ', @$_)
	  . qq{) $end LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'caught \%', '$name(@$_)'; END \$\$}
	  for @variants;
}
cmp_ok(scalar(keys %planted), '>', 300, 'there are nearer functions');
make('GRANT ALL ON SCHEMA uuidnew_tables TO mallory');
is(ask(join(";\n", map { "CREATE $_" } values %planted), '-U', 'mallory'), '', 'another role plants them');

anew(<<~'SQL');
	CREATE TABLE trips (id uuid PRIMARY KEY DEFAULT uuidv7(), n int) PARTITION BY RANGE (id);
	CREATE TABLE trips_rest PARTITION OF trips DEFAULT;
	INSERT INTO trips SELECT uuidv7_at(now() - n * interval '20 days') FROM generate_series(0, 9) n;
	CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text);
	INSERT INTO log SELECT FROM generate_series(1, 100);
	CREATE TABLE jobs (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, made timestamptz DEFAULT now());
	CREATE TABLE runs (job int NOT NULL REFERENCES jobs ON DELETE CASCADE);
	INSERT INTO jobs SELECT FROM generate_series(1, 100);
	INSERT INTO runs SELECT id FROM jobs
	SQL
my $created = said(<<~'SQL');
	CALL uuidnew_tables.create_partitions('trips'::regclass, 'month'::text, interval '2 months', 'UTC'::text,
		false)
	SQL
unlike($created, qr/caught|ERROR/, 'none is called to create partitions and to move rows');
like($created, qr/with [1-9] rows/, 'which are moved');
unlike(said(<<~'SQL'), qr/caught|ERROR|kept partition/, 'nor to drop partitions');
	CALL uuidnew_tables.drop_partitions('trips'::regclass, interval '40 days', false, false)
	SQL
like(ask(q{SELECT count(*) FROM uuidnew_tables.partitions('trips'::regclass)}),
	qr/^[4-7]$/, 'nor to list them');
my $partitioning = q{uuidnew_tables.partitioning_steps('log'::regclass, now() + interval '2 months')};
is(run_phase($partitioning, $_), '', "nor to partition a table: $_") for qw(prepare swap);
my $rekeying = q{uuidnew_tables.rekey_steps('jobs'::regclass, 'uuidv7_at(made)'::text, 'uuidv7()'::text,
	current_setting('search_path'))};
is(run_phase($rekeying, $_), '', "nor for new keys: $_") for qw(prepare swap undo undo prepare swap finish);
is(ask('SELECT pg_typeof(job), count(*) FROM runs JOIN jobs ON job = id GROUP BY 1'),
	'uuid|100', 'which are there');

$node->stop;
done_testing();
