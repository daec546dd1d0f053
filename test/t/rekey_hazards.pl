# What could go wrong with new keys for a table in use: each ends right, or is refused before anything has
# changed.  What is PostgreSQL's own way is said on the page.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node();
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
my $page = slurp_file("$FindBin::RealBin/../../doc/rekeying.md");
make(q{CREATE ROLE mallory; CREATE ROLE friend; GRANT USAGE ON SCHEMA keys TO mallory, friend});

my $jobs = <<~'SQL';
	CREATE TABLE jobs (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	INSERT INTO jobs SELECT FROM generate_series(1, 1000);
	SQL
my $of_jobs = rekey_of('jobs');
my @whole = ('prepare', 'swap', 'undo', 'prepare', 'swap', 'finish');

# A row that somebody holds while its page is filled
anew(qq{$jobs; CREATE TABLE runs (job bigint NOT NULL REFERENCES jobs, what text)});
my $holder = Session->new($node);
my $runner = Session->new($node);
$_->query(q{SELECT}) for $holder, $runner;
my ($wrong, $held) = ('');
foreach my $statement (split /\001/, ask(<<~SQL))
	SELECT string_agg(statement, chr(1) ORDER BY step) FROM $of_jobs WHERE phase = 'prepare' AND NOT done
	SQL
{
	my $fills = $statement =~ /uuidnew_tables.rekey_fill/ && !$held++;
	$holder->query('BEGIN; SELECT id FROM jobs WHERE id = 7 FOR NO KEY UPDATE') if $fills;
	$runner->begin($statement);
	if ($fills)    # which may wait for the row
	{
		wait_for('(SELECT count(*) FROM jobs WHERE new_id IS NULL) <= 1');
		select undef, undef, undef, 0.3;
		$holder->query('COMMIT');
	}
	$runner->result;
	$wrong .= ask(q{BEGIN; INSERT INTO runs VALUES (7, 'knows nothing of this'); ROLLBACK});
}
is($wrong, '', 'what refers to a row that was locked while it was to be filled is written all the time');
like(
	ask(<<~SQL),
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT statement FROM $of_jobs WHERE phase = 'swap' \\gexec
		SQL
	qr/tables are changed in READ COMMITTED transactions only/,
	'a transaction with an old snapshot swaps nothing');
is(run_phase($of_jobs, 'prepare') . run_phase($of_jobs, 'swap'), '', 'and the row is filled in the end');

# A trigger that lets no row be changed
anew($jobs . <<~'SQL');
	;
	CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
	CREATE TRIGGER keep BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION keep()
	SQL
like(
	run_phase($of_jobs, 'prepare'),
	qr/a trigger of table public\.jobs keeps rows from being filled/,
	'filling ends with an error where a trigger keeps rows as they are');

# A trigger that finds its tables by the caller's search path
anew($jobs . <<~'SQL');
	;
	CREATE TABLE log (of bigint);
	CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN INSERT INTO log VALUES (NEW.id); RETURN NEW; END';
	CREATE TRIGGER log AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION log()
	SQL
is(run_phase($of_jobs, 'prepare'), '', 'a trigger without a search path works while rows are filled');
is(ask('SELECT count(*) FROM log'), '1000', 'and fires once for each of them');

# Autovacuum gives way to who waits for as long as deadlock_timeout
anew(<<~'SQL');
	CREATE TABLE jobs (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now(),
		line text DEFAULT repeat('x', 200))
	WITH (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1,
		autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10);
	INSERT INTO jobs SELECT FROM generate_series(1, 100000);
	DELETE FROM jobs WHERE id % 10 = 0;
	SQL
$node->append_conf('postgresql.conf', "autovacuum = on\nautovacuum_naptime = 1");
$node->reload;
wait_for(q{count(*) > 0 FROM pg_stat_activity WHERE query ~ '^autovacuum: .*jobs'});
is(run_phase("(SELECT * FROM $of_jobs LIMIT 1) s", 'prepare'), '', 'a step gets past autovacuum');
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->reload;

# The default that the swap has set
anew(<<~'SQL');
	CREATE TABLE customers (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now(),
		main_address int);
	CREATE TABLE addresses (customer bigint NOT NULL REFERENCES customers, no int,
		PRIMARY KEY (customer, no));
	ALTER TABLE customers ADD FOREIGN KEY (id, main_address) REFERENCES addresses;
	INSERT INTO customers SELECT FROM generate_series(1, 10);
	INSERT INTO addresses SELECT id, 1 FROM customers;
	UPDATE customers SET main_address = 1;
	SQL
unlike(outcome(rekey_of('customers'), 'prepare', 'swap', 'undo'),
	qr/:/, 'a key that is part of a reference of its own table is undone, or refused');
is(ask('SELECT DISTINCT pg_typeof(id) FROM customers'), 'bigint', 'and is as before');

# A column whose name is part of a type's
anew(<<~'SQL');
	CREATE TABLE zones (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE deliveries (zone bigint NOT NULL REFERENCES zones, at timestamp);
	CREATE INDEX ON deliveries (zone) WHERE at > '2024-01-01';
	SQL
my $index = ask(q{SELECT indexdef FROM pg_indexes WHERE tablename = 'deliveries'});
unlike(outcome(rekey_of('zones'), @whole),
	qr/:/, q{a column whose name is a word of a type's fails in no step});
is(ask(<<~'SQL'), $index, 'and its index is as before');
	SELECT indexdef FROM pg_indexes WHERE tablename = 'deliveries'
	SQL

# A function of the name that the trigger's takes
anew(<<~'SQL');
	SET ROLE mallory;
	CREATE FUNCTION uuid_rekey_payments_ref() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	GRANT EXECUTE ON FUNCTION uuid_rekey_payments_ref() TO friend;
	RESET ROLE;
	CREATE TABLE accounts (id int PRIMARY KEY, made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE payments (account int REFERENCES accounts);
	INSERT INTO accounts VALUES (4711);
	SQL
unlike(outcome(rekey_of('accounts'), 'prepare'), qr/:/, 'a function of that name fails in no step');
make('SET ROLE friend; CREATE TABLE mine (account int, new_account uuid)');
ask(<<~'SQL');    # which may fail
	SET ROLE friend;
	CREATE TRIGGER t BEFORE INSERT ON mine FOR EACH ROW EXECUTE FUNCTION uuid_rekey_payments_ref();
	INSERT INTO mine SELECT generate_series(4700, 4720);
	SQL
is(ask('SELECT count(*) FROM mine WHERE new_account IS NOT NULL'), '0', 'who made it reads no new key by it');
is(ask(<<~'SQL'), 'f', 'and by the function of no trigger may anybody else read');
	SELECT bool_or(has_function_privilege('friend', tgfoid, 'EXECUTE'))
	FROM pg_trigger
	WHERE tgname ~ '^uuid_rekey' AND tgrelid IN ('accounts'::regclass, 'payments'::regclass)
	SQL

SKIP:
{
	skip 'NOT NULL has no name before PostgreSQL 18', 3 if $major < 18;
	anew();
	make(<<~'SQL');
		CREATE TABLE jobs (
			id bigint CONSTRAINT "an id" NOT NULL,
			made timestamptz CONSTRAINT "a time" NOT NULL DEFAULT now(),
			v int GENERATED ALWAYS AS (extract(year FROM made AT TIME ZONE 'UTC')) VIRTUAL,
			CONSTRAINT k PRIMARY KEY (id));
		CREATE TABLE runs (job bigint CONSTRAINT "a job" NOT NULL REFERENCES jobs);
		COMMENT ON CONSTRAINT "an id" ON jobs IS 'c';
		COMMENT ON CONSTRAINT "a time" ON jobs IS 'c2';
		INSERT INTO jobs SELECT generate_series(1, 5);
		INSERT INTO runs SELECT id FROM jobs;
		SQL
	my $not_null = <<~'SQL';
		SELECT conrelid::regclass, conname, obj_description(oid, 'pg_constraint')
		FROM pg_constraint
		WHERE contype = 'n' AND conrelid IN ('jobs'::regclass, 'runs'::regclass)
		ORDER BY 1, 2
		SQL
	my $names = ask($not_null);
	unlike(outcome($of_jobs, @whole), qr/:/, 'NOT NULL constraints with names fail in no step');
	is(ask($not_null), $names, 'they and their comments are not lost');
	isnt($names, '', 'which are known');
}

# Plans and prepared statements
anew();
make(
	qq{$jobs; CREATE TABLE runs (job bigint NOT NULL REFERENCES jobs); CREATE INDEX ON runs (job);
INSERT INTO runs SELECT 1 + n % 100 FROM generate_series(1, 2000) n; ANALYZE});
is(outcome($of_jobs, 'prepare', 'swap'), 'done', 'tables with statistics get new keys');
is( ask(<<~'SQL'),
	SELECT tablename, attname FROM pg_stats WHERE (tablename, attname) IN (('jobs', 'id'), ('runs', 'job'))
	ORDER BY 1
	SQL
	"jobs|id\nruns|job", 'of which the planner knows as much at the swap as it did of the old ones');
ok($page =~ /prepared/, 'that the first step ends prepared statements of all columns is said on the page');

# Triggers that do not fire
anew();
make("$jobs; CREATE TABLE runs (job bigint NOT NULL REFERENCES jobs); INSERT INTO runs SELECT 5");
is(outcome($of_jobs, 'prepare'), 'done', 'tables are prepared');
make('SET session_replication_role = replica; UPDATE runs SET job = 7; RESET session_replication_role');
is(ask('SELECT j.id FROM runs r JOIN jobs j ON r.new_job = j.new_id'),
	'7', 'what a replication worker writes keeps its shadow column up to date');
make('ALTER TABLE runs DISABLE TRIGGER USER; UPDATE runs SET job = 9');
like(
	run_phase($of_jobs, 'swap'),
	qr/table public\.runs has trigger uuid_rekey_ref_\w+ disabled/,
	'the swap does not come after a trigger was disabled');

$_->quit for $holder, $runner;
$node->stop;
done_testing();
