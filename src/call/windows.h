/*
 * windows.h
 *	  How windows of time compare a key with their ends.
 *
 * windowlist.h lists the windows: functions/windows.c evaluates a call by its
 * entry there, and planner/window_rewrite.c rewrites it by the same entry.
 */
#ifndef UUIDNEW_WINDOWS_H
#define UUIDNEW_WINDOWS_H

#include "access/stratnum.h"

/* The arguments of a window: (id, since, until [, layout [, epoch]]) */
#define ARG_ID		0
#define ARG_SINCE	1
#define ARG_UNTIL	2
#define ARG_LAYOUT	3
#define ARG_EPOCH	4

/* or (id, operand), a time or a range */
#define ARG_OPERAND	1

enum
{
	SINCE, UNTIL, ENDS
};

typedef struct WindowEnd
{
	int			strategy;		/* of a B-tree: key strategy bound */
	const char *bound;			/* the SQL function, after the prefix */
	int			argno;			/* its argument in a call of the window; 0:
								 * NULL, as the end is always open */
	bool		null_is_open;	/* a NULL argument leaves the end open; if
								 * false, it makes the result NULL, so that a
								 * job that deletes rows deletes none */
} WindowEnd;

#define LT	BTLessStrategyNumber
#define LE	BTLessEqualStrategyNumber
#define GE	BTGreaterEqualStrategyNumber
#define GT	BTGreaterStrategyNumber

#define ALWAYS_OPEN	0

#define SINCE_NULL	{GE, "since", ALWAYS_OPEN, true}
#define UNTIL_NULL	{LT, "until", ALWAYS_OPEN, true}

#define BETWEEN	{GE, "since", ARG_SINCE, true}, {LT, "until", ARG_UNTIL, true}
#define BEFORE	SINCE_NULL, {LT, "min", ARG_OPERAND, false}
#define UPTO	SINCE_NULL, {LE, "max", ARG_OPERAND, false}
#define FROM	{GE, "min", ARG_OPERAND, false}, UNTIL_NULL
#define AFTER	{GT, "max", ARG_OPERAND, false}, UNTIL_NULL
#define WITHIN \
	{GE, "range_since", ARG_OPERAND, false}, \
	{LT, "range_until", ARG_OPERAND, false}

/* has_range_argument - are both ends of a window in one range argument? */
static inline bool
has_range_argument(const WindowEnd *ends)
{
	return ends[SINCE].argno == ends[UNTIL].argno;
}

#endif							/* UUIDNEW_WINDOWS_H */
