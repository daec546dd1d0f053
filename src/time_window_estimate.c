/*
 * time_window_estimate.c
 *	  How many rows a window of time has, by the times in the key's statistics.
 *
 * The planner keeps the estimate of each condition in its RestrictInfo.  A call
 * that has its bounds beside it, as time_window_support.c writes them, comes
 * first: it puts there what core would estimate of the bounds if it knew that
 * the keys are times, and for itself says only what part of these rows is of the
 * version.  Core then finds the pair of bounds that is the narrowest, among all
 * windows and comparisons of the key.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/uuid.h"

#include "compat.h"
#include "key_statistics.h"
#include "layout_guard.h"
#include "time_window.h"

/* Rows in a window that is not known when a query is planned; as core's */
#define WINDOW_DEFAULT_SELECTIVITY	0.005
#define HALF_OPEN_DEFAULT_SELECTIVITY	0.3333333333333333

/*
 * The same beside bounds that come from another table.  Core takes each for a
 * third, and does not see that the two are a range.
 */
#define JOINED_WINDOW_SELECTIVITY \
	(WINDOW_DEFAULT_SELECTIVITY / (HALF_OPEN_DEFAULT_SELECTIVITY * HALF_OPEN_DEFAULT_SELECTIVITY))

/* A comparison of the key with a UUID that is known. */
typedef struct KeyBound
{
	RestrictInfo *rinfo;		/* or NULL */
	Expr	   *clause;
	bool		is_lower;
	pg_uuid_t	uuid;
} KeyBound;

/* Does a value depend on what can't be known when the query is planned? */
static bool
is_unknown(Node *node, void *bound_params)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return true;
	if (IsA(node, Param))
		return castNode(Param, node)->paramkind != PARAM_EXTERN || bound_params == NULL;
	return expression_tree_walker(node, is_unknown, bound_params);
}

/*
 * A comparison with what is not known: core would come to the same estimate.  That
 * an end may be open costs nothing.
 */
static void
expect_unknown(PlannerInfo *root, RestrictInfo *rinfo)
{
	QualCost	cost;

	if (bms_membership(rinfo->clause_relids) != BMS_SINGLETON)
		return;
	if (rinfo->norm_selec < 0)
		rinfo->norm_selec = HALF_OPEN_DEFAULT_SELECTIVITY;
	if (IsA(get_rightop(rinfo->clause), MinMaxExpr) && rinfo->eval_cost.startup < 0)
	{
		cost_qual_eval_node(&cost, (Node *) rinfo, root);
		rinfo->eval_cost.per_tuple -= cpu_operator_cost;
	}
}

/* Returns false if what the key is compared with is not known. */
static bool
known_bound(PlannerInfo *root, Expr *clause, RestrictInfo *rinfo, KeyBound *bound,
			bool is_lower)
{
	Node	   *uuid = get_rightop(clause);

	if (is_unknown(uuid, root->glob->boundParams))
		return false;
	uuid = estimate_expression_value(root, uuid);
	if (!IsA(uuid, Const) || castNode(Const, uuid)->constisnull)
		return false;
	bound->rinfo = rinfo;
	bound->clause = clause;
	bound->is_lower = is_lower;
	bound->uuid = *DatumGetUUIDP(castNode(Const, uuid)->constvalue);
	return true;
}

/*
 * The known comparisons of the key that are ANDed with a window, but for its own
 * bounds.  Returns how many they are.
 */
static int
other_bounds(PlannerInfo *root, List *conjuncts, Node *key, List *own, KeyBound *bounds)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst(cell);
		int16		strategy;

		if (!IsA(rinfo, RestrictInfo) || list_member_ptr(own, rinfo))
			continue;
		strategy = uuidnew_key_comparison((Node *) rinfo, key);
		if (strategy == 0 || strategy == BTEqualStrategyNumber)
			continue;
		if (known_bound(root, rinfo->clause, rinfo, &bounds[n],
						strategy >= BTGreaterEqualStrategyNumber))
			n++;
	}
	return n;
}

/*
 * Core's own estimate of a comparison: beyond the histogram it looks into the
 * index for the last key.
 */
static double
core_selectivity(SupportRequestSelectivity *request, const KeyBound *bound)
{
	OpExpr	   *clause = (OpExpr *) bound->clause;
	pg_uuid_t	uuid = bound->uuid;
	Const	   *value = makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
								  UUIDPGetDatum(&uuid), false, false);

	return restriction_selectivity(request->root, clause->opno,
								   list_make2(linitial(clause->args), value),
								   InvalidOid, request->varRelid);
}

/*
 * What windows and comparisons that are ANDed leave of a key: from lower on, and
 * below upper.
 */
typedef struct KeyRange
{
	pg_uuid_t	lower;
	pg_uuid_t	upper;
	const KeyBound *lowest;		/* the bound that is lower, or NULL */
	double		rows;			/* of the version, part of all rows */
	double		part;			/* they are of all rows in the range */
} KeyRange;

