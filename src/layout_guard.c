/*
 * layout_guard.c
 *	  No query reads a column of version 7 UUIDs as the wrong kind of layout.
 *
 * Where a CHECK constraint says which kind the keys of a column are (see
 * key_checks.c), a query that reads them as the other one would find wrong rows,
 * and a DELETE would take them: it is refused when it is planned.
 *
 * Where no constraint says so, the column's statistics may show the other kind.
 * They may be old, so this is a WARNING.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_statistic.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "compat.h"
#include "key_checks.h"
#include "layout_guard.h"
#include "v7.h"

/* The function that does for a kind what another one does for the other. */
static const char *
function_of_kind(V7Kind kind, KeyFunctionKind function)
{
	if (function == KEY_WINDOW)
		return kind == V7_RFC9562 ? "uuidv7_between" : "uuid_v7_between";
	if (function == KEY_FIELDS)
		return kind == V7_RFC9562 ? "uuidv7_fields" : "uuid_v7_fields";
	return kind == V7_RFC9562 ? "uuidv7_timestamp" : "uuid_v7_timestamp";
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
		Var		   *key = uuidnew_key_column(args);
		const UuidLayout *layout = uuidnew_layout_read(read->function, args);

		if (layout != NULL && uuidnew_layout_kind(layout) == read->kind &&
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
 * Is something found in the query that is planned?  The select lists of a UNION ALL
 * have been moved out of it.
 */
static bool
is_in_query(LayoutRead *read, bool (*is_found) (Node *node, void *context))
{
	return query_tree_walker(read->root->parse, is_found, read, 0) ||
		is_found((Node *) read->root->append_rel_list, read);
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
		return !is_in_query(read, has_column_in_sublink) || is_in_query(read, has_call);

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
	KeyChecks	checks = uuidnew_read_checks(rte->relid, attno, rte->inh, false, read->funcid);
	V7Kind		kind = checks.kind;
	const char *function;

	if (kind == V7_UNKNOWN || kind == read->kind || !column_is_of_query(read))
		return;
	function = function_of_kind(kind, read->function->kind);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" holds layout \"%s\"",
					read->function->name, uuidnew_kind_name(read->kind),
					get_attname(rte->relid, attno, false), get_rel_name(rte->relid),
					uuidnew_kind_name(kind)),
			 errdetail("The CHECK constraint \"%s\" of the table says so.",
					   NameStr(checks.kind_constraint)),
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
	key = uuidnew_strip_key(key);
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
		column->varno < 1 || (int) column->varno > list_length(level->query->rtable))
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

	/*
	 * once: a recursive CTE comes back, and n CTEs that use each other twice
	 * have 2^n ways
	 */
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
	read.function = uuidnew_key_function(funcid, args, funcid);
	if (read.function == NULL || read.function->version->version != 7)
		return;
	layout = uuidnew_layout_read(read.function, args);
	if (layout == NULL)
		return;
	read.kind = uuidnew_layout_kind(layout);
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
 * A column whose statistics were examined, as far up as its parents are tables;
 * until statistics change.
 */
typedef struct ExaminedColumn
{
	struct
	{
		Oid			relid;
		int16		attno;
		int16		kind;		/* it was read as */
	}			key;
	bool		seems_other;
	TimestampTz at;				/* the statement */
} ExaminedColumn;

static HTAB *examined_columns = NULL;

static void
forget_examined_columns(Datum arg, int cacheid, uint32 hashvalue)
{
	if (examined_columns != NULL)
		hash_destroy(examined_columns);
	examined_columns = NULL;
}

static ExaminedColumn *
examined_column(Oid relid, AttrNumber attno, V7Kind kind, HASHACTION action)
{
	static bool is_registered = false;
	ExaminedColumn column = {.key = {relid, attno, kind}};

	if (!is_registered)
		CacheRegisterSyscacheCallback(STATRELATTINH, forget_examined_columns, (Datum) 0);
	is_registered = true;
	if (examined_columns == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(column.key), .entrysize = sizeof(ExaminedColumn)};

		examined_columns = hash_create("uuidnew examined columns", 64, &control,
									   HASH_ELEM | HASH_BLOBS);
	}
	return hash_search(examined_columns, &column.key, action, NULL);
}

