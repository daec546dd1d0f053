/*
 * key_checks.c
 *	  What a table's CHECK constraints say of the keys in a column.
 *
 * Validated constraints of these forms are understood, alone or in an AND:
 *
 *	   CHECK (uuid_v7_layout(id) = 'draft')		or 'rfc9562'
 *	   CHECK (uuid_v7_timestamp(id) IS NOT NULL)	and the other readers
 *	   CHECK (uuid_v7_between(id, since, until))	and the other windows
 *
 * Where all keys are of the version, the bounds of a window say all that the
 * window does, and no row need be looked at for it.  What follows from
 * the kind of layout is in layout_guard.c.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
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

static const KeyFunction key_functions[] = {
	{"uuid_v7_layout", 1, KEY_LAYOUT, &uuidnew_v7},
	{"uuid_v6_timestamp", 1, KEY_TIMESTAMP, &uuidnew_v6},
	{"uuid_v7_timestamp", 1, KEY_TIMESTAMP, &uuidnew_v7},
	{"uuid_v7_timestamp", 2, KEY_TIMESTAMP, &uuidnew_v7},
	{"uuidv7_timestamp", 1, KEY_TIMESTAMP, &uuidnew_uuidv7_family},
	{"uuid_v7_fields", 1, KEY_FIELDS, &uuidnew_v7},
	{"uuid_v7_fields", 2, KEY_FIELDS, &uuidnew_v7},
	{"uuidv7_fields", 1, KEY_FIELDS, &uuidnew_uuidv7_family},
	{"uuid_v6_between", 3, KEY_WINDOW, &uuidnew_v6},
	{"uuid_v7_between", 3, KEY_WINDOW, &uuidnew_v7},
	{"uuid_v7_between", 4, KEY_WINDOW, &uuidnew_v7},
	{"uuidv7_between", 3, KEY_WINDOW, &uuidnew_uuidv7_family},
	{"uuid_v8_between", 5, KEY_WINDOW, &uuidnew_v8},
};

static const KeyFunction *
find_key_function(Oid funcid, List *args, Oid sibling)
{
	static const Oid reader_types[] = {UUIDOID, TEXTOID};
	static const Oid window_types[] = {
		UUIDOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID, TIMESTAMPTZOID
	};
	char	   *name = get_func_name(funcid);

	for (int i = 0; name != NULL && i < (int) lengthof(key_functions); i++)
	{
		const KeyFunction *function = &key_functions[i];
		const Oid  *types = function->kind == KEY_WINDOW ? window_types : reader_types;

		if (strcmp(name, function->name) == 0 &&
			list_length(args) == function->nargs &&
			uuidnew_sibling_function(sibling, name, types, function->nargs) == funcid)
			return function;
	}
	return NULL;
}

/* What was found last: the planner asks several times for each partition. */
static Oid	last_funcid = InvalidOid;
static int	last_nargs;
static const KeyFunction *last_function;
static uint32 function_changes;

static void
forget_last_function(Datum arg, int cacheid, uint32 hashvalue)
{
	last_funcid = InvalidOid;
	function_changes++;
}

/*
 * Which of them a call is of, in the schema of another function of the
 * extension; NULL if it is of none.  Types count too: anybody who may create
 * functions in the schema can give one the same name.
 */
