# A system clock that is set back or forward, or stands still, in the middle of
# a session.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Layouts;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;

my $node = PostgreSQL::Test::Cluster->new('main');
my $clock = $node->basedir . '/clock';

# UUIDs of each layout in a step: the clock is a file, which is read for each
my $some = $ENV{UUIDNEW_SOAK} ? 1000 : $ENV{UUIDNEW_QUICK} ? 30 : 150;

# Sets the clock: an offset, or a time to stand still at.  The file is replaced
# at once, as other processes read it too.
sub set_clock
{
	my ($time) = @_;
	append_to_file("$clock.new", "$time\n");
	rename "$clock.new", $clock or die "$clock: $!";
	return;
}

# The line of a script that does so
sub clock_at
{
	my ($time) = @_;
	return "\\clock $time\n";
}

set_clock('+0');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nmax_logical_replication_workers = 0");
start_with_clock($node, $clock);

$node->safe_psql('postgres', "CREATE EXTENSION uuidnew; $layout_functions");
$node->safe_psql('postgres', <<~'SQL');
	CREATE FUNCTION try_generate(layout text) RETURNS text
	LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM generate(layout);
		RETURN 'success';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;

	-- Makes UUIDs until there is an error.  Says how many, how many of them do not
	-- increase or have not the time of the clock, which stands still, and the error.
	CREATE FUNCTION use_up(layout text, calls int, OUT made int, OUT wrong int, OUT error text)
	LANGUAGE plpgsql AS $$
	DECLARE
		previous uuid := '00000000-0000-0000-0000-000000000000';
		clock timestamptz := clock_timestamp();
		id uuid;
	BEGIN
		made := 0;
		wrong := 0;
		error := 'none';
		FOR i IN 1 .. calls LOOP
			id := generate(layout);
			made := made + 1;
			IF (id > previous AND
				abs(extract(epoch FROM read_time(layout, id) - clock)) < 0.001) IS NOT TRUE
			THEN
				wrong := wrong + 1;
			END IF;
			previous := id;
		END LOOP;
	EXCEPTION WHEN OTHERS THEN
		error := SQLSTATE;
	END $$;
	SQL

# The statement that makes UUIDs of all layouts in turn.  A target list is
# evaluated from left to right, so each stands between two looks at the clock.
sub make
{
	my ($step, $count, $where) = @_;
	$where //= 'true';
	return <<"SQL";
INSERT INTO made (step, layout, unit, before, id, after)
SELECT '$step', layout, unit, clock_timestamp(), generate(layout), clock_timestamp()
FROM generate_series(1, $count), layouts WHERE $where;
SQL
}

# The same, without a look at the clock; a number for each layout
sub make_unseen
{
	my ($step, %count) = @_;
	my $counts = join ', ', map { "('$_', $count{$_})" } @layouts;
	return <<"SQL";
INSERT INTO made (step, layout, unit, id)
SELECT '$step', layout, unit, generate(layout)
FROM layouts JOIN (VALUES $counts) counts (name, count) ON layout = name, generate_series(1, count);
SQL
}

sub in
{
	return 'layout IN (' . join(', ', map { "'$_'" } @_) . ')';
}

sub not_in
{
	return @_ ? 'NOT ' . in(@_) : 'true';
}

my $made = <<~'SQL';
	CREATE TEMP TABLE made (
		n bigint GENERATED ALWAYS AS IDENTITY, step text,
		layout text COLLATE "C", unit interval,
		before timestamptz, id uuid, after timestamptz);
	SQL

# What is wrong with UUIDs of a session, and for each step how their times stand
# to the clock:
#   follows  the time is the clock's
#   keeps    the clock is behind, the time is not later than it ever was, but for
#            what thousands of UUIDs in one tick need of the next ticks
#   runs ahead, lags  what must not be
my $report = <<~'SQL';
	SELECT count(*) FILTER (WHERE NOT id > previous),
		   count(*) FILTER (WHERE get_byte(uuid_send(id), 6) >> 4 <> substr(layout, 2, 1)::int OR
							get_byte(uuid_send(id), 8) >> 6 <> 2)
	FROM (SELECT *, lag(id) OVER (PARTITION BY layout ORDER BY n) AS previous FROM made) pairs;
	SELECT step || ': ' || string_agg(DISTINCT state, ', ')
	FROM (SELECT n, step,
				 CASE WHEN time < to_unit(unit, before) THEN 'lags'
					  WHEN time <= after THEN 'follows'
					  WHEN time <= max(after) OVER (ORDER BY n) + interval '1 ms' THEN 'keeps'
					  ELSE 'runs ahead' END AS state
		  FROM (SELECT *, to_unit(unit, read_time(layout, id)) AS time FROM made) times
		  WHERE after IS NOT NULL) states
	GROUP BY step ORDER BY min(n);
	SQL

