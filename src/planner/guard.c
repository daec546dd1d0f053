/*
 * guard.c
 *	  No query reads a column of version 7 UUIDs as the wrong kind of layout.
 *
 * Version 7 has two kinds of layouts, the draft's and RFC 9562's, that read each
 * other's times wrong.  A validated CHECK constraint may say which of them a
 * column holds; these forms are understood, alone or in an AND:
 *
 *	   CHECK (uuidv7_is(id))						or uuid_v7_is(id)
 *	   CHECK (uuid_v7_layout(id) = 'rfc9562')		or <> 'draft', IN (...)
 *	   CHECK (uuidv7_between(id, since, until))		and the other windows
 *
 * A window or reader of the other kind would find wrong rows, and a DELETE would
 * take them: it is an ERROR when the query is planned.
 *
 * The planner asks when it simplifies a call, and with the query whose tables
 * the columns number, except for some EXISTS: so not where there are sub-selects.
 * It asks again for cost and selectivity, where the tables are always known.
 * What is certain at neither time is left alone.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "compat.h"
#include "keys/v7.h"
#include "planner/catalog.h"
#include "planner/guard.h"
#include "planner/time_window.h"
#include "sql/arguments.h"

/* Kinds of keys that a column may hold, as bits */
static const char *const kind_names[] = {"draft", "rfc9562", "none"};

#define KIND_DRAFT		1
#define KIND_RFC9562	2
#define KIND_ANY		7

/* A column whose constraints are read */
typedef struct GuardedColumn
{
	Oid			sibling;		/* a function of the extension */
	AttrNumber	attno;
} GuardedColumn;

/* A column without a domain around it, or what an outer join puts there */
static Node *
strip_key(Node *key)
{
	while (key != NULL)
	{
		if (IsA(key, RelabelType))
			key = (Node *) castNode(RelabelType, key)->arg;
		else if (IsA(key, CoerceToDomain))
			key = (Node *) castNode(CoerceToDomain, key)->arg;
		else if (IsA(key, PlaceHolderVar))
			key = (Node *) castNode(PlaceHolderVar, key)->phexpr;
		else
			break;
	}
	return key;
}

/* The name of the extension's function that is called with the column, or "". */
static const char *
name_of_call(Node *node, const GuardedColumn *column)
{
	const char *name = NULL;
	Node	   *key;

	if (node == NULL || !IsA(node, FuncExpr))
		return "";
	key = strip_key(uuidnew_argument(castNode(FuncExpr, node)->args, ARG_ID));
	if (key != NULL && IsA(key, Var) && castNode(Var, key)->varattno == column->attno)
		name = uuidnew_function_name(castNode(FuncExpr, node)->funcid, column->sibling);
	return name != NULL ? name : "";
}

/* The kinds that a test of uuid_v7_layout(id) names: = or <> one, IN or NOT IN a list */
static int
kinds_of_test(Oid operator, bool any, Node *left, List *names, const GuardedColumn *column)
{
	Oid			function = get_opcode(operator);
	int			kinds = 0;
	ListCell   *cell;

	if (function != (any ? F_TEXTEQ : F_TEXTNE) ||
		strcmp(name_of_call(left, column), "uuid_v7_layout") != 0)
		return KIND_ANY;
	foreach(cell, names)
	{
		Node	   *name = lfirst(cell);
		int			i = 0;

		while (i < (int) lengthof(kind_names) &&
			   (!uuidnew_is_known(name) ||
				!text_is(DatumGetTextPP(castNode(Const, name)->constvalue), kind_names[i])))
			i++;
		if (i == lengthof(kind_names))
			return KIND_ANY;
		kinds |= 1 << i;
	}
	return any ? kinds : KIND_ANY & ~kinds;
}

/* The kinds of all keys in a window of version 7: on one side of the border? */
static int
kinds_of_window(List *args, const UuidVersion *version)
{
	const UuidLayout *layout = uuidnew_layout_read(version, args, ARG_LAYOUT);
	pg_uuid_t	border;
	int			kinds = KIND_DRAFT | KIND_RFC9562;

	if (layout == NULL)
		return KIND_ANY;
	v7_border(&border);
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		Node	   *argument = uuidnew_argument(args, end);
		TimestampTz time = 0;
		pg_uuid_t	bound;

		if (argument == NULL || !IsA(argument, Const))
			continue;
		if (uuidnew_is_known(argument))
			time = DatumGetTimestampTz(castNode(Const, argument)->constvalue);
		uuidnew_window_bound(layout, layout_epoch(layout), end,
							 uuidnew_is_known(argument) ? &time : NULL, &bound);
		if (end == ARG_SINCE && memcmp(&bound, &border, UUID_LEN) >= 0)
			kinds &= KIND_DRAFT;
		if (end == ARG_UNTIL && memcmp(&bound, &border, UUID_LEN) <= 0)
			kinds &= KIND_RFC9562;
	}
	return kinds;
}

