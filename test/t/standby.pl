# A hot standby generates UUIDs while it cannot write, is promoted, and continues; its primary generates UUIDs
# all the while.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Server;
use Session;

# UUIDs of each layout that a session generates before the promotion, while it comes, and after it
my $rows = $ENV{UUIDNEW_QUICK} ? 1_000 : $ENV{UUIDNEW_SOAK} ? 300_000 : 10_000;

my $primary = start_server('max_parallel_workers_per_gather = 0', 'primary', allows_streaming => 1);
$primary->safe_psql('postgres',
		'CREATE EXTENSION uuidnew; CREATE TABLE made (node text, part int, n bigint, read_only boolean, '
	  . join(', ', map { qq{"$_" uuid} } @layouts)
	  . ')');
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

# A session on each server; what it generates goes to a file.
my %session = map { $_->name => Session->new($_, '-v', 'ON_ERROR_STOP=1') } $primary, $standby;
my $file = PostgreSQL::Test::Utils::tempdir() . '/made';
my $ids = join ', ', map { generator($_) } @layouts;

sub make
{
	my ($part) = @_;
	foreach my $name (sort keys %session)
	{
		$session{$name}->begin(<<~SQL);
			\\o | cat >>'$file.$name'
			COPY (SELECT '$name', $part, n, pg_is_in_recovery(), $ids
				FROM generate_series(1, $rows) n) TO STDOUT;
			\\o
			SQL
	}
	return;
}

sub wait_for_all
{
	$_->result foreach values %session;
	return;
}

make(1);
wait_for_all();
make(2);
$standby->promote;
wait_for_all();
make(3);
wait_for_all();
foreach my $name (sort keys %session)
{
	$session{$name}->quit;
	is($session{$name}->errors, '', "the session on the $name ends without an error");

	# the promoted server can store them all
	$standby->safe_psql('postgres', "\\copy made FROM '$file.$name'");
}
is( $standby->safe_psql('postgres', <<~'SQL'),
	SELECT node, part, count(*), bool_and(read_only)
	FROM made WHERE part <> 2 GROUP BY node, part ORDER BY node, part
	SQL
	"primary|1|$rows|f\nprimary|3|$rows|f\nstandby|1|$rows|t\nstandby|3|$rows|f",
	'each session generates UUIDs, read-only and promoted');
foreach my $layout (@layouts)
{
	is( $standby->safe_psql('postgres', <<~SQL),
		SELECT count(*) - count(DISTINCT id), count(*) FILTER (WHERE NOT id > previous)
		FROM (SELECT "$layout" AS id, lag("$layout") OVER (PARTITION BY node ORDER BY part, n) AS previous
			FROM made) pairs
		SQL
		'0|0', "$layout: distinct on both servers, in order in each session");
}

$standby->stop;
done_testing();
