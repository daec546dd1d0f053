# What a kind of version 7 cannot hold is an error that names the range, and the function of the other
# kind where that one can hold it; bounds take any time, and end where the kind ends.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

start_kinds();

# A range, times beyond it that the other kind can hold, and others; the function of the other kind
my %kind = (
	rfc9562 => {
		range => '1970-01-01 00:00:00+00 to 2074-07-11 11:41:23.327999+00',
		of_other => [ '2074-07-11 11:41:23.328+00', '4147-08-20 07:32:15.999999+00' ],
		of_none => [ '4147-08-20 07:32:16+00', '1969-12-31 23:59:59.999999+00' ],
		other => 'uuid_generate_v7_at'
	},
	draft => {
		range => '1995-07-09 16:12:48+00 to 4147-08-20 07:32:15.999999+00',
		of_other => [ '1995-07-09 16:12:47.999999+00', '1970-01-01 00:00:00+00' ],
		of_none => [ '1969-12-31 23:59:59.999999+00', '4147-08-20 07:32:16+00' ],
		other => 'uuidv7_at'
	});

# Generators of a given time, with the time in place of T; their kind, and the layout that errors name
foreach (
	[ 'uuidv7_at(T)', 'rfc9562', 'rfc9562' ],
	[ q{uuid_generate_v7_at(T, 'rfc9562')}, 'rfc9562', 'rfc9562' ],
	[ q{uuid_generate_v7_at(T, 'RFC9562', 7)}, 'rfc9562', 'rfc9562' ],
	[ 'uuid_generate_v7_at(T)', 'draft', 'microsecond' ],
	[ q{uuid_generate_v7_at(T, 'draft')}, 'draft', 'microsecond' ],
	[ q{uuid_generate_v7_at(T, 'nanosecond', 7)}, 'draft', 'nanosecond' ])
{
	my ($call, $name, $layout) = @$_;
	my $kind = $kind{$name};
	my $detail = qr/The layout "$layout" holds times from \Q$kind->{range}\E\./;
	foreach my $end (split / to /, $kind->{range})
	{
		my $key = $call =~ s/T/'$end'/r;
		is(ask("SELECT uuid_v7_is($key, '$name')"), 't', "$call holds $end");
	}
	foreach my $time (@{ $kind->{of_other} }, @{ $kind->{of_none} }, 'infinity', '-infinity')
	{
		my $hint =
		  (grep { $_ eq $time } @{ $kind->{of_other} }) ? qr/HINT:  Use $kind->{other}\(\)\.\n?/ : '';
		like(
			error_of('SELECT ' . $call =~ s/T/'$time'/r),
			qr/\AERROR:  22008: timestamp out of range for UUID version 7\nDETAIL:  $detail\n$hint\z/,
			"$call with $time is an error that has the range, and the function of a kind that holds it");
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

done_testing();
