# A window of time, by whatever function, is never planned worse than its bounds written by hand: the same
# scans and joins, or fewer; no more tables opened, partitions read, or rows looked at; estimates near the
# truth; similar costs.  Nothing is timed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use WindowPlans;

start_plans();
make_tables('v7', 'uuid_generate_v7_at(at)');
make_tables('RFC 9562', 'uuidv7_at(at)');
make_tables('v6', 'uuid_generate_v6_at(at)');
make_tables('v8', q{uuid_generate_v8_at(at, 'unix48')});
ask(dated(<<~'SQL'));
	-- a key of a domain, or that is an expression; hidden rows
	CREATE DOMAIN key AS uuid CHECK (VALUE IS NOT NULL);
	CREATE TABLE domains (id key PRIMARY KEY, acct int, n int);
	INSERT INTO domains TABLE events;
	CREATE TABLE documents AS SELECT jsonb_build_object('id', id) AS body, acct, n FROM events;
	CREATE INDEX ON documents (((body ->> 'id')::uuid));
	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM events WHERE acct >= 100;
	CREATE TABLE secured (LIKE events INCLUDING ALL);
	ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON secured USING (acct >= 100);
	CREATE ROLE reader;
	GRANT SELECT ON secured TO reader;
	INSERT INTO secured TABLE events;

	-- the last rows come after ANALYZE, or the table grows by updates
	CREATE TABLE grown (id uuid PRIMARY KEY, acct int, i int);
	CREATE TABLE minutes AS
	SELECT i, uuid_generate_v7_at(now() - i * interval '1 minute') AS id, i % 1000 AS acct
	FROM generate_series(54999, 1, -1) i;
	INSERT INTO grown SELECT id, acct, i FROM minutes WHERE i >= 5000;
	CREATE TABLE updated (LIKE events INCLUDING ALL);
	INSERT INTO updated TABLE events;
	VACUUM ANALYZE domains, documents, secured, grown, updated;
	UPDATE updated SET n = -n WHERE acct < 500;
	INSERT INTO grown SELECT id, acct, i FROM minutes WHERE i < 5000;

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
	SQL

