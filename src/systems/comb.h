/*
 * comb.h
 *	  COMB GUIDs and Laravel's ordered UUIDs: version 4 with a time.
 */
#ifndef UUIDNEW_COMB_H
#define UUIDNEW_COMB_H

#include "keys/layout.h"

typedef struct CombVariant
{
	const char *name;
	uint8		octet[6];		/* of the time, the most significant first */
	bool		legacy;			/* days since 1900 and 1/300 s, not ms */
} CombVariant;

#define COMB_VARIANTS	4

/* The first sorts by time in PostgreSQL. */
extern const CombVariant uuidnew_comb_variants[COMB_VARIANTS];

extern bool uuidnew_comb_timestamp(const CombVariant *variant,
								   const pg_uuid_t *uuid, int64 *timestamp);
extern bool uuidnew_comb_convert(const CombVariant *from,
								 const CombVariant *to, const pg_uuid_t *uuid,
								 pg_uuid_t *result);
extern int64 uuidnew_ordered_uuid_timestamp(const pg_uuid_t *uuid);

#endif							/* UUIDNEW_COMB_H */
