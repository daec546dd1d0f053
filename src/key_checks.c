/*
 * key_checks.c
 *	  What a table's CHECK constraints say of the keys in a column, and what
 *	  follows for a query that reads them.
 *
 * Validated constraints of these forms are understood, alone or in an AND:
 *
 *	   CHECK (uuid_v7_layout(id) = 'draft')		or 'rfc9562'
 *	   CHECK (uuid_v7_timestamp(id) IS NOT NULL)	and the other readers
 *	   CHECK (uuid_v7_between(id, since, until))	and the other windows
 *
 * 1. All keys are of the version: then the bounds of a window say all that the
 *	  window does, and an index scan need not look at its rows.
 * 2. All keys are of one kind of layout of version 7.  A query that reads the
 *	  column as the other kind would find wrong rows, and a DELETE would take
 *	  them: it is refused when it is planned.
 *
 * Where no constraint says so, the column's statistics may show the other kind.
 * They may be old, so this is a WARNING.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "arguments.h"
#include "compat.h"
#include "key_checks.h"
#include "time_window.h"
#include "v7.h"

/*
 * The extension's functions that say something of a key, their first argument.
 */

typedef enum KeyFunctionKind
{
	KEY_LAYOUT, KEY_TIMESTAMP, KEY_WINDOW
} KeyFunctionKind;

typedef struct KeyFunction
{
	const char *name;
	int			nargs;
	KeyFunctionKind kind;
	const UuidVersion *version;
} KeyFunction;

static const KeyFunction key_functions[] = {
	{"uuid_v7_layout", 1, KEY_LAYOUT, &uuidnew_v7},
	{"uuid_v6_timestamp", 1, KEY_TIMESTAMP, &uuidnew_v6},
	{"uuid_v7_timestamp", 1, KEY_TIMESTAMP, &uuidnew_v7},
	{"uuid_v7_timestamp", 2, KEY_TIMESTAMP, &uuidnew_v7},
	{"uuidv7_timestamp", 1, KEY_TIMESTAMP, &uuidnew_uuidv7_family},
	{"uuid_v6_between", 3, KEY_WINDOW, &uuidnew_v6},
	{"uuid_v7_between", 3, KEY_WINDOW, &uuidnew_v7},
	{"uuid_v7_between", 4, KEY_WINDOW, &uuidnew_v7},
	{"uuidv7_between", 3, KEY_WINDOW, &uuidnew_uuidv7_family},
	{"uuid_v8_between", 5, KEY_WINDOW, &uuidnew_v8},
};

/*
 * Which of them a call is of, in the schema of another function of the
 * extension; NULL if it is of none.  Types count too: anybody who may create
 * functions in the schema can give one the same name.
 */
static const KeyFunction *
key_function(Oid funcid, List *args, Oid sibling)
{
	static const Oid timestamp_types[] = {UUIDOID, TEXTOID};
	static const Oid window_types[] = {
		UUIDOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID
	};
	char	   *name = get_func_name(funcid);

	for (int i = 0; name != NULL && i < (int) lengthof(key_functions); i++)
	{
		const KeyFunction *function = &key_functions[i];
		const Oid  *types = function->kind == KEY_WINDOW ? window_types : timestamp_types;

		if (strcmp(name, function->name) == 0 &&
			list_length(args) == function->nargs &&
			uuidnew_sibling_function(sibling, name, types, function->nargs) == funcid)
			return function;
	}
	return NULL;
}

/* An argument of a call, which may be named in one that the planner has not seen. */
static Node *
nth_argument(List *args, int argno)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		Node	   *argument = lfirst(cell);
		int			number = foreach_current_index(cell);

		if (IsA(argument, NamedArgExpr))
		{
			number = castNode(NamedArgExpr, argument)->argnumber;
			argument = (Node *) castNode(NamedArgExpr, argument)->arg;
		}
		if (number == argno)
			return argument;
	}
	return NULL;
}

/* An argument if it is a constant, and not NULL; else NULL. */
static Const *
constant_argument(List *args, int argno)
{
	Node	   *argument = nth_argument(args, argno);

	if (argument == NULL || !IsA(argument, Const) ||
		castNode(Const, argument)->constisnull)
		return NULL;
	return (Const *) argument;
}

