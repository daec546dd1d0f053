# rekey_check, rekey_steps and rekey_fill: bigint, random UUIDs and text become UUIDs in time order, with all
# that refers to them; beside writers, and when sessions and the server are killed; and back.
# rekey_definitions has what becomes of definitions.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Tables qw($traps);
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nautovacuum = off\nlog_min_messages = fatal");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN');
$node->safe_psql('postgres', $_)
  for 'CREATE SCHEMA keys; CREATE EXTENSION uuidnew SCHEMA keys; GRANT USAGE ON SCHEMA keys TO PUBLIC',
  'CREATE EXTENSION uuidnew_tables',
  'GRANT ALL ON SCHEMA public TO owner', 'ALTER DATABASE postgres SET search_path = public, keys';

sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = $node->Session::script($sql, @options);
	return $status ? join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g : $stdout;
}

# Runs the steps of a phase that are not done, as often as one fails.  Gives the errors.
sub run_steps
{
	my ($steps, $phase, $tries, @options) = @_;
	my $errors = '';
	foreach (1 .. $tries // 1)
	{
		my ($status, $stdout, $stderr) = $node->psql(
			'postgres',
			"SELECT statement FROM uuidnew_tables.rekey_steps($steps) WHERE phase = '$phase' AND NOT done "
			  . "ORDER BY step \\gexec",
			on_error_stop => 1,
			extra_params => \@options);
		return $errors unless $status;
		diag $stderr if $ENV{SHOW};
		$errors .= join '', $stderr =~ /ERROR:  .*\n?/g;
		last if $stderr !~ /lock timeout|deadlock/;
		select undef, undef, undef, 0.1 + rand 0.3;
	}
	return "$errors not done";
}

#
# From bigint, beside a writer, with kills.  The writer does not care what an id looks like, and goes on
# through the swap.
#
my $soak = $ENV{UUIDNEW_SOAK};
my $quick = $ENV{UUIDNEW_QUICK};
my $kept = $soak ? 30000 : $quick ? 3000 : 10000;
my @rate = $quick ? ('-c', '2', '-R', '40') : ('-c', '3');    # which leaves other tests a processor
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, <<~'SQL');
	\set some random(1, 1000)
	\set n random(1000000, 1000000000)
	BEGIN;
	INSERT INTO orders (note) VALUES (:n) RETURNING id AS id \gset
	INSERT INTO lines (order_id, no) VALUES (':id', 1), (':id', 2);
	INSERT INTO shipments (order_id, no, what) VALUES (':id', 1, :n);
	INSERT INTO told VALUES (:n);
	COMMIT;
	BEGIN;
	SELECT id AS id FROM orders WHERE note = :some FOR KEY SHARE \gset
	INSERT INTO shipments (order_id, no, what) VALUES (':id', 1, -:some);
	UPDATE orders SET parent = ':id' WHERE note = :n;
	END;
	SQL
my $orders = <<~SQL;
	CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now(),
		parent bigint REFERENCES orders ON DELETE SET NULL, note int);
	CREATE INDEX ON orders (note);
	CREATE INDEX orders_parent ON orders (parent DESC NULLS LAST);
	CREATE TABLE lines (order_id bigint NOT NULL REFERENCES orders ON DELETE CASCADE, no int,
		PRIMARY KEY (order_id, no));
	CREATE TABLE shipments (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint, no int,
		what int,
		CONSTRAINT line FOREIGN KEY (order_id) REFERENCES orders MATCH FULL ON UPDATE CASCADE);
	CREATE INDEX shipments_order ON shipments (order_id, no);
	COMMENT ON COLUMN orders.id IS 'the key';
	CREATE TABLE told (n int);
	INSERT INTO orders (made, note) SELECT timestamptz '2024-01-01' + n * interval '1 minute', n
	FROM generate_series(1, $kept) n;
	UPDATE orders SET parent = id / 2 WHERE id % 3 = 0 AND id > 1;
	INSERT INTO lines SELECT id, no FROM orders, generate_series(1, 2) no;
	INSERT INTO shipments (order_id, no, what) SELECT order_id, no, -order_id FROM lines WHERE no = 1;
	INSERT INTO shipments (what) SELECT 0 FROM generate_series(1, 100);
	INSERT INTO told SELECT note FROM orders;
	ANALYZE;
	SQL
