# A system clock that is set back or forward in the middle of a session.  (One that
# stands still is in test/unit/sequence_test.c.)
use strict;
use warnings FATAL => 'all';

use FindBin;
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

stop_clock_node();
done_testing();
