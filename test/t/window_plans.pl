# A window of time, by whatever function, is never planned worse than its bounds written by hand: the same
# scans and joins, or fewer; no more tables opened, partitions read, or rows looked at; estimates near the
# truth; similar costs.  Nothing is timed.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use WindowPlans;

my $node = start_plans();
make_tables('v7', 'uuid_generate_v7_at(at)');
make_tables('RFC 9562', 'uuidv7_at(at)');
make_tables('v6', 'uuid_generate_v6_at(at)');
make_tables('v8', q{uuid_generate_v8_at(at, 'unix48')});

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

$node->stop;
done_testing();
