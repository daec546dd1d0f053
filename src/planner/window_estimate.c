/*
 * window_estimate.c
 *	  How many rows a window of time has, by the statistics of its key.
 *
 * The planner can't tell two uuids of one histogram bin apart: uuid is missing
 * in core's convert_to_scalar(), so it takes a window of less than a bin for one
 * row.  Nor does it know of rows that are newer than the statistics.  But the
 * order of UUIDs is that of the number in their first 64 bits, and in a layout
 * that begins with the time, this number grows with the time.
 *
 * The support function of the filter that a window leaves (window_rewrite.c)
 * therefore estimates all comparisons of the filter's key, written as a window
 * or by hand, in three steps: it collects them from the conditions of the
 * table, in each AND; decides what part of the rows each lets pass; and writes
 * that into the RestrictInfo, where the planner keeps its own estimates of
 * conditions.  Core offers no other way to say this.  Nothing else is changed.
 * What the filter itself lets pass is the part of the rows between the bounds
 * that are of its version.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "port/pg_bswap.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/uuid.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/catalog.h"
#include "planner/window.h"

/* The end of the histogram that says how many rows come in a time */
#define RECENT_BINS		10

/* More than this, and new rows are taken to have the largest keys. */
#define IN_ORDER_CORRELATION	0.9

/* Nearly core's for one comparison, by which it would know an unknown range */
#define OPEN_END_SELECTIVITY	(DEFAULT_INEQ_SEL + 0.0001)

/* What the statistics and the table say of a key */
typedef struct KeyStatistics
{
	PlannerInfo *root;
	Node	   *key;
	const UuidLayout *layout;	/* what the filter reads */
	VariableStatData vardata;
	AttStatsSlot histogram;
	FmgrInfo	less;			/* uuid_lt */
	double		keys;			/* part of all rows that is not NULL */
	double		in_histogram;	/* part of all rows, the newer ones too */
	double		newer;			/* part of these beyond the histogram */
	double		last;			/* the histogram's last value, as a number */
	double		now;			/* a key that is made now */
} KeyStatistics;

/* Two values between which keys lie */
typedef struct KeyRange
{
	pg_uuid_t	lower;
	pg_uuid_t	upper;
} KeyRange;

/* A comparison of the key with a value that is known */
typedef struct KeyBound
{
	RestrictInfo *rinfo;
	bool		is_lower;
	pg_uuid_t	value;
} KeyBound;

/*
 * Statistics
 */

/* The digits of a date have gaps, which its time has not. */
static double
key_number(const KeyStatistics *stats, const pg_uuid_t *uuid)
{
	uint64		number;

	if (stats->layout->by_calendar && layout_usecs(stats->layout, uuid) != NO_TIME)
		return layout_usecs(stats->layout, uuid);

	memcpy(&number, uuid->data, sizeof(number));
	return (double) pg_ntoh64(number);
}

static pg_uuid_t *
histogram_value(const KeyStatistics *stats, int i)
{
	return DatumGetUUIDP(stats->histogram.values[i]);
}

static bool
is_beyond(const KeyStatistics *stats, const pg_uuid_t *uuid)
{
	int			n = stats->histogram.nvalues;

	return n > 0 && memcmp(uuid, histogram_value(stats, n - 1), UUID_LEN) > 0;
}

/*
 * How many rows lie between two numbers, as part of those in the histogram, if
 * as many come as did at its end.
 */
static double
rows_at_recent_rate(const KeyStatistics *stats, double from, double to)
{
	int			n = stats->histogram.nvalues;
	int			bins = Min(n - 1, RECENT_BINS);
	double		since = key_number(stats, histogram_value(stats, n - 1 - bins));

	if (since >= stats->last)
		return HUGE_VAL;
	return (double) bins / (n - 1) * (to - from) / (stats->last - since);
}

/*
 * What part of the rows has come since the statistics were made, if new rows
 * have the largest keys: as many as the table has grown by.
 */
