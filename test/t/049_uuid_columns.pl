# uuid_columns: all uuid columns of a database, and what is wrong with them.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use Test::More;

use lib $FindBin::RealBin;
use Tables;

my $node = start_node();
make(<<~'SQL');
	CREATE ROLE clerk LOGIN;
	CREATE DOMAIN ident AS uuid;
	CREATE TABLE a (id uuid PRIMARY KEY DEFAULT uuid_generate_v7('rfc9562') CHECK (uuidv7_is(id)));
	CREATE TABLE "b's" (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		"the a" uuid REFERENCES a,
		both_of uuid,
		v1 ident,
		line text DEFAULT gen_random_uuid()
	) PARTITION BY HASH (id);
	CREATE TABLE b1 PARTITION OF "b's" FOR VALUES WITH (MODULUS 1, REMAINDER 0);
	CREATE TABLE c (id uuid CHECK (uuid_v7_is(id)), empty uuid, many uuid[], gone uuid);
	ALTER TABLE c DROP gone;
	CREATE TEMP TABLE temporary (id uuid);
	INSERT INTO a SELECT FROM generate_series(1, 300);
	INSERT INTO "b's" ("the a", both_of, v1)
	SELECT id, CASE WHEN random() < 0.5 THEN id ELSE uuid_generate_v7() END, uuid_generate_v1_random() FROM a;
	INSERT INTO c (id) SELECT uuid_generate_v7() FROM a;
	ANALYZE a, "b's", c
	SQL
is( ask(<<~'SQL') =~ s/(rfc9562|draft) \d+ %, (rfc9562|draft) \d+ %/both/r,
	SELECT tab, col, default_value, guard, keys, problem
	FROM uuid_columns()
	SQL
	<<~'ROWS' =~ s/\n\z//r, 'the columns, what their statistics show, and what is wrong with them');
	a|id|keys.uuid_generate_v7('rfc9562'::text)|rfc9562|rfc9562 100 %|
	"b's"|id|gen_random_uuid()||version 4 100 %|new keys are random
	"b's"|the a|||rfc9562 100 %|no guard
	"b's"|both_of|||both|holds keys of both layouts of version 7; no guard
	"b's"|v1|||version 1 100 %|
	c|id||draft|draft 100 %|
	c|empty||||no statistics: ANALYZE
	ROWS
is(ask(<<~'SQL', '-U', 'clerk'), 'a|id|rfc9562||no statistics: ANALYZE', 'without a right to read, no keys');
	SELECT tab, col, guard, keys, problem
	FROM uuid_columns()
	LIMIT 1
	SQL

$node->stop;
done_testing();
