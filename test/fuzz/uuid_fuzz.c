/*
 * uuid_fuzz.c
 *	  Fuzz target: decoders and encoders of all layouts, fields, bounds, and
 *	  UUIDv47.
 *
 * Any 16 octets are read with every layout, and held against bounds of any two
 * times.  Beside what the sanitizers see, what layout.h and layout.c promise
 * must be true.
 */
#include "postgres.h"

#include "keys/custom.h"
#include "keys/v47.h"
#include "keys/v6.h"
#include "keys/v7.h"

#include "fuzz.h"

/* What timestamptz can be: infinite, or of this range */
#define IS_TIMESTAMP(t) \
	((t) == PG_INT64_MIN || (t) == PG_INT64_MAX || \
	 ((t) >= MIN_TIMESTAMP && (t) < END_TIMESTAMP))

static const char *
name_of(const UuidLayout *layout)
{
	return layout->name != NULL ? layout->name : "v6";
}

static int
compare(const pg_uuid_t *a, const pg_uuid_t *b)
{
	return memcmp(a->data, b->data, UUID_LEN);
}

/*
 * A time: any; or one near another or the last one, as mistakes are at the
 * edges.
 */
static int64
take_time(FuzzInput *input, int64 near)
{
	int64		ts = (int64) take_uint64(input);
	uint8		distance = take_octet(input);

	if (distance < 128 && IS_TIMESTAMP(near) &&
		near != PG_INT64_MIN && near != PG_INT64_MAX)
		ts = near + distance / 2 - 32;
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
	if (layout->by_numbers && USECS_PER_SEC % layout->ticks_per_sec != 0)
		return read <= written && written - read <= unit;
	return read / unit == written / unit;
}

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
		check(IS_TIMESTAMP(read) && read >= epoch, "a time out of range");
		check((read >= ts) == (compare(uuid, &min) >= 0),
			  "layout %s: read " INT64_FORMAT ", min of " INT64_FORMAT,
			  name_of(layout), read, ts);
		check((read <= ts) == (compare(uuid, &max) <= 0),
			  "layout %s: read " INT64_FORMAT ", max of " INT64_FORMAT,
			  name_of(layout), read, ts);
	}

	/* a bound that is not out of reach carries a time itself */
	if (ts >= epoch && ts <= uuidnew_layout_last(layout, epoch))
	{
		check(layout_timestamp(layout, epoch, &max, &read) && read <= ts,
			  "layout %s: the max of " INT64_FORMAT " has another time",
			  name_of(layout), ts);
		check(layout_timestamp(layout, epoch, &min, &read) ? read >= ts :
			  min.data[0] == 0xFF && min.data[6] == 0xFF,
			  "layout %s: the min of " INT64_FORMAT " has another time",
			  name_of(layout), ts);
	}
	check(ts < other ? compare(&min, &other_min) <= 0 :
		  compare(&min, &other_min) >= 0,
		  "layout %s: min of " INT64_FORMAT " and of " INT64_FORMAT,
		  name_of(layout), ts, other);
}

static void
check_round_trip(const UuidLayout *layout, int64 epoch, int64 ts,
				 uint64 random)
{
	int64		last = uuidnew_layout_last(layout, epoch);
	UuidPayload stamp = {0, 0};
	uint64		sequence;
	pg_uuid_t	uuid;
	int64		read;

	check(uuidnew_layout_at(layout, epoch, ts, &stamp) ==
		  (ts >= epoch && ts <= last),
		  "layout %s: holds " INT64_FORMAT " or not, last " INT64_FORMAT,
		  name_of(layout), ts, last);
	if (ts < epoch || ts > last)
		return;

	/* the timestamp stands above the sequence and the node */
	check((stamp.lo & low_bits(layout->node_bits)) == 0,
		  "layout %s: the time reaches into the node", name_of(layout));
	sequence = layout->node_bits == UUID_LO_BITS ? stamp.hi :
		stamp.lo >> layout->node_bits;
	check((sequence & low_bits(layout->sequence_bits)) == 0,
		  "layout %s: the time reaches into the sequence", name_of(layout));

	stamp.lo |= random & low_bits(layout->node_bits);
	uuid_pack(stamp, layout->version, &uuid);
	check(layout_timestamp(layout, epoch, &uuid, &read),
		  "layout %s: " INT64_FORMAT " is not read", name_of(layout), ts);
	check(is_read_again(layout, (uint64) ts - (uint64) epoch, (uint64) read - (uint64) epoch),
		  "layout %s: " INT64_FORMAT " is read as " INT64_FORMAT,
		  name_of(layout), ts, read);
	check_bounds(layout, epoch, &uuid, ts, read);
}

