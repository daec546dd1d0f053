# A system clock that leaps ahead: with one order for the server, and within a session, generating a key
# is an error with a hint, and the log has a line.  Nothing is reserved or counted for that time, so keys
# go on with the right clock, even after a restart.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use ServerOrder;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;
plan skip_all => 'the clock ends in 2038' if clock_ends_in_2038();

my $hour = 3600;
my $years = 60 * 366 * 24 * $hour;

set_clock('+0');
my $node = order_node('main', '');
start_with_clock($node, $clock);
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');

# Runs something, and returns the lines of the log that are about the clock.
sub logged
{
	my ($run) = @_;
	my $from = -s $node->logfile;
	$run->();
	return slurp_file($node->logfile, $from) =~ /LOG:  (system clock .*|the order of the server .*)$/mg;
}

my $all = q{SELECT public.uuidv7(), uuid_generate_v7(), uuid_generate_v6(), uuid_generate_v8()};
my $v7 = 'SELECT public.uuidv7()';
my $v8 = 'SELECT uuid_generate_v8()';
my $last = ask($v7);

sub is_right
{
	my ($name, $session) = @_;
	is(error_of($all, $session), '', "$name: keys are generated");
	my $id = $session ? $session->query($v7) : ask($v7);
	cmp_ok($id, 'gt', $last, "$name: keys are in order");
	is(ask("SELECT abs(extract(epoch FROM uuidv7_timestamp('$id') - clock_timestamp())) < 60"),
		't', "$name: keys have the time of the clock");
	$last = $id;
	return;
}

sub is_refused
{
	my ($name, $session, $hint) = @_;
	for my $call (
		map { "SELECT $_" } 'public.uuidv7()', 'uuid_generate_v7()',
		'uuid_generate_v6()', 'uuid_generate_v8()')
	{
		my $leapt = qr/ERROR:  58000: system clock leapt ahead by \d+ seconds/;
		like(
			error_of($call, $session),
			qr/$leapt\nDETAIL: .*max_clock_leap.*\nHINT: .*$hint/,
			"$name: $call is an error");
	}
	return;
}

# One order for the server
my @session = map { Session->new($node) } 1 .. 2;
is_right('before', $_) for @session;
my $reserved = 'SELECT max(reserved_until) < clock_timestamp() + interval \'1 min\' FROM uuidnew_order()';
for my $leap ($hour + 60, $years)
{
	my @log = logged(
		sub {
			set_clock("+$leap");
			is_refused("server, +$leap", $_, 'uuidnew_order_begin_after') for @session, undef;
			like(error_of('SELECT uuidv7_horizon()'), qr/58000/, "server, +$leap: there is no horizon");
			set_clock('+0');
			$_->query($v7) for @session;
		});
	is(scalar(@log), 1, "server, +$leap: the log has one line");
	is(ask($reserved), 't', "server, +$leap: nothing is reserved");
	is_right("server, +$leap, and right again", $_) for @session, undef;

	# until time is reserved again, which accepts the clock
	sleep 3;
	ask($v7);
}
set_clock('+' . $years);
error_of($v7);
set_clock('+0');
for my $mode ('fast', 'immediate')
{
	$_->quit for splice @session;
	$node->stop($mode);
	start_with_clock($node, $clock);
	is_right("stopped ($mode) after a leap");
}

# Smaller leaps are accepted, and the limit is a setting.
set_clock('+' . ($hour - 60));
is_right('a leap of less than an hour');
set_clock('+' . (2 * $hour - 120));
is_right('another leap of less than an hour');
set_clock('+' . (4 * $hour));
is_refused('a leap of more than an hour', undef, 'uuidnew_order_begin_after');
is(error_of("SET uuidnew.max_clock_leap = '3 h'; $v7"), '', 'a limit of three hours allows it');
is_right('when it has been allowed');
ask(q{CREATE ROLE anyone; GRANT EXECUTE ON FUNCTION uuidnew_order() TO anyone});
like(
	error_of('SET ROLE anyone; SET uuidnew.max_clock_leap = 0'),
	qr/permission denied to set parameter/,
	'not everyone sets the limit');

# A clock that has become right: the order is moved to it.
set_clock('+' . (30 * $hour));
is_refused('a right clock after a wrong one', undef, 'uuidnew_order_begin_after\(uuidv7_at\(now\(\)\)\)');
ask('SELECT uuidnew_order_begin_after(uuidv7_at(now()))');
sleep 3;
is(error_of("SET uuidnew.max_clock_leap = 1; $v7"), '', 'the clock stays accepted');
is_right('the order was moved to the clock');

