/*
 * layout_test.c
 *	  Unit tests of layout.c and of the layouts in v6.c, v7.c and v8.c.
 *
 * The reference below is written from the drafts and RFC 9562 with one wide
 * integer for all the bits of a UUID, not from the code under test.
 */
#include "postgres.h"

#include "unit.h"
#include "keys/v7.h"

#define SEC			((Wide) NSECS_PER_SEC)

/*
 * A layout as the contract has it.  The timestamp is all bits before the
 * sequence, even those that the contract leaves zero.
 */
typedef struct Reference
{
	int			version;
	const char *name;
	int			sequence_bits;
	int			node_bits;
	int64		epoch;			/* Unix seconds */

	/* nanoseconds since the epoch */
	Wide		(*encode) (const struct Reference *reference, Wide nsec);
	bool		(*decode) (const struct Reference *reference, Wide payload,
						   Wide *usec);

	Wide		tick_nsecs;		/* a tick has tick_nsecs / tick_divisor ns */
	Wide		tick_divisor;
	int			count_bits;		/* of a count of ticks; 0 in other layouts */
	uint32		usecs_read;		/* if decode() is less precise than a tick */
	int64		last;			/* Unix microseconds, if it does not count */
} Reference;

static Wide
ceil_div(Wide a, Wide b)
{
	return a / b + (a % b != 0);
}

static int
time_bits(const Reference *reference)
{
	return 122 - reference->sequence_bits - reference->node_bits;
}

/* The precision of decode() in microseconds */
static uint32
read_unit(const Reference *reference)
{
	if (reference->usecs_read > 0)
		return reference->usecs_read;
	return ceil_div(reference->tick_nsecs, 1000 * reference->tick_divisor);
}

/* The precision to which a time that was written is read again */
static uint32
written_unit(const Reference *reference)
{
	return Max(read_unit(reference), ceil_div(reference->tick_nsecs,
											  1000 * reference->tick_divisor));
}

/* 36 bits of seconds, and ceil(ticks * 2^bits / ticks_per_second) */
static Wide
draft_reference(const Reference *reference, Wide nsec)
{
	int			bits = time_bits(reference) - 36;
	Wide		ticks = nsec % SEC / reference->tick_nsecs;

	return (nsec / SEC) << bits |
		ceil_div(ticks << bits, SEC / reference->tick_nsecs);
}

/* floor(fraction * 10^6 / 2^38) */
static bool
draft_read(const Reference *reference, Wide payload, Wide *usec)
{
	Wide		stamp = payload >> (122 - 36 - 38);
	Wide		fraction = stamp & wide_low_bits(38);

	*usec = (stamp >> 38) * 1000000 + ((fraction * 1000000) >> 38);
	return true;
}

static Wide
rfc9562_reference(const Reference *reference, Wide nsec)
{
	return (nsec / 1000000) << 12 | ((nsec % 1000000) << 12) / 1000000;
}

static bool
rfc9562_read(const Reference *reference, Wide payload, Wide *usec)
{
	*usec = (payload >> (122 - 48)) * 1000;
	return true;
}

static Wide
iso8601_reference(const Reference *reference, Wide nsec)
{
	time_t		when = (int64) (nsec / SEC) + EPOCH_ISO8601;
	struct tm	tm;
	int			fields[7];
	Wide		digits;

	gmtime_r(&when, &tm);
	fields[0] = (tm.tm_year + 1900) / 100;
	fields[1] = (tm.tm_year + 1900) % 100;
	fields[2] = tm.tm_mon + 1;
	fields[3] = tm.tm_mday;
	fields[4] = tm.tm_hour;
	fields[5] = tm.tm_min;
	fields[6] = tm.tm_sec;
	digits = 0;
	for (int i = 0; i < 7; i++)
		digits = digits * 256 + fields[i] / 10 * 16 + fields[i] % 10;
	return digits * 16 + nsec % SEC / (SEC / 10);
}

/* A time is what the C library's calendar has and gives back as it was. */
static bool
iso8601_read(const Reference *reference, Wide payload, Wide *usec)
{
	uint64		digits = payload >> 62;
	uint64		decimal = 0;
	struct tm	tm = {0};
	struct tm	normal;
	time_t		when;

	for (int i = 14; i >= 0; i--)
	{
		int			digit = digits >> (4 * i) & 0xF;

		if (digit > 9)
			return false;
		decimal = decimal * 10 + digit;
	}
	tm.tm_year = decimal / UINT64CONST(100000000000) - 1900;
	tm.tm_mon = decimal / 1000000000 % 100 - 1;
	tm.tm_mday = decimal / 10000000 % 100;
	tm.tm_hour = decimal / 100000 % 100;
	tm.tm_min = decimal / 1000 % 100;
	tm.tm_sec = decimal / 10 % 100;
	normal = tm;
	when = timegm(&normal);
	if (normal.tm_year != tm.tm_year || normal.tm_mon != tm.tm_mon ||
		normal.tm_mday != tm.tm_mday || normal.tm_hour != tm.tm_hour ||
		normal.tm_min != tm.tm_min || normal.tm_sec != tm.tm_sec)
		return false;
	*usec = (Wide) (when - EPOCH_ISO8601) * 1000000 + decimal % 10 * 100000;
	return true;
}

/* A count of ticks in the first bits. */
static Wide
count_reference(const Reference *reference, Wide nsec)
{
	return nsec * reference->tick_divisor / reference->tick_nsecs <<
		(time_bits(reference) - reference->count_bits);
}

