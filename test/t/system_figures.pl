# The table of the IDs of other systems at the end is true: each bit of an ID, when it is turned over,
# changes the field that the table says, and no other. Fields have their number of bits, the highest
# first; "0 1" is one bit that is always 0. The digits of a CUID are of base 36, after the letter "c".
# (test/unit/comb_test.c has COMB GUIDs and ordered UUIDs.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Figures;
use Server;

start_figures();

# How an ID is written: its type, and its alphabet if that is text
my $lower = join '', '0' .. '9', 'a' .. 'z';
my $upper = join '', 'A' .. 'Z';
my $small = join '', 'a' .. 'z';
my %written = (
	(map { $_ => ['bigint'] } qw(snowflake mastodon shardingid flakeid sonyflake)),
	(map { $_ => ['bytea'] } qw(objectid ksuid)),
	(map { $_ => ['uuid'] } qw(lexicaluuid flake ulid sid)),
	elasticflake => [ 'text', "$upper${small}0123456789-_" ],
	pushid => [ 'text', "-0123456789${upper}_$small" ],
	xid => [ 'text', substr($lower, 0, 32) ],
	cuid => ['text']);

sub id_of
{
	my ($type, $alphabet, $text) = @_;
	return unpack('q>', pack('B64', $text)) if $type eq 'bigint';
	return '\x' . unpack('H*', pack('B*', $text)) if $type eq 'bytea';
	return uuid_of($text) if $type eq 'uuid';
	my $each = length(sprintf('%b', length($alphabet) - 1));
	$text .= '0' x (-length($text) % $each);
	return join '', map { substr($alphabet, oct("0b$_"), 1) } $text =~ /(.{$each})/g;
}

my $table = join '', <DATA>;
my @rows = $table =~ /^\| (\w+) \| (\d+(?: digits)?) \| (.*?) \|/mg;
my $systems = 0;
while (my ($system, $size, $shape) = splice @rows, 0, 3)
{
	my $name = lc $system;
	my $written = $written{$name} // next;
	my ($type, $alphabet) = @$written;
	$systems++;
	my @field =
	  map { /^(.+) (\d+)$/ ? ($1) x $2 : () } split /, /, $shape;
	is(scalar(@field), $size =~ s/ digits//r, "$system: its fields make up all of its bits")
	  or next;

	# an ID of the year 1970 or later, with ones and zeros everywhere
	my $given = join '', map { $_ % 3 == 1 || $_ % 7 == 2 ? 1 : 0 } 0 .. $#field;
	substr($given, 0, 26) = '0' x 26 if $name eq 'flake';
	substr($given, 0, 14) = '0' x 14 if $name eq 'lexicaluuid';
	$field[$_] eq '0' and substr($given, $_, 1) = '0' for 0 .. $#field;

	my @ids;
	if ($size =~ /digits/)
	{
		@ids = map {
			my $id = '01' x 12;
			substr($id, $_, 1) = '2' if $_ >= 0;
			[ $_, "c$id" ]
		} -1 .. $#field;
	}
	else
	{
		@ids = map { [ $_, id_of($type, $alphabet, $_ < 0 ? $given : flipped($given, $_)) ] } -1 .. $#field;
	}

	my $list = join ', ', map { "($_->[0], '$_->[1]')" } @ids;
	my (%before, @wrong);
	my $fields = ask(<<~SQL);
		SELECT n, key, value
		FROM (VALUES $list) AS ids (n, id),
			LATERAL (SELECT result('to_jsonb(${name}_fields(id))', id, '$type') AS f) made,
			LATERAL jsonb_each_text(
				CASE WHEN f LIKE '{%' THEN f::jsonb ELSE jsonb_build_object('error', f) END)
		ORDER BY n
		SQL
	for my $line (split /\n/, $fields)
	{
		my ($n, $key, $value) = split /\|/, $line;
		if ($n < 0)
		{
			$before{$key} = $value;
			next;
		}
		my $of = $field[$n];
		$of = 'timestamp'
		  if $of =~ /^(?:milli|micro)?seconds$|^10 ms$/;
		if ($key eq 'error')
		{
			push @wrong, "bit $n ($of): $value"
			  unless $of eq '0'
			  || $of eq 'timestamp' && $value =~ /^error 22008$|^NULL$/;
		}
		elsif ($value ne $before{$key})
		{
			push @wrong, "bit $n ($of): $key"
			  unless $key eq $of
			  || $of eq 'nanoseconds' && $key eq 'timestamp';
		}
		elsif ($key eq $of)
		{
			push @wrong, "bit $n ($of): nothing";
		}
		elsif ($of eq '0')
		{
			push @wrong, "bit $n is not always 0";
		}
	}
	is(scalar(grep { $_ ne 'error' } keys %before) > 1, 1, "$system: the example is an ID");
	is("@wrong[0..($#wrong > 5 ? 5 : $#wrong)]", '', "$system: each bit means what the table says");
}
is($systems, scalar(keys %written), 'all systems are in the table');

done_testing();

__DATA__
| system | bits | fields |
|---|---|---|
| Snowflake | 64 | 0 1, milliseconds 41, datacenter 5, worker 5, sequence 12 |
| Mastodon | 64 | milliseconds 48, sequence 16 |
| ShardingID | 64 | milliseconds 41, shard 13, sequence 10 |
| FlakeID | 64 | milliseconds 42, datacenter 5, worker 5, counter 12 |
| Sonyflake | 64 | 0 1, 10 ms 39, sequence 8, machine 16 |
| LexicalUUID | 128 | microseconds 64, worker 64 |
| Elasticflake | 120 | milliseconds 48, address 48, sequence 24 |
| pushID | 120 | milliseconds 48, random 72 |
| XID | 96 | seconds 32, machine 24, pid 16, counter 24 |
| ObjectID | 96 | seconds 32, random 40, counter 24 |
| Flake | 128 | milliseconds 64, mac 48, sequence 16 |
| ULID | 128 | milliseconds 48, random 80 |
| SID | 128 | 0 1, nanoseconds 63, 0 1, random 63 |
| CUID | 24 digits | milliseconds 8, counter 4, fingerprint 4, random 8 |
| KSUID | 160 | seconds 32, payload 128 |
