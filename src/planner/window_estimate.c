/*
 * window_estimate.c
 *	  How many rows a window of time has, by the statistics of its key.
 *
 * The planner can't tell two uuids of one histogram bin apart: uuid is missing
 * in core's convert_to_scalar(), so it takes less than a bin for one
 * row.  Nor does it know of rows that are newer than the statistics.  But the
 * order of UUIDs is that of the number in their first 64 bits, and in a layout
 * that begins with the time, this number grows with the time.
 *
 * The filter that a window leaves (window_rewrite.c) is therefore asked to
 * estimate all comparisons of its key, written as a window or by hand, in
 * three steps: it collects them from the conditions of the table, in each AND;
 * decides what part of the rows each lets pass; and writes that into the
 * RestrictInfo.  What the filter itself lets pass is the part of the rows
 * between the bounds that are of its version.
 *
 * This relies on two functions of clausesel.c, the same in 14 to 19:
 *
 *	   clause_selectivity_ext()		takes norm_selec or, in an outer join,
 *									outer_selec of a RestrictInfo, where it is
 *									not negative, and computes nothing
 *	   clauselist_selectivity_ext()	pairs < and > of one expression, if the
 *									other sides are pseudo-constants, to
 *									hibound + lobound - 1 (+ the NULLs), but to
 *									DEFAULT_RANGE_INEQ_SEL if one is exactly
 *									DEFAULT_INEQ_SEL; multiplies the others
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
#include "parser/parsetree.h"
#include "port/pg_bswap.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/uuid.h"

#include "keys/v7.h"
#include "planner/window.h"

/* The end of the histogram that says how many rows come in a time */
#define RECENT_BINS		10

/* Not exactly DEFAULT_INEQ_SEL, so that the other end of a pair counts. */
#define UNKNOWN_END_SELECTIVITY		(DEFAULT_INEQ_SEL + 0.0001)

/* What the statistics and the table say of a key */
typedef struct KeyStatistics
{
	const SupportRequestSelectivity *request;	/* for the filter */
	Node	   *key;
	const UuidLayout *layout;	/* what the filter reads */
	VariableStatData vardata;
	AttStatsSlot histogram;
	FmgrInfo	less;			/* uuid_lt */
	bool		has_statistics;
	double		not_null;		/* parts of all rows: keys, */
	double		in_histogram;	/* keys that its bins stand for, */
	double		newer;			/* and those that have come since */
	double		last;			/* the histogram's last value, as a number */
	double		now;			/* a key that is made now */
} KeyStatistics;

/* Two values between which keys lie */
typedef struct KeyRange
{
	pg_uuid_t	lower;
	pg_uuid_t	upper;
} KeyRange;

/* A comparison of the key */
typedef struct KeyBound
{
	RestrictInfo *rinfo;
	int			side;			/* -1: <, 1: > */
	bool		is_known;
	pg_uuid_t	value;
} KeyBound;

/*
 * Statistics
 */

/* The digits of a date have gaps, which its time has not. */
static double
key_number(const KeyStatistics *stats, const pg_uuid_t *uuid)
{
	uint64		number = layout_usecs(stats->layout, uuid);

	if (stats->layout->by_calendar && number != NO_TIME)
		return (double) number;
	memcpy(&number, uuid->data, sizeof(number));
	return (double) pg_ntoh64(number);
}

static pg_uuid_t *
histogram_value(const KeyStatistics *stats, int i)
{
	return DatumGetUUIDP(stats->histogram.values[i]);
}

static double
histogram_number(const KeyStatistics *stats, int i)
{
	return key_number(stats, histogram_value(stats, i));
}

/*
 * What part of the rows has come since the statistics were made, if new rows
 * have the largest keys: as many as the table has grown by.  It grows by
 * updates too, but no more rows come than did at the histogram's end.
 */
static double
newer_part(const KeyStatistics *stats)
{
	const RelOptInfo *rel = stats->vardata.rel;
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, stats->request->root);
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	int			bins = stats->histogram.nvalues - 1;
	int			recent = Min(bins, RECENT_BINS);
	double		analyzed;
	double		arrived;
	double		before;

	/* as for a sub-query */
	if (!HeapTupleIsValid(tuple))
		return 0;
	analyzed = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	if (analyzed <= 0 || rel->tuples <= analyzed || stats->now <= stats->last)
		return 0;
	before = Max(bins * (stats->last -
						 histogram_number(stats, bins - recent)), 0);
	arrived = recent * (stats->now - stats->last);
	return Min(1 - analyzed / rel->tuples, arrived / (arrived + before));
}

