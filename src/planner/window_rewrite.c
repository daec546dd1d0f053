/*
 * window_rewrite.c
 *	  Rewrites a window call into comparisons of the key with two bounds.
 *
 *	   uuidv7_between(id, since, until)
 *
 *	   uuidv7_is(id)
 *		   AND id >= uuidv7_since(since) AND id < uuidv7_until(until)
 *
 * So index scans, partition pruning, partial indexes, outer joins and security
 * barriers work with windows as with comparisons.
 *
 * The filter excludes UUIDs of other versions between the bounds.  It comes
 * first because it also estimates the comparisons (window_estimate.c), and is
 * executed last because it has a higher COST.
 *
 * The rewrite repeats key, range, layout and epoch.  If one of them is
 * volatile, expensive or has a sub-select, the call stays, as when core
 * inlines.
 */
#include "postgres.h"

#include "access/htup_details.h"
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
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/window.h"

/* A window call that is being rewritten */
typedef struct WindowCall
{
	PlannerInfo *root;
	Oid			support;		/* the planner support function */
	Oid			schema;			/* of bounds and filter */
	const UuidFamily *family;
	const UuidLayout *layout;	/* NULL: not a constant */
	List	   *more;			/* the arguments layout and epoch, if any */
} WindowCall;

/*
 * May the user execute a function?  Unless its ACL is the default, marks the
 * plan as role-dependent.
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

/* A call of a bound or filter, or NULL if it is missing or not allowed */
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

	/* the plan may contain only the constant that the call becomes */
	if (window->root != NULL)
		record_plan_function_dependency(window->root, funcid);
	return (Node *) makeFuncExpr(funcid, get_func_rettype(funcid), args,
								 InvalidOid, InvalidOid,
								 COERCE_EXPLICIT_CALL);
}

/* May an argument be repeated?  Without columns, it is computed once a scan. */
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
 * May grouping sets group by a condition or bound of the window?  The executor
 * would replace it by the group's column, which is NULL in other sets.
 */
static bool
is_grouped_by_part(PlannerInfo *root)
{
	ListCell   *cell;

	if (root == NULL || root->parse == NULL ||
		root->parse->groupingSets == NIL)
		return false;
	foreach(cell, GROUPED_EXPRESSIONS(root))
	{
		if (!IsA(lfirst(cell), Var) &&
			(exprType(lfirst(cell)) == BOOLOID ||
			 exprType(lfirst(cell)) == UUIDOID))
			return true;
	}
	return false;
}

/* Is the comparison with this bound always true? */
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

/* The comparison of the key with a bound; a NULL constant if that is NULL */
static Node *
key_condition(Node *key, int strategy, Node *bound)
{
	Oid			family =
		lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, UUIDOID, UUIDOID,
											   strategy);
	Expr	   *condition;

	if (IsA(bound, Const) && castNode(Const, bound)->constisnull)
		return makeBoolConst(false, true);
	condition = make_opclause(operator, BOOLOID, false,
							  copyObject((Expr *) key), (Expr *) bound,
							  InvalidOid, InvalidOid);

	/* COPY ... WHERE requires it of simplified expressions */
	set_opfuncid((OpExpr *) condition);
	return (Node *) condition;
}

/*
 * The expression that replaces a window call, or NULL.  Version 7 uses bounds
 * and filter without a layout argument, because only those are leakproof.
 */
static Node *
rewrite_window(PlannerInfo *root, Oid support, FuncExpr *call,
			   const TimeFunction *function)
{
	WindowCall	window = {
		.root = root,
		.support = support,
		.schema = get_func_namespace(call->funcid),
		.family = function->family,
		.more = list_copy_tail(call->args, ARG_LAYOUT)
	};
	Node	   *key = linitial(call->args);
	List	   *conditions;

	if (!uuidnew_call_layout(window.family, call->args, &window.layout) ||
		!may_be_repeated(key) || !may_be_repeated((Node *) window.more) ||
		(has_range_argument(function->ends) &&
		 !may_be_repeated(lsecond(call->args))) ||
		is_grouped_by_part(root) || !may_execute(root, call->funcid))
		return NULL;
	if (window.family->version == 7 && window.layout != NULL)
	{
		window.family = window.layout == uuidnew_v7_rfc9562 ?
			&uuidnew_uuidv7_family : &uuidnew_v7;
		window.more = NIL;
	}

	conditions = list_make1(make_call(&window, "is",
									  lcons(key, list_copy(window.more))));
	for (int i = SINCE; i < ENDS; i++)
	{
		const WindowEnd *end = &function->ends[i];
		Node	   *arg = end->argno == ALWAYS_OPEN ?
			(Node *) makeNullConst(TIMESTAMPTZOID, -1, InvalidOid) :
			list_nth(call->args, end->argno);
		Node	   *bound = make_call(&window, end->bound,
									  lcons(arg, list_copy(window.more)));

		if (linitial(conditions) == NULL || bound == NULL)
			return NULL;
		/* other arguments are simplified already */
		if (IsA(arg, Const))
			bound = eval_const_expressions(root, bound);
		if (!is_trivial(bound, i))
			conditions = lappend(conditions,
								 key_condition(key, end->strategy, bound));
	}

	/* the plan no longer contains the function */
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
			result = uuidnew_estimate_filter(request, function->family);
	}
	PG_RETURN_POINTER(result);
}
