# uuid_rekey_check, uuid_rekey_steps, uuid_rekey_fill and uuid_rekey_progress: bigint, random UUIDs and
# text become UUIDs in time order, with all that refers to them; beside writers, and when sessions and
# the server are killed; and back.  And uuid_columns.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use List::Util qw(first);
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf',
	"timezone = 'UTC'\njit = off\nautovacuum = off\nlog_min_messages = fatal");
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN');
$node->safe_psql('postgres', $_)
  for 'CREATE SCHEMA keys; CREATE EXTENSION uuidnew SCHEMA keys; GRANT USAGE ON SCHEMA keys TO PUBLIC',
  'GRANT ALL ON SCHEMA public TO owner', 'ALTER DATABASE postgres SET search_path = public, keys';

sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = Session->kept("@options", $node, @options)->script($sql);
	return $status ? join "\n", grep { $_ ne '' } $stdout, $stderr =~ /ERROR:  (.*)/g : $stdout;
}

# what is said, line by line
sub notices
{
	my ($sql) = @_;
	my (undef, undef, $stderr) = $node->psql('postgres', $sql);
	return join '', $stderr =~ /((?:NOTICE|ERROR):  .*\n?)/g;
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
			"SELECT statement FROM uuid_rekey_steps($steps) WHERE phase = '$phase' AND NOT done "
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
		CONSTRAINT line FOREIGN KEY (order_id,
			no) REFERENCES lines MATCH FULL ON UPDATE CASCADE DEFERRABLE);
	CREATE INDEX shipments_order ON shipments (order_id, no) WHERE order_id IS NOT NULL;
	CREATE VIEW open AS SELECT o.id, made, no FROM orders o JOIN lines ON order_id = o.id;
	CREATE VIEW counted WITH (security_barrier) AS SELECT count(*) AS count, max(id::text) AS last
		FROM open;
	COMMENT ON VIEW open IS 'what is open';
	COMMENT ON CONSTRAINT line ON shipments IS 'a line''s';
	COMMENT ON COLUMN orders.id IS 'the key';
	GRANT SELECT ON open TO clerk;
	ALTER VIEW open OWNER TO owner;
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
	SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, CASE contype
		WHEN 'f' THEN obj_description(oid, 'pg_constraint') END FROM pg_constraint
	WHERE conrelid IN ('orders'::regclass, 'lines'::regclass, 'shipments'::regclass) AND contype <> 'n'
	ORDER BY 1, 2;
	SELECT regexp_replace(indexdef, 'old_', '') FROM pg_indexes
	WHERE schemaname = 'public' AND indexname !~ '_rekey$' ORDER BY indexname;
	SELECT viewname, viewowner, definition, obj_description(viewname::regclass, 'pg_class'),
		(SELECT reloptions FROM pg_class WHERE oid = viewname::regclass),
		has_table_privilege('clerk', viewname::regclass, 'SELECT') FROM pg_views WHERE schemaname = 'public'
			ORDER BY 1;
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
	my $again = 0;
	foreach my $kill (1 .. $kills)
	{
		# in a step that is drawn by lot
		my $todo = ask(<<~SQL) or last;
			SELECT count(*) FROM uuid_rekey_steps($steps) WHERE phase = 'prepare' AND NOT done
			SQL
		my $step = 1 + int($todo * rand(1.5 / $kills));
		my ($in, $o) = (
			"SELECT '/* step *' || '/ ' || statement FROM uuid_rekey_steps($steps) "
			  . "WHERE phase = 'prepare' AND NOT done ORDER BY step \\gexec\n\\q\n",
			'');
		my $psql =
		  IPC::Run::start([ 'psql', '-Xqa', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
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
			$node->safe_psql('postgres', <<~'SQL');
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE application_name ~ '^(psql$|uuid_rekey)' AND pid <> pg_backend_pid()
				SQL
			$psql->finish;
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
	my $errors = run_steps($steps, 'prepare', 40);
	unlike($errors, qr/not done|deadlock/, "round $round: the steps come to their end")
	  or diag ask("SELECT * FROM uuid_rekey_steps($steps)");
	is(ask(<<~SQL), 'swap undo', "round $round: and are done");
		SELECT string_agg(DISTINCT phase, ' ') FROM uuid_rekey_steps($steps) WHERE NOT done
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
	like(ask('EXPLAIN SELECT FROM orders WHERE old_id = 7'),
		qr/Index/, "round $round: an old key is looked up by an index");
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
	unlike($out, qr/ERROR|aborted/, "round $round: no writer had an error or waited for long");
	is(ask($right), '0|0|0|0|0|0', "round $round: at the end all is there");
	is( ask(<<~'SQL'),
		SELECT count(*) FROM pg_attribute
		WHERE attrelid IN ('orders'::regclass, 'lines'::regclass, 'shipments'::regclass)
			AND attname ~ '^(old|new)_';
		SELECT count(*) FROM pg_proc WHERE proname ~ '^uuid_rekey_[0-9a-f]{8}$'; SELECT count(*)
		FROM pg_class WHERE relname ~ '_(rekey|keep)$';
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
		"the Id's time" timestamptz DEFAULT now(), "select" uuid REFERENCES "A b"."The ""keys""");
	CREATE TABLE "A b"."100%" ("of $1" uuid NOT NULL UNIQUE DEFERRABLE
		REFERENCES "A b"."The ""keys""" ON DELETE CASCADE, "WHERE" int);
	CREATE INDEX "an USING index" ON "A b"."100%" (("of $1"::text), "WHERE")
		WHERE "of $1" <> '00000000-0000-0000-0000-000000000000';
	INSERT INTO "A b"."The ""keys""" ("the Id's time")
	SELECT timestamptz '2025-01-01' + n * interval '1 h'
	FROM generate_series(1, 3000) n;
	UPDATE "A b"."The ""keys""" SET "select" = "the Id";
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
			AND k."the Id" = k."select" AND "of $1" = k."the Id" AND "old_of $1" = b."the Id")
	FROM "A b"."The ""keys""" k JOIN "A b".before b ON b."the Id" = "old_the Id"
		JOIN "A b"."100%" ON "of $1" = k."the Id";
	SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
	WHERE conrelid = '"A b"."100%"'::regclass AND contype <> 'n' ORDER BY 1;
	SELECT indexdef FROM pg_indexes WHERE indexname = 'an USING index'
	SQL
	qq{3000|3000\n100%_of \$1_fkey|FOREIGN KEY ("of \$1") REFERENCES "A b"."The ""keys"""("the Id") ON DELETE CASCADE\n100%_of \$1_key|UNIQUE ("of \$1") DEFERRABLE\n}
	  . q{CREATE INDEX "an USING index" ON "A b"."100%" USING btree ((("of $1")::text), "WHERE") }
	  . q{WHERE ("of $1" <> '00000000-0000-0000-0000-000000000000'::uuid)},
	'all has its name and definition');
my ($old, $new) = split /\|/, ask(<<~SQL);
	SELECT "old_the Id", "the Id" FROM "A b"."The ""keys""" WHERE "old_the Id" = '$free'
	SQL
is(ask(<<~SQL), '', 'an UPDATE by an old key finds no row');
	UPDATE "A b"."The ""keys""" SET "the Id's time" = now() WHERE "the Id" = '$old'
	SQL
is(ask(qq{DELETE FROM "A b"."The ""keys""" k WHERE k."the Id" IN ('$old')}), '', 'nor does a DELETE');
like(
	ask( <<~SQL, '-U', 'clerk'),
		INSERT INTO "A b"."100%" ("of \$1", "WHERE") VALUES ('$old', 2)
		SQL
	qr/^insert or update on table "100%" violates foreign key constraint/, 'a reference too');
is( ask(<<~SQL),
	UPDATE "A b"."The ""keys""" SET "the Id's time" = now() WHERE "the Id" = '$new';
	DELETE FROM "A b"."The ""keys""" WHERE "the Id's time" < '2000-01-01'
	SQL
	'', 'the new key is none, nor is a DELETE by time that finds no row');
is(ask(<<~'SQL'), 'rfc9562|t', 'a new row has an old key too');
	INSERT INTO "A b"."The ""keys""" DEFAULT VALUES
	RETURNING uuid_v7_layout("the Id"), "old_the Id" IS NOT NULL
	SQL
is(run_steps($odd, 'undo', 2, '-U', 'owner'), '', 'and back');
is(ask(<<~'SQL'), "3000\n0", 'the old keys are back');
	SELECT count(*)
	FROM "A b"."The ""keys""" JOIN "A b".before USING ("the Id") JOIN "A b"."100%" ON "of $1" = "the Id"
	WHERE "The ""keys"""."select" = "the Id";
	SELECT count(*) FROM pg_trigger WHERE tgname = 'uuid_rekey_key'
	SQL
is(run_steps($odd, 'undo', 2, '-U', 'owner'), '', 'and the twins are dropped');
is(ask(<<~'SQL'), '', 'with all of theirs');
	SELECT attname FROM pg_attribute
	WHERE attrelid IN ('"A b"."100%"'::regclass, '"A b"."The ""keys"""'::regclass)
		AND attname ~ '^(old|new)_' AND NOT attisdropped;
	SELECT proname FROM pg_proc WHERE pronamespace = '"A b"'::regnamespace; SELECT relname FROM pg_class
	WHERE relname ~ '_(keep|rekey)$'
	SQL
ask('DROP SCHEMA "A b" CASCADE');

#
# Text, by a converter, with what is wrong told before
#
is(ask(<<~'SQL'), '', 'ULIDs');
	CREATE TABLE users (id char(26) COLLATE "C" PRIMARY KEY, name text, CHECK (length(id) = 26));
	CREATE TABLE posts (author varchar(26) REFERENCES users, line text);
	INSERT INTO users
		SELECT uuid_to_ulid(uuid_generate_v8_at(timestamptz '2020-01-01' + n * interval '1 h', 'unix48')), n
		FROM generate_series(1, 1000) n;
	INSERT INTO posts SELECT id, name FROM users UNION ALL VALUES (NULL, 'nobody')
	SQL
my $check = q{SELECT kind, finding FROM uuid_rekey_check('users', 'ulid_to_uuid(id)') ORDER BY kind, finding};
unlike(ask($check), qr/^(error|obstacle)/m, 'nothing is wrong');
like(
	ask($check),
	qr/^note\|1000 rows of public\.users, new keys .*\nnote\|column author of public\.posts refers to the key\nnote\|constraint users_id_check of public\.users stays.*\n(?:note.*\n)*warning\|column author of public\.posts has no index\nwarning\|column id of public\.users has neither .*\z/,
	'and what there is is told');
is( join("\n", grep { !/^note/ } split /\n/, ask(<<~SQL)),
	INSERT INTO users
	VALUES ('01JQ4T23H3OOOOOOOOOOOOOOOO', 'Dan'), ('01jq4t23h220km7x0b3v1109dq', 'Cleo'),
		('01JQ4T23H220KM7X0B3V1109DQ', 'Cleo');
	ALTER TABLE posts DROP CONSTRAINT posts_author_fkey; INSERT INTO posts
		VALUES ('01JQ4T23H220KM7X0B3V1109AA');
		ALTER TABLE posts ADD FOREIGN KEY (author) REFERENCES users NOT VALID;
	CREATE FUNCTION touch() RETURNS trigger
		LANGUAGE plpgsql
			AS 'BEGIN RETURN NEW; END';
			CREATE TRIGGER touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch();
	CREATE PUBLICATION all_posts FOR TABLE posts WITH (publish = 'insert'); $check
	SQL
	join("\n",
		'error|the new key fails: invalid input syntax for ULID: "01JQ4T23H3OOOOOOOOOOOOOOOO", '
		  . 'for old key 01JQ4T23H3OOOOOOOOOOOOOOOO',
		'obstacle|constraint posts_author_fkey on table posts would lose convalidated "false"',
		'warning|column author of public.posts has no index',
		'warning|column id of public.users has neither a default nor an identity: rows that are written after the swap have no old key, and no way leads back',
		'warning|public.posts is published by all_posts: a subscriber does not get ALTER TABLE',
		'warning|trigger touch of public.users fires for each row that is filled: its function has to take a uuid after the swap'
	),
	'what is wrong is told');
like(
	ask(qq{DELETE FROM users WHERE name = 'Dan'; $check}),
	qr/^error\|1 new keys are the same for several rows$/m,
	'two spellings too');
like(
	ask(<<~'SQL'),
		SELECT finding
		FROM uuid_rekey_check('users',
			'CASE name WHEN ''7'' THEN NULL WHEN ''8'' THEN uuidv7_at(now() + interval ''1 day'') WHEN ''9'' THEN uuid_generate_v7() ELSE uuidv7_at(now()) END')
		SQL
	qr/^the new key is NULL for old key \w{26}\nthe new keys are of several layouts: draft, rfc9562\nnew keys are of the future, until/m,
	'and NULL, two layouts, and the future');
my $fill_some = <<~'SQL';
	CALL uuid_rekey_fill('users', 1, max_rows => 300);
	SELECT count(new_id) BETWEEN 300 AND 600 FROM users
	SQL
is(ask(<<~'SQL'), '', 'put right');
	DELETE FROM users WHERE name = 'Cleo'; DELETE FROM posts
	WHERE line IS NULL; DROP TRIGGER touch ON users;
	ALTER TABLE posts VALIDATE CONSTRAINT posts_author_fkey;
	ALTER TABLE users OWNER TO owner; ALTER TABLE posts OWNER TO owner
	SQL
foreach (
	[
		'CREATE POLICY mine ON posts USING (author IS NOT NULL)',
		'policy mine on table posts depends on column old_author'
	],
	[ 'CREATE MATERIALIZED VIEW m AS SELECT id FROM users', 'materialized view m depends on it' ],
	[
		'ALTER TABLE users ADD short text GENERATED ALWAYS AS (left(id, ' . '10)) STORED',
		'column short of table users depends on column old_id'
	],
	[
		'CREATE TRIGGER t BEFORE UPDATE OF id ON users FOR EACH ROW EXECUTE FUNCTION touch()',
		'trigger t on table users depends on column old_id'
	],
	[ 'GRANT SELECT (id) ON users TO clerk', 'column id of table users would lose attacl' ],
	[ 'CREATE STATISTICS st ON id, name FROM users', 'statistics object pg_temp_\\d+.st would be lost' ],
	[
		'ALTER TABLE users REPLICA IDENTITY ' . 'USING INDEX users_pkey',
		'index users_pkey would lose indisreplident'
	],
	[
		'CREATE INDEX patterns ON posts (author text_pattern_ops)',
		'index patterns: operator class "text_pattern_ops" does not accept data type uuid'
	],
	[
		'CREATE INDEX names ON users (name, ' . 'id COLLATE "POSIX")',
		'index names: collations are not supported by type uuid'
	],
	[ 'CREATE TABLE heirs () INHERITS (posts)', 'table heirs depends on it' ],
	[ 'ALTER TABLE posts ADD old_author int', 'column "old_author" of relation "posts" already exists' ])
{
	my ($statement, $object) = @$_;
	my $told = ask(<<~SQL);
		BEGIN;
		$statement;
		SELECT finding FROM uuid_rekey_check('users', 'ulid_to_uuid(id)') WHERE kind = 'obstacle'
		SQL
	like($told, qr/$object/, "in the way: $object");
	is(ask(<<~SQL), 'cannot re-key table public.users', 'which stops it');
		BEGIN;
		$statement;
		SELECT FROM uuid_rekey_steps('users', 'ulid_to_uuid(id)')
		SQL
}
my $ulids = q{'users', 'ulid_to_uuid(id)', 'uuid_generate_v8(''unix48'')'};
like(
	ask( <<~SQL) . ask($fill_some),
		SELECT statement FROM uuid_rekey_steps($ulids) WHERE phase = 'prepare' AND step < 5
		ORDER BY step \\gexec
		SQL
	qr/t$/,
	'filling ends after some rows, if told to');
is( ask(<<~'SQL'),
	SELECT tgrelid::regclass, proowner::regrole, prosecdef, proconfig
	FROM pg_proc p JOIN pg_trigger ON tgfoid = p.oid WHERE tgname = 'uuid_rekey_ref_author'
	SQL
	'posts|owner|t|{"search_path=pg_catalog, pg_temp"}',
	'the trigger of references has the rights of the owner, whoever ran the step');
my $filler = Session->new($node);
$filler->begin(q{CALL uuid_rekey_fill('users', 1, pause => '30 ms')});
$filler->result;
like(
	$filler->errors,
	qr/NOTICE:  public\.users: \d+ rows filled, 100 % of its pages, 00:00:00 left/,
	'filling says how far it is');
$filler->quit;
is( ask(q{INSERT INTO users VALUES ('no ULID', 'Eve')}),
	'invalid input syntax for ULID: "no ULID"',
	'a text that is none is refused now');
is(ask(q{SELECT count(*) FROM users WHERE new_id <> ulid_to_uuid(id)}), '0', 'what is filled is right');

# A step does not wait for long, and can be said again
my $other = Session->new($node);
$other->query('BEGIN; SELECT count(*) FROM posts');
is( run_steps($ulids, 'prepare'),
	"ERROR:  canceling statement due to lock timeout\n not done",
	'a step gives up a lock that it does not get');
$other->query('COMMIT');
is(run_steps($ulids, 'prepare') . run_steps($ulids, 'swap'), '', 'and is done later');
is( ask(<<~'SQL'),
	SELECT count(*), count(*) FILTER (WHERE u.id = ulid_to_uuid(old_id) AND old_author = old_id)
	FROM users u JOIN posts ON author = u.id;
	INSERT INTO users (name) VALUES ('new')
	RETURNING ulid_timestamp(id) > now() - interval '1 minute'; INSERT INTO posts (author) SELECT id
		FROM users WHERE name = 'new' RETURNING old_author IS NULL
	SQL
	"1000|1000\nt\nt", 'the ULIDs are converted');
like(
	run_steps($ulids, 'undo', 3),
	qr/^ERROR:  table public\.users has rows without an old key$/m,
	'there is no way back for a row without an old key');
is(run_steps($ulids, 'finish'), '', 'finished');
$other->quit;

like(ask($_), qr/^table public\.no_key has no primary key of one column/, $_)
  for
  q{CREATE TABLE no_key (a int, b int, PRIMARY KEY (a, b)); SELECT * FROM uuid_rekey_steps('no_key', 'x')},
  q{CALL uuid_rekey_fill('no_key')};

#
# A key that nothing makes: rows that are written after the swap have no old one
#
is(ask(<<~'SQL'), '', 'numbers without a default');
	CREATE TABLE things (id bigint PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
		CREATE TABLE parts (thing bigint NOT NULL REFERENCES things);
	INSERT INTO things SELECT generate_series(1, 10); INSERT INTO parts SELECT id
	FROM things; CREATE INDEX ON parts (thing);
	ALTER TABLE things OWNER TO owner; ALTER TABLE parts OWNER TO owner
	SQL
my $things = q{'things', 'uuidv7_at(made)', 'uuidv7()'};
my $warned = q{SELECT finding FROM uuid_rekey_check('things', 'uuidv7_at(made)') WHERE kind = 'warning'};
is( ask($warned),
	'column id of public.things has neither a default nor an identity: rows that are written after the swap have no old key, and no way leads back',
	'which is told before');
is(ask(<<~SQL), '', "$_ is none") for 'SET DEFAULT 7', 'ADD GENERATED ALWAYS AS IDENTITY';
	BEGIN;
	ALTER TABLE things ALTER id $_;
	$warned
	SQL
is(run_steps($things, 'prepare') . run_steps($things, 'swap'), '', 'swapped');
my $insert = q{WITH t AS (INSERT INTO things DEFAULT VALUES RETURNING id, }
  . q{old_id) INSERT INTO parts (thing) SELECT id FROM t; SELECT count(*) FROM things WHERE old_id IS NULL};
is(ask($insert), '1', 'a row without an old key');
my $names = q{SELECT conname, convalidated FROM pg_constraint WHERE conrelid IN ('things'::regclass, }
  . q{'parts'::regclass) ORDER BY 1};
my $constraints = ask($names);
is( run_steps($things, 'undo', 3),
	"ERROR:  table public.things has rows without an old key\n not done",
	'there is no way back');
is(ask($names), $constraints, 'so nothing has changed');
is(ask($insert), '2', 'and rows are written as before');
is(ask(<<~'SQL'), '', 'with old keys');
	UPDATE things SET old_id = 10 + (SELECT count(*) FROM things t
		WHERE t.old_id IS NULL AND t.id <= things.id) WHERE old_id IS NULL
	SQL
is(run_steps($things, 'undo', 3), '', 'there is one');
is(ask(<<~'SQL'), 'bigint|12', 'back');
	SELECT pg_typeof(id), count(*) FROM parts JOIN things ON id = thing GROUP BY 1
	SQL

# A table that is partitioned is refused, by all of them
is(ask(<<~'SQL'), '', 'a partitioned table');
	CREATE TABLE parted (id bigint PRIMARY KEY, made timestamptz) PARTITION BY RANGE (id)
	SQL
foreach (
	q{SELECT * FROM uuid_rekey_check('parted', } . q{'uuidv7_at(made)')},
	q{SELECT * FROM uuid_rekey_steps('parted', } . q{'uuidv7_at(made)')},
	q{CALL uuid_rekey_fill('parted')})
{
	my (undef, undef, $stderr) = $node->psql('postgres', "\\set VERBOSITY verbose\n$_");
	like(
		$stderr,
		qr/^psql:.*ERROR:  0A000: cannot re-key partitioned table (?:public\.)?parted\nHINT:  Copy its rows, /m,
		"$_: not supported");
}

# Filling waits for autovacuum, which hears of what a call has done when it ends
is(ask(<<~'SQL'), '', 'a table with dead rows');
	CREATE TABLE swept (id bigint PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())
		WITH (autovacuum_enabled = false); INSERT INTO swept SELECT generate_series(1, 3000);
	SELECT statement FROM uuid_rekey_steps('swept', 'uuidv7_at(made)') WHERE step <= 2 ORDER BY step \gexec
	UPDATE swept SET made = made - interval '1 day'; SET session_replication_role = replica;
	UPDATE swept SET new_id = NULL
	SQL
ok($node->poll_query_until('postgres', <<~'SQL'), 'which statistics know');
	SELECT pg_stat_get_dead_tuples('swept'::regclass) > 2000
	SQL
my $sweeper = Session->new($node);
my $waits = sub {
	my ($session, $what) = @_;
	my $told = '';
	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		$session->{run}->pump_nb;
		$told .= $session->errors;
		return $told if $told =~ $what;
		select undef, undef, undef, 0.1;
	}
	return $told;
};
$sweeper->begin(q{CALL uuid_rekey_fill('swept', 1, max_dead => 2000)});
like(
	$waits->($sweeper, qr/waiting/),
	qr/NOTICE:  waiting for autovacuum: public\.swept has \d+ dead rows/,
	'it waits');
is(ask('SELECT count(new_id) FROM swept'), '0', 'and fills nothing');
is(ask('VACUUM swept'), '', 'until there is a VACUUM');
$sweeper->result;
like(
	$sweeper->errors,
	qr/NOTICE:  2\d\d\d rows filled: call it again to go on/,
	'then it ends with so many dead rows of its own');
$sweeper->quit;
is(ask(<<~'SQL'), '0', 'without a limit it does not wait');
	CALL uuid_rekey_fill('swept');
	SELECT count(*) FROM swept WHERE new_id IS NULL
	SQL

# and for a replica
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
is(ask('SET session_replication_role = replica; UPDATE swept SET new_id = NULL'), '', 'once more');
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_pause()');
$standby->poll_query_until('postgres', <<~'SQL') or die 'replay does not pause';
	SELECT pg_get_wal_replay_pause_state() = 'paused'
	SQL
my $lagged = Session->new($node);
$lagged->begin(q{CALL uuid_rekey_fill('swept', 1, max_lag => 200000)});    # each wait takes a second
like(
	$waits->($lagged, qr/waiting/),
	qr/NOTICE:  waiting for a replica, which is \d+ kB behind/,
	'it waits for a replica');
my $halfway = ask('SELECT count(new_id) FROM swept');
ok($halfway > 0 && $halfway < 3000, 'in the middle');
$waits->($lagged, qr/waiting.*waiting/s);
is(ask('SELECT count(new_id) FROM swept'), $halfway, 'and stays there');
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_resume()');
$lagged->result;
is(ask('SELECT count(*) FROM swept WHERE new_id IS NULL'), '0', 'until the replica has caught up');
$lagged->quit;
$standby->stop;
ask('DROP TABLE swept, parted');

# who may not see replicas
my $fill = q{CALL uuid_rekey_fill('things', max_lag => 1000000)};
is( ask($fill, '-U', 'owner'),
	'permission denied to see how far replicas are behind, ' . 'as max_lag needs',
	'max_lag is not ignored');
is( ask('GRANT pg_read_all_stats TO owner')
	  . ask($fill, '-U', 'owner')
	  . ask('REVOKE pg_read_all_stats FROM owner'),
	'',
	'who may see it is not refused');
is(ask(q{CALL uuid_rekey_fill('things')}, '-U', 'owner') . ask('DROP TABLE parts, things'),
	'', 'nor one who does not ask for it');

#
# Whatever the caller's search path has
#
ask(<<~'SQL');
	CREATE TABLE trapped (id int PRIMARY KEY,
		at timestamptz DEFAULT now()); CREATE TABLE of_trapped (id int REFERENCES trapped);
	INSERT INTO trapped SELECT generate_series(1, 1000); INSERT INTO of_trapped SELECT id
	FROM trapped; CREATE SCHEMA evil
	SQL
ask(<<~'SQL');
	DO $do$
	DECLARE
		r record;
	BEGIN
		FOR r IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result
			FROM pg_operator
			WHERE oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '||', '*', '/', '^@', '~', '&')
				AND oprleft <> 0 AND oprresult <> 0
		LOOP
			BEGIN
				EXECUTE format('CREATE FUNCTION evil.trap(%s, %s) RETURNS %s LANGUAGE plpgsql '
					'AS $f$BEGIN RAISE ''caught''; END$f$', r.l, r.r, r.result);
			EXCEPTION WHEN duplicate_function OR invalid_function_definition THEN
				CONTINUE;
			END;
			EXECUTE format('CREATE OPERATOR evil.%s (FUNCTION = evil.trap, LEFTARG = %s, RIGHTARG = %s)',
				r.oprname, r.l, r.r);
		END LOOP;
	END $do$;
	CREATE FUNCTION evil.format(text, VARIADIC text[]) RETURNS text
		LANGUAGE plpgsql AS $f$BEGIN RAISE 'caught'; END$f$;
	CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text
		LANGUAGE plpgsql AS $f$BEGIN RAISE 'caught'; END$f$;
	CREATE TYPE evil.text AS ENUM ('caught'); CREATE TYPE evil.uuid AS ENUM ('caught');
	CREATE TYPE evil.record AS ENUM ('caught'); CREATE TYPE evil.int8 AS ENUM ('caught')
	SQL
