/*
 * layout.h
 *	  What a layout of a time-based UUID is, and what follows for all of them.
 *
 * A layout says how a time becomes the leading bits of a UUID and back.  All
 * the rest (sequence, node, bounds) is the same for every layout and derived
 * from its description.  v6.c, v7.c and v8.c describe the layouts.
 *
 * Pure: test/unit runs it without a server.
 */
#ifndef UUIDNEW_LAYOUT_H
#define UUIDNEW_LAYOUT_H

#include "datatype/timestamp.h"

#include "bits.h"

#define MSECS_PER_SEC		1000
#define USECS_PER_MSEC		1000
#define NSECS_PER_SEC		1000000000
#define NSECS_PER_MSEC		1000000
#define NSECS_PER_USEC		1000

/* Epochs in seconds since 1970-01-01 00:00:00 UTC. */
#define EPOCH_UNIX			INT64CONST(0)
#define EPOCH_GREGORIAN		INT64CONST(-12219292800)	/* 1582-10-15 */
#define EPOCH_NTP			INT64CONST(-2208988800) /* 1900-01-01 */
#define EPOCH_ISO8601		INT64CONST(-62167219200)	/* 0000-01-01 */
#define EPOCH_POSTGRES		INT64CONST(946684800)	/* 2000-01-01 */

#define NO_TIME				PG_UINT64_MAX

/* A point of time to a layout's unit: seconds since an epoch and units. */
typedef struct Tick
{
	int64		sec;
	uint32		units;			/* 0 to units_per_sec - 1 */
} Tick;

/* What takes the top of the node: a machine id, the caller's node, nothing. */
typedef struct NodePrefix
{
	uint64		value;
	int			nbits;
} NodePrefix;

/* What a backend remembers of a layout between two UUIDs: see sequence.h. */
typedef struct SequenceState
{
	bool		started;
	Tick		last;			/* since 1970, never goes back */
	Tick		epoch;			/* that the stamp counts from */
	UuidPayload stamp;			/* the timestamp bits of last */
	uint32		sequence;		/* at its maximum it is used up, and then: */
	uint64		overflow;		/* the count in the bits that the node lends */
	NodePrefix	prefix;			/* above these bits */
} SequenceState;

typedef struct UuidLayout
{
	const char *name;			/* NULL: the version has only one */
	uint8		version;
	uint8		sequence_bits;
	uint8		node_bits;		/* below the sequence */
	uint8		overflow_bits;	/* that the node lends to a used-up sequence */
	bool		sequence_continues; /* counts on in a new tick (v6) */
	bool		custom_epoch;	/* the caller may choose another epoch */
	int64		epoch;			/* seconds since 1970 */
	uint64		span;			/* microseconds from the epoch to its end */
	uint32		unit;			/* microseconds that decode() tells apart */
	uint32		units_per_sec;

	/* Units of a fraction of a second, in nanoseconds, rounded down. */
	uint32		(*units) (uint32 nsec);

	/* The timestamp bits, all others zero.  sec counts from the epoch. */
	UuidPayload (*encode) (uint64 sec, uint32 units);

	/* Microseconds since the epoch, or NO_TIME if the bits are none. */
	uint64		(*decode) (UuidPayload payload);

	/* The layout whose encode() has decode()'s full precision; NULL: itself. */
	const struct UuidLayout *finest;

	SequenceState *state;
} UuidLayout;

/* All layouts of one version. */
typedef struct UuidVersion
{
	int			version;
	const UuidLayout *layouts;
	int			nlayouts;
	const UuidLayout *default_layout;
} UuidVersion;

extern const UuidVersion uuidnew_v6;
extern const UuidVersion uuidnew_v7;
extern const UuidVersion uuidnew_v8;
extern const UuidLayout *const uuidnew_v7_rfc9562;

/* layout_epoch - the layout's own epoch, TimestampTz. */
static inline int64
layout_epoch(const UuidLayout *layout)
{
	return (layout->epoch - EPOCH_POSTGRES) * USECS_PER_SEC;
}

extern int64 uuidnew_layout_last(const UuidLayout *layout, int64 epoch);
extern bool uuidnew_layout_at(const UuidLayout *layout, int64 epoch,
							  int64 timestamp, UuidPayload *stamp);
extern void uuidnew_layout_min(const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);
extern void uuidnew_layout_max(const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);

extern bool uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
							   const pg_uuid_t *uuid, pg_uuid_t *result);

extern void uuidnew_v1_pack(UuidPayload v6, pg_uuid_t *v1);
extern int64 uuidnew_v1_timestamp(const pg_uuid_t *uuid);
extern void uuidnew_v1_to_v6(const pg_uuid_t *v1, pg_uuid_t *v6);
extern void uuidnew_v6_to_v1(const pg_uuid_t *v6, pg_uuid_t *v1);

/*
 * layout_timestamp - the time in a UUID, truncated to a microsecond.
 *
 * Returns false if the UUID is of another version, or carries no time that a
 * TimestampTz can hold.  Inline, as filters call it for every row.
 */
static inline bool
layout_timestamp(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid,
				 int64 *timestamp)
{
	uint64		usec;

	if (uuid_version_of(uuid) != layout->version)
		return false;
	usec = layout->decode(uuid_unpack(uuid));
	if (usec >= (uint64) END_TIMESTAMP - (uint64) epoch)
		return false;
	*timestamp = epoch + (int64) usec;
	return true;
}

#endif							/* UUIDNEW_LAYOUT_H */