my $definitions = <<~'SQL';
	SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated
	FROM pg_constraint
	WHERE conrelid IN ('orders'::regclass, 'lines'::regclass, 'shipments'::regclass) AND contype <> 'n'
	ORDER BY 1, 2;
	SELECT regexp_replace(indexdef, 'old_', '') FROM pg_indexes
	WHERE schemaname = 'public' AND indexname !~ '^uuid_rekey' ORDER BY indexname;
	SELECT col_description(attrelid, attnum), attnotnull FROM pg_attribute
	WHERE attrelid IN ('orders'::regclass, 'lines'::regclass) AND attname IN ('id', 'order_id') ORDER BY 1;
	SQL
my $right = <<~'SQL';
	SELECT (SELECT count(*) FROM told WHERE NOT EXISTS (SELECT FROM orders o WHERE o.note = told.n)),
		(SELECT count(*) FROM orders) - (SELECT count(*) FROM told),
		(SELECT count(*) FROM lines l WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = l.order_id)),
			(SELECT count(*) FROM lines) - 2 * (SELECT count(*) FROM orders),
		(SELECT count(*) FROM shipments s LEFT JOIN orders o ON o.id = s.order_id
			WHERE what <> 0 AND o.note IS DISTINCT FROM abs(what)),
		(SELECT count(*) FROM orders o JOIN orders p ON p.id = o.parent) - count(parent) FROM orders
	SQL
my $steps = q{'orders', 'uuidv7_at(made)', 'uuidv7()'};
my $victim = ' dbname=postgres application_name=victim';
my $of_victim = "FROM pg_stat_activity WHERE application_name = 'victim'";

