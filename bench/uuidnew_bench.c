/*
 * uuidnew_bench.c
 *	  What a generator's and a reader's speed is measured against.
 *
 * Built and used by bench/run only, no part of the extension.
 */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

static pg_uuid_t constant;
static uint64 buffer[1024];
static int	next;

/* bench_empty() - a call and nothing else */
PG_FUNCTION_INFO_V1(bench_empty);
Datum
bench_empty(PG_FUNCTION_ARGS)
{
	PG_RETURN_UUID_P(&constant);
}

/* bench_empty_timestamp(uuid) - the same for a reader */
PG_FUNCTION_INFO_V1(bench_empty_timestamp);
Datum
bench_empty_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(0);
}

/*
 * bench_floor() - the least that a time-ordered UUID takes: read the clock
 * once and copy 8 octets from a buffer.
 */
PG_FUNCTION_INFO_V1(bench_floor);
Datum
bench_floor(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	memcpy(uuid->data, &ts.tv_nsec, 8);
	memcpy(uuid->data + 8, &buffer[next++ % lengthof(buffer)], 8);
	PG_RETURN_UUID_P(uuid);
}