my $trapped = q{'public.trapped', 'keys.uuidv7_at(at)', 'keys.uuidv7()'};
my ($prepare, $swap) = map {
		"SELECT statement FROM keys.uuid_rekey_steps($trapped) "
	  . "WHERE phase OPERATOR(pg_catalog.=) '$_'::pg_catalog.text AND NOT done ORDER BY step \\gexec\n"
} qw(prepare swap);
my $columns = ask('SELECT count(*) FROM uuid_columns()');
is( ask(    "SET search_path = evil, pg_catalog;\nSELECT kind FROM keys.uuid_rekey_check('public.trapped', "
		  . "'keys.uuidv7_at(at)') "
		  . "WHERE kind OPERATOR(pg_catalog.<>) 'note'::pg_catalog.text;\nSHOW search_path;\n"
		  . "SELECT pg_catalog.count(tab) FROM keys.uuid_columns();\n$prepare$swap"
		  . "SET search_path = public, keys; SELECT count(*), count(DISTINCT t.id), "
		  . "bool_and(uuid_v7_layout(o.id) = 'rfc9562') FROM trapped t JOIN of_trapped o USING (id)"),
	"warning\nwarning\nevil, " . "pg_catalog\n$columns\n1000|1000|t",
	'nothing in the search path of the caller is called');
