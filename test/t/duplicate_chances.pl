# The chances of a duplicate that the pages give, and the rates that a layout has room for, computed
# again. The tables at the end have the chances of all layouts; doc/guarantees.md explains what they
# count, and shows the rows of two layouts.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(min);
use POSIX ();
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::RealBin/../..";
my $page = slurp_file("$root/doc/guarantees.md");
my $tables = join '', <DATA>;
my $year = 365.25 * 86400;

# The layouts as the server's tests know them, with the ticks of that page
my %layouts;
my $layouts_sql = slurp_file("$root/sql/layouts.sql");
while ($layouts_sql =~ /^\t\(\d, (NULL|'\w+'), .*?, +(\d+), +(\d+), +(\d+)\)[,;]$/mg)
{
	my ($name, $time, $sequence, $lent) = ($1 eq 'NULL' ? 'version 6' : $1 =~ tr/'//dr, $2, $3, $4);
	my $node = 122 - $time - $sequence;
	$layouts{$name} = {
		sequence => $sequence,
		node => $node,
		lent => $lent,
		# version 6 does not begin at zero
		random => $node + ($name eq 'version 6' ? $sequence : 0)
	};
}
my %shown;
while ($tables =~ /^\| (version 6|`\w+`) \| ([\d,]+) \| ([\d +]+) \| (.*?) \| (.*?) \|$/mg)
{
	my ($name, $ticks, $random, @chances) = ($1, $2, $3, $4, $5);
	$name =~ tr/`//d;
	$shown{$name} = \@chances;
	$layouts{$name}{ticks} = $ticks =~ tr/,//dr;
	$random = $1 + $2 if $random =~ /(\d+) \+ (\d+)/;
	is($random, $layouts{$name}{random}, "$name: the table has the number of random bits");
}
is_deeply([ sort keys %shown ], [ sort keys %layouts ], 'the table has all layouts');
my @rows = $page =~ /^(\| .*\b1 in [\d,]+ \|)$/mg;
is(scalar(@rows), 4, 'the page has rows of the tables');
is_deeply([ grep { $tables !~ /^\Q$_\E$/m } @rows ], [], 'they are the same there');

# "1 in 29,000,000", "1 in 1.8 million" or "75 %", to the digits that are written
sub is_chance
{
	my ($text, $pairs, $name) = @_;
	my $p = -POSIX::expm1(-$pairs);
	my $expected;
	if ($text =~ / %$/)
	{
		$expected = sprintf '%.0f %%', 100 * $p;
	}
	else
	{
		my ($number, $word) = $text =~ /^1 in ([\d.,]+)(?: (million|billion))?$/;
		my $unit = !$word ? 1 : $word eq 'million' ? 1e6 : 1e9;
		my $digits = $word ? $number =~ tr/0-9// : 2;
		my $rounded = sprintf('%.*e', $digits - 1, 1 / $p) / $unit;
		$rounded = 1 * sprintf '%.10g', $rounded;
		1 while !$word && $rounded =~ s/^(\d+)(\d{3})/$1,$2/;
		$expected = "1 in $rounded" . ($word ? " $word" : '');
		$expected = sprintf '%.0f %%', 100 * $p if $p > 0.1;
	}
	return is($text, $expected, $name);
}

# Evenly spread sessions, whose keys have as many random bits as their layout
sub pairs
{
	my ($layout, $rate, $sessions, $years) = @_;
	my $l = $layouts{$layout};
	my $used_up = $rate / $sessions / $l->{ticks} > 2**$l->{sequence};
	my $bits = $l->{random} - ($used_up ? $l->{lent} : 0);
	return $rate * min($rate / 2 / $l->{ticks}, ($sessions - 1) / 2) * $years * $year / 2**$bits;
}

# So many keys of the same time, two by two
sub pairs_of_one_time { my ($keys, $bits) = @_; return $keys**2 / 2 / 2**$bits; }

for my $layout (sort keys %shown)
{
	is_chance($shown{$layout}[0], pairs($layout, 1000, 20, 10), "$layout: the chance");
	is_chance($shown{$layout}[1], pairs($layout, 100_000, 100, 10), "$layout: with a higher rate");
}
is_deeply([ grep { 1000 / $layouts{$_}{ticks} > 2**$layouts{$_}{sequence} } sort keys %layouts ],
	[], 'at these rates no sequence is used up');

my $readme = slurp_file("$root/README.md");
my $two = slurp_file("$root/doc/two-layouts.md");
my $security = slurp_file("$root/SECURITY.md") =~ s/\s+/ /gr;
my $reference = slurp_file("$root/doc/reference.md");
my $chance = qr/(1\s+in\s+[\d.,]*\d(?:\s+[mb]illion)?)/;
my $rfc9562 = pairs('rfc9562', 1000, 20, 10);
my $draft = pairs('microsecond', 1000, 20, 10);
my $random = pairs_of_one_time(1e5 * 10 * $year, 122);

for (
	[ 'README', $readme, qr/chance of a duplicate within ten years is $chance/, $rfc9562 ],
	[ 'two-layouts, RFC 9562', $two, qr/ \| chance of a duplicate[^|]*\| $chance/, $rfc9562 ],
	[ 'two-layouts, draft', $two, qr/ \| chance of a duplicate[^|]*\|[^|]*\| $chance/, $draft ],
	[ 'reference', $reference, qr/a duplicate is $chance/, pairs_of_one_time(1e6, 62) ],
	[ 'a million by _at', $page, qr/two collide with a probability of $chance/, pairs_of_one_time(1e6, 62) ],
	[ 'in nanosecond', $page, qr/in `nanosecond` \(48 bits\) of $chance/, pairs_of_one_time(1e6, 48) ],
	[ 'gen_random_uuid()', $page, qr/for ten years collide with a probability of $chance/, $random ])
{
	my ($name, $text, $where, $pairs) = @$_;
	my ($found) = $text =~ s/\s+/ /gr =~ $where;
	is_chance($found // 'none', $pairs, "$name: the chance");
}
my @bits = sort { $a <=> $b } map { $_->{random} } values %layouts;
like($security, qr/only $bits[0] to $bits[-1] of them/, 'SECURITY.md says how many random bits there are');
like(
	$readme,
	qr/With $layouts{rfc9562}{random} random bits, at 1,000 keys per second/,
	'README says how many random bits there are');

# SECURITY.md: of the 74 bits that UUIDv47 leaves, those that are random in keys of a tick
# of their own, and how many keys have two alike
foreach (
	[
		'rfc9562',
		qr/among\ ([\d.]+\ [mb]illion)\ keys\ of\ `uuidv7\(\)`,
			\ 50\ %\ among\ ([\d.]+\ [mb]illion)\ \((\d+)\ random\ bits\)/x
	],
	[
		'microsecond',
		qr/in layout `microsecond` \((\d+)\) among ([\d.]+ [mb]illion) and ([\d.]+ [mb]illion)/
	])
{
	my ($name, $where) = @$_;
	my $bits = 12 + $layouts{$name}{random};
	my @expected = map {
		my $keys = sprintf '%.1e', sqrt(-2 * 2**$bits * POSIX::log1p(-$_));
		$keys >= 1e9 ? $keys / 1e9 . ' billion' : $keys / 1e6 . ' million'
	} 0.01, 0.5;
	is_deeply(
		[ sort $security =~ $where ],
		[ sort @expected, $bits ],
		"SECURITY.md says how many keys in $name may have one mask");
}

# While the clock is behind.  A session uses up one tick after another, each with
# as many counts as its sequence and lent bits have, evenly: two sessions that do
# so in the same tick have room * room / counts in common, of which the other bits
# are random.  They began at most sessions / rate apart, evenly: so they share some
# of the ticks that one needs.
sub room { my ($l) = @_; return 2**$l->{sequence} - 1 + 2**$l->{lent}; }

# The mean of max(0, ticks - |a - b|), where a and b are spread over so many ticks
sub shared_of
{
	my ($ticks, $spread) = @_;
	return $ticks - $spread / 3 if $ticks > $spread;
	return $ticks**2 / $spread - $ticks**3 / 3 / $spread**2;
}

sub pairs_while_behind
{
	my ($layout, $rate, $sessions, $hours) = @_;
	my $l = $layouts{$layout};
	my $room = room($l);
	my $ticks = $rate / $sessions * $hours * 3600 / $room;
	my $spread = $l->{ticks} * $sessions / $rate;

	# the same with whole ticks
	my $whole = int $ticks;
	my $part = $ticks - $whole;
	my $shared = (1 - $part) * shared_of($whole, $spread) + $part * shared_of($whole + 1, $spread);
	return $sessions * ($sessions - 1) / 2 * $shared * $room**2 / 2**($l->{sequence} + $l->{node});
}

my ($table) = $tables =~ /^\| layout \| 1,000\/s, 20 sessions, one hour .*\n\|[-|]*\n((?:\|.*\n)+)/m;
my $rows = 0;
my @of_column = ([ 1000, 20, 1 ], [ 100_000, 100, 1 ], [ 100_000, 100, 24 ]);
for (split /\n/, $table)
{
	my (undef, $names, @chances) = split / *\| */;
	for my $layout (split /, /, $names =~ tr/`//dr)
	{
		is_chance(
			$chances[$_],
			pairs_while_behind($layout, @{ $of_column[$_] }),
			"$layout: behind for $of_column[$_][2] hours, $of_column[$_][0] keys a second") for 0 .. 2;
		$rows++;
	}
}
cmp_ok($rows, '>', 5, 'the table was found');

# What a tick has room for, a second
for my $layout (qw(millisecond microsecond nanosecond rfc9562))
{
	my ($number, $word) = $two =~ /^\| `$layout`.*\| ([\d.]+) ([mb]illion) \|$/m;
	my $rate = room($layouts{$layout}) * $layouts{$layout}{ticks};
	my $scale = ($word eq 'million' ? 1e6 : 1e9) / ($number =~ /\./ ? 10 : 1);
	is( $number * ($number =~ /\./ ? 10 : 1),
		int($rate / $scale),
		"doc/two-layouts.md: $layout has room for $number $word per second");
}
my $least = min map { room($_) * $_->{ticks} } values %layouts;
my ($millions) = $page =~ /each named layout has room for (\d+)\s+million UUIDs per second/;
is($millions, int($least / 1e6), 'each named layout has room for that many millions');

done_testing();

__DATA__
Within ten years:

| layout | ticks/s | random bits | 1,000/s, 20 sessions | 100,000/s, 100 sessions |
|---|---|---|---|---|
| `rfc9562` | 4,096,000 | 56 | 1 in 1,900,000,000 | 1 in 190,000 |
| `millisecond` | 1,000 | 62 | 1 in 29,000,000 | 1 in 3,000 |
| `microsecond` | 1,000,000 | 48 | 1 in 1,800,000 | 1 in 180 |
| `nanosecond` | 1,000,000,000 | 40 | 1 in 7,000,000 | 1 in 700 |
| version 6 | 10,000,000 | 48 + 14 | 1 in 290,000,000,000 | 1 in 29,000,000 |
| `unix32` | 1 | 62 | 1 in 1,500,000 | 1 in 3,000 |
| `unix48` | 1,000 | 62 | 1 in 29,000,000 | 1 in 3,000 |
| `gregorian60` | 10,000,000 | 54 | 1 in 1,100,000,000 | 1 in 110,000 |
| `unix64` | 62,500,000 | 54 | 1 in 7,100,000,000 | 1 in 710,000 |
| `ntp64` | 268,435,456 | 54 | 1 in 31,000,000,000 | 1 in 3,100,000 |
| `iso8601` | 10 | 54 | 1 in 6,000 | 1 in 12 |
| `julian64` | 1,000,000 | 50 | 1 in 7,100,000 | 1 in 710 |

While a clock that was set back has not caught up:

| layout | 1,000/s, 20 sessions, one hour | 100,000/s, 100 sessions, one hour | the same, one day |
|---|---|---|---|
| `rfc9562` | 1 in 62,000,000,000 | 1 in 920,000 | 1 in 34,000 |
| version 6 | 1 in 150,000,000,000 | 1 in 720,000 | 1 in 1,500 |
| `millisecond`, `unix48` | 1 in 72,000,000,000 | 1 in 52,000,000 | 1 in 2,200,000 |
| `microsecond` | 1 in 15,000,000,000 | 1 in 77,000 | 1 in 690 |
| `nanosecond` | 1 in 910,000,000 | 1 in 4,400 | 12 % |
| `unix32` | 1 in 33,000,000 | 1 in 63,000 | 1 in 2,600 |
| `gregorian60` | 1 in 150,000,000,000 | 1 in 940,000 | 1 in 22,000 |
| `iso8601` | 1 in 69,000 | 1 in 120 | 18 % |
