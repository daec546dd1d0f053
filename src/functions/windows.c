/*
 * windows.c
 *	  Is a key's time in a window?  Windows of two ends, of one end, and of a
 *	  range, and the bounds of all these.
 *
 * No window has a key of another version or kind.  An end that is NULL is
 * open, as one of -infinity or infinity is.
 *
 * The planner writes a call as its bounds: planner/window_rewrite.c.
 */
#include "postgres.h"

#include "utils/rangetypes.h"

#include "keys/v7.h"
#include "call/arguments.h"

/* uuidnew_layout_min, or uuidnew_layout_max */
typedef void (*compute_bound) (const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);

static bool
has_null(FunctionCallInfo fcinfo, int first)
{
	int			i = first;

	while (i < PG_NARGS() && !PG_ARGISNULL(i))
		i++;
	return i < PG_NARGS();
}

/* The time of an end, open for NULL */
static TimestampTz
end_arg(FunctionCallInfo fcinfo, int argno, TimestampTz open)
{
	return PG_ARGISNULL(argno) ? open : PG_GETARG_TIMESTAMPTZ(argno);
}

/*
 * (id, since, until [, layout [, epoch]]) -> boolean; NULL for a NULL key,
 * layout or epoch
 */
static Datum
between(FunctionCallInfo fcinfo, const UuidFamily *family)
{
	const UuidLayout *layout;
	TimestampTz epoch;
	TimestampTz time;

	if (PG_ARGISNULL(ARG_ID) || has_null(fcinfo, ARG_LAYOUT))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, ARG_LAYOUT, family);
	epoch = epoch_arg(fcinfo, ARG_EPOCH, layout);
	PG_RETURN_BOOL(layout_timestamp(layout, epoch, PG_GETARG_UUID_P(ARG_ID),
									&time) &&
				   time >= end_arg(fcinfo, ARG_SINCE, DT_NOBEGIN) &&
				   time < end_arg(fcinfo, ARG_UNTIL, DT_NOEND));
}

/*
 * (timestamptz [, layout [, epoch]]) -> uuid; NULL for a NULL layout or epoch,
 * and, where the function is strict, for a NULL time
 */
static Datum
bound(FunctionCallInfo fcinfo, const UuidFamily *family,
	  compute_bound compute, TimestampTz open)
{
	const UuidLayout *layout;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (has_null(fcinfo, 1))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, family);
	compute(layout, epoch_arg(fcinfo, 2, layout), end_arg(fcinfo, 0, open),
			uuid);
	PG_RETURN_UUID_P(uuid);
}

/*
 * The SQL functions of a family.  All raise 22023 for an unknown layout, or an
 * epoch that the layout can't have.
 */
#define WINDOW_FUNCTIONS(name, family) \
	SQL_FUNCTION(name##between, between(fcinfo, family)) \
	SQL_FUNCTION(name##since, \
				 bound(fcinfo, family, uuidnew_layout_min, DT_NOBEGIN)) \
	SQL_FUNCTION(name##until, \
				 bound(fcinfo, family, uuidnew_layout_min, DT_NOEND)) \
	SQL_FUNCTION(name##min, \
				 bound(fcinfo, family, uuidnew_layout_min, DT_NOBEGIN)) \
	SQL_FUNCTION(name##max, \
				 bound(fcinfo, family, uuidnew_layout_max, DT_NOBEGIN))

WINDOW_FUNCTIONS(uuid_v6_, &uuidnew_v6)
WINDOW_FUNCTIONS(uuid_v7_, &uuidnew_v7)
WINDOW_FUNCTIONS(uuidv7_, &uuidnew_uuidv7_family)
WINDOW_FUNCTIONS(uuid_v8_, &uuidnew_v8)

/* The microsecond after a time; what is infinite stays so. */
static TimestampTz
next_usec(TimestampTz time)
{
	return TIMESTAMP_NOT_FINITE(time) ? time : time + 1;
}

/* The ends of a range, the second of them no longer in it */
static void
range_arg(FunctionCallInfo fcinfo, int argno, TimestampTz *since,
		  TimestampTz *until)
{
	RangeType  *range = PG_GETARG_RANGE_P(argno);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)),
					  range, &lower, &upper, &empty);
	*since = empty ? DT_NOEND : lower.infinite ? DT_NOBEGIN :
		DatumGetTimestampTz(lower.val);
	*until = empty ? DT_NOBEGIN : upper.infinite ? DT_NOEND :
		DatumGetTimestampTz(upper.val);
	if (!lower.inclusive)
		*since = next_usec(*since);
	if (upper.inclusive)
		*until = next_usec(*until);
}

/*
 * Windows that are one comparison, by the strategy of a B-tree: (id, operand)
 * -> boolean.  False for a key of another version or kind, whatever the
 * operand; else NULL for NULL.
 */

#define WITHIN_RANGE	0

static pg_always_inline Datum
compare(FunctionCallInfo fcinfo, const UuidFamily *family, int strategy)
{
	const UuidLayout *layout = family->default_layout;
	TimestampTz time;
	TimestampTz since = DT_NOBEGIN;
	TimestampTz until = DT_NOEND;

	if (PG_ARGISNULL(ARG_ID))
		PG_RETURN_NULL();
	if (!layout_timestamp(layout, layout_epoch(layout),
						  PG_GETARG_UUID_P(ARG_ID), &time))
		PG_RETURN_BOOL(false);
	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();

	if (strategy == WITHIN_RANGE)
		range_arg(fcinfo, 1, &since, &until);
	else if (strategy == GE)
		since = PG_GETARG_TIMESTAMPTZ(1);
	else if (strategy == GT)
		since = next_usec(PG_GETARG_TIMESTAMPTZ(1));
	else if (strategy == LT)
		until = PG_GETARG_TIMESTAMPTZ(1);
	else
		until = next_usec(PG_GETARG_TIMESTAMPTZ(1));
	PG_RETURN_BOOL(time >= since && time < until);
}

SQL_FUNCTION(uuid_v7_before, compare(fcinfo, &uuidnew_v7, LT))
SQL_FUNCTION(uuid_v7_from, compare(fcinfo, &uuidnew_v7, GE))
SQL_FUNCTION(uuidv7_before, compare(fcinfo, &uuidnew_uuidv7_family, LT))
SQL_FUNCTION(uuidv7_upto, compare(fcinfo, &uuidnew_uuidv7_family, LE))
SQL_FUNCTION(uuidv7_from, compare(fcinfo, &uuidnew_uuidv7_family, GE))
SQL_FUNCTION(uuidv7_after, compare(fcinfo, &uuidnew_uuidv7_family, GT))
SQL_FUNCTION(uuidv7_within,
			 compare(fcinfo, &uuidnew_uuidv7_family, WITHIN_RANGE))

/* (tstzrange) -> uuid: the bounds of uuidv7_within */
static Datum
range_bound(FunctionCallInfo fcinfo, bool upper)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	TimestampTz since;
	TimestampTz until;

	range_arg(fcinfo, 0, &since, &until);
	uuidnew_layout_min(layout, layout_epoch(layout), upper ? until : since,
					   uuid);
	PG_RETURN_UUID_P(uuid);
}

SQL_FUNCTION(uuidv7_range_since, range_bound(fcinfo, false))
SQL_FUNCTION(uuidv7_range_until, range_bound(fcinfo, true))
