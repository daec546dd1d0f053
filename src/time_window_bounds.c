/*
 * time_window_bounds.c
 *	  The bounds of a window of time, as conditions on the key.
 *
 *	   uuid_v7_between(id, since, until)
 *	   id >= uuid_v7_min(since) AND id < uuid_v7_min(until)
 *	   id >= uuid_v7_since(since) AND id < uuid_v7_until(until)		that may be NULL
 *
 * With constants they are computed when the query is planned, else when it runs.
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
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "arguments.h"
#include "compat.h"
#include "time_window.h"

/*
 * uuidnew_sibling_function - a function of the extension, by the schema of
 * another: exactly this one, not what else is in the schema or a search path, and
 * whoever asks need not have USAGE on the schema, as with the names in a view.
 *
 * Returns InvalidOid if it is not there.  In a database that is still at version 1.0,
 * anybody who may create functions in the schema can give one the name of a newer
 * one; but not in C.
 */
Oid
uuidnew_sibling_function(Oid funcid, const char *name, const Oid *argtypes, int nargs)
{
	HeapTuple	tuple = SearchSysCache3(PROCNAMEARGSNSP, CStringGetDatum(name),
										PointerGetDatum(buildoidvector(argtypes, nargs)),
										ObjectIdGetDatum(get_func_namespace(funcid)));
	Oid			sibling = InvalidOid;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
		sibling = ((Form_pg_proc) GETSTRUCT(tuple))->oid;
	ReleaseSysCache(tuple);
	return sibling;
}

/* Is there a function, and may the user execute it? */
bool
uuidnew_may_execute(PlannerInfo *root, Oid funcid)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		rights_changed;

	if (!HeapTupleIsValid(tuple))
		return false;
	rights_changed = !heap_attisnull(tuple, Anum_pg_proc_proacl, NULL);
	ReleaseSysCache(tuple);
	if (!rights_changed)
		return true;

	/* it may be another plan for another user */
	root->glob->dependsOnRole = true;
	return object_aclcheck(ProcedureRelationId, funcid, GetUserId(),
						   ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * uuidnew_window_layout - the layout of a call as far as the planner knows: one
 * layout of a version reads times in the order of another.
 */
const UuidLayout *
uuidnew_window_layout(const UuidVersion *version, List *args)
{
	Const	   *name;

	if (list_length(args) <= ARG_LAYOUT || !is_known(list_nth(args, ARG_LAYOUT)))
		return version->default_layout;
	name = castNode(Const, list_nth(args, ARG_LAYOUT));
	return uuidnew_find_layout(version, DatumGetTextPP(name->constvalue));
}

/*
 * Can a time never be NULL?  True for what is most often written as an end: a
 * constant, the time of the transaction or statement, and their arithmetic.
 */
static bool
is_never_null(Node *node)
{
	Oid			funcid;
	List	   *args;
	ListCell   *cell;

	if (IsA(node, Const))
		return !castNode(Const, node)->constisnull;
	if (IsA(node, SQLValueFunction))
		return castNode(SQLValueFunction, node)->op <= SVFOP_LOCALTIMESTAMP_N;
	if (IsA(node, FuncExpr))
	{
		funcid = castNode(FuncExpr, node)->funcid;
		args = castNode(FuncExpr, node)->args;
	}
	else if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		funcid = castNode(OpExpr, node)->opfuncid;
		args = castNode(OpExpr, node)->args;
	}
	else
		return false;

	switch (funcid)
	{
		case F_NOW:
		case F_TRANSACTION_TIMESTAMP:
		case F_STATEMENT_TIMESTAMP:
		case F_TIMESTAMPTZ_PL_INTERVAL:
		case F_TIMESTAMPTZ_MI_INTERVAL:
		case F_TIMESTAMPTZ_MI:
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
		case F_TIMESTAMPTZ_DATE:
		case F_TIMESTAMPTZ_TIMESTAMP:
			break;
		default:
			return false;
	}
	foreach(cell, args)
	{
		if (!is_never_null(lfirst(cell)))
			return false;
	}
	return true;
}

/*
 * uuidnew_window_function - a function of a window's bounds, "min", "since" or
 * "until", with as many arguments.
 *
 * The last two are not in a database that is still at version 1.0.
 */
Oid
uuidnew_window_function(Oid funcid, const UuidVersion *version, const char *name,
						List *args)
{
	static const Oid argtypes[] = {TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID};

	return uuidnew_sibling_function(funcid, psprintf("%s%s", version->function_prefix, name),
									argtypes, list_length(args) - ARG_UNTIL);
}

