/*
 * layout_guard.h
 *	  No query reads a column as the wrong kind of layout: see layout_guard.c.
 */
#ifndef UUIDNEW_LAYOUT_GUARD_H
#define UUIDNEW_LAYOUT_GUARD_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "layout.h"

extern void uuidnew_refuse_other_layout(PlannerInfo *root, Oid funcid,
										List *args, bool simplifying);
extern bool uuidnew_layout_is_examined(PlannerInfo *root, const UuidLayout *layout,
									   Node *key);
extern void uuidnew_warn_of_other_layout(PlannerInfo *root, Oid funcid,
										 const UuidLayout *layout,
										 VariableStatData *vardata);

#endif							/* UUIDNEW_LAYOUT_GUARD_H */
