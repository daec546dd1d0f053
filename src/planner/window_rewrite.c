/*
 * window_rewrite.c
 *	  A window of time is its bounds.
 *
 * Wherever the planner simplifies a call with an end, it becomes the same
 * expression, whatever the query is and wherever the call stands in it, as core
 * does with an SQL function that it inlines:
 *
 *	   uuidv7_between(id, since, until)
 *
 *	   uuidv7_between(id, '-infinity', 'infinity')
 *		   AND id >= uuidv7_since(since) AND id < uuidv7_until(until)
 *
 * So whatever core does with comparisons it does with a window: scan an index,
 * prune partitions, exclude tables by their constraints, use partial indexes,
 * reduce outer joins, look behind row-level security.
 *
 * A UUID of another version may lie between the bounds.  So the window over all
 * of time stands beside them, as a filter; it is never rewritten itself.  It
 * comes first because its estimate is that of the bounds too
 * (window_estimate.c), and runs after them because it costs a little more.
 *
 * A call stays as it is where inlining would refuse it: if the key, layout or
 * epoch, which stand there more than once, is volatile, has a sub-select or is
 * dear.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"
#include "optimizer/tlist.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/catalog.h"
#include "planner/guard.h"
#include "planner/window.h"
#include "sql/arguments.h"

/* Above the cost of a comparison with a constant, which runs first. */
#define FILTER_COST		(1.01 * cpu_operator_cost)

/* Is a call the filter that a window leaves? */
static bool
is_filter(List *args)
{
	Node	   *since = list_nth(args, ARG_SINCE);
	Node	   *until = list_nth(args, ARG_UNTIL);

	return uuidnew_is_known(since) && uuidnew_is_known(until) &&
		TIMESTAMP_IS_NOBEGIN(DatumGetTimestampTz(castNode(Const, since)->constvalue)) &&
		TIMESTAMP_IS_NOEND(DatumGetTimestampTz(castNode(Const, until)->constvalue));
}

/* May an argument be written several times?  As core asks in inline_function(). */
static bool
may_be_repeated(Node *argument)
{
	QualCost	cost;

	if (IsA(argument, Var) || IsA(argument, Const) || IsA(argument, Param))
		return true;
	if (contain_volatile_functions(argument) || contain_subplans(argument) ||
		expression_returns_set(argument))
		return false;
	cost_qual_eval(&cost, list_make1(argument), NULL);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

static bool
is_sql_function(Oid funcid, void *context)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		is_sql = HeapTupleIsValid(tuple) &&
		((Form_pg_proc) GETSTRUCT(tuple))->prolang == SQLlanguageId;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return is_sql;
}

/* Is there a window, or a call of an SQL function, which may become one? */
static bool
may_be_window(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == *(Oid *) context &&
		!is_filter(castNode(FuncExpr, node)->args))
		return true;
	if (check_functions_in_node(node, is_sql_function, NULL))
		return true;
	return expression_tree_walker(node, may_be_window, context);
}

/*
 * May grouping sets group by a window?  Before PostgreSQL 18 the planner knows
 * what they make NULL by what it looks like, and AND and NOT take that apart.
 */
static bool
may_be_grouped_by(PlannerInfo *root, Oid funcid)
{
	ListCell   *cell;

	if (!GROUPED_BY_LOOKS || root == NULL || root->parse == NULL ||
		root->parse->groupingSets == NIL)
		return false;
	foreach(cell, root->parse->groupClause)
	{
		if (may_be_window(get_sortgroupclause_expr(lfirst(cell), root->parse->targetList),
						  &funcid))
			return true;
	}
	return false;
}

/*
 * A version 7 window whose layout is known, by the function without a layout:
 * it is leakproof, and so can go behind a security barrier.
 */
