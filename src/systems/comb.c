/*
 * comb.c
 *	  COMB GUIDs and Laravel's ordered UUIDs: version 4 with a time.
 *
 * RT.Comb overwrites six octets of a random UUID with the time: the first six
 * for PostgreSQL, the last six for SQL Server, which compares these first.
 * For Oracle it overwrites .NET's first six octets, the first two groups in
 * reverse.
 *
 * Legacy is SQL Server's datetime: 16 bits of days since 1900-01-01, 32 bits
 * of 1/300 s since midnight.
 */
#include "postgres.h"

#include "systems/comb.h"

#define TIME_OCTETS			6
#define BITS_BELOW_TIME		(UUID_HI_BITS - TIME_OCTETS * BITS_PER_BYTE)
#define DAYS_1900_TO_1970	25567
#define MSECS_PER_DAY		(SECS_PER_DAY * MSECS_PER_SEC)
#define DATETIME_TICKS_PER_DAY (SECS_PER_DAY * 300)

const CombVariant uuidnew_comb_variants[COMB_VARIANTS] = {
	/* each of these is its own inverse: see reorder() */
	{"postgresql", {0, 1, 2, 3, 4, 5}, false},
	{"sql", {10, 11, 12, 13, 14, 15}, false},
	{"legacy", {10, 11, 12, 13, 14, 15}, true},
	{"oracle", {3, 2, 1, 0, 5, 4}, false},
};

/*
 * Converts a UUID to the variant "postgresql", or back: the octets of the time
 * and the first octets change places, so this is its own inverse.
 */
static pg_uuid_t
reorder(const CombVariant *variant, const pg_uuid_t *uuid)
{
	pg_uuid_t	result = *uuid;

	for (int i = 0; i < TIME_OCTETS; i++)
	{
		int			other = variant->octet[i];

		result.data[i] = uuid->data[other];
		result.data[other] = uuid->data[i];
	}
	return result;
}

/* Days and ticks as milliseconds since 1970; false for too many ticks. */
static bool
datetime_to_msec(uint64 datetime, int64 *msec)
{
	int64		days = datetime >> 32;
	int64		ticks = datetime & 0xFFFFFFFF;

	*msec = (days - DAYS_1900_TO_1970) * MSECS_PER_DAY + ticks * 10 / 3;
	return ticks < DATETIME_TICKS_PER_DAY;
}

/* The inverse, for times from 1970 on; false if it would change the time. */
static bool
msec_to_datetime(int64 msec, uint64 *datetime)
{
	uint64		days = msec / MSECS_PER_DAY + DAYS_1900_TO_1970;
	uint64		ticks = (msec % MSECS_PER_DAY * 3 + 9) / 10;
	int64		again;

	*datetime = days << 32 | ticks;
	return days <= PG_UINT16_MAX && datetime_to_msec(*datetime, &again) &&
		again == msec;
}

/* uuidnew_comb_timestamp - the time, TimestampTz; false if it is invalid. */
bool
uuidnew_comb_timestamp(const CombVariant *variant, const pg_uuid_t *uuid,
					   int64 *timestamp)
{
	pg_uuid_t	sorted = reorder(variant, uuid);
	int64		msec = uuid_unpack(&sorted).hi >> BITS_BELOW_TIME;

	if (variant->legacy && !datetime_to_msec(msec, &msec))
		return false;
	*timestamp = SINCE_1970(msec * USECS_PER_MSEC);
	return true;
}

/*
 * uuidnew_comb_convert - converts a COMB GUID between two variants; false if
 * its time is invalid, or not representable in the other variant: before 1970
 * in milliseconds, not a whole 1/300 s in legacy.
 */
bool
uuidnew_comb_convert(const CombVariant *from, const CombVariant *to,
					 const pg_uuid_t *uuid, pg_uuid_t *result)
{
	pg_uuid_t	sorted = reorder(from, uuid);
	UuidPayload payload = uuid_unpack(&sorted);
	uint64		time = payload.hi >> BITS_BELOW_TIME;
	int64		msec;

	if (from->legacy && !datetime_to_msec(time, &msec))
		return false;
	if (from->legacy != to->legacy)
	{
		if (from->legacy ? msec < 0 : !msec_to_datetime(time, &time))
			return false;
		if (from->legacy)
			time = msec;
		payload.hi = time << BITS_BELOW_TIME |
			(payload.hi & low_bits(BITS_BELOW_TIME));
		uuid_pack(payload, uuid_version_of(uuid), &sorted);
	}
	*result = reorder(to, &sorted);
	return true;
}

/* uuidnew_ordered_uuid_timestamp - 48 bits that count 10 us since 1970. */
int64
uuidnew_ordered_uuid_timestamp(const pg_uuid_t *uuid)
{
	return SINCE_1970((int64) (uuid_unpack(uuid).hi >> BITS_BELOW_TIME) * 10);
}
