# Random statements with windows of time, about the tables of window_rows.  A window stands in them as
# <reader|key|since|until|layout> until with_functions() makes calls of it.
package RandomWindows;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);

our @EXPORT = qw(random_statement with_functions any);

# What is read, some of it more often
my @tables = qw(plain mixed parted parted parted secured secured_parted barrier united checked_option
  v6 v8 late domains heirs draft draft_many draft_many draft_days draft_days draft_since barrier_days
  rfc9562 rfc9562_parted rfc9562_distinct);

# The layout that a name in a query holds: "draft", "rfc9562", "v6", "v8", or "" for several
my %layout;

# Do conditions use the parameters of a prepared statement?
my $has_parameters;

sub layout_of
{
	my ($table) = @_;
	return $table =~ /^(draft|rfc9562|v6|v8)/ ? $1 : $table eq 'barrier_days' ? 'draft' : '';
}

sub any { return $_[ rand @_ ] }

# A day of the tables, sometimes a later or an earlier one
sub literal
{
	return sprintf "'2026-01-%02d %02d:00'::timestamptz", 1 + rand 10, rand 24;
}

# The end of a window, as far as the names in scope allow
sub end
{
	my ($depth, @scope) = @_;
	my $other = any(@scope);
	return any(
		\&literal,
		\&literal,
		\&literal,
		sub { 'NULL' },
		sub { $has_parameters ? any('$1', '$2') : literal() },
		sub { literal() . q{ + interval '1 day'} },
		sub { '(SELECT max(ts) FROM plain WHERE n < 5)' },
		sub { $has_parameters ? q{$1 + interval '1 day'} : 'NULL' },
		sub { q{now() - (now() - } . literal() . ')' },
		sub { "$other.ts" },
		sub { "$other.ts - interval '1 day'" },
		sub { rand() < 0.3 ? 'volatile_time(' . literal() . ')' : literal() },
		sub { $depth > 0 ? "(SELECT min(s.ts) FROM plain s WHERE s.n = $other.n)" : literal() })->();
}

# A window
sub window
{
	my ($depth, @scope) = @_;
	my @ends = map { end($depth, @scope) } 1 .. 2;

	# ends in order are found more
	@ends = sort @ends if "@ends" !~ /[.N\$]|now/ && rand() < 0.8;
	my $name = any(@scope);
	my $layout = $layout{$name};
	my @v8 = ([ 'uuid_v8', '' ], [ 'uuid_v8', q{, 'iso8601'} ], [ 'uuid_v8', q{, 'unix48', '2020-01-01'} ]);
	my @draft = ([ 'uuid_v7', '' ], [ 'uuid_v7', q{, 'microsecond'} ], [ 'uuid_v7', q{, 'DRAFT'} ]);
	my @rfc9562 = ([ 'uuidv7', '' ], [ 'uuid_v7', q{, 'rfc9562'} ]);
	my @readers =
		$layout eq 'v6' ? [ 'uuid_v6', '' ]
	  : $layout eq 'v8' ? @v8
	  : rand() < 0.1 ? ([ 'uuid_v6', '' ], @v8)
	  : ($layout eq 'rfc9562' ? () : @draft, $layout eq 'draft' ? () : @rfc9562);

	# sometimes the functions of another kind than the table holds
	@readers = (@draft, @rfc9562) if $layout ne '' && rand() < 0.05;
	push @readers, [ 'uuid_v7', ', $3' ] if $has_parameters;
	my $reader = any(@readers);
	my $key = any(("$name.id") x 9, "($name).id");

	return "<$reader->[0]|$key|" . join('|', @ends, $reader->[1]) . '>';
}

# A statement with windows of two ends, or of one, operators or ranges
sub with_functions
{
	my ($query) = @_;

	if (length($query) % 4 == 3)
	{
		# a range whose ends are not in order is an error
		my $time = qr/'[^']*'::timestamptz/;

		$query =~
		  s/<uuidv7\|([^|]*)\|(NULL|$time)\|(NULL|$time)\|>/"$2" ne 'NULL' && "$3" ne 'NULL' && $2 gt $3
			? $& : "($1 <@ tstzrange($2, $3))"/ge;
	}
	elsif (length($query) % 4 == 2)
	{
		my ($since, $until) = length($query) % 2 ? ('>=', '<') : ('>', '<=');

		$query =~ s/<uuidv7\|([^|]*)\|NULL\|([^|N]*)\|>/($1 $until $2)/g;
		$query =~ s/<uuidv7\|([^|]*)\|([^|N]*)\|NULL\|>/($1 $since $2)/g;
		$query =~ s/<uuidv7\|([^|]*)\|([^|N]*)\|([^|N]*)\|>/($1 $since $2 AND $1 $until $3)/g;
	}
	elsif (length($query) % 4 == 1)
	{
		$query =~ s/<(uuidv7|uuid_v7)\|([^|]*)\|NULL\|([^|]*)\|>/$1_before($2, $3)/g;
		$query =~ s/<(uuidv7|uuid_v7)\|([^|]*)\|([^|]*)\|NULL\|>/$1_from($2, $3)/g;
	}
	return $query =~ s/<(uuid\w+)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|>]*)>/$1_between($2, $3, $4$5)/gr;
}

