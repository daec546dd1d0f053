/*
 * layout.c
 *	  Time to UUID and back, bounds, and all fields, for every layout.
 *
 * Times and epochs are TimestampTz, microseconds since 2000-01-01 00:00 UTC.
 *
 * Bounds agree with readers: for a UUID of the layout that has a time,
 * layout_timestamp(id) >= t exactly when id >= uuidnew_layout_min(t),
 * and layout_timestamp(id) <= t exactly when id <= uuidnew_layout_max(t).
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "keys/layout.h"

/* Microseconds to the end of timestamptz, too many for an int64 */
static uint64
usecs_to_end(int64 epoch)
{
	return (uint64) END_TIMESTAMP - (uint64) epoch;
}

/* Microseconds from the epoch to an end of the range */
static uint64
range_usecs(const UuidLayout *layout, uint64 hi)
{
	if (hi == 0)
		return 0;
	if (hi > low_bits(UUID_HI_BITS))
		return layout->span_usecs;
	return layout->decode(layout, (UuidPayload) {hi, 0});
}

/* uuidnew_layout_first - the first time that the layout can hold. */
int64
uuidnew_layout_first(const UuidLayout *layout, int64 epoch)
{
	return epoch + (int64) range_usecs(layout, layout->first_hi);
}

/* uuidnew_layout_last - the last time that layout and timestamptz can hold. */
int64
uuidnew_layout_last(const UuidLayout *layout, int64 epoch)
{
	return (int64) ((uint64) epoch +
					Min(range_usecs(layout, layout->end_hi),
						usecs_to_end(epoch)) - 1);
}

/* How many bits hold the time: zeros may follow a count of ticks. */
static int
time_width(const UuidLayout *layout)
{
	return layout->count_bits > 0 ? layout->count_bits :
		timestamp_width(layout);
}

/* The timestamp bits of a time, or of a number of ticks later. */
static UuidPayload
encode_usec(const UuidLayout *layout, uint64 usec, int later)
{
	uint32		nsec = usec % USECS_PER_SEC * NSECS_PER_USEC;

	return layout->encode(layout, usec / USECS_PER_SEC,
						  layout_ticks(layout, nsec) + later);
}

/* uuidnew_layout_at - the timestamp bits of a time; false if out of range. */
bool
uuidnew_layout_at(const UuidLayout *layout, int64 epoch, int64 timestamp,
				  UuidPayload *time_bits)
{
	uint64		usec = (uint64) timestamp - (uint64) epoch;

	if (timestamp < epoch ||
		usec >= Min(layout->span_usecs, usecs_to_end(epoch)))
		return false;
	*time_bits = encode_usec(layout, usec, 0);
	return layout_in_range(layout, *time_bits);
}

/* The first payload with a time >= usec; false if that time is not < end */
static bool
lower_bound(const UuidLayout *layout, uint64 usec, uint64 end,
			UuidPayload *payload)
{
	usec = (usec + layout->read_usecs - 1) / layout->read_usecs *
		layout->read_usecs;
	if (usec >= end)
		return false;
	*payload = encode_usec(layout->bound_layout ? layout->bound_layout :
						   layout, usec, 0);

	/* a tick of no whole microseconds may have begun before: use the next */
	if (layout->decode(layout, *payload) < usec)
	{
		*payload = encode_usec(layout, usec, 1);
		return payload->hi <= low_bits(UUID_HI_BITS) &&
			layout->decode(layout, *payload) < end;
	}
	return true;
}

/* The bound for times out of range: the first UUID at hi, or the one before */
static void
saturate(const UuidLayout *layout, uint64 hi, bool before, pg_uuid_t *uuid)
{
	bool		shares_version = layout->first_hi != 0 ||
		layout->end_hi <= low_bits(UUID_HI_BITS);
	UuidPayload payload = {hi, 0};

	if (hi > low_bits(UUID_HI_BITS))
		memset(uuid, 0xFF, sizeof(pg_uuid_t));
	else if (hi == 0 && (before || !shares_version))
		memset(uuid, 0, sizeof(pg_uuid_t));
	else
		uuid_pack(before ? payload_before(payload) : payload,
				  layout->version, uuid);
}

/*
 * uuidnew_layout_min - the smallest UUID whose time is the given one or later.
 *
 * For times out of range it is the first UUID of the range, or the first after
 * the range; if the range is the whole version, the nil or the max UUID.
 */
void
uuidnew_layout_min(const UuidLayout *layout, int64 epoch, int64 timestamp,
				   pg_uuid_t *uuid)
{
	UuidPayload payload;
	int64		last = uuidnew_layout_last(layout, epoch);

	if (timestamp < uuidnew_layout_first(layout, epoch))
		saturate(layout, layout->first_hi, false, uuid);
	else if (!lower_bound(layout, (uint64) timestamp - (uint64) epoch,
						  (uint64) last - (uint64) epoch + 1, &payload))
		saturate(layout, layout->end_hi, false, uuid);
	else
		uuid_pack(payload, layout->version, uuid);
}

/*
 * uuidnew_layout_max - the largest UUID whose time is the given one or
 * earlier; for times out of range, the UUID before uuidnew_layout_min()'s.
 */
