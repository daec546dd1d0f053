# Servers whose system fails while a test says so: see faults.c.
package Faults;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use FindBin;
use IPC::Run;
use Test::More;

our @EXPORT = qw(start_with_faults);

# Starts a server.  Returns the directory in which the names of faults.c are files; undefined without a C
# compiler, where nothing fails.
sub start_with_faults
{
	my ($node) = @_;
	my $directory = $node->basedir;
	my $library = "$directory/faults.so";
	my $output = '';
	my $can_fail = $^O eq 'linux' && eval {
		IPC::Run::run(
			[ $ENV{CC} // 'cc', '-shared', '-fPIC', '-o', $library, "$FindBin::RealBin/faults.c", '-ldl' ],
			'>&', \$output);
	};

	note $@, $output if !$can_fail;
	local %ENV = %ENV;
	@ENV{ 'LD_PRELOAD', 'UUIDNEW_FAULTS' } = ($library, $directory) if $can_fail;
	$node->start;
	return $can_fail ? $directory : undef;
}

1;
