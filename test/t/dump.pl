# Definitions that use functions of uuidnew come back from pg_dump: the bounds of
# partitions, defaults, generated columns, indexes, checks, views.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use CoreFunctions;
use Dumps;

# In --quick one schema's dump is restored from the script and the other's from the archive, by lot.
my $quick = $ENV{UUIDNEW_QUICK};
my $seed = $ENV{DUMP_SEED} // int(rand(2));
note("DUMP_SEED=$seed") if $quick;

my $node = start_node('main');

# One database is dumped and one is restored to; both are cleared between the schemas.
$node->safe_psql('postgres', 'CREATE DATABASE restored TEMPLATE template0');
my %forms = map { $_ => [qw(script archive)] } qw(public keys);
%forms = (public => [ $forms{public}[$seed] ], keys => [ $forms{keys}[ 1 - $seed ] ]) if $quick;

# What the bounds in views are
my $bounds = join '|',
  '06955b90-0000-7000-8000-000000000000', '2026-01-01 00:00:00+00',
  '019b76da-a800-7000-8000-000000000000', '2026-01-01 00:00:00+00';

# What there is to see of a database's tables
my $rows = <<~'SQL';
	SELECT tableoid::regclass, id, at, made, note FROM app.events ORDER BY id, note;
	SQL
my $definitions = <<~'SQL';
	SELECT oid::regclass, pg_get_expr(relpartbound, oid) FROM pg_class
	WHERE relnamespace = 'app'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname;
	SELECT a.adrelid::regclass::text, a.adnum, pg_get_expr(a.adbin, a.adrelid) FROM pg_attrdef a
		JOIN pg_class c ON c.oid = a.adrelid
	WHERE relnamespace = 'app'::regnamespace ORDER BY 1, 2;
	SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON oid = indrelid
	WHERE relnamespace = 'app'::regnamespace ORDER BY 1;
	SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
	WHERE connamespace = 'app'::regnamespace ORDER BY 1, 2;
	SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext ORDER BY 1;
	SELECT viewname, definition FROM pg_views WHERE schemaname = 'app' ORDER BY 1;
	SELECT extname, extversion, extnamespace::regnamespace FROM pg_extension ORDER BY 1;
	\d+ app.events_2026_01
	\d+ app.events_rfc_2026
	SQL

# make_source(schema of the extension)
sub make_source
{
	my ($schema) = @_;

	$node->safe_psql('postgres', <<~SQL . <<~'SQL');
		CREATE SCHEMA IF NOT EXISTS $schema;
		CREATE EXTENSION uuidnew SCHEMA $schema;
		CREATE SCHEMA app;
		SET search_path = app, $schema;
		SQL
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
		CREATE TABLE events_2026_02 PARTITION OF events
			FOR VALUES FROM (uuid_v7_min('2026-02-01')) TO (uuid_v7_min('2026-03-01'));
		CREATE TABLE events_rest PARTITION OF events DEFAULT;

		CREATE TABLE events_rfc (id uuid DEFAULT uuid_generate_v7('rfc9562')) PARTITION BY RANGE (id);
		CREATE TABLE events_rfc_2026 PARTITION OF events_rfc
			FOR VALUES FROM (uuid_v7_min('2026-01-01', 'rfc9562'))
				TO (uuid_v7_min('2027-01-01', 'rfc9562'));
		CREATE TABLE events_v6 (id uuid DEFAULT uuid_generate_v6()) PARTITION BY RANGE (id);
		CREATE TABLE events_v6_2026 PARTITION OF events_v6
			FOR VALUES FROM (uuid_v6_min('2026-01-01')) TO (uuid_v6_min('2027-01-01'));
		CREATE TABLE events_v8 (id uuid DEFAULT uuid_generate_v8('iso8601')) PARTITION BY RANGE (id);
		CREATE TABLE events_v8_2026 PARTITION OF events_v8
			FOR VALUES FROM (uuid_v8_min('2026-01-01', 'iso8601'))
				TO (uuid_v8_min('2027-01-01', 'iso8601'));

		CREATE INDEX events_time ON events (uuid_v7_timestamp(id));
		CREATE INDEX events_brin ON events USING brin (uuid_v7_timestamp(id)) WITH (pages_per_range = 16);
		CREATE INDEX events_rfc_time ON events_rfc (uuid_v7_timestamp(id, 'rfc9562'));
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
		ALTER TABLE events_v6 ADD CHECK (uuid_v6_is(id));
		ALTER TABLE events_v8 ADD CHECK (uuid_v8_is(id, 'iso8601'));
		CREATE INDEX events_drafts ON events (note) WHERE uuid_v7_is(id, 'draft');
		CREATE POLICY recent ON events_rfc USING (id < now());
		CREATE INDEX events_rfc_early ON events_rfc (late) WHERE id <= '2026-06-01 00:00:00+00'::timestamptz;
		CREATE VIEW v6_v8_windows AS
			SELECT v6.id FROM events_v6 v6 WHERE uuid_v6_between(v6.id, NULL, '2026-07-01 00:00:00+00')
			UNION ALL
			SELECT v8.id FROM events_v8 v8
			WHERE uuid_v8_between(v8.id, NULL, '2026-07-01 00:00:00+00', 'iso8601');
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
		SELECT bound, name FROM (VALUES ('first of January', uuid_v7_min('2026-01-01')),
			('last of January', uuid_v7_max(timestamptz '2026-02-01' - interval '1 us')),
			('first of February', uuid_v7_min('2026-02-01'))) bounds(name, bound);
		INSERT INTO events_rfc SELECT uuid_generate_v7_at('2026-05-01', 'rfc9562')
		FROM generate_series(1, 10);
		INSERT INTO events_v6 SELECT uuid_generate_v6_at('2026-05-01') FROM generate_series(1, 10);
		INSERT INTO events_v8 SELECT uuid_generate_v8_at('2026-05-01', 'iso8601')
		FROM generate_series(1, 10);
		REFRESH MATERIALIZED VIEW stored_january;
		SQL
}

