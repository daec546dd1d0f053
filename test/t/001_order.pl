# UUIDs of one session are strictly increasing, so also distinct, and their
# time lies between the clock's before the first and after the last of them:
# ten million of each layout, as fast as the server makes them.
use strict;
use warnings FATAL => 'all';

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $count = $ENV{UUIDNEW_QUICK} ? 100_000 : 10_000_000;

# layout, unit of its time
my @layouts = (
	[ 'v6', '1 us' ],
	[ 'v7 millisecond', '1 ms' ],
	[ 'v7 microsecond', '1 us' ],
	[ 'v7 nanosecond', '1 us' ],
	[ 'v7 rfc9562', '1 ms' ],
	[ 'v8 unix32', '1 s' ],
	[ 'v8 unix48', '1 ms' ],
	[ 'v8 gregorian60', '1 us' ],
	[ 'v8 unix64', '1 us' ],
	[ 'v8 ntp64', '1 us' ],
	[ 'v8 iso8601', '100 ms' ]);

# The subquery's rows come in the order in which they were made, and OVER ()
# keeps it: n, which counts along, proves that.  No row is sorted or stored.
sub measure
{
	my ($layout, $unit) = @_;
	my ($version, $name) = split / /, $layout;
	my $digit = substr($version, 1);
	my $argument = $name ? "'$name'" : '';
	my $generator = "uuid_generate_$version($argument)";
	my $reader =
	  "uuid_${version}_timestamp(" . join(', ', 'id', $argument || ()) . ')';

	return <<"SQL";
SELECT clock_timestamp() AS before \\gset
SELECT '$layout', count(id),
	   count(*) FILTER (WHERE n > 1 AND
						(id > previous_id AND n = previous_n + 1) IS NOT TRUE),
	   count(*) FILTER (WHERE get_byte(uuid_send(id), 6) >> 4 <> $digit OR
						get_byte(uuid_send(id), 8) >> 6 <> 2),
	   to_unit('$unit', min($reader)) >= to_unit('$unit', :'before'),
	   to_unit('$unit', max($reader)) <= clock_timestamp()
FROM (SELECT n, id, lag(n) OVER () AS previous_n, lag(id) OVER () AS previous_id
	  FROM (SELECT generate_series(1, $count) AS n, $generator AS id) made) pairs;
SQL
}

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION uuidnew;
CREATE FUNCTION to_unit(unit interval, t timestamptz) RETURNS timestamptz
RETURN date_bin(unit, t, '2000-01-01 00:00:00+00');
});

# Two sessions at a time, each with every other layout.
my @script = ('', '');
my @output = ('', '');
my @errors = ('', '');
$script[ $_ % 2 ] .= measure(@{ $layouts[$_] }) for 0 .. $#layouts;

my @psql = (
	'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d',
	$node->connstr('postgres'), '-f', '-');
IPC::Run::run(
	\@psql, '<', \$script[0], '>', \$output[0], '2>', \$errors[0],
	'&',
	\@psql, '<', \$script[1], '>', \$output[1], '2>', \$errors[1]);
is("@errors", ' ', 'no error');

my %result = map { split /\|/, $_, 2 } split /\n/, join('', @output);
for (@layouts)
{
	my ($layout) = @$_;
	my ($made, $unordered, $wrong, $from, $to) = split /\|/,
	  $result{$layout} // '';

	is($made, $count, "$layout: $count UUIDs made");
	is($unordered, 0, "$layout: each is greater than the one before");
	is($wrong, 0, "$layout: each has the version and the variant");
	is($from, 't', "$layout: none is behind the clock");
	is($to, 't', "$layout: none is ahead of the clock");
}

$node->stop;
done_testing();
