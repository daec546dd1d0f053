# One order for the server, and a clock that is beyond the range of RFC 9562 for a moment: nothing is
# counted that no key could have, so that all sessions go on, and so does the server after a restart.
# Where a draft key has moved the order beyond the range, the error says how to go on.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use ServerOrder;
use Session;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;
plan skip_all => 'the clock ends in 2038' if clock_ends_in_2038();

set_clock('+0');
my $node = order_node('main', 'uuidnew.max_clock_leap = 0');
start_with_clock($node, $clock);
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');

my @rfc = ('public.uuidv7()', q{uuid_generate_v7('rfc9562')});
my $key = 'SELECT public.uuidv7()';
my $last = ask($key);

# Keys of RFC 9562 go on, in order and with the time of the clock, and the horizon does.
sub goes_on
{
	my ($when, @sessions) = @_;
	foreach my $session (@sessions, Session->new($node))
	{
		foreach my $call (@rfc)
		{
			is(error_of("SELECT $call", $session), '', "$when, $call generates keys");
			my $id = $session->query("SELECT $call");
			cmp_ok($id, 'gt', $last, "$when, keys of $call are in order");
			$last = $id;
		}
	}
	is(ask("SELECT abs(extract(epoch FROM uuidv7_timestamp('$last') - clock_timestamp())) < 60"),
		't', "$when, keys have the time of the clock");
	is(error_of('SELECT uuidv7_horizon()'), '', "$when, there is a horizon");
	is(ask("SELECT uuidv7_horizon() > '$last' AND uuidv7_is(uuidv7_horizon())"),
		't', "$when, the horizon is beyond the last key");
	return;
}

my ($one, $two) = (Session->new($node), Session->new($node));
goes_on('before', $one, $two);

# 2086 for a moment, in which sessions ask for keys of RFC 9562
set_clock('2086-01-01 00:00:00');
foreach my $call (@rfc)
{
	foreach my $session ($one, $two, undef)
	{
		my $error = error_of("SELECT $call", $session);
		like($error, qr/ERROR:  22008: timestamp out of range/, "$call is an error in 2086");
		like(
			$error,
			qr/2074-07-11 11:41:23\.327999\+00\.\nHINT:  Use uuid_generate_v7\(\)\.$/m,
			"the error of $call has the range, and the function of the other kind");
	}
}
is(error_of('SELECT * FROM uuidnew_order()'), '', 'the state of the order can be seen in 2086');
set_clock('+0');
goes_on('right again', $one, $two);
$_->quit foreach $one, $two;
restart_with($node, '');
goes_on('after a restart');
$node->stop('immediate');
start_with_clock($node, $clock);
goes_on('after a crash');

# The first thing that a server does is to ask for a key in 2086.
set_clock('2086-01-01 00:00:00');
restart_with($node, '');
like(error_of($key), qr/22008/, 'uuidv7() is an error for a server that was started in 2086');
set_clock('+0');
goes_on('started in 2086, and right again');
restart_with($node, '');
goes_on('started in 2086, and again at the right time');

# A key of the draft in 2086 is right, and moves the order there: the next keys of RFC 9562 would have to
# be later.
set_clock('2086-01-01 00:00:00');
restart_with($node, '');
like(ask('SELECT uuid_v7_timestamp(uuid_generate_v7())'), qr/^2086-01-01/,
	'the draft generates keys in 2086');
set_clock('+0');
restart_with($node, '');
foreach my $call (@rfc, 'uuidv7_horizon()')
{
	my $error = error_of("SELECT $call");
	like($error, qr/ERROR:  22008: /, "$call is an error where the order begins in 2086");
	like($error, qr/order.*begin.*2086-01-01/s, "the error of $call says where the order begins");
	like($error, qr/HINT: .*uuidnew_order_give_up\(/, "the error of $call says how to go on");
}
like(ask('SELECT uuid_v7_timestamp(uuid_generate_v7())'), qr/^2086-01-01/, 'the draft goes on in its order');

# as the hint says, and then after the last key, which a restart has taken some seconds ahead
restart_with($node, 'uuidnew.order_scope = session');
ask('SELECT uuidnew_order_give_up()');
restart_with($node, 'uuidnew.order_scope = server');
ask("SELECT uuidnew_order_begin_after('$last')");
goes_on('after uuidnew_order_give_up()');

# A server whose clock is before the draft's first year
set_clock('1990-01-01 00:00:00');
restart_with($node, 'uuidnew.order_scope = session');
ask('SELECT uuidnew_order_give_up()');
restart_with($node, 'uuidnew.order_scope = server');
like(
	error_of('SELECT uuid_generate_v7()'),
	qr/22008: timestamp out of range.*^HINT:  Use uuidv7\(\)\.$/ms,
	'the draft is an error in 1990');
like(ask('SELECT uuidv7_timestamp(public.uuidv7())'), qr/^1990-01-01/, 'uuidv7() generates keys in 1990');
set_clock('+0');
is(error_of('SELECT uuid_generate_v7()'), '', 'the draft goes on when the clock is right');
$last = ask($key);
goes_on('right after 1990');

# A server whose clock has lost its battery, as its first key
set_clock('1971-01-01 00:00:00');
restart_with($node, '');
like(ask('SELECT uuid_v7_timestamp(uuid_generate_v7())'),
	qr/^20/, 'the draft goes on after its last key in 1971');

done_testing();
