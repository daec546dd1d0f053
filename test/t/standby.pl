# A hot standby makes UUIDs while it cannot write anything, is promoted, and goes
# on; its primary makes UUIDs all the while.
#
# 5 million UUIDs; UUIDNEW_SOAK makes 79 million.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session;

# Rows of a UUID of each layout that a session makes before the promotion, while
# it comes, and after it
my $rows = $ENV{UUIDNEW_QUICK} ? 1_000 : 10_000;
$rows = 300_000 if $ENV{UUIDNEW_SOAK};
my $sessions = $ENV{UUIDNEW_QUICK} ? 2 : 4;

my $ids = join ', ', map { generator($_) } @layouts;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "autovacuum = off\njit = off\nmax_parallel_workers_per_gather = 0");
$primary->start;
$primary->safe_psql(
	'postgres', <<~'SQL'
		CREATE EXTENSION uuidnew;
		CREATE TABLE made (node text, pid int, part int, n bigint, read_only boolean,
		SQL
	  . join(', ', map { qq{"$_" uuid} } @layouts) . ')');

$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

# Sessions that last.  What they make goes to a file of their own, in the order
# of its making.
my @open;
for my $node (($primary) x $sessions, ($standby) x $sessions)
{
	push @open,
	  {
		name => $node->name,
		file => $node->basedir . '/made.' . @open,
		psql => Session->new($node, '-v', 'ON_ERROR_STOP=1')
	  };
}

# All of them work at once.
sub make
{
	my ($part) = @_;
	for my $session (@open)
	{
		$session->{psql}->begin(<<"SQL");
\\o | cat >>'$session->{file}'
COPY (SELECT '$session->{name}', pg_backend_pid(), $part, n, pg_is_in_recovery(), $ids
	  FROM generate_series(1, $rows) AS n) TO STDOUT;
\\o
SQL
	}
	return;
}

sub wait_for_all
{
	$_->{psql}->result for @open;
	return;
}

make(1);
wait_for_all();
make(2);
$standby->promote;
wait_for_all();
make(3);
wait_for_all();
for my $session (@open)
{
	$session->{psql}->quit;
	is($session->{psql}->errors, '', "$session->{name}: the session ends without an error");

	# the promoted server can take them all
	$standby->safe_psql('postgres', "\\copy made FROM '$session->{file}'");
}

is( $standby->safe_psql('postgres', <<~'SQL'),
	SELECT node, part, count(DISTINCT pid), count(*), bool_and(read_only)
	FROM made WHERE part <> 2 GROUP BY node, part ORDER BY node, part
	SQL
	join("\n",
		"primary|1|$sessions|" . $sessions * $rows . '|f',
		"primary|3|$sessions|" . $sessions * $rows . '|f',
		"standby|1|$sessions|" . $sessions * $rows . '|t',
		"standby|3|$sessions|" . $sessions * $rows . '|f'),
	'each session makes UUIDs, read-only and promoted');

my $all = 2 * 3 * $sessions * $rows;
note $all * @layouts . ' UUIDs';
for (@layouts)
{
	is( $standby->safe_psql('postgres', <<~SQL),
		SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE NOT id > previous)
		FROM (SELECT "$_" AS id, lag("$_") OVER (PARTITION BY node, pid ORDER BY part, n) AS previous
			  FROM made) pairs
		SQL
		"$all|$all|0",
		"$_: distinct on both servers, in order in each session");
}

# The promoted server writes them, too.
$standby->safe_psql('postgres', <<~'SQL');
	CREATE TABLE written (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), n int);
	INSERT INTO written (n) SELECT n FROM generate_series(1, 1000) AS n;
	SQL
is( $standby->safe_psql('postgres', <<~'SQL'),
	SELECT count(*), count(*) FILTER (WHERE NOT id > previous)
	FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM written) pairs
	SQL
	'1000|0',
	'the promoted server makes keys');

$standby->stop;
$primary->stop;
done_testing();
