/*
 * time_window_simplify.c
 *	  A window of time in a WHERE or ON is written as its bounds, where that
 *	  changes no result.  See time_window_support.c.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "arguments.h"
#include "compat.h"
#include "key_checks.h"
#include "layout_guard.h"
#include "time_window.h"
#include "v7.h"

/* The key's column, without a domain around it; NULL if it is no column. */
static Var *
key_column(List *args)
{
	Node	   *key = strip_implicit_coercions(linitial(args));

	return IsA(key, Var) ? (Var *) key : NULL;
}

/* Is there a column of a table that is not *column's, or of an outer query's? */
static bool
is_of_other_table(Node *node, void *context)
{
	Var		  **column = context;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, is_of_other_table, context);
	if (castNode(Var, node)->varlevelsup != 0 ||
		(*column != NULL && (*column)->varno != castNode(Var, node)->varno))
		return true;
	*column = (Var *) node;
	return false;
}

/*
 * uuidnew_column_in_key - a column of the only table that a key is made of; NULL
 * if there are others, or columns of outer queries.
 */
Var *
uuidnew_column_in_key(List *args)
{
	Var		   *column = NULL;

	return is_of_other_table(linitial(args), &column) ? NULL : column;
}

typedef struct CallSearch
{
	Query	   *query;
	Oid			funcid;
	Var		   *key;			/* NULL if it is an expression */
	bool		anywhere;		/* not only where bounds help the planner */
} CallSearch;

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

/*
 * Is this a call of the function with the same key, in the query itself?  Anywhere:
 * or may it be one when the planner has put an SQL function's text in its place?
 */
static bool
is_call(Node *node, void *context)
{
	CallSearch *search = context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (search->anywhere && check_functions_in_node(node, is_sql_function, NULL))
		return true;
	if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == search->funcid)
	{
		Var		   *key = key_column(castNode(FuncExpr, node)->args);

		/* an expression may become the column, as (t).id or id::a_domain does */
		if (key == NULL || search->key == NULL)
			return true;

		/* the planner has looked through the columns of joins already */
		while (key != NULL && key->varlevelsup == 0 &&
			   rt_fetch(key->varno, search->query->rtable)->rtekind == RTE_JOIN)
		{
			Node	   *column = list_nth(rt_fetch(key->varno, search->query->rtable)->joinaliasvars,
										  key->varattno - 1);

			key = column != NULL && IsA(column, Var) ? (Var *) column : NULL;
		}
		if (key != NULL && key->varno == search->key->varno &&
			key->varattno == search->key->varattno && key->varlevelsup == 0)
			return true;
	}
	switch (nodeTag(node))
	{
		case T_List:
		case T_FromExpr:
		case T_JoinExpr:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_NullTest:
			break;
		default:
			if (!search->anywhere)
				return false;
	}
	return expression_tree_walker(node, is_call, context);
}

/*
 * Does a call stand in a condition on the query's rows?  Not so in a select list,
 * a CASE or an aggregate, nor where the planner asks with a sub-query's
 * expression and the outer query, as it does for EXISTS: it will ask again.
 */
static bool
is_condition(PlannerInfo *root, FuncExpr *call)
{
	Query	   *query = root->parse;
	CallSearch	search = {query, call->funcid, key_column(call->args), false};
	ListCell   *cell;

	if (is_call((Node *) query->jointree, &search) ||
		is_call(query->havingQual, &search))
		return true;
	foreach(cell, query->rtable)
	{
		if (is_call((Node *) lfirst_node(RangeTblEntry, cell)->securityQuals, &search))
			return true;
	}
	return false;
}

/*
 * May it be, or be in, a grouping expression of which grouping sets make NULL?
 * Before PostgreSQL 18 the planner recognizes that by what it looks like.
 */
static bool
is_grouped_by(PlannerInfo *root, FuncExpr *call)
{
	Query	   *query = root->parse;
	CallSearch	search = {query, call->funcid, key_column(call->args), true};
	ListCell   *cell;

	if (query->groupingSets == NIL)
		return false;
	foreach(cell, query->targetList)
	{
		TargetEntry *target = lfirst_node(TargetEntry, cell);

		if (target->ressortgroupref != 0 && is_call((Node *) target->expr, &search))
			return true;
	}
	return false;
}

/* Does it stand in a NOT or a test of it there, so that all but its rows may be asked for? */
static bool
is_tested_call(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (is_notclause(node) || IsA(node, BooleanTest) || IsA(node, NullTest))
		return expression_tree_walker(node, is_call, context);
	if (IsA(node, List) || IsA(node, FromExpr) || IsA(node, JoinExpr) || IsA(node, BoolExpr))
		return expression_tree_walker(node, is_tested_call, context);
	return false;
}

/* A column's place in the text */
typedef struct ColumnPlace
{
	int			location;
	bool		in_subselects;
} ColumnPlace;

