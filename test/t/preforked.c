/*
 * preforked.c
 *	  A library for shared_preload_libraries that makes a UUID in the postmaster:
 *	  012_many_sessions.pl builds it.
 *
 * So each process that the postmaster forks starts with the same block of
 * random octets in its memory.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	LOCAL_FCINFO(fcinfo, 0);
	PGFunction	generate = (PGFunction)
		load_external_function("uuidnew", "uuid_generate_v6", true, NULL);

	InitFunctionCallInfoData(*fcinfo, NULL, 0, InvalidOid, NULL, NULL);
	(void) generate(fcinfo);
	ereport(LOG, (errmsg("made a UUID in process %d", MyProcPid)));
}
