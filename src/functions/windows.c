/*
 * windows.c
 *	  Windows of time, and the bounds that the planner puts in their place.
 *	  All raise 22023 for an unrecognized layout, or an epoch it cannot have.
 */
#include "postgres.h"

#include "utils/rangetypes.h"

#include "keys/v7.h"
#include "call/arguments.h"
#include "call/windows.h"

static bool
has_null(FunctionCallInfo fcinfo, int first)
{
	int			i = first;

	while (i < PG_NARGS() && !PG_ARGISNULL(i))
		i++;
	return i < PG_NARGS();
}

/* The microsecond after a time; infinity stays infinity. */
static TimestampTz
next_usec(TimestampTz time)
{
	return TIMESTAMP_NOT_FINITE(time) ? time : time + 1;
}

/* The ends of a range: the first time in it, and the first one after it */
static void
range_arg(FunctionCallInfo fcinfo, int argno, TimestampTz *ends)
{
	RangeType  *range = PG_GETARG_RANGE_P(argno);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)),
					  range, &lower, &upper, &empty);
	ends[SINCE] = empty ? DT_NOEND : lower.infinite ? DT_NOBEGIN :
		DatumGetTimestampTz(lower.val);
	ends[UNTIL] = empty ? DT_NOBEGIN : upper.infinite ? DT_NOEND :
		DatumGetTimestampTz(upper.val);
	if (!lower.inclusive)
		ends[SINCE] = next_usec(ends[SINCE]);
	if (upper.inclusive)
		ends[UNTIL] = next_usec(ends[UNTIL]);
}

static pg_always_inline bool
compare(TimestampTz time, int strategy, TimestampTz end)
{
	return strategy == LT ? time < end :
		strategy == LE ? time <= end :
		strategy == GE ? time >= end : time > end;
}

/*
 * Is a key in a window?
 *
 * 1. NULL for a NULL key, layout or epoch.
 * 2. Otherwise, false for a key without a time of the layout, because its
 *    comparisons with the bounds are false.
 * 3. Otherwise, NULL for a NULL end, unless null_is_open.
 */
static pg_always_inline Datum
in_window(FunctionCallInfo fcinfo, const UuidFamily *family,
		  const WindowEnd *ends)
{
	const UuidLayout *layout;
	TimestampTz time;
	TimestampTz times[ENDS] = {DT_NOBEGIN, DT_NOEND};

	if (PG_ARGISNULL(ARG_ID) || has_null(fcinfo, ARG_LAYOUT))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, ARG_LAYOUT, family);
	if (!layout_timestamp(layout, epoch_arg(fcinfo, ARG_EPOCH, layout),
						  PG_GETARG_UUID_P(ARG_ID), &time))
		PG_RETURN_BOOL(false);

	for (int i = SINCE; i < ENDS; i++)
	{
		int			argno = ends[i].argno;

		if (argno == ALWAYS_OPEN)
			continue;
		if (!PG_ARGISNULL(argno) && !has_range_argument(ends))
			times[i] = PG_GETARG_TIMESTAMPTZ(argno);
		else if (PG_ARGISNULL(argno) && !ends[i].null_is_open)
			PG_RETURN_NULL();
	}
	if (has_range_argument(ends))
		range_arg(fcinfo, ARG_OPERAND, times);
	PG_RETURN_BOOL(compare(time, ends[SINCE].strategy, times[SINCE]) &&
				   compare(time, ends[UNTIL].strategy, times[UNTIL]));
}

#define WINDOW(name, family, ...) \
	SQL_FUNCTION(name, in_window(fcinfo, family, \
								 (const WindowEnd[ENDS]) {__VA_ARGS__}))
#include "call/windowlist.h"

typedef enum Bound
{
	MIN, MAX
} Bound;

/*
 * (timestamptz [, layout [, epoch]]) -> uuid; NULL for a NULL layout or epoch.
 * A NULL time leaves the window open at open_end, SINCE or UNTIL.  Strict
 * functions are not called with it.
 */
static Datum
bound(FunctionCallInfo fcinfo, const UuidFamily *family, int open_end,
	  Bound which)
{
	const UuidLayout *layout;
	TimestampTz epoch;
	TimestampTz time = open_end == SINCE ? DT_NOBEGIN : DT_NOEND;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (has_null(fcinfo, 1))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, family);
	epoch = epoch_arg(fcinfo, 2, layout);
	if (!PG_ARGISNULL(0))
		time = PG_GETARG_TIMESTAMPTZ(0);
	if (which == MIN)
		uuidnew_layout_min(layout, epoch, time, uuid);
	else
		uuidnew_layout_max(layout, epoch, time, uuid);
	PG_RETURN_UUID_P(uuid);
}

#define BOUNDS(family, since, until, min, max) \
	SQL_FUNCTION(since, bound(fcinfo, family, SINCE, MIN)) \
	SQL_FUNCTION(until, bound(fcinfo, family, UNTIL, MIN)) \
	SQL_FUNCTION(min, bound(fcinfo, family, SINCE, MIN)) \
	SQL_FUNCTION(max, bound(fcinfo, family, SINCE, MAX))

BOUNDS(&uuidnew_v6, uuid_v6_since, uuid_v6_until, uuid_v6_min, uuid_v6_max)
BOUNDS(&uuidnew_v7, uuid_v7_since, uuid_v7_until, uuid_v7_min, uuid_v7_max)
BOUNDS(&uuidnew_uuidv7_family,
	   uuidv7_since, uuidv7_until, uuidv7_min, uuidv7_max)
BOUNDS(&uuidnew_v8, uuid_v8_since, uuid_v8_until, uuid_v8_min, uuid_v8_max)

/* (tstzrange) -> uuid: the bounds of uuidv7_within */
static Datum
range_bound(FunctionCallInfo fcinfo, int end)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	TimestampTz times[ENDS];

	range_arg(fcinfo, 0, times);
	uuidnew_layout_min(layout, layout_epoch(layout), times[end], uuid);
	PG_RETURN_UUID_P(uuid);
}

SQL_FUNCTION(uuidv7_range_since, range_bound(fcinfo, SINCE))
SQL_FUNCTION(uuidv7_range_until, range_bound(fcinfo, UNTIL))
