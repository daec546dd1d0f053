# Who may create the extension, and where: a database owner who is no superuser,
# in any schema; its move to another schema, and its removal.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server qw(start_server);
use Session;

my $node = start_server();
$node->safe_psql('postgres', <<~'SQL');
	CREATE ROLE boss LOGIN;
	CREATE ROLE clerk LOGIN;
	ALTER DATABASE postgres OWNER TO boss
	SQL

sub ask
{
	my ($database, $user, $query) = @_;
	return $node->Session::answer($database, $query, $user);
}

# A trusted extension
is(ask('postgres', 'clerk', 'CREATE EXTENSION uuidnew'),
	'42501', 'a user without CREATE on the database may not create the extension');
is(ask('postgres', 'boss', 'CREATE SCHEMA keys; CREATE EXTENSION uuidnew SCHEMA keys'),
	'', 'the owner of the database may create the extension in her own schema');
is( ask('postgres', 'boss', <<~'SQL'),
	SELECT count(*) FROM pg_proc
	WHERE pronamespace = 'keys'::regnamespace AND (proowner <> 10 OR prosecdef)
	SQL
	'0',
	'functions belong to the superuser, and have the rights of their caller');
# A move to another schema

# Definitions that name the functions by their schema
is( ask('postgres', 'boss', <<~'SQL'),
	CREATE SCHEMA app;
	GRANT USAGE ON SCHEMA app TO clerk;
	CREATE TABLE app.orders (
		id uuid PRIMARY KEY DEFAULT keys.uuid_generate_v7()
			CHECK (keys.uuid_v7_timestamp(id) IS NOT NULL),
		made timestamptz GENERATED ALWAYS AS (keys.uuid_v7_timestamp(id)) STORED
	) PARTITION BY RANGE (id);
	CREATE TABLE app.orders_2025 PARTITION OF app.orders
		FOR VALUES FROM (MINVALUE) TO (keys.uuid_v7_min('2026-01-01'));
	CREATE TABLE app.orders_later PARTITION OF app.orders
		FOR VALUES FROM (keys.uuid_v7_min('2026-01-01')) TO (MAXVALUE);
	CREATE INDEX ON app.orders (keys.uuid_v7_timestamp(id));
	INSERT INTO app.orders (id)
	SELECT keys.uuid_generate_v7_at(timestamptz '2025-12-31' + i * interval '1 hour')
	FROM generate_series(0, 71) i;
	CREATE VIEW app.a_day AS
		SELECT id FROM app.orders
		WHERE keys.uuid_v7_between(id, '2026-01-01', '2026-01-02');
	CREATE VIEW app.bounds AS
		SELECT keys.uuid_v7_partman_encoder('2026-01-01 00:00:00+00') AS encoded,
			   keys.uuid_v7_partman_decoder('06955b90-0000-7000-8000-000000000000') AS decoded;
	GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA app TO clerk;
	SQL
	'',
	'definitions use the functions');

my $prepare = <<~'SQL';
	SET enable_seqscan = off;
	SET enable_bitmapscan = off;
	PREPARE a_day AS SELECT count(*) FROM app.a_day;
	EXECUTE a_day;
	SQL
my $look = <<~'SQL';
	EXECUTE a_day;
	SELECT * FROM app.bounds;
	EXPLAIN (COSTS OFF) SELECT id FROM app.a_day;
	INSERT INTO app.orders DEFAULT VALUES RETURNING made IS NOT NULL, tableoid::regclass;
	INSERT INTO app.orders VALUES (gen_random_uuid());
	SQL
my $violation = qr/^psql:\S+ ERROR: [^\n]* violates check constraint[^\n]*\nDETAIL:[^\n]*$/;
my $sight = qr/24
06955b90-0000-7000-8000-000000000000\|2026-01-01 00:00:00\+00
(?:(?!orders_2025).)*Index Cond: (?:(?!orders_2025).)*
t\|app.orders_later$/s;

my ($status, $stdout, $stderr) = $node->psql(
	'postgres', $prepare . $look,
	extra_params => [ '-U', 'clerk' ],
	on_error_stop => 0);
like($stdout, qr/^24\n$sight/, 'definitions work for a user who may not use the schema');
like($stderr, $violation, 'the check holds for a user who may not use the schema');

is(ask('postgres', 'boss', 'ALTER EXTENSION uuidnew SET SCHEMA app'),
	'42501', 'only a superuser may move the extension');

# Another session does, while one goes on.
$node->safe_psql('postgres', 'CREATE SCHEMA elsewhere; GRANT USAGE ON SCHEMA elsewhere TO boss');
my $going_on = Session->new($node, '-d', $node->connstr('postgres'), '-U', 'boss');
$stdout = $going_on->query("SELECT keys.uuid_generate_v7() AS before \\gset\n$prepare") . "\n";
$node->safe_psql('postgres', 'ALTER EXTENSION uuidnew SET SCHEMA elsewhere');
$stdout .= $going_on->query("$look SELECT elsewhere.uuid_generate_v7() > :'before';") . "\n";
$node->safe_psql('postgres', 'ALTER EXTENSION uuidnew SET SCHEMA keys');
$stdout .= $going_on->query("SELECT keys.uuid_generate_v7() > :'before';");
$going_on->quit;
chomp($stderr = $going_on->errors);
like($stdout =~ s/\nt\nt$//r, qr/^24\n$sight/, 'definitions and plans work after a move');
like($stdout, qr/\nt\nt$/, 'UUIDs go on in order after a move');
like($stderr, $violation, 'a move causes no error but that of the check');

# The end
is(ask('postgres', 'boss', 'DROP EXTENSION uuidnew'),
	'2BP01', 'the extension is not dropped while it is in use');
is( ask('postgres', 'boss', <<~'SQL'),
	SET client_min_messages = warning;
	SELECT keys.uuid_generate_v7() AS before, count(*) AS rows FROM app.orders \gset
	DROP EXTENSION uuidnew CASCADE;
	SELECT count(*) = :rows FROM app.orders;
	CREATE EXTENSION uuidnew SCHEMA app;
	SELECT app.uuid_generate_v7() > :'before';
	SQL
	"t\nt",
	'a table keeps its keys when the extension is dropped, and created again it goes on in order');

# The extension is replaced while a session plans a window: between the call of the planner support function
# and its search for the filter, which waits for a lock.
my ($planning, $replacing) = map { Session->new($node) } 1 .. 2;
$planning->query(<<~'SQL');
	PREPARE a_window AS SELECT app.uuidv7_between(id, now(), NULL) FROM app.orders;
	SELECT app.uuid_v6_between(id, now(), NULL) FROM app.orders LIMIT 0;
	SQL
$replacing->query(<<~'SQL');
	BEGIN;
	DROP EXTENSION uuidnew;
	CREATE EXTENSION uuidnew SCHEMA app;
	LOCK TABLE pg_proc IN ACCESS EXCLUSIVE MODE;
	SQL
$planning->begin('EXECUTE a_window');
$replacing->query('SELECT pg_sleep(0.1)')
  until $replacing->query('SELECT count(*) FROM pg_locks WHERE NOT granted');
$replacing->query('COMMIT');
is(eval { $planning->result; $planning->query('SELECT 1') },
	'1', 'a session may plan a window while the extension is replaced');
$_->quit for $planning, $replacing;

done_testing();
