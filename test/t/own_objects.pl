# A database that has a cast, operators or aggregates of these types of its own keeps them: the extension
# is created beside them with a notice for each, its other objects work, and a dump of the database is
# restored.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off\nautovacuum = off");
$node->start;
my $core_has_min =
  $node->safe_psql('postgres', q{SELECT to_regprocedure('pg_catalog.min(uuid)') IS NOT NULL}) eq 't';

# psql's status, output, and messages without the places before them
sub run
{
	my ($database, $sql) = @_;
	my ($status, $out, $err) = $node->psql($database, $sql, on_error_stop => 1);
	return ($status, $out, $err =~ s/^psql:\S* //mgr);
}

sub ask
{
	my ($database, $sql) = @_;
	return $node->safe_psql($database, $sql);
}

# Own objects: how they are created, the notice, what shows that they are still there, and what takes the
# extension's out of the way of a dump
my $own = q{CREATE FUNCTION own_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE
	AS $$SELECT timestamptz '2001-01-01 00:00+00'$$};
my $drop_member = sub { "ALTER EXTENSION uuidnew DROP $_[0]; DROP $_[0]" };
my %objects = (
	cast => {
		create => "$own; CREATE CAST (uuid AS timestamptz) WITH FUNCTION own_time(uuid)",
		notices => ['cast (uuid AS timestamptz) exists and is kept'],
		use => 'SELECT uuidv7()::timestamptz',
		gives => '2001-01-01 00:00:00+00',
		remedy => $drop_member->('CAST (uuid AS timestamptz)')
	},
	'cast of text' => {
		create => 'CREATE CAST (uuid AS timestamptz) WITH INOUT',
		notices => ['cast (uuid AS timestamptz) exists and is kept'],
		use => q{SELECT count(*) FROM pg_cast WHERE castsource = 'uuid'::regtype AND casttarget
			= 'timestamptz'::regtype AND castmethod = 'i'},
		gives => '1',
		remedy => $drop_member->('CAST (uuid AS timestamptz)')
	},
	(   map {
			my $operator = $_;
			(   "operator $operator" => {
					create =>
					  "CREATE FUNCTION own_compare(uuid, timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE
						AS 'SELECT NULL::boolean'; CREATE OPERATOR public.$operator (LEFTARG = uuid,
							RIGHTARG = timestamptz, FUNCTION = own_compare)",
					notices => ["operator $operator (uuid, timestamptz) exists and is kept"],
					use => "SELECT (uuidv7() $operator now()) IS NULL",
					gives => 't',
					remedy => $drop_member->("OPERATOR public.$operator (uuid, timestamptz)")
				})
		} '<',
		'<=', '>=',
		'>'),
	'operator <@' => {
		create => q{CREATE FUNCTION own_within(uuid, tstzrange) RETURNS boolean LANGUAGE sql IMMUTABLE
			AS 'SELECT NULL::boolean'; CREATE OPERATOR public.<@ (LEFTARG = uuid, RIGHTARG = tstzrange,
				FUNCTION = own_within)},
		notices => ['operator <@ (uuid, tstzrange) exists and is kept'],
		use => q{SELECT (uuidv7() <@ tstzrange(NULL, NULL)) IS NULL},
		gives => 't',
		remedy => $drop_member->('OPERATOR public.<@ (uuid, tstzrange)')
	});
foreach my $name ($core_has_min ? () : ('min', 'max'))
{
	$objects{$name} = {
		create => "CREATE FUNCTION own_$name(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE
			AS 'SELECT \$1'; CREATE AGGREGATE public.$name(uuid) (SFUNC = own_$name, STYPE = uuid,
				INITCOND = '11111111-1111-1111-1111-111111111111')",
		notices => ["aggregate $name(uuid) exists and is kept"],
		use => "SELECT $name(uuidv7())",
		gives => '11111111-1111-1111-1111-111111111111',
		remedy => $drop_member->("AGGREGATE public.$name(uuid)")
	};
}
$objects{all} = {
	create => join(
		';', "$own",
		map { $objects{$_}{create} =~ s/\Q$own\E; //r =~ s/own_compare/own_compare_@{[ unpack 'H*', $_ ]}/gr }
		  grep { !/text/ } sort keys %objects),
	notices => [ map { @{ $objects{$_}{notices} } } grep { !/text/ } sort keys %objects ],
	use => $objects{cast}{use},
	gives => $objects{cast}{gives},
	remedy => join(';', map { $objects{$_}{remedy} } grep { !/text/ } sort keys %objects)
};

# What works beside them, whatever they are
my $tables = <<~'SQL';
	CREATE TABLE events (id uuid PRIMARY KEY,
		at timestamptz GENERATED ALWAYS AS (uuidv7_timestamp(id)) STORED);
	INSERT INTO events SELECT uuidv7_at('2026-01-01 00:00+00'::timestamptz + n * interval '1 day')
	FROM generate_series(0, 9) n;
	CREATE VIEW early AS SELECT id FROM events WHERE uuidv7_before(id, '2026-01-04 00:00+00');
	SQL
my $counts = q{SELECT (SELECT count(*) FROM early), (SELECT count(*) FROM events
	WHERE uuidv7_between(id, '2026-01-03 00:00+00', NULL)), (SELECT count(uuid_time(id)) FROM events)};

foreach my $name (sort keys %objects)
{
	my %object = %{ $objects{$name} };
	ask('postgres', 'CREATE DATABASE own');
	ask('own', $object{create});
	my ($status, undef, $messages) = run('own', 'CREATE EXTENSION uuidnew');
	is($status, 0, "own $name: the extension is created");
	is( join("\n", sort split /\n/, $messages),
		join("\n", sort map { "NOTICE:  $_" } @{ $object{notices} }),
		"own $name: a notice names each object that is kept");
	is(ask('own', $object{use}), $object{gives}, "own $name: the own object is used");
	ask('own', $tables);
	is(ask('own', $counts), '3|8|10', "own $name: the other objects of the extension work");

	# the dump creates the extension first, and then what is the database's own
	my $dump = $node->basedir . '/own.sql';
	$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('own') ], "own $name: the database is dumped");
	ask('postgres', 'CREATE DATABASE restored');
	ask('restored', "CREATE EXTENSION uuidnew; $object{remedy}");
	$node->command_ok(
		[ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr('restored') ],
		"own $name: the dump is restored where the object of the extension was dropped");
	is(ask('restored', $object{use}), $object{gives}, "own $name: the restored database uses its own object");
	is(ask('restored', $counts), '3|8|10', "own $name: restored tables and views have their rows");
	my $members =
	  q{SELECT count(*) FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'};
	is( ask('restored', $members),
		ask('own', $members),
		"own $name: the restored extension has as many objects");

	# the extension's own are not taken along
	ask('own', 'DROP EXTENSION uuidnew CASCADE');
	is(ask('own', "CREATE EXTENSION uuidnew; $object{use}"),
		$object{gives}, "own $name: the own object stays when the extension is dropped");
	ask('postgres', 'DROP DATABASE own');
	ask('postgres', 'DROP DATABASE restored');
}

# A database without any has no notice, and gets all.
my ($status, undef, $messages) = run('postgres', 'CREATE EXTENSION uuidnew');
is("$status $messages", '0 ', 'a database without own objects gets no notice');
is( ask('postgres', q{SELECT count(*) FROM pg_operator WHERE oprleft = 'uuid'::regtype
		AND oprright IN ('timestamptz'::regtype, 'tstzrange'::regtype)}),
	'5',
	'a database without own objects gets all operators');

# What is no aggregate of the database's is none to keep.
($status, undef, $messages) = run('postgres', <<~'SQL');
	DROP EXTENSION uuidnew;
	CREATE SCHEMA other;
	CREATE FUNCTION other.min(uuid) RETURNS uuid LANGUAGE sql RETURN $1;
	CREATE PROCEDURE other.max(uuid) LANGUAGE sql AS 'SELECT 1';
	CREATE FUNCTION other.first(uuid, uuid) RETURNS uuid LANGUAGE sql RETURN $1;
	CREATE AGGREGATE pg_temp.max(uuid) (SFUNC = other.first, STYPE = uuid);
	CREATE EXTENSION uuidnew;
	SQL
is("$status $messages", '0 ',
	'functions, procedures and temporary aggregates of these names cause no notice');
is( ask('postgres', q{SELECT min(id), max(id) FROM unnest('{a0000000-0000-0000-0000-000000000000,
	b0000000-0000-0000-0000-000000000000}'::uuid[]) id}),
	'a0000000-0000-0000-0000-000000000000|b0000000-0000-0000-0000-000000000000',
	'the aggregates are created beside functions of these names');

# A role that owns the database, and is no superuser, may do the same.
ask('postgres', 'CREATE ROLE owner LOGIN; CREATE DATABASE own OWNER owner');
ask('own', 'GRANT CREATE ON SCHEMA public TO owner');
my ($status_of_owner, undef, $error) = $node->psql(
	'own',
	"$objects{'operator <'}{create}; CREATE EXTENSION uuidnew",
	extra_params => [ '-U', 'owner' ],
	on_error_stop => 1);
is($status_of_owner, 0, 'the owner of a database creates the extension beside an operator') or diag($error);
is(ask('own', $objects{'operator <'}{use}), 't', 'the operator of the owner is kept');

$node->stop;
done_testing();