static void
open_statistics(KeyStatistics *stats)
{
	HeapTuple	tuple = stats->vardata.statsTuple;
	pg_uuid_t	now;
	double		common;

	if (!HeapTupleIsValid(tuple) ||
		getBaseType(stats->vardata.atttype) != UUIDOID)
		return;
	stats->has_statistics = true;
	uuidnew_layout_min(stats->layout, layout_epoch(stats->layout),
					   GetCurrentStatementStartTimestamp(), &now);
	fmgr_info(F_UUID_LT, &stats->less);
	mcv_selectivity(&stats->vardata, &stats->less, InvalidOid,
					UUIDPGetDatum(&now), true, &common);
	stats->not_null = 1 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	stats->in_histogram = stats->not_null - common;
	if (!get_attstatsslot(&stats->histogram, tuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return;

	/* imported ones may have anything in them */
	if (stats->histogram.nvalues < 2)
	{
		stats->histogram.nvalues = 0;
		return;
	}
	stats->last = histogram_number(stats, stats->histogram.nvalues - 1);
	stats->now = key_number(stats, &now);
	stats->newer = stats->in_histogram * newer_part(stats);
	stats->in_histogram -= stats->newer;
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
 * The part of a bin's keys that are below a bound, by their numbers.  Where
 * one end is of another version, keys are as dense as in the bin beside it.
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
		to = 2 * from - histogram_number(stats, bin - 2);
	else if (ends && !starts && bin + 1 < stats->histogram.nvalues)
		from = 2 * to - histogram_number(stats, bin + 1);
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
	double		common;
	double		rows = mcv_selectivity(&stats->vardata, &stats->less,
									   InvalidOid, UUIDPGetDatum(bound), true,
									   &common);

	/* without a histogram half of the others, as scalarineqsel() takes */
	if (n == 0)
		return rows + stats->in_histogram / 2;
	if (below == 0)
		return rows;
	if (below < n)
		return rows + stats->in_histogram *
			(below - 1 + bin_below(stats, below, bound)) / (n - 1);
	if (stats->newer > 0)
		rows += stats->newer * Min((key_number(stats, bound) - stats->last) /
								   (stats->now - stats->last), 1);
	return rows + stats->in_histogram;
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
	int			all = Max(last - first, 1);
	int			of_version = 0;

	if (first >= last)
	{
		first = Max(first - 1, 0);
		last = Min(first + 2, n);
	}
	for (int i = first; i < last; i++)
	{
		const pg_uuid_t *value = histogram_value(stats, i);

		if (uuid_version_of(value) == stats->layout->version)
			of_version++;
	}
	return n > 0 ? Min((double) of_version / all, 1) : 1;
}

/*
 * Conditions
 */

/*
 * A condition, if it is a comparison of the key, or NULL.  What has to be
 * evaluated is evaluated once, as core does.
 */
static KeyBound *
read_bound(const KeyStatistics *stats, RestrictInfo *rinfo)
{
	KeyBound   *bound = palloc(sizeof(KeyBound));
	Node	   *value;

	bound->rinfo = rinfo;
	bound->side = uuidnew_comparison((Node *) rinfo->clause);
	if (bound->side == 0 || !equal(get_leftop(rinfo->clause), stats->key))
		return NULL;
	value = get_rightop(rinfo->clause);
	if (stats->has_statistics && rinfo->norm_selec < 0)
		value = estimate_expression_value(stats->request->root, value);
	if (is_known(value))
		bound->value = *DatumGetUUIDP(castNode(Const, value)->constvalue);
	bound->is_known = is_known(value) &&
		(stats->has_statistics || v7_is_border(&bound->value));
	return bound;
}

/*
 * What a comparison in an AND lets pass.  A bound beyond the range's upper end
 * counts as that: of less than nothing clauselist_selectivity_ext() would make
 * a guess.
 *
 * Where neither end is known, the two let DEFAULT_RANGE_INEQ_SEL pass: it
 * takes that itself where they are pseudo-constants, as they add up to much
 * less than nothing, and multiplies them in a join.
 */
static double
selectivity_of_bound(KeyStatistics *stats, const KeyBound *bound,
					 const KeyRange *range, bool is_unknown_range)
{
	const pg_uuid_t *value = &bound->value;

	if (!bound->is_known)
		return is_unknown_range ? sqrt(DEFAULT_RANGE_INEQ_SEL) :
			UNKNOWN_END_SELECTIVITY;
	if (!stats->has_statistics)
		return 1;
	if (bound->side < 0)
		return rows_below(stats, value);
	if (memcmp(value, &range->upper, UUID_LEN) > 0)
		value = &range->upper;
	return stats->not_null - rows_below(stats, value);
}

static bool
is_filter(const KeyStatistics *stats, Expr *clause)
{
	return IsA(clause, FuncExpr) &&
		castNode(FuncExpr, clause)->funcid == stats->request->funcid &&
		equal(castNode(FuncExpr, clause)->args, stats->request->args);
}

static void
set_selectivity(RestrictInfo *rinfo, double selectivity)
{
	CLAMP_PROBABILITY(selectivity);
	if (rinfo->norm_selec < 0)
		rinfo->norm_selec = selectivity;
	if (rinfo->outer_selec < 0)
		rinfo->outer_selec = selectivity;
}

/*
 * Estimates the comparisons in an AND, and in its ORs; the range it leaves.
 * What repeats the filter lets all rows pass.
 */
static KeyRange
estimate_conjuncts(KeyStatistics *stats, List *conjuncts)
{
	List	   *bounds = NIL;
	bool		is_unknown[3] = {false};
	bool		has_filter = false;
	KeyRange	range;
	ListCell   *cell;
	ListCell   *arm;

	memset(&range.lower, 0, UUID_LEN);
	memset(&range.upper, 0xFF, UUID_LEN);
	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		KeyBound   *bound = read_bound(stats, rinfo);

		if (bound != NULL)
		{
			pg_uuid_t  *end = bound->side > 0 ? &range.lower : &range.upper;

			bounds = lappend(bounds, bound);
			if (!bound->is_known)
				is_unknown[bound->side + 1] = true;
			else if (memcmp(&bound->value, end, UUID_LEN) * bound->side > 0)
				*end = bound->value;
		}
		else if (is_filter(stats, rinfo->clause))
		{
			if (has_filter)
				set_selectivity(rinfo, 1);
			has_filter = true;
		}
		else if (rinfo->orclause != NULL && is_orclause(rinfo->orclause))
		{
			foreach(arm, castNode(BoolExpr, (Node *) rinfo->orclause)->args)
				estimate_conjuncts(stats, make_ands_implicit(lfirst(arm)));
		}
	}
	foreach(cell, bounds)
	{
		const KeyBound *bound = lfirst(cell);

		set_selectivity(bound->rinfo,
						selectivity_of_bound(stats, bound, &range,
											 is_unknown[0] && is_unknown[2]));
	}
	return range;
}

/*
 * uuidnew_estimate_window - the part of the rows that a filter lets pass, and
 * what all comparisons of its key do; NULL for other calls.
 */
Node *
uuidnew_estimate_window(SupportRequestSelectivity *request)
{
	const TimeFunction *function = uuidnew_time_function(request->funcid);
	KeyStatistics stats = {.request = request};
	RelOptInfo *rel;
	KeyRange	range;

	if (function == NULL || !uuidnew_is_filter(request->args))
		return NULL;
	request->selectivity = 1;
	stats.key = linitial(request->args);
	stats.layout = uuidnew_call_layout(function->family, request->args);
	if (stats.layout == NULL)
		stats.layout = function->family->default_layout;
	examine_variable(request->root, stats.key, request->varRelid,
					 &stats.vardata);
	rel = stats.vardata.rel;
	if (rel != NULL)
	{
		open_statistics(&stats);
		range = estimate_conjuncts(&stats, rel->baserestrictinfo);
		estimate_conjuncts(&stats, rel->joininfo);
		request->selectivity = part_of_version(&stats, &range);
		CLAMP_PROBABILITY(request->selectivity);
		free_attstatsslot(&stats.histogram);
	}
	ReleaseVariableStats(stats.vardata);
	return (Node *) request;
}
