# What the tests of every layout share: the layouts, the calls that make and
# read their UUIDs, and the same as functions in SQL.
package Layouts;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use IPC::Run;

our @EXPORT = qw(@layouts %unit generator reader $layout_functions
  run_in_two_sessions);

# The unit of the time that is read
our %unit = (
	'v6' => '1 us',
	'v7 millisecond' => '1 ms',
	'v7 microsecond' => '1 us',
	'v7 nanosecond' => '1 us',
	'v7 rfc9562' => '1 ms',
	'v8 unix32' => '1 s',
	'v8 unix48' => '1 ms',
	'v8 gregorian60' => '1 us',
	'v8 unix64' => '1 us',
	'v8 ntp64' => '1 us',
	'v8 iso8601' => '100 ms',
	'v8 julian64' => '1 us');

our @layouts = sort keys %unit;

# The call that makes the next UUID
sub generator
{
	my ($version, $name) = split / /, $_[0];
	return "uuid_generate_$version(" . ($name ? "'$name'" : '') . ')';
}

# The call that reads the time of a UUID
sub reader
{
	my ($layout, $id) = @_;
	my ($version, $name) = split / /, $layout;
	return "uuid_${version}_timestamp($id" . ($name ? ", '$name'" : '') . ')';
}

# A table of the layouts, and functions that take one
our $layout_functions = q{
CREATE TABLE layouts (layout text COLLATE "C", unit interval);
INSERT INTO layouts VALUES }
  . join(', ', map { "('$_', '$unit{$_}')" } @layouts) . q{;

CREATE FUNCTION generate(layout text) RETURNS uuid
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_generate_v6()
	WHEN 'v7' THEN uuid_generate_v7(substr(layout, 4))
	ELSE uuid_generate_v8(substr(layout, 4)) END;

CREATE FUNCTION generate_at(layout text) RETURNS uuid
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_generate_v6_at(now())
	WHEN 'v7' THEN uuid_generate_v7_at(now(), substr(layout, 4))
	ELSE uuid_generate_v8_at(now(), substr(layout, 4)) END;

CREATE FUNCTION read_time(layout text, id uuid) RETURNS timestamptz
RETURN CASE left(layout, 2)
	WHEN 'v6' THEN uuid_v6_timestamp(id)
	WHEN 'v7' THEN uuid_v7_timestamp(id, substr(layout, 4))
	ELSE uuid_v8_timestamp(id, substr(layout, 4)) END;

CREATE FUNCTION to_unit(unit interval, t timestamptz) RETURNS timestamptz
RETURN date_bin(unit, t, '2000-01-01 00:00:00+00');
};

# Runs scripts in two sessions at a time, each with every other one.  Returns
# what psql says of errors, and the rows by their first column.
sub run_in_two_sessions
{
	my ($node, @scripts) = @_;
	my @script = ('', '');
	my @output = ('', '');
	my @errors = ('', '');
	$script[ $_ % 2 ] .= $scripts[$_] for 0 .. $#scripts;

	my @psql = (
		'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d',
		$node->connstr('postgres'), '-f', '-');
	IPC::Run::run(
		\@psql, '<', \$script[0], '>', \$output[0], '2>', \$errors[0],
		'&',
		\@psql, '<', \$script[1], '>', \$output[1], '2>', \$errors[1]);
	return (join('', @errors),
		map { split /\|/, $_, 2 } split /\n/, join('', @output));
}

1;