/* The layout that a call reads; NULL if that is not known, or is NULL. */
static const UuidLayout *
layout_read(const KeyFunction *function, List *args)
{
	int			argno = function->kind == KEY_WINDOW ? ARG_LAYOUT : 1;
	Const	   *name;

	if (function->nargs <= argno)
		return function->version->default_layout;
	name = constant_argument(args, argno);
	if (name == NULL)
		return NULL;
	return uuidnew_find_layout(function->version, DatumGetTextPP(name->constvalue));
}

/* A key without a domain around it, or what an outer join puts around it. */
static Node *
strip_key(Node *key)
{
	for (;;)
	{
		if (key == NULL)
			return NULL;
		else if (IsA(key, RelabelType))
			key = (Node *) castNode(RelabelType, key)->arg;
		else if (IsA(key, CoerceToDomain))
			key = (Node *) castNode(CoerceToDomain, key)->arg;
		else if (IsA(key, PlaceHolderVar))
			key = (Node *) castNode(PlaceHolderVar, key)->phexpr;
		else
			return key;
	}
}

/* The key of a call, if it is a column. */
static Var *
key_column(List *args)
{
	Node	   *key = strip_key(nth_argument(args, ARG_ID));

	return key != NULL && IsA(key, Var) ? (Var *) key : NULL;
}

/*
 * The two kinds of layout of version 7.
 */

typedef enum V7Kind
{
	V7_UNKNOWN, V7_DRAFT, V7_RFC9562
} V7Kind;

static V7Kind
layout_kind(const UuidLayout *layout)
{
	if (layout->version != 7)
		return V7_UNKNOWN;
	return layout == uuidnew_v7_rfc9562 ? V7_RFC9562 : V7_DRAFT;
}

static const char *
kind_name(V7Kind kind)
{
	return kind == V7_RFC9562 ? "rfc9562" : "draft";
}

/* The function that does for a kind what another one does for the other. */
static const char *
function_of_kind(V7Kind kind, KeyFunctionKind function)
{
	if (function == KEY_WINDOW)
		return kind == V7_RFC9562 ? "uuidv7_between" : "uuid_v7_between";
	return kind == V7_RFC9562 ? "uuidv7_timestamp" : "uuid_v7_timestamp";
}

/*
 * Constraints
 */

/* What the CHECK constraints of a table say of a column. */
typedef struct KeyChecks
{
	int			version;		/* all keys are of it; 0 if that is not known */
	V7Kind		kind;
	char	   *kind_constraint;	/* the name of the constraint that says so */
	List	   *windows;		/* in which all keys are, FuncExpr */
} KeyChecks;

static bool
is_column(FuncExpr *call, AttrNumber attno)
{
	Var		   *column = key_column(call->args);

	return column != NULL && column->varattno == attno;
}

/* The bound of a window that is constant, or else what is below or above all. */
static pg_uuid_t
constant_bound(FuncExpr *window, int argno, const UuidLayout *layout)
{
	Const	   *end = constant_argument(window->args, argno);
	pg_uuid_t	bound;

	if (end != NULL)
		uuidnew_layout_min(layout, layout_epoch(layout),
						   DatumGetTimestampTz(end->constvalue), &bound);
	else
		memset(&bound, argno == ARG_SINCE ? 0 : 0xFF, sizeof(bound));
	return bound;
}

/* The kind of all keys in a window of version 7. */
static V7Kind
window_kind(const KeyFunction *function, FuncExpr *window)
{
	const UuidLayout *layout = layout_read(function, window->args);
	pg_uuid_t	first_draft;
	pg_uuid_t	bound;

	if (layout == NULL || layout->version != 7)
		return V7_UNKNOWN;
	uuid_pack((UuidPayload) {V7_FIRST_DRAFT_SECOND << 24, 0}, 0, &first_draft);
	first_draft.data[8] = 0;
	bound = constant_bound(window, ARG_SINCE, layout);
	if (memcmp(&bound, &first_draft, UUID_LEN) >= 0)
		return V7_DRAFT;
	bound = constant_bound(window, ARG_UNTIL, layout);
	if (memcmp(&bound, &first_draft, UUID_LEN) <= 0)
		return V7_RFC9562;
	return V7_UNKNOWN;
}