/*
 * The part of all rows in a range that begins beyond the histogram: as many as
 * came in such a time before, but no more than there are.
 */
static double
newest_rows(SupportRequestSelectivity *request, const KeyStatistics *stats,
			const KeyRange *range)
{
	const UuidLayout *layout = stats->layout;
	double		rows;
	double		rate;

	rows = Max(core_selectivity(request, range->lowest),
			   stats->in_histogram * stats->newer * (1 - uuidnew_newer_below(stats, &range->lower)));
	rate = uuidnew_rows_at_recent_rate(stats, layout_usecs(layout, &range->lower),
									   layout_usecs(layout, &range->upper));
	if (!isinf(rate))
		rows = Min(rows, stats->in_histogram * (1 - stats->newer) * rate);
	return rows;
}

static void
narrow_range(SupportRequestSelectivity *request, const KeyStatistics *stats,
			 const KeyBound *bounds, int n, KeyRange *range)
{
	double		version[2];
	double		others[2];

	memset(range, 0, sizeof(KeyRange));
	memset(&range->upper, 0xFF, UUID_LEN);
	for (int i = 0; i < n; i++)
	{
		const pg_uuid_t *uuid = &bounds[i].uuid;

		if (bounds[i].is_lower && memcmp(uuid, &range->lower, UUID_LEN) >= 0)
		{
			range->lower = *uuid;
			range->lowest = &bounds[i];
		}
		if (!bounds[i].is_lower && memcmp(uuid, &range->upper, UUID_LEN) < 0)
			range->upper = *uuid;
	}
	if (memcmp(&range->lower, &range->upper, UUID_LEN) >= 0)
		return;
	if (range->lowest != NULL && is_beyond(stats, &range->lower))
	{
		range->rows = newest_rows(request, stats, range);
		range->part = 1;
		return;
	}
	uuidnew_rows_below(stats, &range->lower, &version[0], &others[0]);
	uuidnew_rows_below(stats, &range->upper, &version[1], &others[1]);
	range->rows = Max(version[1] - version[0], 0);
	range->part = Max(others[1] - others[0], 0) + range->rows;
	range->part = range->part > 0 ? range->rows / range->part : 1;
}

/*
 * Tell core what it could not estimate of a bound: it adds up those of the
 * narrowest pair, less one.
 */
static void
keep_selectivity(const KeyStatistics *stats, const KeyRange *range, const KeyBound *bound)
{
	double		keys = 1 - ((Form_pg_statistic) GETSTRUCT(stats->tuple))->stanullfrac;
	bool		newest = range->lowest != NULL && is_beyond(stats, &range->lower);
	double		of_version;
	double		others;
	double		selectivity;

	if (bound->rinfo == NULL || bound->rinfo->norm_selec >= 0)
		return;
	if (newest && memcmp(&bound->uuid, &range->lower, UUID_LEN) == 0)
		selectivity = range->rows;
	else if (newest)
		selectivity = keys;
	else
	{
		uuidnew_rows_below(stats, &bound->uuid, &of_version, &others);
		selectivity = of_version + others;
		if (bound->is_lower)
			selectivity = keys - selectivity;
	}
	CLAMP_PROBABILITY(selectivity);
	bound->rinfo->norm_selec = selectivity;
}

/*
 * The same for bounds in what is ORed: core takes out of it what all alternatives
 * have, as a call without ends.
 */
static void
keep_in_alternatives(SupportRequestSelectivity *request, const KeyStatistics *stats,
					 List *conjuncts)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst(cell);
		ListCell   *arm;

		if (!IsA(rinfo, RestrictInfo) || rinfo->orclause == NULL ||
			!is_orclause((Node *) rinfo->orclause))
			continue;
		foreach(arm, castNode(BoolExpr, (Node *) rinfo->orclause)->args)
		{
			List	   *alternative = is_andclause(lfirst(arm)) ?
				castNode(BoolExpr, lfirst(arm))->args : list_make1(lfirst(arm));
			KeyBound   *bounds = palloc(list_length(alternative) * sizeof(KeyBound));
			KeyRange	range;
			int			n;

			n = other_bounds(request->root, alternative, linitial(request->args), NIL, bounds);
			narrow_range(request, stats, bounds, n, &range);
			for (int i = 0; i < n; i++)
				keep_selectivity(stats, &range, &bounds[i]);
			pfree(bounds);
			keep_in_alternatives(request, stats, alternative);
		}
	}
}

/*
 * Is a comparison of the key among the conditions with what may be known, or is
 * there an OR?
 */
static bool
may_be_known(PlannerInfo *root, List *conjuncts, Node *key)
{
	bool		may_be = false;
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst(cell);

		if (!IsA(rinfo, RestrictInfo))
			return true;
		if (rinfo->orclause != NULL)
			may_be = true;
		else if (uuidnew_key_comparison((Node *) rinfo, key) != 0)
		{
			if (is_unknown(get_rightop(rinfo->clause), root->glob->boundParams))
				expect_unknown(root, rinfo);
			else
				may_be = true;
		}
	}
	return may_be;
}