const KeyFunction *
uuidnew_key_function(Oid funcid, List *args, Oid sibling)
{
	static bool is_registered = false;

	if (funcid != sibling)
		return find_key_function(funcid, args, sibling);
	if (!is_registered)
		CacheRegisterSyscacheCallback(PROCOID, forget_last_function, (Datum) 0);
	is_registered = true;
	if (funcid != last_funcid || list_length(args) != last_nargs)
	{
		uint32		changes_before = function_changes;
		const KeyFunction *function = find_key_function(funcid, args, sibling);

		/* a look into the catalog may hear of a change */
		if (changes_before != function_changes)
			return function;
		last_function = function;
		last_nargs = list_length(args);
		last_funcid = funcid;
	}
	return last_function;
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
const UuidLayout *
uuidnew_layout_read(const KeyFunction *function, List *args)
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
Node *
uuidnew_strip_key(Node *key)
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
Var *
uuidnew_key_column(List *args)
{
	Node	   *key = uuidnew_strip_key(nth_argument(args, ARG_ID));

	return key != NULL && IsA(key, Var) ? (Var *) key : NULL;
}

/*
 * The two kinds of layout of version 7.
 */

V7Kind
uuidnew_layout_kind(const UuidLayout *layout)
{
	if (layout->version != 7)
		return V7_UNKNOWN;
	return layout == uuidnew_v7_rfc9562 ? V7_RFC9562 : V7_DRAFT;
}

const char *
uuidnew_kind_name(V7Kind kind)
{
	return kind == V7_RFC9562 ? "rfc9562" : "draft";
}

/*
 * Constraints
 */

static bool
is_column(FuncExpr *call, AttrNumber attno)
{
	Var		   *column = uuidnew_key_column(call->args);

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
	const UuidLayout *layout = uuidnew_layout_read(function, window->args);
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
	function = uuidnew_key_function(castNode(FuncExpr, left)->funcid,
									castNode(FuncExpr, left)->args, sibling);
	if (function == NULL || function->kind != KEY_LAYOUT ||
		!is_column(castNode(FuncExpr, left), attno))
		return V7_UNKNOWN;

	for (V7Kind kind = V7_DRAFT; kind <= V7_RFC9562; kind++)
	{
		if (text_is(DatumGetTextPP(castNode(Const, right)->constvalue), uuidnew_kind_name(kind)))
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
			function = uuidnew_key_function(reader->funcid, reader->args, sibling);
		if (function != NULL && function->kind == KEY_TIMESTAMP)
			checks->version = function->version->version;
	}
	else if (IsA(condition, FuncExpr))
	{
		FuncExpr   *window = (FuncExpr *) condition;

		if (is_column(window, attno))
			function = uuidnew_key_function(window->funcid, window->args, sibling);
		if (function != NULL && function->kind == KEY_WINDOW &&
			uuidnew_layout_read(function, window->args) != NULL)
		{
			checks->version = function->version->version;
			if (checks->version == 8)
				checks->windows = lappend(checks->windows, copyObject(window));
			kind = window_kind(function, window);
		}
	}
	if (kind != V7_UNKNOWN)
	{
		checks->kind = kind;
		namestrcpy(&checks->kind_constraint, constraint);
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

/* What is known of a table's column, with inherited rows and without. */
typedef struct KnownTable
{
	Oid			relid;			/* hash key */
	struct
	{
		AttrNumber	attno;		/* 0: of none */
		Oid			schema;		/* the extension's */
		KeyChecks	checks;
	}			columns[2];
} KnownTable;

static HTAB *known_tables = NULL;
static uint64 changes = 0;

/* A table has changed, or (InvalidOid) any of them may have. */
static void
forget_table(Datum arg, Oid relid)
{
	changes++;
	if (known_tables != NULL && OidIsValid(relid))
		hash_search(known_tables, &relid, HASH_REMOVE, NULL);
	else if (known_tables != NULL)
	{
		hash_destroy(known_tables);
		known_tables = NULL;
	}
}

/* So has a function: its name may be another. */
static void
forget_tables(Datum arg, int cacheid, uint32 hashvalue)
{
	forget_table((Datum) 0, InvalidOid);
}

/*
 * What the validated constraints of a table say of a column; with inherited
 * rows, only what they have to satisfy too; for the rows that the transaction
 * sees, only what held for all of them.
 */
static KeyChecks
read_checks(Oid relid, AttrNumber attno, bool inherited, bool for_rows, Oid sibling)
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

static void
remember_checks(Oid relid, AttrNumber attno, bool inherited, Oid schema,
				const KeyChecks *checks)
{
	HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(KnownTable)};
	KnownTable *table;
	bool		found;

	if (known_tables == NULL)
		known_tables = hash_create("uuidnew known tables", 64, &control,
								   HASH_ELEM | HASH_BLOBS);
	table = hash_search(known_tables, &relid, HASH_ENTER, &found);
	if (!found)
		memset(table->columns, 0, sizeof(table->columns));
	table->columns[inherited].attno = attno;
	table->columns[inherited].schema = schema;
	table->columns[inherited].checks = *checks;
}

/*
 * uuidnew_read_checks - the same, which is remembered: the planner asks several
 * times for each table.
 */
KeyChecks
uuidnew_read_checks(Oid relid, AttrNumber attno, bool inherited, bool for_rows,
					Oid sibling)
{
	static bool is_registered = false;
	Oid			schema = get_func_namespace(sibling);
	KnownTable *table = NULL;
	KeyChecks	checks;
	uint64		changes_before;

	/* what held may differ between two snapshots */
	if (for_rows && IsolationUsesXactSnapshot())
		return read_checks(relid, attno, inherited, true, sibling);

	if (!is_registered)
	{
		CacheRegisterRelcacheCallback(forget_table, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, forget_tables, (Datum) 0);
		is_registered = true;
	}
	if (known_tables != NULL)
		table = hash_search(known_tables, &relid, HASH_FIND, NULL);
	if (table != NULL && table->columns[inherited].attno == attno &&
		table->columns[inherited].schema == schema)
		return table->columns[inherited].checks;

	changes_before = changes;
	checks = read_checks(relid, attno, inherited, false, sibling);
	if (checks.windows == NIL && changes == changes_before)
		remember_checks(relid, attno, inherited, schema, &checks);
	return checks;
}

/*
 * uuidnew_call_is_checked - do a window's bounds say all that the window does,
 * because its table lets only such keys into the column?
 *
 * A UUID of version 8 may carry no time, so there it takes a window of the same
 * layout and epoch.
 */
bool
uuidnew_call_is_checked(RangeTblEntry *rte, FuncExpr *window, bool inherited)
{
	const KeyFunction *function = uuidnew_key_function(window->funcid, window->args,
													   window->funcid);
	Var		   *key = uuidnew_key_column(window->args);
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

	/*
	 * a child's constraint may be younger than the snapshot, where the
	 * parent's is not
	 */
	inherited &= rte->inh && has_subclass(rte->relid);
	if (inherited && IsolationUsesXactSnapshot())
		return false;
	checks = uuidnew_read_checks(rte->relid, key->varattno, inherited, true, window->funcid);
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

/* uuidnew_key_is_checked - the same for one table, without its children. */
bool
uuidnew_key_is_checked(PlannerInfo *root, RelOptInfo *rel, FuncExpr *window)
{
	return uuidnew_call_is_checked(planner_rt_fetch(rel->relid, root), window, false);
}