is(ask(<<~'SQL'), '', 'a view');
	CREATE TABLE seen (id int PRIMARY KEY, made timestamptz DEFAULT now());
	CREATE VIEW of_seen AS SELECT id::text AS word FROM seen;
	INSERT INTO seen VALUES (1)
	SQL
is( ask("SET search_path = evil, pg_catalog;\n$prepare$swap" =~ s/public\.trapped/public.seen/gr =~
		  s/uuidv7_at\(at\)/uuidv7_at(made)/gr
		  . "SET search_path = public; SELECT pg_typeof(word) FROM of_seen"),
	'text',
	'nor is a view made again with it');
ask('DROP TABLE seen CASCADE');

#
# What is the user's own: columns that are called like twins, texts in indexes, grants on views; and what
# is not yet filled
#
is(ask(<<~'SQL'), '1', 'a column that is called like a twin is an obstacle');
	CREATE TABLE own (id int PRIMARY KEY,
		old_id text); CREATE TABLE own_too (id int PRIMARY KEY);
		CREATE TABLE of_own (own int REFERENCES own_too, new_own uuid);
	SELECT count(*) FROM uuid_rekey_check('own', 'uuidv7()')
	WHERE kind = 'obstacle' AND finding ~ 'column "old_id" of relation "own" already exists'
	SQL
