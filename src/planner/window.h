/*
 * window.h
 *	  Windows of time (functions/windows.c) and their filters
 *	  (functions/readers.c), as the planner sees them.
 *
 * window_rewrite.c asks the others, and all ask window.c.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "keys/layout.h"
#include "call/arguments.h"

enum
{
	SINCE, UNTIL, ENDS
};

/* How a window compares the key with one of its ends */
typedef struct WindowEnd
{
	int			strategy;		/* of a B-tree */
	const char *bound;			/* the function of it, after the prefix */
	int			argno;			/* and its argument in a call of the window;
								 * 0: NULL, as the end is open */
} WindowEnd;

/* What an SQL function is that the planner asks about */
typedef struct TimeFunction
{
	const char *symbol;			/* in C, and its name unless it is renamed */
	const UuidFamily *family;
	bool		is_filter;		/* else a window */
	WindowEnd	ends[ENDS];
} TimeFunction;

/* window.c */
extern const char *uuidnew_symbol(Oid funcid, Oid support);
extern const TimeFunction *uuidnew_time_function(Oid funcid, Oid support);
extern bool uuidnew_call_layout(const UuidFamily *family, List *args,
								const UuidLayout **layout);
extern Oid	uuidnew_operator(int strategy);
extern int	uuidnew_comparison(Node *clause);

/* window_estimate.c */
extern Node *uuidnew_estimate_filter(SupportRequestSelectivity *request,
									 const UuidFamily *family);

/* is_known - is an argument a constant that is not NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