/*
 * The first whole microsecond of a tick, or of a shorter one the last that
 * begins before it ends.
 */
static bool
count_read(const Reference *reference, Wide payload, Wide *usec)
{
	Wide		count = payload >> (122 - reference->count_bits);
	Wide		usec_divisor = 1000 * reference->tick_divisor;

	if (reference->tick_nsecs >= usec_divisor)
		*usec = ceil_div(count * reference->tick_nsecs, usec_divisor);
	else
		*usec = ((count + 1) * reference->tick_nsecs - 1) / usec_divisor;
	return *usec < (uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP;
}

/* The microseconds from the epoch to the end. */
static Wide
span_of(const Reference *reference)
{
	if (reference->count_bits > 0)
		return ceil_div(reference->tick_nsecs << reference->count_bits,
						1000 * reference->tick_divisor);
	return reference->last - reference->epoch * USECS_PER_SEC + 1;
}

#define COUNT(nsecs, divisor, bits) \
	count_reference, count_read, nsecs, divisor, .count_bits = bits

/* the last microsecond of 36 bits of seconds */
#define DRAFT(nsecs) \
	draft_reference, draft_read, nsecs, 1, .usecs_read = 1, \
	.last = (INT64CONST(1) << 36) * USECS_PER_SEC - 1

static const Reference references[] = {
	{6, "v6", 14, 48, -12219292800, COUNT(100, 1, 60)},
	{7, "microsecond", 14, 48, 0, DRAFT(1000)},
	{7, "millisecond", 12, 62, 0, DRAFT(1000000)},
	{7, "nanosecond", 8, 40, 0, DRAFT(1)},
	{7, "rfc9562", 6, 56, 0, rfc9562_reference, rfc9562_read, SEC / 1000, 4096,
	.usecs_read = 1000, .last = INT64CONST(3298534883328000) - 1},
	{8, "unix64", 8, 54, 0, COUNT(16, 1, 60)},
	{8, "unix32", 12, 62, 0, COUNT(SEC, 1, 32)},
	{8, "unix48", 12, 62, 0, COUNT(SEC, 1000, 48)},
	{8, "gregorian60", 8, 54, -12219292800, COUNT(100, 1, 60)},
	{8, "ntp64", 8, 54, -2208988800, COUNT(SEC, 1 << 28, 60)},
	{8, "iso8601", 8, 54, -62167219200, iso8601_reference, iso8601_read,
	SEC / 10, 1, .usecs_read = 100000, .last = 253402300799999999},
	{8, "julian64", 8, 50, -210866803200, COUNT(1000, 1, 64)},
	{8, "custom(1000/s, 48, 12)", 12, 62, 0, COUNT(SEC, 1000, 48)},
	{8, "custom(62500000/s, 60, 8)", 8, 54, 0, COUNT(SEC, 62500000, 60)},
	{8, "custom(300/s, 45, 32)", 32, 42, 0, COUNT(SEC, 300, 45)},
	{8, "custom(3000000/s, 57, 1)", 1, 61, 0, COUNT(SEC, 3000000, 57)},
	{8, "custom(1000000000/s, 64, 26)", 26, 32, 0, COUNT(SEC, 1000000000, 64)},
	{8, "custom(1s, 36, 12)", 12, 62, 0, COUNT(SEC, 1, 36)},
	{8, "custom(999999/s, 61, 3)", 3, 58, 0, COUNT(SEC, 999999, 61)},
	{8, "custom(60s, 32, 12)", 12, 62, 0, COUNT(60 * SEC, 1, 32)},
	{8, "custom(3600s, 60, 30)", 30, 32, 0, COUNT(3600 * SEC, 1, 60)},
	{8, "custom(7s, 64, 8)", 8, 50, 0, COUNT(7 * SEC, 1, 64)},
	{8, "custom(1024/s, 64, 6)", 6, 52, 0, COUNT(SEC, 1024, 64)},
	{8, "custom(10/s, 55, 8)", 8, 54, 0, COUNT(SEC, 10, 55)},
};

/* A layout and what it is to be, with an epoch of the caller's or its own. */
typedef struct Subject
{
	const UuidLayout *layout;
	const Reference *reference;
	int64		epoch;			/* TimestampTz */
	int64		first;			/* TimestampTz */
	int64		last;			/* TimestampTz */

	/* payloads: the layout's own are not below the one, and below the other */
	Wide		first_wide;
	Wide		end_wide;
} Subject;

/* The first 36 bits where RFC 9562 keys end and draft keys begin */
#define BORDER			((Wide) 0x030000000 << (122 - 36))

static Subject
with_epoch(Subject subject, int64 epoch)
{
	const Reference *reference = subject.reference;
	__int128	last = epoch + (__int128) span_of(reference) - 1;

	subject.epoch = epoch;
	subject.first = epoch;
	subject.last = Min(last, END_TIMESTAMP - 1);
	subject.first_wide = 0;
	subject.end_wide = (Wide) 1 << 122;
	if (reference->version == 7 && strcmp(reference->name, "rfc9562") == 0)
		subject.end_wide = BORDER;
	else if (reference->version == 7)
	{
		subject.first = epoch + INT64CONST(0x030000000) * USECS_PER_SEC;
		subject.first_wide = BORDER;
	}
	return subject;
}

static Subject
subject_of(const Reference *reference)
{
	Subject		subject = {
		.layout = find_layout(reference->name), .reference = reference
	};

	return with_epoch(subject, SINCE_1970(reference->epoch * USECS_PER_SEC));
}

static Subject
find_subject(const char *name)
{
	for (int i = 0; i < (int) lengthof(references); i++)
	{
		if (strcmp(references[i].name, name) == 0)
			return subject_of(&references[i]);
	}
	fail_msg("references[] has no layout \"%s\"", name);
	return (Subject) {0};
}

/* Returns false, and leaves the subject, if n is beyond the last one. */
static bool
nth_subject(int n, Subject *subject)
{
	if (n >= (int) lengthof(references))
		return false;
	*subject = subject_of(&references[n]);
	return true;
}

#define foreach_subject(subject) \
	for (int subject##_n = 0; subject##_n >= 0; subject##_n = -1) \
		for (Subject subject; nth_subject(subject##_n++, &subject);)

/* check_for - check() for a subject, with which the message begins. */
#define check_for(subject, condition, format, ...) \
	check(condition, "%s, epoch " INT64_FORMAT ": " format, \
		  layout_name((subject).layout), (subject).epoch, ##__VA_ARGS__)

/* Runs a function for every layout, and every epoch that it may have. */
static void
foreach_layout_and_epoch(void (*function) (Subject subject))
{
	const int64 epochs[] = {
		/* 2000, 2020, a part of a second, 1 us before and after a second */
		0, INT64CONST(631152000000000), INT64CONST(631152000123457), -1, 1,
		/* 1582, and at both ends of what a timestamptz holds */
		INT64CONST(-13165977600000000),
		MIN_TIMESTAMP, MIN_TIMESTAMP + 1, MIN_TIMESTAMP + 999999,
		END_TIMESTAMP - 1, END_TIMESTAMP - 2, END_TIMESTAMP - 999,
		END_TIMESTAMP - 1000, END_TIMESTAMP - 1000001,
		END_TIMESTAMP - INT64CONST(4294967296000000),
		END_TIMESTAMP - INT64CONST(18446744073709552),
	};

	foreach_subject(subject)
	{
		function(subject);
		for (int i = 0; i < (int) lengthof(epochs); i++)
		{
			if (subject.layout->custom_epoch)
				function(with_epoch(subject, epochs[i]));
		}
	}
}

/* A test that is a function of each of them */
#define TEST_OF_EACH(test, function) \
static void \
test(void **state) \
{ \
	foreach_layout_and_epoch(function); \
}

/* Times between which something changes, TimestampTz. */
static int64 edges[512];
static int	nedges;

static void
add_edge(int64 edge)
{
	assert_true(nedges + 3 <= (int) lengthof(edges));
	edges[nedges++] = edge - 1;
	edges[nedges++] = edge;
	edges[nedges++] = edge + 1;
}

static void
add_date(int year, int month, int day)
{
	struct tm	tm =
		{.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};

	add_edge(SINCE_1970(timegm(&tm) * USECS_PER_SEC));
}

static int
set_up_edges(void **state)
{
	const int	years[] = {
		0, 1, 4, 100, 400, 1582, 1600, 1700, 1899, 1900, 1904, 1969, 1970,
		1972, 1999, 2000, 2020, 2024, 2036, 2038, 2100, 2106, 2400, 9999,
		10000, 10889
	};
	const int64 ends[] = {
		PG_INT64_MIN, PG_INT64_MIN + 1, MIN_TIMESTAMP, MIN_TIMESTAMP + 1,
		END_TIMESTAMP - 1, END_TIMESTAMP, PG_INT64_MAX - 1, PG_INT64_MAX
	};

	for (int i = 0; i < (int) lengthof(years); i++)
	{
		add_date(years[i], 1, 1);
		add_date(years[i], 2, 29);	/* or March 1 */
		add_date(years[i], 3, 1);
	}
	foreach_subject(subject)
	{
		add_edge(subject.first);
		add_edge(subject.last);
	}
	assert_true(nedges + lengthof(ends) <= lengthof(edges));
	memcpy(&edges[nedges], ends, sizeof(ends));
	nedges += lengthof(ends);
	return 0;
}

/* A time that the layout holds; often near its ends or an edge. */
static int64
random_time(Subject subject)
{
	uint64		span = (uint64) subject.last - (uint64) subject.first + 1;
	int64		edge;

	switch (unit_random_below(8))
	{
		case 0:
			return subject.first +
				(int64) unit_random_below(Min(span, 3000000));
		case 1:
			return subject.last -
				(int64) unit_random_below(Min(span, 3000000));
		case 2:
			edge = edges[unit_random_below(nedges)];
			if (edge >= subject.first && edge <= subject.last)
				return edge;
			/* FALLTHROUGH */
		default:
			return (int64) ((uint64) subject.first + unit_random_below(span));
	}
}

/* Nanoseconds since the epoch that the layout holds. */
static Wide
random_nsec(Subject subject)
{
	uint64		usec = (uint64) random_time(subject) - (uint64) subject.epoch;

	return (Wide) usec * 1000 + unit_random_below(1000);
}

static Wide
random_rest(void)
{
	switch (unit_random_below(4))
	{
		case 0:
			return 0;
		case 1:
			return ~(Wide) 0;
		default:
			return (Wide) unit_random() << 64 | unit_random();
	}
}

/* The timestamp bits of a time, and random bits after them. */
static Wide
with_rest(const Reference *reference, Wide stamp)
{
	int			rest_bits = 122 - time_bits(reference);
	Wide		rest = random_rest() & wide_low_bits(rest_bits);

	return (stamp << rest_bits | rest) & wide_low_bits(122);
}

static Wide
stamp_of(const Reference *reference, const pg_uuid_t *uuid)
{
	return payload_wide(uuid_unpack(uuid)) >> (122 - time_bits(reference));
}

static pg_uuid_t
wide_uuid(Wide wide, int version)
{
	pg_uuid_t	uuid;

	uuid_pack(wide_payload(wide), version, &uuid);
	return uuid;
}

static const char *
wide_text(Subject subject, Wide wide)
{
	return payload_text(wide_payload(wide), subject.layout->version);
}

static bool
read_time(Subject subject, Wide wide, int64 *timestamp)
{
	pg_uuid_t	uuid = wide_uuid(wide, subject.layout->version);

	return layout_timestamp(subject.layout, subject.epoch, &uuid, timestamp);
}

/* Are there parts of a microsecond in a tick of more than one? */
static bool
has_odd_ticks(const Reference *reference)
{
	return reference->count_bits > 0 && read_unit(reference) > 1 &&
		reference->tick_nsecs % (1000 * reference->tick_divisor) != 0;
}

/* A time truncated to a unit or an odd tick, counted from the epoch. */
static int64
truncated(Subject subject, int64 timestamp, uint32 unit)
{
	const Reference *reference = subject.reference;
	uint64		usec = (uint64) timestamp - (uint64) subject.epoch;
	Wide		tick_divisor = 1000 * reference->tick_divisor;
	Wide		count;

	if (!has_odd_ticks(reference))
		return (int64) ((uint64) timestamp - usec % unit);
	count = usec * tick_divisor / reference->tick_nsecs;
	usec = ceil_div(count * reference->tick_nsecs, tick_divisor);
	return (int64) ((uint64) subject.epoch + usec);
}

/*
 * The tables
 */

static void
layouts_are_those_of_the_contract(void **state)
{
	bool		seen[LAYOUT_NUMBERS] = {false};
	int			nlayouts = 0;

	foreach_layout(layout)
	{
		nlayouts++;
		if (layout->is_custom)
			continue;
		check_of(layout, !seen[layout->number], "another has the number %d",
				 layout->number);
		seen[layout->number] = true;
	}
	assert_int_equal(nlayouts, lengthof(references));

	foreach_subject(subject)
	{
		const Reference *reference = subject.reference;
		const UuidLayout *layout = subject.layout;

		check_for(subject, layout->sequence_bits == reference->sequence_bits &&
				  layout->node_bits == reference->node_bits &&
				  timestamp_width(layout) == time_bits(reference) &&
				  layout->overflow_bits * 2 <= layout->node_bits,
				  "its fields have other widths than in references[]");
		assert_int_equal(layout->version, reference->version);
		assert_int_equal(layout->epoch, reference->epoch);
		assert_int_equal(layout_epoch(layout), subject.epoch);
		assert_int_equal(layout->sequence_continues, reference->version == 6);
		assert_int_equal(layout->is_custom,
						 strncmp(reference->name, "custom", 6) == 0);
		assert_int_equal(layout->custom_epoch, layout->is_custom ||
						 strncmp(reference->name, "unix", 4) == 0 ||
						 strcmp(reference->name, "ntp64") == 0);
	}
}

/*
 * Arithmetic
 */

/* Bits that no generator writes are read, too. */
static void
check_decode(Subject subject, Wide wide)
{
	Wide		expected;
	uint64		usec =
		subject.layout->decode(subject.layout, wide_payload(wide));

	if (!subject.reference->decode(subject.reference, wide, &expected))
		expected = NO_TIME;
	check_for(subject, usec == expected,
			  "decode(%s) is " UINT64_FORMAT " us, not " UINT64_FORMAT,
			  wide_text(subject, wide), usec, (uint64) expected);
}

static void
check_nsec(Subject subject, uint64 sec, uint32 nsec)
{
	const UuidLayout *layout = subject.layout;
	const Reference *reference = subject.reference;
	uint32		ticks = layout_ticks(layout, nsec);
	Wide		found = payload_wide(layout->encode(layout, sec, ticks));
	Wide		stamp = reference->encode(reference, sec * SEC + nsec);

	check_for(subject, found == stamp << (122 - time_bits(reference)),
			  "encode(" UINT64_FORMAT " s, %u ns) is %s", sec, nsec,
			  wide_text(subject, found));
	check_for(subject, ticks < layout->ticks_per_sec, "%u ns: %u ticks", nsec,
			  ticks);
	check_decode(subject, with_rest(reference, stamp));
}

/* Whole seconds since the epoch that the layout holds. */
static int64
random_second(Subject subject)
{
	uint64		last = (uint64) subject.last - (uint64) subject.epoch;
	uint64		usec = (uint64) random_time(subject) - (uint64) subject.epoch;

	return Min(usec / USECS_PER_SEC, last / USECS_PER_SEC - 1);
}

static void
every_microsecond(void **state)
{
	uint32		step = unit_divisor();

	foreach_subject(subject)
	{
		int64		sec = random_second(subject);

		for (uint32 usec = 0; usec < USECS_PER_SEC; usec += step)
			check_nsec(subject, sec, usec * NSECS_PER_USEC);
	}
}

static void
random_nanoseconds(void **state)
{
	foreach_subject(subject)
	{
		uint64		n =
			strcmp(subject.reference->name, "nanosecond") == 0 ?
			10000000 : 500000;

		for (uint64 i = 0; i < rounds(n); i++)
		{
			uint32		nsec = unit_random_below(NSECS_PER_SEC);

			/* around the places where a fraction or a unit begins */
			if (i % 4 == 0)
			{
				int			bits = 1 + unit_random_below(29);

				nsec = unit_random_below(UINT64CONST(1) << bits) * SEC >> bits;
				nsec = (nsec + NSECS_PER_SEC - 1 + unit_random_below(3)) %
					NSECS_PER_SEC;
			}
			check_nsec(subject, random_second(subject), nsec);
		}
	}
}

/*
 * Nanoseconds whose fraction is whole, or so little more or less that only an
 * exact formula rounds it right.  They are too rare to be met at random.
 */
static void
nanoseconds_near_a_whole_fraction(void **state)
{
	Subject		subject = find_subject("nanosecond");
	uint32		period = NSECS_PER_SEC >> 9;
	int			found = 0;

	/* 2^38 / 10^9 is 2^29 / 5^9: all remainders occur in 5^9 ns */
	for (uint32 first = 0; first < period; first++)
	{
		uint32		remainder = ((uint64) first << 29) % period;

		if (remainder > 2 && remainder < period - 2)
			continue;
		found++;
		for (uint64 nsec = first; nsec < NSECS_PER_SEC; nsec += period)
			check_nsec(subject, random_second(subject), nsec);
	}
	assert_int_equal(found, 5);
}

/* Every month and day, and every time of day, that two digits each can be. */
static void
iso8601_fields(void **state)
{
	Subject		subject = find_subject("iso8601");
	const uint64 years[] = {
		0x0000, 0x0004, 0x0100, 0x0400, 0x1582, 0x1900, 0x1970, 0x1999, 0x2000,
		0x2023,
		0xA024, 0x2F24, 0x20B4, 0x200C,
		0x2024, 0x9996, 0x9999
	};

	for (int y = 0; y < (int) lengthof(years); y++)
	{
		for (uint64 month_day = 0; month_day < 0x10000; month_day++)
		{
			uint64		digits = years[y] << 44 | month_day << 28 | 0x1234567;

			check_decode(subject, with_rest(subject.reference, digits));
		}
	}
	for (uint64 time = 0; time < 0x10000000; time +=
		 1 + unit_random_below(37 * unit_divisor()))
	{
		uint64		digits = UINT64CONST(0x20240229) << 28 | time;

		check_decode(subject, with_rest(subject.reference, digits));
	}
}

/*
 * Fields
 */

/*
 * The nanoseconds since the epoch: the first one of the tick, or the first
 * whole microsecond if one is in it.
 */
static Wide
nsecs_of(const Reference *reference, Wide payload)
{
	Wide		tick = reference->tick_nsecs;
	Wide		fraction = (payload >> (122 - 36 - 38)) & wide_low_bits(38);
	Wide		count = payload >> (122 - time_bits(reference));
	Wide		first;
	Wide		next;
	Wide		whole;

	if (reference->decode == iso8601_read)
	{
		(void) iso8601_read(reference, payload, &whole);
		return whole * 1000;
	}
	if (reference->decode == draft_read)
		return (payload >> (122 - 36)) * SEC +
			((fraction * (SEC / tick)) >> 38) * tick;
	if (reference->count_bits > 0)
		count = payload >> (122 - reference->count_bits);
	first = ceil_div(count * tick, reference->tick_divisor);
	next = ceil_div((count + 1) * tick, reference->tick_divisor);
	whole = ceil_div(first, 1000) * 1000;
	return whole < next ? whole : first;
}

/* Any bits have the time of the reader; a later UUID has no earlier time. */
static void
check_any_payload(Subject subject, Wide wide)
{
	const UuidLayout *layout = subject.layout;
	const Reference *reference = subject.reference;
	uint32		tick =
		Max(ceil_div(NSECS_PER_SEC, layout->ticks_per_sec) / 1000, 1);
	Wide		next = wide + ((Wide) 1 << unit_random_below(122));
	pg_uuid_t	uuid = wide_uuid(wide, layout->version);
	UuidFields	fields = {0};
	UuidFields	later = {0};
	int64		timestamp = 0;
	bool		has_time = read_time(subject, wide, &timestamp);
	Wide		nsec;

	check_decode(subject, wide);
	check_for(subject, uuidnew_layout_fields(layout, subject.epoch, &uuid,
											 &fields) == has_time,
			  "%s: fields without a time, or no fields",
			  wide_text(subject, wide));
	if (!has_time)
		return;
	check_for(subject, read_unit(reference) > tick ?
			  truncated(subject, fields.timestamp, read_unit(reference)) ==
			  timestamp :
			  fields.timestamp == truncated(subject, timestamp, tick),
			  "%s: another time than the reader's",
			  wide_text(subject, wide));
	nsec = (Wide) ((uint64) fields.timestamp - (uint64) subject.epoch) * 1000 +
		fields.nanoseconds;
	check_for(subject,
			  fields.nanoseconds < 1000 && nsec == nsecs_of(reference, wide),
			  "%s: another nanosecond", wide_text(subject, wide));
	check_for(subject, fields.sequence == (wide >> layout->node_bits &
										   low_bits(layout->sequence_bits)) &&
			  fields.node == (wide & low_bits(layout->node_bits)),
			  "%s: sequence %u", wide_text(subject, wide),
			  fields.sequence);

	uuid.data[6] ^= 0x10;
	check_for(subject,
			  !uuidnew_layout_fields(layout, subject.epoch, &uuid, &later),
			  "%s: fields of another version", uuid_text(&uuid));

	uuid = wide_uuid(next, layout->version);
	if (next <= wide_low_bits(122) &&
		uuidnew_layout_fields(layout, subject.epoch, &uuid, &later))
		check_for(subject, later.timestamp > fields.timestamp ||
				  (later.timestamp == fields.timestamp &&
				   later.nanoseconds >= fields.nanoseconds),
				  "%s: an earlier time than a smaller UUID's",
				  uuid_text(&uuid));
}

static void
check_any_payloads(Subject subject)
{
	const Reference *reference = subject.reference;

	for (uint64 i = 0; i < rounds(100000); i++)
	{
		Wide		wide = random_rest() & wide_low_bits(122);

		/* few values of 64 bits are within timestamptz, or dates */
		if (i % 2 == 0)
			wide = with_rest(reference,
							 reference->encode(reference,
											   random_nsec(subject)));
		else if (i % 4 == 1)
			wide = wide_low_bits(122) - (wide >> unit_random_below(122));
		check_any_payload(subject, wide);
	}
}

TEST_OF_EACH(fields_of_any_payload, check_any_payloads)

/* Of random bits, each draft layout can have written only so many. */
static void
draft_layouts_are_recognized(void **state)
{
	const struct
	{
		const char *name;
		double		share;
	}			draft[] = {
		{"millisecond", 1000.0 / (1 << 12)},
		{"microsecond", 1000000.0 / (1 << 24)},
		{"nanosecond", 1000000000.0 / (UINT64CONST(1) << 38)},
	};
	const int	n = 1000000;

	for (int i = 0; i < (int) lengthof(draft); i++)
	{
		Subject		subject = find_subject(draft[i].name);
		const Reference *reference = subject.reference;
		double		expected = n * draft[i].share;
		int			may_be = 0;

		for (int j = 0; j < n; j++)
		{
			Wide		random = (Wide) unit_random() << 64 | unit_random();
			Wide		stamp =
				reference->encode(reference, random_nsec(subject));
			pg_uuid_t	any = wide_uuid(random, 7);
			pg_uuid_t	written = wide_uuid(with_rest(reference, stamp), 7);

			may_be += uuidnew_layout_may_be(subject.layout, &any);
			check_for(subject,
					  uuidnew_layout_may_be(subject.layout, &written),
					  "%s is not recognized", uuid_text(&written));
		}
		/* five times the standard deviation, or more */
		check_for(subject,
				  may_be > expected - 2500 && may_be < expected + 2500,
				  "may have written %d of %d, not %.0f", may_be, n, expected);
	}
}

/*
 * Times
 */

/* at() and timestamp() of a time that the layout may hold or not. */
static void
check_time(Subject subject, int64 timestamp)
{
	const Reference *reference = subject.reference;
	bool		in_range =
		timestamp >= subject.first && timestamp <= subject.last;
	UuidPayload found = {~UINT64CONST(0), ~UINT64CONST(0)};
	uint64		usec = (uint64) timestamp - (uint64) subject.epoch;
	Wide		stamp;
	Wide		wide;
	int64		again = 0;

	check_for(subject, uuidnew_layout_at(subject.layout, subject.epoch,
										 timestamp, &found) == in_range,
			  "at(" INT64_FORMAT ") is not %s", timestamp,
			  in_range ? "accepted" : "refused");
	if (!in_range)
		return;

	stamp = reference->encode(reference, (Wide) usec * 1000);
	check_for(subject,
			  payload_wide(found) == stamp << (122 - time_bits(reference)),
			  "at(" INT64_FORMAT ") is %s", timestamp,
			  wide_text(subject, payload_wide(found)));

	wide = with_rest(reference, stamp);
	check_for(subject, read_time(subject, wide, &again) &&
			  truncated(subject, again, written_unit(reference)) ==
			  truncated(subject, timestamp, written_unit(reference)) &&
			  truncated(subject, again, read_unit(reference)) == again,
			  INT64_FORMAT " comes back as " INT64_FORMAT " from %s",
			  timestamp, again, wide_text(subject, wide));
}

static void
check_times(Subject subject)
{
	for (int i = 0; i < nedges; i++)
		check_time(subject, edges[i]);
	for (uint64 i = 0; i < rounds(100000); i++)
		check_time(subject, random_time(subject));
}

TEST_OF_EACH(times_come_back, check_times)

static void
check_range(Subject subject)
{
	const Reference *reference = subject.reference;
	int64		first = uuidnew_layout_first(subject.layout, subject.epoch);
	int64		last = uuidnew_layout_last(subject.layout, subject.epoch);
	Wide		end = (uint64) END_TIMESTAMP - (uint64) subject.epoch;
	int64		read = 0;

	check_for(subject, first == subject.first && last == subject.last,
			  INT64_FORMAT " to " INT64_FORMAT ", not " INT64_FORMAT " to "
			  INT64_FORMAT, first, last, subject.first, subject.last);
	check_time(subject, subject.first);
	check_time(subject, subject.last);
	check_time(subject, subject.first - 1);
	check_time(subject, subject.last + 1);
	check_time(subject, PG_INT64_MIN);
	check_time(subject, PG_INT64_MAX);

	/* the smallest bits are the first time, the largest the last or beyond */
	if (read_time(subject, subject.first_wide, &read))
		check_for(subject,
				  read == subject.first || subject.layout->read_usecs > 1,
				  "the smallest payload is " INT64_FORMAT, read);
	if (span_of(reference) > end)
	{
		Wide		wide =
			with_rest(reference, reference->encode(reference, end * 1000));
		Wide		usec;

		check_for(subject, !reference->decode(reference, wide, &usec) ||
				  usec < end || !read_time(subject, wide, &read),
				  "a time after the last timestamp: " INT64_FORMAT, read);
		check_for(subject, !read_time(subject, wide_low_bits(122), &read),
				  "a time beyond the last timestamp: " INT64_FORMAT, read);
	}
	else if (reference->epoch != EPOCH_ISO8601)
		check_for(subject, read_time(subject, subject.end_wide - 1, &read) &&
				  read == truncated(subject, subject.last,
									read_unit(reference)),
				  "the largest payload is " INT64_FORMAT, read);
}

TEST_OF_EACH(range_ends_exactly, check_range)

static bool
holds_nsecs(const CustomLayout *custom, uint64 nsecs)
{
	UuidPayload stamp = custom->layout.encode(&custom->layout,
											  nsecs / NSECS_PER_SEC,
											  nsecs % NSECS_PER_SEC);

	return stamp.hi <= low_bits(UUID_HI_BITS);
}

/* A time is seen beyond the bits even if a shift would lose it. */
static void
times_beyond_the_bits_are_seen(void **state)
{
	for (int bits = 1; bits < 64; bits++)
	{
		CustomLayout custom;
		char		text[64];

		snprintf(text, sizeof(text), "custom(1000000000/s, %d, 26)", bits);
		check(uuidnew_parse_custom(text, strlen(text), &custom, &(int) {0}) ==
			  CUSTOM_OK,
			  "%s is refused", text);
		check(holds_nsecs(&custom, low_bits(bits)), "%s: last", text);
		check(!holds_nsecs(&custom, low_bits(bits) + 2), "%s: after", text);
		for (int beyond = bits; beyond < 64; beyond++)
			check(!holds_nsecs(&custom, UINT64CONST(1) << beyond),
				  "%s: 2^%d ns", text, beyond);
	}
}

/*
 * Bounds
 */

static const pg_uuid_t nil_uuid;
static const pg_uuid_t max_uuid = {
	{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
};

static pg_uuid_t
bound(Subject subject, int64 timestamp, bool is_max)
{
	pg_uuid_t	uuid;

	if (is_max)
		uuidnew_layout_max(subject.layout, subject.epoch, timestamp, &uuid);
	else
		uuidnew_layout_min(subject.layout, subject.epoch, timestamp, &uuid);
	return uuid;
}

/* The bounds of a time and the reading of a UUID say the same. */
static void
check_agreement(Subject subject, Wide wide, int64 timestamp)
{
	pg_uuid_t	uuid = wide_uuid(wide, subject.layout->version);
	pg_uuid_t	min = bound(subject, timestamp, false);
	pg_uuid_t	max = bound(subject, timestamp, true);
	int64		read;

	if (!read_time(subject, wide, &read))
		return;
	check_for(subject, (read >= timestamp) == (uuid_compare(&uuid, &min) >= 0),
			  "%s is at " INT64_FORMAT ", but min(" INT64_FORMAT ") is %s",
			  uuid_text(&uuid), read, timestamp, uuid_text(&min));
	check_for(subject, (read <= timestamp) == (uuid_compare(&uuid, &max) <= 0),
			  "%s is at " INT64_FORMAT ", but max(" INT64_FORMAT ") is %s",
			  uuid_text(&uuid), read, timestamp, uuid_text(&max));
}

/* Beside the bound of an edge, any bits, or what the layout writes */
static Wide
random_wide_of(Subject subject)
{
	const Reference *reference = subject.reference;
	int64		edge = edges[unit_random_below(nedges)];
	pg_uuid_t	uuid;

	switch (unit_random_below(4))
	{
		case 0:
			uuid = bound(subject, edge, unit_random_below(2));
			return payload_wide(uuid_unpack(&uuid)) + unit_random_below(3) - 1;
		case 1:
			return subject.first_wide +
				(random_rest() & wide_low_bits(122)) %
				(subject.end_wide - subject.first_wide);
		default:
			return with_rest(reference,
							 reference->encode(reference,
											   random_nsec(subject)));
	}
}

static int64
random_bound_time(Subject subject, int64 near)
{
	__int128	time;

	switch (unit_random_below(4))
	{
		case 0:
			return edges[unit_random_below(nedges)];
		case 1:
			return random_time(subject);
		default:
			time = (__int128) near + unit_random_below(5) - 2;
			if (unit_random_below(4) == 0)
				time += unit_random_below(2 * subject.layout->read_usecs) -
					subject.layout->read_usecs;
			return Max(Min(time, PG_INT64_MAX), PG_INT64_MIN);
	}
}

static void
check_bounds(Subject subject)
{
	for (uint64 i = 0; i < rounds(160000); i++)
	{
		Wide		wide = random_wide_of(subject);
		int64		near = 0;

		(void) read_time(subject, wide, &near);
		check_agreement(subject, wide, random_bound_time(subject, near));
	}
}

TEST_OF_EACH(bounds_agree_with_reading, check_bounds)

/* The UUID of a payload; nil and max where there is none. */
static pg_uuid_t
saturated(Subject subject, Wide wide)
{
	if (wide >= (Wide) 1 << 122)
		return wide == (Wide) 1 << 122 ? max_uuid : nil_uuid;
	return wide_uuid(wide, subject.layout->version);
}

/* Out of range: min is a UUID, and max the one before. */
static void
check_saturation_at(Subject subject, int64 timestamp)
{
	bool		is_below = timestamp < subject.first;
	Wide		wide = is_below ? subject.first_wide : subject.end_wide;
	pg_uuid_t	expected[] = {
		saturated(subject, wide), saturated(subject, wide - 1)
	};

	if (!is_below && timestamp <= subject.last)
		return;
	/* of a whole version */
	if (subject.end_wide - subject.first_wide == (Wide) 1 << 122)
		expected[0] = expected[1] = is_below ? nil_uuid : max_uuid;
	else if (wide == (Wide) 1 << 122)
		expected[1] = max_uuid;

	for (int is_max = 0; is_max < 2; is_max++)
	{
		pg_uuid_t	found = bound(subject, timestamp, is_max);

		check_for(subject, uuid_compare(&found, &expected[is_max]) == 0,
				  "%s(" INT64_FORMAT ") is %s", is_max ? "max" : "min",
				  timestamp, uuid_text(&found));
	}
}

static void
check_saturation(Subject subject)
{
	check_saturation_at(subject, subject.first - 1);
	check_saturation_at(subject, subject.last + 1);
	for (int i = 0; i < nedges; i++)
		check_saturation_at(subject, edges[i]);
}

TEST_OF_EACH(bounds_saturate, check_saturation)

/*
 * Conversion
 */

/*
 * The time to the coarser tick, the order, and to a finer layout and back
 * everything that fits.
 */
static void
check_conversion(Subject from, Subject to)
{
	uint32		unit =
		Max(written_unit(from.reference), written_unit(to.reference));
	Wide		nsec = random_nsec(from);
	Wide		stamp;
	pg_uuid_t	ids[2];
	pg_uuid_t	converted[2];
	int64		times[2];
	bool		fits = true;
	pg_uuid_t	again;
	int64		after = 0;

	/* often of both */
	if (unit_random_below(2) == 0)
		nsec = Max(Min(nsec, (Wide) (to.last - to.epoch) * 1000),
				   (Wide) (to.first - to.epoch) * 1000);
	stamp = from.reference->encode(from.reference, nsec);
	for (int n = 0; n < 2; n++)
	{
		Wide		wide = with_rest(from.reference,
									 stamp + n * unit_random_below(3));

		ids[n] = wide_uuid(wide, 7);
		if (!read_time(from, wide, &times[n]))
		{
			ids[n] = ids[0];
			times[n] = times[0];
		}
		fits = uuidnew_v7_convert(from.layout, to.layout, &ids[n],
								  &converted[n]);
		check_for(from, fits == (times[n] >= to.first && times[n] <= to.last),
				  "%s is %sconverted to %s", uuid_text(&ids[n]),
				  fits ? "" : "not ", to.reference->name);
		if (!fits)
			return;
	}
	check_for(from, layout_timestamp(to.layout, to.epoch, &converted[0],
									 &after) &&
			  truncated(from, times[0], unit) == truncated(to, after, unit),
			  "%s becomes %s %s", uuid_text(&ids[0]), to.reference->name,
			  uuid_text(&converted[0]));
	check_for(from, uuid_compare(&ids[0], &ids[1]) >= 0 ||
			  uuid_compare(&converted[0], &converted[1]) <= 0,
			  "%s and %s change their order in %s", uuid_text(&ids[0]),
			  uuid_text(&ids[1]), to.reference->name);
	/* each layout has room for the first 86 bits of any other */
	check_for(from, uuid_compare(&converted[0], &converted[1]) != 0 ||
			  payload_wide(uuid_unpack(&ids[0])) >> 36 ==
			  payload_wide(uuid_unpack(&ids[1])) >> 36,
			  "%s and %s become the same in %s", uuid_text(&ids[0]),
			  uuid_text(&ids[1]), to.reference->name);
	if (to.layout->ticks_per_sec >= from.layout->ticks_per_sec)
		check_for(from, uuidnew_v7_convert(to.layout, from.layout,
										   &converted[0], &again) &&
				  stamp_of(from.reference, &again) == stamp,
				  "%s comes back from %s as %s", uuid_text(&ids[0]),
				  to.reference->name, uuid_text(&again));
}

static void
conversions_keep_time_and_order(void **state)
{
	foreach_subject(from)
	{
		foreach_subject(to)
		{
			if (from.layout->version != 7 || to.layout->version != 7)
				continue;
			for (uint64 i = 0; i < rounds(20000); i++)
				check_conversion(from, to);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_are_those_of_the_contract),
		cmocka_unit_test(every_microsecond),
		cmocka_unit_test(random_nanoseconds),
		cmocka_unit_test(nanoseconds_near_a_whole_fraction),
		cmocka_unit_test(iso8601_fields),
		cmocka_unit_test(fields_of_any_payload),
		cmocka_unit_test(draft_layouts_are_recognized),
		cmocka_unit_test(times_come_back),
		cmocka_unit_test(range_ends_exactly),
		cmocka_unit_test(times_beyond_the_bits_are_seen),
		cmocka_unit_test(bounds_agree_with_reading),
		cmocka_unit_test(bounds_saturate),
		cmocka_unit_test(conversions_keep_time_and_order),
	};

	unit_seed();
	return cmocka_run_group_tests_name("layout", tests, set_up_edges, NULL);
}
