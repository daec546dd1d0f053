/*
 * arguments.c
 *	  Arguments, results and errors that SQL functions share.
 */
#include "postgres.h"

#include "funcapi.h"
#include "lib/stringinfo.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"

#include "keys/sequence.h"
#include "keys/v7.h"
#include "call/arguments.h"

/* Compares in any case; false for a name of NULL. */
static bool
text_is_any_case(const text *argument, const char *name)
{
	size_t		len = VARSIZE_ANY_EXHDR(argument);

	return name != NULL && strlen(name) == len &&
		pg_strncasecmp(name, VARDATA_ANY(argument), len) == 0;
}

static bool
layout_has_name(const UuidLayout *layout, const text *name)
{
	return text_is_any_case(name, layout->name) ||
		text_is_any_case(name, layout->alias);
}

pg_noreturn static void
invalid_custom_layout(const text *name, CustomResult problem, int time_width)
{
	int			min;
	int			max;

	uuidnew_custom_sequence_range(time_width, &min, &max);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid layout \"%s\"", text_to_cstring(name)),
			 problem == CUSTOM_UNIT ?
			 errdetail("The unit must be 1/s to %d/s, or 1s to %ds.",
					   CUSTOM_MAX_TICKS_PER_SEC, CUSTOM_MAX_SECS_PER_TICK) :
			 problem == CUSTOM_TIME ?
			 errdetail("The time must have 1 to %d bits.", CUSTOM_MAX_TIME_BITS) :
			 problem == CUSTOM_SEQUENCE ?
			 errdetail("With a time of %d bits, the sequence must have %d to %d bits.",
					   time_width, min, max) : 0,
			 errhint("Specify the unit, the bits of the time and the bits of the sequence: custom(1000/s, 48, 12) counts milliseconds, custom(60s, 32, 12) minutes.")));
}

/* Layout names for a message; a family of NULL means any. */
static char *
layout_names(const UuidFamily *family, bool custom_epoch_only)
{
	StringInfoData names;
	const UuidLayout *layout;

	initStringInfo(&names);
	for (int n = 0; (layout = uuidnew_nth_layout(n)) != NULL; n++)
	{
		if ((family != NULL && layout->version != family->version) ||
			layout->name == NULL ||
			(custom_epoch_only && !layout->custom_epoch))
			continue;
		appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "",
						 layout->name);
		if (layout->alias != NULL)
			appendStringInfo(&names, " (or \"%s\")", layout->alias);
	}
	return names.data;
}

/*
 * uuidnew_find_layout - the layout with a name; a family of NULL means any.
 * A custom layout is stored in *custom, or (NULL) allocated.  Returns NULL for
 * an unrecognized name if missing_ok, else raises 22023.
 */
const UuidLayout *
uuidnew_find_layout(const UuidFamily *family, const text *name,
					CustomLayout *custom, bool missing_ok)
{
	const UuidLayout *layout;
	CustomResult problem = CUSTOM_NONE;
	int			time_width = 0;

	for (int n = 0; (layout = uuidnew_nth_layout(n)) != NULL; n++)
	{
		if ((family == NULL || layout->version == family->version) &&
			layout_has_name(layout, name))
			return layout;
	}
	if (family == NULL || family->version == 8)
	{
		if (custom == NULL)
			custom = palloc(sizeof(CustomLayout));
		problem = uuidnew_parse_custom(VARDATA_ANY(name),
									   VARSIZE_ANY_EXHDR(name), custom,
									   &time_width);
		if (problem == CUSTOM_OK)
			return &custom->layout;
	}

	if (missing_ok)
		return NULL;
	if (problem != CUSTOM_NONE)
		invalid_custom_layout(name, problem, time_width);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 family != NULL ?
			 errmsg("unrecognized layout \"%s\" for UUID version %d",
					text_to_cstring(name), family->version) :
			 errmsg("unrecognized layout \"%s\"", text_to_cstring(name)),
			 family != NULL && family->version == 7 ?
			 errhint("Valid layouts are %s. Functions whose names begin with \"uuidv7\" use \"rfc9562\".",
					 layout_names(family, false)) :
			 errhint("Valid layouts are %s, and custom layouts such as custom(1000/s, 48, 12).",
					 layout_names(family, false))));
}

/*
 * Is the argument a constant?  get_fn_expr_arg_stable() also returns true for
 * a PL/pgSQL variable, which can change between two calls.
 */
static bool
arg_is_constant(FunctionCallInfo fcinfo, int argno)
{
	Node	   *expr = fcinfo->flinfo->fn_expr;

	return expr != NULL && IsA(expr, FuncExpr) &&
		IsA(list_nth(castNode(FuncExpr, expr)->args, argno), Const);
}

/* uuidnew_new_layout_arg - layout_arg() for a new or variable argument. */
const UuidLayout *
uuidnew_new_layout_arg(FunctionCallInfo fcinfo, int argno,
					   const UuidFamily *family)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	LayoutCache *cache = flinfo->fn_extra;
	const text *name = PG_GETARG_TEXT_PP(argno);

	/* a column or variable is usually the same as in the previous row */
	if (cache != NULL && layout_has_name(cache->layout, name))
		return cache->layout;

	if (cache == NULL)
		cache = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(LayoutCache));
	cache->layout = uuidnew_find_layout(family, name, &cache->custom, false);
	cache->constant = arg_is_constant(fcinfo, argno);
	flinfo->fn_extra = cache;
	return cache->layout;
}

