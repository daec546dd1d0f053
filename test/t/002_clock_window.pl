# The time in a UUID is the clock's of its making, to the layout's unit: it
# lies between the clock before the call and after it, for each of five million
# calls, and also at the end of five million that follow one another without a
# pause.
use strict;
use warnings FATAL => 'all';

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $count = $ENV{UUIDNEW_QUICK} ? 100_000 : 5_000_000;

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

# First, a look at the clock before and after each call: a target list is
# evaluated from left to right.  Then calls without a pause, and one more: if
# they had run ahead of the clock, so would the last.
sub measure
{
	my ($layout, $unit) = @_;
	my ($version, $name) = split / /, $layout;
	my $argument = $name ? "'$name'" : '';
	my $generator = "uuid_generate_$version($argument)";
	my $reader =
	  "uuid_${version}_timestamp(" . join(', ', 'id', $argument || ()) . ')';

	return <<"SQL";
SELECT '$layout', count(*),
	   count(*) FILTER (WHERE (to_unit('$unit', $reader) >= to_unit('$unit', a)) IS NOT TRUE),
	   count(*) FILTER (WHERE (to_unit('$unit', $reader) <= b) IS NOT TRUE)
FROM (SELECT generate_series(1, $count), clock_timestamp() AS a,
			 $generator AS id, clock_timestamp() AS b) calls;
SELECT '$layout, burst', made,
	   to_unit('$unit', $reader) >= to_unit('$unit', a),
	   to_unit('$unit', $reader) <= b
FROM (SELECT made, clock_timestamp() AS a, $generator AS id, clock_timestamp() AS b
	  FROM (SELECT count(id) AS made
			FROM (SELECT generate_series(1, $count), $generator AS id) ids) burst
	  OFFSET 0) last;
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

	is($result{$layout}, "$count|0|0",
		"$layout: each of $count has the time of its call");
	is($result{"$layout, burst"},
		"$count|t|t", "$layout: so has one after $count without a pause");
}

$node->stop;
done_testing();
