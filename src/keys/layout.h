/*
 * layout.h
 *	  Layouts of time-based UUIDs: how a time becomes the leading bits.
 *
 * Sequence, node and bounds are derived from this description.  v6.c, v7.c and
 * v8.c describe the layouts; doc/layouts.md draws them.
 *
 * A layout counts time in ticks: a second begins with one and has
 * ticks_per_sec of them, or a tick has secs_per_tick, counted from the epoch.
 */
#ifndef UUIDNEW_LAYOUT_H
#define UUIDNEW_LAYOUT_H

#include "datatype/timestamp.h"

#include "keys/bits.h"

#define MSECS_PER_SEC		1000
#define USECS_PER_MSEC		1000
#define NSECS_PER_SEC		1000000000
#define NSECS_PER_MSEC		1000000
#define NSECS_PER_USEC		1000

/* Epochs in seconds since 1970-01-01 00:00:00 UTC. */
#define EPOCH_GREGORIAN		INT64CONST(-12219292800)	/* 1582-10-15 */
#define EPOCH_NTP			INT64CONST(-2208988800) /* 1900-01-01 */
#define EPOCH_ISO8601		INT64CONST(-62167219200)	/* 0000-01-01 */
#define EPOCH_JULIAN		INT64CONST(-210866803200)	/* 4714-11-24 BC */
#define EPOCH_POSTGRES		INT64CONST(946684800)	/* 2000-01-01 */

/* Microseconds since 1970 as TimestampTz. */
#define SINCE_1970(usec)	((usec) - EPOCH_POSTGRES * USECS_PER_SEC)

#define NO_TIME				PG_UINT64_MAX

/* Each of versions 6 to 8 has at most LAYOUTS_OF_VERSION built-in layouts. */
#define FIRST_VERSION		6
#define LAYOUTS_OF_VERSION	8
#define LAYOUT_NUMBERS		(3 * LAYOUTS_OF_VERSION)

/* Initializer for a range up to the last UUID of the version. */
#define WHOLE_RANGE		.end_hi = UINT64CONST(1) << UUID_HI_BITS

/* Initializers: a layout's version, and its index in the version's table. */
#define VERSION_AND_PLACE(v, place) \
	.version = (v), \
	.number = ((v) - FIRST_VERSION) * LAYOUTS_OF_VERSION + (place)

typedef struct UuidLayout
{
	const char *name;			/* NULL for the only layout of a version */
	const char *alias;			/* another name, or NULL */
	uint8		version;
	uint8		number;			/* of LAYOUT_NUMBERS; 0 if is_custom */

	/*
	 * The timestamp has the other bits of the 122.  The overflow is the part
	 * of the node that counts when the sequence is used up: enough for 15
	 * million UUIDs a second, and at most half of the node.
	 */
	uint8		sequence_bits;	/* at most 32 */
	uint8		node_bits;		/* below the sequence, at most 62 */
	uint8		overflow_bits;
	bool		sequence_continues; /* counts on in a new tick (version 6) */
	bool		custom_epoch;	/* callers may choose the epoch */
	bool		by_calendar;	/* the timestamp is the digits of a date */
	bool		is_custom;		/* a custom layout: custom.c */
	uint8		count_bits;		/* of the timestamp, for count.c; else 0 */
	int64		epoch;			/* seconds since 1970 */

	/*
	 * After this many seconds, an era, the timestamp begins again at 0; 0:
	 * never.  A caller's epoch is the start of an era, for readers and
	 * bounds; without an epoch, generators use the era of the clock.
	 */
	uint64		era_secs;
	uint64		span_usecs;		/* from the epoch to its end */

	/* The range of the layout's UUIDs, by the first 60 bits of payloads */
	uint64		first_hi;
	uint64		end_hi;			/* after the last */

	uint64		read_usecs;		/* the precision of decode() */
	uint32		ticks_per_sec;	/* above a million, the timestamp has to count
								 * ticks or have fraction_bits */
	uint32		secs_per_tick;	/* 0 or 1: ticks are no longer than a second */
	uint8		fraction_bits;	/* of the timestamp, a binary fraction of the
								 * second, rounded up; 0: it counts ticks */

	/*
	 * The timestamp bits; all other bits are zero.  sec counts from the
	 * epoch. For a time beyond the span, hi may have more than 60 bits.
	 */
	UuidPayload (*encode) (const struct UuidLayout *layout, uint64 sec,
						   uint32 ticks);

	/* Microseconds since the epoch, or NO_TIME if the bits do not encode one. */
	uint64		(*decode) (const struct UuidLayout *layout,
						   UuidPayload payload);

	/* The layout whose encode() is as precise as decode(); NULL: this one. */
	const struct UuidLayout *bound_layout;
} UuidLayout;