static double
newer_part(const KeyStatistics *stats)
{
	const VariableStatData *vardata = &stats->vardata;
	RangeTblEntry *rte = planner_rt_fetch(vardata->rel->relid, stats->root);
	AttStatsSlot slot;
	bool		in_order;
	HeapTuple	tuple;
	double		known;

	if (rte->rtekind != RTE_RELATION ||
		!get_attstatsslot(&slot, vardata->statsTuple, STATISTIC_KIND_CORRELATION,
						  InvalidOid, ATTSTATSSLOT_NUMBERS))
		return 0;
	in_order = slot.nnumbers == 1 && slot.numbers[0] > IN_ORDER_CORRELATION;
	free_attstatsslot(&slot);
	if (!in_order)
		return 0;

	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return 0;
	known = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return known > 0 && vardata->rel->tuples > known ?
		1 - known / vardata->rel->tuples : 0;
}

static void
open_statistics(KeyStatistics *stats)
{
	HeapTuple	tuple = stats->vardata.statsTuple;
	pg_uuid_t	now;
	double		common;
	double		rate;

	uuidnew_layout_min(stats->layout, layout_epoch(stats->layout),
					   GetCurrentStatementStartTimestamp(), &now);
	fmgr_info(F_UUID_LT, &stats->less);
	mcv_selectivity(&stats->vardata, &stats->less, InvalidOid, UUIDPGetDatum(&now), true,
					&common);
	stats->keys = 1 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	stats->in_histogram = stats->keys - common;
	if (!get_attstatsslot(&stats->histogram, tuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return;

	/* a table grows by updates too, but no key comes after now */
	stats->last = key_number(stats, histogram_value(stats, stats->histogram.nvalues - 1));
	stats->now = key_number(stats, &now);
	if (stats->now <= stats->last)
		return;
	stats->newer = newer_part(stats);
	rate = rows_at_recent_rate(stats, stats->last, stats->now);
	if (stats->newer > 0 && rate < stats->newer / (1 - stats->newer))
		stats->newer = rate / (1 + rate);
}

/* How many values of the histogram are below a bound. */
static int
values_below(const KeyStatistics *stats, const pg_uuid_t *bound)
{
	int			low = 0;
	int			high = stats->histogram.nvalues;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (memcmp(histogram_value(stats, middle), bound, UUID_LEN) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The part of a bin's keys that are below a bound, by their numbers.  Where one
 * end of the bin is of another version, keys are as dense as in the bin beside it.
 */
static double
bin_below(const KeyStatistics *stats, int bin, const pg_uuid_t *bound)
{
	const pg_uuid_t *first = histogram_value(stats, bin - 1);
	const pg_uuid_t *last = histogram_value(stats, bin);
	bool		starts = uuid_version_of(first) == stats->layout->version;
	bool		ends = uuid_version_of(last) == stats->layout->version;
	double		from = key_number(stats, first);
	double		to = key_number(stats, last);

	if (starts && !ends && bin >= 2)
		to = 2 * from - key_number(stats, histogram_value(stats, bin - 2));
	else if (ends && !starts && bin + 1 < stats->histogram.nvalues)
		from = 2 * to - key_number(stats, histogram_value(stats, bin + 1));
	if (from >= to)
		return 0.5;
	return Max(Min((key_number(stats, bound) - from) / (to - from), 1), 0);
}

/* The part of the rows whose key is below a bound. */
static double
rows_below(KeyStatistics *stats, const pg_uuid_t *bound)
{
	int			n = stats->histogram.nvalues;
	int			below = values_below(stats, bound);
	double		newer = stats->in_histogram * stats->newer;
	double		common;
	double		rows = mcv_selectivity(&stats->vardata, &stats->less, InvalidOid,
									   UUIDPGetDatum(bound), true, &common);

	if (below > 0 && below < n)
		rows += (stats->in_histogram - newer) *
			(below - 1 + bin_below(stats, below, bound)) / (n - 1);
	else if (below > 0)
	{
		rows += stats->in_histogram - newer;
		if (newer > 0)
			rows += newer * Min((key_number(stats, bound) - stats->last) /
								(stats->now - stats->last), 1);
	}
	return rows;
}

/*
 * What part of the rows in a range is of the version, by the values there.  In
 * less than a bin, all are if those at one of its ends are: see bin_below().
 */
static double
part_of_version(const KeyStatistics *stats, const KeyRange *range)
{
	int			n = stats->histogram.nvalues;
	int			first = values_below(stats, &range->lower);
	int			last = values_below(stats, &range->upper);
	int			of_version = 0;
	int			all = last - first;

	if (all <= 0)
	{
		first = Max(first - 1, 0);
		last = Min(first + 2, n);
		all = 1;
	}
	for (int i = first; i < last; i++)
		of_version += uuid_version_of(histogram_value(stats, i)) == stats->layout->version;
	return n > 0 ? Min((double) of_version / all, 1) : 1;
}

/*
 * Conditions
 */

/* Is a condition key >= something, or >?  Returns 1; -1 for <, <=; 0 for neither. */
static int
key_comparison(Node *clause, Node *key)
{
	if (!is_opclause(clause) || list_length(castNode(OpExpr, clause)->args) != 2 ||
		!equal(get_leftop(clause), key))
		return 0;
	switch (get_opcode(castNode(OpExpr, clause)->opno))
	{
		case F_UUID_GE:
		case F_UUID_GT:
			return 1;
		case F_UUID_LT:
		case F_UUID_LE:
			return -1;
		default:
			return 0;
	}
}

/*
 * Is a condition a comparison of the key with a value that is known?  What has
 * to be evaluated is evaluated once, as core does.
 */
static bool
known_bound(const KeyStatistics *stats, RestrictInfo *rinfo, KeyBound *bound)
{
	int			comparison = key_comparison((Node *) rinfo->clause, stats->key);
	Node	   *value;

	if (comparison == 0)
		return false;
	value = get_rightop(rinfo->clause);
	if (!IsA(value, Const) && rinfo->norm_selec < 0)
		value = estimate_expression_value(stats->root, value);
	if (!uuidnew_is_known(value))
		return false;
	bound->rinfo = rinfo;
	bound->is_lower = comparison > 0;
	bound->value = *DatumGetUUIDP(castNode(Const, value)->constvalue);
	return true;
}

/*
 * The part of all rows from a bound on that is beyond the histogram of a table
 * that has not grown: what core finds in the index, but no more than come in
 * such a time.
 */
static double
rows_beyond(KeyStatistics *stats, const KeyBound *bound, const KeyRange *range)
{
	pg_uuid_t	value = bound->value;
	Const	   *constant = makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
									 UUIDPGetDatum(&value), false, false);
	Oid			operator = castNode(OpExpr, bound->rinfo->clause)->opno;

	return Min(restriction_selectivity(stats->root, operator,
									   list_make2(stats->key, constant), InvalidOid, 0),
			   stats->in_histogram *
			   rows_at_recent_rate(stats, key_number(stats, &value),
								   key_number(stats, &range->upper)));
}

/*
 * Writes what a comparison in an AND lets pass.  Core takes the narrowest pair,
 * and adds up the two, less one; of less than nothing it would make a guess.
 */
static void
write_selectivity(KeyStatistics *stats, const KeyBound *bound,
				  const KeyRange *range)
{
	pg_uuid_t	value = bound->value;
	double		selectivity;

	if (bound->rinfo->norm_selec >= 0)
		return;
	if (bound->is_lower && memcmp(&value, &range->upper, UUID_LEN) > 0)
		value = range->upper;
	if (!bound->is_lower)
		selectivity = rows_below(stats, &value);
	else if (stats->newer == 0 && is_beyond(stats, &value) &&
			 memcmp(&value, &range->upper, UUID_LEN) < 0)
		selectivity = rows_beyond(stats, bound, range);
	else
		selectivity = stats->keys - rows_below(stats, &value);
	CLAMP_PROBABILITY(selectivity);
	bound->rinfo->norm_selec = selectivity;
}

/* Estimates the comparisons in an AND, and in its ORs; the range that it leaves. */
static KeyRange
estimate_conjuncts(KeyStatistics *stats, List *conjuncts)
{
	KeyBound   *bounds = palloc(list_length(conjuncts) * sizeof(KeyBound));
	int			nbounds = 0;
	KeyRange	range;
	ListCell   *cell;
	ListCell   *arm;

	memset(&range.lower, 0, UUID_LEN);
	memset(&range.upper, 0xFF, UUID_LEN);
	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		KeyBound   *bound = &bounds[nbounds];

		if (known_bound(stats, rinfo, bound))
		{
			if (bound->is_lower && memcmp(&bound->value, &range.lower, UUID_LEN) > 0)
				range.lower = bound->value;
			if (!bound->is_lower && memcmp(&bound->value, &range.upper, UUID_LEN) < 0)
				range.upper = bound->value;
			nbounds++;
		}
		else if (rinfo->orclause != NULL && is_orclause(rinfo->orclause))
		{
			foreach(arm, castNode(BoolExpr, (Node *) rinfo->orclause)->args)
				estimate_conjuncts(stats, is_andclause(lfirst(arm)) ?
								   castNode(BoolExpr, lfirst(arm))->args :
								   list_make1(lfirst(arm)));
		}
	}
	for (int i = 0; i < nbounds; i++)
		write_selectivity(stats, &bounds[i], &range);
	pfree(bounds);
	return range;
}

/*
 * A join by a window compares the key from both sides: one range, for which
 * core takes two conditions.
 */
static void
estimate_join(const KeyStatistics *stats, const RelOptInfo *rel)
{
	RestrictInfo *sides[2] = {NULL, NULL};
	ListCell   *cell;

	foreach(cell, rel->joininfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		int			comparison = key_comparison((Node *) rinfo->clause, stats->key);

		if (comparison != 0)
			sides[comparison > 0] = rinfo;
	}
	for (int i = 0; sides[0] != NULL && sides[1] != NULL && i < 2; i++)
	{
		if (sides[i]->norm_selec < 0)
			sides[i]->norm_selec = sqrt(DEFAULT_RANGE_INEQ_SEL);
		if (sides[i]->outer_selec < 0)
			sides[i]->outer_selec = sqrt(DEFAULT_RANGE_INEQ_SEL);
	}
}

/*
 * A window of version 7 with an open end and one that is not known: core would
 * take it for a range of two ends, though the border leaves out nothing.
 */
static void
estimate_open_end(const KeyStatistics *stats, const RelOptInfo *rel)
{
	RestrictInfo *border = NULL;
	RestrictInfo *end = NULL;
	int			balance = 0;
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		int			comparison = key_comparison((Node *) rinfo->clause, stats->key);
		Const	   *value;

		if (comparison == 0)
			continue;
		value = (Const *) get_rightop(rinfo->clause);
		if (uuidnew_is_known((Node *) value) && v7_is_border(DatumGetUUIDP(value->constvalue)))
			border = rinfo;
		else if (end == NULL && rinfo->norm_selec < 0)
			end = rinfo;
		else
			return;
		balance += comparison;
	}
	if (border == NULL || end == NULL || balance != 0)
		return;
	if (border->norm_selec < 0)
		border->norm_selec = 1;
	end->norm_selec = OPEN_END_SELECTIVITY;
}

/*
 * uuidnew_estimate_window - the part of the rows that a filter lets pass; and of
 * all comparisons of its key.
 */
void
uuidnew_estimate_window(SupportRequestSelectivity *request, const UuidVersion *version)
{
	KeyStatistics stats = {.root = request->root, .key = linitial(request->args)};
	KeyRange	range;

	request->selectivity = 1;
	examine_variable(request->root, stats.key, request->varRelid, &stats.vardata);
	if (stats.vardata.rel != NULL)
		estimate_join(&stats, stats.vardata.rel);
	if (stats.vardata.rel != NULL && HeapTupleIsValid(stats.vardata.statsTuple) &&
		getBaseType(stats.vardata.atttype) == UUIDOID)
	{
		stats.layout = uuidnew_layout_read(version, request->args, ARG_LAYOUT);
		if (stats.layout == NULL)
			stats.layout = version->default_layout;
		open_statistics(&stats);
		range = estimate_conjuncts(&stats, stats.vardata.rel->baserestrictinfo);
		request->selectivity = part_of_version(&stats, &range);
		CLAMP_PROBABILITY(request->selectivity);
		free_attstatsslot(&stats.histogram);
	}
	if (stats.vardata.rel != NULL)
		estimate_open_end(&stats, stats.vardata.rel);
	ReleaseVariableStats(stats.vardata);
}