/* Is the key compared with anything, beside a call? */
static bool
has_comparison(List *conjuncts, Node *key)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		if (uuidnew_key_comparison(lfirst(cell), key) != 0)
			return true;
	}
	return false;
}

/* Is a call the first of those that say the same? */
static bool
is_first_call(List *conjuncts, List *args)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		FuncExpr   *call = lfirst(cell);

		if (IsA(call, RestrictInfo))
			call = (FuncExpr *) ((RestrictInfo *) call)->clause;
		if (IsA(call, FuncExpr) && equal(call->args, args))
			return call->args == args;
	}
	return true;
}

/*
 * uuidnew_window_estimate - the part of the rows that a window has.
 */
void
uuidnew_window_estimate(SupportRequestSelectivity *request,
						const UuidVersion *version)
{
	const UuidLayout *layout = uuidnew_window_layout(version, request->args);
	List	   *conjuncts = uuidnew_window_conjuncts(request->root, request->args);
	KeyBound   *bounds = palloc((list_length(conjuncts) + 2) * sizeof(KeyBound));
	RestrictInfo *beside[ARG_UNTIL + 1];
	List	   *own = NIL;
	int			nopen = 0;
	int			nbounds = 0;
	bool		is_known = true;
	bool		is_beside = true;
	bool		is_kept = true;
	int			njoined = 0;
	bool		has_bounds = false;
	VariableStatData vardata;

	uuidnew_refuse_other_layout(request->root, request->funcid, request->args, false);

	uuidnew_find_bounds(conjuncts, request->funcid, version, request->args, beside);
	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
	{
		RestrictInfo *rinfo = beside[i];
		Expr	   *clause;

		if (window_end_is_open(request->args, i))
		{
			nopen++;
			continue;
		}
		own = lappend(own, rinfo);
		is_beside &= rinfo != NULL;
		is_kept &= rinfo != NULL && rinfo->norm_selec >= 0;
		njoined += rinfo != NULL &&
			bms_membership(rinfo->clause_relids) == BMS_MULTIPLE;
		if (is_kept)
			continue;
		clause = rinfo != NULL ? rinfo->clause :
			uuidnew_window_bound(request->root, InvalidOid, request->funcid,
								 version, request->args, i);
		if (clause != NULL &&
			known_bound(request->root, clause, rinfo, &bounds[nbounds], i == ARG_SINCE))
			nbounds++;
		else
			is_known = false;
	}

	/* a call without ends: if there are several, the first counts */
	if (nopen == 2)
	{
		is_kept = !is_first_call(conjuncts, request->args);
		is_beside = has_comparison(conjuncts, linitial(request->args));
	}
	has_bounds = is_beside && (own != NIL || nopen == 2);

	/* what is not known, core takes for its defaults, at the bounds */
	if (has_bounds)
		request->selectivity = njoined == 2 ? JOINED_WINDOW_SELECTIVITY : 1;
	else
		request->selectivity = nopen == 2 ? 1 :
			nopen == 1 ? HALF_OPEN_DEFAULT_SELECTIVITY : WINDOW_DEFAULT_SELECTIVITY;

	if (has_bounds && (is_kept || !may_be_known(request->root, conjuncts, linitial(request->args))) &&
		uuidnew_layout_is_examined(request->root, layout,
								   strip_implicit_coercions(linitial(request->args))))
		 /* the statistics would say nothing new */ ;
	else
	{
		examine_variable(request->root, linitial(request->args), request->varRelid,
						 &vardata);
		uuidnew_warn_of_other_layout(request->root, request->funcid, layout, &vardata);
		if (vardata.rel != NULL && HeapTupleIsValid(vardata.statsTuple) &&
			getBaseType(vardata.atttype) == UUIDOID &&
			nbounds + nopen > 0 && !(is_kept && has_bounds) &&
			statistic_proc_security_check(&vardata, request->funcid))
		{
			KeyStatistics stats;
			KeyRange	range;

			uuidnew_open_statistics(&stats, request->root, &vardata, layout,
									uuidnew_window_epoch(layout, request->args));
			nbounds += other_bounds(request->root, conjuncts, linitial(request->args),
									own, &bounds[nbounds]);
			narrow_range(request, &stats, bounds, nbounds, &range);
			for (int i = 0; i < nbounds; i++)
				keep_selectivity(&stats, &range, &bounds[i]);
			keep_in_alternatives(request, &stats, conjuncts);
			if (has_bounds && njoined == 0)
				request->selectivity = range.part;
			else if (is_known && njoined == 0)
				request->selectivity = range.rows;
			uuidnew_close_statistics(&stats);
		}
		ReleaseVariableStats(vardata);
	}
	pfree(bounds);
	CLAMP_PROBABILITY(request->selectivity);
	if (has_bounds)
		uuidnew_place_call(request->root, request->args);
}
