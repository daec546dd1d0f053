# What the tests of every layout share: the layouts, the calls that make and
# read their UUIDs, and the same as functions in SQL.
package Layouts;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use FindBin;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(@layouts %unit %first %bits generator reader $layout_functions);

# All layouts, by their rows in sql/layouts.sql: the unit of the time that is read,
# where the time begins, and the bits of the node, of the sequence before it, and
# those that the node lends when the sequence is used up
our (%unit, %first, %bits);
for (split /^/, slurp_file("$FindBin::Bin/../../sql/layouts.sql"))
{
	my ($version, $name, $first, $unit, $time, $sequence, $lent) =
	  /^\t\((\d), +(?:NULL|'(\w+)'), +'(.*?)', +'.*?', +'(.*?)', +(\d+), (\d+), (\d+)\)/
	  or next;
	my $layout = "v$version" . (defined $name ? " $name" : '');
	$unit{$layout} = $unit;
	$first{$layout} = $first;
	$bits{$layout} = [ 122 - $time - $sequence, $sequence, $lent ];
}
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
our $layout_functions = <<~'SQL'
	CREATE TABLE layouts (layout text COLLATE "C", unit interval);
	INSERT INTO layouts VALUES
	SQL
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

1;
