# A server whose clock a test sets.  It runs under libfaketime: with one offset
# while it runs, or with a file that is reread each time the clock is read: an
# offset, or a time to stand still at, in UTC.
package SetClock;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use IPC::Open2;
use PostgreSQL::Test::Utils;

our @EXPORT = qw($faketime $clock clock_ends_in_2038 set_clock start_with_clock restart_with start_with_offset
  with_faked_clock);

# The library; undefined where it is not installed
our ($faketime) =
  grep { -e } map { glob "$_/faketime/libfaketime.so.1" } '/usr/lib/*',
  '/usr/lib', '/usr/lib64', '/usr/local/lib';

# The file of the clock, once it is set
our $clock;

# Sets this clock, or that of another file: an offset, or a time to stand still at.  The file is replaced at
# once: libfaketime ends a process that finds it empty.
sub set_clock
{
	my ($time, $file) = @_;
	$file //= $clock //= PostgreSQL::Test::Utils::tempdir() . '/clock';
	append_to_file("$file.new", "$time\n");
	rename "$file.new", $file or die "$file: $!";
	return;
}

# On most 32-bit machines
sub clock_ends_in_2038
{
	return with_faked_clock(sub { `'$^X' -e 'print time'` }, FAKETIME => '2100-01-01 00:00:00') ne
	  '4102444800';
}

# libfaketime opens the file even in a signal handler, where this can break the
# heap.  The server has handlers that look at the clock: for timeouts, as of a
# wait for a lock.  Under load, take start_with_offset().
sub start_with_clock
{
	my ($node, $clock) = @_;
	with_faked_clock(sub { $node->start }, FAKETIME_TIMESTAMP_FILE => $clock, FAKETIME_NO_CACHE => 1);
	return;
}

# With more settings, under the same clock
sub restart_with
{
	my ($node, $conf) = @_;
	$node->stop;
	$node->append_conf('postgresql.conf', $conf);
	start_with_clock($node, $clock);
	return;
}

# In seconds, as '-3600'
sub start_with_offset
{
	my ($node, $offset) = @_;
	with_faked_clock(sub { $node->start }, FAKETIME => $offset);
	return;
}

# libfaketime names its semaphore and shared memory by the process that makes
# them.  A child that does not find them any more makes its own, and ends with an
# error if an earlier process of its number has left some behind.  So one process
# makes them for all, and removes them at its end.
my @owners;

sub shared_names
{
	for (1 .. 10)
	{
		local $ENV{FAKETIME} = '+0';
		my $pid = open2(
			my $output, my $input, $^X, '-e', q{
unlink map { "/dev/shm/$_$$" } 'sem.faketime_sem_', 'faketime_shm_';
$ENV{LD_PRELOAD} = $ARGV[0];
exec $^X, '-e', '$| = 1; print "ready\n"; <STDIN>'}, $faketime);

		push @owners, $input;
		return (FAKETIME_SHARED => "/faketime_sem_$pid /faketime_shm_$pid")
		  if (<$output> // '') eq "ready\n";
	}
	die 'libfaketime has no shared memory';
}

# Runs a function with an environment in which the clock is another.  The
# monotonic clock, for the server's own timers, stays as it is.
sub with_faked_clock
{
	my ($run, %settings) = @_;
	my %shared = shared_names();
	local %ENV = (
		%ENV, %settings, %shared,
		LD_PRELOAD => $faketime,
		FAKETIME_DONT_FAKE_MONOTONIC => 1,
		TZ => 'UTC');
	return $run->();
}

1;
