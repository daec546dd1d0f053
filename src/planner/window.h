/*
 * window.h
 *	  Functions of time, as the planner sees them: windows, since <= time <
 *	  until (sql/windows.c), and readers.
 *
 * window_rewrite.c asks the others, and all ask window.c.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "keys/layout.h"
#include "sql/arguments.h"

/* What an SQL function is that the planner asks about */
typedef struct TimeFunction
{
	const char *symbol;			/* in C, and its name unless it is renamed */
	const UuidFamily *family;

	/*
	 * By which B-tree strategy a window compares the key with each of its
	 * ends, 0 where it has none; a reader has neither.
	 */
	int			strategy[ARG_UNTIL + 1];
	const char *counterpart;	/* in version 7, what reads the other kind */
} TimeFunction;

/* window.c */
extern const char *uuidnew_symbol(Oid funcid);
extern const TimeFunction *uuidnew_time_function(Oid funcid);
extern const UuidLayout *uuidnew_call_layout(const UuidFamily *family,
											 List *args);
extern Const *uuidnew_time_const(TimestampTz time);
extern bool uuidnew_is_filter(List *args);
extern Oid	uuidnew_operator(int strategy);
extern int	uuidnew_comparison(Node *clause);

/* window_estimate.c */
extern Node *uuidnew_estimate_window(SupportRequestSelectivity *request);

/* guard.c */
extern void uuidnew_guard_statement(PlannerInfo *root);

/* is_known - is an argument a constant that is not NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