/* The kinds of keys that a condition lets into the column. */
static int
kinds_of_condition(Node *condition, const GuardedColumn *column)
{
	int			kinds = KIND_ANY;
	const char *name;
	ListCell   *cell;

	check_stack_depth();
	if (is_andclause(condition))
	{
		foreach(cell, castNode(BoolExpr, condition)->args)
			kinds &= kinds_of_condition(lfirst(cell), column);
		return kinds;
	}
	if (IsA(condition, OpExpr) && list_length(castNode(OpExpr, condition)->args) == 2)
	{
		OpExpr	   *test = (OpExpr *) condition;
		bool		equal = get_opcode(test->opno) == F_TEXTEQ;
		Node	   *left = linitial(test->args);
		Node	   *right = lsecond(test->args);

		return kinds_of_test(test->opno, equal, left, list_make1(right), column) &
			kinds_of_test(test->opno, equal, right, list_make1(left), column);
	}
	if (IsA(condition, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *test = (ScalarArrayOpExpr *) condition;

		if (!IsA(lsecond(test->args), ArrayExpr))
			return KIND_ANY;
		return kinds_of_test(test->opno, test->useOr, linitial(test->args),
							 castNode(ArrayExpr, lsecond(test->args))->elements, column);
	}
	name = name_of_call(condition, column);
	if (strcmp(name, "uuidv7_is") == 0)
		return KIND_RFC9562;
	if (strcmp(name, "uuid_v7_is") == 0)
		return KIND_DRAFT;
	if (strcmp(name, "uuidv7_between") == 0)
		return kinds_of_window(castNode(FuncExpr, condition)->args, &uuidnew_uuidv7_family);
	if (strcmp(name, "uuid_v7_between") == 0)
		return kinds_of_window(castNode(FuncExpr, condition)->args, &uuidnew_v7);
	return KIND_ANY;
}

/* What the constraints of a table say of a column, remembered until they change */
typedef struct ColumnKinds
{
	struct
	{
		Oid			relid;
		Oid			schema;		/* the extension's */
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

static void
read_constraints(ColumnKinds *column, Oid sibling)
{
	Relation	relation = table_open(column->key.relid, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;
	GuardedColumn guarded = {sibling, column->key.attno};

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];
		int			kinds;

		if (!check->ccvalid || (column->key.inherited && check->ccnoinherit))
			continue;
		kinds = kinds_of_condition(stringToNode(check->ccbin), &guarded);
		if (kinds != KIND_ANY)
			namestrcpy(&column->constraint, check->ccname);
		column->kinds &= kinds;
	}
	table_close(relation, NoLock);
}

/* The kinds of keys that a table lets into a column. */
static ColumnKinds
column_kinds(RangeTblEntry *rte, AttrNumber attno, Oid sibling)
{
	static bool is_registered = false;
	ColumnKinds column = {
		.key = {rte->relid, get_func_namespace(sibling), attno, rte->inh},
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
	read_constraints(&column, sibling);
	if (changes != changes_before)
		return column;
	if (known_columns == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(column.key), .entrysize = sizeof(column)};

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

/* What a call reads */
typedef struct LayoutRead
{
	Oid			funcid;
	const char *function;		/* its name */
	const char *base;			/* what follows uuid_v7_ or uuidv7_ in it */
	int			kind;
} LayoutRead;

static void
check_table(const LayoutRead *read, RangeTblEntry *rte, AttrNumber attno)
{
	ColumnKinds column = column_kinds(rte, attno, read->funcid);
	int			other = (KIND_DRAFT | KIND_RFC9562) & ~read->kind;
	char	   *right;

	if ((column.kinds & read->kind) != 0 || (column.kinds & other) == 0)
		return;
	right = psprintf("%s%s", other == KIND_DRAFT ? "uuid_v7_" : "uuidv7_", read->base);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					read->function, kind_names[read->kind >> 1],
					get_attname(rte->relid, attno, false), get_rel_name(rte->relid),
					kind_names[other >> 1]),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   NameStr(column.constraint)),
			 strcmp(right, read->function) != 0 ?
			 errhint("Use %s().", right) :
			 errhint("Use %s() without that layout.", right)));
}

