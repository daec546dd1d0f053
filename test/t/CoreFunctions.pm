# A server that has the five functions of PostgreSQL 18 in core.  On one before 18 some stand in for
# them, with results that differ from the extension's.
package CoreFunctions;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use PostgreSQL::Test::Cluster;

use Session;

our @EXPORT = qw(ask missing_in_core start_node start_with_core $functions @five all_five);

my $marked = q{overlay(gen_random_uuid()::text PLACING 'c0dec0dec0de' FROM 25)};
my %core = (
	'uuidv4()' => "RETURNS uuid VOLATILE AS \$\$SELECT ${marked}::uuid\$\$",
	'uuidv7()' => "RETURNS uuid VOLATILE AS \$\$SELECT overlay($marked PLACING '7' FROM 15)::uuid\$\$",
	'uuidv7(shift interval)' =>
	  "RETURNS uuid VOLATILE STRICT AS \$\$SELECT overlay($marked PLACING '7' FROM 15)::uuid\$\$",
	'uuid_extract_timestamp(uuid)' => q{RETURNS timestamptz IMMUTABLE STRICT LEAKPROOF AS
		$$SELECT to_timestamp(978307200)$$},
	'uuid_extract_version(uuid)' => q{RETURNS smallint IMMUTABLE STRICT LEAKPROOF AS
		$$SELECT 99::smallint$$});

# ask(node, database, SQL [, user])
sub ask { return Session::answer(@_) }

# Which of the five a database lacks in core, each with the names of its arguments
sub missing_in_core
{
	my ($node, $database) = @_;
	return split /\n/,
	  $node->safe_psql(
		$database,
		join ' UNION ALL ',
		map { "SELECT '$_' WHERE to_regprocedure('pg_catalog." . s/shift //r . "') IS NULL" } sort keys %core
	  );
}

# A server with the library preloaded
sub start_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', <<~'CONF');
		shared_preload_libraries = 'uuidnew'
		timezone = 'UTC'
		jit = off
		autovacuum = off
		max_logical_replication_workers = 0
		shared_buffers = 16MB
		CONF
	$node->start;
	return $node;
}

# A server with all five in core, in the databases that are made from template0 from now on
sub start_with_core
{
	my ($name) = @_;
	my $node = start_node($name);

	$node->safe_psql(
		'postgres',
		join "\n",
		'ALTER DATABASE template0 ALLOW_CONNECTIONS true;',
		'\c template0',
		(   map {
					"CREATE FUNCTION pg_catalog.$_ $core{$_} LANGUAGE sql PARALLEL SAFE;\n"
				  . "COMMENT ON FUNCTION pg_catalog."
				  . s/shift //r
				  . " IS 'stands in for core''s';"
			} missing_in_core($node, 'postgres')),
		'\c postgres',
		'ALTER DATABASE template0 ALLOW_CONNECTIONS false');
	return $node;
}

# The functions of a schema that have core's names, if they are as they should be
our $functions = <<~'SQL';
	SELECT p.oid::regprocedure, obj_description(p.oid, 'pg_proc')
	FROM pg_proc p JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
		JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
			AND extname = 'uuidnew'
	WHERE proname IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp', 'uuid_extract_version')
		AND pronamespace = extnamespace AND proowner = 10 AND NOT prosecdef AND probin LIKE '%uuidnew'
	ORDER BY proname COLLATE "C", pronargs
	SQL

# Each of them, and its comment
our @five = (
	[ 'uuid_extract_timestamp(uuid)', 'extract timestamp from UUID' ],
	[ 'uuid_extract_version(uuid)', 'extract version from RFC 9562 UUID' ],
	[ 'uuidv4()', 'generate UUID version 4' ],
	[ 'uuidv7()', 'generate UUID version 7' ],
	[ 'uuidv7(interval)', 'generate UUID version 7 with a timestamp shifted by specified interval' ]);

# What $functions gives if all are there
sub all_five
{
	my ($schema) = @_;
	return join "\n", map { "$schema.$_->[0]|$_->[1]" } @five;
}

1;
