# UUIDs of one session are strictly increasing, so also distinct, and the time of each lies
# between the clock before its call and after it, to the layout's unit: a million of each layout,
# UUIDNEW_SOAK makes ten; and again at the end of five million without a pause.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use Session;
use Layouts;

my $count = $ENV{UUIDNEW_QUICK} ? 100_000 : $ENV{UUIDNEW_SOAK} ? 10_000_000 : 1_000_000;
my $burst = $ENV{UUIDNEW_QUICK} ? 100_000 : 5_000_000;

# First a UUID for a given time, 2035, which must leave the others as they are.  Then a look at
# the clock before and after each call: a target list is evaluated from left to right.  The rows
# come in the order in which they were made, and OVER () keeps it: n, which counts along, proves
# that.  No row is sorted or stored.  Then calls without a pause, and one more: if they had run
# ahead of the clock, so would the last.
sub measure
{
	my ($layout) = @_;
	my $unit = $unit{$layout};
	my $generator = generator($layout);
	my $reader = reader($layout, 'id');
	my $digit = substr($layout, 1, 1);
	my $of_2035 = $generator =~ s/\(/_at('2035-01-01', /r =~ s/, \)/)/r;

	return <<"SQL";
SELECT $of_2035 \\g /dev/null
SELECT '$layout', count(id),
	   count(*) FILTER (WHERE n > 1 AND
						(id > previous_id AND n = previous_n + 1) IS NOT TRUE),
	   count(*) FILTER (WHERE get_byte(uuid_send(id), 6) >> 4 <> $digit OR
						get_byte(uuid_send(id), 8) >> 6 <> 2),
	   count(*) FILTER (WHERE (to_unit('$unit', $reader) >= to_unit('$unit', a)) IS NOT TRUE),
	   count(*) FILTER (WHERE (to_unit('$unit', $reader) <= b) IS NOT TRUE)
FROM (SELECT *, lag(n) OVER () AS previous_n, lag(id) OVER () AS previous_id
	  FROM (SELECT generate_series(1, $count) AS n, clock_timestamp() AS a,
				   $generator AS id, clock_timestamp() AS b) calls) pairs;
SELECT '$layout, burst', made,
	   to_unit('$unit', $reader) >= to_unit('$unit', a),
	   to_unit('$unit', $reader) <= b
FROM (SELECT made, clock_timestamp() AS a, $generator AS id, clock_timestamp() AS b
	  FROM (SELECT count(id) AS made
			FROM (SELECT generate_series(1, $burst), $generator AS id) ids) burst
	  OFFSET 0) last;
SQL
}

my $node = start_server();
ask("CREATE EXTENSION uuidnew; $layout_functions");

# Two sessions share the layouts.
my @sessions = map { Session->new($node) } 0 .. 1;
my @half = map {
	my $n = $_;
	[ grep { $_ % 2 == $n } 0 .. $#layouts ]
} 0 .. 1;
$sessions[$_]->begin(join '', map { measure($_) } @layouts[ @{ $half[$_] } ]) foreach 0 .. 1;
my %result = map { split /\|/, $_, 2 } map { split /\n/, $_->result } @sessions;
is(join('', map { $_->errors } @sessions), '', 'the sessions have no error');
$_->quit foreach @sessions;
for my $layout (@layouts)
{
	my ($made, $unordered, $wrong, $behind, $ahead) = split /\|/, $result{$layout} // '';

	is($made, $count, "$layout: $count UUIDs are made");
	is($unordered, 0, "$layout: each is greater than the one before");
	is($wrong, 0, "$layout: each has the version and the variant");
	is($behind, 0, "$layout: none is behind the clock before its call");
	is($ahead, 0, "$layout: none is ahead of the clock after its call");
	is($result{"$layout, burst"},
		"$burst|t|t", "$layout: one that follows $burst without a pause has the time of its call");
}

done_testing();
