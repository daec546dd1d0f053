/*
 * v7.h
 *	  Version 7, the draft's and RFC 9562's: see v7.c.
 */
#ifndef UUIDNEW_V7_H
#define UUIDNEW_V7_H

#include "keys/layout.h"

/* Version 7 as names that begin with "uuidv7" mean it: RFC 9562's. */
extern const UuidFamily uuidnew_uuidv7_family;
extern const UuidLayout *const uuidnew_v7_rfc9562;

/* What layout rfc9562 counts below a millisecond: its ticks. */
#define RFC_FRACTIONS_PER_MSEC	4096

/*
 * The layouts of version 7 are of two kinds, the draft's and RFC 9562's, which
 * read each other's times wrong.
 *
 * A key whose first 36 bits are below this is taken for RFC 9562's, any other
 * for the draft's.  Read as RFC 9562's, these bits are 2074-07-11; read as the
 * draft's, 1995-07-09.  So the guess is right for all keys of RFC 9562 until
 * the one, and all keys of the draft since the other.
 */
#define V7_FIRST_DRAFT_SECOND	UINT64CONST(0x030000000)

/* v7_looks_rfc9562 - is a UUID of version 7 more likely RFC 9562's? */
static inline bool
v7_looks_rfc9562(const pg_uuid_t *uuid)
{
	return uuid_unpack(uuid).hi >> 24 < V7_FIRST_DRAFT_SECOND;
}

/*
 * v7_border - the first UUID of version 7 that is the draft's: others are
 * refused as constants by TimescaleDB.
 */
static inline void
v7_border(pg_uuid_t *uuid)
{
	UuidPayload payload = {.hi = V7_FIRST_DRAFT_SECOND << 24};

	uuid_pack(payload, 7, uuid);
}

/* v7_is_border - is it that one? */
static inline bool
v7_is_border(const pg_uuid_t *uuid)
{
	pg_uuid_t	border;

	v7_border(&border);
	return memcmp(uuid, &border, sizeof(border)) == 0;
}

extern const UuidLayout *uuidnew_v7_tell_layout(const pg_uuid_t *uuid,
												uint64 machine_id,
												int machine_id_bits,
												uint32 *looks);
extern bool uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
							   const pg_uuid_t *uuid, pg_uuid_t *result);

#endif							/* UUIDNEW_V7_H */