/* uuid_v7_layout(id) = 'draft', or 'rfc9562' */
static V7Kind
layout_test_kind(OpExpr *test, Oid sibling, AttrNumber attno)
{
	Node	   *left;
	Node	   *right;
	const KeyFunction *function;

	if (test->opno != TextEqualOperator)
		return V7_UNKNOWN;
	left = get_leftop(test);
	right = get_rightop(test);
	if (IsA(left, Const))
	{
		Node	   *swap = left;

		left = right;
		right = swap;
	}
	if (!IsA(left, FuncExpr) || !IsA(right, Const) ||
		castNode(Const, right)->constisnull)
		return V7_UNKNOWN;
	function = key_function(castNode(FuncExpr, left)->funcid,
							castNode(FuncExpr, left)->args, sibling);
	if (function == NULL || function->kind != KEY_LAYOUT ||
		!is_column(castNode(FuncExpr, left), attno))
		return V7_UNKNOWN;

	for (V7Kind kind = V7_DRAFT; kind <= V7_RFC9562; kind++)
	{
		if (text_is(DatumGetTextPP(castNode(Const, right)->constvalue), kind_name(kind)))
			return kind;
	}
	return V7_UNKNOWN;
}

/* One condition that all rows of a table satisfy. */
static void
read_condition(Node *condition, const char *constraint, Oid sibling,
			   AttrNumber attno, KeyChecks *checks)
{
	V7Kind		kind = V7_UNKNOWN;
	const KeyFunction *function = NULL;
	ListCell   *cell;

	check_stack_depth();
	if (is_andclause(condition))
	{
		foreach(cell, castNode(BoolExpr, condition)->args)
			read_condition(lfirst(cell), constraint, sibling, attno, checks);
	}
	else if (IsA(condition, OpExpr))
	{
		kind = layout_test_kind((OpExpr *) condition, sibling, attno);
		if (kind != V7_UNKNOWN)
			checks->version = 7;
	}
	else if (IsA(condition, NullTest))
	{
		NullTest   *test = (NullTest *) condition;

		FuncExpr   *reader = (FuncExpr *) test->arg;

		if (test->nulltesttype == IS_NOT_NULL && IsA(reader, FuncExpr) &&
			is_column(reader, attno))
			function = key_function(reader->funcid, reader->args, sibling);
		if (function != NULL && function->kind == KEY_TIMESTAMP)
			checks->version = function->version->version;
	}
	else if (IsA(condition, FuncExpr))
	{
		FuncExpr   *window = (FuncExpr *) condition;

		if (is_column(window, attno))
			function = key_function(window->funcid, window->args, sibling);
		if (function != NULL && function->kind == KEY_WINDOW &&
			layout_read(function, window->args) != NULL)
		{
			checks->version = function->version->version;
			checks->windows = lappend(checks->windows, copyObject(window));
			kind = window_kind(function, window);
		}
	}
	if (kind != V7_UNKNOWN)
	{
		checks->kind = kind;
		checks->kind_constraint = pstrdup(constraint);
	}
}

/*
 * A constraint as an expression, not to be changed.  The planner asks several
 * times for each table, and all partitions have the same text: the last one is
 * kept.
 */
static Node *
parse_constraint(const char *text)
{
	static MemoryContext context = NULL;
	static char *last_text = NULL;
	static Node *last_expression;

	if (last_text == NULL || strcmp(text, last_text) != 0)
	{
		MemoryContext caller = CurrentMemoryContext;

		if (context == NULL)
			context = AllocSetContextCreate(CacheMemoryContext, "uuidnew constraint",
											ALLOCSET_SMALL_SIZES);
		last_text = NULL;
		MemoryContextReset(context);
		MemoryContextSwitchTo(context);
		last_expression = stringToNode(text);
		last_text = pstrdup(text);
		MemoryContextSwitchTo(caller);
	}
	return last_expression;
}

/*
 * Did a constraint hold for all rows that the transaction sees?  A snapshot that
 * is older may have rows that were deleted before it was added.
 */