foreach my $round (1 .. ($soak ? 6 : 1))
{
	ask('DROP TABLE IF EXISTS shipments, lines, orders, told CASCADE');
	is(ask($orders), '', "round $round: tables");
	my $before = ask($definitions);
	my $out = '';
	my $start = sub {
		# a lock that is held for longer than the steps may hold one is an error
		local $ENV{PGOPTIONS} = '-c lock_timeout=10s';
		return IPC::Run::start(
			[ 'pgbench', '-n', '-T', '600', @rate, '-f', $writer, $node->connstr('postgres') ],
			'>', \$out, '2>&1');
	};
	my $pgbench = $start->();
	$node->poll_query_until('postgres', "SELECT count(*) > $kept + 10 FROM orders") or die 'nobody writes';
	my $kills = $soak ? 12 : $quick ? 2 : 6;    # the first of the server
	my ($again, $ended) = (0, 0);
	foreach my $kill (1 .. $kills)
	{
		# in a step that is drawn by lot
		my $todo = ask(<<~SQL);
			SELECT count(*) FROM uuidnew_tables.rekey_steps($steps) WHERE phase = 'prepare' AND NOT done
			SQL
		if (!$todo && $again++ < 20) { run_steps($steps, 'undo', 40); redo }    # they had come to their end
		my $step = 1 + int($todo * rand(1.5 / $kills));
		my ($in, $o) = (
			"SELECT '/* step *' || '/ ' || statement FROM uuidnew_tables.rekey_steps($steps) "
			  . "WHERE phase = 'prepare' AND NOT done ORDER BY step \\gexec\n\\q\n",
			'');
		my $psql =
		  IPC::Run::start([ 'psql', '-Xqa', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr . $victim ],
			'<', \$in, '>', \$o, '2>&1');
		$psql->pump while length $in;    # else it would wait for its input
		$psql->pump while $psql->pumpable && (() = $o =~ m{^/\* step \*/}mg) < $step;
		select undef, undef, undef, rand($o =~ /CALL.*\n?\z/ ? 0.1 : 0.01);

		if (!eval { $psql->pump_nb; 1 } && $again++ < 20)    # a step had no lock in time
		{
			$psql->finish;
			redo;
		}
		if ($kill % 3 != 1)
		{
			my $found = ask("SELECT count(pg_terminate_backend(pid)) $of_victim");
			$psql->finish;
			if (!$found && $again++ < 20)    # it had come to its end
			{
				run_steps($steps, 'undo', 40);
				redo;
			}
			$ended += $found;
		}
		else
		{
			$node->stop('immediate');
			$_->finish for $psql, $pgbench;
			$node->start;
			$pgbench = $start->();
		}
		is(ask($right), '0|0|0|0|0|0', "round $round, kill $kill: all is there");
	}
	cmp_ok($again, '<', 20, "round $round: kills in the middle");
	cmp_ok($ended, '>', 0, "round $round: sessions were ended");
	my $errors = run_steps($steps, 'prepare', 40);
	unlike($errors, qr/not done|deadlock/, "round $round: the steps come to their end")
	  or diag ask("SELECT * FROM uuidnew_tables.rekey_steps($steps)");
	is(ask(<<~SQL), 'swap undo', "round $round: and are done");
		SELECT string_agg(DISTINCT phase, ' ') FROM uuidnew_tables.rekey_steps($steps) WHERE NOT done
		SQL
	unlike(run_steps($steps, 'swap', 40), qr/not done|deadlock/, "round $round: the swap");
	my $rows = ask("SELECT count(*) FROM orders WHERE old_id > $kept AND id IS NOT NULL");
	$node->poll_query_until('postgres', "SELECT count(*) > $rows + 20 FROM orders")
	  or die 'nobody writes any more';
	is(ask($right), '0|0|0|0|0|0', "round $round: all is there after the swap");
	is( ask(<<~SQL),
		SELECT pg_typeof(id), count(*) FROM orders WHERE note <= $kept AND uuidv7_timestamp(id) = made
		GROUP BY 1;
		SELECT count(*)
		FROM (SELECT id < lag(id) OVER (ORDER BY made, old_id) AS wrong FROM orders WHERE note <= $kept) o
		WHERE wrong;
		SELECT count(*) FROM shipments s JOIN orders o ON o.old_id = s.old_order_id
		WHERE o.id <> s.order_id;
		SELECT attname FROM pg_attribute WHERE attrelid = 'orders'::regclass AND atthasdef ORDER BY 1
		SQL
		"uuid|$kept\n0\n0\nid\nmade",
		"round $round: keys have the time of their rows, " . "and the old are beside them");
	is(ask($definitions) =~ s/^orders\|orders_layout\|.*\n//mr =~ s/id, made/id, made/r,
		$before, "round $round: all has its name and definition");
	is(ask(<<~SQL), 'invalid input syntax for type uuid: "7"', "round $round: a late writer gets an error");
		INSERT INTO lines (order_id, no) VALUES ('7', 3)
		SQL

	# and back, beside the writer, then once more and to the end
	unlike(run_steps($steps, 'undo', 40), qr/not done|deadlock/, "round $round: undone");
	is(ask($right), '0|0|0|0|0|0', "round $round: all is there");
	is(ask($definitions) =~ s/^orders\|orders_layout\|.*\n//mr,
		$before, "round $round: all has its definition of before");
	is(ask('SELECT pg_typeof(id) FROM orders LIMIT 1'), 'bigint', "round $round: with the old keys");
	unlike(
		run_steps($steps, 'prepare', 40) . run_steps($steps, 'swap', 40),
		qr/not done|deadlock/,
		"round $round: once more");
	unlike(run_steps($steps, 'finish', 40), qr/not done|deadlock/, "round $round: finished");
	$rows = ask('SELECT count(*) FROM orders');
	$node->poll_query_until('postgres', "SELECT count(*) > $rows + 20 FROM orders")
	  or die 'nobody writes any more';
	$pgbench->signal('TERM');
	$pgbench->finish;
	unlike(
		$out,
		qr/ERROR|aborted|failed transactions: [1-9]/,
		"round $round: no writer had an error or waited for long");
	is(ask($right), '0|0|0|0|0|0', "round $round: at the end all is there");
	is( ask(<<~'SQL'),
		SELECT count(*) FROM pg_attribute
		WHERE attrelid IN ('orders'::regclass, 'lines'::regclass, 'shipments'::regclass)
			AND attname ~ '^(old|new)_';
		SELECT count(*) FROM pg_proc WHERE proname ~ '^uuid_rekey_[0-9a-f]{8}$'; SELECT count(*)
		FROM pg_class WHERE relname ~ '^uuid_rekey';
		SELECT count(*) FROM pg_trigger WHERE tgname ~ '^uuid_rekey'; SELECT count(*) FROM pg_constraint
		WHERE conname ~ 'rekey'
		SQL
		"0\n0\n0\n0\n0", "round $round: nothing is left behind");
}