Node *
uuidnew_null_test(Node *argument, NullTestType type)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) argument;
	test->nulltesttype = type;
	test->location = -1;
	return (Node *) test;
}

/*
 * A bound, or a UUID that all keys satisfy where its end turns out to be NULL.
 * Not COALESCE: row-level security takes that for a leak.
 */
static Node *
open_if_null(Node *bound, int16 strategy)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	MinMaxExpr *choice = makeNode(MinMaxExpr);

	memset(uuid, strategy == BTLessStrategyNumber ? 0xFF : 0, UUID_LEN);
	choice->minmaxtype = UUIDOID;
	choice->op = strategy == BTLessStrategyNumber ? IS_LEAST : IS_GREATEST;
	choice->args = list_make2(bound, makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
											   UUIDPGetDatum(uuid), false, false));
	choice->location = -1;
	return (Node *) choice;
}

/* The bound of an end that is a constant, as is the layout. */
static Node *
known_bound(const UuidVersion *version, List *args, int argno)
{
	const UuidLayout *layout = uuidnew_window_layout(version, args);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	uuidnew_layout_min(layout, uuidnew_window_epoch(layout, args),
					   DatumGetTimestampTz(castNode(Const, list_nth(args, argno))->constvalue),
					   uuid);
	return (Node *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN, UUIDPGetDatum(uuid),
							  false, false);
}

/* The bound of an end that is computed when the query runs; NULL if there is none. */
static Node *
computed_bound(PlannerInfo *root, Oid funcid, const UuidVersion *version, List *args,
			   int argno, bool layout_is_known)
{
	Node	   *end = list_nth(args, argno);

	/* grouping sets make NULL even what never is, if it is grouped by */
	bool		may_be_open = !is_never_null(end) || root->parse->groupingSets != NIL;
	List	   *bound_args = list_make1(end);
	Oid			function = InvalidOid;
	bool		choose = false;
	Node	   *bound;

	for (int i = ARG_LAYOUT; i < list_length(args); i++)
		bound_args = lappend(bound_args, list_nth(args, i));

	/* postgres_fdw sends a function, but no GREATEST */
	if (may_be_open)
		function = uuidnew_window_function(funcid, version,
										   argno == ARG_SINCE ? "since" : "until", args);
	if (!OidIsValid(function))
	{
		/* where the layout is NULL, a choice would not be */
		if (may_be_open && !layout_is_known)
			return NULL;
		choose = may_be_open;
		function = uuidnew_window_function(funcid, version, "min", args);
	}
	if (!uuidnew_may_execute(root, function))
		return NULL;
	bound = (Node *) makeFuncExpr(function, UUIDOID, bound_args, InvalidOid, InvalidOid,
								  COERCE_EXPLICIT_CALL);
	return choose ? open_if_null(bound, window_end_strategy(argno)) : bound;
}

/*
 * uuidnew_window_bound - key <operator> bound, where the bound is the smallest
 * UUID of a time, or a UUID that all keys satisfy if the time turns out to be
 * NULL; NULL where the call is, as its layout or epoch is.
 *
 * Returns NULL if a function that computes it is not where that of the window
 * is, or core's operator is not in the index's family.
 */
Expr *
uuidnew_window_bound(PlannerInfo *root, Oid family, Oid funcid,
					 const UuidVersion *version, List *args, int argno)
{
	int16		strategy = window_end_strategy(argno);
	Oid			core_family = lookup_type_cache(UUIDOID,
												TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(core_family, UUIDOID, UUIDOID,
											   strategy);
	Node	   *end = list_nth(args, argno);
	bool		layout_is_known = true;
	Node	   *bound;

	if (!OidIsValid(operator) ||
		(OidIsValid(family) && !op_in_opfamily(operator, family)))
		return NULL;

	for (int i = ARG_LAYOUT; i < list_length(args); i++)
		layout_is_known &= is_known(list_nth(args, i));
	if (is_known(end) && layout_is_known)
		bound = known_bound(version, args, argno);
	else
	{
		bound = computed_bound(root, funcid, version, args, argno, layout_is_known);
		if (bound == NULL)
			return NULL;
	}
	return make_opclause(operator, BOOLOID, false,
						 (Expr *) copyObject(linitial(args)), (Expr *) bound,
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
	List	   *bounds = NIL;

	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
	{
		Expr	   *bound;

		if (window_end_is_open(args, i))
			continue;
		bound = uuidnew_window_bound(root, family, funcid, version, args, i);
		if (bound == NULL)
			return NIL;
		bounds = lappend(bounds, bound);
	}
	return bounds;
}