/* A column, of the table that a partition or child belongs to. */
static RangeTblEntry *
parents_column(PlannerInfo *root, int relid, AttrNumber *attno)
{
	RangeTblEntry *rte = planner_rt_fetch(relid, root);
	AttrNumber	number = *attno;

	while (root->append_rel_array != NULL && root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (number <= 0 || number > child->num_child_cols)
			return rte;
		number = child->parent_colnos[number - 1];
		relid = child->parent_relid;
		if (planner_rt_fetch(relid, root)->rtekind != RTE_RELATION || number <= 0)
			return rte;
		rte = planner_rt_fetch(relid, root);
		*attno = number;
	}
	return rte;
}

/*
 * uuidnew_layout_is_examined - need uuidnew_warn_of_other_layout() not look at a
 * column's statistics again?
 */
bool
uuidnew_layout_is_examined(PlannerInfo *root, const UuidLayout *layout, Node *key)
{
	AttrNumber	attno;
	RangeTblEntry *rte;
	ExaminedColumn *column;

	if (layout->version != 7 || !IsA(key, Var))
		return true;
	attno = castNode(Var, key)->varattno;
	rte = parents_column(root, castNode(Var, key)->varno, &attno);
	column = examined_column(rte->relid, attno, uuidnew_layout_kind(layout), HASH_FIND);
	return column != NULL &&
		(!column->seems_other || column->at == GetCurrentStatementStartTimestamp());
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
	TimestampTz now = GetCurrentStatementStartTimestamp();
	V7Kind		kind = uuidnew_layout_kind(layout);
	V7Kind		other = kind == V7_DRAFT ? V7_RFC9562 : V7_DRAFT;
	Var		   *key = (Var *) vardata->var;
	AttrNumber	attno;
	RangeTblEntry *rte;
	char	   *column;
	HeapTuple	whole = NULL;
	bool		is_whole = true;
	bool		seems_other;
	ExaminedColumn *examined;

	/* it tells what is in the column */
	if (layout->version != 7 || !vardata->acl_ok || vardata->rel == NULL ||
		!IsA(key, Var) || !HeapTupleIsValid(vardata->statsTuple) ||
		planner_rt_fetch(vardata->rel->relid, root)->rtekind != RTE_RELATION ||
		uuidnew_layout_is_examined(root, layout, (Node *) key))
		return;

	/* for all partitions once: there the column may have another number */
	attno = key->varattno;
	rte = parents_column(root, key->varno, &attno);
	column = get_attname(rte->relid, attno, false);
	if (!may_read(rte->relid, column))
		return;
	/* one partition may hold one layout and another the other */
	if (rte != planner_rt_fetch(vardata->rel->relid, root))
	{
		whole = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
								Int16GetDatum(attno), BoolGetDatum(true));
		is_whole = HeapTupleIsValid(whole);
	}
	seems_other = histogram_is_of(is_whole && whole != NULL ? whole : vardata->statsTuple, other,
								  other == V7_RFC9562 ? START_OF_2020 : DT_NOBEGIN,
								  now + USECS_PER_DAY);
	if (HeapTupleIsValid(whole))
		ReleaseSysCache(whole);
	if (is_whole || seems_other)
	{
		examined = examined_column(rte->relid, attno, kind, HASH_ENTER);
		examined->seems_other = seems_other;
		examined->at = now;
	}
	if (!seems_other)
		return;
	ereport(WARNING,
			(errmsg("%s() reads layout \"%s\", but column \"%s\" of table \"%s\" seems to hold layout \"%s\"",
					get_func_name(funcid), uuidnew_kind_name(kind),
					column, get_rel_name(rte->relid), uuidnew_kind_name(other)),
			 errdetail("All keys in the column's statistics do."),
			 errhint("Use %s(), and say what the column holds: CHECK (uuid_v7_layout(%s) = '%s').",
					 function_of_kind(other, KEY_WINDOW),
					 quote_identifier(column),
					 uuidnew_kind_name(other))));
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
