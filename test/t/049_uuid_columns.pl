# uuid_columns: all keys of a database at a glance, and what is wrong with them.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Tables;

my $node = start_node();
make('CREATE ROLE clerk LOGIN');

is( ask(<<~'SQL') =~ s/\|(rfc9562|draft) n %, (rfc9562|draft) n %\|/|both|/r,
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

$node->stop;
done_testing();
