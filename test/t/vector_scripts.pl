# The vectors are what their script computes: each test/vectors/*.py writes the
# file of its name.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my ($python) = grep { -x } map { "$_/python3" } split /:/, $ENV{PATH};
plan skip_all => 'python3 is not installed' if !$python;

for my $script (glob "$FindBin::Bin/../vectors/*.py")
{
	my ($name) = $script =~ m{([^/]*)\.py$};
	my ($vectors, $errors);

	ok(IPC::Run::run([ $python, $script ], '>', \$vectors, '2>', \$errors), "$name.py runs")
	  or diag($errors);
	is($vectors, slurp_file("$FindBin::Bin/../vectors/$name.tsv"), "$name.tsv is what it writes");
}

done_testing();
