/*
 * preforked.c
 *	  A library for shared_preload_libraries that makes UUIDs in the
 *	  postmaster: many_sessions.pl builds it.
 *
 * So each process that the postmaster forks starts with the same block of
 * random octets in its memory, and with states for the same epochs.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

/* uuid_generate_v8('unix48', NULL, epoch) */
static void
make_with_epoch(TimestampTz epoch)
{
	LOCAL_FCINFO(fcinfo, 3);
	FmgrInfo	flinfo = {.fn_mcxt = TopMemoryContext};
	PGFunction	generate = (PGFunction)
		load_external_function("uuidnew", "uuid_generate_v8", true, NULL);

	InitFunctionCallInfoData(*fcinfo, &flinfo, 3, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = CStringGetTextDatum("unix48");
	fcinfo->args[0].isnull = false;
	fcinfo->args[1].isnull = true;
	fcinfo->args[2].value = TimestampTzGetDatum(epoch);
	fcinfo->args[2].isnull = false;
	(void) generate(fcinfo);
}

void
_PG_init(void)
{
	LOCAL_FCINFO(fcinfo, 0);
	PGFunction	generate = (PGFunction)
		load_external_function("uuidnew", "uuid_generate_v6", true, NULL);

	InitFunctionCallInfoData(*fcinfo, NULL, 0, InvalidOid, NULL, NULL);
	(void) generate(fcinfo);
	make_with_epoch(0);
	make_with_epoch(USECS_PER_DAY);
	ereport(LOG, (errmsg("made a UUID in process %d", MyProcPid)));
}
