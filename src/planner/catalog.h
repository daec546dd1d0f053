/*
 * catalog.h
 *	  What the planner's files need of the catalog and of calls: see catalog.c.
 */
#ifndef UUIDNEW_PLANNER_CATALOG_H
#define UUIDNEW_PLANNER_CATALOG_H

#include "nodes/pathnodes.h"

#include "keys/layout.h"

extern Oid	uuidnew_sibling_function(Oid funcid, const char *name,
									 const Oid *argtypes, int nargs);
extern const char *uuidnew_function_name(Oid funcid, Oid sibling);
extern bool uuidnew_may_execute(PlannerInfo *root, Oid funcid);

extern Node *uuidnew_argument(List *args, int argno);
extern bool uuidnew_is_known(Node *argument);
extern const UuidLayout *uuidnew_layout_read(const UuidVersion *version,
											 List *args, int argno);

#endif							/* UUIDNEW_PLANNER_CATALOG_H */
