# One order for the server, and a clock that was wrong: ahead for a moment, or behind when the scope
# is set again.  And at the end of an era of NTP.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

use lib $FindBin::RealBin;
use ServerOrder;
use SetClock;

plan skip_all => 'libfaketime is not installed' if !$faketime;

my $node = order_node('main', 'uuidnew.max_clock_leap = 0');

# A node that changes leaves no room below the sequence, so that it uses up ticks: so many calls take
# some seconds of them.
my $burn = q{uuid_generate_v8('unix32', decode(lpad(to_hex(n), 12, '0'), 'hex'))};

sub error_of_burning
{
	my ($keys) = @_;
	return error_of("SET client_min_messages = error; SELECT count($burn) FROM generate_series(1, $keys) n");
}

# Those who do nothing else.  (Without libfaketime, which hangs where a signal comes while it reads
# the clock.)
$node->start;
ask('CREATE EXTENSION uuidnew');
my $seconds = $ENV{UUIDNEW_QUICK} ? 3 : 20;
my $script = <<"SQL";
DO \$\$BEGIN
	PERFORM $burn FROM generate_series(1, 2000) n;
EXCEPTION WHEN program_limit_exceeded THEN
	PERFORM pg_sleep(0.01);
END\$\$
SQL
$node->pgbench(
	"--no-vacuum --client=4 --jobs=2 --time=$seconds",
	0, [qr/actually processed/], [qr/^/],
	'four sessions use up ticks as fast as they can',
	{ 'burn' => $script });
is(ask(q{SELECT max(ahead) <= interval '3 s' FROM uuidnew_order()}),
	't', 'a layout with ticks used up is at most some seconds ahead');

# The clock is an hour ahead for one key.
set_clock('+3600');
restart_with($node, '');
ask(q{SELECT uuid_generate_v8('unix32')});
set_clock('+0');
my $an_hour_ahead = q{SELECT max(ahead) BETWEEN '59 min' AND '61 min' FROM uuidnew_order()};
is(ask($an_hour_ahead), 't', 'a clock that was an hour ahead: the order is');
for my $when ('right again', 'right again, after a restart')
{
	for (1 .. 3)
	{
		my $ahead = qr/54000: UUIDs of version 8 are too far ahead of the clock/;
		like(
			error_of_burning(20_000),
			qr/$ahead\nDETAIL:  .*"unix32".*\nHINT:  Slow down/,
			"$when, nodes do not use up ticks at will, $_");
		sleep 1.5;
		is(error_of_burning(100), '', "$when, a key with a node of one's own is no error, $_");
	}
	is(ask($an_hour_ahead), 't', "$when, the layout was not taken further");
	restart_with($node, '') if $when eq 'right again';
}

# NTP's timestamps begin again: a row of the next era would be below every horizon of this one.
for my $epoch ('', q{, '1900-01-01'}, q{, '2036-02-07 06:28:16'})
{
	my $refused = qr/ERROR:  0A000: layout "ntp64" has no horizon\nDETAIL:  Its timestamps begin again/;
	like(error_of("SELECT uuid_v8_horizon('ntp64'$epoch)"), $refused, "ntp64$epoch has no horizon");
}

# What is made with scope "session" is not reserved.
set_clock('+7200');
restart_with($node, 'uuidnew.order_scope = session');
my $last = ask('SELECT uuid_generate_v7()');
set_clock('+0');
restart_with($node, 'uuidnew.order_scope = server');
cmp_ok(ask('SELECT uuid_generate_v7()'), 'lt', $last, 'the order does not know keys of scope "session"');
ask("SELECT uuidnew_order_begin_after('$last')");
cmp_ok(ask('SELECT uuid_generate_v7()'),
	'gt', $last, 'the order begins after keys of scope "session" where it is told to');
$node->stop;

done_testing();
