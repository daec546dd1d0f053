/*
 * layout_test.c
 *	  Unit tests of layout.c and of the layouts in v6.c, v7.c and v8.c.
 *
 * The reference below is written from the drafts and RFC 9562 with one wide
 * integer for all the bits of a UUID, not from the code under test.
 */
#include "postgres.h"

#include <stdio.h>

#include "unit.h"
#include "keys/v7.h"

#define POSTGRES_UNIX_USECS	(EPOCH_POSTGRES * USECS_PER_SEC)

#define SEC			((Wide) NSECS_PER_SEC)

/* microseconds, without the part of one that 2^bits units may end with */
#define SPAN_OF_BITS(bits, per_sec) \
	(int64) (((Wide) 1 << (bits)) * USECS_PER_SEC / (per_sec))

/*
 * A layout as the contract has it.  Timestamp bits are what stands before the
 * sequence; where the contract leaves some of them zero, they are included.
 */
typedef struct Reference
{
	int			version;
	const char *name;
	int			time_bits;
	int			sequence_bits;
	int			node_bits;
	int64		epoch;			/* Unix seconds */
	int64		last;			/* Unix microseconds */
	uint32		written_unit;	/* microseconds that _at() tells apart */
	uint32		read_unit;		/* and that _timestamp() tells apart */

	/* nanoseconds since the epoch */
	Wide		(*encode) (const struct Reference *reference, Wide nsec);
	bool		(*decode) (const struct Reference *reference, Wide payload,
						   Wide *usec);

	/*
	 * so many bits if they count ticks; a tick of so many nanoseconds / so
	 * many
	 */
	int			count_bits;
	Wide		tick_nsecs;
	Wide		tick_divisor;
} Reference;

static Wide
ceil_div(Wide a, Wide b)
{
	return a / b + (a % b != 0);
}

/* 36 bits of seconds, and ceil(units * 2^bits / units_per_second) */
static Wide
draft_reference(Wide nsec, Wide units_per_second, int bits)
{
	Wide		units = nsec % SEC / (SEC / units_per_second);

	return (nsec / SEC) << bits | ceil_div(units << bits, units_per_second);
}

static Wide
millisecond_reference(const Reference *reference, Wide nsec)
{
	return draft_reference(nsec, 1000, 12);
}

static Wide
microsecond_reference(const Reference *reference, Wide nsec)
{
	return draft_reference(nsec, 1000000, 24);
}

