# A server, and what it answers.
package Server;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(ask start_server);

my $first;

# start_server(more configuration, name, parameter of init => value...): all of these may be left out.
sub start_server
{
	my ($conf, $name, %init) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name // 'main');
	$node->init(%init);
	$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off\nautovacuum = off\n" . ($conf // ''));
	$node->start;
	$first //= $node;
	return $node;
}

# What statements give on the first server, in database postgres
sub ask
{
	return $first->safe_psql('postgres', join(";\n", @_));
}

1;