/*
 * All fields: the reader's time to the unit, and all other bits.  Of a layout by
 * numbers it is the reader's, and a nanosecond of the tick.
 */
static void
check_fields(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid)
{
	UuidPayload payload = uuid_unpack(uuid);
	uint64		rest = payload.lo >> layout->node_bits;
	uint64		unit = round_trip_unit(layout);
	uint64		usec;
	UuidFields	fields;
	int64		read;
	bool		has_time = layout_timestamp(layout, epoch, uuid, &read);

	check(uuidnew_layout_fields(layout, epoch, uuid, &fields) == has_time,
		  "layout %s: fields, or no time", name_of(layout));
	if (!has_time)
		return;
	usec = (uint64) fields.timestamp - (uint64) epoch;
	check((layout->by_numbers ? fields.timestamp == read :
		   usec / unit == ((uint64) read - (uint64) epoch) / unit) &&
		  fields.nanoseconds < 1000,
		  "layout %s: read " INT64_FORMAT ", fields " INT64_FORMAT " and %u ns",
		  name_of(layout), read, fields.timestamp, fields.nanoseconds);
	if (layout->by_numbers)
	{
		int			below = UUID_HI_BITS + UUID_LO_BITS - layout->count_bits;
		UuidPayload filled = payload_fill(payload, below);
		uint32		nsec = usec % USECS_PER_SEC * NSECS_PER_USEC + fields.nanoseconds;
		uint32		ticks = layout_ticks(layout, nsec);
		UuidPayload again = layout->encode(layout, usec / USECS_PER_SEC, ticks);

		again = payload_fill(again, below);
		check(again.hi == filled.hi && again.lo == filled.lo,
			  "layout %s: " UINT64_FORMAT " us and %u ns are in another tick",
			  name_of(layout), usec, fields.nanoseconds);
	}
	if (layout->node_bits + layout->sequence_bits > UUID_LO_BITS)
		rest |= payload.hi << (UUID_LO_BITS - layout->node_bits);
	check(fields.sequence == (rest & low_bits(layout->sequence_bits)) &&
		  fields.node == (payload.lo & low_bits(layout->node_bits)),
		  "layout %s: another sequence or node", name_of(layout));
}

static void
check_version_1(const pg_uuid_t *uuid)
{
	const UuidLayout *v6 = uuidnew_v6.default_layout;
	pg_uuid_t	other;
	pg_uuid_t	again;
	int64		read;

	if (uuid_version_of(uuid) == 1)
	{
		uuidnew_v1_to_v6(uuid, &other);
		uuidnew_v6_to_v1(&other, &again);
		check(uuid_version_of(&other) == 6, "version 6 is missing");
		check(layout_timestamp(v6, layout_epoch(v6), &other, &read) &&
			  read == uuidnew_v1_timestamp(uuid), "the time has changed");
		if (uuidnew_v1_unix_ms_to_v1(uuid, &other))
			check(uuid_version_of(&other) == 1 &&
				  uuidnew_v1_timestamp(&other) % 1000 == 0 &&
				  !uuidnew_v1_unix_ms_to_v1(&other, &again),
				  "milliseconds are converted twice");
	}
	else if (uuid_version_of(uuid) == 6)
	{
		uuidnew_v6_to_v1(uuid, &other);
		uuidnew_v1_to_v6(&other, &again);
		check(uuid_version_of(&other) == 1, "version 1 is missing");
	}
	else
		return;
	check(compare(uuid, &again) == 0, "there and back is another UUID");
}

/* UUIDv47: there and back, with any key. */
static void
check_v47(const pg_uuid_t *original, uint64 k0, uint64 k1)
{
	const uint64 words[] = {k0, k1};
	const uint8 *key = (const uint8 *) words;
	pg_uuid_t	v7;
	pg_uuid_t	v4;
	pg_uuid_t	again;

	uuid_pack(uuid_unpack(original), 7, &v7);
	uuidnew_v47_mask(key, &v7, 4, &v4);
	uuidnew_v47_mask(key, &v4, 7, &again);
	check(uuid_version_of(&v4) == 4 && memcmp(v4.data + 7, v7.data + 7, 9) == 0,
		  "UUIDv47: more than the time is masked");
	check(compare(&v7, &again) == 0, "UUIDv47: there and back is another UUID");
}

/*
 * From one layout of version 7 to another: the order of two UUIDs that are
 * a power of two apart, and the time.
 */