is( run_steps(q{'own', 'uuidv7()'}, 'finish'),
	"ERROR:  cannot re-key table public.own\n not done",
	'which the steps do not drop');
is( run_steps(q{'own_too', 'uuidv7()'}, 'prepare'),
	"ERROR:  cannot re-key table public.own_too\n not done",
	'nor fill, in a table that refers to it');
is(ask(<<~'SQL'), 'run the steps before', 'no swap before all is filled');
	CREATE ROLE reader; CREATE SCHEMA of_clerk AUTHORIZATION clerk; ALTER DEFAULT PRIVILEGES GRANT
		SELECT ON TABLES TO reader;
	CREATE TABLE docs (id int PRIMARY KEY, doc jsonb); CREATE INDEX docs_kind ON docs (id, (doc ->> 'id'))
		WHERE doc ->> 'kind' <> 'an id';
	CREATE TABLE notes (doc int REFERENCES docs);
	CREATE VIEW readable AS SELECT id FROM docs; REVOKE ALL ON readable
		FROM reader; GRANT SELECT (id) ON readable TO clerk; COMMENT ON COLUMN readable.id IS 'its id';
	INSERT INTO docs SELECT n, '{}' FROM generate_series(1, 100) n; INSERT INTO notes SELECT id FROM docs;
	\o /dev/null
	SELECT statement FROM uuid_rekey_steps('docs', 'uuidv7()')
	WHERE phase = 'prepare' AND statement !~ 'uuid_rekey_fill|VALIDATE CONSTRAINT uuid_rekey'
	ORDER BY step \gexec
	UPDATE docs SET id = id;
	\o
	SELECT statement FROM uuid_rekey_steps('docs', 'uuidv7()') WHERE phase = 'swap' \gexec
	SQL
