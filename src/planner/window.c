/*
 * window.c
 *	  Which function of time an SQL function is, and what its calls say.
 *
 * It is what its C function is.  Its name, schema and settings are its
 * owner's, and FmgrInfo has another C function where it has settings.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "keys/v7.h"
#include "planner/window.h"

#define BETWEEN \
	{[ARG_SINCE] = BTGreaterEqualStrategyNumber, \
	 [ARG_UNTIL] = BTLessStrategyNumber}
#define BEFORE	{[ARG_UNTIL] = BTLessStrategyNumber}
#define UPTO	{[ARG_UNTIL] = BTLessEqualStrategyNumber}
#define FROM	{[ARG_SINCE] = BTGreaterEqualStrategyNumber}
#define AFTER	{[ARG_SINCE] = BTGreaterStrategyNumber}
#define READER	{0}

/* A function of each of the two families of version 7 */
#define BOTH_KINDS(name, what) \
	{"uuid_v7_" name, &uuidnew_v7, what, "uuidv7_" name}, \
	{"uuidv7_" name, &uuidnew_uuidv7_family, what, "uuid_v7_" name}

static const TimeFunction time_functions[] = {
	BOTH_KINDS("between", BETWEEN),
	BOTH_KINDS("before", BEFORE),
	BOTH_KINDS("from", FROM),
	BOTH_KINDS("timestamp", READER),
	BOTH_KINDS("fields", READER),
	{"uuidv7_upto", &uuidnew_uuidv7_family, UPTO, "uuid_v7_between"},
	{"uuidv7_after", &uuidnew_uuidv7_family, AFTER, "uuid_v7_between"},
	/* the draft's reader gives microseconds anyway */
	{"uuidv7_timestamp_micros", &uuidnew_uuidv7_family, READER, "uuid_v7_timestamp"},
	{"uuid_v6_between", &uuidnew_v6, BETWEEN, NULL},
	{"uuid_v8_between", &uuidnew_v8, BETWEEN, NULL},
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

/* uuidnew_symbol - which of this library's an SQL function is, or "". */
const char *
uuidnew_symbol(Oid funcid)
{
	static bool is_registered = false;
	int			slot = funcid % lengthof(known_functions);
	const char *symbol = "";
	HeapTuple	tuple;
	Datum		library;
	bool		is_null;

	if (!is_registered)
		CacheRegisterSyscacheCallback(PROCOID, forget_functions, (Datum) 0);
	is_registered = true;
	if (known_functions[slot].funcid == funcid)
		return NameStr(known_functions[slot].symbol);
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	if (!HeapTupleIsValid(tuple))
		return symbol;
	library = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &is_null);
	if (!is_null &&
		strcmp(TextDatumGetCString(library), "$libdir/uuidnew") == 0)
		symbol = TextDatumGetCString(SysCacheGetAttr(PROCOID, tuple,
													 Anum_pg_proc_prosrc,
													 &is_null));
	ReleaseSysCache(tuple);
	known_functions[slot].funcid = funcid;
	namestrcpy(&known_functions[slot].symbol, symbol);
	return NameStr(known_functions[slot].symbol);
}

/* uuidnew_time_function - what an SQL function is; NULL for any other. */
const TimeFunction *
uuidnew_time_function(Oid funcid)
{
	const char *symbol;

	/* most are core's */
	if (funcid < FirstNormalObjectId)
		return NULL;
	symbol = uuidnew_symbol(funcid);
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
 * Raises 22023 for a name that is not a layout's.
 */
const UuidLayout *
uuidnew_call_layout(const UuidFamily *family, List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		Const	   *name = lfirst(cell);

		if (exprType((Node *) name) == TEXTOID)
			return !is_known((Node *) name) ? NULL :
				uuidnew_find_layout(family, DatumGetTextPP(name->constvalue));
	}
	return family->default_layout;
}

/* uuidnew_time_const - a time as an argument of a call. */
Const *
uuidnew_time_const(TimestampTz time)
{
	return makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
					 TimestampTzGetDatum(time), false, FLOAT8PASSBYVAL);
}

/* uuidnew_is_filter - is a call of a window one over all of time? */
bool
uuidnew_is_filter(List *args)
{
	return list_length(args) > ARG_UNTIL &&
		equal(list_nth(args, ARG_SINCE), uuidnew_time_const(DT_NOBEGIN)) &&
		equal(list_nth(args, ARG_UNTIL), uuidnew_time_const(DT_NOEND));
}

/* uuidnew_operator - the comparison of UUIDs with a B-tree strategy. */
Oid
uuidnew_operator(int strategy)
{
	Oid			family = lookup_type_cache(UUIDOID,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;

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
