/*
 * window.h
 *	  Windows of time, since <= time < until: see time_window.c,
 *	  window_rewrite.c, window_estimate.c.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "utils/timestamp.h"

#include "keys/layout.h"

/* Arguments: (id, since, until [, layout [, epoch]]) */
#define ARG_ID		0
#define ARG_SINCE	1
#define ARG_UNTIL	2
#define ARG_LAYOUT	3
#define ARG_EPOCH	4

/* time_window.c */
extern PGDLLEXPORT Datum uuid_v7_from(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum uuidv7_from(PG_FUNCTION_ARGS);
extern void uuidnew_window_bound(const UuidLayout *layout, TimestampTz epoch,
								 int end, const TimestampTz *time,
								 pg_uuid_t *bound);

/* window_rewrite.c */
extern const UuidLayout *uuidnew_call_layout(const UuidVersion *version,
											 List *args);
extern int	uuidnew_comparison(Node *clause);
extern Datum uuidnew_window_support(Node *request, const UuidVersion *version);

/* window_estimate.c */
extern void uuidnew_estimate_window(SupportRequestSelectivity *request,
									const UuidVersion *version);

/* guard.c */
extern void uuidnew_guard(PlannerInfo *root, Oid funcid, List *args);

/* is_known - is an argument a constant that is not NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
