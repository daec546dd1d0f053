# A database that has a cast, operators or aggregates of these types of its own keeps them: the extension
# is created beside them with a notice for each, its other objects work, and a dump of the database is
# restored.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server qw(start_server);
use Dumps;

my $node = start_server();

sub ask
{
	my ($database, $sql) = @_;
	return $node->safe_psql($database, $sql);
}

# Creates the extension, as a user, and returns its messages.
sub messages_of_create
{
	my ($database, $user) = @_;
	my (undef, undef, $messages) =
	  $node->psql($database, 'CREATE EXTENSION uuidnew', extra_params => [ $user ? ('-U', $user) : () ]);
	return join "\n", sort split /\n/, $messages =~ s/^psql:\S* //mgr;
}

# Own objects: how the dump names them, how they are created, and what shows that they are used
my @objects = (
	[
		'CAST (uuid AS timestamptz)',
		q{CREATE FUNCTION own_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE
			AS $$SELECT timestamptz '2001-01-01 00:00+00'$$;
		CREATE CAST (uuid AS timestamptz) WITH FUNCTION own_time(uuid)},
		q{uuidv7()::timestamptz = '2001-01-01 00:00+00'}
	],
	map {
		my ($operator, $type, $value) = @$_;
		[
			"OPERATOR public.$operator (uuid, $type)",
			"CREATE OPERATOR public.$operator (LEFTARG = uuid, RIGHTARG = $type, FUNCTION = own_null)",
			"(uuidv7() $operator $value) IS NULL"
		]
	} (map { [ $_, 'timestamptz', 'now()' ] } qw(< <= >= >)),
	[ '<@', 'tstzrange', 'tstzrange(NULL, NULL)' ]);
my $own_null = join "\n", map {
	"CREATE FUNCTION own_null(uuid, $_) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT NULL::boolean';"
} qw(timestamptz tstzrange);

# PostgreSQL 19 has min(uuid) and max(uuid).
foreach my $name (
	ask('postgres', q{SELECT to_regprocedure('pg_catalog.min(uuid)') IS NULL}) eq 't' ? qw(min max) : ())
{
	push @objects, [
		"AGGREGATE public.$name(uuid)",
		"CREATE FUNCTION own_$name(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS 'SELECT \$1';
		CREATE AGGREGATE public.$name(uuid) (SFUNC = own_$name, STYPE = uuid,
			INITCOND = '11111111-1111-1111-1111-111111111111')",
		"(SELECT $name(uuidv7())) = '11111111-1111-1111-1111-111111111111'"
	];
}

# The number of the extension's objects
my $members = q{SELECT count(*) FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'};
is(messages_of_create('postgres'), '', 'a database without own objects gets no notice');
my $all_members = ask('postgres', $members);

# All of them, and one alone
foreach my $case ([ 'all', @objects ], [ 'one', $objects[2] ])
{
	my ($name, @own) = @$case;
	ask('postgres', 'CREATE DATABASE own');
	ask('own', join ";\n", $own_null, map { $_->[1] } @own);
	my @notices =
	  map { 'NOTICE:  ' . ($_->[0] =~ s/^(\w+) (?:public\.)?/lc($1) . ' '/er) . ' exists and is kept' } @own;
	is( messages_of_create('own'),
		join("\n", sort @notices),
		"own $name: a notice names each object that is kept");
	is(ask('own', $members), $all_members - @own, "own $name: the other objects are created");
	my $use = 'SELECT ' . join ', ', map { $_->[2] } @own;
	my $used = join '|', ('t') x @own;
	is(ask('own', $use), $used, "own $name: the own objects are used");
	ask('own', <<~'SQL');
		CREATE TABLE events (id uuid PRIMARY KEY,
			at timestamptz GENERATED ALWAYS AS (uuidv7_timestamp(id)) STORED);
		INSERT INTO events SELECT uuidv7_at('2026-01-01 00:00+00'::timestamptz + n * interval '1 day')
		FROM generate_series(0, 9) n;
		CREATE VIEW early AS SELECT id FROM events WHERE uuidv7_before(id, '2026-01-04 00:00+00');
		SQL

	# the dump creates the extension first, and then what is the database's own
	dump_of($node, 'own');
	ask('postgres', 'CREATE DATABASE restored');
	ask('restored', join ";\n",
		'CREATE EXTENSION uuidnew',
		map { "ALTER EXTENSION uuidnew DROP $_->[0]; DROP $_->[0]" } @own);
	restore($node, 'own', $node, 'restored');
	is(ask('restored', $use), $used, "own $name: the restored database uses its own objects");
	is(ask('restored', 'SELECT count(*) FROM early'), '3', "own $name: restored views have their rows");

	ask('own', 'DROP EXTENSION uuidnew CASCADE');
	is(ask('own', "SET client_min_messages = error; CREATE EXTENSION uuidnew; $use"),
		$used, "own $name: the own objects stay when the extension is dropped");
	ask('postgres', 'DROP DATABASE own');
	ask('postgres', 'DROP DATABASE restored');
}

# Functions, procedures and temporary aggregates of these names are not kept as aggregates of the database.
is( ask('postgres', <<~'SQL'),
	DROP EXTENSION uuidnew;
	CREATE SCHEMA other;
	CREATE FUNCTION other.min(uuid) RETURNS uuid LANGUAGE sql RETURN $1;
	CREATE PROCEDURE other.max(uuid) LANGUAGE sql AS 'SELECT 1';
	CREATE FUNCTION other.first(uuid, uuid) RETURNS uuid LANGUAGE sql RETURN $1;
	CREATE AGGREGATE pg_temp.max(uuid) (SFUNC = other.first, STYPE = uuid);
	CREATE EXTENSION uuidnew;
	SELECT count(*) FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	SQL
	$all_members,
	'the aggregates are created beside functions of these names');

# A role that owns the database, and is no superuser, may do the same.
ask('postgres', 'CREATE ROLE owner LOGIN; CREATE DATABASE own OWNER owner');
ask('own', "GRANT CREATE ON SCHEMA public TO owner; SET ROLE owner; $own_null $objects[1][1]");
is( messages_of_create('own', 'owner'),
	'NOTICE:  operator < (uuid, timestamptz) exists and is kept',
	'the owner of a database creates the extension beside an operator');

done_testing();
