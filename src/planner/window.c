/*
 * window.c
 *	  Identifies windows and filters, and the layout of a call.
 *
 * Functions are identified by C symbol, because their owner may rename them.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "keys/v7.h"
#include "planner/window.h"

static const TimeFunction time_functions[] = {
#define WINDOW(name, family, ...) {#name, family, false, {__VA_ARGS__}},
#include "call/windowlist.h"
	{"uuid_v6_is", &uuidnew_v6, true, {{0}}},
	{"uuid_v7_is", &uuidnew_v7, true, {{0}}},
	{"uuidv7_is", &uuidnew_uuidv7_family, true, {{0}}},
	{"uuid_v8_is", &uuidnew_v8, true, {{0}}},
};

/* Cache of symbols, emptied when any function changes */
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

/* A text column of pg_proc; NULL if it is NULL or there is no such function */
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

/* uuidnew_symbol - a function's C symbol; "" if its library is another. */
const char *
uuidnew_symbol(Oid funcid, Oid support)
{
	static bool is_registered = false;
	int			slot = funcid % lengthof(known_functions);
	char	   *library;
	char	   *own_library;
	char	   *symbol;

	if (!is_registered)
		CacheRegisterSyscacheCallback(PROCOID, forget_functions, (Datum) 0);
	is_registered = true;
	if (known_functions[slot].funcid == funcid)
		return NameStr(known_functions[slot].symbol);
	library = proc_text(funcid, Anum_pg_proc_probin);
	own_library = proc_text(support, Anum_pg_proc_probin);
	symbol = proc_text(funcid, Anum_pg_proc_prosrc);
	if (own_library == NULL || symbol == NULL)
		return "";				/* another session has dropped it */
	if (library == NULL || strcmp(library, own_library) != 0)
		symbol = "";
	known_functions[slot].funcid = funcid;
	namestrcpy(&known_functions[slot].symbol, symbol);
	return NameStr(known_functions[slot].symbol);
}

/* uuidnew_time_function - the window or filter that a function is, or NULL. */
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
 * uuidnew_call_layout - the layout of a call: NULL if it is not a constant.
 * Returns false for an unrecognized layout, or an epoch that it cannot have:
 * execution of the call will raise the error.
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
		*layout = uuidnew_find_layout(family, DatumGetTextPP(name->constvalue),
									  NULL, true);
		return *layout != NULL &&
			(exprType(last) != TIMESTAMPTZOID || !is_known(last) ||
			 uuidnew_takes_epoch(*layout,
								 DatumGetInt64(((Const *) last)->constvalue)));
	}
	return true;
}
