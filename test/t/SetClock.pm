# A server whose clock a test sets.  It runs under libfaketime: with one offset
# while it runs, or with a file that is reread each time the clock is read: an
# offset, or a time to stand still at, in UTC.
package SetClock;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);

our @EXPORT = qw($faketime clock_ends_in_2038 start_with_clock start_with_offset);

# The library; undefined where it is not installed
our ($faketime) =
  grep { -e } map { glob "$_/faketime/libfaketime.so.1" } '/usr/lib/*',
  '/usr/lib', '/usr/lib64', '/usr/local/lib';

# On most 32-bit machines
sub clock_ends_in_2038
{
	return `LD_PRELOAD='$faketime' FAKETIME='2100-01-01 00:00:00' TZ=UTC '$^X' -e 'print time'` ne '4102444800';
}

# libfaketime opens the file even in a signal handler, where this can break the
# heap.  The server has handlers that look at the clock: for timeouts, as of a
# wait for a lock.  Under load, take start_with_offset().
sub start_with_clock
{
	my ($node, $clock) = @_;
	start_faked($node, FAKETIME_TIMESTAMP_FILE => $clock, FAKETIME_NO_CACHE => 1);
	return;
}

# In seconds, as '-3600'
sub start_with_offset
{
	my ($node, $offset) = @_;
	start_faked($node, FAKETIME => $offset);
	return;
}

# The monotonic clock, for the server's own timers, stays as it is.
sub start_faked
{
	my ($node, %settings) = @_;
	local %ENV = (
		%ENV, %settings,
		LD_PRELOAD => $faketime,
		FAKETIME_DONT_FAKE_MONOTONIC => 1,
		TZ => 'UTC');
	$node->start;
	return;
}

1;
