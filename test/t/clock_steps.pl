# A system clock that is set back or forward, or stands still, in the middle of
# a session.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use ClockSession;
use Layouts;
use SetClock;

start_clock_node();

my (undef, @log) = session(
	'back by an hour',
	make('before', $some)
	  . clock_at('-3600')
	  . make('behind', $some)
	  . make('still behind', $some)
	  . clock_at('+0')
	  . make('caught up', $some),
	steps => [ 'before: follows', 'behind: keeps', 'still behind: keeps', 'caught up: follows' ],
	log => 1);
cmp_ok(abs($log[0] - 3600), '<', 60, 'the message says how far back');

# An adjustment, not worth a message.  How far the clock is still behind when
# the next UUID is made depends on the machine.
session(
	'back by half a second',
	make('before', $some)
	  . clock_at('-0.5')
	  . make('behind', $some)
	  . clock_at('+0')
	  . make('caught up', $some),
	log => 0);

# The message is for more than a second, exactly: these clocks stand still.
for ([ '12:30:14', 0 ], [ '12:30:13.999', 1 ])
{
	my ($back, $log) = @$_;
	session(
		"12:30:15, back to $back",
		make('before', 10)
		  . clock_at("2030-06-15 $back")
		  . make('behind', 10)
		  . clock_at("2030-06-15 12:30:16")
		  . make('caught up', 10),
		start => '2030-06-15 12:30:15',
		steps => [ 'before: follows', 'behind: keeps', 'caught up: follows' ],
		log => $log);
}

# While that session's time is ahead, a new one beside it is right at once.
my $follows = <<~'SQL';
	SELECT bool_and(time BETWEEN to_unit(unit, before) AND after), count(*)
	FROM (SELECT unit, before, to_unit(unit, read_time(layout, id)) AS time, after
		FROM (SELECT layout, unit, clock_timestamp() AS before, generate(layout) AS id,
					 clock_timestamp() AS after FROM layouts OFFSET 0) made) times
	SQL
my $in_new_session = join ' ', 'psql', '-XAtq', '-d',
  '"' . $node->connstr('postgres') . '"', '-c', "\"$follows\"";
$in_new_session =~ s/\s+/ /g;
my ($beside) = session(
	'a year forward and back, twice',
	make('before', $some)
	  . clock_at('+31536000')
	  . make('forward', $some)
	  . clock_at('+0')
	  . make('back', $some)
	  . "\\set beside `$in_new_session`\nSELECT :'beside';\n"
	  . clock_at('+31536000')
	  . make('forward again', $some)
	  . clock_at('+0')
	  . make('back again', $some),
	steps =>
	  [ 'before: follows', 'forward: follows', 'back: keeps', 'forward again: follows', 'back again: keeps' ],
	log => 2);
is($beside, 't|' . @layouts . "\n", 'a session that starts while another is ahead has the right time');

# What a connection pool does between two clients leaves the order, and so does
# another time zone.
my $make_keys = q{SELECT string_agg(generate(layout)::text, ' ' ORDER BY layout) AS keys FROM layouts \gset };
set_clock('+0');
is( join(
		'',
		run_script(
				"SET TimeZone = 'Asia/Tokyo';\n${make_keys}before_\n"
			  . clock_at('-3600')
			  . "DISCARD ALL;\nSET TimeZone = 'America/New_York';\n${make_keys}after_\n"
			  . <<~'SQL')),
				SELECT count(*), count(*) FILTER (WHERE NOT after::uuid > before::uuid)
				FROM unnest(string_to_array(:'before_keys', ' '),
					string_to_array(:'after_keys', ' ')) AS pairs (before, after)
				SQL
	@layouts . "|0\n",
	'keys stay in order through DISCARD ALL and SET TimeZone');

# A leap second as most systems have it: the last second of the day is repeated.
session(
	'leap second',
	clock_at('2016-12-31 23:59:59')
	  . make('leap second', $some)
	  . clock_at('2017-01-01 00:00:00')
	  . make('next day', $some)
	  . clock_at('2016-12-31 23:59:59')
	  . make('again', $some)
	  . clock_at('2017-01-01 00:00:00')
	  . make('next day again', $some),
	steps => [ 'leap second: follows', 'next day: follows', 'again: keeps', 'next day again: follows' ],
	log => 0);

# A clock that stands still, as a coarse one does in small.  The time may run
# ahead when a sequence and its overflow are used up, but these must do for 5
# million UUIDs a second.  --quick makes fewer where these use up as much as 18,000.
my $still = $ENV{UUIDNEW_SOAK} ? 100_000 : $ENV{UUIDNEW_QUICK} ? 18_000 : 30_000;
my %fewer = map { $_ => $bits{$_}[1] == 12 ? 5_000 : 1_000 } @layouts;
my %still = map {
	my (undef, $sequence, $lent) = @{ $bits{$_} };
	$_ => $ENV{UUIDNEW_QUICK} && $sequence < 14 && $sequence + $lent > 14 ? $fewer{$_} : $still
} @layouts;
my ($ahead) = session(
	'a clock that stands still',
	clock_at('2030-06-15 12:30:15')
	  . make('before', 1)
	  . make_unseen('still', %still)
	  . <<~'SQL'
		SELECT layout, count(*), count(*) FILTER (
			WHERE time >= stands AND time <= stands + k / 5e6::float8 * interval '1 s')
		FROM (SELECT layout, row_number() OVER (PARTITION BY layout ORDER BY n) AS k,
					 to_unit(unit, read_time(layout, id)) AS time,
					 timestamptz '2030-06-15 12:30:15+00' AS stands
			  FROM made WHERE step = 'still') still
		GROUP BY layout ORDER BY layout;
		SQL
	  . clock_at('2030-06-15 12:30:17')
	  . make('on again', $some),
	steps => [ 'before: follows', 'on again: follows' ],
	log => 0);
is( $ahead,
	join('', map { "$_|$still{$_}|$still{$_}\n" } @layouts),
	"a clock that stands still leaves room for 5 million UUIDs a second");

# The same with a machine id, which stays above what counts on, and which may be
# changed to a smaller one in the meantime.
my $machine = $ENV{UUIDNEW_SOAK} ? 17_000 : 5_000;
my $smaller = $ENV{UUIDNEW_QUICK} ? 500 : $machine;
my %machine = map { $_ => $ENV{UUIDNEW_QUICK} ? $fewer{$_} : $machine } @layouts;
my ($wrong_machine) = session(
	'a clock that stands still, with a machine id',
	clock_at('2030-06-15 12:30:15')
	  . <<~'SQL'
		SET uuidnew.machine_id_bits = 16;
		SET uuidnew.machine_id = 40000;
		SQL
	  . make_unseen('still', %machine)
	  . "SET uuidnew.machine_id = 3;\n"
	  . make_unseen('smaller', map { $_ => $smaller } @layouts)
	  . <<~'SQL',
		SELECT count(*), count(DISTINCT layout) FROM made
		WHERE CASE step WHEN 'still' THEN 40000 ELSE 3 END IS DISTINCT FROM
			CASE layout WHEN 'v6' THEN uuid_machine_id(id, 16)
				 ELSE uuid_machine_id(id, 16, substr(layout, 4)) END;
		SQL
	log => 0);
is($wrong_machine, "0|0\n", 'each UUID has the machine id of its time');

stop_clock_node();
done_testing();
