# What becomes of definitions when a table gets new keys: names, indexes, constraints and references are
# as before, there and back; what would need more is refused before anything has changed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node('allow_in_place_tablespaces = on');
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
make('CREATE ROLE owner LOGIN; CREATE ROLE clerk; CREATE SCHEMA types; CREATE EXTENSION citext SCHEMA types');
make('GRANT CREATE, TEMPORARY ON DATABASE postgres TO owner');
make('CREATE TABLESPACE fast LOCATION $$$$') if $major >= 15;

sub obstacles
{
	my ($args, $before) = @_;
	return ask('BEGIN; ' . ($before // 'SELECT') . <<~"SQL");
		;
		SELECT obstacle FROM uuidnew_tables.rekey_check($args) ORDER BY 1
		SQL
}

#
# There and back, with names of all kinds
#
anew(<<~'SQL');
	CREATE TABLE boxes (
		id text COLLATE "C" CONSTRAINT "boxes_rekey" PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now(),
		found int DEFAULT 1,
		CHECK (found > 0));
	CREATE TABLE things_in_boxes_of_which_there_are_many_2024 (
		box text COLLATE "POSIX" UNIQUE REFERENCES boxes,
		no int UNIQUE);
	CREATE TABLE labels (box text REFERENCES things_in_boxes_of_which_there_are_many_2024 (box)
		ON UPDATE CASCADE);
	CREATE TABLE things_in_boxes_of_which_there_are_many_2025 (
		"the (box) REFERENCES" text REFERENCES boxes ON DELETE SET NULL,
		no int,
		UNIQUE (no, "the (box) REFERENCES"));
	CREATE TABLE "Очень_длинное_имя (таблицы) ключей" (
		"родитель_и_все_остальные_из_дома" text
			CONSTRAINT "Очень_длинное_имя_внешнего_ключа_" REFERENCES boxes);
	CREATE INDEX in_keep ON things_in_boxes_of_which_there_are_many_2024 (no NULLS FIRST) INCLUDE (box);
	CREATE INDEX "Очень_длинное_имя_другого_индекса"
		ON "Очень_длинное_имя (таблицы) ключей" ("родитель_и_все_остальные_из_дома" DESC)
		WITH (fillfactor = 70);
	CREATE INDEX "Очень_длинное_имя_внешнего_ключа_"
		ON "Очень_длинное_имя (таблицы) ключей" ("родитель_и_все_остальные_из_дома");
	COMMENT ON COLUMN boxes.id IS 'it''s a key';
	CREATE VIEW other_boxes AS SELECT found FROM boxes;
	GRANT SELECT ON boxes TO clerk;
	CREATE POLICY found ON boxes USING (found > 0);
	INSERT INTO boxes SELECT n::text FROM generate_series(1, 3) n;
	INSERT INTO things_in_boxes_of_which_there_are_many_2024 VALUES ('1');
	INSERT INTO labels VALUES ('1');
	INSERT INTO things_in_boxes_of_which_there_are_many_2025 VALUES ('2');
	INSERT INTO "Очень_длинное_имя (таблицы) ключей" VALUES ('3');
	SQL
my $boxes = q{uuidnew_tables.rekey_steps('boxes', 'uuidv7_at(made + found * interval ''1 s'')', 'uuidv7()')};
my $before = definitions();
is(run_phase($boxes, $_), '', "boxes: $_") for qw(prepare undo);
is(definitions(), $before, 'what was only prepared is undone');
is(run_phase($boxes, $_), '', "boxes: $_") for qw(prepare swap);
my $swapped = definitions();
like($swapped, qr/^\Q$_\E$/m, "after the swap: $_")
  for "COMMENT ON COLUMN public.boxes.id IS 'it''s a key';",
  'CREATE INDEX in_keep ON public.things_in_boxes_of_which_there_are_many_2024 USING btree '
  . '(no NULLS FIRST) INCLUDE (box);',
  '    ADD CONSTRAINT boxes_rekey PRIMARY KEY (id);';
is(ask(<<~'SQL'), '22|3|3', 'and references are as before, even through a table');
	UPDATE things_in_boxes_of_which_there_are_many_2024 SET box = (SELECT id FROM boxes WHERE old_id = '2');
	UPDATE things_in_boxes_of_which_there_are_many_2025
	SET "the (box) REFERENCES" = (SELECT id FROM boxes WHERE old_id = '3');
	SELECT t.old_box || l.old_box, "old_the (box) REFERENCES", (SELECT count(*) FROM boxes)
	FROM things_in_boxes_of_which_there_are_many_2024 t JOIN labels l USING (box),
		things_in_boxes_of_which_there_are_many_2025
	SQL
is(run_phase($boxes, 'undo') . run_phase($boxes, 'undo'), '', 'boxes: undone');
is(definitions(), $before, 'as before the swap');
is(run_phase($boxes, $_), '', "boxes: $_") for qw(prepare swap finish);
my ($then, $now) = map { join "\n", sort $_ =~ /^-- (Name: .*)/mg } $before, definitions();
is($now, $then, 'in the end there is what there was before');

#
# What is in the way
#
my $kinds = q{'kinds', 'uuidv7_at(made)', 'uuidv7()'};
anew(<<~'SQL');
	CREATE TABLE other (id int PRIMARY KEY);
	CREATE TABLE kinds (
		id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE goods (kind int REFERENCES kinds, word text, no int, UNIQUE (kind, no));
	CREATE INDEX goods_word ON goods (kind, word);
	CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	INSERT INTO kinds SELECT FROM generate_series(1, 3);
	INSERT INTO goods SELECT id FROM kinds
	SQL
is(obstacles($kinds), '', 'nothing is in the way of a usual table');
is(obstacles($kinds, 'ALTER TABLE kinds ADD referred int'), '', 'nor is a column of any name');
$before = definitions();
my %in_the_way = (
	'CREATE VIEW v AS SELECT id FROM kinds' => qr/view public\.v depends on column id of table/,
	'CREATE MATERIALIZED VIEW m AS SELECT kind FROM goods' => qr/view public\.m depends on column kind/,
	'CREATE FUNCTION f() RETURNS bigint BEGIN ATOMIC SELECT sum(id) FROM kinds; END' =>
	  qr/function public\.f\(\) depends/,
	q{CREATE TABLE log (id int DEFAULT nextval('kinds_id_seq'))} =>
	  qr/default value for column id of table public\.log depends on column id of table public\.kinds/,
	'CREATE POLICY mine ON goods USING (kind IS NOT NULL)' => qr/policy mine on table/,
	'CREATE TRIGGER t BEFORE UPDATE OF id ON kinds FOR EACH ROW EXECUTE FUNCTION touch()' =>
	  qr/trigger t on table/,
	'ALTER TABLE kinds ADD twice int GENERATED ALWAYS AS (2 * id) STORED' => qr/depends on column id/,
	'CREATE STATISTICS s ON kind, no FROM goods' => qr/statistics object public\.s depends/,
	'ALTER TABLE goods ADD EXCLUDE USING btree (kind WITH =)' => qr/constraint goods_kind_excl on table/,
	'ALTER TABLE kinds ADD CHECK (id > 0)' =>
	  qr/^constraint kinds_id_check on table public\.kinds depends on column id of table public\.kinds$/m,
	'ALTER TABLE kinds ADD CHECK (kinds IS NOT NULL)' => qr/constraint kinds_check on table public\.kinds/,
	'CREATE RULE r AS ON UPDATE TO goods DO INSTEAD NOTHING' => qr/has a rule/,
	'CREATE TABLE heirs () INHERITS (goods)' => qr/has to do with inheritance/,
	'CREATE TABLE parted (kind int REFERENCES kinds) PARTITION BY LIST (kind)' => qr/is partitioned/,
	'ALTER TABLE goods OWNER TO owner' => qr/^table public\.goods has another owner than the keys, /m,
	'ALTER TABLE kinds FORCE ROW LEVEL SECURITY' => qr/forces row security on its owner/,
	'GRANT SELECT (id) ON kinds TO clerk' => qr/column "id" of table kinds would lose its privileges/,
	q{COMMENT ON INDEX goods_word IS 'c'} =>
	  qr/index btree \(kind, word\) of table goods would lose its comment/,
	q{COMMENT ON CONSTRAINT kinds_pkey ON kinds IS 'c'} =>
	  qr/constraint PRIMARY KEY \(id\) of table kinds would lose its comment/,
	'CLUSTER kinds USING kinds_pkey' => qr/index btree \(id\) of table kinds would lose its CLUSTER mark/,
	'ALTER TABLE kinds REPLICA IDENTITY USING INDEX kinds_pkey' =>
	  qr/index btree \(id\) of table kinds would lose its replica identity/,
	'ALTER TABLE goods ALTER kind SET STATISTICS 500' =>
	  qr/column "kind" .* would lose its statistics target/,
	'ALTER TABLE goods ALTER kind SET (n_distinct = -0.5)' => qr/column "kind" .* would lose its options/,
	'ALTER TABLE goods ADD UNIQUE (kind) DEFERRABLE' =>
	  qr/constraint UNIQUE \(kind\) DEFERRABLE of table goods would be lost/,
	'ALTER TABLE goods ALTER kind SET DEFAULT 1' => qr/column "kind" of table goods would lose its default/,
	'ALTER TABLE goods ALTER CONSTRAINT goods_kind_fkey DEFERRABLE' =>
	  qr/fkey of .*goods is deferrable: .*, ALTER TABLE \S+ ALTER CONSTRAINT \S+ NOT DEFERRABLE/,
	'ALTER TABLE goods ADD FOREIGN KEY (kind) REFERENCES other NOT VALID' =>
	  qr/goods_kind_fkey1 of table public\.goods is not valid: validate it, or drop it/,
	'INSERT INTO other SELECT id FROM kinds; ALTER TABLE goods ADD FOREIGN KEY (kind) REFERENCES other' =>
	  qr/goods_kind_fkey1 of table public\.goods refers to table public\.other, whose keys stay: drop it/,
	'ALTER TABLE kinds ADD org int, ADD UNIQUE (org, id); ALTER TABLE goods ADD org int,'
	  . 'ADD FOREIGN KEY (org, kind) REFERENCES kinds (org, id)' =>
	  qr/goods_org_kind_fkey of table public.goods has several columns: .* by one of column kind$/m,
	'ALTER TABLE kinds ADD main int, ADD FOREIGN KEY (id, main) REFERENCES goods (kind, no)' =>
	  qr/^foreign key kinds_id_main_fkey of table public\.kinds has several columns: /m,
	'ALTER TABLE goods ADD new_kind int' => qr/column "new_kind" of relation "goods" already exists/,
	'ALTER TABLE kinds ADD old_id int' => qr/column "old_id" of relation "kinds" already exists/,
	'CREATE INDEX late ON goods (kind) WHERE kind > 10' =>
	  qr/^index public\.late depends on column kind of table public\.goods$/m,
	'CREATE INDEX late ON goods ((kind % 2))' => qr/^index public\.late depends on column kind of table/m,
	'CREATE TRIGGER z BEFORE UPDATE ON goods FOR EACH ROW EXECUTE FUNCTION touch()' => qr/rename it/,
	'CREATE PUBLICATION p FOR TABLE goods' => qr/^cannot update table "goods"/,
	q{SET allow_system_table_mods = on; CREATE SUBSCRIPTION s CONNECTION 'dbname=postgres' PUBLICATION p
		WITH (connect = false, slot_name = NONE);
		INSERT INTO pg_subscription_rel SELECT oid, 'goods'::regclass, 'i' FROM pg_subscription} =>
	  qr/is written by a subscription/,
	q{INSERT INTO pg_seclabel VALUES ('kinds'::regclass, 'pg_class'::regclass, 1, 'anon', 'masked')} =>
	  qr/column "id" of table kinds would lose its security labels/,
	$major < 15 ? ()
	: ('ALTER INDEX kinds_pkey SET TABLESPACE fast' =>
		  qr/index btree \(id\) of table kinds would lose its tablespace/),
	$major < 18 ? ()
	: ( 'ALTER TABLE goods ADD FOREIGN KEY (kind) REFERENCES kinds NOT ENFORCED' => qr/is not valid/,
		'ALTER TABLE goods ADD CONSTRAINT "a kind" NOT NULL kind' =>
		  qr/^constraint "a kind" NOT NULL kind of table goods would be lost$/,
		'ALTER TABLE kinds ADD made_on daterange; CREATE EXTENSION btree_gist SCHEMA types;'
		  . 'ALTER TABLE kinds ADD UNIQUE (id, made_on WITHOUT OVERLAPS)' => qr/does not support unique/));
like(obstacles($kinds, $_), $in_the_way{$_}, "in the way: $_") for sort keys %in_the_way;
like(
	ask(qq{BEGIN; CREATE VIEW v AS SELECT id FROM kinds; SELECT FROM uuidnew_tables.rekey_steps($kinds)}),
	qr/ERROR:  cannot re-key table public\.kinds/,
	'which stops the steps');
is( obstacles(q{'kinds', 'uuidv7_at(made)'}),
	'table public.kinds has a key with a default or identity: new_default has to be given',
	'nothing that makes new keys is in the way');
like(obstacles(q{'kinds', 'uuidv7_at(mad)', 'uuidv7()'}), qr/column "mad" does not exist/,
	'a key that fails');
like(
	obstacles(q{'kinds', 'uuidv7_at(mad)', 'uuidv7()'}, 'CREATE VIEW v AS SELECT id FROM kinds'),
	qr/^prepare, .*column "mad" does not exist\nrule _RETURN on view public\.v depends/m,
	'which is told together with what else is in the way');
like(obstacles(q{'kinds', NULL, 'uuidv7()'}), qr/syntax error/, 'none');
like(
	obstacles(q{'pairs', 'uuidv7()'}, 'CREATE TABLE pairs (a int, b int, PRIMARY KEY (a, b))'),
	qr/^table public\.pairs has no primary key of one column, /,
	'a key of several columns');
like(
	obstacles(q{'parts', 'uuidv7()'}, "CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id)"),
	qr/^table public\.parts has no primary key of one column, or is partitioned/,
	'a partitioned table');
is( ask(q{CALL uuidnew_tables.rekey_fill('kinds')}),
	'ERROR:  table public.kinds has no shadow columns',
	'nothing is filled before the steps');
like(
	obstacles(q{'other', 'uuidv7()'}, 'ALTER TABLE other DROP CONSTRAINT other_pkey'),
	qr/^table public\.other has no primary key of one column, /,
	'no key');
my $domain = 'CREATE TABLE tags (id userid PRIMARY KEY, made timestamptz DEFAULT now()); '
  . 'INSERT INTO tags VALUES (gen_random_uuid())';
like(obstacles(q{'tags', 'uuidv7_at(made)'}, "CREATE DOMAIN userid AS uuid $_->[0]; $domain"),
	$_->[1], "a key of a domain that is $_->[0]")
  for [ 'NOT NULL', qr/^swap, rows that are written afterwards: domain public\.userid does not allow null/ ],
  [
	'CHECK (VALUE IS NOT NULL)',
	qr/^swap, rows that are written afterwards: value for domain public\.userid/
  ];
like(
	obstacles(
		$kinds,
		'ALTER TABLE kinds RENAME made TO at; ALTER TABLE kinds ADD made timestamptz '
		  . 'GENERATED ALWAYS AS (at) STORED'),
	qr/column "made" does not exist/,
	'a key of what is generated after triggers');
like(
	obstacles(q{'tags', 'uuidv7_at(at)'}, 'CREATE TABLE tags (id types.citext PRIMARY KEY, at timestamptz)'),
	qr/equality of its own/,
	'a type with an equality of its own');
make('ALTER TABLE kinds OWNER TO owner; GRANT ALL ON SCHEMA public TO owner');
like(
	ask("SELECT obstacle FROM uuidnew_tables.rekey_check($kinds)", '-U', 'owner'),
	qr/table public\.goods is owned by another role/,
	q{a table of somebody else's});
make('ALTER TABLE kinds OWNER TO CURRENT_USER; REVOKE ALL ON SCHEMA public FROM owner');
is(definitions(), $before, 'and a look changes nothing');

#
# What is made between the steps
#
my $of_kinds = rekey_of('kinds');
make('CREATE VIEW v AS SELECT id FROM kinds');
is(run_phase($of_kinds, 'prepare') =~ s/\n.*//sr, 'ERROR:  cannot re-key table public.kinds', 'with a view');
is(ask(<<~"SQL"), 't', 'the first step can be had without it');
	BEGIN;
	DROP VIEW v;
	SELECT statement AS first FROM $of_kinds WHERE step = 1
	\\gset
	ROLLBACK;
	:first;
	SELECT count(*) = 3 FROM v
	SQL
like(
	run_phase($of_kinds, 'swap'),
	qr/is not ready for the swap\nDETAIL:  still to do: shadow column of goods.kind\n/,
	'no swap before all is done');
is(run_phase($of_kinds, 'prepare'), '', 'the rest is done beside it');
like(
	run_phase($of_kinds, 'swap'),
	qr/is not ready for the swap\nDETAIL:  rule _RETURN on view public\.v depends on column id/,
	'but the swap stops');
my $swap = ask("SELECT statement FROM $of_kinds WHERE phase = 'swap'");
is(ask(<<~"SQL"), "0\nuuid", 'or it is made again in one transaction with the swap, which reads no row');
	BEGIN;
	DROP VIEW v;
	$swap;
	SELECT sum(seq_scan) FROM pg_stat_xact_user_tables;
	CREATE VIEW v AS SELECT id FROM kinds;
	COMMIT;
	SELECT pg_typeof(id) FROM v LIMIT 1
	SQL
make(<<~'SQL');
	DROP VIEW v;
	CREATE TABLE later (id uuid REFERENCES kinds);
	ALTER TABLE goods ADD other uuid REFERENCES kinds;
	INSERT INTO later SELECT id FROM kinds;
	UPDATE goods SET other = kind
	SQL
is(     run_phase($of_kinds, 'undo')
	  . ask(<<~'SQL'), 'integer|3|t', 'what refers to new keys since is undone too');
	SELECT pg_typeof(l.id), count(*), bool_and(l.new_id = k.new_id AND g.other = k.id)
	FROM later l JOIN kinds k USING (id) JOIN goods g ON g.kind = k.id
	GROUP BY 1
	SQL
is(run_phase($of_kinds, $_), '', "and done again: $_") for qw(prepare swap);
make('CREATE TABLE latest (kind uuid REFERENCES kinds, old_kind int)');
is( run_phase($of_kinds, 'undo') =~ s/\n.*//sr,
	'ERROR:  column "old_kind" of relation "latest" already exists',
	'a column of the name of a shadow column stops undoing');
is(run_phase($of_kinds, 'finish') . ask(<<~'SQL'), 'latest|old_kind', 'finishing drops its own columns only');
	SELECT attrelid::regclass, attname FROM pg_attribute WHERE attname ~ '^old_' AND NOT attisdropped
	SQL

#
# What is defined between the first step and the swap
#
anew(<<~'SQL');
	CREATE TABLE kinds (
		id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE goods (kind int NOT NULL REFERENCES kinds, word text, no int);
	CREATE INDEX goods_word ON goods (kind, word);
	INSERT INTO kinds SELECT FROM generate_series(1, 3);
	INSERT INTO goods SELECT id, 'w', 1 FROM kinds
	SQL
is(run_phase($of_kinds, 'prepare'), '', 'tables are prepared');
my $then_swap = ask("SELECT statement FROM $of_kinds WHERE phase = 'swap'");
my %between = (
	'GRANT SELECT (id) ON kinds TO clerk' => 'column "id" of table kinds would lose its privileges',
	'ALTER TABLE goods ALTER kind SET DEFAULT 1' => 'column "kind" of table goods would lose its default',
	'ALTER TABLE goods ALTER kind SET STATISTICS 500' =>
	  'column "kind" of table goods would lose its statistics target',
	q{COMMENT ON INDEX goods_word IS 'c'} => 'index btree (kind, word) of table goods would lose its comment',
	'CLUSTER goods USING goods_word' => 'index btree (kind, word) of table goods would lose its CLUSTER mark',
	'ALTER TABLE goods ADD CONSTRAINT one CHECK (num_nonnulls(kind, no) = 2)' =>
	  'constraint one on table public.goods depends on column kind of table public.goods',
	'CREATE INDEX late ON goods (kind)' => 'still to do: index "late": USING "btree" ("new_kind")');
foreach my $statement (sort keys %between)
{
	my (undef, undef, $stderr) = $node->Session::script("BEGIN; $statement; $then_swap; ROLLBACK");
	like($stderr, qr/DETAIL:  \Q$between{$statement}\E$/m, "the swap is refused after: $statement");
}
is(run_phase($of_kinds, 'swap'), '', 'without them, the swap is done');
make('GRANT SELECT (id) ON kinds TO clerk');
like(
	run_phase($of_kinds, 'undo'),
	qr/would not be as before\nDETAIL:  column "id" .*its privileges/,
	'the swap back is refused likewise');
make('REVOKE SELECT (id) ON kinds FROM clerk');
is(run_phase($of_kinds, 'undo') . run_phase($of_kinds, 'undo'), '', 'and leads back');

# The catalogs give foreign keys' triggers by their names, so the shadow column's may be the first
anew(<<~'SQL');
	CREATE TABLE nulled (
		id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE of_nulled (id int REFERENCES nulled ON DELETE SET NULL, no int);
	INSERT INTO nulled SELECT FROM generate_series(1, 3);
	INSERT INTO of_nulled SELECT id, id FROM nulled
	SQL
is(run_phase(rekey_of('nulled'), 'prepare'), '', 'tables whose references become NULL are prepared');
is(ask(<<~'SQL'), "|2|t\n3|3|f", 'references become NULL, whichever foreign key is the first');
	ALTER TABLE of_nulled DROP CONSTRAINT of_nulled_id_fkey,
		ADD CONSTRAINT of_nulled_id_fkey FOREIGN KEY (id) REFERENCES nulled ON DELETE SET NULL;
	DELETE FROM of_nulled WHERE no = 1;
	DELETE FROM nulled WHERE id = 2;
	SELECT id, no, new_id IS NULL FROM of_nulled ORDER BY no
	SQL

# Undone, with references of another collation
anew(<<~'SQL');
	CREATE TABLE collated (id text COLLATE "C" PRIMARY KEY DEFAULT gen_random_uuid(),
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE of_collated (id text COLLATE "POSIX" REFERENCES collated);
	INSERT INTO collated VALUES ('1'), ('2');
	INSERT INTO of_collated VALUES ('1')
	SQL
is(run_phase(rekey_of('collated'), $_), '', "collations: $_") for qw(prepare swap);
make('CREATE TABLE later (id uuid REFERENCES collated); INSERT INTO later SELECT id FROM collated');
is(run_phase(rekey_of('collated'), 'undo'), '', 'collations: undo');
is(ask(<<~'SQL'), '2|t', 'a reference is written after undoing');
	UPDATE of_collated SET id = '2';
	SELECT o.id, o.new_id = c.new_id FROM of_collated o JOIN collated c ON o.id COLLATE "C" = c.id
	SQL

# An owner who is no superuser
anew(<<~'SQL');
	CREATE TABLE made (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		made timestamptz NOT NULL DEFAULT now());
	CREATE TABLE of_made (made uuid REFERENCES made);
	INSERT INTO made DEFAULT VALUES;
	CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER uuid_rekey_key BEFORE INSERT ON made FOR EACH ROW EXECUTE FUNCTION touch();
	ALTER TABLE made ENABLE ALWAYS TRIGGER uuid_rekey_key;
	ALTER TABLE made OWNER TO owner;
	ALTER TABLE of_made OWNER TO owner
	SQL
my @owner = ('-U', 'owner');
is(run_phase(rekey_of('made'), 'prepare') . run_phase(rekey_of('made'), 'swap', @owner),
	'', 'what a superuser prepared, the owner swaps');
is( join('',
		map { run_phase(rekey_of('made'), @$_) }[ 'undo', @owner ], ['prepare'],
		['swap'], [ 'finish', @owner ]),
	'',
	'and what a superuser swapped, the owner finishes');
is(ask(q{SELECT proowner::regrole FROM pg_proc WHERE proname = 'touch'}),
	'postgres', 'the function of another role is not taken for one of the steps');

$node->stop;
done_testing();
