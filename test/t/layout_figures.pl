# The figures and tables of doc/layouts.md are true: which bits of a UUID are fixed, which
# carry the time and with what weight, and where machine id, sequence and node
# are.  Each layout that the library knows has a figure, and is in the tables and in
# the comments in SQL.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Figures;
use Server;

my $time = '2026-02-03 04:05:06.789012+00';
my $bits = 8;
my $machine = 205;
my $made = 200;

# The sections of the page that have a figure: the generator of a UUID, one with
# a time, the reader of the time; what a time field's lowest bit is worth, in
# microseconds, or undef where that depends on other bits; the unit to which the
# time is read; a bit that is beyond all times.
sub layout
{
	my ($version, $name, $weight, %rest) = @_;
	my $argument = $name ? ", '$name'" : '';
	my $first = $name ? "'$name'" : '';
	return {
		generate => "uuid_generate_$version($first)",
		at => "uuid_generate_${version}_at('$time'$argument)",
		read => "uuid_${version}_timestamp(id$argument)",
		machine => "uuid_machine_id(id, $bits$argument)",
		weight => $weight,
		unit => 0,
		%rest
	};
}

my %gregorian = (
	time_low => 0.1,
	time_mid => 0.1 * 2**32,
	time_high => 0.1 * 2**48);
my %draft = (seconds => 1e6);
my %section = (
	'Version 1' => {
		read => 'uuid_v1_timestamp(id)',
		generate => 'uuid_generate_v1_random()',
		weight => \%gregorian,
		random => [qw(clock_seq node)]
	},
	'Version 6' => layout(
		'v6', '',
		{
			time_low => 0.1,
			time_mid => 0.1 * 2**12,
			time_high => 0.1 * 2**28
		}),
	'Version 7, millisecond' =>
	  layout('v7', 'millisecond', { %draft, fraction => 1e6 / 2**12 }, unit => 1000),
	'Version 7, microsecond' => layout('v7', 'microsecond', { %draft, fraction => 1e6 / 2**24 }),
	'Version 7, nanosecond' => layout('v7', 'nanosecond', { %draft, fraction => 1e6 / 2**38 }),
	'Version 7, rfc9562' =>
	  layout('v7', 'rfc9562', { milliseconds => 1000, fraction => 1000 / 2**12 }, unread => 'fraction'),
	'Version 8, unix32' => layout('v8', 'unix32', { seconds => 1e6 }),
	'Version 8, unix48' => layout('v8', 'unix48', { milliseconds => 1000 }),
	'Version 8, gregorian60' => layout('v8', 'gregorian60', { '100 ns' => 0.1 }),
	'Version 8, unix64' => layout('v8', 'unix64', { '16 ns' => 0.016 }),
	'Version 8, ntp64' => layout('v8', 'ntp64', { seconds => 1e6, fraction => 1e6 / 2**28 }),
	'Version 8, iso8601' =>
	  layout('v8', 'iso8601', { map({ ($_ => undef) } qw(year month day hour minute second), '1/10 s') }),
	'Version 8, julian64' => layout('v8', 'julian64', { us => 1 }, beyond => 0),
	'Version 8, custom layouts' => layout('v8', 'custom(100000/s, 56, 10)', { '10 us' => 10 }),
	'Version 7, with a node' => layout(
		'v7', 'rfc9562',
		{ milliseconds => 1000, fraction => 1000 / 2**12 },
		unread => 'fraction',
		generate => q{uuid_generate_v7('rfc9562', '\xcafe')},
		at => "uuid_generate_v7_at('$time', 'rfc9562', NULL, '\\xcafe')",
		machine => undef,
		node => q{uuid_v7_node(id, 'rfc9562', 2) = '\xcafe'}),
	'Version 8, with a node' => layout(
		'v8', 'unix48',
		{ milliseconds => 1000 },
		generate => q{uuid_generate_v8('unix48', '\xcafe')},
		at => "uuid_generate_v8_at('$time', 'unix48', '\\xcafe')",
		machine => undef,
		node => q{uuid_v8_node(id, 'unix48', 2) = '\xcafe'}),
	'Version b' => {
		read => 'uuid_vb_timestamp(id)',
		weight => { milliseconds => 1000 },
		reader => {
			'counter' => q{to_hex(uuid_vb_counter(id, 'sequential'))},
			'process id' => 'uuid_vb_process_id(id)::text',
			'MAC fragment' => q{ltrim(uuid_vb_mac_fragment(id)::text, '\x0')}
		},
		free_variant => 1
	},
	'IDs as version 8' => {
		read => q{uuid_v8_timestamp(id, 'unix48')},
		weight => { milliseconds => 1000 },
		reader => {
			sequence => '(sonyflake_fields(uuid_to_sonyflake(id))).sequence::text',
			machine => '(sonyflake_fields(uuid_to_sonyflake(id))).machine::text'
		},
		step => 10
	});

my $node = start_figures("uuidnew.machine_id_bits = $bits", "uuidnew.machine_id = $machine");

