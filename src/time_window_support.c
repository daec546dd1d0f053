/*
 * time_window_support.c
 *	  What the planner may know about a window of time.
 *
 * The support functions of uuid_v6_between, uuid_v7_between, uuidv7_between and
 * uuid_v8_between tell the planner what follows for the key itself, by the
 * bounds that layout.c makes:
 *
 *	   uuid_v7_between(id, since, until)
 *	   id >= uuid_v7_min(since) AND id < uuid_v7_min(until)
 *
 * 1. In a WHERE or ON the window is written as its bounds, before the planner
 *	  does anything else (SupportRequestSimplify, time_window_simplify.c).  So whatever it can do with
 *	  comparisons written by hand it does for a window: scan an index, prune
 *	  partitions, exclude tables by their constraints, use partial indexes,
 *	  reduce outer joins, look behind row-level security.
 * 2. A key of another version may lie between the bounds.  So what is left of the
 *	  call stands beside them, without its ends:
 *
 *	   uuid_v7_between(id, NULL, NULL)
 *
 *	  Where a constraint says that there are no such keys, it is no condition of
 *	  a scan.
 * 3. The planner can't tell two uuids of one histogram bin apart: uuid is
 *	  missing in its convert_to_scalar.  So it would estimate the bounds at one
 *	  row where they find a bin's.  time_window_estimate.c does better, by the
 *	  times in the histogram (SupportRequestSelectivity).
 * 4. A window whose ends come from another table keeps them in the call too: a
 *	  join is estimated by it.  So does one that an index has in a predicate or
 *	  expression, to be found there.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/uuid.h"

#include "arguments.h"
#include "compat.h"
#include "key_checks.h"
#include "time_window.h"

/*
 * What stands in an AND with a call, when the planner has made a list of each
 * table's conditions.
 */

static List *
conjuncts_with(List *conjuncts, List *args)
{
	ListCell   *cell;

	foreach(cell, conjuncts)
	{
		Node	   *node = lfirst(cell);
		Node	   *clause = IsA(node, RestrictInfo) ?
			(Node *) castNode(RestrictInfo, node)->clause : node;

		if (IsA(clause, FuncExpr) && castNode(FuncExpr, clause)->args == args)
			return conjuncts;
	}
	foreach(cell, conjuncts)
	{
		Node	   *node = lfirst(cell);
		List	   *found = NIL;

		if (IsA(node, RestrictInfo))
			node = (Node *) castNode(RestrictInfo, node)->orclause;
		if (node != NULL && is_orclause(node))
		{
			ListCell   *arm;

			foreach(arm, castNode(BoolExpr, node)->args)
			{
				Node	   *either = lfirst(arm);

				if (is_andclause(either))
					found = conjuncts_with(castNode(BoolExpr, either)->args, args);
				else
					found = conjuncts_with(list_make1(either), args);
				if (found != NIL)
					return found;
			}
		}
	}
	return NIL;
}

/*
 * uuidnew_window_conjuncts - the conditions that are ANDed with a call, and the
 * call itself, known by its list of arguments; NIL if it is not found.
 */
List *
uuidnew_window_conjuncts(PlannerInfo *root, List *args)
{
	Var		   *key = uuidnew_column_in_key(args);
	RelOptInfo *rel;
	List	   *found;

	if (key == NULL || root == NULL || root->simple_rel_array == NULL ||
		key->varno < 1 || (int) key->varno >= root->simple_rel_array_size)
		return NIL;
	rel = root->simple_rel_array[key->varno];
	if (rel == NULL)
		return NIL;
	found = conjuncts_with(rel->baserestrictinfo, args);
	if (found == NIL)
		found = conjuncts_with(rel->joininfo, args);

	/*
	 * the bound of an end that is of no other table is where the table's
	 * conditions are
	 */
	if (found != NIL && found == rel->joininfo)
		found = list_concat_copy(found, rel->baserestrictinfo);
	return found;
}

static bool
has_pseudoconstant(RelOptInfo *rel)
{
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		if (lfirst_node(RestrictInfo, cell)->pseudoconstant)
			return true;
	}
	return false;
}

/*
 * uuidnew_place_call - a call that has its bounds beside it, after they were
 * estimated by it.
 *
 * Where a constraint says as much as the call, it is no condition any more.  Core
 * leaves out of a scan what does not depend on its rows.  If there are such
 * conditions, it puts them into a node above the scan, which is no loss only where it
 * is there anyway.  Other calls are evaluated after the
 * conditions of their security level: they cost less, but their bounds tell most rows
 * apart.
 */
