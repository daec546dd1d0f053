# UUIDs of one session are strictly increasing, so also distinct, and their
# time lies between the clock's before the first and after the last of them:
# a million of each layout, as fast as the server makes them; UUIDNEW_SOAK makes ten.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;

my $count = $ENV{UUIDNEW_QUICK} ? 100_000 : $ENV{UUIDNEW_SOAK} ? 10_000_000 : 1_000_000;

# The subquery's rows come in the order in which they were made, and OVER ()
# keeps it: n, which counts along, proves that.  No row is sorted or stored.
sub measure
{
	my ($layout) = @_;
	my $unit = $unit{$layout};
	my $generator = generator($layout);
	my $reader = reader($layout, 'id');
	my $digit = substr($layout, 1, 1);

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
$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");

my ($errors, %result) =
  run_in_two_sessions($node, map { measure($_) } @layouts);
is($errors, '', 'the sessions end without an error');
for my $layout (@layouts)
{
	my ($made, $unordered, $wrong, $from, $to) = split /\|/, $result{$layout} // '';

	is($made, $count, "$layout: $count UUIDs made");
	is($unordered, 0, "$layout: each is greater than the one before");
	is($wrong, 0, "$layout: each has the version and the variant");
	is($from, 't', "$layout: none is behind the clock");
	is($to, 't', "$layout: none is ahead of the clock");
}

$node->stop;
done_testing();
