# What tests of pg_dump share.
package Dumps;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(dump_of restore);

# The dump of a database, as a script, which stays in DATABASE.sql
sub dump_of
{
	my ($node, $database) = @_;
	my $file = $node->basedir . "/$database.sql";

	$node->command_ok([ 'pg_dump', '--file', $file, $database ], $node->name . ": $database is dumped");
	# the newer pg_dump guard a script with a word that is drawn by lot
	return slurp_file($file) =~ s/^\\(un)?restrict .*\n//mgr;
}

# restore(form, node, database, node, database): takes one database to another by its script, which
# dump_of() has made, or by an archive
sub restore
{
	my ($form, $old, $source, $new, $target) = @_;
	my $file = $old->basedir . "/$source";

	if ($form eq 'script')
	{
		$new->command_ok(
			[ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $new->connstr($target), '-f', "$file.sql" ],
			"$source: the script is restored");
		return;
	}
	$old->command_ok([ 'pg_dump', '-Fc', '--file', "$file.dump", $source ], "$source: an archive is made");
	# by two processes
	$new->command_ok(
		[ 'pg_restore', '--jobs=2', '--exit-on-error', '-d', $new->connstr($target), "$file.dump" ],
		"$source: the archive is restored");
	return;
}

1;
