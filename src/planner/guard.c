/*
 * guard.c
 *	  No query reads a column of version 7 UUIDs as the wrong kind of layout.
 *
 * Version 7 has two kinds of layouts, the draft's and RFC 9562's, that read
 * each other's times wrong.  A validated CHECK constraint may say which of
 * them a column holds, by tests of the layout that make it false for one:
 *
 *	   CHECK (uuidv7_is(id))						or uuid_v7_is(id)
 *	   CHECK (uuid_v7_layout(id) = 'rfc9562')		or <> 'draft', IN (...)
 *
 * A window or reader of the other kind would find wrong rows, and a DELETE
 * would take them: it is an ERROR when the statement is planned.  All calls
 * in a query are looked at when the planner simplifies the first, and again
 * when it has put more into the query.  What is not certain is allowed.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/window.h"

/* Kinds of keys that a column may hold, as bits */
#define KIND_DRAFT		1
#define KIND_RFC9562	2
#define KIND_ANY		3

static const char *const kind_names[] = {
	[KIND_DRAFT] = "draft",
	[KIND_RFC9562] = "rfc9562"
};

static int
kind_of(const UuidLayout *layout)
{
	return layout == uuidnew_v7_rfc9562 ? KIND_RFC9562 : KIND_DRAFT;
}

/* The column below casts to domains, names and what outer joins add, or NULL */
static Var *
column_of_key(Node *key)
{
	while (key != NULL && !IsA(key, Var))
		key = IsA(key, RelabelType) ? (Node *) ((RelabelType *) key)->arg :
			IsA(key, CoerceToDomain) ? (Node *) ((CoerceToDomain *) key)->arg :
			IsA(key, PlaceHolderVar) ? (Node *) ((PlaceHolderVar *) key)->phexpr :
			IsA(key, NamedArgExpr) ? (Node *) ((NamedArgExpr *) key)->arg :
			IsA(key, TargetEntry) ? (Node *) ((TargetEntry *) key)->expr :
			NULL;
	return (Var *) key;
}

/* What constraints say of a column, remembered until a table changes */
typedef struct ColumnKinds
{
	Oid			relid;
	AttrNumber	attno;
	int			kind;			/* that a constraint is tried with */
	uint64		changes;		/* before it was read */
	int			kinds;
	NameData	constraint;		/* the last one that excludes a kind */
} ColumnKinds;

/* A condition with what tests of the layout give for all keys of the kind. */
static Node *
condition_of_kind(Node *node, void *context)
{
	const ColumnKinds *keys = context;
	FuncExpr   *call = (FuncExpr *) node;
	Var		   *column = node != NULL && IsA(node, FuncExpr) &&
		call->args != NIL ? column_of_key(linitial(call->args)) : NULL;
	const char *symbol = column != NULL && column->varattno == keys->attno ?
		uuidnew_symbol(call->funcid) : "";

	if (strcmp(symbol, "uuid_v7_layout") == 0)
		return (Node *)
			makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
					  CStringGetTextDatum(kind_names[keys->kind]),
					  false, false);
	if (strcmp(symbol, "uuidv7_is") == 0)
		return makeBoolConst(keys->kind == KIND_RFC9562, false);
	if (strcmp(symbol, "uuid_v7_is") == 0)
		return makeBoolConst(keys->kind == KIND_DRAFT, false);
	return expression_tree_mutator(node, condition_of_kind, context);
}

static uint64 table_changes = 0;

static void
table_changed(Datum arg, Oid relid)
{
	table_changes++;
}

static bool
is_others(Oid funcid, void *context)
{
	return funcid >= FirstNormalObjectId &&
		strcmp(uuidnew_symbol(funcid), "") == 0;
}

/* Does a condition call functions that are not core's or this library's? */
static bool
calls_others(Node *node, void *context)
{
	return node != NULL &&
		(check_functions_in_node(node, is_others, context) ||
		 expression_tree_walker(node, calls_others, context));
}

/*
 * Which kinds a constraint is false for.  It is evaluated for keys that no row
 * may have, while somebody's query is planned, so only where that raises no
 * error, and calls nothing of another's.
 */
static void
read_constraint(ColumnKinds *column, ConstrCheck *check)
{
	ListCell   *cell;

	foreach(cell, make_ands_implicit(stringToNode(check->ccbin)))
	{
		Node	   *condition = lfirst(cell);

		if (calls_others(condition, NULL) || contain_leaked_vars(condition))
			continue;
		for (column->kind = KIND_DRAFT; column->kind < KIND_ANY; column->kind++)
		{
			Node	   *result = eval_const_expressions(NULL,
														condition_of_kind(condition, column));

			if (!is_known(result) ||
				DatumGetBool(castNode(Const, result)->constvalue))
				continue;
			column->kinds &= ~column->kind;
			namestrcpy(&column->constraint, check->ccname);
		}
	}
}

/* The kinds of keys that a table, which is locked, lets into a column. */
static const ColumnKinds *
column_kinds(Oid relid, AttrNumber attno)
{
	static bool is_registered = false;
	static ColumnKinds cache[64];
	ColumnKinds *last = &cache[(relid + attno) % lengthof(cache)];
	ColumnKinds column = {
		.relid = relid,
		.attno = attno,
		.changes = table_changes,
		.kinds = KIND_ANY
	};

	if (!is_registered)
		CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
	is_registered = true;
	if (last->relid != relid || last->attno != attno ||
		last->changes != table_changes)
	{
		Relation	relation = table_open(relid, NoLock);
		TupleConstr *constraints = relation->rd_att->constr;

		/* one with NO INHERIT says nothing of the children's rows */
		for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
		{
			if (constraints->check[i].ccvalid &&
				!constraints->check[i].ccnoinherit)
				read_constraint(&column, &constraints->check[i]);
		}
		table_close(relation, NoLock);
		*last = column;
	}
	return last;
}

