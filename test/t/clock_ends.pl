# A clock that is beyond the ends of layouts, or on dates on which other software
# stumbles, and what a session makes then and afterwards.  (The last tick, and times
# that one epoch can hold, are in test/unit/sequence_test.c.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use ClockSession;
use Layouts;
use SetClock;

plan skip_all => 'the clock ends in 2038' if $faketime && clock_ends_in_2038();
start_clock_node();

# Beyond the end of a layout: an error, as long as the clock is there.  The last
# tick before the end is in the layout.
my $try = <<~'SQL';
	SELECT layout, try_generate(layout) FROM layouts
	WHERE try_generate(layout) <> 'success' ORDER BY layout;
	SQL
# (ntp64 goes on with another era, which is read with its epoch: ntp_eras.pl.)
my @ended;
for (
	[ '2074-07-11 11:41:23.3275', '2074-07-11 11:41:23.328001', 'v7 rfc9562' ],
	[ '2106-02-07 06:28:15', '2106-02-07 06:28:16', 'v8 unix32' ],
	[ '2554-07-21 23:34:33.7095', '2554-07-21 23:34:33.7096', 'v8 unix64' ],
	[
		'4147-08-20 07:32:15.9995', '4147-08-20 07:32:16', 'v7 microsecond', 'v7 millisecond',
		'v7 nanosecond'
	],
	[ '5236-03-31 21:21:00.6846', '5236-03-31 21:21:00.6847', 'v6', 'v8 gregorian60' ])
{
	my ($last, $end, @ends) = @$_;
	my $still_in = not_in(@ended, 'v8 ntp64');
	push @ended, @ends;
	my $out = join('', map { "$_|22008\n" } sort @ended);

	my ($errors) = session(
		"at $end",
		make('before', $some)
		  . clock_at($last)
		  . make('at the end', 10, $still_in)
		  . clock_at($end)
		  . $try
		  . make('beyond', $some, not_in(@ended, 'v8 ntp64')),
		steps => [ 'before: follows', 'at the end: follows', 'beyond: follows' ],
		log => 0);
	is($errors, $out, "at $end: layouts that end there give error 22008");

	# An error must not be all that is left of the session's layout.
	($errors) = session(
		"at $end for a moment",
		make('before', $some)
		  . clock_at($end)
		  . $try
		  . clock_at('+0')
		  . $try
		  . make('back', $some, 'NOT (' . not_in(@ended) . ')'),
		steps => [ 'before: follows', 'back: follows' ],
		log => 1);
	is($errors, $out, "at $end for a moment: there is no error after it");
}

# After the year 9999 libfaketime takes offsets only.
for (
	[ 253402300799 - 86400, 253402300799 + 86400, 'v8 iso8601' ],
	[ 281474976710 - 86400, 281474976710 + 86400, 'v8 unix48' ])
{
	my ($last, $end, @ends) = @$_;
	my $still_in = not_in(@ended, 'v8 ntp64');
	push @ended, @ends;

	my ($errors) = session(
		"at the end of @ends",
		clock_at(sprintf '%+d', $last - time)
		  . make('a day before', 10, $still_in)
		  . clock_at(sprintf '%+d', $end - time)
		  . $try,
		steps => ['a day before: follows'],
		log => 0);
	is($errors, join('', map { "$_|22008\n" } sort @ended), "at the end of @ends: they give error 22008");
}
is( "@{[ sort @ended ]}",
	"@{[ grep { !/ntp64|julian64/ } @layouts ]}",
	'the end of every layout was seen, but of ntp64 and of what ends as timestamptz does');

# Before the beginning of a layout, for a session that knows no other time.
my @begun = @layouts;
for (
	[ '1995-07-09 16:12:47.5', '1995-07-09 16:12:48', 'v7 microsecond', 'v7 millisecond', 'v7 nanosecond' ],
	[
		'1969-12-31 23:59:59.5',
		'1970-01-01 00:00:00',
		'v7 rfc9562', grep { /^v8/ && $first{$_} eq '1970-01-01' } @layouts
	],
	[ '1899-12-31 23:59:59.5', '1900-01-01 00:00:00', 'v8 ntp64' ],
	[ '1582-10-14 23:59:59.5', '1582-10-15 00:00:00', 'v6', 'v8 gregorian60' ])
{
	my ($before, $first, @not_yet) = @$_;
	my $from_first = in(@begun);
	for my $layout (@not_yet)
	{
		@begun = grep { $_ ne $layout } @begun;
	}

	my ($errors) = session(
		"before $first",
		$try
		  . make('before', $some, in(@begun))
		  . clock_at($first)
		  . make('at the beginning', $some, $from_first),
		start => $before,
		steps => [ 'before: follows', 'at the beginning: follows' ],
		log => 0);
	my %begun = map { $_ => 1 } @begun;
	is( $errors,
		join('', map { "$_|22008\n" } grep { !$begun{$_} } @layouts),
		"before $first: layouts that begin later give error 22008");
}

# A shifted key, ours whatever the server calls uuidv7, by clocks in the range and beyond it, which
# stand still, so that the time is known to the millisecond.  Only the shifted time has to be in the range.
# (libfaketime rounds what is no binary fraction, each time in another way.)
$node->safe_psql('postgres', <<~'SQL');
	CREATE FUNCTION shifted(interval) RETURNS uuid
		LANGUAGE c AS '$libdir/uuidnew', 'uuidnew_uuidv7_interval';
	CREATE FUNCTION try_shifted(shift interval) RETURNS text
	LANGUAGE plpgsql AS $$
	BEGIN
		RETURN uuidv7_timestamp(shifted(shift));
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;
	CREATE VIEW shifts AS
	SELECT clock_timestamp() + shift AS time, try_shifted(shift) AS result
	FROM (SELECT unnest('{0,1 us,-1 day,13 days 1 ms}'::interval[])
		UNION ALL
		SELECT unnest(ARRAY['1969-12-31 23:59:59.999999+00', '1970-01-01 00:00:00+00',
			'2026-02-03 04:05:06.789+00', '2074-07-11 11:41:23.327999+00',
			'2074-07-11 11:41:23.328+00']::timestamptz[]) - clock_timestamp()) shifts (shift);
	SQL
my @years = (1970, 2026, 2262, 2554, 2555, 2600, 4148, 9999);
my ($shifted) = session(
	'shifted',
	join('',
		make('before', 10, in('v8 iso8601')),
		map { clock_at("$_-12-31 12:34:56.796875") . <<~'SQL' } @years),
			SELECT count(*) FILTER (WHERE result = '22008'),
				string_agg(time || ' is ' || result, ', ') FILTER (WHERE result IS DISTINCT FROM
					CASE WHEN time BETWEEN '1970-01-01 00:00+00' AND '2074-07-11 11:41:23.327999+00'
						THEN date_trunc('milliseconds', time)::text ELSE '22008' END)
			FROM shifts;
			SQL
	start => '1970-12-31 12:34:56.796875');
is( $shifted,
	join('', map { $_ < 2074 ? "2|\n" : "6|\n" } @years),
	'a shifted key has the time of the clock and the shift, or it is an error, in each year');

stop_clock_node();
done_testing();
