# What the tests of the figures and tables in doc/layouts.md share.
package Figures;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw($page bits_of flipped query start_node uuid_of);

our $page = slurp_file("$FindBin::Bin/../../doc/layouts.md");

# start_node(setting...)
my $node;

sub start_node
{
	$node = PostgreSQL::Test::Cluster->new('main');
	$node->init;
	$node->append_conf('postgresql.conf', join '', map { "$_\n" } @_);
	$node->start;
	$node->safe_psql('postgres', <<~'SQL');
		CREATE EXTENSION uuidnew;

		-- what an expression of "id" gives; errors are a result too
		CREATE FUNCTION result(expression text, id text, type text) RETURNS text LANGUAGE plpgsql AS $$
		DECLARE
			value text;
		BEGIN
			EXECUTE format('SELECT (%s)::text FROM (SELECT %L::%s AS id) given', expression, id, type)
				INTO value;
			RETURN coalesce(value, 'NULL');
		EXCEPTION WHEN OTHERS THEN
			RETURN 'error ' || SQLSTATE;
		END $$;
		SQL
	return $node;
}

# What psql gives
sub query
{
	return $node->safe_psql('postgres', $_[0]);
}

# A UUID's bits as text, and the UUID of such a text
sub bits_of
{
	return unpack('B*', pack('H*', $_[0] =~ s/-//gr));
}

sub uuid_of
{
	return unpack('H*', pack('B*', $_[0])) =~ s/^(.{8})(.{4})(.{4})(.{4})(.{12})$/$1-$2-$3-$4-$5/r;
}

# The bits with one of them turned over
sub flipped
{
	my ($text, $at) = @_;
	substr($text, $at, 1) = 1 - substr($text, $at, 1);
	return $text;
}

1;
