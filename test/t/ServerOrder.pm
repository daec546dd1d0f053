# A server with one order of all keys, and what it answers.
package ServerOrder;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use Session;

our @EXPORT = qw(order_node ask error_of wait_for_log);

my $node;

# order_node(name, conf, parameter of init => value...): a server with this configuration, which is not
# started.  ask() and error_of() are of the first one.
sub order_node
{
	my ($name, $conf, %init) = @_;
	my $new = PostgreSQL::Test::Cluster->new($name);
	$new->init(allows_streaming => 1, %init);
	$new->append_conf('postgresql.conf', <<~CONF);
		shared_preload_libraries = 'uuidnew'
		uuidnew.order_scope = server
		timezone = 'UTC'
		max_prepared_transactions = 5
		autovacuum = off
		jit = off
		$conf
		CONF
	$node //= $new;
	return $new;
}

sub ask
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

# error_of(SQL [, session]): its errors and notices, with SQLSTATEs, in that session or in a new one
sub error_of
{
	return $node->Session::error_of(@_);
}

# Waits for a message in a server's log, from a position on.
sub wait_for_log
{
	my ($of, $regex, $from) = @_;
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if slurp_file($of->logfile, $from // 0) =~ $regex;
		select undef, undef, undef, 0.1;
	}
	die "no $regex in the log";
}

1;
