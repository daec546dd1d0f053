# Three nodes, each with a machine id, write into one table: two of them through
# logical replication.  There is no conflict, and the machine id tells where each
# row comes from.
#
# A million rows; UUIDNEW_SOAK makes 10 million.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;

# Rows of each layout that a node makes
my $rows = $ENV{UUIDNEW_QUICK} ? 1_000 : 10_000;
$rows = 303_000 if $ENV{UUIDNEW_SOAK};
my $bits = 10;
my %machine = (first => 1, second => 2, third => 1023);
my @names = sort keys %machine;

my %node;
for my $name (@names)
{
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', <<~CONF);
		uuidnew.machine_id_bits = $bits
		uuidnew.machine_id = $machine{$name}
		max_wal_size = '4GB'
		autovacuum = off
		jit = off
		max_parallel_workers_per_gather = 0
		CONF
	$node->start;
	$node->safe_psql('postgres', <<~'SQL');
		CREATE EXTENSION uuidnew;
		CREATE TABLE made (id uuid PRIMARY KEY, layout text COLLATE "C", node text);
		SQL
	$node{$name} = $node;
}

# The first node's table has everybody's rows.
my $first = $node{first};
for my $name (@names[ 1, 2 ])
{
	$node{$name}->safe_psql('postgres', 'CREATE PUBLICATION made FOR TABLE made');
	$first->safe_psql('postgres',
			"CREATE SUBSCRIPTION $name CONNECTION '"
		  . ($node{$name}->connstr('postgres') =~ s/'/''/gr)
		  . "' PUBLICATION made");
}

# Wait until the first copy of the table, which is empty, is done.
$first->poll_query_until('postgres', q{SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel})
  or die 'no replication';

# All nodes write at once, layout by layout.
my @harness;
my %errors = map { $_ => '' } @names;
for my $name (@names)
{
	my @inserts = map {
		('-c', 'INSERT INTO made SELECT ' . generator($_) . ", '$_', '$name' FROM generate_series(1, $rows)")
	} @layouts;
	push @harness, '&' if @harness;
	push @harness,
	  [ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node{$name}->connstr('postgres'), @inserts ],
	  '2>', \$errors{$name};
}
IPC::Run::run(@harness);
is($errors{$_}, '', "$_ node: no error") for @names;

# A conflict would stop a subscription, and have its message in the log.
my $each = $rows * @layouts;
my $all = $each * @names;
$first->poll_query_until('postgres', "SELECT count(*) >= $all FROM made")
  or diag 'not all rows are there';
my @conflicts = slurp_file($first->logfile) =~ /^.*(?:duplicate key|conflict).*$/mgi;
is($conflicts[0], undef, 'replication meets no conflict');

is($first->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM made'),
	"$all|$all", "all rows are in one table");
is( $first->safe_psql('postgres', <<~SQL),
	SELECT node, CASE layout WHEN 'v6' THEN uuid_machine_id(id, $bits)
		ELSE uuid_machine_id(id, $bits, split_part(layout, ' ', 2)) END AS machine, count(*)
	FROM made GROUP BY 1, 2 ORDER BY 1, 2
	SQL
	join("\n", map { join '|', $_, $machine{$_}, $each } @names),
	'the machine id tells the origin of each row');

$first->safe_psql('postgres', "DROP SUBSCRIPTION $_") for @names[ 1, 2 ];
$node{$_}->stop for @names;
done_testing();