/*
 * The table that the query names, and its column, where a partition or child of
 * it is planned: what its own constraints say counts only for queries of it.
 */
static RangeTblEntry *
named_table(PlannerInfo *root, Index relid, AttrNumber *attno)
{
	while (root->append_rel_array != NULL && root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (planner_rt_fetch(child->parent_relid, root)->rtekind != RTE_RELATION)
			break;
		*attno = *attno <= child->num_child_cols ? child->parent_colnos[*attno - 1] : 0;
		if (*attno == 0)
			return NULL;
		relid = child->parent_relid;
	}
	return planner_rt_fetch(relid, root);
}

/*
 * An ERROR, if a key is a column of a table that holds the other kind, or comes
 * from one out of a sub-query, which has no root.
 */
static void
check_key(const LayoutRead *read, Query *query, PlannerInfo *root, Node *key)
{
	Var		   *column = (Var *) strip_key(key);
	RangeTblEntry *rte;
	AttrNumber	attno;

	check_stack_depth();
	if (column == NULL || !IsA(column, Var) || column->varattno <= 0 ||
		column->varlevelsup > 0 || column->varno < 1 ||
		(int) column->varno > list_length(query->rtable))
		return;
	attno = column->varattno;
	rte = rt_fetch(column->varno, query->rtable);
	if (rte->rtekind == RTE_RELATION && root != NULL && root->simple_rel_array != NULL)
		rte = named_table(root, column->varno, &attno);
	if (rte == NULL)
		return;
	if (rte->rtekind == RTE_RELATION)
		check_table(read, rte, attno);
	else if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL &&
			 rte->subquery->setOperations == NULL)
		check_key(read, rte->subquery, NULL,
				  (Node *) list_nth_node(TargetEntry, rte->subquery->targetList,
										 attno - 1)->expr);
	else if (attno <= list_length(rte_group_exprs(rte)))
		check_key(read, query, root, list_nth(rte_group_exprs(rte), attno - 1));
}

/*
 * uuidnew_check_planned_call - an ERROR, if a call reads a column as the kind
 * of layout that constraints exclude.  The query's tables are those that the
 * columns number.
 *
 * Readers come without a version: their names tell it.
 */
void
uuidnew_check_planned_call(PlannerInfo *root, Oid funcid, List *args,
						   const UuidVersion *version)
{
	LayoutRead	read = {.funcid = funcid};
	int			argno = version != NULL ? ARG_LAYOUT : 1;
	const UuidLayout *layout;

	if (root == NULL || root->parse == NULL || (version != NULL && version->version != 7))
		return;
	read.function = get_func_name(funcid);
	if (read.function == NULL)
		return;
	if (strncmp(read.function, "uuidv7_", strlen("uuidv7_")) == 0)
		read.base = read.function + strlen("uuidv7_");
	else if (strncmp(read.function, "uuid_v7_", strlen("uuid_v7_")) == 0)
		read.base = read.function + strlen("uuid_v7_");
	else
		return;
	/* the draft's reader gives microseconds anyway */
	if (strcmp(read.base, "timestamp_micros") == 0)
		read.base = "timestamp";
	if (version == NULL)
		version = read.function[strlen("uuid")] == 'v' ? &uuidnew_uuidv7_family : &uuidnew_v7;
	layout = uuidnew_layout_read(version, args, argno);
	if (layout == NULL)
		return;
	read.kind = layout == uuidnew_v7_rfc9562 ? KIND_RFC9562 : KIND_DRAFT;
	check_key(&read, root->parse, root, linitial(args));
}

/*
 * uuidnew_check_simplified_call - the same for a call that is simplified, where
 * the tables are known.
 */
void
uuidnew_check_simplified_call(PlannerInfo *root, FuncExpr *call,
							  const UuidVersion *version)
{
	if (root != NULL && root->parse != NULL && !root->parse->hasSubLinks &&
		root->simple_rel_array == NULL)
		uuidnew_check_planned_call(root, call->funcid, call->args, version);
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

		uuidnew_check_simplified_call(request->root, request->fcall, NULL);
	}
	else if (IsA(node, SupportRequestCost))
	{
		SupportRequestCost *request = (SupportRequestCost *) node;

		if (request->node != NULL && IsA(request->node, FuncExpr))
			uuidnew_check_planned_call(request->root, request->funcid,
									   castNode(FuncExpr, request->node)->args, NULL);
	}
	PG_RETURN_POINTER(NULL);
}
