/*
 * layout.c
 *	  Time to UUID and back, and the bounds of a time, for every layout.
 *
 * Times are TimestampTz: microseconds since 2000-01-01 00:00:00 UTC.  An epoch
 * is given as one too, so that a caller's own is a value like any other.
 *
 * Bounds agree with reading: for an id of the layout's version that carries a
 * time, layout_timestamp(id) >= t exactly when id >= uuidnew_layout_min(t), and
 * layout_timestamp(id) <= t exactly when id <= uuidnew_layout_max(t).
 *
 * Pure: test/unit runs it without a server.
 */
#include "postgres.h"

#include "layout.h"

/*
 * uuidnew_layout_last - the last time that the layout holds, or that timestamptz does.
 */
int64
uuidnew_layout_last(const UuidLayout *layout, int64 epoch)
{
	/* unsigned: the difference of two timestamps may exceed an int64 */
	uint64		room = (uint64) END_TIMESTAMP - (uint64) epoch;

	return (int64) ((uint64) epoch + Min(layout->span_usecs, room) - 1);
}

static UuidPayload
encode_usec(const UuidLayout *layout, uint64 usec)
{
	return layout->encode(layout, usec / USECS_PER_SEC,
						  layout->ticks(layout, usec % USECS_PER_SEC * NSECS_PER_USEC));
}

/*
 * uuidnew_layout_at - the timestamp bits of a time, truncated to the layout's tick.
 *
 * Returns false if the layout can't hold the time.
 */
bool
uuidnew_layout_at(const UuidLayout *layout, int64 epoch, int64 timestamp,
				  UuidPayload *time_bits)
{
	if (timestamp < epoch || timestamp > uuidnew_layout_last(layout, epoch))
		return false;
	*time_bits = encode_usec(layout, (uint64) timestamp - (uint64) epoch);
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
	usec = (usec + layout->read_usecs - 1) / layout->read_usecs * layout->read_usecs;
	if (usec >= end)
		return false;
	*payload = encode_usec(layout->bound_layout ? layout->bound_layout : layout, usec);

	/* a tick of no whole microseconds, which began before: the next one */
	if (layout->decode(layout, *payload) < usec)
	{
		*payload = layout->encode(layout, usec / USECS_PER_SEC,
								  layout->ticks(layout, usec % USECS_PER_SEC * NSECS_PER_USEC) + 1);
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
 * uuidnew_layout_max - the largest UUID that carries a time or an earlier one.
 *
 * What is out of the layout's reach is the nil UUID below, max above.
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

		/* In a gap, as iso8601 leaves them, it is the last UUID of the tick. */
		if (layout->decode(layout, payload) == NO_TIME)
		{
			payload = payload_fill(encode_usec(layout, usec),
								   layout->sequence_bits + layout->node_bits);
		}
		uuid_pack(payload, layout->version, uuid);
	}
}
