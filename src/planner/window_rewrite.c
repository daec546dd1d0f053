/*
 * window_rewrite.c
 *	  A window of time is its bounds.
 *
 * Wherever the planner simplifies a call of a window, it becomes the same
 * expression, as an SQL function does that core inlines:
 *
 *	   uuidv7_between(id, since, until)
 *
 *	   uuidv7_is(id)
 *		   AND id >= uuidv7_since(since) AND id < uuidv7_until(until)
 *
 * So whatever core does with comparisons it does with a window: scan an index,
 * prune partitions, exclude tables by their constraints, use partial indexes,
 * reduce outer joins, look behind row-level security.
 *
 * A UUID of another version may lie between the bounds, so a filter stands
 * beside them.  It comes first because its estimate is that of the bounds too
 * (window_estimate.c), and runs after them because it has a higher COST.
 *
 * since() and until() of NULL are open ends.  Other bounds are NULL for NULL.
 *
 * A call stays where inlining would refuse it: if the key, range, layout or
 * epoch, which are repeated, is volatile, has a sub-select or is dear.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"
#include "optimizer/tlist.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/window.h"

/* A call that is rewritten: (id, ends or operand [, layout [, epoch]]) */
typedef struct WindowCall
{
	PlannerInfo *root;
	Oid			support;		/* the planner support function */
	Oid			schema;			/* where the functions are */
	List	   *args;
	const UuidFamily *family;
	const UuidLayout *layout;	/* NULL: not known */
	List	   *more;			/* layout and epoch, where they are given */
} WindowCall;

/*
 * May the user execute a function?  A plan that has it, or stands for it, is
 * for this user alone, unless everybody may.
 */
static bool
may_execute(PlannerInfo *root, Oid funcid)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		everybody;

	if (!HeapTupleIsValid(tuple))
		return false;
	everybody = heap_attisnull(tuple, Anum_pg_proc_proacl, NULL);
	ReleaseSysCache(tuple);
	if (!everybody && root != NULL && root->glob != NULL)
		root->glob->dependsOnRole = true;
	return everybody || object_aclcheck(ProcedureRelationId, funcid,
										GetUserId(), ACL_EXECUTE) ==
		ACLCHECK_OK;
}

/*
 * A call of the extension's function that has its first name still, in the
 * schema of the call that is rewritten; NULL if it is not there, or the user
 * may not execute it.
 */