static bool
holds_for_snapshot(Oid relid, const char *constraint)
{
	HeapTuple	tuple;
	TransactionId xmin;

	if (!IsolationUsesXactSnapshot())
		return true;
	tuple = SearchSysCache1(CONSTROID,
							ObjectIdGetDatum(get_relation_constraint_oid(relid, constraint, true)));
	if (!HeapTupleIsValid(tuple))
		return false;
	xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	ReleaseSysCache(tuple);
	return !TransactionIdIsNormal(xmin) ||
		(!TransactionIdIsCurrentTransactionId(xmin) &&
		 !XidInMVCCSnapshot(xmin, GetTransactionSnapshot()));
}

/*
 * What the validated constraints of a table say of a column; with inherited
 * rows, only what they have to satisfy too; for the rows that the transaction
 * sees, only what held for all of them.
 */
static KeyChecks
read_checks(Oid relid, AttrNumber attno, bool inherited, bool for_rows,
			Oid sibling)
{
	Relation	relation = table_open(relid, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;
	KeyChecks	checks = {0};

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];

		/* what is understood has a call */
		if (!check->ccvalid || (inherited && check->ccnoinherit) ||
			strstr(check->ccbin, "{FUNCEXPR ") == NULL ||
			(for_rows && !holds_for_snapshot(relid, check->ccname)))
			continue;
		read_condition(parse_constraint(check->ccbin), check->ccname, sibling, attno,
					   &checks);
	}
	table_close(relation, NoLock);
	return checks;
}

/*
 * uuidnew_key_is_checked - do a window's bounds say all that the window does,
 * because its table lets only such keys into the column?
 *
 * A UUID of version 8 may carry no time, so there it takes a window of the same
 * layout and epoch.
 */
bool
uuidnew_key_is_checked(PlannerInfo *root, RelOptInfo *rel, FuncExpr *window)
{
	const KeyFunction *function = key_function(window->funcid, window->args,
												window->funcid);
	Var		   *key = key_column(window->args);
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, root);
	KeyChecks	checks;
	ListCell   *cell;

	/* a layout or epoch that may be NULL makes all rows NULL */
	for (int i = ARG_LAYOUT; i < list_length(window->args); i++)
	{
		if (constant_argument(window->args, i) == NULL)
			return false;
	}
	if (function == NULL || key == NULL || rte->rtekind != RTE_RELATION)
		return false;
	checks = read_checks(rte->relid, key->varattno, false, true, window->funcid);
	if (checks.version != function->version->version)
		return false;
	if (checks.version != 8)
		return true;
	foreach(cell, checks.windows)
	{
		FuncExpr   *check = lfirst_node(FuncExpr, cell);

		if (check->funcid == window->funcid &&
			equal(nth_argument(check->args, ARG_LAYOUT), nth_argument(window->args, ARG_LAYOUT)) &&
			equal(nth_argument(check->args, ARG_EPOCH), nth_argument(window->args, ARG_EPOCH)))
			return true;
	}
	return false;
}

/*
 * Refusal
 */

/* A query, as far as the way from a key to its table leads through it. */
typedef struct QueryLevel
{
	Query	   *query;
	PlannerInfo *root;			/* NULL if it is not planned yet */
	struct QueryLevel *outer;	/* NULL if that is not known, or there is none */
} QueryLevel;

/* What a call reads, on the way to the tables that its key may come from. */
typedef struct LayoutRead
{
	PlannerInfo *root;
	Oid			funcid;
	const KeyFunction *function;
	V7Kind		kind;
	bool		simplifying;
	Var		   *column;			/* in the key */
	List	   *seen;			/* output columns of sub-queries, TargetEntry */
} LayoutRead;

static void refuse_in_output(LayoutRead *read, QueryLevel *level, AttrNumber resno);

/*
 * Does a query itself, not a sub-query of it, have a call that reads the column
 * (NULL: any) as the same kind?
 */
static bool
has_call(Node *node, void *context)
{
	LayoutRead *read = context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == read->funcid)
	{
		List	   *args = castNode(FuncExpr, node)->args;
		Var		   *key = key_column(args);
		const UuidLayout *layout = layout_read(read->function, args);

		if (layout != NULL && layout_kind(layout) == read->kind &&
			(read->column == NULL || (key != NULL && equal(key, read->column))))
			return true;
	}
	return expression_tree_walker(node, has_call, context);
}

