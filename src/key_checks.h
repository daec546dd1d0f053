/*
 * key_checks.h
 *	  What a table's CHECK constraints say of the keys in a column, and what
 *	  follows for a query that reads them: see key_checks.c.
 */
#ifndef UUIDNEW_KEY_CHECKS_H
#define UUIDNEW_KEY_CHECKS_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "layout.h"

extern bool uuidnew_key_is_checked(PlannerInfo *root, RelOptInfo *rel,
								   FuncExpr *window);
extern void uuidnew_refuse_other_layout(PlannerInfo *root, Oid funcid,
										List *args, bool simplifying);
extern void uuidnew_warn_of_other_layout(PlannerInfo *root, Oid funcid,
										 const UuidLayout *layout,
										 VariableStatData *vardata);

#endif							/* UUIDNEW_KEY_CHECKS_H */
