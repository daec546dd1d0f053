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
#include "catalog/pg_operator.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
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

/* The layout that a call reads; NULL if that is not known, or is NULL. */
static const UuidLayout *
layout_read(const KeyFunction *function, List *args)
{
	int			argno = function->kind == KEY_WINDOW ? ARG_LAYOUT : 1;
	Const	   *name;

	if (function->nargs <= argno)
		return function->version->default_layout;
	name = list_nth(args, argno);
	if (!IsA(name, Const) || name->constisnull)
		return NULL;
	return uuidnew_find_layout(function->version, DatumGetTextPP(name->constvalue));
}

/* The key of a call, without a domain around it. */
static Var *
key_column(List *args)
{
	Node	   *key = args == NIL ? NULL : strip_implicit_coercions(linitial(args));

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
	Const	   *end = list_nth(window->args, argno);
	pg_uuid_t	bound;

	if (IsA(end, Const) && !end->constisnull)
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

	if (IsA(condition, OpExpr))
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
			checks->windows = lappend(checks->windows, window);
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
 * What the validated constraints of a table say of a column; with inherited
 * rows, only what they have to satisfy too.
 */
static KeyChecks
read_checks(Oid relid, AttrNumber attno, bool inherited, Oid sibling)
{
	Relation	relation = table_open(relid, NoLock);
	TupleConstr *constraints = relation->rd_att->constr;
	KeyChecks	checks = {0};

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		ConstrCheck *check = &constraints->check[i];
		ListCell   *cell;

		if (!check->ccvalid || (inherited && check->ccnoinherit))
			continue;
		foreach(cell, make_ands_implicit(stringToNode(check->ccbin)))
			read_condition(lfirst(cell), check->ccname, sibling, attno, &checks);
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
		Const	   *argument = list_nth(window->args, i);

		if (!IsA(argument, Const) || argument->constisnull)
			return false;
	}
	if (function == NULL || key == NULL || rte->rtekind != RTE_RELATION)
		return false;
	checks = read_checks(rte->relid, key->varattno, false, window->funcid);
	if (checks.version != function->version->version)
		return false;
	if (checks.version != 8)
		return true;
	foreach(cell, checks.windows)
	{
		FuncExpr   *check = lfirst_node(FuncExpr, cell);

		if (check->funcid == window->funcid &&
			equal(list_nth(check->args, ARG_LAYOUT), list_nth(window->args, ARG_LAYOUT)) &&
			equal(list_nth(check->args, ARG_EPOCH), list_nth(window->args, ARG_EPOCH)))
			return true;
	}
	return false;
}

/*
 * Refusal
 */

/* What a call reads, on the way to the tables that its key may come from. */
typedef struct LayoutRead
{
	PlannerInfo *root;
	Oid			funcid;
	const KeyFunction *function;
	Var		   *key;
	V7Kind		kind;
} LayoutRead;

static void refuse_in_output(LayoutRead *read, Query *query, AttrNumber resno);

static void
refuse_in_table(LayoutRead *read, RangeTblEntry *rte, AttrNumber attno)
{
	KeyChecks	checks = read_checks(rte->relid, attno, rte->inh, read->funcid);
	V7Kind		kind = checks.kind;
	const char *function;

	if (kind == V7_UNKNOWN || kind == read->kind)
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

/* Is the query's column a key of a table that holds the other kind? */
static void
refuse_in_query(LayoutRead *read, Query *query, Var *column)
{
	RangeTblEntry *rte;
	ListCell   *cell;

	check_stack_depth();
	if (column->varlevelsup != 0 || column->varattno <= 0 ||
		column->varno < 1 || column->varno > list_length(query->rtable))
		return;
	rte = rt_fetch(column->varno, query->rtable);
	if (rte->rtekind == RTE_RELATION)
		refuse_in_table(read, rte, column->varattno);
	else if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
		refuse_in_output(read, rte->subquery, column->varattno);
	else if (rte->rtekind == RTE_JOIN)
	{
		Node	   *alias = list_nth(rte->joinaliasvars, column->varattno - 1);

		if (alias != NULL && IsA(alias, Var))
			refuse_in_query(read, query, (Var *) alias);
	}
	else if (rte->rtekind == RTE_CTE && !rte->self_reference)
	{
		PlannerInfo *root = read->root;

		/* in a sub-query that is not planned yet there is no way up */
		if (query == root->parse)
		{
			for (Index up = rte->ctelevelsup; up > 0 && root != NULL; up--)
				root = root->parent_root;
		}
		else if (rte->ctelevelsup > 0)
			root = NULL;
		foreach(cell, root == NULL ? NIL : query == read->root->parse ?
				root->parse->cteList : query->cteList)
		{
			CommonTableExpr *cte = lfirst_node(CommonTableExpr, cell);

			if (strcmp(cte->ctename, rte->ctename) == 0 && !cte->cterecursive)
				refuse_in_output(read, castNode(Query, cte->ctequery), column->varattno);
		}
	}
}

/* The same for a column of a sub-query, or of all that a UNION adds up. */
static void
refuse_in_output(LayoutRead *read, Query *query, AttrNumber resno)
{
	List	   *target_list = query->commandType == CMD_SELECT ?
		query->targetList : query->returningList;
	TargetEntry *target = get_tle_by_resno(target_list, resno);
	ListCell   *cell;

	if (query->setOperations != NULL)
	{
		foreach(cell, query->rtable)
		{
			RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

			if (rte->rtekind == RTE_SUBQUERY && rte->subquery != NULL)
				refuse_in_output(read, rte->subquery, resno);
		}
	}
	else if (target != NULL)
	{
		Node	   *column = strip_implicit_coercions((Node *) target->expr);

		if (IsA(column, Var))
			refuse_in_query(read, query, (Var *) column);
	}
}

/* Does a query itself, not a sub-query of it, have a call with the same key? */
static bool
has_call(Node *node, void *context)
{
	LayoutRead *read = context;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcid == read->funcid)
	{
		Var		   *key = key_column(castNode(FuncExpr, node)->args);

		if (key != NULL && equal(key, read->key))
			return true;
	}
	return expression_tree_walker(node, has_call, context);
}