/* Is the column, at its place in the text, in a query itself? */
static bool
has_column(Node *node, void *context)
{
	LayoutRead *read = context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, Var))
		return equal(node, read->column) &&
			castNode(Var, node)->location == read->column->location;
	return expression_tree_walker(node, has_column, context);
}

/* The same for the sub-selects in a query's expressions */
static bool
has_column_in_sublink(Node *node, void *context)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) &&
		query_tree_walker(castNode(Query, castNode(SubLink, node)->subselect),
						  has_column, context, 0))
		return true;
	return expression_tree_walker(node, has_column_in_sublink, context);
}

/*
 * Does the number of the column's table count in the query that is planned?
 *
 * Not always where core simplifies an expression: for EXISTS it asks with the
 * sub-query's and the outer query; later with a table's constraint, whose table
 * is number 1.  What stands in the query it asks about more than once.
 */
static bool
column_is_of_query(LayoutRead *read)
{
	PlannerInfo *root = read->root;
	int			varno = read->column->varno;
	RelOptInfo *parent;
	LayoutRead	any = *read;

	if (!read->simplifying)
		return true;
	if (root->simple_rel_array == NULL)
		return !query_tree_walker(root->parse, has_column_in_sublink, read, 0) ||
			query_tree_walker(root->parse, has_call, read, 0);

	/* a condition on a table, copied for one of its partitions or children */
	if (varno >= root->simple_rel_array_size || root->append_rel_array == NULL ||
		root->append_rel_array[varno] == NULL)
		return false;
	parent = root->simple_rel_array[root->append_rel_array[varno]->parent_relid];
	any.column = NULL;
	return parent != NULL &&
		has_call((Node *) extract_actual_clauses(parent->baserestrictinfo, false), &any);
}

static void
refuse_in_table(LayoutRead *read, RangeTblEntry *rte, AttrNumber attno)
{
	KeyChecks	checks = read_checks(rte->relid, attno, rte->inh, false, read->funcid);
	V7Kind		kind = checks.kind;
	const char *function;

	if (kind == V7_UNKNOWN || kind == read->kind || !column_is_of_query(read))
		return;
	function = function_of_kind(kind, read->function->kind);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					read->function->name, kind_name(read->kind),
					get_attname(rte->relid, attno, false), get_rel_name(rte->relid),
					kind_name(kind)),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   checks.kind_constraint),
			 strcmp(function, read->function->name) != 0 ?
			 errhint("Use %s().", function) :
			 errhint("Use %s() without that layout.", function)));
}

static QueryLevel *
new_level(Query *query, PlannerInfo *root, QueryLevel *outer)
{
	QueryLevel *level = palloc(sizeof(QueryLevel));

	level->query = query;
	level->root = root;
	level->outer = outer;
	return level;
}

/* The query that is so many levels further out, NULL if there is no way. */
static QueryLevel *
outer_level(QueryLevel *level, Index levels)
{
	for (; levels > 0 && level != NULL; levels--)
	{
		if (level->root != NULL && level->root->parent_root != NULL)
			level = new_level(level->root->parent_root->parse,
							  level->root->parent_root, NULL);
		else
			level = level->outer;
	}
	return level;
}

/*
 * Does a key come from a column of a table that holds the other kind?  It may
 * be a column, or what a FULL JOIN ... USING makes of two.
 */
static void
refuse_key(LayoutRead *read, QueryLevel *level, Node *key)
{
	Var		   *column;
	RangeTblEntry *rte;
	ListCell   *cell;

	check_stack_depth();
	key = strip_key(key);
	if (key != NULL && IsA(key, CoalesceExpr))
	{
		column = read->column;
		foreach(cell, castNode(CoalesceExpr, key)->args)
		{
			read->column = column;
			refuse_key(read, level, lfirst(cell));
		}
	}
	if (key == NULL || !IsA(key, Var))
		return;

	column = (Var *) key;
	if (level->root == read->root && read->column == NULL)
		read->column = column;	/* not what is behind it, of a join */
	level = outer_level(level, column->varlevelsup);
	if (level == NULL || column->varattno <= 0 ||
		column->varno < 1 || column->varno > list_length(level->query->rtable))
		return;
	rte = rt_fetch(column->varno, level->query->rtable);
	if (rte->rtekind == RTE_RELATION)
		refuse_in_table(read, rte, column->varattno);
	else if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
		refuse_in_output(read, new_level(rte->subquery, NULL, level), column->varattno);
	else if (rte->rtekind == RTE_CTE)
	{
		level = outer_level(level, rte->ctelevelsup);
		foreach(cell, level == NULL ? NIL : level->query->cteList)
		{
			CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

			if (strcmp(cte->ctename, rte->ctename) == 0)
				refuse_in_output(read, new_level(castNode(Query, cte->ctequery), NULL, level),
								 column->varattno);
		}
	}
	else
	{
		List	   *columns = rte->rtekind == RTE_JOIN ? rte->joinaliasvars :
			rte_group_exprs(rte);

		if (column->varattno <= list_length(columns))
			refuse_key(read, level, list_nth(columns, column->varattno - 1));
	}
}