static void
check_convert(const pg_uuid_t *uuid, uint64 random)
{
	const UuidLayout *from = &uuidnew_v7.layouts[random % uuidnew_v7.nlayouts];
	const UuidLayout *to =
		&uuidnew_v7.layouts[(random >> 8) % uuidnew_v7.nlayouts];
	int			bit = (random >> 16) % (UUID_HI_BITS + UUID_LO_BITS);
	int64		unit = Max(round_trip_unit(from), round_trip_unit(to));
	UuidPayload payload = uuid_unpack(uuid);
	pg_uuid_t	ids[2];
	pg_uuid_t	made[2];
	bool		fits[2];
	int64		before;
	int64		after;

	uuid_pack(payload, 7, &ids[0]);
	if (bit < UUID_LO_BITS)
	{
		payload.lo += UINT64CONST(1) << bit;
		payload.hi += payload.lo >> UUID_LO_BITS;
		payload.lo &= low_bits(UUID_LO_BITS);
	}
	else
		payload.hi += UINT64CONST(1) << (bit - UUID_LO_BITS);
	payload.hi &= low_bits(UUID_HI_BITS);
	uuid_pack(payload, 7, &ids[1]);
	for (int i = 0; i < 2; i++)
	{
		fits[i] = uuidnew_v7_convert(from, to, &ids[i], &made[i]);
		check(fits[i] || to != uuidnew_v7_rfc9562, "rfc9562 holds all times");
	}
	if (!fits[0] || !fits[1])
		return;
	check(compare(&ids[0], &ids[1]) * compare(&made[0], &made[1]) >= 0,
		  "from %s to %s: out of order", from->name, to->name);

	/* a fraction that is no whole number of units is rounded down */
	check(uuid_version_of(&made[0]) == 7 &&
		  layout_timestamp(from, layout_epoch(from), &ids[0], &before) &&
		  layout_timestamp(to, layout_epoch(to), &made[0], &after) &&
		  Max(before - after, after - before) <= 2 * unit,
		  "from %s to %s: another time", from->name, to->name);
}

/* What the fuzzers do with each layout, and any 16 octets and times. */
static void
check_layout(const UuidLayout *layout, const pg_uuid_t *original, uint64 random,
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

	check(uuid_version_of(&uuid) == layout->version ||
		  !layout_timestamp(layout, epoch, &uuid, &read),
		  "layout %s: another version has a time", name_of(layout));

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

static char *
put_number(char *to, uint64 number)
{
	if (number >= 10)
		to = put_number(to, number / 10);
	*to++ = '0' + number % 10;
	return to;
}

/* A layout of any numbers, often near the limits; and any text as one. */
static void
check_custom(const pg_uuid_t *original, uint64 random, int64 own_epoch, FuzzInput input)
{
	uint64		unit = take_uint64(&input) >> take_octet(&input) % 64;
	uint8		time = take_octet(&input) % 68;
	uint8		sequence = take_octet(&input) % 36;
	FuzzInput	times = input;
	CustomLayout custom;
	CustomLayout again;
	int			time_bits;
	char		text[80] = "custom(";
	char	   *p = text + strlen(text);

	(void) uuidnew_parse_custom((const char *) original->data, UUID_LEN, &custom, &time_bits);
	(void) uuidnew_parse_custom((const char *) input.data, input.size, &custom, &time_bits);

	p = put_number(p, unit);
	if (random & 2)
		*p++ = '/';
	*p++ = 's';
	*p++ = ',';
	p = put_number(p, time);
	*p++ = ',';
	p = put_number(p, sequence);
	*p++ = ')';
	if (uuidnew_parse_custom(text, p - text, &custom, &time_bits) != CUSTOM_OK)
		return;
	check(uuidnew_parse_custom(custom.name, strlen(custom.name), &again, &time_bits) == CUSTOM_OK &&
		  strcmp(custom.name, again.name) == 0 && again.layout.ticks_per_sec == custom.layout.ticks_per_sec &&
		  again.layout.secs_per_tick == custom.layout.secs_per_tick,
		  "%s is not what its name says", custom.name);
	check(custom.layout.node_bits >= 32 && custom.layout.node_bits <= UUID_LO_BITS &&
		  custom.layout.overflow_bits * 2 <= custom.layout.node_bits,
		  "layout %s: node of %d bits", custom.name, custom.layout.node_bits);
	check_layout(&custom.layout, original, random, own_epoch, times);
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	const UuidFamily *const versions[] = {
		&uuidnew_v6, &uuidnew_v7, &uuidnew_v8
	};
	FuzzInput	input = {data, size};
	pg_uuid_t	original;
	uint64		random;
	int64		own_epoch;
	FuzzInput	times;

	take(&input, &original, sizeof(original));
	random = take_uint64(&input);
	own_epoch = take_time(&input, 0);
	times = input;

	check_version_1(&original);
	check_v47(&original, random, (uint64) own_epoch);
	check_convert(&original, random);
	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
			check_layout(&versions[v]->layouts[i], &original, random, own_epoch, times);
	}
	check_custom(&original, random, own_epoch, times);
	return 0;
}