/* The layouts of a version, and the SQL functions that share a default. */
typedef struct UuidFamily
{
	int			version;
	const UuidLayout *layouts;
	int			nlayouts;
	const UuidLayout *default_layout;
	const char *function_prefix;	/* before "timestamp", "min", "between" */
	const char *generator;		/* the SQL function; with "_at", of a time */
} UuidFamily;

/* v6.c, v7.c, v8.c */
extern const UuidFamily uuidnew_v6;
extern const UuidFamily uuidnew_v7;
extern const UuidFamily uuidnew_v8;

/* layout_epoch - the default epoch, TimestampTz. */
static inline int64
layout_epoch(const UuidLayout *layout)
{
	return (layout->epoch - EPOCH_POSTGRES) * USECS_PER_SEC;
}

/* layout_ticks - how many ticks have passed in nsec of a second. */
static inline uint32
layout_ticks(const UuidLayout *layout, uint32 nsec)
{
	return (uint64) nsec * layout->ticks_per_sec / NSECS_PER_SEC;
}

/* timestamp_width - how many bits precede the sequence. */
static inline int
timestamp_width(const UuidLayout *layout)
{
	return UUID_HI_BITS + UUID_LO_BITS - layout->sequence_bits -
		layout->node_bits;
}

/* payload_sequence - the sequence in a UUID of a layout. */
static inline uint32
payload_sequence(const UuidLayout *layout, UuidPayload payload)
{
	uint64		bits = payload.hi << (UUID_LO_BITS - layout->node_bits) |
		payload.lo >> layout->node_bits;

	return bits & low_bits(layout->sequence_bits);
}

/* payload_machine_id - the first bits of the node of a UUID, at least 1. */
static inline uint64
payload_machine_id(const UuidLayout *layout, UuidPayload payload, int bits)
{
	return payload.lo >> (layout->node_bits - bits) & low_bits(bits);
}

/* layout_in_range - is a payload, or its first bits, in the range? */
static inline bool
layout_in_range(const UuidLayout *layout, UuidPayload payload)
{
	return payload.hi - layout->first_hi < layout->end_hi - layout->first_hi;
}

/* layout_has - is a UUID of the layout's version, and in its range? */
static inline bool
layout_has(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	return uuid_version_of(uuid) == layout->version &&
		layout_in_range(layout, uuid_unpack(uuid));
}

/* layout_usecs - microseconds since the epoch in a UUID, or NO_TIME. */
static inline uint64
layout_usecs(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	return layout->decode(layout, uuid_unpack(uuid));
}

/* A second and its fraction, as precise as the timestamp bits. */
typedef struct SecondFraction
{
	uint64		sec;
	uint64		fraction;		/* in 1/2^fraction_bits of it, or else ticks */
} SecondFraction;

typedef struct UuidFields
{
	int64		timestamp;		/* TimestampTz */
	uint32		nanoseconds;	/* below its microsecond: 0 to 999 */
	uint32		sequence;
	uint64		node;
} UuidFields;

/* families.c */
extern const UuidLayout *uuidnew_nth_layout(int n);

/* count.c */
extern UuidPayload uuidnew_count_encode(const UuidLayout *layout, uint64 sec,
										uint32 ticks);
extern uint64 uuidnew_count_decode(const UuidLayout *layout,
								   UuidPayload payload);

/* layout.c */
extern int64 uuidnew_layout_first(const UuidLayout *layout, int64 epoch);
extern int64 uuidnew_layout_last(const UuidLayout *layout, int64 epoch);
extern bool uuidnew_layout_at(const UuidLayout *layout, int64 epoch,
							  int64 timestamp, UuidPayload *time_bits);
extern void uuidnew_layout_min(const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);
extern void uuidnew_layout_max(const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);
extern SecondFraction uuidnew_layout_fraction(const UuidLayout *layout,
											  UuidPayload payload);
extern uint32 uuidnew_fraction_ticks(const UuidLayout *layout,
									 uint32 ticks_per_sec, uint64 fraction);
extern bool uuidnew_layout_fields(const UuidLayout *layout, int64 epoch,
								  const pg_uuid_t *uuid, UuidFields *fields);
extern bool uuidnew_layout_may_be(const UuidLayout *layout,
								  const pg_uuid_t *uuid);

/*
 * layout_timestamp - the time in a UUID, truncated to a microsecond; false if
 * it is not of the layout, or a TimestampTz can't hold the time.  Inline,
 * because filters call it for every row.
 */
static inline bool
layout_timestamp(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid,
				 int64 *timestamp)
{
	uint64		usec;

	if (!layout_has(layout, uuid))
		return false;
	usec = layout_usecs(layout, uuid);
	if (usec >= (uint64) END_TIMESTAMP - (uint64) epoch)
		return false;
	*timestamp = (int64) ((uint64) epoch + usec);
	return true;
}

#endif							/* UUIDNEW_LAYOUT_H */
