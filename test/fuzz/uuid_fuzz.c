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

/* Is it the first UUID beyond the layout, or the max UUID if none is? */
static bool
is_end(const UuidLayout *layout, const pg_uuid_t *uuid)
{
	UuidPayload payload = uuid_unpack(uuid);

	if (layout->end_hi > low_bits(UUID_HI_BITS))
		return uuid->data[0] == 0xFF && uuid->data[6] == 0xFF;
	return uuid_version_of(uuid) == layout->version &&
		payload.hi == layout->end_hi && payload.lo == 0;
}

static void
check_bounds(const UuidLayout *layout, int64 epoch, const pg_uuid_t *uuid,
			 int64 ts, int64 other)
{
	pg_uuid_t	min;
	pg_uuid_t	max;
	pg_uuid_t	other_min;
	int64		first = uuidnew_layout_first(layout, epoch);
	int64		last = uuidnew_layout_last(layout, epoch);
	int64		read;

	uuidnew_layout_min(layout, epoch, ts, &min);
	uuidnew_layout_max(layout, epoch, ts, &max);
	uuidnew_layout_min(layout, epoch, other, &other_min);

	if (layout_timestamp(layout, epoch, uuid, &read))
	{
		check(IS_TIMESTAMP(read) && read >= first && read <= last,
			  "layout %s: read " INT64_FORMAT " out of range", name_of(layout),
			  read);
		check((read >= ts) == (compare(uuid, &min) >= 0),
			  "layout %s: read " INT64_FORMAT ", min of " INT64_FORMAT,
			  name_of(layout), read, ts);
		check((read <= ts) == (compare(uuid, &max) <= 0),
			  "layout %s: read " INT64_FORMAT ", max of " INT64_FORMAT,
			  name_of(layout), read, ts);
	}

	/* a bound that is not out of reach carries a time itself */
	if (ts >= first && ts <= last)
	{
		check(layout_timestamp(layout, epoch, &max, &read) && read <= ts,
			  "layout %s: the max of " INT64_FORMAT " has another time",
			  name_of(layout), ts);
		check(layout_timestamp(layout, epoch, &min, &read) ? read >= ts :
			  is_end(layout, &min),
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
	int64		first = uuidnew_layout_first(layout, epoch);
	int64		last = uuidnew_layout_last(layout, epoch);
	UuidPayload stamp = {0, 0};
	uint64		sequence;
	pg_uuid_t	uuid;
	int64		read;

	check(uuidnew_layout_at(layout, epoch, ts, &stamp) ==
		  (ts >= first && ts <= last),
		  "layout %s: holds " INT64_FORMAT " or not, last " INT64_FORMAT,
		  name_of(layout), ts, last);
	if (ts < first || ts > last)
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
	check(is_read_again(layout, (uint64) ts - (uint64) epoch,
						(uint64) read - (uint64) epoch),
		  "layout %s: " INT64_FORMAT " is read as " INT64_FORMAT,
		  name_of(layout), ts, read);
	check_bounds(layout, epoch, &uuid, ts, read);
}

/*
 * All fields: the reader's time to the unit, and all other bits.  Of a layout
 * by numbers it is the reader's, and a nanosecond of the tick.
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
	check((layout->is_custom ? fields.timestamp == read :
		   usec / unit == ((uint64) read - (uint64) epoch) / unit) &&
		  fields.nanoseconds < 1000,
		  "layout %s: read " INT64_FORMAT ", fields " INT64_FORMAT " and %u ns",
		  name_of(layout), read, fields.timestamp, fields.nanoseconds);
	if (layout->is_custom)
	{
		int			below = UUID_HI_BITS + UUID_LO_BITS - layout->count_bits;
		UuidPayload filled = payload_fill(payload, below);
		uint32		nsec =
			usec % USECS_PER_SEC * NSECS_PER_USEC + fields.nanoseconds;
		uint32		ticks = layout_ticks(layout, nsec);
		UuidPayload again =
			layout->encode(layout, usec / USECS_PER_SEC, ticks);

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
	char		text[80] = "custom(";
	char	   *p = text + strlen(text);

	(void) uuidnew_parse_custom((const char *) original->data, UUID_LEN,
								&custom, &time_bits);
	(void) uuidnew_parse_custom((const char *) input.data, input.size, &custom,
								&time_bits);

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

	/* often beside the border between the kinds of version 7 */
	if (random >> 61 == 0)
		memcpy(original.data,
			   random & 4 ? "\3\0\0\0\0\0" : "\2\xff\xff\xff\xff\xff", 6);
	own_epoch = take_time(&input, 0);
	times = input;

	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
			check_layout(&versions[v]->layouts[i], &original, random,
						 own_epoch, times);
	}
	check_custom(&original, random, own_epoch, times);
	return 0;
}