is( ask(<<~'SQL') =~ s/(?:public\.)?uuid_rekey_\w+/…/r,
	CREATE TABLE of_clerk.t (doc int, new_doc uuid); ALTER TABLE of_clerk.t OWNER TO clerk; SET ROLE clerk;
	SELECT format('CREATE TRIGGER t BEFORE INSERT ON of_clerk.t FOR EACH ROW EXECUTE FUNCTION %s()',
		tgfoid::regproc) FROM pg_trigger WHERE tgname = 'uuid_rekey_ref_doc' \gexec
	SQL
	'permission denied for function …', 'the function that reads the keys is for nobody else\'s tables');
is(run_steps(q{'docs', 'uuidv7()'}, 'prepare') . run_steps(q{'docs', 'uuidv7()'}, 'swap'), '', 'but after');
is( ask(<<~'SQL'),
	SELECT pg_get_indexdef('docs_kind'::regclass), has_table_privilege('reader', 'readable', 'SELECT'),
		has_column_privilege('clerk', 'readable', 'id', 'SELECT'),
	col_description('readable'::regclass, 1), (SELECT count(*) FROM notes n JOIN docs d ON d.id = n.doc)
	SQL
	q{CREATE INDEX docs_kind ON public.docs USING btree (id, ((doc ->> 'id'::text))) }
	  . q{WHERE ((doc ->> 'kind'::text) <> 'an id'::text)|f|t|its id|100},
	'an index on texts, and a view with its grants');
ask('ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM reader');

#
# All keys at a glance
#
is( ask(<<~'SQL') =~ s/\|(rfc9562|draft) n %, (rfc9562|draft) n %\|/|both|/r,
	DROP SCHEMA evil CASCADE; DROP TABLE shipments, lines, orders, users, posts, trapped,
		of_trapped CASCADE;
	CREATE TABLE a (id uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuid_v7_layout(id) = 'rfc9562'));
	CREATE TABLE b (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), a uuid REFERENCES a,
		d uuid DEFAULT uuid_generate_v7(), both_of uuid, t text, none text, v1 uuid) PARTITION BY HASH (id);
	CREATE TABLE b1 PARTITION OF b FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE e ("The id" uuid DEFAULT uuidv7()
		CHECK (uuidv7_is("The id")),
			wrong timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp("The id")) STORED,
		"Wrong too" timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp("The id", 'millisecond')) STORED,
		good timestamptz GENERATED ALWAYS AS (uuidv7_timestamp("The id")) STORED,
			good_too timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp("The id", 'rfc9562')) STORED);
	CREATE TABLE f (id uuid DEFAULT uuid_generate_v7()
		CHECK (uuid_v7_is(id)), wrong timestamptz GENERATED ALWAYS AS (uuidv7_timestamp(id)) STORED,
		wrong_too timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id, 'rfc9562')) STORED,
			good timestamptz GENERATED ALWAYS AS (uuid_v7_timestamp(id)) STORED);
	INSERT INTO e SELECT FROM generate_series(1, 300); INSERT INTO f SELECT FROM generate_series(1, 300);
	CREATE TABLE c (id uuid PRIMARY KEY DEFAULT gen_random_uuid()
		CHECK (uuid_v7_layout(id) <> 'draft'), empty uuid);
	INSERT INTO a SELECT FROM generate_series(1, 300);
	INSERT INTO b (a, both_of, t, none, v1)
		SELECT id, CASE WHEN random() < 0.5 THEN id
			ELSE uuid_generate_v7() END, upper(id::text), 'x', uuid_generate_v1_random() FROM a;
	ALTER TABLE b ALTER d SET DEFAULT uuidv7();
	INSERT INTO c SELECT id FROM a;
	ANALYZE a, b, c, e, f;
	SELECT tab, col, type, guard, regexp_replace(keys, '\d+ %', 'n %', 'g'), index, octets_per_entry > 20,
		refers_to, referred_by, problem FROM uuid_columns() WHERE tab::text IN ('a', 'b', 'c', 'e', 'f')
	SQL
	join("\n",
		'a|id|uuid|rfc9562|rfc9562 n %|a_pkey|t||1|',
		'b|id|uuid||version 4 n %|b_pkey|||0|new keys are random',
		'b|a|uuid||rfc9562 n %|||a|0|no guard; refers to another table, without an index',
		'b|d|uuid||draft n %||||0|the default makes another layout than the keys have; ' . 'no guard',
		'b|both_of|uuid||both||||0|holds keys of both layouts of version 7; no guard',
		'b|t|text||rfc9562 n %||||0|UUIDs are stored as text',
		'b|v1|uuid||version 1 n %||||0|',
		'c|id|uuid|rfc9562|rfc9562 n %|c_pkey|t||0|the default still makes version 4',
		'c|empty|uuid|||||||no statistics: ANALYZE' =~ s/\|\|\|\|\|\|\|/||||||0|/r,
		'e|The id|uuid|rfc9562|rfc9562 n %||||0|generated column "wrong" reads the other layout; '
		  . 'generated column "Wrong too" reads the other layout',
		'f|id|uuid|draft|draft n %||||0|generated column "wrong" reads the other layout; '
		  . 'generated column "wrong_too" reads the other layout'),
	'the columns, and what is wrong with them');

#
# What a second hostile look found
#
$node->safe_psql('postgres', 'DROP TABLE a, b, c, e, f, own, own_too, of_own, docs, notes, told CASCADE');
my $dump = sub {
	return join "\n", grep { !/^$|^--|restrict/ } split /\n/,
	  (run_command([ 'pg_dump', '-s', '-n', 'public', '-d', $node->connstr('postgres') ]))[0];
};
my $there_and_back = sub {
	my ($args, $what) = @_;
	my $before = $dump->();
	is(run_steps($args, 'prepare') . run_steps($args, 'undo'), '', "$what: prepared and undone");
	is($dump->(), $before, "$what: as before");
	is(run_steps($args, 'prepare') . run_steps($args, 'swap'), '', "$what: swapped");
	my $then = $dump->();
	is(run_steps($args, 'undo') . run_steps($args, 'undo'), '', "$what: and undone");
	is($dump->(), $before, "$what: as before the swap");
	return $then;
};

# Foreign keys of others write to the table too, and what inserts where it finds no row updates none.
is(ask(<<~'SQL'), '', 'tables of UUIDs');
	CREATE TABLE staff (id int PRIMARY KEY); INSERT INTO staff SELECT generate_series(1, 9);
	CREATE TABLE tasks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now(), by int REFERENCES staff ON DELETE CASCADE,
			parent uuid REFERENCES tasks ON DELETE SET NULL);
	CREATE TABLE pages (id text PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now()); INSERT INTO pages DEFAULT VALUES;
	CREATE DOMAIN ident AS uuid; CREATE TABLE cards (id ident PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now()); INSERT INTO cards DEFAULT VALUES;
	CREATE VIEW "my tasks" AS SELECT * FROM tasks; INSERT INTO tasks (by) SELECT generate_series(1, 3)
	SQL
