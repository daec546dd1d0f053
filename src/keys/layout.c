/*
 * layout.c
 *	  Time to UUID and back, bounds, and all fields, for every layout.
 *
 * Times are TimestampTz: microseconds since 2000-01-01 00:00:00 UTC.  An epoch
 * is given as one too, so that a caller's own is a value like any other.
 *
 * Bounds agree with reading: for an id of the layout's version that carries a
 * time, layout_timestamp(id) >= t exactly when id >= uuidnew_layout_min(t),
 * and layout_timestamp(id) <= t exactly when id <= uuidnew_layout_max(t).
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "keys/v7.h"

static const UuidFamily *const versions[] = {
	&uuidnew_v6, &uuidnew_v7, &uuidnew_v8
};

/* uuidnew_version - the layouts of a version, NULL if there are none. */
const UuidFamily *
uuidnew_version(int version)
{
	int			i = version - FIRST_VERSION;

	return i >= 0 && i < (int) lengthof(versions) ? versions[i] : NULL;
}

/* uuidnew_layout - the layouts of all versions by a number, then NULL. */
const UuidLayout *
uuidnew_layout(int n)
{
	for (int i = 0; i < (int) lengthof(versions); i++)
	{
		if (n < versions[i]->nlayouts)
			return &versions[i]->layouts[n];
		n -= versions[i]->nlayouts;
	}
	return NULL;
}

/*
 * uuidnew_layout_last - the last time that the layout holds, or that
 * timestamptz does.
 */
int64
uuidnew_layout_last(const UuidLayout *layout, int64 epoch)
{
	/* unsigned: the difference of two timestamps may exceed an int64 */
	uint64		room = (uint64) END_TIMESTAMP - (uint64) epoch;

	return (int64) ((uint64) epoch + Min(layout->span_usecs, room) - 1);
}

/* How many bits hold the time: in a layout by numbers, zeros may follow. */
static int
time_width(const UuidLayout *layout)
{
	return layout->by_numbers ? layout->count_bits : timestamp_width(layout);
}

/* The timestamp bits of a time, or of so many ticks later. */
static UuidPayload
encode_usec(const UuidLayout *layout, uint64 usec, int later)
{
	uint32		nsec = usec % USECS_PER_SEC * NSECS_PER_USEC;

	return layout->encode(layout, usec / USECS_PER_SEC,
						  layout_ticks(layout, nsec) + later);
}

/*
 * uuidnew_layout_at - the timestamp bits of a time, truncated to the layout's
 * tick.
 *
 * Returns false if the layout can't hold the time.
 */
bool
uuidnew_layout_at(const UuidLayout *layout, int64 epoch, int64 timestamp,
				  UuidPayload *time_bits)
{
	if (timestamp < epoch || timestamp > uuidnew_layout_last(layout, epoch))
		return false;
	*time_bits = encode_usec(layout, (uint64) timestamp - (uint64) epoch, 0);
	return true;
}

/*
 * lower_bound - the smallest payload whose time is usec or later.
 *
 * Returns false if that time is not before the end.
 */
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

	/* a tick of no whole microseconds, which began before: the next one */
	if (layout->decode(layout, *payload) < usec)
	{
		*payload = encode_usec(layout, usec, 1);
		return payload->hi <= low_bits(UUID_HI_BITS) &&
			layout->decode(layout, *payload) < end;
	}
	return true;
}

/*
 * uuidnew_layout_min - the smallest UUID that carries a time or a later one.
 *
 * What is out of the layout's reach is the nil UUID below, max above.
 */
void
uuidnew_layout_min(const UuidLayout *layout, int64 epoch, int64 timestamp,
				   pg_uuid_t *uuid)
{
	UuidPayload payload;
	int64		last = uuidnew_layout_last(layout, epoch);

	if (timestamp < epoch)
		memset(uuid, 0, sizeof(pg_uuid_t));
	else if (!lower_bound(layout, (uint64) timestamp - (uint64) epoch,
						  (uint64) last - (uint64) epoch + 1, &payload))
		memset(uuid, 0xFF, sizeof(pg_uuid_t));
	else
		uuid_pack(payload, layout->version, uuid);
}

