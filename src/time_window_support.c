/*
 * time_window_support.c
 *	  What the planner may know about a window of time.
 *
 * The support functions of uuid_v6_between, uuid_v7_between and uuid_v8_between
 * tell the planner what follows for the key itself, by the bounds that layout.c
 * makes:
 *
 *	   uuid_v7_between(id, since, until)
 *	   id >= uuid_v7_min(since) AND id < uuid_v7_min(until)
 *
 * 1. An index on the key can be scanned for the second line
 *	  (SupportRequestIndexCondition), and the first is checked for its rows,
 *	  unless a constraint says that they all are of the version.
 * 2. The planner prunes partitions by operators only, and a function that may
 *	  raise an error is not to see rows before row-level security does.  In
 *	  these cases a call becomes both lines (SupportRequestSimplify).
 * 3. The planner can't tell two uuids of one histogram bin apart: uuid is
 *	  missing in its convert_to_scalar.  So the second line is estimated at one
 *	  row where it finds a bin's.  A call alone is estimated by the times in the
 *	  histogram (SupportRequestSelectivity, time_window_estimate.c); a reason
 *	  not to write the second line where it isn't needed.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "arguments.h"
#include "compat.h"
#include "key_checks.h"
#include "time_window.h"

/*
 * uuidnew_sibling_function - a function of the extension, by the schema of
 * another: exactly this one, not what else is in the schema or a search path, and
 * whoever asks need not have USAGE on the schema, as with the names in a view.
 *
 * Returns InvalidOid if it is not there.
 */
Oid
uuidnew_sibling_function(Oid funcid, const char *name, const Oid *argtypes, int nargs)
{
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(argtypes, nargs)),
						   ObjectIdGetDatum(get_func_namespace(funcid)));
}

/* May the user execute a function? */
static bool
may_execute(PlannerInfo *root, Oid funcid)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		rights_changed = HeapTupleIsValid(tuple) &&
		!heap_attisnull(tuple, Anum_pg_proc_proacl, NULL);

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	if (!rights_changed)
		return true;

	/* it may be another plan for another user */
	root->glob->dependsOnRole = true;
	return object_aclcheck(ProcedureRelationId, funcid, GetUserId(),
						   ACL_EXECUTE) == ACLCHECK_OK;
}

static bool
is_null_const(Node *node)
{
	return IsA(node, Const) && castNode(Const, node)->constisnull;
}

/*
 * The layout of a call as far as the planner knows: one layout of a version
 * reads times in the order of another.
 */
const UuidLayout *
uuidnew_window_layout(const UuidVersion *version, List *args)
{
	Const	   *name;

	if (list_length(args) <= ARG_LAYOUT ||
		!IsA(list_nth(args, ARG_LAYOUT), Const) ||
		is_null_const(list_nth(args, ARG_LAYOUT)))
		return version->default_layout;
	name = castNode(Const, list_nth(args, ARG_LAYOUT));
	return uuidnew_find_layout(version, DatumGetTextPP(name->constvalue));
}

/*
 * key <operator> bound, where the bound is the smallest UUID of a time, or a
 * UUID that all keys satisfy if the time turns out to be NULL.
 *
 * Returns NULL if the function of the bounds is not where that of the window
 * is, or core's operator is not in the index's family.
 */
