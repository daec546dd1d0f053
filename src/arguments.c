/*
 * arguments.c
 *	  Arguments, results and errors that SQL functions share: layouts, epochs,
 *	  UUIDs of a version, octets.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"

#include "arguments.h"
#include "compat.h"

static const UuidVersion *const versions[] = {&uuidnew_v6, &uuidnew_v7, &uuidnew_v8};

/*
 * uuidnew_version - the layouts of a version, NULL if there are none.
 */
const UuidVersion *
uuidnew_version(int version)
{
	for (int i = 0; i < (int) lengthof(versions); i++)
	{
		if (versions[i]->version == version)
			return versions[i];
	}
	return NULL;
}

/* The same in any case; a name of NULL is nothing's. */
static bool
text_is_any_case(const text *argument, const char *name)
{
	size_t		len = VARSIZE_ANY_EXHDR(argument);

	return name != NULL && strlen(name) == len &&
		(memcmp(name, VARDATA_ANY(argument), len) == 0 ||
		 pg_strncasecmp(name, VARDATA_ANY(argument), len) == 0);
}

static bool
layout_has_name(const UuidLayout *layout, const text *name)
{
	return text_is_any_case(name, layout->name) || text_is_any_case(name, layout->alias);
}

/* The names of a version's layouts, or (NULL) of all, as a list for messages. */
static char *
layout_names(const UuidVersion *version, bool custom_epoch_only)
{
	StringInfoData names;

	initStringInfo(&names);
	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
		{
			const UuidLayout *layout = &versions[v]->layouts[i];

			if ((version == NULL || version == versions[v]) && layout->name != NULL &&
				(layout->custom_epoch || !custom_epoch_only))
			{
				appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "",
								 layout->name);
				if (layout->alias != NULL)
					appendStringInfo(&names, " (or \"%s\")", layout->alias);
			}
		}
	}
	return names.data;
}

/*
 * uuidnew_find_layout - the layout of a name, of one version or (NULL) any.
 *
 * Raises an ERROR with the names that there are if it is not among them.
 */
const UuidLayout *
uuidnew_find_layout(const UuidVersion *version, const text *name)
{
	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
		{
			if ((version == NULL || version == versions[v]) &&
				layout_has_name(&versions[v]->layouts[i], name))
				return &versions[v]->layouts[i];
		}
	}

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 version != NULL ?
			 errmsg("unknown layout \"%s\" for UUID version %d",
					text_to_cstring(name), version->version) :
			 errmsg("unknown layout \"%s\"", text_to_cstring(name)),
			 version != NULL && version->version == 7 ?
			 errhint("Valid layouts are %s. Functions whose names begin with \"uuidv7\" mean \"rfc9562\".",
					 layout_names(version, false)) :
			 errhint("Valid layouts are %s.", layout_names(version, false))));
}

/*
 * Is the argument a constant?  get_fn_expr_arg_stable says more, but also yes
 * to a PL/pgSQL variable, which changes between two rounds of a loop.
 */
static bool
arg_is_constant(FunctionCallInfo fcinfo, int argno)
{
	Node	   *expr = fcinfo->flinfo->fn_expr;

	return expr != NULL && IsA(expr, FuncExpr) &&
		IsA(list_nth(castNode(FuncExpr, expr)->args, argno), Const);
}

/*
 * uuidnew_resolve_layout_arg - layout_arg() for a call site that is new, or whose
 * argument is no constant.
 */
const UuidLayout *
uuidnew_resolve_layout_arg(FunctionCallInfo fcinfo, int argno, const UuidVersion *version)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	LayoutCache *cache = flinfo->fn_extra;
	const text *name = PG_GETARG_TEXT_PP(argno);
	const UuidLayout *layout;

	/* a column or variable is most often the same as in the row before */
	if (cache != NULL && layout_has_name(cache->layout, name))
		return cache->layout;

	layout = uuidnew_find_layout(version, name);
	if (cache == NULL)
		cache = MemoryContextAlloc(flinfo->fn_mcxt, sizeof(LayoutCache));
	cache->layout = layout;
	cache->constant = arg_is_constant(fcinfo, argno);
	flinfo->fn_extra = cache;
	return layout;
}

/*
 * uuidnew_check_epoch - the epoch of a layout that the caller asks for.
 */
TimestampTz
uuidnew_check_epoch(const UuidLayout *layout, TimestampTz epoch)
{
	if (layout->custom_epoch)
	{
		if (TIMESTAMP_NOT_FINITE(epoch))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("epoch must be finite")));
		return epoch;
	}

	/* the default of the argument, which layouts with an epoch ignore */
	if (epoch != SINCE_1970(0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("layout \"%s\" has an epoch of its own", layout->name),
				 errhint("An epoch goes with the layouts %s.",
						 layout_names(uuidnew_version(layout->version), true))));
	return layout_epoch(layout);
}

/*
 * uuidnew_uuid_arg - an argument that has to be a UUID of a version.
 *
 * Raises 22023 for another one.
 */
const pg_uuid_t *
uuidnew_uuid_arg(FunctionCallInfo fcinfo, int argno, int version)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(argno);
	int			found = uuid_version_of(uuid);

	if (found != version)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 found < 0 ?
				 errmsg("cannot convert a UUID that is not of the RFC 9562 variant") :
				 errmsg("cannot convert a UUID of version %d", found),
				 errdetail("The function takes UUIDs of version %d.", version)));
	return uuid;
}

/*
 * uuidnew_time_out_of_range - the error for a time that a layout can't hold.
 */
void
uuidnew_time_out_of_range(const UuidLayout *layout, TimestampTz epoch)
{
	/* timestamptz_to_str returns a static buffer */
	char	   *first = pstrdup(timestamptz_to_str(epoch));
	const char *last = timestamptz_to_str(uuidnew_layout_last(layout, epoch));

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for UUID version %d", layout->version),
			 layout->name != NULL ?
			 errdetail("The layout \"%s\" holds times from %s to %s.",
					   layout->name, first, last) :
			 errdetail("It holds times from %s to %s.", first, last)));
}

/* uuidnew_uuid_cstring - a UUID as text, for messages. */
char *
uuidnew_uuid_cstring(const pg_uuid_t *uuid)
{
	return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(uuid)));
}

/* uuidnew_bytea - octets as the bytea that an SQL function returns. */
bytea *
uuidnew_bytea(const void *octets, int len)
{
	bytea	   *result = palloc(VARHDRSZ + len);

	SET_VARSIZE(result, VARHDRSZ + len);
	memcpy(VARDATA(result), octets, len);
	return result;
}