static bool
is_at_place(Node *node, void *context)
{
	ColumnPlace *place = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return place->in_subselects &&
			query_tree_walker((Query *) node, is_at_place, context, 0);
	if (IsA(node, Var))
		return castNode(Var, node)->location == place->location;
	return expression_tree_walker(node, is_at_place, context);
}

static bool
is_in_sublink(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && is_at_place(castNode(SubLink, node)->subselect, context))
		return true;
	return expression_tree_walker(node, is_in_sublink, context);
}

/*
 * Is a column written in the query itself?  Core may ask about a sub-select's
 * expression with the outer query, whose tables have the same numbers.  Where the place
 * is not known, as in a view, nobody can tell.  It may also be a place in the text of
 * an SQL function, whose UNION ALL has moved its select lists out of the query.
 */
static bool
is_of_query(PlannerInfo *root, Var *column)
{
	ColumnPlace here = {column->location, false};
	ColumnPlace anywhere = {column->location, true};

	return column->location >= 0 &&
		query_tree_walker(root->parse, is_at_place, &here, 0) &&
		!query_tree_walker(root->parse, is_in_sublink, &anywhere, 0) &&
		!is_in_sublink((Node *) root->append_rel_list, &anywhere);
}

/*
 * Is nothing left of a call but its bounds?  Elsewhere that is found out later,
 * as the estimates come from the call: but below a NOT it would be in an OR.
 */
static bool
is_only_bounds(PlannerInfo *root, FuncExpr *call)
{
	Query	   *query = root->parse;
	Var		   *key = key_column(call->args);
	CallSearch	search = {query, call->funcid, key, false};

	return key != NULL &&
		(is_tested_call((Node *) query->jointree, &search) ||
		 is_tested_call(query->havingQual, &search)) &&
		is_of_query(root, key) &&
		uuidnew_call_is_checked(rt_fetch(key->varno, query->rtable), call, true);
}

/* Is a unique index inferred by a call?  It was made of the call alone. */
static bool
is_inferred_by(PlannerInfo *root, FuncExpr *call)
{
	CallSearch	search = {root->parse, call->funcid, key_column(call->args), true};

	return root->parse->onConflict != NULL &&
		(is_call((Node *) root->parse->onConflict->arbiterElems, &search) ||
		 is_call(root->parse->onConflict->arbiterWhere, &search));
}

/* Is a condition among those that are ANDed? */
static bool
is_conjunct(Node *conditions, Node *condition)
{
	ListCell   *cell;
	List	   *conjuncts;

	if (conditions == NULL)
		return false;
	if (IsA(conditions, List))
		conjuncts = (List *) conditions;
	else if (is_andclause(conditions))
		conjuncts = castNode(BoolExpr, conditions)->args;
	else
		return equal(conditions, condition);
	foreach(cell, conjuncts)
	{
		if (is_conjunct(lfirst(cell), condition))
			return true;
	}
	return false;
}

/*
 * The key's place in the query, in a call that keeps its ends and has its bounds
 * beside it.  Where the call stood in an AND, core simplifies what was given
 * again: without a mark it would never end.
 */
#define SIMPLIFIED	(-2)

/* key >= the smallest of all UUIDs: true, or NULL where the key is */
static Expr *
strict_condition(List *args)
{
	Oid			family = lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	pg_uuid_t  *nil = palloc0(sizeof(pg_uuid_t));

	return make_opclause(get_opfamily_member(family, UUIDOID, UUIDOID,
											 BTGreaterEqualStrategyNumber),
						 BOOLOID, false, (Expr *) copyObject(linitial(args)),
						 (Expr *) makeConst(UUIDOID, -1, InvalidOid, UUID_LEN,
											UUIDPGetDatum(nil), false, false),
						 InvalidOid, InvalidOid);
}

/* Is the function called in a predicate or an expression of the table's indexes? */
static bool
is_in_index(PlannerInfo *root, Var *key, Oid funcid)
{
	static const AttrNumber attributes[] = {Anum_pg_index_indpred, Anum_pg_index_indexprs};
	RangeTblEntry *rte = rt_fetch(key->varno, root->parse->rtable);
	char	   *call = psprintf(":funcid %u ", funcid);
	Relation	relation;
	ListCell   *cell;
	bool		found = false;

	if (rte->rtekind != RTE_RELATION)
		return false;
	relation = table_open(rte->relid, NoLock);
	foreach(cell, RelationGetIndexList(relation))
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));

		for (int i = 0; HeapTupleIsValid(tuple) && i < (int) lengthof(attributes); i++)
		{
			bool		is_null;
			Datum		node = SysCacheGetAttr(INDEXRELID, tuple, attributes[i], &is_null);

			found |= !is_null && strstr(TextDatumGetCString(node), call) != NULL;
		}
		if (HeapTupleIsValid(tuple))
			ReleaseSysCache(tuple);
	}
	table_close(relation, NoLock);
	return found;
}