void
uuidnew_layout_max(const UuidLayout *layout, int64 epoch, int64 timestamp,
				   pg_uuid_t *uuid)
{
	UuidPayload payload;
	uint64		usec;

	if (timestamp < uuidnew_layout_first(layout, epoch))
		saturate(layout, layout->first_hi, true, uuid);
	else if (timestamp > uuidnew_layout_last(layout, epoch))
		saturate(layout, layout->end_hi, true, uuid);
	else
	{
		/* the payload before the first of the next time, or the last */
		usec = (uint64) timestamp - (uint64) epoch;
		if (!lower_bound(layout, usec + 1, layout->span_usecs, &payload))
			payload = (UuidPayload) {layout->end_hi, 0};
		payload = payload_before(payload);

		/* in a gap of iso8601: the last UUID of the tick */
		if (layout->decode(layout, payload) == NO_TIME)
			payload = payload_fill(encode_usec(layout, usec, 0),
								   UUID_HI_BITS + UUID_LO_BITS -
								   time_width(layout));
		uuid_pack(payload, layout->version, uuid);
	}
}

/*
 * uuidnew_layout_fraction - the second in a UUID and its fraction, in a layout
 * that has fraction_bits or counts ticks.
 */
SecondFraction
uuidnew_layout_fraction(const UuidLayout *layout, UuidPayload payload)
{
	Bits		timestamp =
		shift_right(payload_bits(payload), 128 - time_width(layout));
	SecondFraction time;

	if (layout->fraction_bits > 0)
	{
		time.sec = shift_right(timestamp, layout->fraction_bits).low;
		time.fraction = timestamp.low & low_bits(layout->fraction_bits);
	}
	else
	{
		time.sec = timestamp.low / layout->ticks_per_sec;
		time.fraction = timestamp.low % layout->ticks_per_sec;
	}
	return time;
}

/*
 * uuidnew_fraction_ticks - a fraction of a second in ticks of any length.
 *
 * Fractions that were rounded up map back to their tick; others to the last
 * tick before the next fraction.
 */
uint32
uuidnew_fraction_ticks(const UuidLayout *layout, uint32 ticks_per_sec,
					   uint64 fraction)
{
	if (layout->fraction_bits > 0)
	{
		/* fraction * ticks_per_sec / 2^bits, in lowest terms */
		int			twos = pg_rightmost_one_pos32(layout->ticks_per_sec);
		uint64		ticks = fraction * (layout->ticks_per_sec >> twos) >>
			(layout->fraction_bits - twos);

		return ticks * ticks_per_sec / layout->ticks_per_sec;
	}
	return ((fraction + 1) * ticks_per_sec - 1) / layout->ticks_per_sec;
}

/*
 * The microseconds since the epoch, and the nanoseconds below, or NO_TIME.
 *
 * They are the first nanosecond of the tick or, if the tick has a whole
 * microsecond, that one, so that readers return the microsecond written.
 */
static uint64
read_nanoseconds(const UuidLayout *layout, UuidPayload payload,
				 uint32 *nanoseconds)
{
	const UuidLayout *reader = layout;
	SecondFraction time;
	uint32		whole_usec = 0;
	uint32		nsec;

	*nanoseconds = 0;
	if (layout->fraction_bits == 0 && layout->ticks_per_sec <= USECS_PER_SEC)
		return layout->decode(layout, payload);

	/* as decode() does: the bits after a coarser fraction do not matter */
	if (layout->bound_layout != NULL)
		reader = layout->bound_layout;
	time = uuidnew_layout_fraction(reader, payload);
	if (layout->fraction_bits > 0)
		time.fraction =
			uuidnew_fraction_ticks(reader, layout->ticks_per_sec,
								   time.fraction);
	else
		whole_usec = uuidnew_fraction_ticks(layout, USECS_PER_SEC,
											time.fraction);

	nsec = (time.fraction * NSECS_PER_SEC + layout->ticks_per_sec - 1) /
		layout->ticks_per_sec;
	nsec = Max(nsec, whole_usec * NSECS_PER_USEC);
	*nanoseconds = nsec % NSECS_PER_USEC;
	return time.sec * USECS_PER_SEC + nsec / NSECS_PER_USEC;
}

/*
 * uuidnew_layout_fields - all fields of a UUID; false if it is not of the
 * layout, or has no time that a TimestampTz can hold.
 */
bool
uuidnew_layout_fields(const UuidLayout *layout, int64 epoch,
					  const pg_uuid_t *uuid, UuidFields *fields)
{
	UuidPayload payload = uuid_unpack(uuid);
	uint64		usec;

	if (!layout_has(layout, uuid))
		return false;
	usec = read_nanoseconds(layout, payload, &fields->nanoseconds);
	if (usec >= (uint64) END_TIMESTAMP - (uint64) epoch)
		return false;
	fields->timestamp = (int64) ((uint64) epoch + usec);
	fields->sequence = payload_sequence(layout, payload);
	fields->node = payload.lo & low_bits(layout->node_bits);
	return true;
}

/*
 * uuidnew_layout_may_be - could the layout have written these timestamp bits?
 *
 * A layout that rounds up uses only ticks_per_sec of its 2^fraction_bits, and
 * unix32 leaves bits zero that its reader ignores.  Counts of ticks shorter
 * than a microsecond are not checked.
 */
bool
uuidnew_layout_may_be(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	int			below = layout->sequence_bits + layout->node_bits;
	UuidPayload payload = uuid_unpack(uuid);
	UuidPayload written;

	if (layout->fraction_bits > 0)
	{
		SecondFraction time = uuidnew_layout_fraction(layout, payload);

		written = layout->encode(layout, time.sec,
								 uuidnew_fraction_ticks(layout,
														layout->ticks_per_sec,
														time.fraction));
	}
	else if (layout->ticks_per_sec <= USECS_PER_SEC)
		written = encode_usec(layout, layout->decode(layout, payload), 0);
	else
		return true;
	payload = payload_fill(payload, below);
	written = payload_fill(written, below);
	return written.hi == payload.hi && written.lo == payload.lo;
}
