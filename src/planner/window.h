/*
 * window.h
 *	  Windows of time and their filters for the planner.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "keys/layout.h"
#include "call/arguments.h"
#include "call/windows.h"

/* A window, or the filter of the windows of a family */
typedef struct TimeFunction
{
	const char *symbol;			/* in C, and its name unless it is renamed */
	const UuidFamily *family;
	bool		is_filter;
	WindowEnd	ends[ENDS];		/* of a window */
} TimeFunction;

/* window.c */
extern const char *uuidnew_symbol(Oid funcid, Oid support);
extern const TimeFunction *uuidnew_time_function(Oid funcid, Oid support);
extern bool uuidnew_call_layout(const UuidFamily *family, List *args,
								const UuidLayout **layout);

/* window_estimate.c */
extern Node *uuidnew_estimate_filter(SupportRequestSelectivity *request,
									 const UuidFamily *family);

/* is_known - is an argument a constant other than NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