static Node *
make_call(const WindowCall *window, const char *name, List *args)
{
	Oid			types[ARG_EPOCH + 1];
	int			nargs = 0;
	Oid			funcid;
	ListCell   *cell;

	foreach(cell, args)
		types[nargs++] = exprType(lfirst(cell));
	name = psprintf("%s%s", window->family->function_prefix, name);
	funcid = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							 CStringGetDatum(name),
							 PointerGetDatum(buildoidvector(types, nargs)),
							 ObjectIdGetDatum(window->schema));
	if (!OidIsValid(funcid) ||
		strcmp(uuidnew_symbol(funcid, window->support), name) != 0 ||
		!may_execute(window->root, funcid))
		return NULL;

	/* the plan may hold nothing of it but a constant */
	if (window->root != NULL)
		record_plan_function_dependency(window->root, funcid);
	return (Node *) makeFuncExpr(funcid, get_func_rettype(funcid), args,
								 InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* May it be repeated?  What has no columns is computed once a scan. */
static bool
may_be_repeated(Node *argument)
{
	QualCost	cost;

	if (contain_volatile_functions(argument) || contain_subplans(argument) ||
		expression_returns_set(argument))
		return false;
	cost_qual_eval(&cost, list_make1(argument), NULL);
	return cost.startup + cost.per_tuple <=
		(contain_var_clause(argument) ? 10 : 1000) * cpu_operator_cost;
}

/*
 * Do grouping sets group by what may be part of a window: a condition or a
 * bound?  Before PostgreSQL 18 what they make NULL is known by its looks.
 */
static bool
is_grouped_by_part(PlannerInfo *root)
{
	ListCell   *cell;

	if (!GROUPED_BY_LOOKS || root == NULL || root->parse == NULL ||
		root->parse->groupingSets == NIL)
		return false;
	foreach(cell, get_sortgrouplist_exprs(root->parse->groupClause,
										  root->parse->targetList))
	{
		if (!IsA(lfirst(cell), Var) &&
			(exprType(lfirst(cell)) == BOOLOID ||
			 exprType(lfirst(cell)) == UUIDOID))
			return true;
	}
	return false;
}

/*
 * The bound of an end; NULL if there is no function for it that the user may
 * execute.
 */
static Node *
make_bound(const WindowCall *window, const WindowEnd *end)
{
	Node	   *arg = end->argno > 0 ? list_nth(window->args, end->argno) :
		(Node *) makeNullConst(TIMESTAMPTZOID, -1, InvalidOid);

	return make_call(window, end->bound, lcons(arg, list_copy(window->more)));
}

/* Does a bound leave out no key of its version? */
static bool
is_trivial(Node *bound, int end)
{
	UuidPayload payload;

	if (!is_known(bound))
		return false;
	payload = uuid_unpack(DatumGetUUIDP(castNode(Const, bound)->constvalue));
	return end == SINCE ? payload.hi == 0 && payload.lo == 0 :
		payload.hi == low_bits(UUID_HI_BITS) &&
		payload.lo == low_bits(UUID_LO_BITS);
}

/* The comparison of the key with an end: NULL for NULL, so core sees it */
static Node *
key_condition(Node *key, int strategy, Node *bound)
{
	Expr	   *condition;

	if (IsA(bound, Const) && castNode(Const, bound)->constisnull)
		return makeBoolConst(false, true);
	condition = make_opclause(uuidnew_operator(strategy), BOOLOID, false,
							  copyObject((Expr *) key), (Expr *) bound,
							  InvalidOid, InvalidOid);

	/* what core simplifies has it, and COPY ... WHERE relies on that */
	set_opfuncid((OpExpr *) condition);
	return (Node *) condition;
}

/*
 * The expression that a window becomes; NULL if it stays as it is.
 *
 * In version 7, it is without a layout: the functions that need none are
 * leakproof, and so can go behind a security barrier.
 */
static Node *
rewrite_window(PlannerInfo *root, Oid support, FuncExpr *call,
			   const TimeFunction *function)
{
	WindowCall	window = {
		.root = root,
		.support = support,
		.schema = get_func_namespace(call->funcid),
		.args = call->args,
		.family = function->family,
		.more = list_copy_tail(call->args, ARG_LAYOUT)
	};
	Node	   *key = linitial(call->args);
	Node	   *filter;
	List	   *conditions;
	Node	   *bounds[ENDS];

	if (!uuidnew_call_layout(window.family, call->args, &window.layout) ||
		!may_be_repeated(key) || !may_be_repeated((Node *) window.more) ||
		(function->ends[SINCE].argno == function->ends[UNTIL].argno &&
		 !may_be_repeated(lsecond(call->args))) ||
		is_grouped_by_part(root) || !may_execute(root, call->funcid))
		return NULL;
	if (window.family->version == 7 && window.layout != NULL)
	{
		window.family = window.layout == uuidnew_v7_rfc9562 ?
			&uuidnew_uuidv7_family : &uuidnew_v7;
		window.more = NIL;
	}

	filter = make_call(&window, "is", lcons(key, list_copy(window.more)));
	for (int i = SINCE; i < ENDS; i++)
		bounds[i] = make_bound(&window, &function->ends[i]);
	if (filter == NULL || bounds[SINCE] == NULL || bounds[UNTIL] == NULL)
		return NULL;
	conditions = list_make1(filter);
	for (int i = SINCE; i < ENDS; i++)
	{
		Node	   *bound = eval_const_expressions(root, bounds[i]);

		if (!is_trivial(bound, i))
			conditions = lappend(conditions,
								 key_condition(key, function->ends[i].strategy,
											   bound));
	}

	/* the plan may hold nothing else of the function */
	if (root != NULL)
		record_plan_function_dependency(root, call->funcid);
	return (Node *) make_ands_explicit(conditions);
}

/* (internal) -> internal: planner support of all windows and filters */
PG_FUNCTION_INFO_V1(uuidnew_window_support);
Datum
uuidnew_window_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);
	Oid			support = fcinfo->flinfo->fn_oid;
	const TimeFunction *function;
	Node	   *result = NULL;

	if (IsA(node, SupportRequestSimplify))
	{
		SupportRequestSimplify *request = (SupportRequestSimplify *) node;

		function = uuidnew_time_function(request->fcall->funcid, support);
		if (function != NULL && !function->is_filter)
			result = rewrite_window(request->root, support, request->fcall,
									function);
	}
	else if (IsA(node, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *request =
			(SupportRequestSelectivity *) node;

		function = uuidnew_time_function(request->funcid, support);
		if (function != NULL && function->is_filter)
			result = uuidnew_estimate_filter(request,
											 function->family);
	}
	PG_RETURN_POINTER(result);
}