/* uuidnew_takes_epoch - can a caller choose this epoch for a layout? */
bool
uuidnew_takes_epoch(const UuidLayout *layout, TimestampTz epoch)
{
	int64		usec;
	int64		sec = seconds_of(epoch, &usec);

	/* the argument's default, which layouts with a fixed epoch ignore */
	if (epoch == SINCE_1970(0))
		return true;
	if (!layout->custom_epoch || TIMESTAMP_NOT_FINITE(epoch))
		return false;
	return layout->era_secs == 0 ||
		(usec == 0 &&
		 (sec - layout->epoch) % (int64) layout->era_secs == 0);
}

/* uuidnew_check_epoch - the caller's epoch for a layout, or 22023 */
TimestampTz
uuidnew_check_epoch(const UuidLayout *layout, TimestampTz epoch)
{
	if (epoch == SINCE_1970(0))
		return layout_epoch(layout);
	if (!uuidnew_takes_epoch(layout, epoch))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 !layout->custom_epoch ?
				 errmsg("layout \"%s\" has a fixed epoch", layout->name) :
				 TIMESTAMP_NOT_FINITE(epoch) ?
				 errmsg("epoch must be finite") :
				 errmsg("epoch of layout \"%s\" must be the start of an NTP era",
						layout->name),
				 !layout->custom_epoch ?
				 errhint("An epoch can be specified for the layouts %s, and for custom layouts.",
						 layout_names(&uuidnew_v8, true)) :
				 TIMESTAMP_NOT_FINITE(epoch) ? 0 :
				 errhint("Eras begin at 1900-01-01 00:00:00 UTC, 2036-02-07 06:28:16 UTC, and so on in steps of 2^32 seconds.")));
	return epoch;
}

/* uuidnew_uuid_arg - a UUID of a version; raises 22023 for any other. */
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
				 errmsg("cannot convert a version %d UUID", found),
				 errdetail("The function converts version %d UUIDs.", version)));
	return uuid;
}

/*
 * uuidnew_time_out_of_range - raises 22008.  If the other kind of version 7
 * can hold the time, the hint names its generator and a suffix, unless NULL.
 */
void
uuidnew_time_out_of_range(const UuidLayout *layout, TimestampTz epoch,
						  TimestampTz time, const char *suffix)
{
	/* timestamptz_to_str returns a static buffer */
	char	   *first =
		pstrdup(timestamptz_to_str(uuidnew_layout_first(layout, epoch)));
	const char *last = timestamptz_to_str(uuidnew_layout_last(layout, epoch));
	const UuidFamily *other = layout == uuidnew_v7_rfc9562 ?
		&uuidnew_v7 : &uuidnew_uuidv7_family;
	UuidPayload time_bits;

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for UUID version %d", layout->version),
			 layout->name != NULL ?
			 errdetail("The layout \"%s\" holds times from %s to %s.",
					   layout->name, first, last) :
			 errdetail("Version %d UUIDs hold times from %s to %s.",
					   layout->version, first, last),
			 layout->era_secs != 0 ?
			 errhint("Specify another NTP era by its start, such as epoch => '2036-02-07 06:28:16+00'.") :
			 suffix != NULL && layout->version == 7 &&
			 uuidnew_layout_at(other->default_layout, SINCE_1970(0), time,
							   &time_bits) ?
			 errhint("Use %s%s().", other->generator, suffix) : 0));
}

/* uuidnew_uuid_cstring - a UUID as text, for messages. */
char *
uuidnew_uuid_cstring(const pg_uuid_t *uuid)
{
	return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(uuid)));
}

/* uuidnew_bytea - octets as a bytea. */
bytea *
uuidnew_bytea(const void *octets, int len)
{
	bytea	   *result = palloc(VARHDRSZ + len);

	SET_VARSIZE(result, VARHDRSZ + len);
	memcpy(VARDATA(result), octets, len);
	return result;
}

/* uuidnew_result_desc - a function's row type, in a memory context. */
TupleDesc
uuidnew_result_desc(FunctionCallInfo fcinfo, int max_columns,
					MemoryContext context)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
		desc->natts > max_columns)
		elog(ERROR, "return type does not match the function");
	desc = BlessTupleDesc(desc);
	MemoryContextSwitchTo(caller);
	return desc;
}

/* uuidnew_node_datum - up to len octets of the node at the end of lo. */
Datum
uuidnew_node_datum(const UuidLayout *layout, uint64 lo, int len)
{
	uint64		octets = pg_hton64(lo << (64 - layout->node_bits));
	int			all = (layout->node_bits + BITS_PER_BYTE - 1) / BITS_PER_BYTE;

	return PointerGetDatum(uuidnew_bytea(&octets, Min(len, all)));
}
