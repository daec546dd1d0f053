# A DELETE with the function of the wrong kind deletes no row.  The negation of a window, and bounds that are
# written by hand, match all keys of the other kind.  (Windows match the same rows in any statement:
# window_rows.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $node = start_kinds();

# A thousand keys of each kind, one each hour, half of them before the middle
my $middle = q{timestamptz '2026-01-21 20:00+00'};
ask(<<~SQL);
	CREATE TABLE hours AS SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1 hour' AS at
	FROM generate_series(0, 999) n;
	CREATE TABLE rfc9562 AS SELECT uuidv7_at(at) AS id FROM hours;
	CREATE TABLE draft AS SELECT uuid_generate_v7_at(at) AS id FROM hours;
	CREATE TABLE random AS SELECT gen_random_uuid() AS id FROM hours;
	SQL

# A condition, and how many rows of RFC 9562, of the draft and of version 4 are deleted by it
for (
	[ "uuidv7_before(id, $middle)", 500, 0, 0 ],
	[ "uuidv7_between(id, NULL, $middle)", 500, 0, 0 ],
	[ 'uuidv7_between(id, NULL, NULL)', 1000, 0, 0 ],
	[ "uuid_v7_between(id, NULL, $middle, 'rfc9562')", 500, 0, 0 ],
	[ "id < $middle", 500, 0, 0 ],
	[ "id <@ tstzrange(NULL, $middle)", 500, 0, 0 ],
	[ "uuidv7_timestamp(id) < $middle", 500, 0, 0 ],
	[ "uuid_v7_before(id, $middle)", 0, 500, 0 ],
	[ "uuid_v7_between(id, NULL, $middle)", 0, 500, 0 ],
	[ 'uuid_v7_between(id, NULL, NULL)', 0, 1000, 0 ],
	[ "uuid_v7_between(id, NULL, $middle, 'nanosecond')", 0, 500, 0 ],
	[ "uuid_v7_timestamp(id) < $middle", 0, 500, 0 ],

	# what matches the other kind
	[ "NOT id >= $middle", 500, 1000, 1000 ],
	[ "NOT id <@ tstzrange($middle, NULL)", 500, 1000, 1000 ],
	[ "NOT uuidv7_from(id, $middle)", 500, 1000, 1000 ],
	[ "NOT uuid_v7_from(id, $middle)", 1000, 500, 1000 ],
	[ "uuid_v7_from(id, $middle) IS NOT TRUE", 1000, 500, 1000 ],
	[ "id NOT BETWEEN $middle AND $middle", 999, 0, 0 ],
	[ 'uuidv7_timestamp(id) IS NULL', 0, 1000, 1000 ],
	[ 'uuid_v7_timestamp(id) IS NULL', 1000, 0, 1000 ])
{
	my ($condition, @rows) = @$_;
	foreach my $table (qw(rfc9562 draft random))
	{
		my $rows = shift @rows;
		is(ask(<<~SQL), $rows, "$condition deletes $rows rows of $table");
			BEGIN;
			WITH gone AS (DELETE FROM $table WHERE $condition RETURNING id) SELECT count(*) FROM gone;
			ROLLBACK
			SQL
	}
}
is(ask("SELECT count(*) FROM rfc9562 WHERE id < uuid_v7_min($middle)"),
	'1000', 'keys of RFC 9562 are below every bound of the draft');
is(ask("SELECT count(*) FROM draft WHERE id >= uuidv7_min($middle)"),
	'1000', 'draft keys are above every bound of RFC 9562');

$node->stop;
done_testing();
