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
 * (window_estimate.c), and runs after them because it costs a little more.
 *
 * uuidv7_before and uuidv7_from are windows with one open end.  The bound of
 * the end that they have is by uuidv7_min(), which gives NULL for NULL.
 *
 * A call stays as it is where inlining would refuse it: if the key, layout or
 * epoch, which stand there more than once, is volatile, has a sub-select or is
 * dear.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_language.h"
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
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/window.h"
#include "sql/arguments.h"

/* Above the cost of a comparison with a constant, which runs first. */
#define FILTER_COST		(1.01 * cpu_operator_cost)

/* The operators that compare UUIDs */
#define UUID_FAMILY \
	(lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf)

/* A window that is rewritten */
typedef struct Window
{
	PlannerInfo *root;
	const UuidFamily *family;
	const UuidLayout *layout;	/* NULL: not known */
	Oid			schema;			/* where the functions are */
	Node	   *ends[ARG_UNTIL + 1];	/* NULL: the call has only the other */
	bool		null_is_open;
	List	   *more;			/* layout and epoch, where they are given */
} Window;

/*
 * uuidnew_call_layout - the layout that a call names, the family's default
 * where it names none; NULL if it is not known when the query is planned.
 *
 * Raises 22023 for a name that is not a layout's.
 */
const UuidLayout *
uuidnew_call_layout(const UuidFamily *family, List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		Const	   *name = lfirst(cell);

		if (exprType((Node *) name) == TEXTOID)
			return !is_known((Node *) name) ? NULL :
				uuidnew_find_layout(family, DatumGetTextPP(name->constvalue));
	}
	return family->default_layout;
}

static Const *
time_const(TimestampTz time)
{
	return makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
					 TimestampTzGetDatum(time), false, FLOAT8PASSBYVAL);
}

/* Is a call the filter that a window leaves? */
static bool
is_filter(List *args)
{
	return list_length(args) > ARG_UNTIL &&
		equal(list_nth(args, ARG_SINCE), time_const(DT_NOBEGIN)) &&
		equal(list_nth(args, ARG_UNTIL), time_const(DT_NOEND));
}