void
uuidnew_place_call(PlannerInfo *root, List *args)
{
	RelOptInfo *rel = root->simple_rel_array[uuidnew_column_in_key(args)->varno];
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);
		FuncExpr   *call = (FuncExpr *) rinfo->clause;

		if (!IsA(call, FuncExpr) || call->args != args)
			continue;
		if (!uuidnew_key_is_checked(root, rel, call))
		{
			rinfo->security_level++;
			rinfo->leakproof = false;
			rinfo->eval_cost.startup = 0;
			rinfo->eval_cost.per_tuple = 0;
		}
		else if ((!root->hasPseudoConstantQuals || has_pseudoconstant(rel)) &&
				 window_end_is_open(args, ARG_SINCE) && window_end_is_open(args, ARG_UNTIL))
		{
			rinfo->clause = (Expr *) makeBoolConst(true, false);
			rinfo->pseudoconstant = true;
		}
		break;
	}
}

/*
 * uuidnew_key_comparison - how a condition compares the key with something, by a
 * B-tree strategy of core's; 0 if it does not.
 */
int16
uuidnew_key_comparison(Node *clause, Node *key)
{
	if (IsA(clause, RestrictInfo))
		clause = (Node *) castNode(RestrictInfo, clause)->clause;
	if (!is_opclause(clause))
		return 0;
	set_opfuncid((OpExpr *) clause);
	if (!equal(get_leftop(clause), key))
		return 0;
	switch (castNode(OpExpr, clause)->opfuncid)
	{
		case F_UUID_LT:
			return BTLessStrategyNumber;
		case F_UUID_LE:
			return BTLessEqualStrategyNumber;
		case F_UUID_EQ:
			return BTEqualStrategyNumber;
		case F_UUID_GE:
			return BTGreaterEqualStrategyNumber;
		case F_UUID_GT:
			return BTGreaterStrategyNumber;
		default:
			return 0;
	}
}

/* The epoch of a call, TimestampTz; its default where it is not known. */
int64
uuidnew_window_epoch(const UuidLayout *layout, List *args)
{
	if (list_length(args) <= ARG_EPOCH || !is_known(list_nth(args, ARG_EPOCH)))
		return layout_epoch(layout);
	return uuidnew_check_epoch(layout,
							   DatumGetTimestampTz(castNode(Const, list_nth(args, ARG_EPOCH))->constvalue));
}

/*
 * Is this what an end of a window became in its bound: the smallest UUID of the
 * time, or what is computed when the query runs?
 */
static bool
is_bound_of(Node *uuid, Oid funcid, Oid min, const UuidVersion *version, List *args,
			int argno)
{
	Node	   *end = list_nth(args, argno);

	if (IsA(uuid, Const))
	{
		const UuidLayout *layout = uuidnew_window_layout(version, args);
		pg_uuid_t	bound;

		for (int i = ARG_LAYOUT; i < list_length(args); i++)
		{
			if (!is_known(list_nth(args, i)))
				return false;
		}
		if (!is_known(end) || !is_known(uuid))
			return false;
		uuidnew_layout_min(layout, uuidnew_window_epoch(layout, args),
						   DatumGetTimestampTz(castNode(Const, end)->constvalue), &bound);
		return memcmp(&bound, DatumGetUUIDP(castNode(Const, uuid)->constvalue), UUID_LEN) == 0;
	}
	if (IsA(uuid, MinMaxExpr))
		uuid = linitial(castNode(MinMaxExpr, uuid)->args);
	if (!IsA(uuid, FuncExpr) ||
		list_length(castNode(FuncExpr, uuid)->args) != list_length(args) - ARG_UNTIL ||
		!equal(linitial(castNode(FuncExpr, uuid)->args), end))
		return false;
	if (castNode(FuncExpr, uuid)->funcid != min &&
		castNode(FuncExpr, uuid)->funcid !=
		uuidnew_window_function(funcid, version, argno == ARG_SINCE ? "since" : "until", args))
		return false;
	for (int i = ARG_LAYOUT; i < list_length(args); i++)
	{
		if (!equal(list_nth(castNode(FuncExpr, uuid)->args, i - ARG_UNTIL), list_nth(args, i)))
			return false;
	}
	return true;
}

