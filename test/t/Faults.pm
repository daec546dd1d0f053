# Servers whose system fails while a test says so: see faults.c.
package Faults;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use FindBin;
use IPC::Run;
use Test::More;

our @EXPORT = qw(compile start_with_faults);

# compile(C file of this directory, library, option of the compiler...): false without a C compiler
sub compile
{
	my ($source, $library, @options) = @_;
	my $output = '';
	my $is_built = eval {
		IPC::Run::run(
			[
				$ENV{CC} // 'cc', '-shared', '-fPIC', @options,
				'-o', $library, "$FindBin::RealBin/$source", '-ldl'
			],
			'>&',
			\$output);
	};

	note $@, $output if !$is_built;
	return $is_built;
}

# Starts a server.  Returns the directory in which the names of faults.c are files; undefined without a C
# compiler, where nothing fails.
sub start_with_faults
{
	my ($node) = @_;
	my $directory = $node->basedir;
	my $library = "$directory/faults.so";
	my $can_fail = $^O eq 'linux' && compile('faults.c', $library);

	local %ENV = %ENV;
	@ENV{ 'LD_PRELOAD', 'UUIDNEW_FAULTS' } = ($library, $directory) if $can_fail;
	$node->start;
	return $can_fail ? $directory : undef;
}

1;
