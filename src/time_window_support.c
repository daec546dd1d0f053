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
 *	  does anything else (SupportRequestSimplify).  So whatever it can do with
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

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
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

/*
 * The bounds beside the call
 */

/* The key's column, without a domain around it; NULL if it is no column. */
static Var *
key_column(List *args)
{
	Node	   *key = strip_implicit_coercions(linitial(args));

	return IsA(key, Var) ? (Var *) key : NULL;
}

/*
 * A column of the only table that a key is made of; NULL if there are others, or
 * columns of outer queries.
 */
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

static Var *
column_in_key(List *args)
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

/* Is this a call of the function with the same key, in the query itself? */
static bool
is_call(Node *node, void *context)
{
	CallSearch *search = context;

	if (node == NULL || IsA(node, Query))
		return false;
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

	return query->groupingSets != NIL &&
		(is_call((Node *) query->targetList, &search) || is_call(query->havingQual, &search));
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
 * is not known, as in a view, nobody can tell.
 */
static bool
is_of_query(Query *query, Var *column)
{
	ColumnPlace here = {column->location, false};
	ColumnPlace anywhere = {column->location, true};

	return column->location >= 0 &&
		query_tree_walker(query, is_at_place, &here, 0) &&
		!query_tree_walker(query, is_in_sublink, &anywhere, 0);
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
		is_of_query(query, key) &&
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
	RangeTblEntry *rte = rt_fetch(column_in_key(call->args)->varno, root->parse->rtable);
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

static Node *
simplify_window(SupportRequestSimplify *request, const UuidVersion *version)
{
	PlannerInfo *root = request->root;
	FuncExpr   *call = request->fcall;
	Var		   *key = key_column(call->args);
	Var		   *column = column_in_key(call->args);
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
		column->varno < 1 || column->varno > list_length(root->parse->rtable) ||
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
	Var		   *key = column_in_key(args);
	RelOptInfo *rel;
	List	   *found;

	if (key == NULL || root == NULL || root->simple_rel_array == NULL ||
		key->varno < 1 || key->varno >= root->simple_rel_array_size)
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
	RelOptInfo *rel = root->simple_rel_array[column_in_key(args)->varno];
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
		answer = simplify_window((SupportRequestSimplify *) request, version);
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
