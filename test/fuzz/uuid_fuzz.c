/*
 * uuid_fuzz.c
 *	  Fuzz target: decoders and encoders of all layouts, fields, and bounds.
 *
 * Any 16 octets are read with every layout, and held against bounds of any two
 * times.  Beside what the sanitizers see, what layout.h and layout.c promise
 * must be true.
 */
#include "postgres.h"

#include "keys/custom.h"
#include "keys/v6.h"
#include "keys/v7.h"

#include "fuzz.h"

/* What timestamptz can be: infinite, or of this range */
#define IS_TIMESTAMP(t) \
	((t) == PG_INT64_MIN || (t) == PG_INT64_MAX || \
	 ((t) >= MIN_TIMESTAMP && (t) < END_TIMESTAMP))

/* check_of - check() for a layout, with which the message begins. */
#define check_of(layout, condition, format, ...) \
	check(condition, "layout %s: " format, \
		  (layout)->name ? (layout)->name : "v6", ##__VA_ARGS__)

static int
compare(const pg_uuid_t *a, const pg_uuid_t *b)
{
	return memcmp(a->data, b->data, UUID_LEN);
}

/*
 * A time: any; or one near another, the last one, or the end of a kind of
 * version 7, as mistakes are at the edges.
 */
static int64
take_time(FuzzInput *input, int64 near)
{
	const UuidLayout *draft = uuidnew_v7.default_layout;
	const UuidLayout *rfc9562 = uuidnew_v7_rfc9562;
	int64		ts = (int64) take_uint64(input);
	uint8		distance = take_octet(input);

	if (distance < 128 && IS_TIMESTAMP(near) &&
		near != PG_INT64_MIN && near != PG_INT64_MAX)
		ts = near + distance / 2 - 32;
	else if (distance >= 128 && distance < 160)
		ts = distance - 144 +
			(ts % 2 == 0 ? uuidnew_layout_first(draft, layout_epoch(draft)) :
			 uuidnew_layout_last(rfc9562, layout_epoch(rfc9562)));
	else if (distance >= 192)
		ts = END_TIMESTAMP - 1 -
			(int64) ((uint64) ts >> 1 >> (distance - 192));
	return IS_TIMESTAMP(ts) ? ts : near;
}

/* The microseconds that the layout tells apart, written and read again */
static uint64
round_trip_unit(const UuidLayout *layout)
{
	return Max(layout->read_usecs, USECS_PER_SEC / layout->ticks_per_sec);
}

/* Is what was read the time that was written, to the unit? */
static bool
is_read_again(const UuidLayout *layout, uint64 written, uint64 read)
{
	uint64		unit = round_trip_unit(layout);

	/* a tick that is no whole number of microseconds */
	if (layout->is_custom && USECS_PER_SEC % layout->ticks_per_sec != 0)
		return read <= written && written - read <= unit;
	return read / unit == written / unit;
}

/* Reading and bounds say the same, and bounds are in the order of times. */
static void
check_bounds(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid,
			 int64 ts, int64 other)
{
	pg_uuid_t	min;
	pg_uuid_t	max;
	pg_uuid_t	other_min;
	int64		read;

	uuidnew_layout_min(layout, epoch, ts, &min);
	uuidnew_layout_max(layout, epoch, ts, &max);
	uuidnew_layout_min(layout, epoch, other, &other_min);
	if (layout_timestamp(layout, epoch, uuid, &read))
	{
		check_of(layout, IS_TIMESTAMP(read) &&
				 read >= uuidnew_layout_first(layout, epoch) &&
				 read <= uuidnew_layout_last(layout, epoch),
				 "read " INT64_FORMAT " out of range", read);
		check_of(layout, (read >= ts) == (compare(uuid, &min) >= 0) &&
				 (read <= ts) == (compare(uuid, &max) <= 0),
				 "read " INT64_FORMAT ", bounds of " INT64_FORMAT, read, ts);
	}
	check_of(layout, ts < other ? compare(&min, &other_min) <= 0 :
			 compare(&min, &other_min) >= 0,
			 "min of " INT64_FORMAT " and of " INT64_FORMAT, ts, other);
}

static void
check_round_trip(const UuidLayout *layout, int64 epoch, int64 ts,
				 uint64 random)
{
	int64		first = uuidnew_layout_first(layout, epoch);
	int64		last = uuidnew_layout_last(layout, epoch);
	UuidPayload stamp = {0, 0};
	pg_uuid_t	uuid;
	int64		read;

	check_of(layout, uuidnew_layout_at(layout, epoch, ts, &stamp) ==
			 (ts >= first && ts <= last),
			 "holds " INT64_FORMAT " or not, last " INT64_FORMAT, ts, last);
	if (ts < first || ts > last)
		return;

	check_of(layout, (stamp.lo & low_bits(layout->node_bits)) == 0 &&
			 payload_sequence(layout, stamp) == 0,
			 "the time is not above sequence and node");
	stamp.lo |= random & low_bits(layout->node_bits);
	uuid_pack(stamp, layout->version, &uuid);
	check_of(layout, layout_timestamp(layout, epoch, &uuid, &read),
			 INT64_FORMAT " is not read", ts);
	check_of(layout, is_read_again(layout, (uint64) ts - (uint64) epoch,
								   (uint64) read - (uint64) epoch),
			 INT64_FORMAT " is read as " INT64_FORMAT, ts, read);
	check_bounds(layout, epoch, &uuid, ts, read);
}

/* All fields: the reader's time to the unit, and all other bits. */
static void
check_fields(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid)
{
	UuidPayload payload = uuid_unpack(uuid);
	uint64		unit = layout->is_custom ? 1 : round_trip_unit(layout);
	UuidFields	fields;
	int64		read;
	bool		has_time = layout_timestamp(layout, epoch, uuid, &read);

	check_of(layout, uuidnew_layout_fields(layout, epoch, uuid, &fields) ==
			 has_time, "fields, or no time");
	if (!has_time)
		return;
	check_of(layout, ((uint64) fields.timestamp - (uint64) epoch) / unit ==
			 ((uint64) read - (uint64) epoch) / unit &&
			 fields.nanoseconds < 1000,
			 "read " INT64_FORMAT ", fields " INT64_FORMAT " and %u ns", read,
			 fields.timestamp, fields.nanoseconds);
	check_of(layout, fields.sequence == payload_sequence(layout, payload) &&
			 fields.node == (payload.lo & low_bits(layout->node_bits)),
			 "another sequence or node");
}

/* What the fuzzers do with each layout, and any 16 octets and times. */
static void
check_layout(const UuidLayout *layout, const pg_uuid_t *original,
			 uint64 random,
			 int64 own_epoch, FuzzInput times)
{
	int64		epoch = layout_epoch(layout);
	pg_uuid_t	uuid = *original;
	FuzzInput	input = times;
	int64		read;
	int64		ts;
	int64		other;

	if (layout->custom_epoch && random & 1 &&
		own_epoch != PG_INT64_MIN && own_epoch != PG_INT64_MAX)
		epoch = own_epoch;

	check_of(layout, uuid_version_of(&uuid) == layout->version ||
			 !layout_timestamp(layout, epoch, &uuid, &read),
			 "another version has a time");

	/* what else is in the octets is read as one of the layout's */
	uuid_pack(uuid_unpack(&uuid), layout->version, &uuid);
	if (!layout_timestamp(layout, epoch, &uuid, &read))
		read = epoch;
	ts = take_time(&input, read);
	other = take_time(&input, ts);

	check_bounds(layout, epoch, &uuid, ts, other);
	check_bounds(layout, epoch, &uuid, read, ts);
	check_fields(layout, epoch, &uuid);
	check_round_trip(layout, epoch, ts, random);
	check_round_trip(layout, epoch, other, ~random);
}

/* A layout of any numbers, often near the limits; and any text as one. */
static void
check_custom(const pg_uuid_t *original, uint64 random, int64 own_epoch,
			 FuzzInput input)
{
	uint64		unit = take_uint64(&input) >> take_octet(&input) % 64;
	uint8		time = take_octet(&input) % 68;
	uint8		sequence = take_octet(&input) % 36;
	FuzzInput	times = input;
	CustomLayout custom;
	CustomLayout again;
	int			time_bits;
	char		text[80];

	(void) uuidnew_parse_custom((const char *) original->data, UUID_LEN,
								&custom, &time_bits);
	(void) uuidnew_parse_custom((const char *) input.data, input.size, &custom,
								&time_bits);

	snprintf(text, sizeof(text), "custom(" UINT64_FORMAT "%s,%u,%u)", unit,
			 random & 2 ? "/s" : "s", time, sequence);
	if (uuidnew_parse_custom(text, strlen(text), &custom, &time_bits) !=
		CUSTOM_OK)
		return;
	check(uuidnew_parse_custom(custom.name, strlen(custom.name), &again,
							   &time_bits) == CUSTOM_OK &&
		  strcmp(custom.name, again.name) == 0 &&
		  again.layout.ticks_per_sec == custom.layout.ticks_per_sec &&
		  again.layout.secs_per_tick == custom.layout.secs_per_tick,
		  "%s is not what its name says", custom.name);
	check(custom.layout.node_bits >= 32 &&
		  custom.layout.node_bits <= UUID_LO_BITS &&
		  custom.layout.overflow_bits * 2 <= custom.layout.node_bits,
		  "layout %s: node of %d bits", custom.name, custom.layout.node_bits);
	check_layout(&custom.layout, original, random, own_epoch, times);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	const UuidLayout *layout;
	FuzzInput	input = {data, size};
	pg_uuid_t	original;
	uint64		random;
	int64		own_epoch;
	FuzzInput	times;

	take(&input, &original, sizeof(original));
	random = take_uint64(&input);

	/* often beside the border between the kinds of version 7 */
	if (random >> 61 == 0)
		memcpy(original.data,
			   random & 4 ? "\3\0\0\0\0\0" : "\2\xff\xff\xff\xff\xff", 6);
	own_epoch = take_time(&input, 0);
	times = input;

	for (int n = 0; (layout = uuidnew_nth_layout(n)) != NULL; n++)
		check_layout(layout, &original, random, own_epoch, times);
	check_custom(&original, random, own_epoch, times);
	return 0;
}
