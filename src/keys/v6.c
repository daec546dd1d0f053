/*
 * v6.c
 *	  UUID versions 6 and 1, which have the same fields.
 *
 * Draft 4.3: the timestamp of version 1, most significant bits first, then a
 * sequence of 14 bits.  The node is random in every UUID, never a MAC address.
 */
#include "postgres.h"

#include "keys/v6.h"

#define GREGORIAN_TICKS_PER_MSEC	(GREGORIAN_TICKS_PER_USEC * USECS_PER_MSEC)

/* 1970-01-01, and the milliseconds from then to the end */
#define TICKS_TO_1970	((uint64) (-EPOCH_GREGORIAN) * GREGORIAN_TICKS_PER_SEC)
#define MSECS_FROM_1970 \
	((low_bits(UUID_HI_BITS) - TICKS_TO_1970) / GREGORIAN_TICKS_PER_MSEC + 1)

/* uuidnew_gregorian_encode, uuidnew_gregorian_decode - also of version 8. */
UuidPayload
uuidnew_gregorian_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return (UuidPayload) {sec * GREGORIAN_TICKS_PER_SEC + ticks, 0};
}

uint64
uuidnew_gregorian_decode(const UuidLayout *layout, UuidPayload payload)
{
	return payload.hi / GREGORIAN_TICKS_PER_USEC;
}

static const UuidLayout v6_layouts[] = {
	{
		VERSION_AND_PLACE(6, 0),
		.sequence_bits = 14,
		.node_bits = 48,
		.overflow_bits = 8,
		.sequence_continues = true,
		WHOLE_RANGE,
		GREGORIAN_TIME,
	},
};

const UuidFamily uuidnew_v6 = {
	6, v6_layouts, 1, v6_layouts, "uuid_v6_", "uuid_generate_v6"
};

/* A version 1 UUID as the payload of version 6: RFC 4122 4.1.2. */
static UuidPayload
v1_payload(const pg_uuid_t *v1)
{
	UuidPayload payload = uuid_unpack(v1);

	/* time_high, which is last, then time_mid, then time_low */
	payload.hi = (payload.hi & 0xFFF) << 48 |
		((payload.hi >> 12) & 0xFFFF) << 32 |
		payload.hi >> 28;
	return payload;
}

/* uuidnew_v1_timestamp - the time of a version 1 UUID, TimestampTz. */
int64
uuidnew_v1_timestamp(const pg_uuid_t *v1)
{
	return layout_epoch(v6_layouts) +
		(int64) (v1_payload(v1).hi / GREGORIAN_TICKS_PER_USEC);
}

/* uuidnew_v1_to_v6, uuidnew_v6_to_v1 - the same in the other version. */
void
uuidnew_v1_to_v6(const pg_uuid_t *v1, pg_uuid_t *v6)
{
	uuid_pack(v1_payload(v1), 6, v6);
}

void
uuidnew_v6_to_v1(const pg_uuid_t *v6, pg_uuid_t *v1)
{
	uuidnew_v1_pack(uuid_unpack(v6), v1);
}

/* uuidnew_v1_pack - the version 1 UUID of a version 6 payload. */
void
uuidnew_v1_pack(UuidPayload v6, pg_uuid_t *v1)
{
	UuidPayload payload;

	/* time_low and time_mid precede the version, time_high follows it */
	payload.hi = (v6.hi & 0xFFFFFFFF) << 28 |
		((v6.hi >> 32) & 0xFFFF) << 12 |
		v6.hi >> 48;
	payload.lo = v6.lo;
	uuid_pack(payload, 1, v1);
}

/*
 * uuidnew_v1_unix_ms_to_v1 - corrects a version 1 UUID that counts
 * milliseconds since 1970 instead of 100 ns since 1582.
 *
 * "Really unique UUIDs" passes such a time to its timeAndVersionFields().
 * Returns false if version 1 can't hold the time, as for every correct UUID
 * from after 1583.
 */
bool
uuidnew_v1_unix_ms_to_v1(const pg_uuid_t *wrong, pg_uuid_t *v1)
{
	UuidPayload payload = v1_payload(wrong);

	if (payload.hi >= MSECS_FROM_1970)
		return false;
	payload.hi = TICKS_TO_1970 + payload.hi * GREGORIAN_TICKS_PER_MSEC;
	uuidnew_v1_pack(payload, v1);
	return true;
}