static Wide
nanosecond_reference(const Reference *reference, Wide nsec)
{
	return draft_reference(nsec, 1000000000, 38);
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
		(reference->time_bits - reference->count_bits);
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
	count_reference, count_read, bits, nsecs, divisor

static const Reference references[] = {
	{6, NULL, 60, 14, 48, -12219292800, 0, 1, 1, COUNT(100, 1, 60)},
	{7, "microsecond", 60, 14, 48, 0, SPAN_OF_BITS(36, 1) - 1, 1, 1,
	microsecond_reference, draft_read, 0, 1000, 1},
	{7, "millisecond", 48, 12, 62, 0, SPAN_OF_BITS(36, 1) - 1, 1000, 1,
	millisecond_reference, draft_read, 0, 1000000, 1},
	{7, "nanosecond", 74, 8, 40, 0, SPAN_OF_BITS(36, 1) - 1, 1, 1,
	nanosecond_reference, draft_read, 0, 1, 1},
	{7, "rfc9562", 60, 6, 56, 0, INT64CONST(3298534883328000) - 1, 1000, 1000,
	rfc9562_reference, rfc9562_read, 0, SEC / 1000, 4096},
	{8, "unix64", 60, 8, 54, 0, 0, 1, 1, COUNT(16, 1, 60)},
	{8, "unix32", 48, 12, 62, 0, 0, 1000000, 1000000, COUNT(SEC, 1, 32)},
	{8, "unix48", 48, 12, 62, 0, 0, 1000, 1000, COUNT(SEC, 1000, 48)},
	{8, "gregorian60", 60, 8, 54, -12219292800, 0, 1, 1, COUNT(100, 1, 60)},
	{8, "ntp64", 60, 8, 54, -2208988800, 0, 1, 1, COUNT(SEC, 1 << 28, 60)},
	{8, "iso8601", 60, 8, 54, -62167219200, 253402300799999999, 100000, 100000,
	iso8601_reference, iso8601_read, 0, 0, 0},
	{8, "julian64", 64, 8, 50, -210866803200, 0, 1, 1, COUNT(1000, 1, 64)},
	{8, "custom(1000/s, 48, 12)", 48, 12, 62, 0, 0, 1000, 1000,
	COUNT(SEC, 1000, 48)},
	{8, "custom(62500000/s, 60, 8)", 60, 8, 54, 0, 0, 1, 1,
	COUNT(SEC, 62500000, 60)},
	{8, "custom(300/s, 45, 32)", 48, 32, 42, 0, 0, 3334, 3334,
	COUNT(SEC, 300, 45)},
	{8, "custom(3000000/s, 57, 1)", 60, 1, 61, 0, 0, 1, 1,
	COUNT(SEC, 3000000, 57)},
	{8, "custom(1000000000/s, 64, 26)", 64, 26, 32, 0, 0, 1, 1,
	COUNT(SEC, 1000000000, 64)},
	{8, "custom(1s, 36, 12)", 48, 12, 62, 0, 0, 1000000, 1000000,
	COUNT(SEC, 1, 36)},
	{8, "custom(999999/s, 61, 3)", 61, 3, 58, 0, 0, 2, 2,
	COUNT(SEC, 999999, 61)},
	{8, "custom(60s, 32, 12)", 48, 12, 62, 0, 0, 60000000, 60000000,
	COUNT(60 * SEC, 1, 32)},
	{8, "custom(3600s, 60, 30)", 60, 30, 32, 0, 0, 3600000000, 3600000000,
	COUNT(3600 * SEC, 1, 60)},
	{8, "custom(7s, 64, 8)", 64, 8, 50, 0, 0, 7000000, 7000000,
	COUNT(7 * SEC, 1, 64)},
	{8, "custom(1024/s, 64, 6)", 64, 6, 52, 0, 0, 977, 977,
	COUNT(SEC, 1024, 64)},
	{8, "custom(10/s, 55, 8)", 60, 8, 54, 0, 0, 100000, 100000,
	COUNT(SEC, 10, 55)},
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

static bool
is_layout(const UuidLayout *layout, int version, const char *name)
{
	if (layout->version != version)
		return false;
	if (name == NULL || layout->name == NULL)
		return name == layout->name;
	return strcmp(layout->name, name) == 0;
}

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
find_subject(int version, const char *name)
{
	Subject		subject = {0};

	foreach_layout(layout)
	{
		if (is_layout(layout, version, name))
			subject.layout = layout;
	}
	check(subject.layout != NULL, "v%d has no layout \"%s\"", version,
		  name ? name : "");
	for (int i = 0; i < (int) lengthof(references); i++)
	{
		if (is_layout(subject.layout, references[i].version,
					  references[i].name))
			subject.reference = &references[i];
	}
	check(subject.reference != NULL,
		  "v%d's layout \"%s\" has no entry in references[]",
		  version, name ? name : "");
	return with_epoch(subject, subject.reference->epoch * USECS_PER_SEC -
					  POSTGRES_UNIX_USECS);
}

/* Returns false, and leaves the subject, if n is beyond the last one. */
static bool
nth_subject(int n, Subject *subject)
{
	if (n >= (int) lengthof(references))
		return false;
	*subject = find_subject(references[n].version, references[n].name);
	return true;
}

#define foreach_subject(subject) \
	for (int subject##_n = 0; subject##_n >= 0; subject##_n = -1) \
		for (Subject subject; nth_subject(subject##_n++, &subject);)

/* Epochs of a caller's own, TimestampTz, until n is beyond the last one. */
static bool
nth_epoch(int n, int64 *epoch)
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

	if (n >= (int) lengthof(epochs))
		return false;
	*epoch = epochs[n];
	return true;
}

/* Runs a function for every layout, and every epoch that it may have. */
static void
foreach_layout_and_epoch(void (*function) (Subject subject))
{
	int64		epoch;

	foreach_subject(subject)
	{
		function(subject);
		if (!subject.layout->custom_epoch)
			continue;
		for (int n = 0; nth_epoch(n, &epoch); n++)
			function(with_epoch(subject, epoch));
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
add_edge(int64 unix_sec, int32 usec)
{
	int64		edge = unix_sec * USECS_PER_SEC + usec - POSTGRES_UNIX_USECS;

	assert_true(nedges + 3 <= (int) lengthof(edges));
	edges[nedges++] = edge - 1;
	edges[nedges++] = edge;
	edges[nedges++] = edge + 1;
}

static int64
unix_date(int year, int month, int day)
{
	struct tm	tm =
		{.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};

	return timegm(&tm);
}

static int
set_up_edges(void **state)
{
	const int	years[] = {
		0, 1, 4, 100, 400, 1582, 1600, 1700, 1899, 1900, 1904, 1969, 1970,
		1972, 1999, 2000, 2020, 2024, 2036, 2038, 2100, 2106, 2400, 9999,
		10000, 10889
	};
	const struct
	{
		int64		sec;
		int32		usec;
	}			others[] = {
		{unix_date(1582, 10, 15), 0}, {unix_date(10889, 8, 2), 0},
		/* after 2^31 and 2^32 Unix seconds, and 2^32 since 1900 */
		{INT64CONST(2147483648), 0}, {INT64CONST(4294967296), 0},
		{INT64CONST(4294967296) + EPOCH_NTP, 0},
		/* 2^63 and 2^64 ns, 2^36 s, 2^48 ms and 2^60 * 100 ns since 1582 */
		{INT64CONST(9223372036), 854775}, {INT64CONST(18446744073), 709551},
		{INT64CONST(68719476736), 0}, {INT64CONST(281474976710), 656000},
		{INT64CONST(103072857660), 684697},
		/* the border of version 7, read in both ways */
		{INT64CONST(805306368), 0}, {INT64CONST(3298534883), 328000},
		/* units of each size in one second */
		{1700000000, 1000}, {1700000000, 100000}, {1700000000, 999000},
		{1700000000, 999999}, {1700000000, 244}, {1700000000, 1953},
	};
	const int64 ends[] = {
		PG_INT64_MIN, PG_INT64_MIN + 1, MIN_TIMESTAMP, MIN_TIMESTAMP + 1,
		END_TIMESTAMP - 1, END_TIMESTAMP, PG_INT64_MAX - 1, PG_INT64_MAX
	};

	for (int i = 0; i < (int) lengthof(years); i++)
	{
		add_edge(unix_date(years[i], 1, 1), 0);
		add_edge(unix_date(years[i], 2, 29), 0);	/* or March 1 */
		add_edge(unix_date(years[i], 3, 1), 0);
	}
	for (int i = 0; i < (int) lengthof(others); i++)
		add_edge(others[i].sec, others[i].usec);
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

/* The layout's timestamp bits for a time, and any bits after them. */
static Wide
with_rest(const Reference *reference, Wide stamp, Wide rest)
{
	int			rest_bits = 122 - reference->time_bits;

	return stamp << rest_bits | (rest & wide_low_bits(rest_bits));
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

static bool
decode(const UuidLayout *layout, UuidPayload payload, uint64 *usec)
{
	*usec = layout->decode(layout, payload);
	return *usec != NO_TIME;
}

static pg_uuid_t
wide_uuid(Wide wide, int version)
{
	pg_uuid_t	uuid;

	uuid_pack(wide_payload(wide), version, &uuid);
	return uuid;
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
	return reference->count_bits > 0 && reference->read_unit > 1 &&
		reference->tick_nsecs % (1000 * reference->tick_divisor) != 0;
}

/* The first microsecond of the tick of a time, or of a later tick */
static uint64
odd_tick(const Reference *reference, uint64 usec, int after)
{
	Wide		count =
		(Wide) usec * 1000 * reference->tick_divisor / reference->tick_nsecs;

	return ceil_div((count + after) * reference->tick_nsecs,
					1000 * reference->tick_divisor);
}

/* A time truncated to a unit, counted from the epoch. */
static int64
truncated(Subject subject, int64 timestamp, uint32 unit)
{
	uint64		usec = (uint64) timestamp - (uint64) subject.epoch;

	if (has_odd_ticks(subject.reference))
		return (int64) ((uint64) subject.epoch +
						odd_tick(subject.reference, usec, 0));
	return (int64) ((uint64) timestamp - usec % unit);
}

/*
 * The tables
 */

static void
layouts_are_those_of_the_contract(void **state)
{
	foreach_layout(layout)
		(void) find_subject(layout->version, layout->name);

	foreach_subject(subject)
	{
		const Reference *reference = subject.reference;
		const UuidLayout *layout = subject.layout;

		check(layout->sequence_bits == reference->sequence_bits &&
			  layout->node_bits == reference->node_bits &&
			  timestamp_width(layout) == reference->time_bits &&
			  layout->overflow_bits * 2 <= layout->node_bits,
			  "%s: the widths of its fields are not those of references[]",
			  layout_name(layout));
		assert_int_equal(layout->epoch, reference->epoch);
		assert_int_equal(layout_epoch(layout), subject.epoch);
		assert_int_equal(layout->sequence_continues, reference->version == 6);
		assert_int_equal(layout->custom_epoch,
						 strncmp(layout_name(layout), "unix", 4) == 0 ||
						 strncmp(layout_name(layout), "custom", 6) == 0 ||
						 strcmp(layout_name(layout), "ntp64") == 0);
		assert_int_equal(layout->is_custom,
						 strncmp(layout_name(layout), "custom", 6) == 0);
	}
}

/* One layout's number and name are no other's. */
static void
numbers_and_names_are_apart(void **state)
{
	foreach_layout(layout)
	{
		foreach_layout(other)
		{
			if (layout == other)
				continue;
			check(layout->number != other->number || layout->is_custom ||
				  other->is_custom, "%s and %s share a number",
				  layout_name(layout), layout_name(other));
			check(strcmp(layout_name(layout), layout_name(other)) != 0,
				  "version %d and version %d both have a layout \"%s\"",
				  layout->version, other->version, layout_name(layout));
		}
	}
}

/* The bits of a UUID that the layout has for the time. */
static Wide
stamp_of(const Reference *reference, UuidPayload payload)
{
	return payload_wide(payload) >> (122 - reference->time_bits);
}

/*
 * Arithmetic
 */

/* Writing, and what is read back whatever follows the timestamp. */
static void
check_nsec(Subject subject, uint64 sec, uint32 nsec)
{
	const UuidLayout *layout = subject.layout;
	const Reference *reference = subject.reference;
	uint32		units = layout_ticks(layout, nsec);
	UuidPayload stamp = layout->encode(layout, sec, units);
	Wide		expected = reference->encode(reference, sec * SEC + nsec);
	Wide		expected_usec;
	uint64		usec;

	check(payload_wide(stamp) == with_rest(reference, expected, 0),
		  "%s, " UINT64_FORMAT " s %u ns: encode() is %s, not %s",
		  layout_name(layout), sec, nsec,
		  payload_text(stamp, layout->version),
		  payload_text(wide_payload(with_rest(reference, expected, 0)),
					   layout->version));
	check(units < layout->ticks_per_sec, "%s, %u ns: %u units",
		  layout_name(layout), nsec, units);

	stamp = wide_payload(with_rest(reference, expected, random_rest()));
	check(decode(layout, stamp, &usec) &&
		  reference->decode(reference, payload_wide(stamp), &expected_usec) &&
		  usec == expected_usec,
		  "%s, %s: decode() is " UINT64_FORMAT " us, not " UINT64_FORMAT,
		  layout_name(layout), payload_text(stamp, layout->version),
		  usec, (uint64) expected_usec);

	/* what was written to the unit comes back to the unit */
	subject.epoch = 0;
	if (nsec % 1000 == 0)
		check(truncated(subject, usec, reference->written_unit) ==
			  truncated(subject, sec * USECS_PER_SEC + nsec / 1000,
						reference->written_unit),
			  "%s, %s: decode() is " UINT64_FORMAT " us, written was "
			  UINT64_FORMAT " s %u ns", layout_name(layout),
			  payload_text(stamp, layout->version), usec, sec, nsec);
}

static int64
random_second(Subject subject)
{
	uint64		first =
		((uint64) subject.first - (uint64) subject.epoch) / USECS_PER_SEC;
	uint64		end =
		((uint64) subject.last - (uint64) subject.epoch) / USECS_PER_SEC;

	switch (unit_random_below(8))
	{
		case 0:
			return first;
		case 1:
			return end - 1;
		default:
			return first + unit_random_below(end - first);
	}
}

/*
 * Fields
 */

/* Nanoseconds since the epoch that the layout holds. */
static Wide
random_nsec(Subject subject)
{
	return (Wide) ((uint64) random_time(subject) - (uint64) subject.epoch) *
		1000 +
		unit_random_below(1000);
}

/*
 * The nanoseconds since the epoch: the first one of the tick, or the first
 * whole microsecond if one is in it.
 */
static Wide
nsecs_of(const Reference *reference, Wide payload)
{
	Wide		fraction = (payload >> (122 - 36 - 38)) & wide_low_bits(38);
	Wide		count = payload >> (122 - reference->time_bits);
	Wide		first;
	Wide		next;
	Wide		whole;
	Wide		usec = 0;

	if (reference->decode == iso8601_read)
	{
		(void) reference->decode(reference, payload, &usec);
		return usec * 1000;
	}
	if (reference->decode == draft_read)
		return (payload >> (122 - 36)) * SEC +
			((fraction * (SEC / reference->tick_nsecs)) >> 38) *
			reference->tick_nsecs;
	if (reference->count_bits > 0)
		count = payload >> (122 - reference->count_bits);
	first = ceil_div(count * reference->tick_nsecs, reference->tick_divisor);
	next =
		ceil_div((count + 1) * reference->tick_nsecs, reference->tick_divisor);
	whole = ceil_div(first, 1000) * 1000;
	return whole < next ? whole : first;
}

/* Any bits have the time of the reader; a later UUID has no earlier time. */
static void
check_fields_of_any_payload(Subject subject)
{
	const UuidLayout *layout = subject.layout;
	const Reference *reference = subject.reference;
	uint32		tick =
		Max(ceil_div(NSECS_PER_SEC, layout->ticks_per_sec) / 1000, 1);

	for (uint64 i = 0; i < rounds(100000); i++)
	{
		Wide		wide = random_rest() & wide_low_bits(122);
		Wide		next;
		pg_uuid_t	uuid;
		UuidFields	fields = {0};
		UuidFields	later = {0};
		int64		timestamp = 0;
		bool		has_time;
		Wide		nsec;

		/* few values of 64 bits are within timestamptz, or dates */
		if (i % 2 == 0)
			wide =
				with_rest(reference,
						  reference->encode(reference, random_nsec(subject)),
						  wide) &
				wide_low_bits(122);
		next = wide + ((Wide) 1 << unit_random_below(122));
		uuid = wide_uuid(wide, layout->version);
		has_time = layout_timestamp(layout, subject.epoch, &uuid, &timestamp);
		check(uuidnew_layout_fields(layout, subject.epoch, &uuid, &fields) ==
			  has_time,
			  "%s, %s: fields or no time", layout_name(layout),
			  uuid_text(&uuid));
		if (!has_time)
			continue;
		check(reference->read_unit > tick ?
			  truncated(subject, fields.timestamp, reference->read_unit) ==
			  timestamp :
			  fields.timestamp == truncated(subject, timestamp, tick),
			  "%s, %s: another time than the reader's", layout_name(layout),
			  uuid_text(&uuid));
		nsec = (Wide) ((uint64) fields.timestamp - (uint64) subject.epoch) *
			1000 + fields.nanoseconds;
		check(fields.nanoseconds < 1000 && nsec == nsecs_of(reference, wide),
			  "%s, %s: another nanosecond", layout_name(layout),
			  uuid_text(&uuid));
		check(fields.sequence == (wide >> layout->node_bits &
								  wide_low_bits(layout->sequence_bits)) &&
			  fields.node == (wide & wide_low_bits(layout->node_bits)),
			  "%s, %s: sequence %u", layout_name(layout), uuid_text(&uuid),
			  fields.sequence);

		uuid.data[6] ^= 0x10;
		check(!uuidnew_layout_fields(layout, subject.epoch, &uuid, &later),
			  "%s, %s: of another version", layout_name(layout),
			  uuid_text(&uuid));

		uuid = wide_uuid(next, layout->version);
		if (next <= wide_low_bits(122) &&
			uuidnew_layout_fields(layout, subject.epoch, &uuid, &later))
			check(later.timestamp > fields.timestamp ||
				  (later.timestamp == fields.timestamp &&
				   later.nanoseconds >= fields.nanoseconds),
				  "%s, %s: an earlier time", layout_name(layout),
				  uuid_text(&uuid));
	}
}

TEST_OF_EACH(fields_of_any_payload, check_fields_of_any_payload)

/*
 * The fractions that each of the draft's layouts leaves out tell it from the
 * others: of any bits it may be so many.
 */
static void
draft_layouts_are_told(void **state)
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

	for (int i = 0; i < (int) lengthof(draft); i++)
	{
		Subject		subject = find_subject(7, draft[i].name);
		const UuidLayout *layout = subject.layout;
		uint64		n = 1000000;
		uint64		may_be = 0;

		for (uint64 j = 0; j < n; j++)
		{
			pg_uuid_t	uuid =
				wide_uuid((Wide) unit_random() << 64 | unit_random(), 7);
			uint32		nsec = unit_random_below(NSECS_PER_SEC);
			uint32		ticks = layout_ticks(layout, nsec);
			uint64		sec = random_second(subject);
			UuidPayload bits = layout->encode(layout, sec, ticks);
			Wide		made = payload_wide(bits);

			may_be += uuidnew_layout_may_be(layout, &uuid);
			uuid = wide_uuid(with_rest(subject.reference, made >>
									   (122 - subject.reference->time_bits),
									   random_rest()), 7);
			check(uuidnew_layout_may_be(layout, &uuid), "%s: %s is none",
				  draft[i].name,
				  uuid_text(&uuid));
		}
		/* five times the standard deviation, or more */
		check(Max(may_be - n * draft[i].share, n * draft[i].share - may_be) <
			  2500,
			  "%s: " UINT64_FORMAT " of " UINT64_FORMAT, draft[i].name, may_be,
			  n);
	}
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
			strcmp(layout_name(subject.layout), "nanosecond") == 0 ?
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
	Subject		subject = find_subject(7, "nanosecond");
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

/* Bits that no generator writes are read too. */
static void
decode_any_payload(void **state)
{
	foreach_subject(subject)
	{
		const UuidLayout *layout = subject.layout;

		for (uint64 i = 0; i < rounds(500000); i++)
		{
			Wide		wide = random_rest() & wide_low_bits(122);
			Wide		expected = 0;
			uint64		usec = 0;
			bool		is_time;

			if (i % 2 == 0)
				wide = wide_low_bits(122) - (wide >> unit_random_below(122));
			is_time =
				subject.reference->decode(subject.reference, wide, &expected);
			check(decode(layout, wide_payload(wide), &usec) == is_time &&
				  (!is_time || usec == expected),
				  "%s, %s: decode() is " UINT64_FORMAT " us, not " UINT64_FORMAT,
				  layout_name(layout),
				  payload_text(wide_payload(wide), layout->version),
				  usec, (uint64) expected);
		}
	}
}

/*
 * Times
 */

/* at() and timestamp() of a time that the layout may hold or not. */
static void
check_time(Subject subject, int64 timestamp)
{
	const UuidLayout *layout = subject.layout;
	const Reference *reference = subject.reference;
	bool		in_range =
		timestamp >= subject.first && timestamp <= subject.last;
	UuidPayload stamp = {~UINT64CONST(0), ~UINT64CONST(0)};
	Wide		expected;
	Wide		wide;
	int64		again = 0;

	check(uuidnew_layout_at(layout, subject.epoch, timestamp, &stamp) ==
		  in_range,
		  "%s, epoch " INT64_FORMAT ": at(" INT64_FORMAT ") is not %s",
		  layout_name(layout), subject.epoch, timestamp,
		  in_range ? "accepted" : "refused");
	if (!in_range)
		return;

	expected =
		reference->encode(reference, (Wide) ((uint64) timestamp -
											 (uint64) subject.epoch) * 1000);
	wide = with_rest(reference, expected, 0);
	check(payload_wide(stamp) == wide,
		  "%s, epoch " INT64_FORMAT ": at(" INT64_FORMAT ") is %s, not %s",
		  layout_name(layout), subject.epoch, timestamp,
		  payload_text(stamp, layout->version),
		  payload_text(wide_payload(wide), layout->version));

	wide = with_rest(reference, expected, random_rest());
	check(read_time(subject, wide, &again) &&
		  truncated(subject, again, reference->written_unit) ==
		  truncated(subject, timestamp, reference->written_unit) &&
		  truncated(subject, again, reference->read_unit) == again,
		  "%s, epoch " INT64_FORMAT ": " INT64_FORMAT " comes back as " INT64_FORMAT
		  " from %s", layout_name(layout), subject.epoch, timestamp, again,
		  payload_text(wide_payload(wide), layout->version));
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
	const UuidLayout *layout = subject.layout;
	int64		largest = 0;

	check(uuidnew_layout_first(layout, subject.epoch) == subject.first,
		  "%s, epoch " INT64_FORMAT ": first is " INT64_FORMAT ", not " INT64_FORMAT,
		  layout_name(layout), subject.epoch,
		  uuidnew_layout_first(layout, subject.epoch), subject.first);
	check(uuidnew_layout_last(layout, subject.epoch) == subject.last,
		  "%s, epoch " INT64_FORMAT ": last is " INT64_FORMAT ", not " INT64_FORMAT,
		  layout_name(layout), subject.epoch,
		  uuidnew_layout_last(layout, subject.epoch), subject.last);
	check_time(subject, subject.first);
	check_time(subject, subject.last);
	check_time(subject, subject.first - 1);
	check_time(subject, subject.last + 1);
	check_time(subject, PG_INT64_MIN);
	check_time(subject, PG_INT64_MAX);

	/* the smallest bits are the first time, the largest the last or beyond */
	if (read_time(subject, subject.first_wide, &largest))
		check(largest == subject.first || subject.layout->read_usecs > 1,
			  "%s: the smallest payload", layout_name(layout));
	if (span_of(subject.reference) >
		(uint64) subject.last - (uint64) subject.epoch + 1)
	{
		Wide		end = (uint64) END_TIMESTAMP - (uint64) subject.epoch;
		const Reference *reference = subject.reference;
		Wide		stamp = reference->encode(reference, end * 1000);
		Wide		wide = with_rest(reference, stamp, 0);
		Wide		usec;

		check(!subject.reference->decode(subject.reference, wide, &usec) ||
			  usec < end ||
			  !read_time(subject, wide, &largest),
			  "%s, epoch " INT64_FORMAT ": time after the last timestamp",
			  layout_name(layout), subject.epoch);
		check(!read_time(subject, wide_low_bits(122), &largest),
			  "%s, epoch " INT64_FORMAT ": time beyond the last timestamp",
			  layout_name(layout), subject.epoch);
	}
	else if (subject.reference->epoch != EPOCH_ISO8601)
		check(read_time(subject, subject.end_wide - 1, &largest) &&
			  largest == truncated(subject, subject.last,
								   subject.reference->read_unit),
			  "%s, epoch " INT64_FORMAT ": the largest payload is " INT64_FORMAT,
			  layout_name(layout), subject.epoch, largest);
}

TEST_OF_EACH(range_ends_exactly, check_range)

/* A time is seen beyond the bits even if a shift would lose it. */
static void
times_beyond_the_bits_are_seen(void **state)
{
	for (int bits = 1; bits < 64; bits++)
	{
		CustomLayout custom;
		char		text[] = "custom(1000000000/s, 00, 26)";
		uint64		last;
		UuidPayload stamp;

		text[21] = bits < 10 ? ' ' : '0' + bits / 10;
		text[22] = '0' + bits % 10;
		check(uuidnew_parse_custom(text, strlen(text), &custom, &(int) {0}) ==
			  CUSTOM_OK,
			  "%s is refused", text);
		last = low_bits(bits);
		for (uint64 count = last - Min(last, 3); count < last + 4; count++)
		{
			stamp = custom.layout.encode(&custom.layout, count / NSECS_PER_SEC,
										 count % NSECS_PER_SEC);
			check((stamp.hi <= low_bits(UUID_HI_BITS)) == (count <= last),
				  "%s: " UINT64_FORMAT, text, count);
		}
		for (int beyond = bits; beyond < 64; beyond++)
		{
			uint64		count = UINT64CONST(1) << beyond;

			stamp = custom.layout.encode(&custom.layout, count / NSECS_PER_SEC,
										 count % NSECS_PER_SEC);
			check(stamp.hi > low_bits(UUID_HI_BITS), "%s: 2^%d", text, beyond);
		}
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

/* The bounds of a time and the reading of a UUID say the same. */
static void
check_agreement(Subject subject, const pg_uuid_t *uuid, int64 timestamp)
{
	const UuidLayout *layout = subject.layout;
	pg_uuid_t	min;
	pg_uuid_t	max;
	int64		read = 0;

	uuidnew_layout_min(layout, subject.epoch, timestamp, &min);
	uuidnew_layout_max(layout, subject.epoch, timestamp, &max);
	if (!layout_timestamp(layout, subject.epoch, uuid, &read))
		return;
	check((read >= timestamp) == (uuid_compare(uuid, &min) >= 0),
		  "%s, epoch " INT64_FORMAT ": %s is at " INT64_FORMAT ", but min("
		  INT64_FORMAT ") is %s", layout_name(layout), subject.epoch,
		  uuid_text(uuid), read, timestamp, uuid_text(&min));
	check((read <= timestamp) == (uuid_compare(uuid, &max) <= 0),
		  "%s, epoch " INT64_FORMAT ": %s is at " INT64_FORMAT ", but max("
		  INT64_FORMAT ") is %s", layout_name(layout), subject.epoch,
		  uuid_text(uuid), read, timestamp, uuid_text(&max));
}

static Wide
random_wide_of(Subject subject)
{
	UuidPayload stamp;

	/* what the layout never writes, too; for iso8601 it is seldom a time */
	if (subject.reference->epoch != EPOCH_ISO8601 && unit_random_below(2) == 0)
		return subject.first_wide +
			(random_rest() & wide_low_bits(122)) %
			(subject.end_wide - subject.first_wide);
	assert_true(uuidnew_layout_at(subject.layout, subject.epoch,
								  random_time(subject), &stamp));
	return with_rest(subject.reference, stamp_of(subject.reference, stamp),
					 random_rest());
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
check_bounds_of_random(Subject subject)
{
	const UuidLayout *layout = subject.layout;

	for (uint64 i = 0; i < rounds(120000); i++)
	{
		pg_uuid_t	uuid = wide_uuid(random_wide_of(subject), layout->version);
		int64		near = 0;

		(void) layout_timestamp(layout, subject.epoch, &uuid, &near);
		check_agreement(subject, &uuid, random_bound_time(subject, near));
	}
}

/* Each edge against the UUIDs on both sides of each other edge's bounds. */
static void
check_bounds_of_edges(Subject subject)
{
	const UuidLayout *layout = subject.layout;
	int			step = Min(unit_divisor(), 20);

	for (int i = 0; i < nedges; i += step)
	{
		pg_uuid_t	bounds[2];

		uuidnew_layout_min(layout, subject.epoch, edges[i], &bounds[0]);
		uuidnew_layout_max(layout, subject.epoch, edges[i], &bounds[1]);
		for (int b = 0; b < 2; b++)
		{
			Wide		wide = payload_wide(uuid_unpack(&bounds[b]));

			for (int beside = -1; beside <= 1; beside++)
			{
				pg_uuid_t	uuid = wide_uuid(wide + beside, layout->version);

				for (int j = 0; j < nedges; j += step)
					check_agreement(subject, &uuid, edges[j]);
			}
		}
	}
}

TEST_OF_EACH(bounds_agree_with_reading, check_bounds_of_random)

TEST_OF_EACH(bounds_agree_with_reading_at_edges, check_bounds_of_edges)

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
	pg_uuid_t	min = saturated(subject, wide);
	pg_uuid_t	max = saturated(subject, wide - 1);
	pg_uuid_t	bound;

	if (!is_below && timestamp <= subject.last)
		return;
	/* of a whole version */
	if (subject.end_wide - subject.first_wide == (Wide) 1 << 122)
		min = max = is_below ? nil_uuid : max_uuid;
	else if (wide == (Wide) 1 << 122)
		max = max_uuid;

	uuidnew_layout_min(subject.layout, subject.epoch, timestamp, &bound);
	check(uuid_compare(&bound, &min) == 0,
		  "%s, epoch " INT64_FORMAT ": min(" INT64_FORMAT ") is %s",
		  layout_name(subject.layout), subject.epoch, timestamp,
		  uuid_text(&bound));
	uuidnew_layout_max(subject.layout, subject.epoch, timestamp, &bound);
	check(uuid_compare(&bound, &max) == 0,
		  "%s, epoch " INT64_FORMAT ": max(" INT64_FORMAT ") is %s",
		  layout_name(subject.layout), subject.epoch, timestamp,
		  uuid_text(&bound));
}

static void
check_saturation(Subject subject)
{
	check_saturation_at(subject, PG_INT64_MIN);
	check_saturation_at(subject, subject.first - 1);
	check_saturation_at(subject, subject.last + 1);
	check_saturation_at(subject, PG_INT64_MAX);
	for (int i = 0; i < nedges; i++)
		check_saturation_at(subject, edges[i]);
}

TEST_OF_EACH(bounds_saturate, check_saturation)

/*
 * iso8601
 */

static void
check_iso8601(Subject subject, uint64 digits, bool expected)
{
	int64		timestamp = 0;
	Wide		wide = with_rest(subject.reference, digits, random_rest());

	check(read_time(subject, wide, &timestamp) == expected, "%s is %s time",
		  payload_text(wide_payload(wide), 8), expected ? "no" : "a");
}

/*
 * Conversion
 */

/* How far apart two times may be that two layouts read the same of. */
static uint32
coarser_unit(Subject a, Subject b)
{
	return Max(Max(a.reference->written_unit, a.reference->read_unit),
			   Max(b.reference->written_unit, b.reference->read_unit));
}

/*
 * Between any two layouts of version 7: the time to the coarser tick, the
 * order, and to a finer layout and back everything that fits.
 */
static void
conversions_keep_time_and_order(void **state)
{
	foreach_subject(from)
	{
		foreach_subject(to)
		{
			uint32		unit = coarser_unit(from, to);

			if (from.layout->version != 7 || to.layout->version != 7)
				continue;
			for (uint64 i = rounds(20000); i > 0; i--)
			{
				int64		time = random_time(from);
				pg_uuid_t	ids[2];
				pg_uuid_t	made[2];
				bool		fits[2];
				pg_uuid_t	again;
				UuidPayload time_bits;
				int64		before = 0;
				int64		after = 0;

				/* often of both */
				if (i % 2 == 0)
					time = Max(Min(time, to.last), to.first);
				assert_true(uuidnew_layout_at(from.layout, from.epoch, time,
											  &time_bits));
				for (int n = 0; n < 2; n++)
				{
					Wide		wide = with_rest(from.reference,
												 stamp_of(from.reference,
														  time_bits) + n *
												 unit_random_below(3),
												 random_rest());

					uuid_pack(wide_payload(wide), 7, &ids[n]);
					if (!layout_timestamp(from.layout, from.epoch, &ids[n],
										  &before))
						ids[n] = ids[0];
					fits[n] = uuidnew_v7_convert(from.layout, to.layout,
												 &ids[n], &made[n]);
					check(fits[n] == (before >= to.first && before <= to.last),
						  "%s %s fits in %s or not", layout_name(from.layout),
						  uuid_text(&ids[n]), layout_name(to.layout));
				}
				if (!fits[0] || !fits[1])
					continue;
				(void) layout_timestamp(from.layout, from.epoch, &ids[0],
										&before);
				check(layout_timestamp(to.layout, to.epoch, &made[0],
									   &after) &&
					  truncated(from, before, unit) ==
					  truncated(to, after, unit),
					  "%s %s becomes %s %s", layout_name(from.layout),
					  uuid_text(&ids[0]),
					  layout_name(to.layout), uuid_text(&made[0]));
				check(uuid_compare(&ids[0], &ids[1]) >= 0 ||
					  uuid_compare(&made[0], &made[1]) <= 0,
					  "%s %s and %s change their order in %s",
					  layout_name(from.layout),
					  uuid_text(&ids[0]), uuid_text(&ids[1]),
					  layout_name(to.layout));
				/* each layout has room for the first 86 bits of any other */
				check(uuid_compare(&made[0], &made[1]) != 0 ||
					  payload_wide(uuid_unpack(&ids[0])) >> 36 ==
					  payload_wide(uuid_unpack(&ids[1])) >> 36,
					  "%s %s and %s become the same in %s",
					  layout_name(from.layout),
					  uuid_text(&ids[0]), uuid_text(&ids[1]),
					  layout_name(to.layout));
				if (to.layout->ticks_per_sec >= from.layout->ticks_per_sec)
					check(uuidnew_v7_convert(to.layout, from.layout, &made[0],
											 &again) &&
						  stamp_of(from.reference, uuid_unpack(&again)) ==
						  stamp_of(from.reference, time_bits),
						  "%s %s comes back from %s as %s",
						  layout_name(from.layout),
						  uuid_text(&ids[0]), layout_name(to.layout),
						  uuid_text(&again));
			}
		}
	}
}

/* Every month and day, and every time of day, that two digits each can be. */
static void
iso8601_fields(void **state)
{
	Subject		subject = find_subject(8, "iso8601");
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
			Wide		usec;

			check_iso8601(subject, digits,
						  iso8601_read(NULL, (Wide) digits << 62, &usec));
		}
	}
	for (uint64 time = 0; time < 0x10000000; time +=
		 1 + unit_random_below(37 * unit_divisor()))
	{
		uint64		digits = UINT64CONST(0x20240229) << 28 | time;
		Wide		usec;

		check_iso8601(subject, digits,
					  iso8601_read(NULL, (Wide) digits << 62, &usec));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_are_those_of_the_contract),
		cmocka_unit_test(numbers_and_names_are_apart),
		cmocka_unit_test(fields_of_any_payload),
		cmocka_unit_test(draft_layouts_are_told),
		cmocka_unit_test(every_microsecond),
		cmocka_unit_test(random_nanoseconds),
		cmocka_unit_test(nanoseconds_near_a_whole_fraction),
		cmocka_unit_test(decode_any_payload),
		cmocka_unit_test(times_come_back),
		cmocka_unit_test(range_ends_exactly),
		cmocka_unit_test(times_beyond_the_bits_are_seen),
		cmocka_unit_test(bounds_agree_with_reading),
		cmocka_unit_test(bounds_agree_with_reading_at_edges),
		cmocka_unit_test(bounds_saturate),
		cmocka_unit_test(iso8601_fields),
		cmocka_unit_test(conversions_keep_time_and_order),
	};

	unit_seed();
	return cmocka_run_group_tests_name("layout", tests, set_up_edges, NULL);
}