# Each bit's field in a figure: '0' and '1' are bits that are always so.
sub fields_of
{
	my ($figure) = @_;
	my @field;
	for my $row ($figure =~ /^ (\|.*\|)$/mg)
	{
		length($row) == 65 or return ();
		for my $cell (split /\|/, substr($row, 1, -1), -1)
		{
			my $width = (length($cell) + 1) / 2;
			(my $name = $cell) =~ s/^ +| +$//g;
			push @field, $name =~ /^[01]( [01])*$/
			  ? split(/ /, $name)
			  : ($name) x $width;
		}
	}
	return @field;
}

# The bits of a field in a UUID
sub part
{
	my ($text, $field, $name) = @_;
	return join(
		'', map { substr($text, $_, 1) }
		  grep { $field->[$_] eq $name } 0 .. $#$field);
}

# Is a version 7 UUID at the border or after it?
sub is_draft
{
	my ($text) = @_;
	return substr($text, 0, 8) ge '00000011' ? 1 : 0;
}

# The positions, as text, that have more than one value
sub varying
{
	my @texts = @_;
	return join ' ', grep {
		my $at = $_;
		!!grep { substr($_, $at, 1) ne substr($texts[0], $at, 1) } @texts
	} 0 .. 127;
}

# One ruler for all figures, whose rows are as wide: fields_of() sees to that.
my ($tens, $ones) = $page =~ /^      ([0-9 ]{1,63})\n      ([0-9 ]{63})$/m;
is_deeply([ split / /, $ones ], [ map { $_ % 10 } 0 .. 31 ], 'the ruler counts bits');
is($tens, join(' ' x 19, 0 .. 3), 'the ruler counts tens of bits');

# A heading's figure: its bits' fields, and its example
my (%fields, %example);
for my $part (split /^## /m, $page)
{
	my ($heading) = $part =~ /^(.*)$/m;
	my ($figure, $example) = $part =~ /^```\n((?: [+|].*\n)+)\n(.*?)^```$/ms;
	next unless $figure;
	$fields{$heading} = [ fields_of($figure) ];
	$example{$heading} = $example;
}

# Other layouts have a row in a table, of the 122 bits beside version and variant, and an example in a
# file of vectors.
my ($others) = $page =~ /^## Other layouts\n(.*)/ms;
for my $row ($others =~ /^\| ([VI].*\d) \|$/mg)
{
	my ($heading, $shape) = split / \| /, $row =~ tr/`//dr;
	my @field = map { /^(.+) (\d+)$/ ? ($1) x $2 : () } split /, /, $shape;
	my $version = $heading =~ /^Version 7/ ? '0111' : '1000';
	splice @field, 48, 0, split //, $version;
	splice @field, 64, 0, 1, 0;
	$fields{$heading} = \@field;
}
for my $part (split /^(?=\w)/m, slurp_file("$FindBin::Bin/../vectors/layouts.txt"))
{
	my ($heading, $example) = $part =~ /^([^\n]*)\n(.*)/s;
	$example{$heading} = $example;
}
is_deeply([ sort keys %fields ], [ sort keys %example ], 'each layout has an example');
is_deeply([ sort keys %fields ], [ sort keys %section ], 'the page has the fields of each layout');

# The names are in the hint of the error for another one, without other names in parentheses.
for my $version (7, 8)
{
	my (undef, undef, $stderr) = $node->psql('postgres', "SELECT uuid_generate_v$version('')");
	my ($hint) = $stderr =~ /^HINT:(.*)/m;
	my @names = $hint =~ /(?:are|,) "(.+?)"/g;
	cmp_ok(scalar(@names), '>', 3, "version $version has layouts");

	for my $name (@names)
	{
		ok($section{"Version $version, $name"}, "$name: this test has an entry in %section");
		for my $file ('doc/reference.md', $version == 7 ? 'doc/two-layouts.md' : ())
		{
			my $rows = () = slurp_file("$FindBin::Bin/../../$file") =~ /^\|[^|\n]*`\Q$name\E`[^|\n]*\|/mg;
			is($rows, 1, "$name: the tables of $file have its rows");
		}
	}
}

for my $heading (sort keys %section)
{
	my $is = $section{$heading};
	my $example = $example{$heading} // next;
	my @field = @{ $fields{$heading} // [] };
	is(scalar(@field), 128, "$heading: the page has 128 bits") or next;

	# the example: its fields are those of the figure, with these values
	my ($id, $reads, $values) = $example =~ /^ ([0-9a-f-]{36})  reads as (\S+ \S+)\n (.*)\n/ms;
	my $text = bits_of($id);
	is(ask("SELECT $is->{read} FROM (SELECT uuid '$id' AS id) given"),
		$reads, "$heading: the example reads as the time beside it");
	my %value = map { /^(.+) (\S+)$/ } split /, /, $values =~ s/\s+/ /gr =~ s/ $//r;
	$_ = /^0x(.*)/ ? join('', map { sprintf '%04b', hex } split //, $1) : sprintf '%b', $_ for values %value;
	my %part = map { $_ => part($text, \@field, $_) } grep { !/^[01]$/ } @field;
	s/^0+(?=.)// for values %value, values %part;
	is_deeply(\%part, \%value, "$heading: the example has the fields of the figure, with these values");
	is( join('', map { $field[$_] =~ /^[01]$/ ? substr($text, $_, 1) : '' } 0 .. 127),
		join('', grep { /^[01]$/ } @field),
		"$heading: bits that are always so are so in the example");

	# Which bits are fixed: UUIDs of one time have the time, the machine id and
	# what is always so in common, and nothing else.
	my %timed = %{ $is->{weight} };
	my %fixed = map { $_ => 1 } '0', '1', 'machine id', 'node', keys %timed;
	if ($is->{at})
	{
		my @made = map { bits_of($_) } split /\n/, ask("SELECT $is->{at} FROM generate_series(1, $made)");
		is( varying(@made),
			join(' ', grep { !$fixed{ $field[$_] } } 0 .. 127),
			"$heading: sequence and random bits are where they stand");
		is(part($made[0], \@field, $_), part($text, \@field, $_), "$heading: $_ is that of the example")
		  for sort keys %timed;
	}

	# (test/unit/sequence_test.c counts the sequence.)
	if ($is->{generate})
	{
		my @made = map { bits_of($_) } split /\n/,
		  ask("SELECT $is->{generate} FROM generate_series(1, $made)");
		my %random = map { $_ => 1 } 'random', @{ $is->{random} // [] };
		my %varies = map { $_ => 1 } split / /, varying(@made);
		is(scalar(grep { $random{ $field[$_] } && !$varies{$_} } 0 .. 127),
			0, "$heading: random bits are random");
	}

	# Turn over each bit: the time changes by the weight of the bit, or not.
	my @changed =
	  map { "('" . uuid_of(flipped($text, $_)) . "', $_)" } 0 .. 127;
	my @readers = grep { $_->[1] } (
		[ 'machine id', $is->{machine} ],
		[ 'node', $is->{node} ],
		map { [ $_, $is->{reader}{$_} ] } sort keys %{ $is->{reader} // {} });
	my $columns = join '', map { ", result(\$\$$_->[1]\$\$, id, 'uuid')" } @readers;
	my %now = map { my ($n, @results) = split /\|/; $n => \@results } split /\n/, ask(<<~SQL);
		SELECT n, result(\$\$extract(epoch FROM ($is->{read} - '$reads')) * 1000000\$\$, id, 'uuid')$columns
		FROM (VALUES ('$id', -1), ${\ join ', ', @changed}) AS flipped (id, n) ORDER BY n
		SQL

	my @wrong;
	for my $at (0 .. 127)
	{
		my $name = $field[$at];
		my ($moved, @others) = @{ $now{$at} };
		my $what = "bit $at ($name): $moved";
		my $is_time = $moved =~ /^-?[\d.]+$/;

		# across the border, a version 7 key is of the other kind, of which these readers read nothing
		if ($heading =~ /^Version 7/ && is_draft($text) != is_draft(flipped($text, $at)))
		{
			push @wrong, "$what, the other kind" if "@{ $now{$at} }" !~ /^NULL(?: NULL)*$/;
			next;
		}
		if ($name =~ /^[01]$/ && $at >= 48 && $at < 52
			|| ($at == 64 || $at == 65) && !$is->{free_variant})
		{
			push @wrong, "$what, another version" if $moved ne 'NULL';
			next;
		}
		if (exists $timed{$name} && $name ne ($is->{unread} // ''))
		{
			if (defined $is->{beyond} && $at == $is->{beyond})
			{
				push @wrong, "$what, but timestamptz ends before that"
				  if $moved ne 'NULL';
			}
			elsif (!defined $timed{$name})
			{
				push @wrong, "$what, no other time" if $moved eq '0.000000';
			}
			else
			{
				my $below = grep { $field[$_] eq $name } $at + 1 .. 127;
				my $weight = $timed{$name} * 2**$below;
				$weight = -$weight if substr($text, $at, 1);
				push @wrong, "$what, not $weight"
				  if !$is_time
				  || abs($moved - $weight) > 1.001 + 1e-14 * abs($weight);
			}
		}
		else
		{
			push @wrong, "$what, no time"
			  if !$is_time || abs($moved) >= ($is->{unit} || 0.5);
		}

		# other readers read their field only
		for my $i (0 .. $#readers)
		{
			my $changes = $others[$i] ne $now{-1}[ $i + 1 ] || 0;
			next if $others[$i] =~ /^error/ && $name =~ /^[01]$/;
			next if $others[$i] =~ /^error/ && $is->{step};
			push @wrong, "$what: $readers[$i][0] becomes $others[$i]"
			  if $changes != ($readers[$i][0] eq $name);
		}
	}
	is("@wrong", '', "$heading: each bit means what the figure says");
	is($now{-1}[1], $machine, "$heading: machine id is read")
	  if $is->{machine};
}

done_testing();
