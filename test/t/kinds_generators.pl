# What a kind of version 7 cannot hold is an error that names the range, and the function of the other
# kind where that one can hold it; bounds take any time, and end where the kind ends.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $node = start_kinds();

my $rfc_range = '1970-01-01 00:00:00+00 to 2074-07-11 11:41:23.327999+00';
my $draft_range = '1995-07-09 16:12:48+00 to 4147-08-20 07:32:15.999999+00';

# Generators of a given time: the call with the time in place of %s, the layout, the other kind's function
my @generators = (
	[ 'uuidv7_at(%s)', 'rfc9562' ],
	[ q{uuid_generate_v7_at(%s, 'rfc9562')}, 'rfc9562' ],
	[ q{uuid_generate_v7_at(%s, 'RFC9562', 7)}, 'rfc9562' ],
	[ 'uuid_generate_v7_at(%s)', 'microsecond' ],
	[ q{uuid_generate_v7_at(%s, 'draft')}, 'microsecond' ],
	[ q{uuid_generate_v7_at(%s, 'nanosecond', 7)}, 'nanosecond' ]);

foreach my $generator (@generators)
{
	my ($call, $layout) = @$generator;
	my $is_draft = $layout ne 'rfc9562';
	my $range = $is_draft ? $draft_range : $rfc_range;
	my $other = $is_draft ? 'uuidv7_at' : 'uuid_generate_v7_at';
	my $is = $is_draft ? 'uuid_v7_is' : 'uuidv7_is';
	my $layout_named = $layout =~ /^draft$/i ? 'microsecond' : $layout;

	my ($first, $last) = split / to /, $range;
	foreach my $end ($first, $last)
	{
		is(ask("SELECT $is(${\ sprintf $call, qq{'$end'}})"), 't', sprintf "$call holds $end", 'time');
	}
	foreach my $time (
		$is_draft
		? ( [ '1995-07-09 16:12:47.999999+00', 1 ],
			[ '1970-01-01 00:00:00+00', 1 ],
			[ '1969-12-31 23:59:59.999999+00', 0 ],
			[ '4147-08-20 07:32:16+00', 0 ])
		: ( [ '2074-07-11 11:41:23.328+00', 1 ],
			[ '4147-08-20 07:32:15.999999+00', 1 ],
			[ '4147-08-20 07:32:16+00', 0 ],
			[ '1969-12-31 23:59:59.999999+00', 0 ]),
		[ 'infinity', 0 ],
		[ '-infinity', 0 ])
	{
		my ($ts, $other_holds_it) = @$time;
		my $error = error_of('SELECT ' . sprintf $call, "'$ts'");
		like(
			$error,
			qr/^ERROR:  22008: timestamp out of range for UUID version 7\nDETAIL:  The layout "$layout_named" holds times from \Q$range\E\.\n/,
			sprintf("$call with $ts is an error that has the range", 'time'));
		$other_holds_it
		  ? like($error, qr/^HINT:  Use $other\(\)\.$/m,
			"$call with $ts names the function of the other kind")
		  : unlike($error, qr/^HINT/m, "$call with $ts names no other function");
	}
}

my ($nil, $max) = ('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
my $last_rfc = '02ffffff-ffff-7fff-bfff-ffffffffffff';
my $first_draft = '03000000-0000-7000-8000-000000000000';
# pg_partman's decoders: a bound outside the kind is infinite.
my $decoded = ask(<<~SQL);
	SELECT uuid_v7_partman_decoder('$nil'), uuid_v7_partman_decoder('$max'),
		uuid_v7_rfc9562_partman_decoder('$nil'), uuid_v7_rfc9562_partman_decoder('$max'),
		uuid_v7_rfc9562_partman_decoder('$first_draft'), uuid_v7_partman_decoder('$last_rfc')
	SQL
is($decoded, '-infinity|infinity|-infinity|infinity|infinity|-infinity',
	'bounds outside a kind are infinite');
$decoded = ask(<<~'SQL');
	SELECT uuid_v7_partman_decoder(uuid_v7_partman_encoder('1990-01-01')),
		uuid_v7_rfc9562_partman_decoder(uuid_v7_rfc9562_partman_encoder('1960-01-01')),
		uuid_v7_partman_decoder(uuid_v7_partman_encoder('5000-01-01')),
		uuid_v7_rfc9562_partman_decoder(uuid_v7_rfc9562_partman_encoder('2080-01-01'))
	SQL
is($decoded, '1995-07-09 16:12:48+00|1970-01-01 00:00:00+00|infinity|infinity', 'encoded times saturate');

$node->stop;
done_testing();