is( run_steps("'$_', 'uuidv7_at(made)', 'uuidv7()'", 'prepare')
	  . run_steps("'$_', 'uuidv7_at(made)', 'uuidv7()'", 'swap'),
	'',
	"$_ are swapped") for qw(tasks pages cards);
is(ask($_), '', $_)
  for q{DELETE FROM staff WHERE id = 7}, q{DELETE FROM staff WHERE id IN (1)},
  q{DELETE } . q{FROM tasks WHERE id = (SELECT id FROM tasks LIMIT 1)},
  q{INSERT INTO tasks (id) VALUES (uuidv7()) ON CONFLICT (id) DO UPDATE SET id = EXCLUDED.id};
is(ask(q{SELECT count(*) FROM tasks}), '2', 'by the new key, all of them are right');
ask('DROP VIEW "my tasks"; DROP TABLE tasks, pages, cards, staff; DROP DOMAIN ident');

# Views, comments, and names of all kinds
is(ask(<<~'SQL'), '', 'boxes');
	CREATE TABLE boxes (id text COLLATE "C" CONSTRAINT boxes_keep PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now(), found int DEFAULT 1);
	CREATE TABLE things_in_boxes_of_which_there_are_many_2024 (box text COLLATE "POSIX" REFERENCES boxes,
		no int UNIQUE);
	CREATE TABLE things_in_boxes_of_which_there_are_many_2025 (
		"the (box) REFERENCES" text REFERENCES boxes ON DELETE SET NULL,
		no int,
		UNIQUE (no, "the (box) REFERENCES"));
	CREATE TABLE "Очень_длинное_имя (таблицы) ключей" (
		"родитель_и_все_остальные_из_дома" text CONSTRAINT "Очень_длинное_имя_внешнего_ключа_" REFERENCES boxes);
	CREATE INDEX in_keep ON things_in_boxes_of_which_there_are_many_2024 (box);
	COMMENT ON INDEX in_keep IS 'an index';
	CREATE INDEX "Очень_длинное_имя_другого_индекса"
		ON "Очень_длинное_имя (таблицы) ключей" ("родитель_и_все_остальные_из_дома");
	COMMENT ON CONSTRAINT boxes_keep ON boxes IS 'a key';
	CREATE VIEW first_boxes WITH (security_barrier, check_option = local) AS SELECT id, found FROM boxes
		WHERE found = 1; ALTER VIEW first_boxes ALTER found SET DEFAULT 1;
	CREATE VIEW all_boxes AS SELECT id, found
		FROM boxes; GRANT SELECT ON all_boxes TO clerk WITH GRANT OPTION;
	CREATE RULE r AS ON INSERT TO all_boxes DO INSTEAD INSERT INTO first_boxes (found)
		VALUES (1); COMMENT ON RULE r ON all_boxes IS 'a rule';
	CREATE FUNCTION box() RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN INSERT INTO all_boxes (found) VALUES (NEW.found); RETURN NEW; END';
	CREATE VIEW no_boxes AS SELECT id, found + 1 AS found
		FROM first_boxes;
		CREATE TRIGGER t INSTEAD OF INSERT ON no_boxes FOR EACH ROW EXECUTE FUNCTION box();
		COMMENT ON TRIGGER t ON no_boxes IS 'a trigger';
	INSERT INTO boxes SELECT n::text
	FROM generate_series(1, 3) n; INSERT INTO things_in_boxes_of_which_there_are_many_2024 VALUES ('1');
	INSERT INTO things_in_boxes_of_which_there_are_many_2025
	VALUES ('2'); INSERT INTO "Очень_длинное_имя (таблицы) ключей" VALUES ('3')
	SQL
my $boxes = q{'boxes', 'uuidv7_at(made + found * interval ''1 s'')', 'uuidv7()'};
my $swapped = $there_and_back->($boxes, 'boxes');
like($swapped, qr/^\Q$_\E/m, "after the swap: $_")
  for 'ALTER TABLE ONLY public.first_boxes ALTER COLUMN found SET DEFAULT 1;',
  q{COMMENT ON RULE r ON public.all_boxes IS 'a rule'},
  q{COMMENT ON TRIGGER t ON public.no_boxes IS 'a trigger'},
  q{COMMENT ON CONSTRAINT boxes_keep ON public.boxes IS 'a key'},
  q{COMMENT ON INDEX public.in_keep IS 'an index'},
  'CREATE INDEX in_keep ON public.things_in_boxes_of_which_there_are_many_2024 ' . 'USING btree (box)',
  'GRANT SELECT ON TABLE public.all_boxes TO clerk WITH GRANT OPTION';
is(ask(<<~'SQL'), '2|3|4', 'and all is as before');
	UPDATE things_in_boxes_of_which_there_are_many_2024 SET box = '2';
	UPDATE things_in_boxes_of_which_there_are_many_2025 SET "the (box) REFERENCES" = '3';
	INSERT INTO no_boxes (found) VALUES (5);
	SELECT box, "the (box) REFERENCES", (SELECT count(*) FROM boxes)
	FROM things_in_boxes_of_which_there_are_many_2024, things_in_boxes_of_which_there_are_many_2025
	SQL
is(run_steps($boxes, 'prepare'), '', 'prepared again');
is( ask(<<~'SQL'), '3|1',
	UPDATE things_in_boxes_of_which_there_are_many_2024 SET box = '3';
	UPDATE things_in_boxes_of_which_there_are_many_2025 SET "the (box) REFERENCES" = '1';
	SELECT b.id, c.id
	FROM things_in_boxes_of_which_there_are_many_2024, things_in_boxes_of_which_there_are_many_2025,
		boxes b, boxes c WHERE new_box = b.new_id AND "new_the (box) REFERENCES" = c.new_id
	SQL
	'tables whose names begin alike have triggers of their own');
ask(<<~'SQL');
	DROP TABLE boxes, things_in_boxes_of_which_there_are_many_2024,
		things_in_boxes_of_which_there_are_many_2025, "Очень_длинное_имя (таблицы) ключей" CASCADE
	SQL