# A condition on the names in scope, with sub-queries to a depth
sub condition
{
	my ($depth, @scope) = @_;
	my ($one, $two) = (any(@scope), any(@scope));
	my $below = sub { return condition($depth - 1, @scope) };
	my $some = sub {
		my ($word) = @_;
		return join $word, map { $below->() } 0 .. 1 + rand 2;
	};
	my $query = sub { my ($text) = query($depth - 1, @scope); return $text };

	return any(
		sub { window(0, @scope) },
		sub { window(0, @scope) },
		sub { "$one.n " . any('<', '>', '<>') . ' ' . int(rand 20) },
		sub { "$one.id IS " . any('', 'NOT ') . 'NULL' },
		sub { "$one.id " . any('<', '>=') . ' uuid_v7_min(' . literal() . ')' },
		sub { any("$one.* IS NOT NULL", "($one).n > 3", "${one}::text <> ''") },
		sub { "$one.id = $two.id" })->()
	  if $depth <= 0;
	return any(
		sub { window($depth, @scope) },
		sub { window($depth, @scope) },
		sub { window($depth, @scope) . ' AND ' . window($depth, @scope) },
		sub { $some->(' AND ') },
		sub { '(' . $some->(' OR ') . ')' },
		sub { 'NOT (' . $below->() . ')' },
		sub { '(' . $below->() . ') ' . any('IS TRUE', 'IS NOT TRUE', 'IS FALSE', 'IS NOT NULL') },
		sub { 'CASE WHEN ' . $below->() . ' THEN ' . $below->() . ' ELSE ' . $below->() . ' END' },
		sub { any('', 'NOT ') . 'EXISTS (SELECT ' . $query->() . ')' },
		sub {
			my ($text, $name) = query($depth - 1, @scope);
			"$one.id " . any('', '', 'NOT ') . "IN (SELECT $name.id $text)";
		},
		sub { "$one.n > (SELECT count(*) " . $query->() . ')' })->();
}

# What may stand in place of a table: SQL with TABLE, and where it is wanted a condition.
# Some have keys that an outer join makes NULL, where they would not be.
my @derived = (
	'SELECT s.* FROM TABLE s WHERE CONDITION',
	'SELECT CASE WHEN s.n < 10 THEN s.id END AS id, s.n, s.ts FROM TABLE s',
	'SELECT s.id::key AS id, s.n, s.ts FROM TABLE s',
	'SELECT s.id, r.n, coalesce(r.ts, s.ts) AS ts FROM TABLE s '
	  . 'LEFT JOIN secured r ON s.id = r.id AND r.n < 15',
	'SELECT id, n, ts FROM TABLE s GROUP BY GROUPING SETS ((id, n, ts), (n, ts))',
	'SELECT id, n, ts FROM TABLE UNION ALL SELECT id, n, ts FROM TABLE s WHERE CONDITION',
	'SELECT * FROM TABLE s FULL JOIN (SELECT id FROM TABLE WHERE n < 7) r USING (id)');

