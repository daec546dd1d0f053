/*
 * v8.c
 *	  UUID version 8, draft 4.5 and figure 6, with seven sources of time.
 *
 *	   32 or 48 bits of time: after 48 bits, sequence 12, node 62
 *	   60 bits of time:       sequence 8, node 54
 *	   64 bits of time:       across the variant, then sequence 8, node 50
 *
 * Times are rounded as in count.c.
 */
#include "postgres.h"

#include "utils/datetime.h"

#include "keys/v6.h"

#define DSECS_PER_SEC		10
#define USECS_PER_DSEC		100000

/* unix64: the top 60 of 64 bits of nanoseconds, so a tick is 16 ns. */

#define UNIX64_NSECS_PER_TICK	16
#define UNIX64_TICKS_PER_SEC	(NSECS_PER_SEC / UNIX64_NSECS_PER_TICK)

static UuidPayload
unix64_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return (UuidPayload) {sec * UNIX64_TICKS_PER_SEC + ticks, 0};
}

static uint64
unix64_decode(const UuidLayout *layout, UuidPayload payload)
{
	return (payload.hi * UNIX64_NSECS_PER_TICK + UNIX64_NSECS_PER_TICK - 1) /
		NSECS_PER_USEC;
}

/*
 * ntp64: 32 bits of seconds since 1900 and the top 28 of the 32 bits of their
 * binary fraction, RFC 5905 6.
 *
 * The second era (era_secs in layout.h) begins on 2036-02-07 06:28:16 UTC, and
 * generators must not fail then.  Without an epoch, readers and bounds use era
 * 0, not the first bit, as RFC 5905 suggests, because keys would not sort by
 * time, so that two bounds could not enclose a window.
 */

#define NTP_ERA_SECS		(UINT64CONST(1) << 32)

static UuidPayload
ntp64_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return (UuidPayload) {sec << 28 | ticks, 0};
}

static uint64
ntp64_decode(const UuidLayout *layout, UuidPayload payload)
{
	/* the last microsecond of the tick */
	uint64		next = (payload.hi & low_bits(28)) + 1;

	return (payload.hi >> 28) * USECS_PER_SEC +
		((next * USECS_PER_SEC - 1) >> 28);
}

/*
 * iso8601: the decimal digits YYYYMMDDhhmmssd of a time in UTC, four bits
 * each, so that the UUID shows the date and the time to a tenth of a second.
 */

#define ISO8601_EPOCH_JDATE	1721060 /* 0000-01-01, the year before 0001 */
#define ISO8601_DAYS		UINT64CONST(3652425)	/* until 9999-12-31 */

static inline uint64
bcd2(uint32 value)
{
	return value / 10 << 4 | value % 10;
}

static inline int
read_bcd2(uint64 digits)
{
	return (digits >> 4 & 0xF) * 10 + (digits & 0xF);
}

static UuidPayload
iso8601_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	uint32		second = sec % SECS_PER_DAY;
	UuidPayload time_bits = {0, 0};
	int			year;
	int			month;
	int			day;

	j2date(sec / SECS_PER_DAY + ISO8601_EPOCH_JDATE, &year, &month, &day);
	time_bits.hi = bcd2(year / 100) << 52 | bcd2(year % 100) << 44 |
		bcd2(month) << 36 | bcd2(day) << 28 |
		bcd2(second / SECS_PER_HOUR) << 20 |
		bcd2(second / SECS_PER_MINUTE % MINS_PER_HOUR) << 12 |
		bcd2(second % SECS_PER_MINUTE) << 4 | ticks;
	return time_bits;
}

static uint64
iso8601_decode(const UuidLayout *layout, UuidPayload payload)
{
	uint64		digits = payload.hi;
	int			month = read_bcd2(digits >> 36);
	int			day = read_bcd2(digits >> 28);
	int			hour = read_bcd2(digits >> 20);
	int			minute = read_bcd2(digits >> 12);
	int			second = read_bcd2(digits >> 4);
	int			days;
	int			y;
	int			m;
	int			d;

	/* four bits are above 9 if the first is set, and one of the next two */
	if ((digits >> 3 & (digits >> 2 | digits >> 1) &
		 UINT64CONST(0x111111111111111)) != 0 ||
		hour >= HOURS_PER_DAY || minute >= MINS_PER_HOUR ||
		second >= SECS_PER_MINUTE)
		return NO_TIME;

	/* a month or day that does not exist becomes another */
	days = date2j(read_bcd2(digits >> 52) * 100 + read_bcd2(digits >> 44),
				  month, day);
	j2date(days, &y, &m, &d);
	if (m != month || d != day)
		return NO_TIME;

	return (uint64) (days - ISO8601_EPOCH_JDATE) * USECS_PER_DAY +
		(uint64) (hour * SECS_PER_HOUR + minute * SECS_PER_MINUTE +
				  second) * USECS_PER_SEC +
		(digits & 0xF) * USECS_PER_DSEC;
}

