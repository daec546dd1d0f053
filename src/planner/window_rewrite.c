/*
 * window_rewrite.c
 *	  A window of time is its bounds.
 *
 * Wherever the planner simplifies a call with an end, it becomes the same
 * expression, whatever the query is and wherever the call stands in it, as an
 * SQL function does that core inlines:
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
 * A UUID of another version may lie between the bounds.  So the window over
 * all of time stands beside them, as a filter; it is never rewritten itself.
 * It comes first because its estimate is that of the bounds too
 * (window_estimate.c), and runs after them because it has a higher COST.
 *
 * uuidv7_before, uuidv7_from and the operators of (uuid, timestamptz) are
 * windows with one open end.  The bound of the end that they have is by
 * uuidv7_min(), or uuidv7_max() for <= and >, which give NULL for NULL.
 *
 * A call stays as it is where inlining would refuse it: if the key, layout or
 * epoch, which stand there more than once, is volatile, has a sub-select or is
 * dear.
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

/* A window that is rewritten */
typedef struct Window
{
	PlannerInfo *root;
	const UuidFamily *family;
	const UuidLayout *layout;	/* NULL: not known */
	Oid			schema;			/* where the functions are */
	Node	   *ends[ARG_UNTIL + 1];	/* NULL: the call has only the other */
	int			strategy[ARG_UNTIL + 1];	/* of the comparison with each */
	bool		null_is_open;
	List	   *more;			/* layout and epoch, where they are given */
} Window;

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
 *
 * In a database with an older script, any user who may create functions in the
 * schema can give one the name of a newer function, but not write it in C.
 */
static Node *
make_call(const Window *window, const char *name, List *args)
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
	if (!OidIsValid(funcid) || strcmp(uuidnew_symbol(funcid), name) != 0 ||
		!may_execute(window->root, funcid))
		return NULL;

	/* the plan may hold nothing of it but a constant */
	if (window->root != NULL)
		record_plan_function_dependency(window->root, funcid);
	return (Node *) makeFuncExpr(funcid, get_func_rettype(funcid), args,
								 InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* May an argument be written several times?  As inline_function() asks. */
static bool
may_be_repeated(Node *argument)
{
	QualCost	cost;

	if (contain_volatile_functions(argument) || contain_subplans(argument) ||
		expression_returns_set(argument))
		return false;
	cost_qual_eval(&cost, list_make1(argument), NULL);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/*
 * Do grouping sets group by a condition?  Before PostgreSQL 18 the planner
 * knows what they make NULL by what it looks like, and AND and NOT would take
 * a window apart.
 */
static bool
is_grouped_by_condition(PlannerInfo *root)
{
	ListCell   *cell;

	if (!GROUPED_BY_LOOKS || root == NULL || root->parse == NULL ||
		root->parse->groupingSets == NIL)
		return false;
	foreach(cell, get_sortgrouplist_exprs(root->parse->groupClause,
										  root->parse->targetList))
	{
		if (!IsA(lfirst(cell), Var) && exprType(lfirst(cell)) == BOOLOID)
			return true;
	}
	return false;
}

/*
 * What a call says: (id, since, until [, layout [, epoch]]), or (id, end).  In
 * version 7, what it becomes is without a layout: these functions are
 * leakproof, and so can go behind a security barrier.
 */
static Window
read_window(PlannerInfo *root, FuncExpr *call, const TimeFunction *function)
{
	Window		window = {
		.root = root,
		.family = function->family,
		.layout = uuidnew_call_layout(function->family, call->args),
		.schema = get_func_namespace(call->funcid),
		.strategy = {
			[ARG_SINCE] = BTGreaterEqualStrategyNumber,
			[ARG_UNTIL] = BTLessStrategyNumber
		},
		.null_is_open = list_length(call->args) > ARG_UNTIL,
		.more = list_copy_tail(call->args, ARG_LAYOUT)
	};

	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		if (function->strategy[end] == 0)
			continue;
		window.strategy[end] = function->strategy[end];
		window.ends[end] = list_nth(call->args, window.null_is_open ? end : 1);
	}
	if (window.family->version == 7 && window.layout != NULL)
	{
		window.family = window.layout == uuidnew_v7_rfc9562 ?
			&uuidnew_uuidv7_family : &uuidnew_v7;
		window.more = NIL;
	}
	return window;
}

/* The window over all of time; NULL if the user may not execute it. */
static Node *
make_filter(const Window *window, Node *key)
{
	List	   *args = list_make3(key, uuidnew_time_const(DT_NOBEGIN),
								  uuidnew_time_const(DT_NOEND));

	return make_call(window, "between", list_concat(args, window->more));
}

/* The bound of an end that the call does not have */
static Node *
open_bound(const Window *window, int end)
{
	pg_uuid_t  *bound = palloc(sizeof(pg_uuid_t));

	uuidnew_open_bound(window->layout, end == ARG_UNTIL, bound);
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
							  UUIDPGetDatum(bound), false, false);
}

