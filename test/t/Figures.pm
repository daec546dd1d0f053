# What the tests of the figures and tables in doc/layouts.md share.
package Figures;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Utils;

use Server;

our @EXPORT = qw($page bits_of flipped start_figures uuid_of);

our $page = slurp_file("$FindBin::Bin/../../doc/layouts.md");

# The server, with more settings
sub start_figures
{
	my $node = start_server(join "\n", @_);
	ask(<<~'SQL');
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
