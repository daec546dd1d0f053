# A window of version 7 is planned as well as its bounds by hand in tables, indexes, views and statements of
# all kinds, and where rows have come since the statistics were made.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use WindowPlans;

my $node = start_plans();
make_tables('v7', 'uuid_generate_v7_at(at)');
$node->safe_psql('postgres', dated(<<~'SQL'));
	-- indexes
	CREATE TABLE not_null AS TABLE events;
	CREATE INDEX not_null_id ON not_null (id) WHERE id IS NOT NULL;
	CREATE TABLE late AS TABLE events;
	SELECT format('CREATE INDEX late_id ON late (id) WHERE id >= %L', uuid_v7_min(<30>)) \gexec
	CREATE TABLE brin AS TABLE events;
	CREATE INDEX ON brin USING brin (id) WITH (pages_per_range = 8);
	CREATE TABLE by_account AS SELECT id, acct % 20 AS acct, n FROM events;
	CREATE INDEX ON by_account (acct, id);

	-- keys
	CREATE DOMAIN key AS uuid CHECK (VALUE IS NOT NULL);
	CREATE TABLE domains (id key PRIMARY KEY, acct int, n int);
	CREATE TABLE domains_parted (id key, acct int, n int) PARTITION BY RANGE (id);
	CREATE INDEX ON domains_parted (id);
	CALL split('domains_parted', <0>, 4, 'uuid_v7_min(%s)');
	CREATE TABLE documents AS SELECT jsonb_build_object('id', id) AS body, acct, n FROM events;
	CREATE INDEX ON documents (((body ->> 'id')::uuid));
	CREATE TABLE documents_parted (LIKE documents) PARTITION BY RANGE (((body ->> 'id')::uuid));
	CALL split('documents_parted', <0>, 4, 'uuid_v7_min(%s)');
	INSERT INTO documents_parted SELECT * FROM documents;

	-- partitions by another column, and of partitions; inheritance
	CREATE TABLE hashed (id uuid, acct int, n int) PARTITION BY HASH (acct);
	CREATE INDEX ON hashed (id);
	CREATE TABLE twice (id uuid, acct int, n int) PARTITION BY RANGE (id);
	CREATE INDEX ON twice (id);
	CALL split('twice', <0>, 4, 'uuid_v7_min(%s)', 'PARTITION BY HASH (acct)');
	SELECT format('CREATE TABLE %s_%s PARTITION OF %1$s FOR VALUES WITH (MODULUS 2, REMAINDER %2$s)', name, i)
	FROM unnest(ARRAY['hashed', 'twice_0', 'twice_1', 'twice_2', 'twice_3']) name, generate_series(0, 1) i
	\gexec
	CREATE TABLE inherited (id uuid, acct int, n int);
	SELECT format('CREATE TABLE inherited_%s (CHECK (%s)) INHERITS (inherited)', i, bounds),
		format('INSERT INTO inherited_%s SELECT * FROM events WHERE %s', i, bounds),
		format('CREATE INDEX ON inherited_%s (id)', i)
	FROM generate_series(0, 3) i,
		format('id >= %L AND id < %L', uuid_v7_min(<0> + i * interval '15 days'),
			uuid_v7_min(<15> + i * interval '15 days')) bounds
	\gexec

	-- views, and rows that are hidden
	CREATE VIEW united AS SELECT * FROM parted UNION ALL SELECT * FROM twice;
	CREATE VIEW recent AS SELECT * FROM events WHERE uuid_v7_between(id, <20>, NULL);
	CREATE VIEW recent_by_hand AS SELECT * FROM events WHERE id >= uuid_v7_min(<20>);
	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM events WHERE acct >= 100;
	CREATE VIEW barrier_parted WITH (security_barrier) AS SELECT * FROM parted WHERE acct >= 100;
	CREATE TABLE secured (LIKE events INCLUDING ALL);
	ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON secured USING (acct >= 100);
	CREATE ROLE reader;

	CREATE TABLE changed (LIKE events INCLUDING ALL);
	CREATE TABLE updated (LIKE events INCLUDING ALL);
	SELECT format('INSERT INTO %I SELECT * FROM events', name)
	FROM unnest(ARRAY['domains', 'domains_parted', 'hashed', 'twice', 'secured', 'changed', 'updated']) name
	\gexec

	-- the last rows come after ANALYZE
	CREATE TABLE minutes AS
	SELECT i, uuid_generate_v7_at(now() - i * interval '1 minute') AS id, i % 1000 AS acct
	FROM generate_series(54999, 1, -1) i;
	CREATE TABLE grown_1 (id uuid PRIMARY KEY, acct int, i int);
	CREATE TABLE grown_2 (LIKE grown_1 INCLUDING ALL);
	INSERT INTO grown_1 SELECT id, acct, i FROM minutes WHERE i >= 5000;
	INSERT INTO grown_2 TABLE grown_1;
	SELECT format('VACUUM ANALYZE %s', string_agg(oid::regclass::text, ', '))
	FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
		AND relname NOT IN ('events', 'parted') \gexec
	UPDATE updated SET n = -n WHERE acct < 500;
	INSERT INTO grown_1 SELECT id, acct, i FROM minutes WHERE i < 5000;
	INSERT INTO grown_2 SELECT id, acct, i FROM minutes WHERE i < 5000;

	-- some keys of another version; far more room than rows
	CREATE TABLE among_others (LIKE events INCLUDING ALL);
	INSERT INTO among_others SELECT * FROM events WHERE n % 500 = 0;
	INSERT INTO among_others
	SELECT overlay(uuid_v7_min(<30> + i * interval '1 day')::text PLACING '4' FROM 15 FOR 1)::uuid, i, i
	FROM generate_series(1, 3) i;
	ANALYZE among_others;
	BEGIN;
	INSERT INTO among_others SELECT uuid_generate_v7_at(<10>), acct, n FROM events;
	ROLLBACK;
	GRANT SELECT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader;
	SQL