/* The same for a column of what a UNION, an INTERSECT or an EXCEPT gives. */
static void
refuse_in_set_operation(LayoutRead *read, QueryLevel *level, Node *node,
						AttrNumber resno)
{
	check_stack_depth();
	if (IsA(node, SetOperationStmt))
	{
		SetOperationStmt *operation = (SetOperationStmt *) node;

		refuse_in_set_operation(read, level, operation->larg, resno);
		if (operation->op != SETOP_EXCEPT)
			refuse_in_set_operation(read, level, operation->rarg, resno);
	}
	else
	{
		int			rtindex = castNode(RangeTblRef, node)->rtindex;
		RangeTblEntry *rte = rt_fetch(rtindex, level->query->rtable);

		if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
			refuse_in_output(read, new_level(rte->subquery, NULL, level), resno);
	}
}

/* The same for a column that a sub-query gives. */
static void
refuse_in_output(LayoutRead *read, QueryLevel *level, AttrNumber resno)
{
	Query	   *query = level->query;
	TargetEntry *target = get_tle_by_resno(query->commandType == CMD_SELECT ?
										   query->targetList : query->returningList,
										   resno);

	/* once: a recursive CTE comes back, and n CTEs that use each other twice have 2^n ways */
	if (target == NULL || list_member_ptr(read->seen, target))
		return;
	read->seen = lappend(read->seen, target);
	if (query->setOperations != NULL)
		refuse_in_set_operation(read, level, query->setOperations, resno);
	else
		refuse_key(read, level, (Node *) target->expr);
}

/*
 * uuidnew_refuse_other_layout - an ERROR, if a call reads a column as one kind
 * of layout of version 7 and a constraint says that it holds the other.
 *
 * Simplifying: as SupportRequestSimplify asks, see column_is_of_query().
 */
void
uuidnew_refuse_other_layout(PlannerInfo *root, Oid funcid, List *args,
							bool simplifying)
{
	LayoutRead	read = {.root = root, .funcid = funcid, .simplifying = simplifying};
	const UuidLayout *layout;

	if (root == NULL || root->parse == NULL)
		return;
	read.function = key_function(funcid, args, funcid);
	if (read.function == NULL || read.function->version->version != 7)
		return;
	layout = layout_read(read.function, args);
	if (layout == NULL)
		return;
	read.kind = layout_kind(layout);
	refuse_key(&read, new_level(root->parse, root, NULL), linitial(args));
}

/*
 * Warning
 */

/* Fewer values of a histogram may be there by chance. */
#define WARNING_MIN_VALUES	20

/* Nobody made version 7 of RFC 9562 before. */
#define START_OF_2020	SINCE_1970(INT64CONST(1577836800) * USECS_PER_SEC)

/*
 * Are all values of the column's histogram keys of the kind, with times from
 * start to end?
 */