# A server that is started with a clock that is years ahead
$node->stop;
set_clock('+' . $years);
my @start = logged(
	sub {
		start_with_clock($node, $clock);
		is_refused('started years ahead', undef, 'uuidnew_order_begin_after');
		ask("SELECT uuidnew_order_begin_after('$last')");
		is_refused('... and the order moved forward by seconds', undef, 'uuidnew_order_begin_after');
	});
is(scalar(@start), 1, 'started years ahead: the log has one line');
set_clock('+' . (30 * $hour));
restart_with($node, '');
is_right('started again at the right time');

# ... days ahead, as after a weekend
set_clock('+' . (30 * $hour + 72 * $hour));
restart_with($node, '');
is_right('started days later');

# A leap after a start, before its first key
restart_with($node, '');
set_clock('+' . (30 * $hour + 74 * $hour));
is_refused('a leap before the first key', undef, 'uuidnew_order_begin_after');
set_clock('+' . (30 * $hour + 72 * $hour));
is_right('right again before the first key');

# An order that is ahead of the clock at the start is reported.
set_clock('+0');
@start = logged(sub { restart_with($node, ''); ask($v7); ask($v8) });
like(
	join("\n", @start),
	qr/^the order of the server begins 36\d{4} seconds ahead of the system clock$/,
	'an order that begins ahead of the clock is reported once');

# A standby does not leap, nor what it is promoted to.
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
my $standby_clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
set_clock('+0', $standby_clock);
start_with_clock($standby, $standby_clock);
$node->wait_for_catchup($standby);
my $on_standby = $standby->safe_psql('postgres', $v7);

# A standby accepts a time that the order of its primary has reached.
set_clock('+' . (2 * $hour), $standby_clock);
my (undef, undef, $refused) = $standby->psql('postgres', $v7);
is($refused, '', 'a standby accepts a clock that is not ahead of its primary');
set_clock('+0', $standby_clock);
$on_standby = $standby->safe_psql('postgres', $v7) if !$refused;

for my $clock_of ('a standby', 'a promoted standby')
{
	set_clock('+' . $years, $standby_clock);
	my (undef, undef, $error) = $standby->psql('postgres', $v7);
	like($error, qr/system clock leapt ahead/, "$clock_of whose clock leaps: an error");
	set_clock('+0', $standby_clock);
	my $id = $standby->safe_psql('postgres', $v7);
	cmp_ok($id, 'gt', $on_standby, "$clock_of: keys go on in order");
	is($standby->safe_psql('postgres', "SELECT uuidv7_timestamp('$id') < now() + interval '10 days'"),
		't', "$clock_of: keys have not the time of the leap");
	$on_standby = $id;
	$standby->promote if $clock_of eq 'a standby';
}
$standby->stop('immediate');

# Within a session
restart_with($node, 'uuidnew.order_scope = session');
my ($one, $two) = map { Session->new($node) } 1 .. 2;
$_->query($all) for $one, $two;
for my $leap ($hour + 60, $years)
{
	my @log = logged(
		sub {
			set_clock("+$leap");
			is_refused("session, +$leap", $one, 'connect again');
			set_clock('+0');
			$one->query($v7);
		});
	is(scalar(@log), 1, "session, +$leap: the log has one line");
	is(error_of($all, $one), '', "session, +$leap, and right again: keys are generated");
	is( $one->query(
			'SELECT abs(extract(epoch FROM uuidv7_timestamp(public.uuidv7()) - clock_timestamp())) < 5'),
		't',
		"session, +$leap, and right again: keys have the time of the clock");
}
set_clock('+' . 2 * $hour);
is_refused('session, a right clock after a wrong one', $one, 'connect again');
is(error_of($all), '', 'a new session takes the clock as it is');
set_clock('+' . ($hour - 60));
is(error_of($all, $two), '', 'session, a leap of less than an hour is allowed');
is(error_of("SET uuidnew.max_clock_leap = 0; $all", $two), '', 'session, no limit');
set_clock('+' . $years);
is(error_of('SELECT uuid_generate_v7()', $two), '', 'session, any leap is allowed without a limit');
$_->quit for $one, $two;

$node->stop;
done_testing();