/*
 * The bound of an end; NULL if there is no function for it that the user may
 * execute.
 */
static Node *
make_bound(const Window *window, int end)
{
	List	   *args = lcons(window->ends[end], list_copy(window->more));
	bool		at_max = window->strategy[end] == BTLessEqualStrategyNumber ||
		window->strategy[end] == BTGreaterStrategyNumber;
	Node	   *bound = NULL;

	if (window->ends[end] == NULL)
		return open_bound(window, end);
	if (window->null_is_open)
		bound = make_call(window, end == ARG_SINCE ? "since" : "until", args);
	if (bound == NULL)
	{
		bound = make_call(window, at_max ? "max" : "min", args);

		/* all that 1.0's script has: NULL is an open end, or a NULL epoch's */
		if (bound != NULL && window->null_is_open)
		{
			CoalesceExpr *choice = makeNode(CoalesceExpr);

			if (window->layout == NULL ||
				(window->more != NIL && !is_known(llast(window->more))))
				return NULL;
			choice->coalescetype = UUIDOID;
			choice->args = list_make2(bound, open_bound(window, end));
			choice->location = -1;
			bound = (Node *) choice;
		}
	}
	return eval_const_expressions(window->root, bound);
}

/* Does a bound leave out no key of the version? */
static bool
is_trivial(Node *bound, int end)
{
	pg_uuid_t	all;

	memset(&all, end == ARG_SINCE ? 0 : 0xFF, sizeof(all));
	return is_known(bound) &&
		memcmp(DatumGetUUIDP(castNode(Const, bound)->constvalue), &all,
			   UUID_LEN) == 0;
}

static Expr *
key_condition(Node *key, int strategy, Node *bound)
{
	Expr	   *condition = make_opclause(uuidnew_operator(strategy), BOOLOID,
										  false, copyObject((Expr *) key),
										  (Expr *) bound, InvalidOid,
										  InvalidOid);

	/* what core simplifies has it, and COPY ... WHERE relies on that */
	set_opfuncid((OpExpr *) condition);
	return condition;
}

/* The expression that a window becomes; NULL if it stays as it is. */
static Node *
rewrite_window(PlannerInfo *root, FuncExpr *call, const TimeFunction *function)
{
	Node	   *key = linitial(call->args);
	Window		window = read_window(root, call, function);
	Node	   *filter;
	List	   *conditions;

	if (!may_be_repeated(key) || !may_be_repeated((Node *) window.more) ||
		is_grouped_by_condition(root) || !may_execute(root, call->funcid))
		return NULL;
	filter = make_filter(&window, key);
	if (filter == NULL)
		return NULL;
	conditions = list_make1(filter);
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		Node	   *bound = make_bound(&window, end);

		if (bound == NULL)
			return NULL;
		if (!is_trivial(bound, end))
			conditions = lappend(conditions,
								 key_condition(key, window.strategy[end],
											   bound));
	}

	/* the plan may hold nothing else of the function */
	if (root != NULL)
		record_plan_function_dependency(root, call->funcid);
	return (Node *) make_ands_explicit(conditions);
}

/* The expression that a call becomes, after the guard has been asked */
static Node *
simplify_call(SupportRequestSimplify *request)
{
	FuncExpr   *call = request->fcall;
	const TimeFunction *function = uuidnew_time_function(call->funcid);

	if (function == NULL)
		return NULL;
	if (function->counterpart != NULL)
		uuidnew_guard_statement(request->root);
	if ((function->strategy[ARG_SINCE] == 0 &&
		 function->strategy[ARG_UNTIL] == 0) || uuidnew_is_filter(call->args))
		return NULL;
	return rewrite_window(request->root, call, function);
}

/* The answer to a request of the planner, or NULL */
static Node *
support(Node *request)
{
	if (IsA(request, SupportRequestSimplify))
		return simplify_call((SupportRequestSimplify *) request);
	if (IsA(request, SupportRequestSelectivity))
		return uuidnew_estimate_window((SupportRequestSelectivity *) request);
	return NULL;
}

/* They are the same: the function that is called says what it is. */
#define SUPPORT_FUNCTION(name) \
	SQL_FUNCTION(name##_support, \
				 PointerGetDatum(support((Node *) PG_GETARG_POINTER(0))))

SUPPORT_FUNCTION(uuid_v6_between)
SUPPORT_FUNCTION(uuid_v7_between)
SUPPORT_FUNCTION(uuidv7_between)
SUPPORT_FUNCTION(uuid_v8_between)
SUPPORT_FUNCTION(uuid_v7_timestamp)		/* all readers of version 7 */
