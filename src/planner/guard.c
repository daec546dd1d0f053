/*
 * guard.c
 *	  No query reads a column of version 7 UUIDs as the wrong kind of layout.
 *
 * Version 7 has two kinds of layouts, the draft's and RFC 9562's, that read
 * each other's times wrong.  A validated CHECK constraint may say which of
 * them a column holds, in whatever words, by one that it is false for:
 *
 *	   CHECK (uuidv7_is(id))						or uuid_v7_is(id)
 *	   CHECK (uuid_v7_layout(id) = 'rfc9562')		or <> 'draft', IN (...)
 *	   CHECK (uuidv7_between(id, since, until))		and other windows
 *	   CHECK (id < '03000000-...')					and other bounds
 *
 * A window or reader of the other kind would find wrong rows, and a DELETE
 * would take them: it is an ERROR when the statement is planned.
 *
 * The planner asks twice.  When it simplifies a call, all calls of the
 * statement are looked at, each in the query where it stands: the statement is
 * then still as it was written.  When it needs the cost of a call, that call
 * is looked at, which the planner may have taken from an SQL function.  What
 * is certain at neither time is allowed.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/uuid.h"

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

/*
 * Constraints
 */

/* The column below casts of domains and what an outer join adds, or NULL */
static Var *
column_of_key(Node *key)
{
	for (;;)
	{
		if (IsA(key, RelabelType))
			key = (Node *) castNode(RelabelType, key)->arg;
		else if (IsA(key, CoerceToDomain))
			key = (Node *) castNode(CoerceToDomain, key)->arg;
		else if (IsA(key, PlaceHolderVar))
			key = (Node *) castNode(PlaceHolderVar, key)->phexpr;
		else
			return IsA(key, Var) ? castNode(Var, key) : NULL;
	}
}

static bool
is_column(Node *key, AttrNumber attno)
{
	Var		   *column = column_of_key(key);

	return column != NULL && column->varattno == attno;
}

/* The C function that is called with the column, or "" */
static const char *
symbol_of_call(Node *node, AttrNumber attno)
{
	FuncExpr   *call = (FuncExpr *) node;

	if (!IsA(call, FuncExpr) || call->args == NIL ||
		!is_column(linitial(call->args), attno))
		return "";
	return uuidnew_symbol(call->funcid);
}

/* The kind that a bound of the column leaves no key of, or 0 */
static int
kind_beyond_bound(Node *condition, AttrNumber attno)
{
	int			comparison = uuidnew_comparison(condition);
	const pg_uuid_t *value;
	pg_uuid_t	border;

	if (comparison == 0 || !is_column(get_leftop(condition), attno) ||
		!is_known(get_rightop(condition)))
		return 0;
	value = DatumGetUUIDP(((Const *) get_rightop(condition))->constvalue);
	if (comparison > 0)
		return v7_looks_rfc9562(value) ? 0 : KIND_RFC9562;
	v7_border(&border);
	return memcmp(value, &border, UUID_LEN) > 0 ? 0 : KIND_DRAFT;
}

/* The keys of one kind in a column */
typedef struct KeysOfKind
{
	AttrNumber	attno;
	int			kind;
} KeysOfKind;

/* A condition with what is the same for all of these keys in it. */
static Node *
condition_of_kind(Node *node, void *context)
{
	const KeysOfKind *keys = context;
	const char *symbol;

	if (node == NULL)
		return NULL;
	symbol = symbol_of_call(node, keys->attno);
	if (strcmp(symbol, "uuid_v7_layout") == 0)
		return (Node *)
			makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
					  CStringGetTextDatum(kind_names[keys->kind]),
					  false, false);
	if (strcmp(symbol, "uuidv7_is") == 0)
		return makeBoolConst(keys->kind == KIND_RFC9562, false);
	if (strcmp(symbol, "uuid_v7_is") == 0)
		return makeBoolConst(keys->kind == KIND_DRAFT, false);
	if (kind_beyond_bound(node, keys->attno) == keys->kind)
		return makeBoolConst(false, false);
	return expression_tree_mutator(node, condition_of_kind, context);
}

/*
 * Is a condition false for all of these keys?  It is evaluated for keys that
 * no row may have, so only where that can't raise an error.
 */
static bool
excludes(Node *condition, KeysOfKind *keys)
{
	Const	   *result;

	if (contain_leaked_vars(condition))
		return false;
	result = (Const *)
		eval_const_expressions(NULL, condition_of_kind(condition, keys));
	return is_known((Node *) result) && !DatumGetBool(result->constvalue);
}

/* What constraints say of a column, remembered until a table changes */
typedef struct ColumnKinds
{
	Oid			relid;
	AttrNumber	attno;
	bool		inherited;		/* with the rows of its children */
	uint64		changes;		/* before it was read */
	int			kinds;
	NameData	constraint;		/* the last one that excludes a kind */
} ColumnKinds;

