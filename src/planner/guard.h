/*
 * guard.h
 *	  No query reads a column as the wrong layout of version 7: see guard.c.
 */
#ifndef UUIDNEW_PLANNER_GUARD_H
#define UUIDNEW_PLANNER_GUARD_H

#include "nodes/nodes.h"

extern void uuidnew_guard(Node *request);

#endif							/* UUIDNEW_PLANNER_GUARD_H */