my $version = $node->safe_psql('postgres', q{SELECT current_setting('server_version_num')::int / 10000});
my $id = q{(body ->> 'id')::uuid};
my @shapes = (
	[ 'an index WHERE id IS NOT NULL', 'not_null WHERE {id; <10>; <15>}' ],
	[ 'an index WHERE id >= constant', 'late WHERE {id; <40>; <45>}' ],
	[ 'an index WHERE id >= constant, too late', 'late WHERE {id; <25>; <32>}' ],
	[ 'BRIN', 'brin WHERE {id; <10>; <15>}' ],
	[ 'index (acct, id)', 'by_account WHERE acct = 5 AND {id; <10>; <40>}' ],
	[ 'index (acct, id), index only', 'SELECT id FROM by_account WHERE acct IN (5, 6) AND {id; <10>; <40>}' ],
	[
		'index (acct, id), a join',
		'accounts a LEFT JOIN by_account e ON e.acct = a.acct WHERE a.acct < 3 AND {e.id; <10>; <40>}',
		rows => 0
	],

	[ 'domain', 'domains WHERE {id; <10>; <15>}' ],
	[ 'domain, partitions', 'domains_parted WHERE {id; <16>; <20>}' ],
	[ 'domain, OR', 'domains WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	# the filter computes the key once more
	[ 'an expression', "documents WHERE {$id; <10>; <15>}", cost => 1.25 ],
	[ 'an expression, OR', "documents WHERE {$id; <10>; <13>} OR {$id; <30>; <33>}" ],
	[
		'an expression, LEFT JOIN',
		"accounts a LEFT JOIN documents e ON e.acct = a.acct WHERE {(e.body ->> 'id')::uuid; <10>; <15>}",
		cost => 1.25
	],
	[ 'an expression, the last ones', "documents WHERE {$id; <10>; now()} ORDER BY $id DESC LIMIT 10" ],
	[
		'an expression, generic plan',
		"documents_parted WHERE {$id; \$1; \$2}",
		generic => '<16>, <20>',
		rows => 0,
		cost => 1.25
	],

	[ 'partitions by another column', 'hashed WHERE {id; <10>; <15>}' ],
	[ 'partitions by another column, which is known', 'hashed WHERE {id; <10>; <30>} AND acct = 5' ],
	[ 'partitions of partitions', 'twice WHERE {id; <16>; <22>}' ],
	[ 'inheritance', 'inherited WHERE {id; <16>; <20>}' ],
	[ 'inheritance, OR', 'inherited WHERE {id; <1>; <4>} OR {id; <16>; <20>}' ],

	[ 'UNION ALL', 'united WHERE {id; <10>; <14>}' ],
	[ 'UNION ALL, stable ends', 'united WHERE {id; now() - (now() - <10>); now() - (now() - <14>)}' ],
	[ 'UNION ALL, joined', 'accounts a JOIN united u USING (acct) WHERE {u.id; <10>; <14>}' ],
	[
		'a view and a filter',
		'recent WHERE {id; NULL; <25>}',
		hand => 'recent_by_hand WHERE {id; NULL; <25>}'
	],
	[ 'a security barrier', 'barrier WHERE {id; <10>; <15>}' ],
	[ 'a security barrier, partitions', 'barrier_parted WHERE {id; <10>; <15>}' ],
	[ 'row-level security', 'secured WHERE {id; <10>; <15>}', set => 'SET LOCAL ROLE reader' ],

	[
		'LEFT JOIN of a join',
		'accounts a LEFT JOIN (events e JOIN accounts b ON b.acct = e.acct + 1) ON e.acct = a.acct
			WHERE {e.id; <10>; <15>}'
	],
	[
		'FULL JOIN, both sides',
		'events e FULL JOIN not_null f USING (n) WHERE {e.id; <10>; <13>} AND {f.id; <11>; <15>}',
		rows => 0
	],
	[
		'a join of windows of partitions',
		'parted e JOIN twice f USING (id) WHERE {e.id; <16>; <20>} AND {f.id; <16>; <20>}',
		rows => 0
	],
	[ 'a column of USING', 'parted e JOIN domains f USING (id) WHERE {id; <10>; <15>}' ],
	[
		'ends from a table, partitions',
		'spans s JOIN parted e ON {e.id; s.since; s.until} WHERE s.span = 3',
		rows => 0
	],
	[ 'ends from a table, LEFT JOIN', 'spans s LEFT JOIN events e ON {e.id; s.since; s.until}', rows => 0 ],
	[
		'EXISTS',
		'accounts a WHERE EXISTS (SELECT FROM events e WHERE e.acct = a.acct AND {e.id; <10>; <15>})'
	],
	[
		'NOT EXISTS',
		'accounts a WHERE NOT EXISTS (SELECT FROM parted e WHERE e.acct = a.acct AND {e.id; <10>; <10.2>})',
		rows => 0
	],
	[ 'IN', 'accounts WHERE acct IN (SELECT acct FROM events WHERE {id; <10>; <15>})' ],
	[ 'NOT', 'events WHERE NOT {id; <10>; <15>}' ],
	[ 'IS NOT TRUE', 'parted WHERE {id; <10>; <15>} IS NOT TRUE' ],

	[ 'a page', 'events WHERE id < uuid_v7_min(<25>) AND {id; <20>; NULL} ORDER BY id DESC' ],
	[
		'a page, custom plan',
		'events WHERE id < $1 AND {id; <20>; NULL} ORDER BY id DESC',
		custom => 'uuid_v7_min(<25>)',
		types => 'uuid'
	],
	[
		'a page, generic plan',
		'parted WHERE id < $1 AND {id; <20>; NULL} ORDER BY id DESC LIMIT 50',
		generic => 'uuid_v7_min(<25>)',
		types => 'uuid',
		rows => 0
	],
	[ 'the last ones, open', 'parted WHERE {id; <42>; NULL} ORDER BY id DESC LIMIT 10' ],

	[ 'generic plan, until', 'parted WHERE {id; NULL; $1}', generic => '<22>', rows => 0 ],
	[
		'generic plan, NULL until',
		'parted WHERE {id; $1; $2}',
		generic => '<42>, NULL',
		hand => 'parted WHERE id >= uuid_v7_min($1) AND $2 IS NULL',
		rows => 0
	],
	[
		'generic plan, NULL both',
		'parted WHERE {id; $1; $2}',
		generic => 'NULL, NULL',
		hand => 'parted
			WHERE ($1 IS NULL OR id >= uuid_v7_min($1)) AND ($2 IS NULL OR id < uuid_v7_min($2))',
		rows => 0,
		cost => 0,
		nodes => 0
	],
	[
		'generic plan, stable arithmetic',
		q[parted WHERE {id; $1 - interval '5 days'; $1}],
		generic => '<19>',
		rows => 0
	],
	[
		'generic plan, a join',
		'accounts a JOIN events e USING (acct) WHERE {e.id; $1; NULL}',
		generic => '<40>',
		like_core => 1
	],

	# the table grows each time
	[
		'UPDATE FROM',
		'UPDATE changed e SET n = -e.n FROM accounts a
			WHERE a.acct = e.acct AND {e.id; <30>; <35>} RETURNING e.n',
		cost => 0,
		rows => 0
	],
	[
		'DELETE USING',
		'DELETE FROM events e USING accounts a WHERE a.acct = e.acct AND {e.id; <10>; <15>} RETURNING e.n'
	],
	# 17 made it return rows
	$version < 17 ? () : [
		'MERGE',
		'MERGE INTO changed e USING (SELECT * FROM domains WHERE {id; <10>; <15>}) d
			ON e.id = d.id AND {e.id; <10>; <15>} WHEN MATCHED THEN UPDATE SET n = -e.n RETURNING e.n',
		cost => 0,
		rows => 0
	],

	[
		'an expression of a sub-query',
		'(SELECT coalesce(id, other) AS id, n FROM (SELECT *, NULL::uuid AS other FROM events) e) e
			WHERE {id; <10>; <15>}',
		rows => 0
	],
	[ 'a sub-query', '(SELECT id, count(*) FROM parted GROUP BY id) e WHERE {e.id; <10>; <15>}' ],
	[ 'HAVING', 'SELECT id, count(*) FROM parted GROUP BY id HAVING {id; <10>; <15>}' ],
	[
		'HAVING with grouping sets',
		'SELECT n, count(*) FROM parted WHERE {id; <10>; <15>} GROUP BY GROUPING SETS ((id, n), (n))
			HAVING {id; <12>; NULL}',
		like_core => 1
	],
	# two filters
	[
		'a window in FILTER with grouping sets',
		'SELECT n, count(*) FILTER (WHERE {id; <12>; <13>}) FROM parted WHERE {id; <10>; <15>}
			GROUP BY ROLLUP (n)',
		rows => 0,
		cost => 1.2
	],

	[ 'rows since ANALYZE', q[grown_1 WHERE {id; now() - interval '4000 minutes'; NULL}], like_core => 1 ],
	[
		'rows since ANALYZE, until',
		q[grown_1 WHERE {id; now() - interval '4000 minutes'; now() - interval '1000 minutes'}],
		like_core => 1
	],
	[ 'rows across ANALYZE', q[grown_1 WHERE {id; now() - interval '7000 minutes'; NULL}] ],
	[
		'a join of rows since ANALYZE',
		q[grown_1 a JOIN grown_2 b USING (acct, i)
			WHERE {a.id; now() - interval '4900 minutes'; NULL}
				AND {b.id; now() - interval '4900 minutes'; NULL}],
		rows => 0
	],
	[ 'a table that grew by updates', 'updated WHERE {id; <50>; NULL}' ],
	[
		'a window of another version, of a table that has grown',
		q[grown_1 WHERE uuid_v8_between(id, <10>, <15>, 'iso8601')],
		hand => q[grown_1 WHERE id >= uuid_v8_min(<10>, 'iso8601') AND id < uuid_v8_min(<15>, 'iso8601')]
	],
	# a page
	[
		'a window of another version, since',
		'grown_1 WHERE uuid_v6_between(id, <10>, NULL)',
		hand => 'grown_1 WHERE id >= uuid_v6_min(<10>)',
		cost => 2
	],
	[ 'before the first key, with others after it', 'among_others WHERE {id; NULL; <0>}' ],
	[ 'before the first key, twice', 'among_others t WHERE {t.id; NULL; <0>} AND {(t).id; NULL; <20>}' ]);
is_no_worse($_, @shapes) foreach 'v7', $quick ? () : 'v7 with a layout';

$node->stop;
done_testing();