static bool
may_execute(Oid funcid)
{
	return object_aclcheck(ProcedureRelationId, funcid, GetUserId(),
						   ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * A call of the extension's function of that name, in the schema of the call
 * that is rewritten; NULL if it is not there, or the user may not execute it.
 *
 * In a database with an older script, any user who may create functions in the
 * schema can give one the name of a newer function, but not write it in C.
 */
static Node *
make_call(const Window *window, const char *name, List *args)
{
	Oid			types[ARG_EPOCH + 1];
	int			nargs = 0;
	HeapTuple	tuple;
	Form_pg_proc function;
	FuncExpr   *call = NULL;
	ListCell   *cell;

	foreach(cell, args)
		types[nargs++] = exprType(lfirst(cell));
	name = psprintf("%s%s", window->family->function_prefix, name);
	tuple = SearchSysCache3(PROCNAMEARGSNSP, CStringGetDatum(name),
							PointerGetDatum(buildoidvector(types, nargs)),
							ObjectIdGetDatum(window->schema));
	if (!HeapTupleIsValid(tuple))
		return NULL;
	function = (Form_pg_proc) GETSTRUCT(tuple);
	if (function->prolang == ClanguageId && may_execute(function->oid))
		call = makeFuncExpr(function->oid, function->prorettype, args,
							InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	ReleaseSysCache(tuple);

	/* the plan may hold nothing of it but a constant */
	if (call != NULL && window->root != NULL)
		record_plan_function_dependency(window->root, call->funcid);
	return (Node *) call;
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

/* What a call says: NAMEbetween, NAMEbefore or NAMEfrom */
static Window
read_window(PlannerInfo *root, FuncExpr *call, const UuidFamily *family)
{
	Window		window = {
		.root = root,
		.family = family,
		.layout = uuidnew_call_layout(family, call->args),
		.schema = get_func_namespace(call->funcid),
		.null_is_open = list_length(call->args) > ARG_UNTIL,
		.more = list_copy_tail(call->args, ARG_LAYOUT)
	};
	FmgrInfo	function;

	fmgr_info(call->funcid, &function);
	if (function.fn_addr != uuid_v7_from && function.fn_addr != uuidv7_from)
		window.ends[ARG_UNTIL] =
			list_nth(call->args, Min(ARG_UNTIL, list_length(call->args) - 1));
	if (window.null_is_open || window.ends[ARG_UNTIL] == NULL)
		window.ends[ARG_SINCE] = lsecond(call->args);
	return window;
}

/*
 * The window over all of time; NULL if there is none.  That of version 7 is by
 * the function without a layout, which is leakproof, and so can go behind a
 * security barrier.
 */
static Node *
make_filter(Window *window, FuncExpr *call)
{
	List	   *args = list_make3(linitial(call->args), time_const(DT_NOBEGIN),
								  time_const(DT_NOEND));
	FuncExpr   *filter;

	if (window->family->version == 7 && window->layout != NULL &&
		list_length(call->args) != ARG_LAYOUT)
	{
		Window		without = *window;

		without.family = window->layout == uuidnew_v7_rfc9562 ?
			&uuidnew_uuidv7_family : &uuidnew_v7;
		without.more = NIL;
		filter = (FuncExpr *) make_call(&without, "between", args);
		if (filter != NULL || !window->null_is_open)
		{
			*window = without;
			return (Node *) filter;
		}
	}
	filter = copyObject(call);
	filter->args = list_concat(args, window->more);
	return (Node *) filter;
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
	Node	   *bound = NULL;

	if (window->ends[end] == NULL)
		return open_bound(window, end);
	if (window->null_is_open)
		bound = make_call(window, end == ARG_SINCE ? "since" : "until", args);
	if (bound == NULL)
	{
		bound = make_call(window, "min", args);

		/* the script of 1.0 has only this function, which knows no open end */
		if (bound != NULL && window->null_is_open)
		{
			CoalesceExpr *choice = makeNode(CoalesceExpr);

			if (window->layout == NULL)
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

/*
 * uuidnew_comparison - is a condition a comparison of UUIDs, >= or >?  Returns
 * 1; -1 for <, <=; 0 for neither.
 */
int
uuidnew_comparison(Node *clause)
{
	int			strategy = !is_opclause(clause) ? 0 :
		get_op_opfamily_strategy(castNode(OpExpr, clause)->opno, UUID_FAMILY);

	return strategy == 0 ? 0 : (strategy > BTEqualStrategyNumber) -
		(strategy < BTEqualStrategyNumber);
}

static Expr *
key_condition(Node *key, int end, Node *bound)
{
	int			strategy = end == ARG_SINCE ?
		BTGreaterEqualStrategyNumber : BTLessStrategyNumber;
	Oid			operator = get_opfamily_member(UUID_FAMILY, UUIDOID, UUIDOID,
											   strategy);
	Expr	   *condition = make_opclause(operator, BOOLOID, false,
										  copyObject((Expr *) key),
										  (Expr *) bound, InvalidOid,
										  InvalidOid);

	/* what core simplifies has it, and COPY ... WHERE relies on that */
	set_opfuncid((OpExpr *) condition);
	return condition;
}

/* The expression that a call becomes; NULL if it stays as it is. */
static Node *
simplify_window(PlannerInfo *root, FuncExpr *call, const UuidFamily *family)
{
	Node	   *key = linitial(call->args);
	Window		window;
	Node	   *filter;
	List	   *conditions;

	if (is_filter(call->args))
		return NULL;
	window = read_window(root, call, family);
	if (!may_be_repeated(key) || !may_be_repeated((Node *) window.more) ||
		is_grouped_by_condition(root) || !may_execute(call->funcid))
		return NULL;
	filter = make_filter(&window, call);
	if (filter == NULL)
		return NULL;
	conditions = list_make1(filter);
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		Node	   *bound = make_bound(&window, end);

		if (bound == NULL)
			return NULL;
		if (!is_trivial(bound, end))
			conditions = lappend(conditions, key_condition(key, end, bound));
	}

	/* the plan may hold nothing else of the function */
	if (root != NULL)
		record_plan_function_dependency(root, call->funcid);
	return (Node *) make_ands_explicit(conditions);
}

/*
 * window_support - the answer to a request of the planner for a window,
 * or NULL; for a reader, whose family is NULL here, only the guard's ERROR.
 */
static Datum
window_support(Node *request, const UuidFamily *family)
{
	void	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
	{
		SupportRequestSimplify *simplify = (void *) request;
		PlannerInfo *root = simplify->root;
		FuncExpr   *call = simplify->fcall;

		if (root != NULL && root->parse != NULL &&
			!root->parse->hasSubLinks && root->simple_rel_array == NULL)
			uuidnew_guard(root, call->funcid, call->args);
		if (family != NULL)
			answer = simplify_window(root, call, family);
	}
	else if (IsA(request, SupportRequestCost))
	{
		SupportRequestCost *cost = (void *) request;
		FuncExpr   *call = (FuncExpr *) cost->node;

		if (call == NULL || !IsA(call, FuncExpr))
			PG_RETURN_POINTER(NULL);
		uuidnew_guard(cost->root, call->funcid, call->args);
		if (is_filter(call->args))
		{
			cost->startup = 0;
			cost->per_tuple = FILTER_COST;
			answer = cost;
		}
	}
	else if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *estimate = (void *) request;

		if (is_filter(estimate->args))
		{
			uuidnew_estimate_window(estimate, family);
			answer = estimate;
		}
	}
	PG_RETURN_POINTER(answer);
}

#define SUPPORT_FUNCTION(name, family) \
	SQL_FUNCTION(name##_support, \
				 window_support((Node *) PG_GETARG_POINTER(0), \
										family))

SUPPORT_FUNCTION(uuid_v6_between, &uuidnew_v6)
SUPPORT_FUNCTION(uuid_v7_between, &uuidnew_v7)
SUPPORT_FUNCTION(uuidv7_between, &uuidnew_uuidv7_family)
SUPPORT_FUNCTION(uuid_v8_between, &uuidnew_v8)
SUPPORT_FUNCTION(uuid_v7_timestamp, NULL)		/* all readers of version 7 */
