# With uuidnew.order_scope = server many sessions make keys of all layouts at
# once, each between two values of a counter: a key is greater than every key
# whose call had ended before its own began, and no two have the same time and
# sequence.  This also holds after an immediate stop with the clock set back by an
# hour.
#
# A million keys; UUIDNEW_SOAK makes 55 million.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use ServerOrder;
use SetClock;

my $sessions = $ENV{UUIDNEW_QUICK} ? 10 : 30;

# Rows of a key of each layout that a session makes before the crash, and after it
my $rows = $ENV{UUIDNEW_QUICK} ? 300 : 1_500;
$rows = 84_000 if $ENV{UUIDNEW_SOAK};
my $rows_at_a_time = 50;

my $node = order_node('main', <<~'CONF');
	max_connections = 50
	max_parallel_workers_per_gather = 0
	max_wal_size = 4GB
	work_mem = 256MB
	log_statement = none
	CONF

sub start_server
{
	my ($offset) = @_;
	return $faketime ? start_with_offset($node, $offset) : $node->start;
}
start_server('+0');
$node->safe_psql(
	'postgres', <<~'SQL'
		CREATE EXTENSION uuidnew;
		CREATE SEQUENCE stamp;
		CREATE TABLE made (before bigint,
		SQL
	  . join(', ', map { qq{"$_" uuid} } @layouts) . ', after bigint)');

my $generators = join ', ', map { generator($_) } @layouts;
my $insert = $node->basedir . '/insert.sql';

# A target list is evaluated from left to right.
append_to_file($insert, <<~SQL);
	INSERT INTO made SELECT nextval('stamp'), $generators, nextval('stamp')
		FROM generate_series(1, $rows_at_a_time);
	SQL

sub make
{
	my ($name) = @_;
	$node->command_ok(
		[
			'pgbench', '--no-vacuum', "--client=$sessions", '--jobs=2',
			'--transactions=' . $rows / $rows_at_a_time,
			"--file=$insert", 'postgres'
		],
		"$name: $sessions sessions make keys");
	return;
}

# Keys that are handed out, and stored nowhere
sub handed_out
{
	return split /\|/, $node->safe_psql('postgres', "SELECT $generators");
}

make('before');
my @last = handed_out();
$node->stop('immediate');
start_server('-3600');
my @first = handed_out();
is(join(', ', grep { $first[$_] le $last[$_] } 0 .. $#layouts),
	'', 'the first keys after a crash are greater than the last before it');
make('after');

my $all = 2 * $sessions * $rows;
note $all * @layouts . ' keys';
for my $layout (@layouts)
{
	my ($node_bits, $sequence_bits, $lent_bits) = @{ $bits{$layout} };

	# the variant's two bits come before the node, or before the sequence
	my $sequence_at = 129 - $node_bits - $sequence_bits - ($node_bits == 62 ? 2 : 0);
	my $others = 128 - $node_bits;
	is( $node->safe_psql('postgres', <<~SQL),
		SELECT count(*), count(*) FILTER (WHERE before > ended), count(*) FILTER (WHERE alike)
		FROM (SELECT before,
			min(after) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING
				AND 1 PRECEDING) AS ended,
					 time_and_sequence = lag(time_and_sequence) OVER (ORDER BY id DESC) AS alike
			  FROM (SELECT before, after, id,
						   substring(bits FOR $others + CASE substring(bits
						       FROM $sequence_at FOR $sequence_bits)
								WHEN (-1)::bit($sequence_bits) THEN $lent_bits
									ELSE 0 END) AS time_and_sequence
					FROM (SELECT before, after, "$layout" AS id,
						('x' || replace("$layout"::text, '-', ''))::bit(128) AS bits
						  FROM made) m) k) o
		SQL
		"$all|0|0",
		"$layout: in order of the calls, and no time and sequence twice");
}

$node->stop;
done_testing();
