# Dumps of databases, as scripts, and their restores.
package Dumps;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(dump_of restore);

# The dump of a database, which stays in DATABASE.sql
sub dump_of
{
	my ($node, $database) = @_;
	my $file = $node->basedir . "/$database.sql";

	$node->command_ok([ 'pg_dump', '--file', $file, $database ], $node->name . ": $database is dumped");
	# newer versions of pg_dump guard a script with a random word
	return slurp_file($file) =~ s/^\\(un)?restrict .*\n//mgr;
}

# restore(node, database, node, database): restores the dump that dump_of() has made of a database to another
sub restore
{
	my ($old, $source, $new, $target) = @_;
	my $file = $old->basedir . "/$source.sql";

	$new->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $new->connstr($target), '-f', $file ],
		"the dump of $source is restored");
	return;
}

1;