sub clear
{
	my ($database, $schema) = @_;

	$node->safe_psql($database,
		'DROP SCHEMA app CASCADE; DROP EXTENSION uuidnew'
		  . ($schema eq 'public' ? '' : "; DROP SCHEMA $schema"));
	return;
}

foreach my $schema ('public', 'keys')
{
	make_source($schema);
	my $dump = dump_of($node, 'postgres');
	my $expected = $node->safe_psql('postgres', $definitions);
	my $expected_rows = $node->safe_psql('postgres', $rows);
	like($expected, qr/\Q$_\E/, "$schema: the definitions have $_")
	  for (
		"FOR VALUES FROM ('06955b90-0000-7000-8000-000000000000') TO ('",
		"FOR VALUES FROM ('019b76da-a800-7000-8000-000000000000') TO ('",
		'USING brin',
		'uuid_v7_between(id, ');
	is(scalar(split(/\n/, $expected_rows)), 2404, "$schema: there are rows");

	foreach my $form (@{ $forms{$schema} })
	{
		my $name = "$schema from the $form";

		restore($form, $node, 'postgres', $node, 'restored');
		is($node->safe_psql('restored', $definitions), $expected, "$name has the same definitions");
		is($node->safe_psql('restored', $rows),
			$expected_rows, "$name has the same rows in the same partitions");
		is(dump_of($node, 'restored'), $dump, "$name makes the same dump");

		# All of this is asked where nothing of uuidnew is in the search path.
		is( $node->safe_psql('restored', <<~'SQL'),
			SET search_path = '';
			SELECT count(*) FROM app.january;
			SELECT count(*) FROM app.stored_january;
			SELECT count(*) FROM app.rfc_windows;
			SELECT count(*), min(made) FROM app.rfc_operators;
			SELECT count(*) FROM app.rfc_ranges;
			SELECT count(*) FROM app.v6_v8_windows;
			SELECT * FROM app.bounds;
			SELECT * FROM app.stored_bounds;
			SQL
			join("
", 746, 746, 10, '10|2026-05-01 00:00:00+00', 10, 20, ($bounds) x 2),
			"$name: views have the same rows");
		my $plan = $node->safe_psql(
			'restored', <<~'SQL'
				SET search_path = '';
				EXPLAIN (COSTS OFF) SELECT id FROM app.january;
				EXPLAIN (COSTS OFF) SELECT id FROM app.events_rfc_2026
				WHERE
				SQL
			  . "$schema.uuid_v7_between(id, '2026-01-01', '2026-01-02', 'rfc9562')");
		like($plan, qr/events_2026_01/, "$name: a window scans its partition");
		unlike($plan, qr/events_(old|2026_02|rest)/, "$name: a window prunes the other partitions");

		# New rows go by the restored defaults and bounds.
		is( $node->safe_psql('restored', <<~SQL),
			SET search_path = '';
			INSERT INTO app.events (note) VALUES ('new')
			RETURNING at = $schema.uuid_v7_timestamp(id), abs(extract(epoch FROM at - now())) < 60,
					  abs(extract(epoch FROM made - now())) < 60;
			INSERT INTO app.events (id) VALUES ($schema.uuid_generate_v7_at('2026-02-01'))
			RETURNING tableoid::regclass;
			SQL
			"t|t|t\napp.events_2026_02",
			"$name: new rows go by the restored defaults and bounds");
		my ($status, $stdout, $stderr) = $node->psql('restored',
			"INSERT INTO app.events (id) VALUES ('06955b90-0000-4000-8000-000000000000')");
		like($stderr, qr/violates check constraint "since_2000"/, "$name: the check holds");
		($status, $stdout, $stderr) = $node->psql('restored',
			"INSERT INTO app.events_2026_01 (id) VALUES ($schema.uuid_v7_min('2026-02-01'))");
		like($stderr, qr/violates partition constraint/, "$name: the bounds hold");
		($status, $stdout, $stderr) = $node->psql('restored',
				"INSERT INTO app.events_v6 SELECT "
			  . "overlay($schema.uuid_v6_min('2026-05-01')::text PLACING '4' FROM 15)::uuid");
		like($stderr, qr/violates check constraint "events_v6_id_check"/, "$name: a filter as a check holds");
		clear('restored', $schema);
	}
	clear('postgres', $schema);
}

$node->stop('immediate');
done_testing();
