/*
 * guard.c
 *	  No query reads a column of version 7 UUIDs as the wrong kind of layout.
 *
 * Version 7 has two kinds of layouts, the draft's and RFC 9562's, that read
 * each other's times wrong.  A validated CHECK constraint may say which of
 * them a column holds; these forms are understood, alone or in an AND:
 *
 *	   CHECK (uuidv7_is(id))						or uuid_v7_is(id)
 *	   CHECK (uuid_v7_layout(id) = 'rfc9562')		or <> 'draft', IN (...)
 *	   CHECK (uuidv7_between(id, since, until))		and other windows
 *	   CHECK (id < '03000000-...')					and other bounds
 *
 * A window or reader of the other kind would find wrong rows, and a DELETE
 * would take them: it is an ERROR when the query is planned.
 *
 * The planner asks when it simplifies a call, and with the query whose tables
 * the columns number, except for some EXISTS: so not where there are
 * sub-selects.  It asks again for cost and selectivity, where the tables are
 * always known.  What is certain at neither time is left alone.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/uuid.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/guard.h"
#include "planner/window.h"
#include "sql/arguments.h"

/* Kinds of keys that a column may hold, as bits */
static const char *const kind_names[] = {"draft", "rfc9562", "none"};

#define KIND_DRAFT		1
#define KIND_RFC9562	2
#define KIND_ANY		7

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

/*
 * The kinds of keys that a test of uuid_v7_layout(id) lets pass: = or <> a
 * name, IN or NOT IN several.
 */
static int
kinds_of_test(Oid operator, bool equal, Node *call, Const *names,
			  AttrNumber attno)
{
	Datum	   *values = &names->constvalue;
	bool	   *nulls = &names->constisnull;
	int			nvalues = 1;
	int			kinds = 0;

	if (get_opcode(operator) != (equal ? F_TEXTEQ : F_TEXTNE) ||
		!is_known((Node *) names) ||
		strcmp(name_of_call(call, attno), "uuid_v7_layout") != 0)
		return KIND_ANY;
	if (names->consttype == TEXTARRAYOID)
		deconstruct_array(DatumGetArrayTypeP(names->constvalue), TEXTOID, -1,
						  false, TYPALIGN_INT, &values, &nulls, &nvalues);
	for (int n = 0; n < nvalues; n++)
	{
		int			i = 0;

		while (i < (int) lengthof(kind_names) &&
			   (nulls[n] ||
				!text_is(DatumGetTextPP(values[n]), kind_names[i])))
			i++;
		if (i == lengthof(kind_names))
			return KIND_ANY;
		kinds |= 1 << i;
	}
	return equal ? kinds : KIND_ANY & ~kinds;
}

/* The kinds of keys that a bound of the column lets pass. */
static int
kinds_of_bound(Node *condition, AttrNumber attno)
{
	int			comparison = uuidnew_comparison(condition);
	Const	   *value;
	pg_uuid_t	border;
	int			side;

	if (comparison == 0 || !is_column(get_leftop(condition), attno) ||
		!is_known(get_rightop(condition)))
		return KIND_ANY;
	value = (Const *) get_rightop(condition);
	v7_border(&border);
	side = memcmp(DatumGetUUIDP(value->constvalue), &border, UUID_LEN);
	if (side * comparison < 0)
		return KIND_ANY;
	return KIND_ANY & ~(comparison > 0 ? KIND_RFC9562 : KIND_DRAFT);
}

