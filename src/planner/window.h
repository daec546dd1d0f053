/*
 * window.h
 *	  What the planner does with windows of time: see window_rewrite.c,
 *	  window_estimate.c.
 */
#ifndef UUIDNEW_PLANNER_WINDOW_H
#define UUIDNEW_PLANNER_WINDOW_H

#include "nodes/supportnodes.h"

#include "planner/time_window.h"

extern Datum uuidnew_window_support(Node *request, const UuidVersion *version);
extern void uuidnew_estimate_window(SupportRequestSelectivity *request,
									const UuidVersion *version);

#endif							/* UUIDNEW_PLANNER_WINDOW_H */