# A table, or what is like one, as a whole; and its name
my $names = 0;

sub relation
{
	my ($depth, @outer) = @_;
	my $name = 't' . $names++;
	my $table = any(@tables);

	$layout{$name} = $layout{s} = layout_of($table);
	if (rand() < 0.25)
	{
		my $text = any(@derived) =~ s/\bTABLE\b/$table/gr;
		$table = '(' . $text =~ s/CONDITION/condition(0, 's')/er . ')';
	}
	$table =
		"(SELECT * FROM $table s WHERE "
	  . condition(0, 's', @outer)
	  . any('', ' OFFSET 0', ' ORDER BY s.id, s.n, s.ts LIMIT 5') . ')'
	  if @outer;
	return ((@outer ? 'LATERAL ' : '') . "$table $name", $name);
}

# A relation, or a join of several; and the names
sub join_tree
{
	my ($depth, $count) = @_;

	return relation($depth) if $count == 1;

	my ($left, @left) = join_tree($depth, 1);
	my $lateral = rand() < 0.2;
	my ($right, @right) = $lateral ? relation($depth, @left) : join_tree($depth, $count - 1);
	my $kind = $lateral ? any('', 'LEFT ') : any('', '', 'LEFT ', 'LEFT ', 'RIGHT ', 'FULL ');
	my $key = any('n', 'n', 'id');

	# a FULL JOIN takes no sub-queries in its condition
	return (
		"($left ${kind}JOIN $right ON $left[0].$key = $right[0].$key AND "
		  . condition($kind eq 'FULL ' ? 0 : $depth - 1, @left, @right) . ')',
		@left, @right);
}

# FROM and WHERE of a query, which sees what the outer ones do; and the names of its tables
sub query
{
	my ($depth, @outer) = @_;
	my ($first, @names) = join_tree($depth, any(1, 1, 2, 2, 3));
	my ($second, @more) = rand() < 0.2 ? join_tree($depth, any(1, 1, 2)) : ();

	$first .= ", $second" if $second;
	push @names, @more;
	my $where = condition($depth, @names, @names, @outer);
	# semi and anti joins
	$where = "$names[0].n = " . any(@outer) . ".n AND ($where)" if @outer && rand() < 0.5;
	return ("FROM $first WHERE $where", @names);
}

# A statement that changes rows of a table, by those of table t in a query; undef where there is none
sub change
{
	my ($depth, $table, $t, $query, $version) = @_;
	my $once =
		"SELECT DISTINCT ON (t.id) t.id, t.n, t.ts FROM (SELECT $t.* $query) t WHERE t.id IS NOT NULL "
	  . 'ORDER BY t.id, t.n, t.ts';
	my $has_key = $table =~ /^(?:plain|checked_option|domains|parted|secured|secured_parted|draft|draft_many
		|rfc9562|rfc9562_parted)$/x;
	my $can_merge = $version >= 150000 && $table !~ /checked_option|since/;

	return any(
		sub {
			"WITH t AS (UPDATE $table u SET n = n + 1 WHERE ${\ condition($depth, 'u')} "
			  . "RETURNING u.id, u.n, ${\ window(0, 'u')} AS w) SELECT count(*), sum(n), bool_and(w) FROM t";
		},
		sub {
			"WITH t AS (DELETE FROM $table u WHERE ${\ condition($depth, 'u')} RETURNING u.n) "
			  . 'SELECT count(*), sum(n) FROM t';
		},
		sub {
			!$has_key
			  ? undef
			  : "INSERT INTO $table AS u (id, n, ts) $once ON CONFLICT (id) DO UPDATE SET n = u.n + 100 "
			  . 'WHERE '
			  . condition(0, 'u');
		},
		sub {
			"INSERT INTO arbiter AS u (id, n, ts) $once ON CONFLICT (id, uuid_v7_between(id, '2026-01-03', "
			  . 'NULL)) DO UPDATE SET n = u.n + 100 WHERE '
			  . condition(0, 't') =~ s/\bt\./u./gr =~ s/\(t\)/(u)/gr;
		},
		sub {
			"INSERT INTO arbiter_late AS u (id, n, ts) $once ON CONFLICT (id) WHERE uuid_v7_between(id, "
			  . q{'2026-01-03', NULL) DO NOTHING};
		},
		sub {
			!$can_merge
			  ? undef
			  : "MERGE INTO $table u USING ($once) t ON t.id = u.id AND ${\ condition(0, 'u', 't')} "
			  . "WHEN MATCHED AND ${\ condition(0, 'u', 't')} THEN UPDATE SET n = u.n + 1 "
			  . "WHEN MATCHED AND ${\ condition(0, 'u')} THEN DELETE "
			  . "WHEN NOT MATCHED AND ${\ condition(0, 't')} THEN DO NOTHING";
		})->();
}

