/*
 * guard.h
 *	  No query reads a column as the wrong layout of version 7: see guard.c.
 */
#ifndef UUIDNEW_PLANNER_GUARD_H
#define UUIDNEW_PLANNER_GUARD_H

#include "nodes/pathnodes.h"

extern void uuidnew_check_simplified_call(PlannerInfo *root, FuncExpr *call);
extern void uuidnew_check_planned_call(PlannerInfo *root, Oid funcid,
									   List *args);

#endif							/* UUIDNEW_PLANNER_GUARD_H */