static uint64 table_changes = 0;

static void
table_changed(Datum arg, Oid relid)
{
	table_changes++;
}

/* The extension's owner may add functions to it, but not write them in C. */
static bool
is_others(Oid funcid, void *context)
{
	return funcid >= FirstNormalObjectId &&
		(strcmp(uuidnew_symbol(funcid), "") == 0 ||
		 getExtensionOfObject(ProcedureRelationId, funcid) !=
		 get_extension_oid("uuidnew", true));
}

/* Does a condition call functions that are not core's or the extension's? */
static bool
calls_others(Node *node, void *context)
{
	return node != NULL &&
		(check_functions_in_node(node, is_others, context) ||
		 expression_tree_walker(node, calls_others, context));
}

/*
 * Conditions are simplified as a query's are, so that windows are their
 * bounds.  This evaluates some of their functions, of which none may be
 * another's while somebody's query is planned.
 */
static void
read_constraint(ColumnKinds *column, ConstrCheck *check)
{
	KeysOfKind	keys = {.attno = column->attno};
	ListCell   *cell;

	foreach(cell, make_ands_implicit(stringToNode(check->ccbin)))
	{
		Node	   *condition = lfirst(cell);

		if (calls_others(condition, NULL))
			continue;
		condition = eval_const_expressions(NULL, condition);
		for (keys.kind = KIND_DRAFT; keys.kind < KIND_ANY; keys.kind++)
		{
			if (!excludes(condition, &keys))
				continue;
			column->kinds &= ~keys.kind;
			namestrcpy(&column->constraint, check->ccname);
		}
	}
}

static void
read_constraints(ColumnKinds *column, Relation relation)
{
	TupleConstr *constraints = relation->rd_att->constr;

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];

		if (check->ccvalid && !(column->inherited && check->ccnoinherit))
			read_constraint(column, check);
	}
}

/* The kinds of keys that a table lets into a column. */
static ColumnKinds
column_kinds(RangeTblEntry *rte, AttrNumber attno)
{
	static bool is_registered = false;
	static ColumnKinds cache[64];
	ColumnKinds *last = &cache[(rte->relid + attno) % lengthof(cache)];
	ColumnKinds column = {
		.relid = rte->relid,
		.attno = attno,
		.inherited = rte->inh,
		.changes = table_changes,
		.kinds = KIND_ANY
	};

	if (!is_registered)
		CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
	is_registered = true;
	if (last->relid != column.relid || last->attno != attno ||
		last->inherited != column.inherited || last->changes != table_changes)
	{
		Relation	relation = table_open(column.relid, NoLock);

		read_constraints(&column, relation);
		table_close(relation, NoLock);
		*last = column;
	}
	return *last;
}

/*
 * (regclass, number of a column) -> text: 'rfc9562' or 'draft', as a guard says
 * which a column holds; or NULL
 */
PG_FUNCTION_INFO_V1(uuidnew_column_guard);
Datum
uuidnew_column_guard(PG_FUNCTION_ARGS)
{
	ColumnKinds column = {
		.relid = PG_GETARG_OID(0),
		.attno = PG_GETARG_INT32(1),
		.kinds = KIND_ANY
	};
	Relation	relation = try_relation_open(column.relid, AccessShareLock);

	if (relation == NULL)
		PG_RETURN_NULL();
	column.inherited = has_subclass(column.relid);
	read_constraints(&column, relation);
	relation_close(relation, NoLock);
	if (column.kinds == 0 || column.kinds == KIND_ANY)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(kind_names[column.kinds]));
}

/*
 * Reads
 */

/* A query, whose tables columns number, and those around it */
typedef struct QueryLevel
{
	Query	   *query;
	PlannerInfo *root;			/* NULL: it is as it was written */
	const struct QueryLevel *outer;
} QueryLevel;

/* An ERROR, if the column holds the other kind. */
static void
check_table(Oid funcid, int kind, RangeTblEntry *rte, AttrNumber attno)
{
	ColumnKinds column = column_kinds(rte, attno);
	int			other = KIND_ANY & ~kind;
	const TimeFunction *function;

	if ((column.kinds & kind) != 0 || (column.kinds & other) == 0)
		return;
	function = uuidnew_time_function(funcid);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					get_func_name(funcid), kind_names[kind],
					get_attname(rte->relid, attno, false),
					get_rel_name(rte->relid), kind_names[other]),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   NameStr(column.constraint)),
			 kind == kind_of(function->family->default_layout) ?
			 errhint("Use %s().", function->counterpart) :
			 errhint("Use %s() without that layout.",
					 get_func_name(funcid))));
}

