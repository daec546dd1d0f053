# What the tests of doc/switching.md share: the page, and cases that follow it.
package Switching;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw($create $node $version @sections ask begin_case block failure follow inline
  start_node);

my $page = slurp_file("$FindBin::Bin/../../doc/switching.md");
our ($start, @sections) = split /^## \d+\. /m, $page;

# The block of a section that has this in it.  Section 0 is the start of the page.
sub block
{
	my ($section, $regex, $language) = @_;
	my $text = $section ? $sections[ $section - 1 ] : $start;
	$language = 'sql' unless defined $language;
	my @found = grep { /$regex/ } $text =~ /^```$language\n(.*?)^```$/msg;

	@found == 1
	  or die "section $section has " . @found . " blocks with $regex";
	return $found[0];
}

# What stands between backticks in the text of a section
sub inline
{
	my ($section, $regex) = @_;
	my $text = $sections[ $section - 1 ] =~ s/^```.*?^```$//msgr;
	my @found = grep { /$regex/ } map { s/\s+/ /gr } $text =~ /`([^`]+)`/g;

	@found or die "section $section has no $regex";
	return $found[0];
}

our $node;
our $version;

# The server; its major version is kept.
sub start_node
{
	$node = PostgreSQL::Test::Cluster->new('main');
	$node->init;
	$node->append_conf('postgresql.conf', "timezone = 'UTC'\njit = off");
	$node->start;
	$version = $node->safe_psql('postgres', "SELECT current_setting('server_version_num')::int / 10000");
	return;
}

my $case;

# Each begins with nothing, as in a database of its own.
sub begin_case
{
	($case, my @statements) = @_;
	$node->safe_psql('postgres', $_)
	  for 'DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS uuidnew CASCADE; CREATE SCHEMA public',
	  @statements;
}

# What psql gives
sub ask
{
	return $node->safe_psql('postgres', join(";\n", @_));
}

# The SQLSTATE of the error that the statements end with
sub failure
{
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "\\set VERBOSITY sqlstate\n" . join(";\n", @_), on_error_stop => 0);
	return $stderr =~ /ERROR:\s+(\w{5})$/m ? $1 : "no error: $stdout $stderr";
}

# Runs what the page has, and gives what the last SELECT shows.
sub follow
{
	my ($name, @blocks) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', join("\n", @blocks), on_error_stop => 1);
	$stderr =~ s/^\S+ NOTICE: .*\n?//mg;
	is("$status $stderr", '0 ', "$case: $name");
	return $stdout;
}

# How the page creates the extension
our $create = block(0, qr/CREATE EXTENSION/);

1;
