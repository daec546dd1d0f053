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
 * estimate the comparisons of its key that follow it in the conditions of the
 * table: it writes what part of the rows each lets pass into the RestrictInfo.
 * The filter itself lets all pass then: that keys of another version lie
 * between the bounds is taken to be rare.  A filter alone lets pass what part
 * of the histogram it does.
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
	const UuidLayout *layout;	/* that the filter lets pass */
	bool		has_statistics;
	bool		is_found;		/* the filter, in the conditions, */
	bool		is_compared;	/* and its key, right after it */
	double		not_null;		/* parts of all rows: keys, */
	double		newer;			/* and those that have come since */
	double		end;			/* the histogram's last value, as a number */
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
	int			tail = Min(bins, RECENT_BINS);
	double		analyzed;
	double		arrived;
	double		before;

	if (!HeapTupleIsValid(tuple))
		return 0;
	analyzed = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	if (analyzed <= 0 || rel->tuples <= analyzed || stats->now <= stats->end)
		return 0;
	before = Max(bins * (stats->end -
						 key_number(histogram_value(stats, bins - tail))), 0);
	arrived = tail * (stats->now - stats->end);
	return Min(1 - analyzed / rel->tuples, arrived / (arrived + before));
}

static void
open_statistics(KeyStatistics *stats)
{
	HeapTuple	tuple = stats->vardata.statsTuple;
	pg_uuid_t	now;

	stats->not_null = 1;
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
	uuidnew_layout_min(stats->layout, layout_epoch(stats->layout),
					   GetCurrentStatementStartTimestamp(), &now);
	stats->now = key_number(&now);
	stats->end =
		key_number(histogram_value(stats, stats->histogram.nvalues - 1));
	stats->newer = newer_part(stats);
}

/*
 * The part of a bin's keys that are below a bound, by their numbers.  Where
 * the filter refuses one end, keys are as dense as in the bin beside it.
 */
static double
bin_below(const KeyStatistics *stats, int bin, const pg_uuid_t *bound)
{
	const pg_uuid_t *first = histogram_value(stats, bin - 1);
	const pg_uuid_t *last = histogram_value(stats, bin);
	bool		starts = layout_has(stats->layout, first);
	bool		ends = layout_has(stats->layout, last);
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
	double		common_below =
		mcv_selectivity(&stats->vardata, &stats->less, InvalidOid,
					UUIDPGetDatum(bound), true, &common);

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
			Max(stats->now - key_number(bound), 0) / (stats->now - stats->end);
	return common_below + part * (stats->not_null - common);
}

/* Is a bound an open end: where the range of the layout begins, or ends? */
static bool
is_open_end(const UuidLayout *layout, int side, const pg_uuid_t *bound)
{
	UuidPayload payload = uuid_unpack(bound);

	return payload.lo == 0 &&
		payload.hi == (side > 0 ? layout->first_hi : layout->end_hi);
}

/* What a comparison of the key lets pass */
static double
selectivity_of_bound(KeyStatistics *stats, int side, Node *value)
{
	pg_uuid_t  *bound;

	/* What has to be evaluated is evaluated once, as core does. */
	value = estimate_expression_value(stats->request->root, value);
	if (!is_known(value))
		return UNKNOWN_END_SELECTIVITY * stats->not_null;
	bound = DatumGetUUIDP(castNode(Const, value)->constvalue);
	/* an open end, which the rewrite added, is no pair with the other */
	if (stats->histogram.nvalues < 2 &&
		is_open_end(stats->layout, side, bound))
		return stats->not_null;
	if (!stats->has_statistics)
		return UNKNOWN_END_SELECTIVITY;
	return side < 0 ? rows_below(stats, bound) :
		stats->not_null - rows_below(stats, bound);
}

/*
 * Finds the filter in an AND, or in its ORs, and estimates the comparisons of
 * its key that follow, up to the next call of a function.  As there may be as
 * many filters as conditions, a pointer finds it.
 */
static void
estimate_comparisons(KeyStatistics *stats, List *conjuncts)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		Node	   *clause = (Node *) rinfo->clause;
		int			side = stats->is_found ? uuidnew_comparison(clause) : 0;
		ListCell   *arm;

		if (IsA(clause, FuncExpr) && stats->is_found)
			return;
		else if (IsA(clause, FuncExpr))
			stats->is_found =
				((FuncExpr *) clause)->args == stats->request->args;
		else if (rinfo->orclause != NULL && is_orclause(rinfo->orclause))
		{
			foreach(arm, ((BoolExpr *) rinfo->orclause)->args)
				estimate_comparisons(stats, make_ands_implicit(lfirst(arm)));
		}
		else if (side != 0 &&
				 equal(get_leftop(clause), linitial(stats->request->args)))
		{
			stats->is_compared = true;
			if (rinfo->norm_selec < 0)
				rinfo->norm_selec =
					selectivity_of_bound(stats, side, get_rightop(clause));
			CLAMP_PROBABILITY(rinfo->norm_selec);
			rinfo->outer_selec = rinfo->norm_selec;
		}
	}
}

/* What part of the rows a filter lets pass, by the histogram */
static double
rows_of_layout(const KeyStatistics *stats)
{
	int			found = 0;

	for (int i = 0; i < stats->histogram.nvalues; i++)
		found += layout_has(stats->layout, histogram_value(stats, i));
	return stats->not_null * found / stats->histogram.nvalues;
}

/*
 * uuidnew_estimate_filter - what part of the rows a filter lets pass, and the
 * comparisons of its key beside it; NULL if that is not known.
 */
Node *
uuidnew_estimate_filter(SupportRequestSelectivity *request,
						const UuidFamily *family)
{
	KeyStatistics stats = {.request = request};
	const UuidLayout *layout;
	double		selectivity = 1;

	if (!uuidnew_call_layout(family, request->args, &layout))
		return NULL;
	stats.layout = layout != NULL ? layout : family->default_layout;
	examine_variable(request->root, linitial(request->args), request->varRelid,
					 &stats.vardata);
	if (stats.vardata.rel != NULL)
	{
		open_statistics(&stats);
		estimate_comparisons(&stats, stats.vardata.rel->baserestrictinfo);
		if (!stats.is_compared)
			selectivity = layout != NULL && stats.histogram.nvalues >= 2 ?
				rows_of_layout(&stats) : -1;
		free_attstatsslot(&stats.histogram);
	}
	ReleaseVariableStats(stats.vardata);
	if (selectivity < 0)
		return NULL;
	CLAMP_PROBABILITY(selectivity);
	request->selectivity = selectivity;
	return (Node *) request;
}
