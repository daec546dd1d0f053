/*
 * uuidnew_bench.c
 *	  What a generator's and a reader's speed is measured against.
 *
 * Built and used by bench/run only, no part of the extension.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "generate/states.h"

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
 * bench_floor() - the least that a time-ordered UUID takes: read the clock once
 * and copy 8 octets from a buffer.
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

/* The parts of uuid_generate_v7(), one at a time. */

PG_FUNCTION_INFO_V1(bench_part_clock);
Datum
bench_part_clock(PG_FUNCTION_ARGS)
{
	ClockTime	now = clock_now();

	buffer[0] += now.nsec;
	PG_RETURN_UUID_P(&constant);
}

PG_FUNCTION_INFO_V1(bench_part_randomness);
Datum
bench_part_randomness(PG_FUNCTION_ARGS)
{
	buffer[0] += entropy_uint64();
	PG_RETURN_UUID_P(&constant);
}

/* Time to timestamp bits, and the sequence: a tick later in every other call */
PG_FUNCTION_INFO_V1(bench_part_state);
Datum
bench_part_state(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v7.default_layout;
	Tick		epoch = {0, 0};
	Tick		tick = {1000000000 + next / 2000000, layout_ticks(layout, next / 2 % 1000000 * 1000)};
	NodePrefix	none = {0, 0, false};
	UuidPayload payload;

	next++;
	(void) sequence_next(layout, own_state(layout), epoch, tick, none, buffer[0], &payload);
	buffer[0] += payload.hi;
	PG_RETURN_UUID_P(&constant);
}

PG_FUNCTION_INFO_V1(bench_part_packing);
Datum
bench_part_packing(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	UuidPayload payload = {next++, 1};

	uuid_pack(payload, 7, uuid);
	PG_RETURN_UUID_P(uuid);
}