/*
 * uuidnew_refuse_other_layout - an ERROR, if a call reads a column as one kind
 * of layout of version 7 and a constraint says that it holds the other.
 */
void
uuidnew_refuse_other_layout(PlannerInfo *root, Oid funcid, List *args)
{
	LayoutRead	read = {.root = root, .funcid = funcid, .key = key_column(args)};
	const UuidLayout *layout;

	if (root == NULL || root->parse == NULL || read.key == NULL)
		return;
	read.function = key_function(funcid, args, funcid);
	if (read.function == NULL || read.function->version->version != 7)
		return;
	layout = layout_read(read.function, args);
	if (layout == NULL)
		return;
	read.kind = layout_kind(layout);

	/*
	 * Before the planner has its own array of tables, it may ask with a
	 * sub-query's expression and the outer query, as it does for EXISTS: then
	 * the number of the key's table means another one.  It will ask again.
	 */
	if (root->simple_rel_array == NULL &&
		!query_tree_walker(root->parse, has_call, &read,
						   QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_CTE_SUBQUERIES))
		return;
	refuse_in_query(&read, root->parse, read.key);
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
	static AttrNumber warned_attno;
	static TimestampTz warned_at;
	TimestampTz now = GetCurrentStatementStartTimestamp();
	V7Kind		other = layout_kind(layout) == V7_DRAFT ? V7_RFC9562 : V7_DRAFT;
	Var		   *key = (Var *) vardata->var;
	int			relid;
	RangeTblEntry *rte;

	/* it tells what is in the column */
	if (layout->version != 7 || !vardata->acl_ok || vardata->rel == NULL ||
		!IsA(key, Var) || !HeapTupleIsValid(vardata->statsTuple))
		return;
	relid = vardata->rel->top_parent_relids ?
		bms_next_member(vardata->rel->top_parent_relids, -1) : (int) vardata->rel->relid;
	rte = planner_rt_fetch(relid, root);
	if (rte->rtekind != RTE_RELATION ||
		(rte->relid == warned_relid && key->varattno == warned_attno && now == warned_at))
		return;
	if (!histogram_is_of(vardata->statsTuple, other,
						 other == V7_RFC9562 ? START_OF_2020 : DT_NOBEGIN,
						 now + USECS_PER_DAY))
		return;
	warned_relid = rte->relid;
	warned_attno = key->varattno;
	warned_at = now;
	ereport(WARNING,
			(errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" seems to hold layout \"%s\"",
					get_func_name(funcid), kind_name(layout_kind(layout)),
					get_attname(rte->relid, key->varattno, false), get_rel_name(rte->relid),
					kind_name(other)),
			 errdetail("All keys in the column's statistics do."),
			 errhint("Use %s(), and say what the column holds: CHECK (uuid_v7_layout(%s) = '%s').",
					 function_of_kind(other, KEY_WINDOW),
					 quote_identifier(get_attname(rte->relid, key->varattno, false)),
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
									request->fcall->args);
	}
	PG_RETURN_POINTER(NULL);
}