/*
 * uuidnew_layout_max - the largest UUID that carries a time or an earlier one;
 * out of the layout's reach as for uuidnew_layout_min.
 */
void
uuidnew_layout_max(const UuidLayout *layout, int64 epoch, int64 timestamp,
				   pg_uuid_t *uuid)
{
	UuidPayload payload = {0, 0};
	uint64		usec;

	if (timestamp < epoch)
		memset(uuid, 0, sizeof(pg_uuid_t));
	else if (timestamp > uuidnew_layout_last(layout, epoch))
		memset(uuid, 0xFF, sizeof(pg_uuid_t));
	else
	{
		/*
		 * The payload before the first one of the next time.  Where there is
		 * no next time, that is the one before 0: the largest.
		 */
		usec = (uint64) timestamp - (uint64) epoch;
		if (!lower_bound(layout, usec + 1, layout->span_usecs, &payload))
			payload = (UuidPayload) {0, 0};
		payload = payload_before(payload);

		/*
		 * In a gap, as iso8601 leaves them, it is the last UUID of the tick,
		 * whatever follows its time.
		 */
		if (layout->decode(layout, payload) == NO_TIME)
		{
			payload = payload_fill(encode_usec(layout, usec, 0),
								   UUID_HI_BITS + UUID_LO_BITS -
								   time_width(layout));
		}
		uuid_pack(payload, layout->version, uuid);
	}
}

/*
 * uuidnew_open_bound - where an open end of a window of any layout is: for
 * version 7 at the border between its two kinds of layouts, so that the window
 * finds no key of the other kind.
 */
void
uuidnew_open_bound(const UuidLayout *layout, bool upper, pg_uuid_t *bound)
{
	if (layout->version == 7 && (layout == uuidnew_v7_rfc9562) == upper)
		v7_border(bound);
	else
		memset(bound, upper ? 0xFF : 0, sizeof(pg_uuid_t));
}

/*
 * uuidnew_layout_fraction - the second in a UUID and its fraction.
 *
 * For layouts with fraction_bits, and those whose timestamp counts ticks.
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
 * uuidnew_fraction_ticks - a fraction of a second in ticks of any length: from
 * the tick that was rounded up to it; or, as the others are rounded down, the
 * last tick before the next fraction.
 */
uint32
uuidnew_fraction_ticks(const UuidLayout *layout, uint32 ticks_per_sec,
					   uint64 fraction)
{
	if (layout->fraction_bits > 0)
	{
		/* fraction * ticks_per_sec / 2^bits, in lowest terms too */
		int			twos = pg_rightmost_one_pos32(layout->ticks_per_sec);
		uint64		ticks = fraction * (layout->ticks_per_sec >> twos) >>
			(layout->fraction_bits - twos);

		return ticks * ticks_per_sec / layout->ticks_per_sec;
	}
	return ((fraction + 1) * ticks_per_sec - 1) / layout->ticks_per_sec;
}

/*
 * The microseconds since the epoch, and the nanoseconds below: of the first
 * one of the tick; but where a whole microsecond is in the tick, of that, so
 * that what was written in microseconds is read again.  NO_TIME if the bits
 * are none.
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

	/* as decode() does, whatever follows the fraction of a coarser layout */
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
 * uuidnew_layout_fields - all fields of a UUID, the time to the tick of the
 * layout.
 *
 * Returns false if the UUID is of another version, or carries no time that a
 * TimestampTz can hold.
 */
bool
uuidnew_layout_fields(const UuidLayout *layout, int64 epoch,
					  const pg_uuid_t *uuid, UuidFields *fields)
{
	UuidPayload payload = uuid_unpack(uuid);
	uint64		usec;

	if (uuid_version_of(uuid) != layout->version)
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
 * uuidnew_layout_may_be - can the timestamp bits of a UUID be the layout's, as
 * far as rounding tells?
 *
 * A layout that rounds up uses only ticks_per_sec of its 2^fraction_bits, and
 * unix32 leaves bits zero that its reader ignores.  Ticks shorter than a
 * microsecond that are no fraction are not compared.
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
