/*
 * key_checks.h
 *	  What a table's CHECK constraints say of the keys in a column, and which
 *	  calls say something of a key: see key_checks.c.
 */
#ifndef UUIDNEW_KEY_CHECKS_H
#define UUIDNEW_KEY_CHECKS_H

#include "nodes/pathnodes.h"

#include "layout.h"

/* The extension's functions that say something of a key, their first argument. */
typedef enum KeyFunctionKind
{
	KEY_LAYOUT, KEY_TIMESTAMP, KEY_FIELDS, KEY_WINDOW
} KeyFunctionKind;

typedef struct KeyFunction
{
	const char *name;
	int			nargs;
	KeyFunctionKind kind;
	const UuidVersion *version;
} KeyFunction;

/* The two kinds of layout of version 7: see v7.h. */
typedef enum V7Kind
{
	V7_UNKNOWN, V7_DRAFT, V7_RFC9562
} V7Kind;

/* What the CHECK constraints of a table say of a column. */
typedef struct KeyChecks
{
	int			version;		/* all keys are of it; 0 if that is not known */
	V7Kind		kind;
	NameData	kind_constraint;	/* the one that says so */
	List	   *windows;		/* of version 8, FuncExpr */
} KeyChecks;

extern const KeyFunction *uuidnew_key_function(Oid funcid, List *args, Oid sibling);
extern const UuidLayout *uuidnew_layout_read(const KeyFunction *function, List *args);
extern Node *uuidnew_strip_key(Node *key);
extern Var *uuidnew_key_column(List *args);

extern V7Kind uuidnew_layout_kind(const UuidLayout *layout);
extern const char *uuidnew_kind_name(V7Kind kind);

extern KeyChecks uuidnew_read_checks(Oid relid, AttrNumber attno, bool inherited,
									 bool for_rows, Oid sibling);
extern bool uuidnew_call_is_checked(RangeTblEntry *rte, FuncExpr *window, bool inherited);
extern bool uuidnew_key_is_checked(PlannerInfo *root, RelOptInfo *rel,
								   FuncExpr *window);

#endif							/* UUIDNEW_KEY_CHECKS_H */
