# Definitions that use functions of uuidnew come back from pg_dump: the bounds of
# partitions, defaults, generated columns, indexes, checks, views.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Dumps;
use Server qw(start_server);

my $node = start_server();
$node->safe_psql('postgres', 'CREATE DATABASE restored TEMPLATE template0');

# What the bounds in views are
my $bounds = join '|',
  '06955b90-0000-7000-8000-000000000000', '2026-01-01 00:00:00+00',
  '019b76da-a800-7000-8000-000000000000', '2026-01-01 00:00:00+00';

$node->safe_psql('postgres', <<~'SQL');
	CREATE SCHEMA keys;
	CREATE EXTENSION uuidnew SCHEMA keys;
	CREATE SCHEMA app;
	SET search_path = app, keys;
	CREATE TABLE events (
		id uuid NOT NULL DEFAULT uuid_generate_v7(),
		at timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id)) STORED,
		made timestamptz DEFAULT uuid_v7_timestamp(uuid_generate_v7('rfc9562'), 'rfc9562'),
		note text,
		CONSTRAINT since_2000 CHECK (uuid_v7_between(id, '2000-01-01 00:00:00+00', NULL)),
		PRIMARY KEY (id)
	) PARTITION BY RANGE (id);
	CREATE TABLE events_old PARTITION OF events
		FOR VALUES FROM (MINVALUE) TO (uuid_v7_min('2026-01-01'));
	CREATE TABLE events_2026_01 PARTITION OF events
		FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-02-01'));
	CREATE TABLE events_rest PARTITION OF events DEFAULT;

	CREATE TABLE events_rfc (id uuid DEFAULT uuid_generate_v7('rfc9562')) PARTITION BY RANGE (id);
	CREATE TABLE events_rfc_2026 PARTITION OF events_rfc
		FOR VALUES FROM (uuid_v7_min('2026-01-01', 'rfc9562'))
			TO (uuid_v7_min('2027-01-01', 'rfc9562'));

	CREATE INDEX events_time ON events (uuid_v7_timestamp(id));
	CREATE INDEX events_brin ON events USING brin (uuid_v7_timestamp(id)) WITH (pages_per_range = 16);
	CREATE INDEX events_january ON events (note)
		WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00');
	CREATE STATISTICS events_statistics ON (uuid_v7_timestamp(id)) FROM events_2026_01;

	CREATE VIEW january AS
		SELECT * FROM events
		WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', '2026-02-01 00:00:00+00');
	CREATE VIEW rfc_windows AS
		SELECT * FROM events_rfc WHERE uuid_v7_between(id, '2026-01-01 00:00:00+00', NULL, 'rfc9562');
	CREATE VIEW rfc_operators AS
		SELECT *, id::timestamptz AS made FROM events_rfc
		WHERE id BETWEEN '2026-01-01 00:00:00+00'::timestamptz AND now();
	ALTER TABLE events_rfc
		ADD CHECK (id >= '2026-01-01 00:00:00+00'::timestamptz),
		ADD late boolean GENERATED ALWAYS AS (id > '2026-04-01 00:00:00+00'::timestamptz) STORED;
	CREATE VIEW rfc_ranges AS
		SELECT * FROM events_rfc WHERE id <@ tstzrange('2026-01-01 00:00:00+00', NULL);
	ALTER TABLE events_rfc ADD CHECK (uuidv7_is(id));
	CREATE INDEX events_drafts ON events (note) WHERE uuid_v7_is(id, 'draft');
	CREATE POLICY recent ON events_rfc USING (id < now());
	CREATE VIEW bounds AS
		SELECT uuid_v7_partman_encoder('2026-01-01 00:00:00+00') AS encoded,
			   uuid_v7_partman_decoder('06955b90-0000-7000-8000-000000000000') AS decoded,
			   uuid_v7_rfc9562_partman_encoder('2026-01-01 00:00:00+00') AS rfc_encoded,
			   uuid_v7_rfc9562_partman_decoder('019b76da-a800-7000-8000-000000000000') AS rfc_decoded;
	-- kept up to date, so it is read while the dump is restored
	CREATE MATERIALIZED VIEW stored_bounds AS SELECT * FROM bounds;
	CREATE MATERIALIZED VIEW stored_january AS SELECT id FROM january;

	INSERT INTO events (id, note)
	SELECT uuid_generate_v7_at(timestamptz '2025-12-20 00:00:00+00' + i * interval '1 hour'), i
	FROM generate_series(0, 2400) i;
	INSERT INTO events (id, note)
	VALUES (uuid_v7_min('2026-01-01'), 'first of January'),
		(uuid_v7_max(timestamptz '2026-02-01' - interval '1 us'), 'last of January'),
		(uuid_v7_min('2026-02-01'), 'first of February');
	INSERT INTO events_rfc SELECT uuid_generate_v7_at('2026-05-01', 'rfc9562')
	FROM generate_series(1, 10);
	REFRESH MATERIALIZED VIEW stored_january;
	SQL

my $dump = dump_of($node, 'postgres');
like($dump, qr/\Q$_\E/, "the dump has $_")
  for (
	"FOR VALUES FROM ('06955b90-0000-7000-8000-000000000000') TO ('",
	"FOR VALUES FROM ('019b76da-a800-7000-8000-000000000000') TO ('",
	'USING brin',
	'uuid_v7_between(id, ',
	'last of January');

restore($node, 'postgres', $node, 'restored');
is(dump_of($node, 'restored'), $dump, 'a restored database makes the same dump');

# Nothing of uuidnew is in the search path.
sub ask
{
	my ($sql) = @_;
	return $node->safe_psql('restored', "SET search_path = ''; $sql");
}
my $counts = join "\n", 746, 746, 10, '10|2026-05-01 00:00:00+00', 10;
is(ask(<<~'SQL'), "$counts\n$bounds\n$bounds", 'views have their rows');
	SELECT count(*) FROM app.january;
	SELECT count(*) FROM app.stored_january;
	SELECT count(*) FROM app.rfc_windows;
	SELECT count(*), min(made) FROM app.rfc_operators;
	SELECT count(*) FROM app.rfc_ranges;
	SELECT * FROM app.bounds;
	SELECT * FROM app.stored_bounds;
	SQL
my $plan = ask('EXPLAIN (COSTS OFF) SELECT id FROM app.january');
like($plan, qr/events_2026_01/, 'a window scans its partition');
unlike($plan, qr/events_(old|rest)/, 'a window prunes the other partitions');
is(ask(<<~'SQL'), "t|t|t\napp.events_rest", 'new rows go by the restored defaults and bounds');
	INSERT INTO app.events (note) VALUES ('new')
	RETURNING at = keys.uuid_v7_timestamp(id), abs(extract(epoch FROM at - now())) < 60,
		abs(extract(epoch FROM made - now())) < 60;
	INSERT INTO app.events (id) VALUES (keys.uuid_generate_v7_at('2026-02-01'))
	RETURNING tableoid::regclass;
	SQL
for (
	[ q{events VALUES ('06955b90-0000-4000-8000-000000000000')}, qr/check constraint "since_2000"/ ],
	[ q{events_2026_01 VALUES (keys.uuid_v7_min('2026-02-01'))}, qr/partition constraint/ ],
	[ q{events_rfc VALUES (keys.uuid_generate_v7_at('2026-05-01'))}, qr/no partition of relation/ ])
{
	my ($insert, $violated) = @$_;
	my (undef, undef, $error) = $node->psql('restored', "INSERT INTO app.$insert");
	like($error, $violated, "INSERT INTO $insert is an error");
}

done_testing();