/* An ERROR, if the column holds the other kind. */
static void
check_table(Oid funcid, int kind, RangeTblEntry *rte, AttrNumber attno)
{
	const ColumnKinds *column = column_kinds(rte->relid, attno);
	int			other = KIND_ANY & ~kind;
	const TimeFunction *function;

	if (column->kinds != other)
		return;
	function = uuidnew_time_function(funcid);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					get_func_name(funcid), kind_names[kind],
					get_attname(rte->relid, attno, false),
					get_rel_name(rte->relid), kind_names[other]),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   NameStr(column->constraint)),
			 kind == kind_of(function->family->default_layout) ?
			 errhint("Use %s().", function->counterpart) :
			 errhint("Use %s() without that layout.",
					 get_func_name(funcid))));
}

/* The query that an entry is the result of, and those around it, or NIL */
static List *
source_of(RangeTblEntry *rte, List *queries)
{
	ListCell   *cell;

	if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
		return lcons(rte->subquery, queries);
	if (rte->rtekind != RTE_CTE)
		return NIL;
	queries = list_copy_tail(queries, rte->ctelevelsup);
	foreach(cell, queries == NIL ? NIL : linitial_node(Query, queries)->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

		if (strcmp(cte->ctename, rte->ctename) == 0)
			return lcons(cte->ctequery, queries);
	}
	return NIL;
}

/*
 * An ERROR, if a key is a column of a table that holds the other kind, or
 * comes from one out of sub-queries.  Its query is the first of queries, and
 * the others are around it.
 */
static void
check_key(Oid funcid, int kind, List *queries, Node *key)
{
	Var		   *column;

	while ((column = column_of_key(key)) != NULL && column->varattno > 0 &&
		   (int) column->varlevelsup < list_length(queries))
	{
		List	   *around = list_copy_tail(queries, column->varlevelsup);
		Query	   *query = linitial_node(Query, around);
		RangeTblEntry *rte;

		CHECK_FOR_INTERRUPTS();
		if (column->varno < 1 ||
			(int) column->varno > list_length(query->rtable))
			return;
		rte = rt_fetch(column->varno, query->rtable);
		if (rte->rtekind == RTE_RELATION)
			check_table(funcid, kind, rte, column->varattno);
		if (column->varattno <= list_length(rte_alias_exprs(rte)))
		{
			key = list_nth(rte_alias_exprs(rte), column->varattno - 1);
			queries = around;
			continue;
		}
		queries = source_of(rte, around);
		query = queries == NIL ? NULL : linitial_node(Query, queries);
		if (query == NULL || query->setOperations != NULL)
			return;
		key = (Node *) get_tle_by_resno(query->commandType == CMD_SELECT ?
										query->targetList :
										query->returningList,
										column->varattno);
	}
}

static void
check_call(Oid funcid, List *queries, List *args)
{
	const TimeFunction *function = uuidnew_time_function(funcid);
	const UuidLayout *layout;
	HeapTuple	tuple;

	if (function == NULL || function->counterpart == NULL)
		return;

	/* in their order, if the call names them */
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	if (!HeapTupleIsValid(tuple))
		return;
	args = expand_function_arguments(args, false, get_func_rettype(funcid),
									 tuple);
	ReleaseSysCache(tuple);
	layout = uuidnew_call_layout(function->family, args);
	if (layout != NULL)
		check_key(funcid, kind_of(layout), queries, linitial(args));
}

static bool
check_calls(Node *node, void *queries)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, check_calls,
								 lcons(node, list_copy(queries)), 0);
	if (IsA(node, FuncExpr))
		check_call(((FuncExpr *) node)->funcid, queries,
				   ((FuncExpr *) node)->args);
	else if (IsA(node, OpExpr))
		check_call(get_opcode(((OpExpr *) node)->opno), queries,
				   ((OpExpr *) node)->args);
	return expression_tree_walker(node, check_calls, queries);
}

/* Queries that were looked at, while the planner keeps their memory */
static struct
{
	const PlannerInfo *root;
	int			shape;			/* grows when core puts more into it */
}			known_queries[64];

static void
forget_queries(void *arg)
{
	memset(known_queries, 0, sizeof(known_queries));
}

static void
check_query(PlannerInfo *root)
{
	int			slot = (uintptr_t) root / sizeof(PlannerInfo) %
		lengthof(known_queries);
	int			shape = 0;
	MemoryContextCallback *forget;
	ListCell   *cell;

	foreach(cell, root->parse->rtable)
		shape += ((RangeTblEntry *) lfirst(cell))->rtekind == RTE_FUNCTION ? 1 : 2;
	if (known_queries[slot].root == root && known_queries[slot].shape == shape)
		return;
	check_calls((Node *) root->parse, NIL);
	/* where the planner has put the parts of a UNION ALL */
	check_calls((Node *) root->append_rel_list, list_make1(root->parse));

	forget = MemoryContextAllocZero(root->planner_cxt,
									sizeof(MemoryContextCallback));
	forget->func = forget_queries;
	MemoryContextRegisterResetCallback(root->planner_cxt, forget);
	known_queries[slot].root = root;
	known_queries[slot].shape = shape;
}

/*
 * uuidnew_guard_statement - an ERROR, if a call in a query that is planned, or
 * in those around it, reads a column as the kind that constraints exclude.
 */
void
uuidnew_guard_statement(PlannerInfo *root)
{
	/* It has been done, or will be: 19 makes a root to simplify an EXISTS. */
	if (root == NULL || root->planner_cxt == NULL ||
		root->simple_rel_array != NULL)
		return;
	for (; root != NULL; root = root->parent_root)
		check_query(root);
}
