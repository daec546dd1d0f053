/*
 * v6.h
 *	  Versions 1 and 6, which have the same fields: see v6.c.
 */
#ifndef UUIDNEW_V6_H
#define UUIDNEW_V6_H

#include "keys/layout.h"

/* 60 bits that count 100 ns since 1582-10-15 00:00:00 UTC: RFC 4122 4.1.4. */
#define GREGORIAN_TICKS_PER_USEC	10
#define GREGORIAN_TICKS_PER_SEC		10000000

/* They end in 5236-03-31; the last microsecond is not a whole one. */
#define GREGORIAN_SPAN_USECS \
	((UINT64CONST(1) << 60) / GREGORIAN_TICKS_PER_USEC + 1)

/* Initializers for a layout with this timestamp. */
#define GREGORIAN_TIME \
	.epoch = EPOCH_GREGORIAN, \
	.span_usecs = GREGORIAN_SPAN_USECS, \
	.read_usecs = 1, \
	.ticks_per_sec = GREGORIAN_TICKS_PER_SEC, \
	.encode = uuidnew_gregorian_encode, \
	.decode = uuidnew_gregorian_decode

extern UuidPayload uuidnew_gregorian_encode(const UuidLayout *layout,
											uint64 sec, uint32 ticks);
extern uint64 uuidnew_gregorian_decode(const UuidLayout *layout,
									   UuidPayload payload);

extern bool uuidnew_v1_unix_ms_to_v1(const pg_uuid_t *wrong, pg_uuid_t *v1);
extern void uuidnew_v1_pack(UuidPayload v6, pg_uuid_t *v1);
extern int64 uuidnew_v1_timestamp(const pg_uuid_t *v1);
extern void uuidnew_v1_to_v6(const pg_uuid_t *v1, pg_uuid_t *v6);
extern void uuidnew_v6_to_v1(const pg_uuid_t *v6, pg_uuid_t *v1);

#endif							/* UUIDNEW_V6_H */
