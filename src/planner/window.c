/*
 * window.c
 *	  Which window or filter an SQL function is, and what its calls say.
 *
 * It is what its C function is.  Its name, schema and settings are its
 * owner's, and FmgrInfo has another C function where it has settings.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "keys/v7.h"
#include "planner/window.h"

#define OPEN	0				/* an end that a window does not have */

#define BETWEEN	false, {{GE, "since", ARG_SINCE}, {LT, "until", ARG_UNTIL}}
#define FILTER	true, {{0}}

static const TimeFunction time_functions[] = {
	{"uuid_v6_between", &uuidnew_v6, BETWEEN},
	{"uuid_v7_between", &uuidnew_v7, BETWEEN},
	{"uuid_v7_before", &uuidnew_v7, false,
	{{GE, "since", OPEN}, {LT, "min", 1}}},
	{"uuid_v7_from", &uuidnew_v7, false,
	{{GE, "min", 1}, {LT, "until", OPEN}}},
	{"uuidv7_between", &uuidnew_uuidv7_family, BETWEEN},
	{"uuidv7_within", &uuidnew_uuidv7_family, false,
	{{GE, "range_since", 1}, {LT, "range_until", 1}}},
	{"uuidv7_before", &uuidnew_uuidv7_family, false,
	{{GE, "since", OPEN}, {LT, "min", 1}}},
	{"uuidv7_upto", &uuidnew_uuidv7_family, false,
	{{GE, "since", OPEN}, {LE, "max", 1}}},
	{"uuidv7_from", &uuidnew_uuidv7_family, false,
	{{GE, "min", 1}, {LT, "until", OPEN}}},
	{"uuidv7_after", &uuidnew_uuidv7_family, false,
	{{GT, "max", 1}, {LT, "until", OPEN}}},
	{"uuid_v8_between", &uuidnew_v8, BETWEEN},
	{"uuid_v6_is", &uuidnew_v6, FILTER},
	{"uuid_v7_is", &uuidnew_v7, FILTER},
	{"uuidv7_is", &uuidnew_uuidv7_family, FILTER},
	{"uuid_v8_is", &uuidnew_v8, FILTER},
};

/* Functions that were asked about, remembered until one changes */
static struct
{
	Oid			funcid;
	NameData	symbol;
}			known_functions[64];

static void
forget_functions(Datum arg, int cache, uint32 hash)
{
	memset(known_functions, 0, sizeof(known_functions));
}

/* A column of a function's row in pg_proc, or NULL */
static char *
proc_text(Oid funcid, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	char	   *result = NULL;
	Datum		value;
	bool		is_null;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	value = SysCacheGetAttr(PROCOID, tuple, column, &is_null);
	if (!is_null)
		result = TextDatumGetCString(value);
	ReleaseSysCache(tuple);
	return result;
}

/*
 * uuidnew_symbol - which of this library's an SQL function is, or "".
 *
 * The library is where the planner support function is from.
 */
const char *
uuidnew_symbol(Oid funcid, Oid support)
{
	static bool is_registered = false;
	int			slot = funcid % lengthof(known_functions);
	const char *symbol = "";
	char	   *library;

	if (!is_registered)
		CacheRegisterSyscacheCallback(PROCOID, forget_functions, (Datum) 0);
	is_registered = true;
	if (known_functions[slot].funcid == funcid)
		return NameStr(known_functions[slot].symbol);
	library = proc_text(funcid, Anum_pg_proc_probin);
	if (library != NULL &&
		strcmp(library, proc_text(support, Anum_pg_proc_probin)) == 0)
		symbol = proc_text(funcid, Anum_pg_proc_prosrc);
	known_functions[slot].funcid = funcid;
	namestrcpy(&known_functions[slot].symbol, symbol);
	return NameStr(known_functions[slot].symbol);
}

/* uuidnew_time_function - what an SQL function is; NULL for any other. */
const TimeFunction *
uuidnew_time_function(Oid funcid, Oid support)
{
	const char *symbol = uuidnew_symbol(funcid, support);

	for (int i = 0; i < (int) lengthof(time_functions); i++)
	{
		if (strcmp(symbol, time_functions[i].symbol) == 0)
			return &time_functions[i];
	}
	return NULL;
}

/*
 * uuidnew_call_layout - the layout that a call names, the family's default
 * where it names none; NULL if it is not known when the query is planned.
 *
 * Returns false for a name that is not a layout's, and for an epoch that it
 * can't have: the call, if it is ever reached, raises the error.
 */
bool
uuidnew_call_layout(const UuidFamily *family, List *args,
					const UuidLayout **layout)
{
	Node	   *last = llast(args);
	ListCell   *cell;

	*layout = family->default_layout;
	foreach(cell, args)
	{
		Const	   *name = lfirst(cell);

		if (exprType((Node *) name) != TEXTOID)
			continue;
		*layout = NULL;
		if (!is_known((Node *) name))
			return true;
		*layout = uuidnew_lookup_layout(family,
										DatumGetTextPP(name->constvalue));
		return *layout != NULL &&
			(exprType(last) != TIMESTAMPTZOID || !is_known(last) ||
			 uuidnew_takes_epoch(*layout,
								 DatumGetInt64(((Const *) last)->constvalue)));
	}
	return true;
}

/* uuidnew_operator - the comparison of UUIDs with a B-tree strategy. */
Oid
uuidnew_operator(int strategy)
{
	Oid			family =
		lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;

	return get_opfamily_member(family, UUIDOID, UUIDOID, strategy);
}

/*
 * uuidnew_comparison - is a condition a comparison of UUIDs, >= or >?  Returns
 * 1; -1 for <, <=; 0 for neither.
 */
int
uuidnew_comparison(Node *clause)
{
	Oid			funcid = is_opclause(clause) ?
		get_opcode(castNode(OpExpr, clause)->opno) : InvalidOid;

	return (funcid == F_UUID_GE || funcid == F_UUID_GT) -
		(funcid == F_UUID_LT || funcid == F_UUID_LE);
}