/*
 * uuidnew_find_bounds - the conditions beside a call that are the bounds of its
 * ends, as core keeps them; NULL for an end that has none.
 */
void
uuidnew_find_bounds(List *conjuncts, Oid funcid, const UuidVersion *version,
					List *args, RestrictInfo *bounds[ARG_UNTIL + 1])
{
	Oid			min;
	ListCell   *cell;

	bounds[ARG_SINCE] = bounds[ARG_UNTIL] = NULL;
	if (window_end_is_open(args, ARG_SINCE) && window_end_is_open(args, ARG_UNTIL))
		return;
	min = uuidnew_window_function(funcid, version, "min", args);
	foreach(cell, conjuncts)
	{
		RestrictInfo *rinfo = lfirst(cell);
		int16		strategy;

		if (!IsA(rinfo, RestrictInfo))
			continue;
		strategy = uuidnew_key_comparison((Node *) rinfo, linitial(args));
		for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
		{
			if (bounds[i] == NULL && strategy == window_end_strategy(i) &&
				is_bound_of(get_rightop(rinfo->clause), funcid, min, version, args, i))
				bounds[i] = rinfo;
		}
	}
}

/* Are all bounds of a call beside it? */
static bool
has_bounds_beside(PlannerInfo *root, Oid funcid, const UuidVersion *version, List *args)
{
	RestrictInfo *bounds[ARG_UNTIL + 1];
	bool		has_since;
	bool		has_until;

	if (window_end_is_open(args, ARG_SINCE) && window_end_is_open(args, ARG_UNTIL))
		return true;
	uuidnew_find_bounds(uuidnew_window_conjuncts(root, args), funcid, version, args, bounds);
	has_since = bounds[ARG_SINCE] != NULL;
	has_until = bounds[ARG_UNTIL] != NULL;
	return (has_since || window_end_is_open(args, ARG_SINCE)) &&
		(has_until || window_end_is_open(args, ARG_UNTIL));
}

static List *
window_index_condition(SupportRequestIndexCondition *request, const UuidVersion *version)
{
	FuncExpr   *call;

	/* LIKE and such come as OpExpr, a call of ours is a FuncExpr */
	if (!is_funcclause(request->node) || request->indexarg != ARG_ID)
		return NIL;
	call = castNode(FuncExpr, request->node);
	for (int i = ARG_SINCE; i < list_length(call->args); i++)
	{
		if (!is_pseudo_constant_for_index(request->root, list_nth(call->args, i),
										  request->index))
			return NIL;
	}

	/* else a key of another version may be in between */
	request->lossy = !uuidnew_key_is_checked(request->root, request->index->rel, call);
	if (!has_bounds_beside(request->root, request->funcid, version, call->args))
		return uuidnew_window_bounds(request->root, request->funcid, version, call->args,
									 request->opfamily);

	/*
	 * The bounds are conditions of the index already.  A call that says no
	 * more than they do is one too, so that the rows found are not filtered
	 * by it: one that keeps its ends, or that could not be left out.
	 */
	if (request->lossy || !request->index->amsearchnulls)
		return NIL;
	return list_make1(uuidnew_null_test((Node *) copyObject(linitial(call->args)), IS_NOT_NULL));
}

/* With its bounds beside it, a call costs nothing: a plan costs what it does by hand. */
static SupportRequestCost *
window_cost(SupportRequestCost *request, const UuidVersion *version)
{
	FuncExpr   *call = (FuncExpr *) request->node;

	if (request->root == NULL || call == NULL || !IsA(call, FuncExpr) ||
		!has_bounds_beside(request->root, request->funcid, version, call->args))
		return NULL;
	request->startup = 0;
	request->per_tuple = 0;
	return request;
}

/*
 * uuidnew_window_support - the answer to a request of the planner, or NULL.
 */
Datum
uuidnew_window_support(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	void	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
		answer = uuidnew_simplify_window((SupportRequestSimplify *) request, version);
	else if (IsA(request, SupportRequestIndexCondition))
		answer = window_index_condition((SupportRequestIndexCondition *) request,
										version);
	else if (IsA(request, SupportRequestCost))
		answer = window_cost((SupportRequestCost *) request, version);
	else if (IsA(request, SupportRequestSelectivity))
	{
		uuidnew_window_estimate((SupportRequestSelectivity *) request, version);
		answer = request;
	}
	PG_RETURN_POINTER(answer);
}
