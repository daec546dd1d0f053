/*
 * window.h
 *	  Windows of time, since <= time < until: see sql/windows.c,
 *	  window_rewrite.c, window_estimate.c.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "keys/layout.h"

/* window_rewrite.c */
extern const UuidLayout *uuidnew_call_layout(const UuidFamily *family,
											 List *args);
extern int	uuidnew_comparison(Node *clause);

/* window_estimate.c */
extern void uuidnew_estimate_window(SupportRequestSelectivity *request,
									const UuidFamily *family);

/* guard.c */
extern void uuidnew_guard(PlannerInfo *root, Oid funcid, List *args);

/* is_known - is an argument a constant that is not NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