/*
 * The table that the query names, and its column, where a partition or child
 * of it is planned, whose own constraints count only for queries of it.
 */
static RangeTblEntry *
named_table(PlannerInfo *root, Index relid, AttrNumber *attno)
{
	while (root->append_rel_array != NULL &&
		   root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];
		RangeTblEntry *parent = planner_rt_fetch(child->parent_relid, root);

		if (parent->rtekind != RTE_RELATION)
			break;
		if (*attno > child->num_child_cols ||
			child->parent_colnos[*attno - 1] == 0)
			return NULL;
		*attno = child->parent_colnos[*attno - 1];
		relid = child->parent_relid;
	}
	return planner_rt_fetch(relid, root);
}

/*
 * An ERROR, if a key is a column of a table that holds the other kind, or
 * comes from one out of a sub-query.
 */
static void
check_key(Oid funcid, int kind, const QueryLevel *level, Node *key)
{
	Var		   *column = key == NULL ? NULL : column_of_key(key);
	RangeTblEntry *rte;
	AttrNumber	attno;

	check_stack_depth();
	for (int up = column == NULL ? 0 : column->varlevelsup; up > 0; up--)
		level = level == NULL ? NULL : level->outer;
	if (column == NULL || level == NULL || column->varattno <= 0 ||
		column->varno < 1 ||
		(int) column->varno > list_length(level->query->rtable))
		return;
	attno = column->varattno;
	rte = level->root != NULL ?
		named_table(level->root, column->varno, &attno) :
		rt_fetch(column->varno, level->query->rtable);
	if (rte == NULL)
		return;
	if (rte->rtekind == RTE_RELATION)
		check_table(funcid, kind, rte, attno);
	else if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL &&
			 rte->subquery->setOperations == NULL)
	{
		QueryLevel	inner = {.query = rte->subquery, .outer = level};
		TargetEntry *target = get_tle_by_resno(rte->subquery->targetList,
											   attno);

		if (target != NULL)
			check_key(funcid, kind, &inner, (Node *) target->expr);
	}
	else if (attno <= list_length(rte_alias_exprs(rte)))
		check_key(funcid, kind, level,
				  list_nth(rte_alias_exprs(rte), attno - 1));
}

static void
check_call(const QueryLevel *level, Oid funcid, List *args)
{
	/* most are core's */
	const TimeFunction *function = funcid < FirstNormalObjectId ? NULL :
		uuidnew_time_function(funcid);
	const UuidLayout *layout;

	if (function == NULL || function->counterpart == NULL)
		return;
	layout = uuidnew_call_layout(function->family, args);
	if (layout != NULL)
		check_key(funcid, kind_of(layout), level, linitial(args));
}

static bool
check_calls(Node *node, void *context)
{
	const QueryLevel *level = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		QueryLevel	inner = {.query = (Query *) node, .outer = level};

		return query_tree_walker(inner.query, check_calls, &inner, 0);
	}
	if (IsA(node, FuncExpr))
		check_call(level, castNode(FuncExpr, node)->funcid, call_args(node));
	else if (IsA(node, OpExpr))
		check_call(level, get_opcode(castNode(OpExpr, node)->opno),
				   call_args(node));
	return expression_tree_walker(node, check_calls, context);
}

/* The query that was looked at last, while the planner keeps its memory */
static const Query *last_query;
static const PlannerGlobal *last_planning;

static void
forget_query(void *arg)
{
	last_query = NULL;
}

/*
 * uuidnew_guard_statement - an ERROR, if a call in the statement that is
 * planned reads a column as the kind of layout that constraints exclude.
 */
void
uuidnew_guard_statement(PlannerInfo *root)
{
	MemoryContextCallback *forget;

	/*
	 * Later, it has been done.  19 simplifies an EXISTS with a root that it
	 * makes for that, and again when that is planned.
	 */
	if (root == NULL || root->parse == NULL || root->planner_cxt == NULL ||
		root->simple_rel_array != NULL)
		return;
	while (root->parent_root != NULL)
		root = root->parent_root;
	if (root->parse == last_query && root->glob == last_planning)
		return;
	check_calls((Node *) root->parse, NULL);

	forget = MemoryContextAllocZero(root->planner_cxt,
									sizeof(MemoryContextCallback));
	forget->func = forget_query;
	MemoryContextRegisterResetCallback(root->planner_cxt, forget);
	last_query = root->parse;
	last_planning = root->glob;
}

/*
 * uuidnew_guard_call - the same for one call, with the tables of the query
 * that is planned.
 */
void
uuidnew_guard_call(PlannerInfo *root, Oid funcid, List *args)
{
	QueryLevel	level = {.root = root};

	if (root == NULL || root->parse == NULL)
		return;
	level.query = root->parse;
	check_call(&level, funcid, args);
}