my $no_index = 'SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off';
my @shapes = (
	[ 'a window', '@events WHERE {id; <10>; <15>}' ],
	[ 'since', '@events WHERE {id; <50>; NULL}' ],
	[ 'until', '@events WHERE {id; NULL; <10>}' ],
	[ 'less than a bin', '@events WHERE {id; <10.1>; <10.25>}' ],
	[ 'less than a bin, partitions', '@parted WHERE {id; <12.1>; <12.25>}' ],
	[ 'less than a bin, OR', '@events WHERE {id; <10.1>; <10.25>} OR {id; <30.1>; <30.25>}' ],
	[ 'less than a bin, overlap', '@events WHERE {id; <10.1>; <13>} AND {id; NULL; <10.25>}' ],
	[ 'stable ends', '@events WHERE {id; now() - (now() - <20>); now() - (now() - <25>)}' ],
	[ 'most of the table', '@events WHERE {id; <2>; <58>}' ],
	[ 'no index', '@events WHERE {id; <10>; <20>}', set => $no_index ],
	[ 'bitmap', '@events WHERE {id; <10>; <15>}', set => 'SET LOCAL enable_indexscan = off' ],
	[ 'index only', 'SELECT id FROM @events WHERE {id; <10>; <15>}' ],
	[ 'a bitmap of two indexes', '@events WHERE {id; <10>; <15>} AND acct BETWEEN 100 AND 140' ],
	[ 'partitions', '@parted WHERE {id; <12>; <22>}' ],
	[ 'partitions, since', '@parted WHERE {id; <42>; NULL}' ],
	[ 'partitions, stable ends', '@parted WHERE {id; now() - (now() - <12>); now() - (now() - <22>)}' ],
	[ 'LEFT JOIN', 'accounts a LEFT JOIN @events e ON e.acct = a.acct WHERE {e.id; <10>; <15>}' ],
	[ 'RIGHT JOIN', '@events e RIGHT JOIN accounts a ON e.acct = a.acct WHERE {e.id; <10>; <15>}' ],
	[ 'FULL JOIN', '@events e FULL JOIN accounts a ON e.acct = a.acct WHERE {e.id; <10>; <15>}' ],
	[ 'LEFT JOIN of partitions', 'accounts LEFT JOIN @parted e USING (acct) WHERE {e.id; <10>; <15>}' ],
	[ 'a window in ON', 'accounts a LEFT JOIN @events e ON e.acct = a.acct AND {e.id; <10>; <15>}' ],
	[ 'OR', '@events WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	[ 'OR, partitions', '@parted WHERE {id; <10>; <13>} OR {id; <30>; <33>}' ],
	[ 'half-open windows', '@events WHERE {id; <10>; NULL} AND {id; NULL; <15>}' ],
	[ 'windows that overlap', '@events WHERE {id; <5>; <15>} AND {id; <10>; <20>}' ],
	[ 'windows that do not', '@parted WHERE {id; <5>; <10>} AND {id; <15>; <20>}' ],
	[ 'a window that ends before it begins', '@events WHERE {id; <20>; <10>}', like_core => 1 ],
	[
		'a window that ends before it begins, LEFT JOIN of partitions',
		'accounts LEFT JOIN @parted e USING (acct) WHERE {e.id; <20>; <10>}'
	],
	[ 'generic plan', '@parted WHERE {id; $1; $2}', generic => '<12>, <22>', rows => 0 ],
	[
		'generic plan, no index', '@events WHERE {id; $1; $2}',
		generic => '<12>, <22>',
		set => $no_index,
		rows => 0
	],
	[ 'custom plan', '@parted WHERE {id; $1; $2}', custom => '<12>, <22>' ],
	[ 'generic plan, since', '@events WHERE {id; $1; NULL}', generic => '<40>', like_core => 1 ],
	[ 'ends from a table', 'spans s JOIN @events e ON {e.id; s.since; s.until}', rows => 0 ],
	[ 'the last ones', '@events WHERE {id; <10>; <20>} ORDER BY id DESC LIMIT 10' ],
	[ 'aggregate', 'SELECT count(*), min(n) FROM @events WHERE {id; <10>; <20>}', rows => 0 ],
	[ 'DELETE', 'DELETE FROM @parted WHERE {id; <10>; <14>} RETURNING n' ]);

# Keys that are expressions, NULL ends, grouping sets, and statistics that are out of date
my $id = q{(body ->> 'id')::uuid};
my @shapes_of_v7 = (
	[ 'a domain', 'domains WHERE {id; <10>; <15>}' ],
	# the filter computes the key once more
	[ 'an expression', "documents WHERE {$id; <10>; <15>}", cost => 1.25 ],
	[ 'an expression, OR', "documents WHERE {$id; <10>; <13>} OR {$id; <30>; <33>}" ],
	[
		'an expression, LEFT JOIN',
		"accounts a LEFT JOIN documents e ON e.acct = a.acct WHERE {(e.body ->> 'id')::uuid; <10>; <15>}",
		cost => 1.25
	],
	[ 'a security barrier', 'barrier WHERE {id; <10>; <15>}' ],
	[ 'row-level security', 'secured WHERE {id; <10>; <15>}', set => 'SET LOCAL ROLE reader' ],
	[ 'NOT', 'events WHERE NOT {id; <10>; <15>}' ],
	[ 'IS NOT TRUE', 'parted WHERE {id; <10>; <15>} IS NOT TRUE' ],
	[
		'a page, generic plan',
		'parted WHERE id < $1 AND {id; <20>; NULL} ORDER BY id DESC LIMIT 50',
		generic => 'uuid_v7_min(<25>)',
		types => 'uuid',
		rows => 0
	],
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

	[ 'rows since ANALYZE', q[grown WHERE {id; now() - interval '4000 minutes'; NULL}], like_core => 1 ],
	[ 'rows across ANALYZE', q[grown WHERE {id; now() - interval '7000 minutes'; NULL}] ],
	[ 'a table that grew by updates', 'updated WHERE {id; <50>; NULL}' ],
	[
		'a window of another version, of a table that has grown',
		q[grown WHERE uuid_v8_between(id, <10>, <15>, 'iso8601')],
		hand => q[grown WHERE id >= uuid_v8_min(<10>, 'iso8601') AND id < uuid_v8_min(<15>, 'iso8601')]
	],
	[ 'before the first key, with others after it', 'among_others WHERE {id; NULL; <0>}' ],
	[ 'before the first key, twice', 'among_others t WHERE {t.id; NULL; <0>} AND {(t).id; NULL; <20>}' ]);

is_no_worse('v7', @shapes_of_v7);

# with --quick, all of the shapes with v7, and each third of them with the others
my $third = -1;
foreach my $family (
	$quick ? ('v7', 'RFC 9562', 'RFC 9562, operators', 'RFC 9562, ranges', 'v6', 'v8') : sort keys %family)
{
	my @some = grep { $_ % 3 == $third } 0 .. $#shapes;
	is_no_worse($family,
		grep { $family !~ /ranges/ || $_->[0] !~ /ends before it begins/ }
		  $quick && $family ne 'v7' ? @shapes[@some] : @shapes);
	$third = ($third + 1) % 3;
}

done_testing();
