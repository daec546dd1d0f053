/*
 * window_estimate.c
 *	  Estimates the rows of a window of time by the statistics of its key.
 *
 * Core cannot interpolate within a histogram bin of uuid, and does not expect
 * rows that are newer than the statistics.  But the first 64 bits of a UUID are
 * a number that grows with the time.
 *
 * So the filter of a window (window_rewrite.c) also estimates the comparisons
 * of its key that follow it in the conditions of the table, and stores their
 * selectivities in the RestrictInfos.  Its own selectivity is then 1, because
 * keys of another version between the bounds are rare.
 *
 * This relies on two functions of clausesel.c, the same in 14 to 19:
 * clause_selectivity_ext() returns norm_selec (outer_selec in an outer join) of
 * a RestrictInfo unless it is negative; clauselist_selectivity_ext() combines
 * < and > of one expression to hibound + lobound - 1 (+ the NULLs), but to
 * DEFAULT_RANGE_INEQ_SEL if one is exactly DEFAULT_INEQ_SEL.
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
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "planner/window.h"

/* Rows arrive at the rate of the histogram's last bins. */
#define RECENT_BINS		10

/* Not exactly DEFAULT_INEQ_SEL, see above */
#define UNKNOWN_END_SELECTIVITY		(DEFAULT_INEQ_SEL + 0.0001)

typedef struct KeyStatistics
{
	const SupportRequestSelectivity *request;	/* for the filter */
	VariableStatData vardata;
	AttStatsSlot histogram;
	FmgrInfo	less;			/* uuid_lt */
	const UuidLayout *layout;	/* of the filter */
	bool		has_statistics;
	bool		is_found;		/* the filter, in the conditions */
	int			arms;			/* of ORs that were looked at */
	bool		is_compared;	/* the key, after the filter */
	double		not_null;		/* share of rows with a key */
	double		newer;			/* share of rows since ANALYZE */
	double		end;			/* last value of the histogram, as a number */
	double		now;			/* a key that is generated now, as a number */
} KeyStatistics;

static double
key_number(const pg_uuid_t *uuid)
{
	uint64		high;
	uint64		low;

	uuid_halves(uuid, &high, &low);
	return (double) high;
}

static pg_uuid_t *
histogram_value(const KeyStatistics *stats, int i)
{
	return DatumGetUUIDP(stats->histogram.values[i]);
}

/*
 * The share of rows since ANALYZE: as many as the table has grown by.  Because
 * it also grows by updates, they cannot arrive faster than in the last bins.
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

	/* imported statistics may contain anything */
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
 * The share of a bin's keys below a bound.  If the filter rejects one end of
 * the bin, its keys are as dense as in the adjacent bin.
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

/* The share of rows whose key is below a bound */
static double
rows_below(KeyStatistics *stats, const pg_uuid_t *bound)
{
	int			n = stats->histogram.nvalues;
	int			below = 0;
	double		part;			/* of the keys that are not most common values */
	double		common;
	double		common_below;

	common_below = mcv_selectivity(&stats->vardata, &stats->less, InvalidOid,
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
		part = 0.5;				/* as scalarineqsel() assumes */
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

/* 1 for a UUID >= or > another, -1 for <= or <, else 0 */
static int
comparison(Node *clause)
{
	Oid			funcid = is_opclause(clause) ?
		get_opcode(castNode(OpExpr, clause)->opno) : InvalidOid;

	return (funcid == F_UUID_GE || funcid == F_UUID_GT) -
		(funcid == F_UUID_LT || funcid == F_UUID_LE);
}

/* The selectivity of a comparison of the key: > for side 1, < for -1 */
static double
selectivity_of_bound(KeyStatistics *stats, int side, Node *value)
{
	pg_uuid_t  *bound;
	UuidPayload payload;

	/* Evaluates stable functions, as core does. */
	value = estimate_expression_value(stats->request->root, value);
	if (!is_known(value))
		return UNKNOWN_END_SELECTIVITY * stats->not_null;
	bound = DatumGetUUIDP(castNode(Const, value)->constvalue);
	payload = uuid_unpack(bound);
	/* do not let core pair an open end, added by the rewrite, with a bound */
	if (stats->histogram.nvalues < 2 && payload.lo == 0 &&
		payload.hi == (side > 0 ? stats->layout->first_hi :
					   stats->layout->end_hi))
		return stats->not_null;
	if (!stats->has_statistics)
		return UNKNOWN_END_SELECTIVITY;
	return side < 0 ? rows_below(stats, bound) :
		stats->not_null - rows_below(stats, bound);
}

/*
 * Finds the filter, by pointer, in a list of conditions or in their ORs, and
 * estimates the comparisons of its key that follow, up to the next function.
 */
static void
estimate_comparisons(KeyStatistics *stats, List *conjuncts)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		Node	   *clause = (Node *) rinfo->clause;
		int			side = stats->is_found ? comparison(clause) : 0;
		ListCell   *arm;

		if (IsA(clause, FuncExpr) && stats->is_found)
			return;
		else if (IsA(clause, FuncExpr))
			stats->is_found =
				((FuncExpr *) clause)->args == stats->request->args;
		else if (rinfo->orclause != NULL && is_orclause(rinfo->orclause))
		{
			foreach(arm, ((BoolExpr *) rinfo->orclause)->args)
			{
				bool		was_found = stats->is_found;

				/* a filter alone in an OR has no comparisons */
				if (was_found || is_andclause(lfirst(arm)))
					estimate_comparisons(stats,
										 make_ands_implicit(lfirst(arm)));
				if (stats->is_found != was_found || ++stats->arms > 100)
					return;		/* so that planning time is linear */
			}
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

/* The share of rows that the filter accepts, by the histogram */
static double
rows_of_layout(const KeyStatistics *stats)
{
	int			found = 0;

	for (int i = 0; i < stats->histogram.nvalues; i++)
		found += layout_has(stats->layout, histogram_value(stats, i));
	return stats->not_null * found / stats->histogram.nvalues;
}

/* uuidnew_estimate_filter - estimates a filter; NULL if it can't. */
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
