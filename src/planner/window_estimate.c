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
 * estimate all comparisons of its key, written as a window or by hand, in the
 * conditions of the table: it writes what part of the rows each lets pass into
 * the RestrictInfo.  The filter itself lets all pass: that keys of another
 * version lie between the bounds is taken to be rare.
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

#include "keys/v7.h"
#include "planner/window.h"

/* The end of the histogram that says how many rows come in a time */
#define RECENT_BINS		10

/* Not exactly DEFAULT_INEQ_SEL, so that the other end of a pair counts */
#define UNKNOWN_END_SELECTIVITY		(DEFAULT_INEQ_SEL + 0.0001)

/* What the statistics and the table say of a key */
typedef struct KeyStatistics
{
	const SupportRequestSelectivity *request;	/* for the filter */
	VariableStatData vardata;
	AttStatsSlot histogram;
	FmgrInfo	less;			/* uuid_lt */
	int			version;		/* that the filter lets pass */
	bool		has_statistics;
	double		not_null;		/* parts of all rows: keys, */
	double		newer;			/* and those that have come since */
	double		last;			/* the histogram's last value, as a number */
	double		now;			/* a key that is made now */
} KeyStatistics;

static double
key_number(const pg_uuid_t *uuid)
{
	uint64		number;

	memcpy(&number, uuid->data, sizeof(number));
	return (double) pg_ntoh64(number);
}

static pg_uuid_t *
histogram_value(const KeyStatistics *stats, int i)
{
	return DatumGetUUIDP(stats->histogram.values[i]);
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

	if (!HeapTupleIsValid(tuple))
		return 0;
	analyzed = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	if (analyzed <= 0 || rel->tuples <= analyzed || stats->now <= stats->last)
		return 0;
	before = Max(bins * (stats->last -
						 key_number(histogram_value(stats, bins - recent))), 0);
	arrived = recent * (stats->now - stats->last);
	return Min(1 - analyzed / rel->tuples, arrived / (arrived + before));
}

static void
open_statistics(KeyStatistics *stats, const UuidLayout *layout)
{
	HeapTuple	tuple = stats->vardata.statsTuple;
	pg_uuid_t	now;

	if (!HeapTupleIsValid(tuple) ||
		getBaseType(stats->vardata.atttype) != UUIDOID)
		return;
	stats->has_statistics = true;
	stats->not_null = 1 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	fmgr_info(F_UUID_LT, &stats->less);

	/* imported ones may have anything in them */
	if (!get_attstatsslot(&stats->histogram, tuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES) ||
		stats->histogram.nvalues < 2)
		return;
	uuidnew_layout_min(layout, layout_epoch(layout),
					   GetCurrentStatementStartTimestamp(), &now);
	stats->now = key_number(&now);
	stats->last =
		key_number(histogram_value(stats, stats->histogram.nvalues - 1));
	stats->newer = newer_part(stats);
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
	bool		starts = uuid_version_of(first) == stats->version;
	bool		ends = uuid_version_of(last) == stats->version;
	double		from = key_number(first);
	double		to = key_number(last);

	if (starts && !ends && bin >= 2)
		to = 2 * from - key_number(histogram_value(stats, bin - 2));
	else if (ends && !starts && bin + 1 < stats->histogram.nvalues)
		from = 2 * to - key_number(histogram_value(stats, bin + 1));
	if (from >= to)
		return 0.5;
	return Max(Min((key_number(bound) - from) / (to - from), 1), 0);
}

/* The part of the rows whose key is below a bound. */
static double
rows_below(KeyStatistics *stats, const pg_uuid_t *bound)
{
	int			n = stats->histogram.nvalues;
	int			below = 0;
	double		part;			/* of the keys that are not common */
	double		common;
	double		common_below = mcv_selectivity(&stats->vardata, &stats->less,
											   InvalidOid, UUIDPGetDatum(bound),
											   true, &common);

	for (int above = n; below < above;)
	{
		int			middle = (below + above) / 2;

		if (memcmp(histogram_value(stats, middle), bound, UUID_LEN) < 0)
			below = middle + 1;
		else
			above = middle;
	}
	if (n < 2)
		part = 0.5;				/* as scalarineqsel() takes */
	else if (below == 0)
		part = 0;
	else if (below < n)
		part = (1 - stats->newer) *
			(below - 1 + bin_below(stats, below, bound)) / (n - 1);
	else
		part = stats->newer <= 0 ? 1 : 1 - stats->newer *
			Max(stats->now - key_number(bound), 0) / (stats->now - stats->last);
	return common_below + part * (stats->not_null - common);
}

/* What a comparison of the key lets pass */
static double
selectivity_of_bound(KeyStatistics *stats, int side, Node *value)
{
	pg_uuid_t  *bound;

	/* What has to be evaluated is evaluated once, as core does. */
	if (stats->has_statistics)
		value = estimate_expression_value(stats->request->root, value);
	if (!is_known(value))
		return UNKNOWN_END_SELECTIVITY;
	bound = DatumGetUUIDP(castNode(Const, value)->constvalue);
	/* nobody wrote the border: it is no pair with the other end */
	if (stats->histogram.nvalues < 2 && v7_is_border(bound))
		return 1;
	if (!stats->has_statistics)
		return UNKNOWN_END_SELECTIVITY;
	return side < 0 ? rows_below(stats, bound) :
		stats->not_null - rows_below(stats, bound);
}

/* Estimates the comparisons in an AND, and in its ORs. */
static void
estimate_conjuncts(KeyStatistics *stats, List *conjuncts)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		Node	   *clause = (Node *) rinfo->clause;
		int			side = uuidnew_comparison(clause);
		double		selectivity;

		if (side != 0 && rinfo->norm_selec < 0 &&
			equal(get_leftop(clause), linitial(stats->request->args)))
		{
			selectivity = selectivity_of_bound(stats, side,
											   get_rightop(clause));
			CLAMP_PROBABILITY(selectivity);
			rinfo->norm_selec = selectivity;
			rinfo->outer_selec = selectivity;
		}
		else if (rinfo->orclause != NULL && is_orclause(rinfo->orclause))
		{
			BoolExpr   *orclause = (BoolExpr *) rinfo->orclause;
			ListCell   *arm;

			foreach(arm, orclause->args)
				estimate_conjuncts(stats, make_ands_implicit(lfirst(arm)));
		}
	}
}

/*
 * uuidnew_estimate_window - estimates all comparisons of the key of a filter,
 * which itself lets all rows pass; NULL for other calls.
 */
Node *
uuidnew_estimate_window(SupportRequestSelectivity *request)
{
	const TimeFunction *function = uuidnew_time_function(request->funcid);
	KeyStatistics stats = {.request = request};
	const UuidLayout *layout;

	if (function == NULL || !uuidnew_is_filter(request->args))
		return NULL;
	layout = uuidnew_call_layout(function->family, request->args);
	if (layout == NULL)
		layout = function->family->default_layout;
	stats.version = layout->version;
	examine_variable(request->root, linitial(request->args), request->varRelid,
					 &stats.vardata);
	if (stats.vardata.rel != NULL)
	{
		open_statistics(&stats, layout);
		estimate_conjuncts(&stats, stats.vardata.rel->baserestrictinfo);
		free_attstatsslot(&stats.histogram);
	}
	ReleaseVariableStats(stats.vardata);
	request->selectivity = 1;
	return (Node *) request;
}
