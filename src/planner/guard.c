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
 * would take them: it is an ERROR when the query is planned.
 *
 * The planner asks when it simplifies a call.  It then passes the query whose
 * tables the columns number; but for some EXISTS it passes another one, so
 * calls in queries with sub-selects are not checked then.  It asks again for
 * the cost, where the tables are always known.  What is certain at neither
 * time is allowed.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_collation.h"
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

/* The name of the extension's function whose key is the column, or "". */
static const char *
name_of_call(Node *node, AttrNumber attno)
{
	FuncExpr   *call = (FuncExpr *) node;

	if (!IsA(call, FuncExpr) || call->args == NIL ||
		!is_column(linitial(call->args), attno) ||
		getExtensionOfObject(ProcedureRelationId, call->funcid) !=
		get_extension_oid("uuidnew", true))
		return "";
	return get_func_name(call->funcid);
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
	const char *name;

	if (node == NULL)
		return NULL;
	name = name_of_call(node, keys->attno);
	if (strcmp(name, "uuid_v7_layout") == 0)
		return (Node *)
			makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
					  CStringGetTextDatum(kind_names[keys->kind]),
					  false, false);
	if (strcmp(name, "uuidv7_is") == 0)
		return makeBoolConst(keys->kind == KIND_RFC9562, false);
	if (strcmp(name, "uuid_v7_is") == 0)
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

/* Simplified as a query's conditions are, so that windows are their bounds. */
static void
read_constraints(ColumnKinds *column)
{
	Relation	relation = table_open(column->relid, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;
	KeysOfKind	keys = {.attno = column->attno};

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];
		Node	   *condition;
		ListCell   *cell;

		if (!check->ccvalid || (column->inherited && check->ccnoinherit))
			continue;
		condition = eval_const_expressions(NULL, stringToNode(check->ccbin));
		foreach(cell, make_ands_implicit((Expr *) condition))
		{
			for (keys.kind = KIND_DRAFT; keys.kind < KIND_ANY; keys.kind++)
			{
				if (!excludes(lfirst(cell), &keys))
					continue;
				column->kinds &= ~keys.kind;
				namestrcpy(&column->constraint, check->ccname);
			}
		}
	}
	table_close(relation, NoLock);
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
		read_constraints(&column);
		*last = column;
	}
	return *last;
}

/*
 * Reads
 */

static void
check_table(Oid funcid, int kind, RangeTblEntry *rte, AttrNumber attno)
{
	ColumnKinds column = column_kinds(rte, attno);
	int			other = KIND_ANY & ~kind;
	const char *function = get_func_name(funcid);
	const char *meaning = strstr(function, "v7_") + strlen("v7_");
	char	   *right;

	if ((column.kinds & kind) != 0 || (column.kinds & other) == 0)
		return;
	/* the draft's reader gives microseconds anyway */
	if (strcmp(meaning, "timestamp_micros") == 0)
		meaning = "timestamp";
	right = psprintf("%s%s", other == KIND_DRAFT ? "uuid_v7_" : "uuidv7_",
					 meaning);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					function, kind_names[kind],
					get_attname(rte->relid, attno, false),
					get_rel_name(rte->relid), kind_names[other]),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   NameStr(column.constraint)),
			 strcmp(right, function) != 0 ?
			 errhint("Use %s().", right) :
			 errhint("Use %s() without that layout.", right)));
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
 * comes from one out of a sub-query, which has no root.
 */
static void
check_key(Oid funcid, int kind, PlannerInfo *root, Query *query, Node *key)
{
	Var		   *column = column_of_key(key);
	AttrNumber	attno;
	RangeTblEntry *rte;

	if (column == NULL || column->varattno <= 0 || column->varlevelsup > 0 ||
		column->varno < 1 ||
		(int) column->varno > list_length(query->rtable))
		return;
	check_stack_depth();
	attno = column->varattno;
	rte = root != NULL ? named_table(root, column->varno, &attno) :
		rt_fetch(column->varno, query->rtable);
	if (rte == NULL)
		return;
	if (rte->rtekind == RTE_RELATION)
		check_table(funcid, kind, rte, attno);
	else if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL &&
			 rte->subquery->setOperations == NULL)
	{
		TargetEntry *target = list_nth(rte->subquery->targetList, attno - 1);

		check_key(funcid, kind, NULL, rte->subquery, (Node *) target->expr);
	}
	else if (attno <= list_length(rte_group_exprs(rte)))
		check_key(funcid, kind, root, query,
				  list_nth(rte_group_exprs(rte), attno - 1));
}

/*
 * uuidnew_guard - an ERROR, if a call of version 7 reads a column as the kind
 * of layout that constraints exclude.  The query's tables have to be those
 * that the columns number.
 */
void
uuidnew_guard(PlannerInfo *root, Oid funcid, List *args)
{
	const char *function = get_func_name(funcid);
	const UuidLayout *layout;

	if (root == NULL || root->parse == NULL || function == NULL)
		return;
	if (strncmp(function, "uuidv7_", strlen("uuidv7_")) == 0)
		layout = uuidnew_call_layout(&uuidnew_uuidv7_family, args);
	else if (strncmp(function, "uuid_v7_", strlen("uuid_v7_")) == 0)
		layout = uuidnew_call_layout(&uuidnew_v7, args);
	else
		return;
	if (layout != NULL)
		check_key(funcid,
				  layout == uuidnew_v7_rfc9562 ? KIND_RFC9562 : KIND_DRAFT,
				  root, root->parse, linitial(args));
}
