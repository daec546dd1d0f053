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
 * uuidv7_before and uuidv7_from are such windows with an open end; the bound
 * of the other is by uuidv7_min(), which gives NULL for NULL.
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
#include "planner/guard.h"
#include "planner/window.h"
#include "sql/arguments.h"

/* Above the cost of a comparison with a constant, which runs first. */
#define FILTER_COST		(1.01 * cpu_operator_cost)

/* A window that is rewritten: NAMEbetween(id, since, until, ...) */
typedef struct Window
{
	FuncExpr   *call;
	const UuidVersion *version;
	const UuidLayout *layout;	/* NULL: not known */
	int			only_end;		/* of uuidv7_before or uuidv7_from, or 0 */
} Window;

/*
 * uuidnew_call_layout - the layout that a call names, the version's default
 * where it names none; NULL if it is not known when the query is planned.
 *
 * Raises 22023 for a name that is not a layout's.
 */
const UuidLayout *
uuidnew_call_layout(const UuidVersion *version, List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		Node	   *name = lfirst(cell);
		Datum		value;

		if (exprType(name) != TEXTOID)
			continue;
		if (!is_known(name))
			return NULL;
		value = castNode(Const, name)->constvalue;
		return uuidnew_find_layout(version, DatumGetTextPP(value));
	}
	return version->default_layout;
}

/* Is a call the filter that a window leaves? */
static bool
is_filter(List *args)
{
	Const	   *since;
	Const	   *until;

	if (list_length(args) <= ARG_UNTIL)
		return false;
	since = list_nth(args, ARG_SINCE);
	until = list_nth(args, ARG_UNTIL);
	return is_known((Node *) since) && is_known((Node *) until) &&
		TIMESTAMP_IS_NOBEGIN(DatumGetTimestampTz(since->constvalue)) &&
		TIMESTAMP_IS_NOEND(DatumGetTimestampTz(until->constvalue));
}

/* Is it written in SQL, or C?  InvalidOid for no function. */
static Oid
language_of(Oid funcid)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	Oid			language = InvalidOid;

	if (HeapTupleIsValid(tuple))
	{
		language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
		ReleaseSysCache(tuple);
	}
	return language;
}

/*
 * The extension's function of that name and so many arguments, in the schema
 * of another of its functions; InvalidOid if it is not there, or the user may
 * not execute it.
 *
 * In a database with an older script, any user who may create functions in the
 * schema can give one the name of a newer function, but not write it in C.
 */
static Oid
find_function(const Window *window, const char *name, const Oid *types,
			  int nargs)
{
	Oid			schema = get_func_namespace(window->call->funcid);
	Oid			function;

	name = psprintf("%s%s", window->version->function_prefix, name);
	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(types, nargs)),
							   ObjectIdGetDatum(schema));
	if (language_of(function) != ClanguageId ||
		object_aclcheck(ProcedureRelationId, function, GetUserId(),
						ACL_EXECUTE) != ACLCHECK_OK)
		return InvalidOid;
	return function;
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

/* Is it the function, or one in SQL, which may call it? */
static bool
may_call(Oid funcid, void *function)
{
	return funcid == *(Oid *) function || language_of(funcid) == SQLlanguageId;
}

static bool
has_call(Node *node, void *function)
{
	return node != NULL &&
		(check_functions_in_node(node, may_call, function) ||
		 expression_tree_walker(node, has_call, function));
}

/*
 * May grouping sets group by a window?  Before PostgreSQL 18 the planner knows
 * what they make NULL by what it looks like, and AND and NOT take that apart.
 */
static bool
may_be_grouped_by(PlannerInfo *root, Oid funcid)
{
	return GROUPED_BY_LOOKS && root != NULL && root->parse != NULL &&
		root->parse->groupingSets != NIL &&
		has_call((Node *) get_sortgrouplist_exprs(root->parse->groupClause,
												  root->parse->targetList),
				 &funcid);
}

/*
 * A version 7 window by the function without a layout, which is leakproof, and
 * so can go behind a security barrier.
 */
static bool
leave_out_layout(Window *window)
{
	static const Oid types[] = {UUIDOID, TIMESTAMPTZOID, TIMESTAMPTZOID};
	Window		without = *window;
	List	   *args = window->call->args;
	Oid			between;

	without.version = window->layout == uuidnew_v7_rfc9562 ?
		&uuidnew_uuidv7_family : &uuidnew_v7;
	between = find_function(&without, "between", types, lengthof(types));
	if (!OidIsValid(between))
		return false;
	if (list_length(args) < ARG_LAYOUT)
	{
		FmgrInfo	function;
		Const	   *open = makeNullConst(TIMESTAMPTZOID, -1, InvalidOid);

		fmgr_info(window->call->funcid, &function);
		without.only_end = function.fn_addr == uuid_v7_from ||
			function.fn_addr == uuidv7_from ? ARG_SINCE : ARG_UNTIL;
		args = without.only_end == ARG_SINCE ?
			list_make3(linitial(args), lsecond(args), open) :
			list_make3(linitial(args), open, lsecond(args));
	}
	else
		args = list_truncate(list_copy(args), ARG_LAYOUT);
	without.call = makeFuncExpr(between, BOOLOID, args, InvalidOid, InvalidOid,
								COERCE_EXPLICIT_CALL);
	*window = without;
	return true;
}