static Oid
function_without_layout(FuncExpr *call, const UuidLayout *layout)
{
	static const Oid types[] = {UUIDOID, TIMESTAMPTZOID, TIMESTAMPTZOID};

	return uuidnew_sibling_function(call->funcid, layout == uuidnew_v7_rfc9562 ?
									"uuidv7_between" : "uuid_v7_between",
									types, lengthof(types));
}

/* Are a call's layout and epoch constants? */
static bool
is_layout_known(List *args)
{
	for (int i = ARG_LAYOUT; i < list_length(args); i++)
	{
		if (!uuidnew_is_known(list_nth(args, i)))
			return false;
	}
	return true;
}

/* The bound of an end that is constant, or (time NULL) of one that is open. */
static Node *
constant_bound(List *args, const UuidLayout *layout, int end, const TimestampTz *time)
{
	pg_uuid_t  *bound = palloc(sizeof(pg_uuid_t));
	int64		epoch = layout_epoch(layout);

	if (list_length(args) > ARG_EPOCH)
		epoch = uuidnew_check_epoch(layout, DatumGetTimestampTz(
																list_nth_node(Const, args, ARG_EPOCH)->constvalue));
	uuidnew_window_bound(layout, epoch, end, time, bound);
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, UUIDPGetDatum(bound),
							  false, false);
}

/*
 * The bound of an end; NULL if it has to be computed when the query runs, and
 * there is no function for that which the user may execute.
 *
 * A database whose script is that of 1.0 has only NAMEmin.
 */
static Node *
make_bound(PlannerInfo *root, FuncExpr *call, const UuidVersion *version, int end,
		   const UuidLayout *layout)
{
	static const Oid types[] = {TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID};
	Const	   *time = list_nth(call->args, end);
	List	   *args = lcons(time, list_copy_tail(call->args, ARG_LAYOUT));
	bool		is_known = is_layout_known(call->args);
	const char *name = psprintf("%s%s", version->function_prefix,
								end == ARG_SINCE ? "since" : "until");
	Oid			function;
	CoalesceExpr *choice;
	Node	   *bound;

	if (is_known && uuidnew_is_known((Node *) time))
		return constant_bound(call->args, layout, end,
							  &(TimestampTz) {DatumGetTimestampTz(time->constvalue)});
	if (is_known && IsA(time, Const))
		return constant_bound(call->args, layout, end, NULL);

	function = uuidnew_sibling_function(call->funcid, name, types, list_length(args));
	if (OidIsValid(function) || !is_known)
		return uuidnew_may_execute(root, function) ?
			(Node *) makeFuncExpr(function, UUIDOID, args, InvalidOid, InvalidOid,
								  COERCE_EXPLICIT_CALL) : NULL;

	function = uuidnew_sibling_function(call->funcid,
										psprintf("%smin", version->function_prefix),
										types, list_length(args));
	if (!uuidnew_may_execute(root, function))
		return NULL;
	bound = (Node *) makeFuncExpr(function, UUIDOID, args, InvalidOid, InvalidOid,
								  COERCE_EXPLICIT_CALL);
	choice = makeNode(CoalesceExpr);
	choice->coalescetype = UUIDOID;
	choice->args = list_make2(bound, constant_bound(call->args, layout, end, NULL));
	choice->location = -1;
	return (Node *) choice;
}

/* Does a bound leave out no key of the version? */
static bool
is_trivial(Node *bound, int end)
{
	pg_uuid_t	all;

	memset(&all, end == ARG_SINCE ? 0 : 0xFF, sizeof(all));
	return uuidnew_is_known(bound) &&
		memcmp(DatumGetUUIDP(castNode(Const, bound)->constvalue), &all, UUID_LEN) == 0;
}

static Expr *
key_condition(Node *key, int end, Node *bound)
{
	Oid			less = lookup_type_cache(UUIDOID, TYPECACHE_LT_OPR)->lt_opr;
	Expr	   *condition = make_opclause(end == ARG_SINCE ? get_negator(less) : less,
										  BOOLOID, false, (Expr *) copyObject(key),
										  (Expr *) bound, InvalidOid, InvalidOid);

	/* what core simplifies has it, and COPY ... WHERE relies on that */
	set_opfuncid((OpExpr *) condition);
	return condition;
}

