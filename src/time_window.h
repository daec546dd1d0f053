/*
 * time_window.h
 *	  What the planner may know about windows of time: see time_window_support.c.
 */
#ifndef UUIDNEW_TIME_WINDOW_H
#define UUIDNEW_TIME_WINDOW_H

#include "access/stratnum.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"

#include "layout.h"

/* Arguments: (id, since, until [, layout [, epoch]]) */
#define ARG_ID		0
#define ARG_SINCE	1
#define ARG_UNTIL	2
#define ARG_LAYOUT	3
#define ARG_EPOCH	4

/* How the key compares with the bound of an end: >= since's, < until's. */
static inline int16
window_end_strategy(int argno)
{
	return argno == ARG_SINCE ? BTGreaterEqualStrategyNumber : BTLessStrategyNumber;
}

/* Is an argument a constant that is not NULL? */
static inline bool
is_known(Node *argument)
{
	return IsA(argument, Const) && !castNode(Const, argument)->constisnull;
}

/* Is an end of a window left open? */
static inline bool
window_end_is_open(List *args, int argno)
{
	Const	   *end = list_nth(args, argno);

	return IsA(end, Const) && end->constisnull;
}

extern Datum uuidnew_window_support(FunctionCallInfo fcinfo,
									const UuidVersion *version);

extern Oid	uuidnew_sibling_function(Oid funcid, const char *name,
									 const Oid *argtypes, int nargs);
extern bool uuidnew_may_execute(PlannerInfo *root, Oid funcid);
extern const UuidLayout *uuidnew_window_layout(const UuidVersion *version,
											   List *args);
extern Expr *uuidnew_window_bound(PlannerInfo *root, Oid family, Oid funcid,
								  const UuidVersion *version, List *args,
								  int argno);
extern List *uuidnew_window_bounds(PlannerInfo *root, Oid funcid,
								   const UuidVersion *version, List *args,
								   Oid family);
extern Oid	uuidnew_window_function(Oid funcid, const UuidVersion *version,
									const char *name, List *args);
extern Node *uuidnew_null_test(Node *argument, NullTestType type);

extern Var *uuidnew_column_in_key(List *args);
extern Node *uuidnew_simplify_window(SupportRequestSimplify *request,
									 const UuidVersion *version);

extern void uuidnew_place_call(PlannerInfo *root, List *args);
extern List *uuidnew_window_conjuncts(PlannerInfo *root, List *args);
extern int16 uuidnew_key_comparison(Node *clause, Node *key);
extern void uuidnew_find_bounds(List *conjuncts, Oid funcid,
								const UuidVersion *version, List *args,
								RestrictInfo *bounds[ARG_UNTIL + 1]);
extern int64 uuidnew_window_epoch(const UuidLayout *layout, List *args);

extern void uuidnew_window_estimate(SupportRequestSelectivity *request,
									const UuidVersion *version);

#endif							/* UUIDNEW_TIME_WINDOW_H */