# What a script prints in a new session, and what psql says of errors.  psql itself stays.
my $psql;

sub run_script
{
	my ($script) = @_;
	my $output = '';

	$psql //= Session->new($node);
	foreach my $part (split /^(?=\\clock )/m, "\\c\n$script")
	{
		set_clock($1) if $part =~ s/^\\clock (.*)\n//;
		$output .= $psql->query($part) =~ s/(?<=.)\z/\n/sr;
	}
	$psql->query('\warn done');
	$psql->{run}->pump until $psql->{err} =~ s/^done\n//m;
	return $output, $psql->errors;
}

# Run a session that starts at the right time, or another, and makes UUIDs.
# Returns what its own queries say, and the seconds in the log's messages.
sub session
{
	my ($name, $script, %expected) = @_;
	my $start = $expected{start} // '+0';
	my $log_start = -s $node->logfile;

	set_clock($start);
	my ($output, $error) = run_script("$made\n$script\n\\echo ---\n" . $report =~ s/;/;\n\\echo ---/r);
	my ($own, $faults, $steps) = split /^---\n/m, $output;
	is($error, '', "$name: no error");
	is($faults, "0|0\n", "$name: UUIDs increase and have their version");
	is($steps, join('', map { "$_\n" } @{ $expected{steps} }), "$name: their time follows the clock or stays")
	  if $expected{steps};

	my @log =
	  slurp_file($node->logfile, $log_start) =~ /LOG:  system clock went back by (\d+\.\d{3}) seconds$/mg;
	is(scalar(@log), $expected{log}, "$name: $expected{log} messages")
	  if defined $expected{log};
	return $own, @log;
}

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

session(
	'back by ten years',
	make('before', $some)
	  . clock_at('-315576000')
	  . make('behind', $some)
	  . clock_at('+0')
	  . make('caught up', $some),
	steps => [ 'before: follows', 'behind: keeps', 'caught up: follows' ],
	log => 1);

session(
	'started after a step back by ten years',
	make('after', $some),
	start => '-315576000',
	steps => ['after: follows'],
	log => 0);

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

session(
	'back further, half way forward, and back',
	make('before', $some)
	  . clock_at('-3600')
	  . make('behind', $some)
	  . clock_at('-7200')
	  . make('further', $some)
	  . clock_at('-3600')
	  . make('half way', $some)
	  . clock_at('-7200')
	  . make('back', $some)
	  . clock_at('+0')
	  . make('caught up', $some),
	steps => [
		'before: follows',
		'behind: keeps',
		'further: keeps',
		'half way: keeps',
		'back: keeps',
		'caught up: follows'
	],
	log => 3);

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
				FROM unnest(string_to_array(:'before_keys', ' '), string_to_array(:'after_keys', ' ')) AS pairs (before, after)
				SQL
	@layouts . "|0\n",
	'in order after DISCARD ALL and SET TimeZone');

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
	"a clock that stands still: room for 5 million UUIDs a second");

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

# What follows is beyond, for the most part.
if (clock_ends_in_2038())
{
	note('the clock ends in 2038: the ends of layouts are not tested');
	$psql->quit;
	$node->stop;
	done_testing();
	exit;
}

# Beyond the end of a layout: an error, as long as the clock is there.  The last
# tick before the end is in the layout.
my $try = <<~'SQL';
	SELECT layout, try_generate(layout) FROM layouts
	WHERE try_generate(layout) <> 'success' ORDER BY layout;
	SQL
# (ntp64 goes on with another era, which is read with its epoch: 027_ntp_eras.pl.)
my @ended;
for (
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
	is($errors, $out, "at $end: SQLSTATE 22008 of layouts that end there");

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
	is($errors, $out, "at $end for a moment: no error after it");
}

# After the year 9999 libfaketime takes offsets only.
for (
	[ 253402300799 - 86400, 253402300799 + 86400, 'v8 iso8601' ],
	[ 281474976710 - 86400, 281474976710 + 86400, 'v7 rfc9562', 'v8 unix48' ])
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
	is($errors, join('', map { "$_|22008\n" } sort @ended), "at the end of @ends: SQLSTATE 22008");
}
is( "@{[ sort @ended ]}",
	"@{[ grep { !/ntp64|julian64/ } @layouts ]}",
	'the end of every layout was seen, but of ntp64 and of what ends as timestamptz does');

