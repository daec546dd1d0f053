/*
 * catalog.c
 *	  The extension's functions in the catalog, and the arguments of their calls.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "planner/catalog.h"
#include "sql/arguments.h"

/*
 * uuidnew_sibling_function - a function of the extension, in the schema of
 * another one: exactly this one, whatever the search path is.
 *
 * Returns InvalidOid if it is not there.  In a database with an older script,
 * any user who may create functions in the schema can give one the name of a
 * newer function, but not write it in C.
 */
Oid
uuidnew_sibling_function(Oid funcid, const char *name, const Oid *argtypes,
						 int nargs)
{
	oidvector  *types = buildoidvector(argtypes, nargs);
	HeapTuple	tuple = SearchSysCache3(PROCNAMEARGSNSP, CStringGetDatum(name),
										PointerGetDatum(types),
										ObjectIdGetDatum(get_func_namespace(funcid)));
	Oid			sibling = InvalidOid;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
		sibling = ((Form_pg_proc) GETSTRUCT(tuple))->oid;
	ReleaseSysCache(tuple);
	return sibling;
}

/*
 * uuidnew_function_name - the name of a function, if it is written in C and in
 * the schema of another one of the extension's; else NULL.
 */
const char *
uuidnew_function_name(Oid funcid, Oid sibling)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	const char *name = NULL;
	Form_pg_proc function;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	function = (Form_pg_proc) GETSTRUCT(tuple);
	if (function->prolang == ClanguageId &&
		function->pronamespace == get_func_namespace(sibling))
		name = pstrdup(NameStr(function->proname));
	ReleaseSysCache(tuple);
	return name;
}

/*
 * uuidnew_may_execute - is there a function, and may the user execute it?
 *
 * What is simplified without a root may be kept for other users: may all?
 */
bool
uuidnew_may_execute(PlannerInfo *root, Oid funcid)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		rights_changed;

	if (!HeapTupleIsValid(tuple))
		return false;
	rights_changed = !heap_attisnull(tuple, Anum_pg_proc_proacl, NULL);
	ReleaseSysCache(tuple);
	if (!rights_changed)
		return true;

	if (root == NULL)
		return false;

	/* the plan may be another one for another user */
	root->glob->dependsOnRole = true;
	return object_aclcheck(ProcedureRelationId, funcid, GetUserId(),
						   ACL_EXECUTE) == ACLCHECK_OK;
}

/*
 * uuidnew_argument - an argument of a call, by its position; NULL if it is not
 * there.  A constraint's text may have named arguments.
 */
Node *
uuidnew_argument(List *args, int argno)
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

/* uuidnew_is_known - is an argument a constant that is not NULL? */
bool
uuidnew_is_known(Node *argument)
{
	return argument != NULL && IsA(argument, Const) &&
		!castNode(Const, argument)->constisnull;
}

/*
 * uuidnew_layout_read - the layout that a call names, the version's default
 * where it names none; NULL if it is not known when the query is planned.
 *
 * Raises 22023 for a name that is not a layout's.
 */
const UuidLayout *
uuidnew_layout_read(const UuidVersion *version, List *args, int argno)
{
	Node	   *name = uuidnew_argument(args, argno);

	if (name == NULL)
		return version->default_layout;
	if (!uuidnew_is_known(name))
		return NULL;
	return uuidnew_find_layout(version,
							   DatumGetTextPP(castNode(Const, name)->constvalue));
}