static Node *
filter_of(FuncExpr *call)
{
	FuncExpr   *filter = copyObject(call);
	TimestampTz ends[] = {DT_NOBEGIN, DT_NOEND};

	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
		lfirst(list_nth_cell(filter->args, i)) =
			makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
					  TimestampTzGetDatum(ends[i - ARG_SINCE]), false, FLOAT8PASSBYVAL);
	return (Node *) filter;
}

/* The expression that a call becomes; NULL if it stays as it is. */
static Node *
rewrite_window(PlannerInfo *root, FuncExpr *call, const UuidVersion *version)
{
	const UuidLayout *layout = uuidnew_layout_read(version, call->args, ARG_LAYOUT);
	FuncExpr   *window = call;
	List	   *conditions;

	if (root != NULL && !uuidnew_may_execute(root, call->funcid))
		return NULL;
	if (layout != NULL && version->version == 7 && list_length(call->args) > ARG_LAYOUT)
	{
		Oid			without = function_without_layout(call, layout);

		if (uuidnew_may_execute(root, without))
		{
			window = copyObject(call);
			window->funcid = without;
			window->inputcollid = InvalidOid;
			window->args = list_truncate(window->args, ARG_LAYOUT);
			version = layout == uuidnew_v7_rfc9562 ? &uuidnew_uuidv7_family : &uuidnew_v7;
		}
	}

	conditions = list_make1(filter_of(window));
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		Node	   *bound = make_bound(root, window, version, end, layout);

		if (bound == NULL)
			return NULL;
		if (!is_trivial(bound, end))
			conditions = lappend(conditions,
								 key_condition(linitial(window->args), end, bound));
	}

	/* the plan may hold nothing else of the function */
	if (root != NULL)
		record_plan_function_dependency(root, call->funcid);
	return (Node *) make_ands_explicit(conditions);
}

static Node *
simplify_window(SupportRequestSimplify *request, const UuidVersion *version)
{
	FuncExpr   *call = request->fcall;

	if (is_filter(call->args))
		return NULL;
	uuidnew_check_simplified_call(request->root, call, version);
	if (!may_be_repeated(linitial(call->args)) ||
		may_be_grouped_by(request->root, call->funcid))
		return NULL;
	for (int i = ARG_LAYOUT; i < list_length(call->args); i++)
	{
		if (!may_be_repeated(list_nth(call->args, i)))
			return NULL;
	}
	return rewrite_window(request->root, call, version);
}

static SupportRequestCost *
cost_of_window(SupportRequestCost *request, const UuidVersion *version)
{
	FuncExpr   *call = (FuncExpr *) request->node;

	if (call == NULL || !IsA(call, FuncExpr))
		return NULL;
	uuidnew_check_planned_call(request->root, call->funcid, call->args, version);
	if (!is_filter(call->args))
		return NULL;
	request->startup = 0;
	request->per_tuple = FILTER_COST;
	return request;
}

/* uuidnew_window_support - the answer to a request of the planner, or NULL. */
Datum
uuidnew_window_support(Node *request, const UuidVersion *version)
{
	void	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
		answer = simplify_window((SupportRequestSimplify *) request, version);
	else if (IsA(request, SupportRequestCost))
		answer = cost_of_window((SupportRequestCost *) request, version);
	else if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *estimate = (SupportRequestSelectivity *) request;

		uuidnew_check_planned_call(estimate->root, estimate->funcid, estimate->args, version);
		if (is_filter(estimate->args))
		{
			uuidnew_estimate_window(estimate, version);
			answer = estimate;
		}
	}
	PG_RETURN_POINTER(answer);
}