# More UUIDs than the last tick can hold: an error, none that starts over.
for (
	[ 'millisecond', '4147-08-20 07:32:15.9995' ],
	[ 'microsecond', '4147-08-20 07:32:15.9999995' ],
	[ 'nanosecond', '4147-08-20 07:32:15.999999999' ])
{
	my ($layout, $last) = @$_;
	my ($used_up) = session(
		"$layout at its last tick",
		make('before', 10)
		  . clock_at($last)
		  . "SELECT made > 100, wrong, error FROM use_up('v7 $layout', 100000);\n",
		log => 0);
	is($used_up, "t|0|22008\n", "$layout at its last tick: right UUIDs, then 22008");
}

# Before the beginning of a layout, for a session that knows no other time.
my @begun = grep { $first{$_} ne '1970-01-01' } @layouts;
for (
	[ '1969-12-31 23:59:59.5', '1970-01-01 00:00:00' ],
	[ '1899-12-31 23:59:59.5', '1900-01-01 00:00:00', 'v8 ntp64' ],
	[ '1582-10-14 23:59:59.5', '1582-10-15 00:00:00', 'v6', 'v8 gregorian60' ])
{
	my ($before, $first, @not_yet) = @$_;
	my $from_first = @not_yet ? in(@begun) : 'true';
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
		"before $first: SQLSTATE 22008 of layouts that begin later");
}

# A time that only one epoch of a layout can hold is nothing to the others.
my ($epochs) = session(
	'two epochs',
	make('before', 10, in('v8 iso8601'))
	  . clock_at('2150-01-01 00:00:00')
	  . <<~'SQL'
		SELECT uuid_v8_timestamp(uuid_generate_v8('unix32', NULL, '2100-01-01 00:00:00+00'), 'unix32', '2100-01-01 00:00:00+00');
		SQL
	  . clock_at('2026-01-01 00:00:00') . <<~'SQL',
		SELECT uuid_v8_timestamp(uuid_generate_v8('unix32', NULL, '1970-01-01 00:00:00+00'), 'unix32');
		SELECT uuid_v8_timestamp(uuid_generate_v8('unix32', NULL, '2100-01-01 00:00:00+00'), 'unix32', '2100-01-01 00:00:00+00');
		SQL
	log => 1);
is($epochs, join('', map { "$_-01-01 00:00:00+00\n" } 2150, 2026, 2150), 'each epoch has a time of its own');

# A shifted key, ours whatever the server calls uuidv7, in every part of the
# range: the clock stands still, so that the time is known to the millisecond.
$node->safe_psql('postgres',
	q{CREATE FUNCTION shifted(interval) RETURNS uuid LANGUAGE c AS '$libdir/uuidnew', 'uuidnew_uuidv7_interval'}
);
my ($wrong) = session(
	'shifted',
	make('before', 10, in('v8 iso8601'))
	  . join('',
		map { clock_at("$_-12-31 12:34:56.789123") . <<~'SQL' } 1970, 2026, 2262, 2554, 2555, 2600, 4148, 9999),
			SELECT clock_timestamp(), shift, uuid_v7_timestamp(shifted(shift), 'rfc9562')
			FROM unnest('{0,1 us,-1 day,13 days 1 ms}'::interval[]) shift
			WHERE uuid_v7_timestamp(shifted(shift), 'rfc9562') IS DISTINCT FROM
				  date_trunc('milliseconds', clock_timestamp() + shift);
			SQL
	start => '1970-12-31 12:34:56.789');
is($wrong, '', 'shifted from the clock, in each year');

session(
	'back to before 1970',
	make('before', $some)
	  . clock_at('1969-12-31 23:59:59.5')
	  . make('behind', $some)
	  . clock_at('+0')
	  . make('caught up', $some),
	steps => [ 'before: follows', 'behind: keeps', 'caught up: follows' ],
	log => 1);

# Dates on which other software stumbles.
my @times = (
	'1999-12-31 23:59:59',
	'2000-02-29 12:00:00',
	'2016-12-31 23:59:59',
	'2038-01-19 03:14:07',
	'2038-01-19 03:14:08',
	'2100-02-28 23:59:59',
	'2106-02-07 06:28:15',
	'2262-04-12 00:00:00');
my ($digits) = session(
	'dates',
	join(
		'',
		map {
			clock_at($_)
			  . make(
				"at $_", 10,
				not_in(
					$_ gt '2036-02-07 06:28:15' ? 'v8 ntp64' : (),
					$_ gt '2106-02-07 06:28:15' ? 'v8 unix32' : ()))
			  . qq{SET TimeZone = 'America/New_York'; SELECT left(uuid_generate_v8('iso8601')::text, 18);\n}
		} @times),
	start => $times[0],
	steps => [ map { "at $_: follows" } @times ],
	log => 0);

# iso8601 is the time in digits, with the version before the seconds
is( $digits,
	join('', map { s/^(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)$/$1$2$3-$4$5-8${6}0/r . "\n" } @times),
	'the digits of iso8601');

$psql->quit;
$node->stop;
done_testing();
