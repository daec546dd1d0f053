/*
 * arguments.h
 *	  Arguments, results and errors that SQL functions share: see arguments.c.
 */
#ifndef UUIDNEW_ARGUMENTS_H
#define UUIDNEW_ARGUMENTS_H

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "keys/custom.h"
#include "keys/layout.h"

/* A call site's layout argument, in fn_extra */
typedef struct LayoutCache
{
	const UuidLayout *layout;
	bool		constant;		/* the argument never changes */
	CustomLayout custom;		/* if *layout is a custom layout */
	TupleDesc	desc;			/* of functions that return a row */
} LayoutCache;

extern const UuidLayout *uuidnew_find_layout(const UuidFamily *family,
											 const text *name,
											 CustomLayout *custom,
											 bool missing_ok);
extern const UuidLayout *uuidnew_new_layout_arg(FunctionCallInfo fcinfo,
												int argno,
												const UuidFamily *family);
extern const pg_uuid_t *uuidnew_uuid_arg(FunctionCallInfo fcinfo, int argno,
										 int version);
extern char *uuidnew_uuid_cstring(const pg_uuid_t *uuid);
extern bytea *uuidnew_bytea(const void *octets, int len);
extern Datum uuidnew_node_datum(const UuidLayout *layout, uint64 lo, int len);
extern TupleDesc uuidnew_result_desc(FunctionCallInfo fcinfo, int max_columns,
									 MemoryContext context);
extern bool uuidnew_takes_epoch(const UuidLayout *layout, TimestampTz epoch);
extern TimestampTz uuidnew_check_epoch(const UuidLayout *layout,
									   TimestampTz epoch);
pg_noreturn extern void uuidnew_time_out_of_range(const UuidLayout *layout,
												  TimestampTz epoch,
												  TimestampTz time,
												  const char *suffix);

/* Defines an SQL function by one expression of fcinfo */
#define SQL_FUNCTION(name, expression) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		return (expression); \
	}

/* Defines a reader, which returns NULL unless the condition sets the time */
#define SQL_TIMESTAMP(name, condition) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		TimestampTz time; \
 \
		if (!(condition)) \
			PG_RETURN_NULL(); \
		PG_RETURN_TIMESTAMPTZ(time); \
	}

/* For arrays of columns that are NULL by default */
#define SET_VALUE(i, datum) (values[i] = (datum), nulls[i] = false)

/* The position of an argument that a function never has */
#define NO_ARG	FUNC_MAX_ARGS

/* text_is - is the argument this name?  Case matters. */
static inline bool
text_is(const text *argument, const char *name)
{
	size_t		len = VARSIZE_ANY_EXHDR(argument);

	return strncmp(name, VARDATA_ANY(argument), len) == 0 && name[len] == '\0';
}

/* octets_arg - the octets of a bytea; raises 22023 for another length. */
static inline const char *
octets_arg(FunctionCallInfo fcinfo, int argno, int length, const char *what)
{
	const bytea *octets = PG_GETARG_BYTEA_PP(argno);

	if (unlikely((int) VARSIZE_ANY_EXHDR(octets) != length))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must have %d octets, not %d",
						what, length, (int) VARSIZE_ANY_EXHDR(octets))));
	return VARDATA_ANY(octets);
}

/*
 * layout_arg - the layout that an argument names, once per call site, or the
 * family's default without that argument.  Raises 22023 for another name.
 */
static inline const UuidLayout *
layout_arg(FunctionCallInfo fcinfo, int argno, const UuidFamily *family)
{
	LayoutCache *cache;

	if (argno == NO_ARG || PG_NARGS() <= argno)
		return family->default_layout;

	cache = fcinfo->flinfo->fn_extra;
	if (likely(cache != NULL && cache->constant))
		return cache->layout;
	return uuidnew_new_layout_arg(fcinfo, argno, family);
}

/* epoch_arg - the argument (22023 if wrong), or the layout's default. */
static inline TimestampTz
epoch_arg(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	if (argno == NO_ARG || PG_NARGS() <= argno)
		return layout_epoch(layout);
	return uuidnew_check_epoch(layout, PG_GETARG_TIMESTAMPTZ(argno));
}

/* return_payload - a payload as the UUID that a function returns. */
static inline Datum
return_payload(UuidPayload payload, int version)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	uuid_pack(payload, version, uuid);
	PG_RETURN_UUID_P(uuid);
}

#endif							/* UUIDNEW_ARGUMENTS_H */