# A statement that reads table t of a query
sub reading
{
	my ($depth, $t, $query) = @_;
	my $first_reader =
	  { '' => 'uuid_v7', draft => 'uuid_v7', rfc9562 => 'uuidv7', v6 => 'uuid_v6', v8 => 'uuid_v8' }
	  ->{ $layout{$t} };
	my $rows = sub { "SELECT count(*), sum($t.n), md5(string_agg($t.id::text, ',' ORDER BY $t.id)) $query" };

	return any(
		$rows, $rows,
		sub { 'SELECT count(*), count(*) FILTER (WHERE ' . condition($depth, $t) . ") $query" },
		sub { "SELECT $t.n, count(*) $query GROUP BY 1 HAVING bool_or(" . condition(1, $t) . ') ORDER BY 1' },
		sub {
			"SELECT count(*), sum(c) FROM (SELECT $t.id, $t.n, count(*) AS c $query GROUP BY GROUPING SETS "
			  . "(($t.id, $t.n), ($t.n), ($t.id), ()) HAVING <$first_reader|$t.id|${\ literal()}|NULL|>) x";
		},
		sub {
			"WITH t AS ${\ any('', 'MATERIALIZED ', 'NOT MATERIALIZED ')}(SELECT $t.* $query) "
			  . 'SELECT count(*), sum(t.n) FROM t WHERE '
			  . condition(1, 't')
			  . any('', ' AND t.id IN (SELECT id FROM t)');
		})->();
}

# random_statement(server_version_num): prepared or not, as it is run and as it is explained.  What it
# changes is looked at, and rolled back.
sub random_statement
{
	my ($version) = @_;
	my $depth = any(1, 2, 2, 3);
	my $table = any(grep { $_ !~ /united|barrier|distinct/ } @tables);

	$has_parameters = rand() < 0.25;
	my $layout_parameter = any(q{'draft'}, q{'rfc9562'}, 'NULL');
	my ($query, @all) = query($depth);
	my $t = any(@all);

	$layout{t} = $layout{$t};
	$layout{u} = layout_of($table);
	my $change = rand() < 0.25 ? change($depth, $table, $t, $query, $version) : undef;
	my $statement = $change // reading($depth, $t, $query);
	my $parameters = join ', ', map { any(literal(), literal(), 'NULL') } 1 .. 2;
	my ($run, $explain) = ("$statement;", "EXPLAIN (FORMAT json) $statement");

	if ($has_parameters)
	{
		my $execute = "EXECUTE q($parameters, $layout_parameter);";
		my $prepare = "SET plan_cache_mode = force_${\ any('generic', 'custom')}_plan; "
		  . "PREPARE q(timestamptz, timestamptz, text) AS $statement;";

		$run = "$prepare $execute " . (defined $change ? '' : "EXECUTE q(NULL, NULL, $layout_parameter);");
		$explain = "$prepare EXPLAIN (FORMAT json) $execute";
	}
	$run =
		"BEGIN; $run SELECT count(*), sum(n), md5(string_agg(id::text || n, ',' ORDER BY id, n)) "
	  . "FROM $table u; ROLLBACK"
	  if defined $change;
	return ($run, $explain);
}

1;