# What would stay with the old columns, unseen
is(ask(<<~'SQL'), '', 'kinds');
	CREATE TABLE other (id int PRIMARY KEY);
	CREATE TABLE kinds (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE goods (kind int REFERENCES kinds DEFERRABLE); CREATE VIEW k AS SELECT id
		FROM kinds; CREATE VIEW of_k AS SELECT * FROM k; CREATE FUNCTION touch_it() RETURNS trigger
		LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	INSERT INTO kinds SELECT FROM generate_series(1, 3); INSERT INTO goods SELECT id FROM kinds
	SQL
foreach (
	[
		'ALTER TABLE kinds FORCE ROW LEVEL SECURITY',
		'table public.kinds forces row security on its owner, ' . 'who would not see all rows'
	],
	[
		'ALTER TABLE goods ALTER kind SET DEFAULT 1',
		'default value for column kind of table goods would be lost'
	],
	[
		'ALTER TABLE goods ADD FOREIGN KEY (kind) REFERENCES other NOT VALID',
		'constraint goods_kind_fkey1 on table goods'
	],
	[
		'CREATE TRIGGER z BEFORE UPDATE ON goods FOR EACH ROW EXECUTE FUNCTION touch_it()',
		'trigger z of table public.goods fires after those that set twins: rename it'
	],
	[
		'CREATE FUNCTION f() RETURNS SETOF of_k LANGUAGE sql AS $$SELECT * ' . 'FROM of_k$$',
		'function f\\(\\) depends on it'
	],
	[ 'CREATE MATERIALIZED VIEW m AS SELECT * FROM of_k', 'materialized view m depends on it' ],
	[ 'CREATE VIEW late AS SELECT id FROM kinds WHERE id > 10', 'operator does not exist: uuid > integer' ],
	[
		'CREATE INDEX late ON goods (kind) WHERE kind > 10',
		'the twin of index late: operator does not exist: uuid > integer'
	])
{
	like(ask(<<~SQL), qr/$_->[1]/, "in the way: $_->[1]");
		BEGIN;
		$_->[0];
		SELECT finding FROM uuid_rekey_check('kinds', 'uuidv7_at(made)', 'uuidv7()') WHERE kind = 'obstacle'
		SQL
}
like(
	ask(q{SELECT finding FROM uuid_rekey_check('kinds', 'uuidv7_at(made)') WHERE kind = 'obstacle'}),
	qr/^column id of table public\.kinds has a default or identity, and nothing would make new keys: new_default is not given$/,
	'nothing that makes new keys is in the way');
is( ask(<<~'SQL'),
	CREATE TRIGGER a BEFORE UPDATE ON goods FOR EACH ROW EXECUTE FUNCTION touch_it(); SELECT finding
		FROM uuid_rekey_check('kinds', 'uuidv7_at(made)', 'uuidv7()') WHERE kind IN ('obstacle', 'warning');
	CREATE FUNCTION no_key(int) RETURNS uuid
		LANGUAGE plpgsql AS 'BEGIN IF $1 = 2 THEN RAISE ''no key''; END IF; RETURN keys.uuidv7(); END';
			SELECT finding FROM uuid_rekey_check('kinds', 'no_key(id)') WHERE kind = 'error'
	SQL
	join("\n",
		'column kind of public.goods has no index',
		'constraint goods_kind_fkey of public.goods is deferrable: once the triggers exist, '
		  . 'what a row refers to has to be written first',
		'trigger a of public.goods fires for each row that is filled: its function has to take a uuid after the swap',
		'the new key fails: no key, for old key 2'),
	'a trigger that fires before is not; a constraint that is deferrable is told, '
	  . 'and a converter that raises an error');

# A table in two re-keyings
my $kinds = q{'kinds', 'uuidv7_at(made)', 'uuidv7()'};
is(ask(<<~'SQL'), '', 'a re-keying begins');
	DROP VIEW of_k,
		k; CREATE TABLE sizes (id int PRIMARY KEY,
			made timestamptz NOT NULL DEFAULT now()); ALTER TABLE goods ADD size int REFERENCES sizes;
	\o /dev/null
	SELECT statement FROM uuid_rekey_steps('kinds', 'uuidv7_at(made)', 'uuidv7()') WHERE step < 5
	ORDER BY step \gexec
	SQL
is( run_steps($kinds, 'swap'),
	"ERROR:  run the steps before\n not done",
	'no swap that would have to read the table');
is(run_steps($kinds, 'prepare') . run_steps($kinds, 'swap'), '', 'swapped');
is(ask(<<~'SQL'), '', 'what is created after the swap');
	CREATE TABLE later (kind uuid REFERENCES kinds, old_kind int);
	ALTER TABLE goods ALTER kind SET DEFAULT uuidv7()
	SQL
is( run_steps($kinds, 'undo'),
	qq{ERROR:  column "old_kind" of relation "later" already exists\n not done},
	'is in the way of undoing');
is(     run_steps($kinds, 'finish')
	  . ask(<<~'SQL'), 'later|old_kind', 'but not of finishing, which drops its own columns only');
		SELECT attrelid::regclass, attname FROM pg_attribute WHERE attname ~ '^old_' AND NOT attisdropped
		SQL
ask('DROP TABLE later, goods, kinds, sizes, other; DROP FUNCTION no_key, touch_it, touch, box');

# Pages that were filled before
is(ask(<<~'SQL'), '', 'a table that is filled in part');
	CREATE TABLE wide (id int PRIMARY KEY, made timestamptz DEFAULT now(), t text DEFAULT repeat('x', 1500))
		WITH (fillfactor = 60); INSERT INTO wide SELECT generate_series(1, 60);
	\o /dev/null
	SELECT statement FROM uuid_rekey_steps('wide', 'uuidv7_at(made)') WHERE step < 3 ORDER BY step \gexec
	CALL uuid_rekey_fill('wide', 1, max_rows => 40)
	SQL
like(
	notices(q{CALL uuid_rekey_fill('wide', 1)}),
	qr/\A(?:NOTICE:  public\.wide: 0 rows filled, \d+ % of its pages, \? left\n)*NOTICE:  public\.wide: \d+ rows filled, 100 % of its pages, 00:00:00 left\n?\z/,
	'it does not say when it will end as long as it finds nothing to fill');

# Rows that others have locked are left for the next call: it waits for nobody, who might wait for it
my $holder = Session->new($node);
is(ask(<<~'SQL'), '', 'a table to fill');
	CREATE TABLE held (id int PRIMARY KEY, made timestamptz DEFAULT now()); INSERT INTO held
		SELECT generate_series(1, 60);
	\o /dev/null
	SELECT statement FROM uuid_rekey_steps('held', 'uuidv7_at(made)') WHERE step < 3 ORDER BY step \gexec
	SQL
$holder->query('BEGIN; SELECT FROM held WHERE id = 7 FOR UPDATE');
$holder->begin('SELECT pg_sleep(2); COMMIT');
like(
	notices(q{CALL uuid_rekey_fill('held')}),
	qr/^NOTICE:  public\.held: 59 rows filled, 100 % of its pages, others hold the rest\n(?:.*\n)*NOTICE:  public\.held: 60 rows filled/,
	'a locked row is filled when nobody holds it any more');
$holder->result;
$holder->quit;
is(ask(q{SELECT id FROM held WHERE new_id IS NULL}), '', 'so that no row is left');

# Columns of a domain, as one without any rights sees them
is( ask(<<~'SQL'),
	CREATE DOMAIN ident AS uuid; CREATE SCHEMA hidden;
	CREATE TABLE hidden.t (id ident PRIMARY KEY DEFAULT gen_random_uuid(), many uuid[], t text);
	INSERT INTO hidden.t (t) SELECT gen_random_uuid() FROM generate_series(1, 100); ANALYZE hidden.t;
	SELECT tab, col, type, keys, problem FROM uuid_columns()
	WHERE tab::text ~ 'hidden'; SET ROLE clerk; SELECT tab, col, type, keys, problem FROM uuid_columns()
	WHERE tab::text ~ 'hidden'
	SQL
	join("\n",
		'hidden.t|id|ident|version 4 100 %|new keys are random',
		'hidden.t|t|text|version 4 100 %|UUIDs are stored as text',
		'hidden.t|id|ident||new keys are random; no statistics: ANALYZE') =~ s/\|ident/|public.ident/gr,
	'columns of a domain, and of a schema that is not for all');

#
# What a third hostile look found
#
# The catalogs give foreign keys' triggers by their names, so that of the twin may be the first
my $nulled = q{'nulled', 'uuidv7_at(made)', 'uuidv7()'};
is(ask(<<~'SQL') . run_steps($nulled, 'prepare'), '', 'references that become NULL');
	CREATE TABLE nulled (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
		CREATE TABLE of_nulled (id int REFERENCES nulled ON DELETE SET NULL, no int, UNIQUE (id, no));
	CREATE TABLE of_both (id int, no int,
		FOREIGN KEY (id, no) REFERENCES of_nulled (id, no) ON DELETE SET NULL);
	INSERT INTO nulled SELECT FROM generate_series(1, 3); INSERT INTO of_nulled SELECT id, id
	FROM nulled; INSERT INTO of_both TABLE of_nulled
	SQL
is( ask(<<~'SQL'),
	ALTER TABLE of_nulled DROP CONSTRAINT of_nulled_id_fkey,
		ADD CONSTRAINT of_nulled_id_fkey FOREIGN KEY (id) REFERENCES nulled ON DELETE SET NULL;
	ALTER TABLE of_both DROP CONSTRAINT of_both_id_no_fkey,
		ADD CONSTRAINT of_both_id_no_fkey FOREIGN KEY (id, no) REFERENCES of_nulled (id,
			no) ON DELETE SET NULL;
	DELETE FROM of_nulled WHERE no = 1; DELETE FROM of_both WHERE id = 2; DELETE FROM nulled
	WHERE id = 2; SELECT id, no, new_id IS NULL FROM of_nulled ORDER BY no; SELECT id, no, new_id IS NULL
	FROM of_both ORDER BY no
	SQL
	"|2|t\n3|3|f\n3|3|f\n||t", 'the twin\'s foreign key may be the first');

# What is written after the swap, and columns that are added in between, are part of it
is(run_steps($nulled, 'swap'), '', 'swapped');
is( ask(<<~'SQL') . run_steps($nulled, 'undo'),
	CREATE TABLE later (id uuid REFERENCES nulled);
	ALTER TABLE of_nulled ADD other uuid REFERENCES nulled;
	INSERT INTO later SELECT id FROM nulled;
	UPDATE of_nulled SET other = (SELECT id FROM nulled WHERE old_id = 3)
	SQL
	'', 'a table and a column that refer to the key since the swap');
is( ask(<<~'SQL'),
	SELECT pg_typeof(l.id), count(*), bool_and(l.new_id = n.new_id AND o.new_other = m.new_id)
	FROM later l JOIN nulled n USING (id), of_nulled o JOIN nulled m ON m.id = other
	WHERE m.id = 3 AND o.id = 3 GROUP BY 1
	SQL
	'integer|2|t', 'are undone too');
ask('DROP TABLE later, of_both, of_nulled, nulled');

# Undone, with references of another collation; another table's column of the key's name is no late writer
my $collated = q{'collated', 'uuidv7_at(made)', 'uuidv7()'};
is(ask(<<~'SQL') . run_steps($collated, 'prepare') . run_steps($collated, 'swap'), '', 'collations');
	CREATE TABLE collated (id text COLLATE "C" PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now());
		CREATE TABLE of_collated (id text COLLATE "POSIX" REFERENCES collated);
	INSERT INTO collated VALUES ('1'), ('2'); INSERT INTO of_collated VALUES ('1')
	SQL
is(run_steps($collated, 'undo') . ask(<<~'SQL'), '2|t', 'a reference is written after undoing');
	UPDATE of_collated SET id = '2';
	SELECT o.id, o.new_id = c.new_id FROM of_collated o JOIN collated c ON o.id COLLATE "C" = c.id
	SQL
ask('DROP TABLE of_collated, collated');

# Keys that do not work are told before anything is written; guards; and an owner who is no superuser
is(ask(<<~'SQL'), '', 'a table of another\'s');
	CREATE TABLE made (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		made timestamptz NOT NULL DEFAULT now(), copy timestamptz GENERATED ALWAYS AS (made) STORED,
			CONSTRAINT made_layout CHECK (uuid_v7_is(id)));
	CREATE TABLE of_made (made uuid REFERENCES made); INSERT INTO made DEFAULT
		VALUES; ALTER TABLE made OWNER TO owner; ALTER TABLE of_made OWNER TO owner
	SQL
is( run_steps(q{'made', 'uuidv7_at(mad)'}, 'prepare', 1, '-U', 'owner'),
	qq{ERROR:  column "mad" does not exist\n not done},
	'a key that does not work');
is(run_steps(q{'made', NULL}, 'prepare', 1, '-U', 'owner'),
	qq{ERROR:  syntax error at or near ")"\n not done}, 'none');
is(ask(q{INSERT INTO made DEFAULT VALUES}, '-U', 'owner'), '', 'stops no writer');
is( ask(<<~'SQL', '-U', 'owner'),
	SELECT finding FROM uuid_rekey_check('made', 'uuidv7_at(made.copy)', 'uuidv7()') WHERE kind = 'obstacle'
	SQL
	'the new key reads column "copy" of table public.made, ' . 'which is generated after triggers',
	'nor does a key from a generated column');
is( run_steps(q{'made', 'uuidv7_at(copy)'}, 'prepare', 1, '-U', 'owner'),
	"ERROR:  cannot re-key table public.made\n not done",
	'which the steps refuse');
my $subscribed = q{SELECT finding FROM uuid_rekey_check('made', 'uuidv7_at(made)', 'uuidv7()') }
  . q{WHERE kind = 'obstacle'};
like(
	ask(<<~SQL),
		BEGIN;
		CREATE SUBSCRIPTION s CONNECTION 'dbname=postgres' PUBLICATION p
			WITH (connect = false, slot_name = NONE);
		SET allow_system_table_mods = on;
		INSERT INTO pg_subscription_rel SELECT oid, 'of_made'::regclass, 'i' FROM pg_subscription;
		$subscribed
		SQL
	qr/^table public\.of_made is written by a subscription, for which triggers do not fire$/m,
	'nor a subscription');
is(ask(<<~'SQL'), '', 'publications');
	CREATE PUBLICATION of_others FOR TABLE hidden.t;
	CREATE PUBLICATION mine FOR TABLE of_made
	SQL
is( ask( <<~'SQL', '-U', 'owner'),
	SELECT finding FROM uuid_rekey_check('made', 'uuidv7_at(made)')
	WHERE kind = 'warning' AND finding ~ 'publish'
	SQL
	'public.of_made is published by mine: a subscriber does not get ALTER TABLE',
	'only those of the tables matter');
my $made = q{'made', 'uuidv7_at(made)', 'uuidv7()'};
is(run_steps($made, 'prepare') . run_steps($made, 'swap', 1, '-U', 'owner'),
	'', 'what a superuser prepared, the owner swaps');
is( ask(<<~'SQL'),
	SELECT conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
	WHERE conrelid = 'made'::regclass AND contype = 'c' ORDER BY 1
	SQL
	'made_layout|CHECK (uuid_v7_is(old_id))|t', 'the guard of the old key stays with it');
is( run_steps($made, 'undo', 1, '-U', 'owner')
	  . run_steps($made, 'prepare')
	  . run_steps($made, 'swap')
	  . run_steps($made, 'finish', 1, '-U', 'owner'),
	'',
	'and what a superuser swapped, the owner finishes');

# A type with an equality of its own, that is in no search path: a reference is found by it after undo too
is(ask(<<~'SQL'), '', 'keys of type citext');
	CREATE SCHEMA types; CREATE EXTENSION citext SCHEMA types;
	CREATE TABLE tags (id types.citext PRIMARY KEY,
		at timestamptz NOT NULL DEFAULT now()); CREATE TABLE tagged (tag types.citext REFERENCES tags);
	INSERT INTO tags VALUES ('Blue'); INSERT INTO tagged VALUES ('BLUE')
	SQL
my $tags = q{'tags', 'keys.uuidv7_at(at)'};
foreach my $round (1, 2)
{
	is(run_steps($tags, $_), '', "round $round: $_") for qw(prepare swap);
	is(ask(<<~'SQL'), $round, "round $round: which are found in any case");
		SELECT count(*) FROM tags t JOIN tagged g ON g.tag = t.id AND g.old_tag OPERATOR(types.=) t.old_id
		SQL
	is(run_steps($tags, 'undo'), '', "round $round: undone");
	is(ask(<<~'SQL'), 't', "round $round: and by rows of afterwards");
		INSERT INTO tagged VALUES ('bLuE') RETURNING new_tag IS NOT NULL
		SQL
}

$node->stop;
done_testing();