Expr *
uuidnew_window_bound(PlannerInfo *root, Node *key, int16 strategy, Oid family,
					 Oid funcid, const UuidVersion *version, List *args, int argno)
{
	static const Oid argtypes[] = {TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID};
	Oid			core_family = lookup_type_cache(UUIDOID,
												TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(core_family, UUIDOID, UUIDOID,
											   strategy);
	Oid			min;
	List	   *min_args;
	Node	   *end = list_nth(args, argno);
	pg_uuid_t  *open = palloc(sizeof(pg_uuid_t));
	NullTest   *is_null;
	CaseWhen   *when;
	CaseExpr   *bound;

	if (!OidIsValid(operator) ||
		(OidIsValid(family) && !op_in_opfamily(operator, family)))
		return NULL;

	min_args = list_make1(end);
	for (int i = ARG_LAYOUT; i < list_length(args); i++)
		min_args = lappend(min_args, list_nth(args, i));
	min = uuidnew_sibling_function(funcid, psprintf("%smin", version->function_prefix),
								   argtypes, list_length(min_args));
	if (!OidIsValid(min) || !may_execute(root, min))
		return NULL;

	memset(open, strategy == BTLessStrategyNumber ? 0xFF : 0, UUID_LEN);

	/* not COALESCE: row-level security takes that for a leak */
	is_null = makeNode(NullTest);
	is_null->arg = (Expr *) end;
	is_null->nulltesttype = IS_NULL;
	is_null->location = -1;
	when = makeNode(CaseWhen);
	when->expr = (Expr *) is_null;
	when->result = (Expr *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
									  UUIDPGetDatum(open), false, false);
	when->location = -1;
	bound = makeNode(CaseExpr);
	bound->casetype = UUIDOID;
	bound->args = list_make1(when);
	bound->defresult = (Expr *) makeFuncExpr(min, UUIDOID, min_args, InvalidOid,
											 InvalidOid, COERCE_EXPLICIT_CALL);
	bound->location = -1;
	return make_opclause(operator, BOOLOID, false, (Expr *) copyObject(key),
						 (Expr *) eval_const_expressions(NULL, (Node *) bound),
						 InvalidOid, InvalidOid);
}

/*
 * The bounds of a window as conditions on the key, ANDed: none for an end that
 * is open; NIL if there can't be any.
 */
List *
uuidnew_window_bounds(PlannerInfo *root, Oid funcid, const UuidVersion *version,
			List *args, Oid family)
{
	Node	   *key = linitial(args);
	List	   *bounds = NIL;

	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
	{
		Expr	   *bound;

		if (window_end_is_open(args, i))
			continue;
		bound = uuidnew_window_bound(root, key, window_end_strategy(i), family, funcid,
									 version, args, i);
		if (bound == NULL)
			return NIL;
		bounds = lappend(bounds, bound);
	}
	return bounds;
}

/*
 * Must the planner see operators?  On a partitioned table's key; and on a key
 * behind row-level security, at which only a leakproof condition may look first.
 */
static bool
needs_operators(RangeTblEntry *rte, Oid funcid)
{
	return rte->relkind == RELKIND_PARTITIONED_TABLE ||
		(rte->securityQuals != NIL && !get_func_leakproof(funcid));
}

static bool
has_clause(List *restrictinfos, Node *clause)
{
	ListCell   *cell;

	foreach(cell, restrictinfos)
	{
		if (equal(lfirst_node(RestrictInfo, cell)->clause, clause))
			return true;
	}
	return false;
}

/*
 * Did simplify_window() write the bounds beside the call?  It did not where their ends
 * are sub-selects, for one.
 */
bool
uuidnew_window_has_bounds_beside(RelOptInfo *rel, List *bounds)
{
	ListCell   *cell;

	foreach(cell, bounds)
	{
		if (!has_clause(rel->baserestrictinfo, lfirst(cell)) &&
			!has_clause(rel->joininfo, lfirst(cell)))
			return false;
	}
	return bounds != NIL;
}

/*
 * The key's place in the query, in a call that has its bounds beside it.  Where
 * the call stood in an AND, core simplifies what simplify_window() gave again: without
 * a mark it would never end.
 */
#define SIMPLIFIED	(-2)

static Node *
simplify_window(SupportRequestSimplify *request, const UuidVersion *version)
{
	PlannerInfo *root = request->root;
	FuncExpr   *call = request->fcall;
	Var		   *key = linitial(call->args);
	int			varno;
	List	   *bounds;
	FuncExpr   *beside;

	if (IsA(key, Var) && key->location == SIMPLIFIED)
		return NULL;
	uuidnew_refuse_other_layout(root, call->funcid, call->args, true);

	/* once, before the planner opens a partitioned table into its partitions */
	if (root == NULL || root->parse == NULL || root->simple_rel_array != NULL ||
		!IsA(key, Var) || key->varlevelsup != 0)
		return NULL;

	/*
	 * For EXISTS core asks with the sub-query's Var and the outer query, so that
	 * the number may mean another table or none.  Bounds do no harm there, and
	 * core asks again.
	 */
	varno = key->varno;
	if (varno < 1 || varno > list_length(root->parse->rtable) ||
		!needs_operators(rt_fetch(varno, root->parse->rtable), call->funcid))
		return NULL;

	/* the ends of the window are about to be written twice */
	for (int i = ARG_SINCE; i < list_length(call->args); i++)
	{
		if (contain_volatile_functions(list_nth(call->args, i)) ||
			contain_subplans(list_nth(call->args, i)))
			return NULL;
	}
	bounds = uuidnew_window_bounds(root, call->funcid, version, call->args, InvalidOid);
	if (bounds == NIL)
		return NULL;
	beside = copyObject(call);
	linitial_node(Var, beside->args)->location = SIMPLIFIED;
	return (Node *) make_andclause(lappend(bounds, beside));
}

static List *
window_index_condition(SupportRequestIndexCondition *request, const UuidVersion *version)
{
	List	   *args;
	List	   *bounds;

	/* LIKE and such come as OpExpr, a call of ours is a FuncExpr */
	if (!is_funcclause(request->node) || request->indexarg != ARG_ID)
		return NIL;
	args = castNode(FuncExpr, request->node)->args;
	for (int i = ARG_SINCE; i < list_length(args); i++)
	{
		if (!is_pseudo_constant_for_index(request->root, list_nth(args, i),
										  request->index))
			return NIL;
	}
	bounds = uuidnew_window_bounds(request->root, request->funcid, version, args,
						 request->opfamily);
	if (uuidnew_window_has_bounds_beside(request->index->rel, bounds))
		return NIL;

	/* else a key of another version may be in between */
	request->lossy = !uuidnew_key_is_checked(request->root, request->index->rel,
											 (FuncExpr *) request->node);
	return bounds;
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
		answer = simplify_window((SupportRequestSimplify *) request, version);
	else if (IsA(request, SupportRequestIndexCondition))
		answer = window_index_condition((SupportRequestIndexCondition *) request,
								 version);
	else if (IsA(request, SupportRequestSelectivity))
	{
		uuidnew_window_estimate((SupportRequestSelectivity *) request, version);
		answer = request;
	}
	PG_RETURN_POINTER(answer);
}
