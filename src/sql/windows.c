/*
 * windows.c
 *	  uuid_v6_between, uuid_v7_between, uuidv7_between, uuid_v8_between: is a
 *	  key's time in a window, since <= time < until?  And windows of one end:
 *	  uuid_v7_before, uuid_v7_from; uuidv7_before, uuidv7_upto, uuidv7_from,
 *	  uuidv7_after, which are the operators <, <=, >=, > of (uuid, timestamptz).
 *	  And the bounds of all these.
 *
 * An end that is NULL is open.  In version 7 it is then at the border between
 * the two kinds of layouts (v7.h), 03000000-0000-7000-8000-000000000000, so
 * that the window finds no key of the other kind.
 * -infinity and infinity reach everywhere.
 *
 * The planner writes a call as its bounds: planner/window_rewrite.c.
 */
#include "postgres.h"

#include "keys/v7.h"
#include "sql/arguments.h"

/* uuidnew_layout_min, or uuidnew_layout_max */
typedef void (*compute_bound) (const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);

/*
 * The UUID from which on, or below which (ARG_UNTIL), a window's keys lie; of
 * uuidnew_layout_max, above which, or up to which.
 */
static void
bound_arg(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout,
		  TimestampTz epoch, int end, compute_bound compute, pg_uuid_t *bound)
{
	if (PG_ARGISNULL(argno))
		uuidnew_open_bound(layout, end == ARG_UNTIL, bound);
	else
		compute(layout, epoch, PG_GETARG_TIMESTAMPTZ(argno), bound);
}

static bool
has_null(FunctionCallInfo fcinfo, int first)
{
	int			i = first;

	while (i < PG_NARGS() && !PG_ARGISNULL(i))
		i++;
	return i < PG_NARGS();
}

/*
 * (id, since, until [, layout [, epoch]]) -> boolean; or, with one end only,
 * (id, since) or (id, until), where NULL is unknown.  It is false, as the
 * bounds are, for a key that no time makes it true for.
 */
static pg_noinline Datum
window_contains(FunctionCallInfo fcinfo, const UuidFamily *family,
				int only_end, compute_bound compute)
{
	const pg_uuid_t *uuid;
	const UuidLayout *layout;
	TimestampTz epoch;
	TimestampTz timestamp;
	bool		inside;

	if (PG_ARGISNULL(ARG_ID) || has_null(fcinfo, ARG_LAYOUT))
		PG_RETURN_NULL();
	uuid = PG_GETARG_UUID_P(ARG_ID);
	layout = layout_arg(fcinfo, ARG_LAYOUT, family);
	epoch = epoch_arg(fcinfo, ARG_EPOCH, layout);
	inside = layout_timestamp(layout, epoch, uuid, &timestamp);
	for (int end = ARG_SINCE; end <= ARG_UNTIL; end++)
	{
		bool		is_open = only_end != 0 && only_end != end;
		bool		at_max = !is_open && compute == uuidnew_layout_max;
		pg_uuid_t	bound;
		int			order;

		if (only_end == end && PG_ARGISNULL(1))
			continue;
		if (is_open)
			uuidnew_open_bound(layout, end == ARG_UNTIL, &bound);
		else
			bound_arg(fcinfo, only_end == 0 ? end : 1, layout, epoch, end,
					  compute, &bound);
		order = memcmp(uuid, &bound, UUID_LEN);
		inside = inside &&
			(at_max ? order > 0 : order >= 0) == (end == ARG_SINCE);
	}
	if (inside && only_end != 0 && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(inside);
}

/*
 * What the planner leaves of a call is a filter for each row: a window over
 * all of time.  All keys of versions 6 and 7 have a time, whatever layout it
 * is; those of version 8, which come with an epoch, go the long way.
 */
static inline Datum
window_or_filter(FunctionCallInfo fcinfo, int version,
				 const UuidFamily *family)
{
	if (likely(PG_NARGS() <= ARG_EPOCH && !PG_ARGISNULL(ARG_ID) &&
			   !PG_ARGISNULL(ARG_SINCE) && !PG_ARGISNULL(ARG_UNTIL) &&
			   (PG_NARGS() <= ARG_LAYOUT || !PG_ARGISNULL(ARG_LAYOUT)) &&
			   TIMESTAMP_IS_NOBEGIN(PG_GETARG_TIMESTAMPTZ(ARG_SINCE)) &&
			   TIMESTAMP_IS_NOEND(PG_GETARG_TIMESTAMPTZ(ARG_UNTIL))))
	{
		/* an unknown one is an error */
		if (PG_NARGS() > ARG_LAYOUT)
			layout_arg(fcinfo, ARG_LAYOUT, family);
		PG_RETURN_BOOL(uuid_version_of(PG_GETARG_UUID_P(ARG_ID)) == version);
	}
	return window_contains(fcinfo, family, 0, uuidnew_layout_min);
}

/* (timestamptz [, layout [, epoch]]) -> uuid; NULL for NULL layout or epoch */
static Datum
return_bound(FunctionCallInfo fcinfo, const UuidFamily *family, int end,
			 compute_bound compute)
{
	pg_uuid_t  *bound = palloc(sizeof(pg_uuid_t));
	const UuidLayout *layout;

	if (has_null(fcinfo, 1))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, family);
	bound_arg(fcinfo, 0, layout, epoch_arg(fcinfo, 2, layout), end, compute,
			  bound);
	PG_RETURN_UUID_P(bound);
}

/*
 * The SQL functions of a family: NAMEbetween gives NULL for a NULL key, layout
 * or epoch, and the strict NAMEmin and NAMEmax for any; all raise 22023 for an
 * unknown layout, or an epoch that the layout can't have.
 */
#define WINDOW_FUNCTIONS(name, version, family) \
	SQL_FUNCTION(name##between, window_or_filter(fcinfo, version, family)) \
	SQL_FUNCTION(name##since, \
				 return_bound(fcinfo, family, ARG_SINCE, uuidnew_layout_min)) \
	SQL_FUNCTION(name##until, \
				 return_bound(fcinfo, family, ARG_UNTIL, uuidnew_layout_min)) \
	SQL_FUNCTION(name##min, \
				 return_bound(fcinfo, family, ARG_SINCE, uuidnew_layout_min)) \
	SQL_FUNCTION(name##max, \
				 return_bound(fcinfo, family, ARG_UNTIL, uuidnew_layout_max))

WINDOW_FUNCTIONS(uuid_v6_, 6, &uuidnew_v6)
WINDOW_FUNCTIONS(uuid_v7_, 7, &uuidnew_v7)
WINDOW_FUNCTIONS(uuidv7_, 7, &uuidnew_uuidv7_family)
WINDOW_FUNCTIONS(uuid_v8_, 8, &uuidnew_v8)

#define ONE_END(name, family, end, compute) \
	SQL_FUNCTION(name, window_contains(fcinfo, family, end, compute))

ONE_END(uuid_v7_before, &uuidnew_v7, ARG_UNTIL, uuidnew_layout_min)
ONE_END(uuid_v7_from, &uuidnew_v7, ARG_SINCE, uuidnew_layout_min)
ONE_END(uuidv7_before, &uuidnew_uuidv7_family, ARG_UNTIL, uuidnew_layout_min)
ONE_END(uuidv7_upto, &uuidnew_uuidv7_family, ARG_UNTIL, uuidnew_layout_max)
ONE_END(uuidv7_from, &uuidnew_uuidv7_family, ARG_SINCE, uuidnew_layout_min)
ONE_END(uuidv7_after, &uuidnew_uuidv7_family, ARG_SINCE, uuidnew_layout_max)
