# Layout ntp64 when NTP's timestamps begin again, on 2036-02-07 at 06:28:16: a
# column's default goes on, the keys of each era are in order, and both are read and
# found by the epoch of their era.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use ClockSession;
use Session;
use SetClock;

plan skip_all => 'the clock ends in 2038' if $faketime && clock_ends_in_2038();

my $era_1 = "'ntp64', '2036-02-07 06:28:16+00'";
start_clock_node();
set_clock('2036-02-07 06:28:14');
$node->safe_psql('postgres', <<~'SQL');
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

# What a new session says of errors
sub in_new_session
{
	my ($sql) = @_;
	return ($node->psql('postgres', "\\set VERBOSITY sqlstate\n$sql"))[2];
}

# One session through the end of era 0, with a clock that is set back, and others
# that begin in era 1.
my $through = Session->new($node);
$through->query(insert('through'));
for my $time ('2036-02-07 06:28:15.999999', '2036-02-07 06:28:16', '2036-02-07 06:28:17')
{
	set_clock($time);
	$through->query(insert('through'));
}
set_clock('2036-02-07 06:28:15');
$through->query(insert('back'));
$through->quit;
is($through->errors, '', 'one session goes on after 2036');
for my $time ('2036-03-01 00:00:00', '2040-01-01 00:00:00', '2100-01-01 00:00:00')
{
	set_clock($time);
	is(in_new_session(insert($time)), '', "others begin at $time");
}

is($node->safe_psql('postgres', 'SELECT count(*) FROM orders'), 8000, 'the default goes on after 2036');

my $order = <<~'SQL';
	SELECT count(*) FILTER (WHERE NOT id > previous) FROM (
	SELECT id,
		lag(id) OVER (PARTITION BY id < '80000000-0000-0000-0000-000000000000' ORDER BY n) AS previous
	FROM orders) pairs
	SQL
is($node->safe_psql('postgres', $order), 0, 'the keys of an era are in order');
is( $node->safe_psql('postgres', <<~'SQL'),
	SELECT count(*) FROM orders
	WHERE session <> 'back'
		AND (id < '80000000-0000-0000-0000-000000000000') <> (at >= '2036-02-07 06:28:16')
	SQL
	0, 'each key is of the era of its time');
is( $node->safe_psql('postgres', <<~SQL),
	SELECT count(*) FROM orders
	WHERE session = 'back' AND uuid_v8_timestamp(id, $era_1) BETWEEN '2036-02-07 06:28:17'
		AND '2036-02-07 06:28:17.001'
	SQL
	1000, 'a clock that is set back into era 0 keeps the time');
is( $node->safe_psql('postgres', <<~SQL),
	SELECT count(*) FROM orders
	WHERE session <> 'back' AND abs(extract(epoch FROM at -
		CASE WHEN at < '2036-02-07 06:28:16' THEN uuid_v8_timestamp(id, 'ntp64')
			 ELSE uuid_v8_timestamp(id, $era_1) END)) > 0.001
	SQL
	0, 'times are read with the epoch of the era');

# A window over both eras is one of each.
for my $window (
	[ '2036-02-07 06:28:15', '2036-02-07 06:28:17', 2000 ],
	[ '2036-02-07 06:28:16', '2036-02-07 06:28:17', 1000 ],
	[ '2036-01-01', '2050-01-01', 7000 ],
	[ '2040-01-01', '2110-01-01', 2000 ])
{
	my ($since, $until, $count) = @$window;
	is( $node->safe_psql('postgres', <<~SQL),
		SELECT count(*) FROM orders
		WHERE uuid_v8_between(id, '$since', '$until', 'ntp64')
		   OR uuid_v8_between(id, '$since', '$until', $era_1)
		SQL
		$count, "rows from $since to $until");
}

# A default that names the era is of this one.
my $named = 'INSERT INTO named DEFAULT VALUES';
is(in_new_session($named), '', 'a named era takes a row');
is( $node->safe_psql('postgres', "SELECT uuid_v8_timestamp(id, $era_1) FROM named"),
	'2100-01-01 00:00:00+00',
	'a row of a named era has its time');
set_clock('2036-02-07 06:28:15');
like(in_new_session($named), qr/22008/, 'before a named era begins an insert is error 22008');
set_clock('2172-03-15 12:56:32');
like(in_new_session($named), qr/22008/, 'after the end of a named era an insert is error 22008');
is(in_new_session(insert('era 2')), '', 'era 2 begins');
is( $node->safe_psql('postgres', <<~'SQL'),
	SELECT count(*) FROM orders WHERE session = 'era 2' AND
	uuid_v8_timestamp(id, 'ntp64', '2172-03-15 12:56:32+00') BETWEEN '2172-03-15 12:56:32'
		AND '2172-03-15 12:56:32.001'
	SQL
	1000, 'era 2');

$node->stop('immediate');
done_testing();
