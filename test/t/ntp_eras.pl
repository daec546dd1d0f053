# Layout ntp64 when NTP's timestamps begin again, on 2036-02-07 at 06:28:16: a column's default goes on, the
# keys of each era are in order, and both are read and found by the epoch of their era.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use ClockSession;
use Session;
use SetClock;

plan skip_all => 'the clock ends in 2038' if $faketime && clock_ends_in_2038();

my $era_1 = "'ntp64', '2036-02-07 06:28:16+00'";
start_clock_node();
set_clock('2036-02-07 06:28:14');

sub ask
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

ask(<<~'SQL');
	ALTER DATABASE postgres SET TimeZone = 'UTC';
	CREATE TABLE orders (
		n bigint GENERATED ALWAYS AS IDENTITY,
		id uuid PRIMARY KEY DEFAULT uuid_generate_v8('ntp64'),
		session text, at timestamptz DEFAULT clock_timestamp());
	CREATE TABLE named (id uuid DEFAULT uuid_generate_v8('ntp64', NULL, '2036-02-07 06:28:16+00'));
	SQL

sub insert
{
	my ($name) = @_;
	return "INSERT INTO orders (session) SELECT '$name' FROM generate_series(1, 1000)";
}

# One session through the end of era 0, with a clock that is set back, and others that begin in eras 1 and 2
my $through = Session->new($node);
for my $second (qw(14 15.999999 16 17))
{
	set_clock("2036-02-07 06:28:$second");
	$through->query(insert('through'));
}
set_clock('2036-02-07 06:28:15');
$through->query(insert('back'));
$through->quit;
is($through->errors, '', 'one session goes on after 2036');
my $named = 'INSERT INTO named DEFAULT VALUES';
like($node->Session::error_of($named), qr/22008/, 'before a named era begins an insert is error 22008');
for my $time ('2040-01-01 00:00:00', '2100-01-01 00:00:00')
{
	set_clock($time);
	ask(insert($time));
}
ask($named);
is( ask("SELECT uuid_v8_timestamp(id, $era_1) FROM named"),
	'2100-01-01 00:00:00+00',
	'a row of a named era has its time');
set_clock('2172-03-15 12:56:32');
like($node->Session::error_of($named), qr/22008/, 'after the end of a named era an insert is error 22008');
ask(insert('era 2'));

is(ask(<<~SQL), '0|0|0', 'keys are in order, of the era of their time, and read with its epoch');
	SELECT count(*) FILTER (WHERE NOT id > previous),
		count(*) FILTER (WHERE
			(id < '80000000-0000-0000-0000-000000000000') <> (at >= '2036-02-07 06:28:16')),
		count(*) FILTER (WHERE abs(extract(epoch FROM at - CASE WHEN at < '2036-02-07 06:28:16'
			THEN uuid_v8_timestamp(id, 'ntp64') ELSE uuid_v8_timestamp(id, $era_1) END)) > 0.001)
	FROM (SELECT *,
			lag(id) OVER (PARTITION BY id < '80000000-0000-0000-0000-000000000000' ORDER BY n) AS previous
		FROM orders WHERE session NOT IN ('back', 'era 2')) pairs
	SQL
is( ask("SELECT count(*), min(uuid_v8_timestamp(id, $era_1)) >= '2036-02-07 06:28:17',
		max(uuid_v8_timestamp(id, $era_1)) < '2036-02-07 06:28:17.001' FROM orders WHERE session = 'back'"),
	'1000|t|t',
	'a clock that is set back into era 0 keeps the time');
is( ask(q{SELECT count(*) FROM orders WHERE session = 'era 2' AND
		uuid_v8_timestamp(id, 'ntp64', '2172-03-15 12:56:32+00') BETWEEN '2172-03-15 12:56:32'
			AND '2172-03-15 12:56:32.001'}),
	'1000',
	'era 2 is read with its epoch');

# A window over both eras is one of each.
for my $window (
	[ '2036-02-07 06:28:15', '2036-02-07 06:28:17', 2000 ],
	[ '2036-02-07 06:28:16', '2036-02-07 06:28:17', 1000 ],
	[ '2040-01-01', '2110-01-01', 2000 ])
{
	my ($since, $until, $count) = @$window;
	is(ask(<<~SQL), $count, "$count rows are from $since to $until");
		SELECT count(*) FROM orders
		WHERE session <> 'era 2' AND (uuid_v8_between(id, '$since', '$until', 'ntp64')
			OR uuid_v8_between(id, '$since', '$until', $era_1))
		SQL
}

done_testing();