#
# Random UUIDs, with odd names, by an owner who is no superuser and whose schema others can't see
#
is(ask(<<~'SQL'), '', 'tables with odd names');
	CREATE SCHEMA "A b" AUTHORIZATION owner;
	GRANT USAGE ON SCHEMA "A b" TO clerk;
	SET ROLE owner;
	CREATE TABLE "A b"."The ""keys""" ("the Id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		"the Id's time" timestamptz DEFAULT now(), by uuid REFERENCES "A b"."The ""keys""");
	CREATE TABLE "A b"."100%" ("of $1" uuid NOT NULL UNIQUE
		REFERENCES "A b"."The ""keys""" ON DELETE CASCADE, "WHERE" int);
	CREATE INDEX "an USING index" ON "A b"."100%" ("of $1" DESC, "WHERE");
	INSERT INTO "A b"."The ""keys""" ("the Id's time")
	SELECT timestamptz '2025-01-01' + n * interval '1 h'
	FROM generate_series(1, 3000) n;
	UPDATE "A b"."The ""keys""" SET by = "the Id";
	INSERT INTO "A b"."100%" SELECT "the Id", 1 FROM "A b"."The ""keys""";
	GRANT INSERT ON "A b"."100%" TO clerk;
	CREATE TABLE "A b".before AS SELECT * FROM "A b"."The ""keys"""
	SQL
my $odd = q{'"A b"."The ""keys"""', 'uuidv7_at("the Id''s time")', 'uuidv7()'};
is(run_steps($odd, 'prepare', 1, '-U', 'owner'), '', 'are prepared');
is( ask(q{INSERT INTO "A b"."100%" VALUES (NULL, 2)}, '-U', 'clerk') =~ s/ relation .*//r,
	'null value in column "of $1" of',
	'a NULL is refused as before');
my $free = ask(q{INSERT INTO "A b"."The ""keys""" DEFAULT VALUES RETURNING "the Id"}, '-U', 'owner');
is(ask(qq{INSERT INTO "A b"."100%" VALUES ('$free', 2)}, '-U', 'clerk'),
	'', 'one who may not see the keys can refer to them');
is(run_steps($odd, 'swap', 1, '-U', 'owner'), '', 'are swapped');
is( ask(<<~'SQL'),
	SELECT count(*),
		count(*) FILTER (WHERE uuidv7_timestamp(k."the Id") = b."the Id's time"
			AND k."the Id" = k.by AND "of $1" = k."the Id" AND "old_of $1" = b."the Id")
	FROM "A b"."The ""keys""" k JOIN "A b".before b ON b."the Id" = "old_the Id"
		JOIN "A b"."100%" ON "of $1" = k."the Id";
	SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
	WHERE conrelid = '"A b"."100%"'::regclass AND contype <> 'n' ORDER BY 1;
	SELECT indexdef FROM pg_indexes WHERE indexname = 'an USING index'
	SQL
	qq{3000|3000\n100%_of \$1_fkey|FOREIGN KEY ("of \$1") }
	  . qq{REFERENCES "A b"."The ""keys"""("the Id") ON DELETE CASCADE\n}
	  . qq{100%_of \$1_key|UNIQUE ("of \$1")\n}
	  . q{CREATE INDEX "an USING index" ON "A b"."100%" USING btree ("of $1" DESC, "WHERE")},
	'all has its name and definition');
is(ask(<<~'SQL'), 'rfc9562|t', 'a new row has an old key too');
	INSERT INTO "A b"."The ""keys""" DEFAULT VALUES
	RETURNING uuid_v7_layout("the Id"), "old_the Id" IS NOT NULL
	SQL
is(run_steps($odd, 'undo', 2, '-U', 'owner'), '', 'and back');
is(ask(<<~'SQL'), "3000\n0", 'the old keys are back');
	SELECT count(*)
	FROM "A b"."The ""keys""" JOIN "A b".before USING ("the Id") JOIN "A b"."100%" ON "of $1" = "the Id"
	WHERE "The ""keys""".by = "the Id";
	SELECT count(*) FROM pg_trigger WHERE tgname = 'uuid_rekey_key'
	SQL
is(run_steps($odd, 'undo', 2, '-U', 'owner'), '', 'and the shadow columns are dropped');
is(ask(<<~'SQL'), '', 'with all of theirs');
	SELECT attname FROM pg_attribute
	WHERE attrelid IN ('"A b"."100%"'::regclass, '"A b"."The ""keys"""'::regclass)
		AND attname ~ '^(old|new)_' AND NOT attisdropped;
	SELECT proname FROM pg_proc WHERE pronamespace = '"A b"'::regnamespace; SELECT relname FROM pg_class
	WHERE relname ~ '^uuid_rekey'
	SQL
ask('DROP SCHEMA "A b" CASCADE');

#
# Text, by a converter
#
is(ask(<<~'SQL'), '', 'ULIDs');
	CREATE TABLE users (id char(26) COLLATE "C" PRIMARY KEY, name text);
	CREATE TABLE posts (author varchar(26) REFERENCES users, line text);
	INSERT INTO users
	SELECT uuid_to_ulid(uuid_generate_v8_at(timestamptz '2020-01-01' + n * interval '1 h', 'unix48')), n
	FROM generate_series(1, 1000) n;
	INSERT INTO posts SELECT id, name FROM users UNION ALL VALUES (NULL, 'nobody');
	CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch();
	CREATE PUBLICATION all_posts FOR TABLE posts WITH (publish = 'insert');
	ALTER TABLE users OWNER TO owner;
	ALTER TABLE posts OWNER TO owner
	SQL
my $ulids = q{'users', 'ulid_to_uuid(id)', 'uuid_generate_v8(''unix48'')'};
is( ask(<<~SQL),
	ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO clerk;
	\\o /dev/null
	SELECT statement FROM uuidnew_tables.rekey_steps($ulids) WHERE step < 5 ORDER BY step \\gexec
	\\o
	SELECT tgrelid::regclass, proowner::regrole, prosecdef, proconfig,
		proname ~ '^uuid_rekey_[0-9a-f]{8}', has_function_privilege('clerk', p.oid, 'EXECUTE')
	FROM pg_proc p JOIN pg_trigger ON tgfoid = p.oid
	WHERE tgname ~ '^uuid_rekey_ref';
	ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM clerk
	SQL
	'posts|owner|t|{"search_path=pg_catalog, pg_temp"}|t|f',
	'the trigger of references has the rights of the owner, whoever ran the step, and a random name');
# A step does not wait for long, and can be run again
my $other = Session->new($node);
$other->query('BEGIN; SELECT count(*) FROM posts');
like(
	run_steps($ulids, 'prepare'),
	qr/\AERROR:  canceling statement due to lock timeout: ALTER TABLE public\.posts .*\n not done\z/,
	'a step gives up a lock that it does not get, and names the table');
$other->query('COMMIT');
$other->quit;
is(ask(q{CALL uuidnew_tables.rekey_fill('users', 1, '30 ms')}), '', 'older rows are filled, page by page');
is( ask(q{CALL uuidnew_tables.rekey_fill('users', 0)}),
	'batch_pages must be at least 1',
	'and not by no pages');
is( ask(q{INSERT INTO users VALUES ('no ULID', 'Eve')}),
	'invalid input syntax for ULID: "no ULID"',
	'a text that is none is refused now');
is(ask(q{SELECT count(*) FROM users WHERE new_id <> ulid_to_uuid(id)}), '0', 'what is filled is right');

is(run_steps($ulids, 'prepare') . run_steps($ulids, 'swap'), '', 'and is done later');
is( ask(<<~'SQL'),
	SELECT count(*), count(*) FILTER (WHERE u.id = ulid_to_uuid(old_id) AND old_author = old_id)
	FROM users u JOIN posts ON author = u.id;
	INSERT INTO users (name) VALUES ('new') RETURNING ulid_timestamp(id) > now() - interval '1 minute';
	INSERT INTO posts (author) SELECT id FROM users WHERE name = 'new' RETURNING old_author IS NULL
	SQL
	"1000|1000\nt\nt", 'the ULIDs are converted');
is(run_steps($ulids, 'finish'), '', 'finished');

#
# Whatever the caller's search path has
#
ask(<<~'SQL');
	CREATE TABLE trapped (id int PRIMARY KEY,
		at timestamptz DEFAULT now()); CREATE TABLE of_trapped (id int REFERENCES trapped);
	INSERT INTO trapped SELECT generate_series(1, 1000); INSERT INTO of_trapped SELECT id
	FROM trapped
	SQL
is(ask($traps), '', 'traps are set');
my $trapped = q{'public.trapped', 'keys.uuidv7_at(at)', 'keys.uuidv7()'};
my ($prepare, $swap) = map {
		"SELECT statement FROM uuidnew_tables.rekey_steps($trapped) "
	  . "WHERE phase OPERATOR(pg_catalog.=) '$_'::pg_catalog.text AND NOT done ORDER BY step \\gexec\n"
} qw(prepare swap);
is(ask(<<~SQL), "evil, pg_catalog\n1000|1000|t", 'nothing in the search path is called');
	SET search_path = evil, pg_catalog;
	SELECT obstacle FROM uuidnew_tables.rekey_check('public.trapped', 'keys.uuidv7_at(at)', 'keys.uuidv7()');
	SHOW search_path;
	\\o /dev/null
	$prepare$swap
	\\o
	SET search_path = public, keys;
	SELECT count(*), count(DISTINCT t.id), bool_and(uuid_v7_layout(o.id) = 'rfc9562')
	FROM trapped t JOIN of_trapped o USING (id)
	SQL

$node->stop;
done_testing();