static bool
histogram_is_of(HeapTuple stats, V7Kind kind, TimestampTz start, TimestampTz end)
{
	const UuidLayout *layout = kind == V7_RFC9562 ? uuidnew_v7_rfc9562 :
		uuidnew_v7.default_layout;
	AttStatsSlot slot;
	bool		all;

	if (!get_attstatsslot(&slot, stats, STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return false;
	all = slot.nvalues >= WARNING_MIN_VALUES;
	for (int i = 0; all && i < slot.nvalues; i++)
	{
		pg_uuid_t  *uuid = DatumGetUUIDP(slot.values[i]);
		TimestampTz time;

		all = v7_looks_rfc9562(uuid) == (kind == V7_RFC9562) &&
			layout_timestamp(layout, layout_epoch(layout), uuid, &time) &&
			time >= start && time <= end;
	}
	free_attstatsslot(&slot);
	return all;
}

/* May the user read the column, not only a view's owner? */
static bool
may_read(Oid relid, const char *column)
{
	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		pg_attribute_aclcheck(relid, get_attnum(relid, column), GetUserId(),
							  ACL_SELECT) == ACLCHECK_OK;
}

/*
 * uuidnew_warn_of_other_layout - a WARNING, if a window reads a column as one
 * kind of layout of version 7 and all that its statistics show are plausible
 * keys of the other; once for each column and statement.
 */
void
uuidnew_warn_of_other_layout(PlannerInfo *root, Oid funcid,
							 const UuidLayout *layout, VariableStatData *vardata)
{
	static Oid	warned_relid = InvalidOid;
	static NameData warned_column;
	static TimestampTz warned_at;
	TimestampTz now = GetCurrentStatementStartTimestamp();
	V7Kind		other = layout_kind(layout) == V7_DRAFT ? V7_RFC9562 : V7_DRAFT;
	Var		   *key = (Var *) vardata->var;
	int			relid;
	RangeTblEntry *rte;
	char	   *column;
	HeapTuple	whole = NULL;
	bool		seems_other;

	/* it tells what is in the column */
	if (layout->version != 7 || !vardata->acl_ok || vardata->rel == NULL ||
		!IsA(key, Var) || !HeapTupleIsValid(vardata->statsTuple))
		return;
	rte = planner_rt_fetch(vardata->rel->relid, root);
	if (rte->rtekind != RTE_RELATION)
		return;

	/* for all partitions once: there the column has this name, maybe another number */
	column = get_attname(rte->relid, key->varattno, false);
	relid = vardata->rel->top_parent_relids ?
		bms_next_member(vardata->rel->top_parent_relids, -1) : -1;
	if (relid > 0 && planner_rt_fetch(relid, root)->rtekind == RTE_RELATION)
		rte = planner_rt_fetch(relid, root);
	if (rte->relid == warned_relid && now == warned_at &&
		strcmp(column, NameStr(warned_column)) == 0)
		return;
	if (!may_read(rte->relid, column))
		return;
	/* one partition may hold one layout and another the other */
	if (rte != planner_rt_fetch(vardata->rel->relid, root))
		whole = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
								Int16GetDatum(get_attnum(rte->relid, column)),
								BoolGetDatum(true));
	seems_other = histogram_is_of(HeapTupleIsValid(whole) ? whole : vardata->statsTuple, other,
								  other == V7_RFC9562 ? START_OF_2020 : DT_NOBEGIN,
								  now + USECS_PER_DAY);
	if (HeapTupleIsValid(whole))
		ReleaseSysCache(whole);
	if (!seems_other)
		return;
	warned_relid = rte->relid;
	namestrcpy(&warned_column, column);
	warned_at = now;
	ereport(WARNING,
			(errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" seems to hold layout \"%s\"",
					get_func_name(funcid), kind_name(layout_kind(layout)),
					column, get_rel_name(rte->relid), kind_name(other)),
			 errdetail("All keys in the column's statistics do."),
			 errhint("Use %s(), and say what the column holds: CHECK (uuid_v7_layout(%s) = '%s').",
					 function_of_kind(other, KEY_WINDOW),
					 quote_identifier(column),
					 kind_name(other))));
}

/* The support function of the readers of version 7: it only refuses. */
PG_FUNCTION_INFO_V1(uuid_v7_timestamp_support);
Datum
uuid_v7_timestamp_support(PG_FUNCTION_ARGS)
{
	Node	   *node = (Node *) PG_GETARG_POINTER(0);

	if (IsA(node, SupportRequestSimplify))
	{
		SupportRequestSimplify *request = (SupportRequestSimplify *) node;

		uuidnew_refuse_other_layout(request->root, request->fcall->funcid,
									request->fcall->args, true);
	}
	PG_RETURN_POINTER(NULL);
}
