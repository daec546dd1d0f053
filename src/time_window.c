/*
 * time_window.c
 *	  uuid_v6_between, uuid_v7_between, uuidv7_between, uuid_v8_between: is a
 *	  key's time in a window?
 *
 * The functions read the time of each key, so they are right for any column,
 * also one that holds other versions.  What the planner may know about them is
 * in time_window_support.c.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "arguments.h"
#include "time_window.h"
#include "v7.h"

/*
 * since <= time < until, where NULL is open.  A UUID of another version is not
 * in any window.
 */
static pg_noinline Datum
time_is_between(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	const UuidLayout *layout;
	TimestampTz timestamp;

	if (PG_ARGISNULL(ARG_ID))
		PG_RETURN_NULL();
	for (int i = ARG_LAYOUT; i < PG_NARGS(); i++)
	{
		if (PG_ARGISNULL(i))
			PG_RETURN_NULL();
	}
	layout = layout_arg(fcinfo, ARG_LAYOUT, version);
	if (!layout_timestamp(layout, epoch_arg(fcinfo, ARG_EPOCH, layout),
						  PG_GETARG_UUID_P(ARG_ID), &timestamp))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL((PG_ARGISNULL(ARG_SINCE) ||
					PG_GETARG_TIMESTAMPTZ(ARG_SINCE) <= timestamp) &&
				   (PG_ARGISNULL(ARG_UNTIL) ||
					timestamp < PG_GETARG_TIMESTAMPTZ(ARG_UNTIL)));
}

/*
 * The same, but first what the planner leaves of a call, as that is a filter for
 * each row: all keys of versions 6 and 7 have a time.
 */
static inline Datum
window_contains(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	if (PG_NARGS() <= ARG_LAYOUT && !PG_ARGISNULL(ARG_ID) &&
		PG_ARGISNULL(ARG_SINCE) && PG_ARGISNULL(ARG_UNTIL))
		PG_RETURN_BOOL(uuid_version_of(PG_GETARG_UUID_P(ARG_ID)) == version->version);
	return time_is_between(fcinfo, version);
}

/*
 * What the planner puts in place of an end: the smallest UUID of its time, or one
 * that is not above (since) or not below (until) any key if the end is NULL.
 */
static Datum
window_bound(FunctionCallInfo fcinfo, const UuidVersion *version, int end)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	const UuidLayout *layout;
	TimestampTz epoch;

	for (int i = 1; i < PG_NARGS(); i++)
	{
		if (PG_ARGISNULL(i))
			PG_RETURN_NULL();
	}
	layout = layout_arg(fcinfo, 1, version);
	epoch = epoch_arg(fcinfo, 2, layout);
	if (PG_ARGISNULL(0))
		memset(uuid, end == ARG_SINCE ? 0 : 0xFF, UUID_LEN);
	else
		uuidnew_layout_min(layout, epoch, PG_GETARG_TIMESTAMPTZ(0), uuid);
	PG_RETURN_UUID_P(uuid);
}

/* (timestamptz [, layout [, epoch]]) -> uuid */
#define WINDOW_BOUND(name, version, end) \
	PG_FUNCTION_INFO_V1(name); \
	Datum name(PG_FUNCTION_ARGS) { return window_bound(fcinfo, version, end); }

WINDOW_BOUND(uuid_v6_since, &uuidnew_v6, ARG_SINCE)
WINDOW_BOUND(uuid_v6_until, &uuidnew_v6, ARG_UNTIL)
WINDOW_BOUND(uuid_v7_since, &uuidnew_v7, ARG_SINCE)
WINDOW_BOUND(uuid_v7_until, &uuidnew_v7, ARG_UNTIL)
WINDOW_BOUND(uuidv7_since, &uuidnew_uuidv7_family, ARG_SINCE)
WINDOW_BOUND(uuidv7_until, &uuidnew_uuidv7_family, ARG_UNTIL)
WINDOW_BOUND(uuid_v8_since, &uuidnew_v8, ARG_SINCE)
WINDOW_BOUND(uuid_v8_until, &uuidnew_v8, ARG_UNTIL)

/*
 * The SQL functions: NULL for a NULL key, layout or epoch; 22023 for an unknown
 * layout or an epoch that the layout can't have.
 */

PG_FUNCTION_INFO_V1(uuid_v6_between);
Datum
uuid_v6_between(PG_FUNCTION_ARGS)
{
	return window_contains(fcinfo, &uuidnew_v6);
}

PG_FUNCTION_INFO_V1(uuid_v6_between_support);
Datum
uuid_v6_between_support(PG_FUNCTION_ARGS)
{
	return uuidnew_window_support(fcinfo, &uuidnew_v6);
}

PG_FUNCTION_INFO_V1(uuid_v7_between);
Datum
uuid_v7_between(PG_FUNCTION_ARGS)
{
	return window_contains(fcinfo, &uuidnew_v7);
}

PG_FUNCTION_INFO_V1(uuid_v7_between_support);
Datum
uuid_v7_between_support(PG_FUNCTION_ARGS)
{
	return uuidnew_window_support(fcinfo, &uuidnew_v7);
}

PG_FUNCTION_INFO_V1(uuidv7_between);
Datum
uuidv7_between(PG_FUNCTION_ARGS)
{
	return window_contains(fcinfo, &uuidnew_uuidv7_family);
}

PG_FUNCTION_INFO_V1(uuidv7_between_support);
Datum
uuidv7_between_support(PG_FUNCTION_ARGS)
{
	return uuidnew_window_support(fcinfo, &uuidnew_uuidv7_family);
}

PG_FUNCTION_INFO_V1(uuid_v8_between);
Datum
uuid_v8_between(PG_FUNCTION_ARGS)
{
	return window_contains(fcinfo, &uuidnew_v8);
}

PG_FUNCTION_INFO_V1(uuid_v8_between_support);
Datum
uuid_v8_between_support(PG_FUNCTION_ARGS)
{
	return uuidnew_window_support(fcinfo, &uuidnew_v8);
}
