# The time in a UUID is that of the clock when it was made, to the layout's
# unit: it lies between the clock before the call and after it, for each of five
# million calls, and also at the end of five million without a pause.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;

my $count = $ENV{UUIDNEW_QUICK} ? 100_000 : 5_000_000;

# First a UUID for a given time, 2035, which must leave the others as they are.
# Then a look at the clock before and after each call: a target list is evaluated
# from left to right.  Then calls without a pause, and one more: if they had run
# ahead of the clock, so would the last.
sub measure
{
	my ($layout) = @_;
	my $unit = $unit{$layout};
	my $generator = generator($layout);
	my $reader = reader($layout, 'id');
	my $of_2035 = $generator =~ s/\(/_at('2035-01-01', /r =~ s/, \)/)/r;

	return <<"SQL";
SELECT $of_2035 \\g /dev/null
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
$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");

my ($errors, %result) =
  run_in_two_sessions($node, map { measure($_) } @layouts);
is($errors, '', 'the session ends without an error');
for my $layout (@layouts)
{
	is($result{$layout}, "$count|0|0", "$layout: each of $count has the time of its call");
	is($result{"$layout, burst"},
		"$count|t|t", "$layout: one that follows $count without a pause has the time of its call");
}

$node->stop;
done_testing();
