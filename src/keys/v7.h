/*
 * v7.h
 *	  Version 7, of the draft and of RFC 9562: see v7.c.
 */
#ifndef UUIDNEW_V7_H
#define UUIDNEW_V7_H

#include "keys/layout.h"

/* Version 7 of RFC 9562, which SQL names that begin with "uuidv7" mean. */
extern const UuidFamily uuidnew_uuidv7_family;
extern const UuidLayout *const uuidnew_v7_rfc9562;

/*
 * The border, 03000000-0000-7000-8000-000000000000: the first draft UUID,
 * after the last UUID of RFC 9562.
 *
 * RFC 9562's range is 1970-01-01 to 2074-07-11, the draft's 1995-07-09 to
 * 4147-08-20.
 */
#define V7_BORDER_HI	(UINT64CONST(0x030000000) << 24)

/* v7_family - the family of a version 7 UUID, by its range. */
static inline const UuidFamily *
v7_family(const pg_uuid_t *uuid)
{
	return layout_has(uuidnew_v7_rfc9562, uuid) ? &uuidnew_uuidv7_family :
		&uuidnew_v7;
}

extern const UuidLayout *uuidnew_v7_tell_layout(const pg_uuid_t *uuid,
												uint64 machine_id,
												int machine_id_bits,
												uint32 *candidates);
extern bool uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
							   const pg_uuid_t *uuid, pg_uuid_t *result);

#endif							/* UUIDNEW_V7_H */