/* The kinds of keys that a condition lets into the column. */
static int
kinds_of_condition(Node *condition, AttrNumber attno)
{
	const char *name;

	if (IsA(condition, OpExpr) &&
		list_length(castNode(OpExpr, condition)->args) == 2)
	{
		Oid			operator = castNode(OpExpr, condition)->opno;
		bool		equal = get_opcode(operator) == F_TEXTEQ;
		Node	   *left = get_leftop(condition);
		Node	   *right = get_rightop(condition);

		return kinds_of_test(operator, equal, left, (Const *) right, attno) &
			kinds_of_test(operator, equal, right, (Const *) left, attno) &
			kinds_of_bound(condition, attno);
	}
	if (IsA(condition, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *test = (ScalarArrayOpExpr *) condition;

		return kinds_of_test(test->opno, test->useOr, linitial(test->args),
							 lsecond(test->args), attno);
	}
	name = name_of_call(condition, attno);
	if (strcmp(name, "uuidv7_is") == 0)
		return KIND_RFC9562;
	if (strcmp(name, "uuid_v7_is") == 0)
		return KIND_DRAFT;
	return KIND_ANY;
}

/* What constraints say of a column, remembered until they change */
typedef struct ColumnKinds
{
	struct
	{
		Oid			relid;
		int16		attno;
		int16		inherited;	/* with the rows of its children */
	}			key;
	int			kinds;
	NameData	constraint;		/* the last one that excludes a kind */
} ColumnKinds;

static HTAB *known_columns = NULL;
static uint64 changes = 0;

/* A table has changed. */
static void
forget_columns(Datum arg, Oid relid)
{
	changes++;
	if (known_columns != NULL)
		hash_destroy(known_columns);
	known_columns = NULL;
}

/* A function has, whose name may be another. */
static void
forget_functions(Datum arg, int cacheid, uint32 hashvalue)
{
	forget_columns(arg, InvalidOid);
}

/* Simplified as a query's conditions are, so that windows are their bounds. */
static void
read_constraints(ColumnKinds *column)
{
	Relation	relation = table_open(column->key.relid, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];
		Node	   *condition;
		ListCell   *cell;

		if (!check->ccvalid || (column->key.inherited && check->ccnoinherit))
			continue;
		condition = eval_const_expressions(NULL, stringToNode(check->ccbin));
		foreach(cell, make_ands_implicit((Expr *) condition))
		{
			int			kinds = kinds_of_condition(lfirst(cell),
												   column->key.attno);

			if (kinds != KIND_ANY)
				namestrcpy(&column->constraint, check->ccname);
			column->kinds &= kinds;
		}
	}
	table_close(relation, NoLock);
}

/* The kinds of keys that a table lets into a column. */
static ColumnKinds
column_kinds(RangeTblEntry *rte, AttrNumber attno)
{
	static bool is_registered = false;
	ColumnKinds column = {
		.key = {rte->relid, attno, rte->inh},
		.kinds = KIND_ANY
	};
	ColumnKinds *known = NULL;
	uint64		changes_before;

	if (!is_registered)
	{
		CacheRegisterRelcacheCallback(forget_columns, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, forget_functions, (Datum) 0);
		is_registered = true;
	}
	if (known_columns != NULL)
		known = hash_search(known_columns, &column.key, HASH_FIND, NULL);
	if (known != NULL)
		return *known;

	/* what is read may be out of date at once */
	changes_before = changes;
	read_constraints(&column);
	if (changes != changes_before)
		return column;
	if (known_columns == NULL)
	{
		HASHCTL		control = {
			.keysize = sizeof(column.key),
			.entrysize = sizeof(column)
		};

		known_columns = hash_create("uuidnew guarded columns", 64, &control,
									HASH_ELEM | HASH_BLOBS);
	}
	known = hash_search(known_columns, &column.key, HASH_ENTER, NULL);
	*known = column;
	return column;
}

/*
 * Reads
 */

static void
check_table(Oid funcid, int kind, RangeTblEntry *rte, AttrNumber attno)
{
	ColumnKinds column = column_kinds(rte, attno);
	int			other = (KIND_DRAFT | KIND_RFC9562) & ~kind;
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
					function, kind_names[kind >> 1],
					get_attname(rte->relid, attno, false),
					get_rel_name(rte->relid), kind_names[other >> 1]),
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
 * uuidnew_check_planned_call - an ERROR, if a call of version 7 reads a column
 * as the kind of layout that constraints exclude.  The query's tables are
 * those that the columns number.
 */
void
uuidnew_check_planned_call(PlannerInfo *root, Oid funcid, List *args)
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

/*
 * uuidnew_check_simplified_call - the same for a call that is simplified,
 * where the tables are known.
 */
void
uuidnew_check_simplified_call(PlannerInfo *root, FuncExpr *call)
{
	if (root != NULL && root->parse != NULL && !root->parse->hasSubLinks &&
		root->simple_rel_array == NULL)
		uuidnew_check_planned_call(root, call->funcid, call->args);
}

/* The support function of the readers of version 7 */
PG_FUNCTION_INFO_V1(uuid_v7_timestamp_support);
Datum
uuid_v7_timestamp_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);

	if (IsA(node, SupportRequestSimplify))
	{
		SupportRequestSimplify *request = (SupportRequestSimplify *) node;

		uuidnew_check_simplified_call(request->root, request->fcall);
	}
	else if (IsA(node, SupportRequestCost))
	{
		SupportRequestCost *request = (SupportRequestCost *) node;
		FuncExpr   *call = (FuncExpr *) request->node;

		if (call != NULL && IsA(call, FuncExpr))
			uuidnew_check_planned_call(request->root, call->funcid,
									   call->args);
	}
	PG_RETURN_POINTER(NULL);
}