/*
 * julian64: microseconds since 4714-11-24 BC 00:00 UTC, day 0 of the Julian
 * days, where timestamptz begins, in 64 bits that continue after the variant.
 * Unix time would be negative before 1970, and sort last.
 */

enum
{
	UNIX32, UNIX48, GREGORIAN60, UNIX64, NTP64, ISO8601, JULIAN64, V8_LAYOUTS
};

/* Initializers that layouts with at most 48 bits of time share, or with 60 */
#define V8_TIME_48		WHOLE_RANGE, .sequence_bits = 12, .node_bits = 62
#define V8_TIME_60		WHOLE_RANGE, .sequence_bits = 8, .node_bits = 54

static const UuidLayout v8_layouts[V8_LAYOUTS] = {
	[UNIX32] = {
		VERSION_AND_PLACE(8, UNIX32),
		.name = "unix32",
		V8_TIME_48,
		.overflow_bits = 24,
		.custom_epoch = true,
		.span_usecs = (UINT64CONST(1) << 32) * USECS_PER_SEC,
		.read_usecs = USECS_PER_SEC,
		.ticks_per_sec = 1,
		.count_bits = 32,
		.encode = uuidnew_count_encode,
		.decode = uuidnew_count_decode,
	},
	[UNIX48] = {
		VERSION_AND_PLACE(8, UNIX48),
		.name = "unix48",
		V8_TIME_48,
		.overflow_bits = 14,
		.custom_epoch = true,
		.span_usecs = (UINT64CONST(1) << 48) * USECS_PER_MSEC,
		.read_usecs = USECS_PER_MSEC,
		.ticks_per_sec = MSECS_PER_SEC,
		.count_bits = 48,
		.encode = uuidnew_count_encode,
		.decode = uuidnew_count_decode,
	},
	[GREGORIAN60] = {
		VERSION_AND_PLACE(8, GREGORIAN60),
		.name = "gregorian60",
		V8_TIME_60,
		.overflow_bits = 8,
		GREGORIAN_TIME,
	},
	[UNIX64] = {
		VERSION_AND_PLACE(8, UNIX64),
		.name = "unix64",
		V8_TIME_60,
		.overflow_bits = 8,
		.custom_epoch = true,
		.span_usecs = PG_UINT64_MAX / NSECS_PER_USEC + 1,
		.read_usecs = 1,
		.ticks_per_sec = UNIX64_TICKS_PER_SEC,
		.encode = unix64_encode,
		.decode = unix64_decode,
	},
	[NTP64] = {
		VERSION_AND_PLACE(8, NTP64),
		.name = "ntp64",
		V8_TIME_60,
		.overflow_bits = 8,
		.custom_epoch = true,
		.epoch = EPOCH_NTP,
		.era_secs = NTP_ERA_SECS,
		.span_usecs = NTP_ERA_SECS * USECS_PER_SEC,
		.read_usecs = 1,
		.ticks_per_sec = 1 << 28,
		.encode = ntp64_encode,
		.decode = ntp64_decode,
	},
	[ISO8601] = {
		VERSION_AND_PLACE(8, ISO8601),
		.name = "iso8601",
		.by_calendar = true,
		V8_TIME_60,
		.overflow_bits = 21,
		.epoch = EPOCH_ISO8601,
		.span_usecs = ISO8601_DAYS * USECS_PER_DAY,
		.read_usecs = USECS_PER_DSEC,
		.ticks_per_sec = DSECS_PER_SEC,
		.encode = iso8601_encode,
		.decode = iso8601_decode,
	},
	[JULIAN64] = {
		VERSION_AND_PLACE(8, JULIAN64),
		.name = "julian64",
		WHOLE_RANGE,
		.sequence_bits = 8,
		.node_bits = 50,
		.overflow_bits = 14,
		.epoch = EPOCH_JULIAN,
		.span_usecs = (uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP,
		.read_usecs = 1,
		.ticks_per_sec = USECS_PER_SEC,
		.count_bits = 64,
		.encode = uuidnew_count_encode,
		.decode = uuidnew_count_decode,
	},
};

const UuidFamily uuidnew_v8 = {
	8, v8_layouts, V8_LAYOUTS, &v8_layouts[UNIX64], "uuid_v8_",
	"uuid_generate_v8"
};
