/*
 * arguments.h
 *	  Arguments, results and errors that SQL functions share: see arguments.c.
 */
#ifndef UUIDNEW_ARGUMENTS_H
#define UUIDNEW_ARGUMENTS_H

#include "access/stratnum.h"
#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "keys/custom.h"
#include "keys/layout.h"

/* What a call site remembers of its layout argument, in fn_extra. */
typedef struct LayoutCache
{
	const UuidLayout *layout;
	bool		constant;		/* the argument is always the same */
	CustomLayout custom;		/* where a layout given by numbers is kept */
	TupleDesc	desc;			/* of the result, for a function of rows */
} LayoutCache;

extern const UuidLayout *uuidnew_lookup_layout(const UuidFamily *family,
											   const text *name);
extern const UuidLayout *uuidnew_find_layout(const UuidFamily *family,
											 const text *name,
											 CustomLayout *custom);
extern const UuidLayout *uuidnew_new_layout_arg(FunctionCallInfo fcinfo,
												int argno,
												const UuidFamily *family);
extern const pg_uuid_t *uuidnew_uuid_arg(FunctionCallInfo fcinfo, int argno,
										 int version);
extern char *uuidnew_uuid_cstring(const pg_uuid_t *uuid);
extern bool uuidnew_time(const pg_uuid_t *uuid, TimestampTz *timestamp);
extern bytea *uuidnew_bytea(const void *octets, int len);
extern Datum uuidnew_node_datum(const UuidLayout *layout, uint64 lo);
extern TupleDesc uuidnew_result_desc(FunctionCallInfo fcinfo, int max_columns,
									 MemoryContext context);
extern bool uuidnew_takes_epoch(const UuidLayout *layout, TimestampTz epoch);
extern TimestampTz uuidnew_check_epoch(const UuidLayout *layout,
									   TimestampTz epoch);
extern int	uuidnew_errdetail_node_room(const UuidLayout *layout);
pg_noreturn extern void uuidnew_time_out_of_range(const UuidLayout *layout,
												  TimestampTz epoch,
												  TimestampTz time,
												  const char *suffix);

/* An SQL function that is one expression of fcinfo. */
#define SQL_FUNCTION(name, expression) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		return (expression); \
	}

/* A column of a row that is NULL otherwise */
#define SET_VALUE(i, datum) (values[i] = (datum), nulls[i] = false)

/* text_is - is the argument this name, in the same case? */
static inline bool
text_is(const text *argument, const char *name)
{
	size_t		len = VARSIZE_ANY_EXHDR(argument);

	return strncmp(name, VARDATA_ANY(argument), len) == 0 && name[len] == '\0';
}

/*
 * layout_arg - the layout that an argument names, resolved once for each call
 * site; the family's default where the function is called without.
 *
 * A family of NULL means any, and then the argument must be there.  Raises an
 * ERROR for a name that is not a layout's.
 */
static inline const UuidLayout *
layout_arg(FunctionCallInfo fcinfo, int argno, const UuidFamily *family)
{
	LayoutCache *cache;

	if (PG_NARGS() <= argno)
		return family->default_layout;

	cache = fcinfo->flinfo->fn_extra;
	if (likely(cache != NULL && cache->constant))
		return cache->layout;
	return uuidnew_new_layout_arg(fcinfo, argno, family);
}

/*
 * epoch_arg - the epoch in an argument, the layout's own where the function is
 * called without.
 *
 * Raises an ERROR if it is infinite, or the layout takes none.
 */
static inline TimestampTz
epoch_arg(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	if (PG_NARGS() <= argno)
		return layout_epoch(layout);
	return uuidnew_check_epoch(layout, PG_GETARG_TIMESTAMPTZ(argno));
}

/* return_payload - a payload as the UUID that an SQL function returns. */
static inline Datum
return_payload(UuidPayload payload, int version)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	uuid_pack(payload, version, uuid);
	PG_RETURN_UUID_P(uuid);
}

/* How a window compares the key with its ends */
#define LT	BTLessStrategyNumber
#define LE	BTLessEqualStrategyNumber
#define GE	BTGreaterEqualStrategyNumber
#define GT	BTGreaterStrategyNumber

/* The arguments of a window: (id, since, until [, layout [, epoch]]) */
#define ARG_ID		0
#define ARG_SINCE	1
#define ARG_UNTIL	2
#define ARG_LAYOUT	3
#define ARG_EPOCH	4

#endif							/* UUIDNEW_ARGUMENTS_H */