/* The bound of an end that is constant, or (time NULL) of one that is open. */
static Node *
constant_bound(const Window *window, int end, Const *time)
{
	pg_uuid_t  *bound = palloc(sizeof(pg_uuid_t));
	TimestampTz known = time ? DatumGetTimestampTz(time->constvalue) : 0;
	int64		epoch = layout_epoch(window->layout);
	List	   *args = window->call->args;

	if (list_length(args) > ARG_EPOCH)
	{
		Const	   *given = list_nth_node(Const, args, ARG_EPOCH);

		epoch = uuidnew_check_epoch(window->layout,
									DatumGetTimestampTz(given->constvalue));
	}
	uuidnew_window_bound(window->layout, epoch, end,
						 time ? &known : NULL, bound);
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
							  UUIDPGetDatum(bound), false, false);
}

/*
 * The bound of an end; NULL if it has to be computed when the query runs, and
 * there is no function for that which the user may execute.
 *
 * A database whose script is that of 1.0 has only NAMEmin, which knows no open
 * end.
 */
static Node *
make_bound(const Window *window, int end)
{
	static const Oid types[] = {TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID};
	Const	   *time = list_nth(window->call->args, end);
	List	   *args = list_copy_tail(window->call->args, ARG_LAYOUT);
	bool		is_only_end = window->only_end == end;
	Node	   *open = NULL;
	Oid			function = InvalidOid;
	Node	   *bound;
	CoalesceExpr *choice;

	if (window->layout != NULL && (list_length(args) < 2 ||
								   is_known(lsecond(args))))
	{
		if (is_known((Node *) time))
			return constant_bound(window, end, time);
		open = constant_bound(window, end, NULL);
		if (IsA(time, Const) && !is_only_end)
			return open;
	}

	args = lcons(time, args);
	if (!is_only_end)
		function = find_function(window, end == ARG_SINCE ? "since" : "until",
								 types, list_length(args));
	if (OidIsValid(function) || is_only_end)
		open = NULL;
	else if (open == NULL)
		return NULL;
	if (!OidIsValid(function))
		function = find_function(window, "min", types, list_length(args));
	if (!OidIsValid(function))
		return NULL;
	bound = (Node *) makeFuncExpr(function, UUIDOID, args, InvalidOid,
								  InvalidOid, COERCE_EXPLICIT_CALL);
	if (open == NULL)
		return bound;
	choice = makeNode(CoalesceExpr);
	choice->coalescetype = UUIDOID;
	choice->args = list_make2(bound, open);
	choice->location = -1;
	return (Node *) choice;
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
key_condition(Node *key, int end, Node *bound)
{
	Oid			less = lookup_type_cache(UUIDOID, TYPECACHE_LT_OPR)->lt_opr;
	Oid			operator = end == ARG_SINCE ? get_negator(less) : less;
	Expr	   *condition = make_opclause(operator, BOOLOID, false,
										  copyObject((Expr *) key),
										  (Expr *) bound, InvalidOid,
										  InvalidOid);

	/* what core simplifies has it, and COPY ... WHERE relies on that */
	set_opfuncid((OpExpr *) condition);
	return condition;
}

static Node *
filter_of(FuncExpr *call)
{
	FuncExpr   *filter = copyObject(call);
	TimestampTz ends[] = {[ARG_SINCE] = DT_NOBEGIN,[ARG_UNTIL] = DT_NOEND};

	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
		lfirst(list_nth_cell(filter->args, end)) =
			makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
					  TimestampTzGetDatum(ends[end]), false, FLOAT8PASSBYVAL);
	return (Node *) filter;
}

/* The expression that a call becomes; NULL if it stays as it is. */
static Node *
rewrite_window(PlannerInfo *root, FuncExpr *call, const UuidVersion *version)
{
	Window		window = {
		.call = call,
		.version = version,
		.layout = uuidnew_call_layout(version, call->args)
	};
	List	   *conditions;

	if (object_aclcheck(ProcedureRelationId, call->funcid, GetUserId(),
						ACL_EXECUTE) != ACLCHECK_OK)
		return NULL;
	if (version->version == 7 && window.layout != NULL &&
		list_length(call->args) != ARG_LAYOUT && !leave_out_layout(&window) &&
		list_length(call->args) < ARG_LAYOUT)
		return NULL;

	conditions = list_make1(filter_of(window.call));
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		Node	   *bound = make_bound(&window, end);

		if (bound == NULL)
			return NULL;
		if (!is_trivial(bound, end))
		{
			Expr	   *condition = key_condition(linitial(call->args), end,
												  bound);

			conditions = lappend(conditions, condition);
		}
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
	uuidnew_check_simplified_call(request->root, call);
	if (!may_be_repeated(linitial(call->args)) ||
		!may_be_repeated((Node *) list_copy_tail(call->args, ARG_LAYOUT)) ||
		may_be_grouped_by(request->root, call->funcid))
		return NULL;
	return rewrite_window(request->root, call, version);
}

static SupportRequestCost *
cost_of_window(SupportRequestCost *request)
{
	FuncExpr   *call = (FuncExpr *) request->node;

	if (call == NULL || !IsA(call, FuncExpr))
		return NULL;
	uuidnew_check_planned_call(request->root, call->funcid, call->args);
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
		answer = cost_of_window((SupportRequestCost *) request);
	else if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *estimate = (void *) request;

		uuidnew_check_planned_call(estimate->root, estimate->funcid,
								   estimate->args);
		if (is_filter(estimate->args))
		{
			uuidnew_estimate_window(estimate, version);
			answer = estimate;
		}
	}
	PG_RETURN_POINTER(answer);
}