/* May these arguments of a call be written twice?  A sub-select would be run twice. */
static bool
may_be_repeated(List *args, int first)
{
	for (int i = first; i < list_length(args); i++)
	{
		if (contain_volatile_functions(list_nth(args, i)) ||
			contain_subplans(list_nth(args, i)))
			return false;
	}
	return true;
}

/* May a key that is an expression be written twice? */
static bool
is_plain(Node *key)
{
	return !contain_volatile_functions(key) && !contain_subplans(key) &&
		!contain_agg_clause(key) && !contain_window_function(key) &&
		!expression_returns_set(key);
}

/*
 * What is left of a call beside its bounds says the same for all layouts of version
 * 7.  Without one it is leakproof, and goes below a security barrier as its bounds
 * do.  Elsewhere a call keeps its name, for messages.
 */
static void
leave_out_ends(PlannerInfo *root, FuncExpr *call, const UuidVersion *version)
{
	static const Oid argtypes[] = {UUIDOID, TIMESTAMPTZOID, TIMESTAMPTZOID};
	RangeTblEntry *rte = rt_fetch(uuidnew_column_in_key(call->args)->varno, root->parse->rtable);
	bool		is_rfc9562;
	Oid			without;

	for (int i = ARG_SINCE; i <= ARG_UNTIL; i++)
		lfirst(list_nth_cell(call->args, i)) = makeNullConst(TIMESTAMPTZOID, -1, InvalidOid);
	if (version->version != 7 || list_length(call->args) <= ARG_LAYOUT ||
		!is_known(list_nth(call->args, ARG_LAYOUT)))
		return;
	is_rfc9562 = uuidnew_window_layout(version, call->args) == uuidnew_v7_rfc9562;
	if (is_rfc9562 && !rte->security_barrier && rte->securityQuals == NIL)
		return;
	without = uuidnew_sibling_function(call->funcid,
									   is_rfc9562 ? "uuidv7_between" : "uuid_v7_between",
									   argtypes, lengthof(argtypes));
	if (uuidnew_may_execute(root, without))
	{
		call->funcid = without;
		call->args = list_truncate(call->args, ARG_LAYOUT);
	}
}

/*
 * uuidnew_simplify_window - a call with its bounds beside it, or only these; NULL if
 * it stays as it is.
 */
Node *
uuidnew_simplify_window(SupportRequestSimplify *request, const UuidVersion *version)
{
	PlannerInfo *root = request->root;
	FuncExpr   *call = request->fcall;
	Var		   *key = key_column(call->args);
	Var		   *column = uuidnew_column_in_key(call->args);
	bool		keep_ends;
	List	   *bounds;
	List	   *beside;
	ListCell   *cell;

	if (key != NULL && key->location == SIMPLIFIED)
		return NULL;
	uuidnew_refuse_other_layout(root, call->funcid, call->args, true);

	/* once, before the planner opens a partitioned table into its partitions */
	if (root == NULL || root->parse == NULL || root->simple_rel_array != NULL ||
		column == NULL || column->varlevelsup != 0 ||
		column->varno < 1 || (int) column->varno > list_length(root->parse->rtable) ||
		(window_end_is_open(call->args, ARG_SINCE) &&
		 window_end_is_open(call->args, ARG_UNTIL)) ||
		!is_condition(root, call) || is_grouped_by(root, call) || is_inferred_by(root, call))
		return NULL;

	keep_ends = contain_var_clause(list_nth(call->args, ARG_SINCE)) ||
		contain_var_clause(list_nth(call->args, ARG_UNTIL)) ||
		is_in_index(root, column, call->funcid);
	if (key == NULL &&
		(keep_ends || !may_be_repeated(call->args, ARG_LAYOUT) || !is_plain(linitial(call->args))))
		return NULL;
	call = copyObject(call);
	if (may_be_repeated(call->args, keep_ends ? ARG_SINCE : ARG_LAYOUT))
	{
		bounds = uuidnew_window_bounds(root, call->funcid, version, call->args, InvalidOid);
		if (bounds != NIL && is_only_bounds(root, call))
			return (Node *) make_ands_explicit(bounds);
	}
	else
	{
		bounds = list_make1(strict_condition(call->args));
		keep_ends = true;
	}
	if (bounds == NIL)
		return NULL;

	if (keep_ends)
		key_column(call->args)->location = SIMPLIFIED;
	else
		leave_out_ends(root, call, version);

	/* the call goes first: it is what the estimates of the bounds come from */
	beside = list_make1(call);
	foreach(cell, bounds)
	{
		/*
		 * A condition that was pushed into a sub-query has its bounds
		 * already.  A call without ends needs them where it stands.
		 */
		if (!keep_ends ||
			(!is_conjunct(root->parse->jointree->quals, lfirst(cell)) &&
			 !is_conjunct(root->parse->havingQual, lfirst(cell))))
			beside = lappend(beside, lfirst(cell));
	}
	return list_length(beside) > 1 ? (Node *) make_andclause(beside) : NULL;
}
