/*
 * custom.c
 *	  Layouts of version 8 by their numbers: the algorithm of draft 4.5.2.
 *
 *	   custom(1000/s, 48, 12)	1/1000 s, time 48 bits, sequence 12 bits
 *	   custom(60s, 32, 12)		60 s, time 32 bits, sequence 12 bits
 *
 * The timestamp counts ticks since the epoch, and is rounded down.  Where a
 * tick is shorter than a microsecond, the reader takes its end, as in v8.c;
 * where it is longer, its first whole microsecond.
 *
 * Draft 4.5.1: a time that does not fill its fields of figure 6 is followed by
 * zeros, so the sequence begins after 48 bits, or 60, or right after a longer
 * time. What is left for the node is at most the 62 bits below the variant, so
 * a sequence that begins after 48 bits has 12 or more.
 */
#include "postgres.h"

#include "common/int.h"

#include "keys/count.h"
#include "keys/custom.h"

/* UUIDs a second that the overflow is to be enough for: see layout.h. */
#define OVERFLOW_RATE		15000000
#define MIN_OVERFLOW_BITS	8

#define MIN_NODE_BITS		32

/* All of timestamptz. */
#define LONGEST_SPAN		((uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP)

/*
 * Time
 */

/*
 * For a time that does not fit, the result has a bit above the payload's, as
 * encode_tick() expects.
 */
static UuidPayload
custom_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	uint64		count;

	if (layout->secs_per_tick > 1)
		count = sec / layout->secs_per_tick;
	else if (pg_mul_u64_overflow(sec, layout->ticks_per_sec, &count) ||
			 pg_add_u64_overflow(count, ticks, &count))
		return (UuidPayload) {PG_UINT64_MAX, 0};
	if (layout->count_bits < 64 && count >> layout->count_bits != 0)
		return (UuidPayload) {PG_UINT64_MAX, 0};
	return put_count(count, layout->count_bits);
}

static uint64
custom_decode(const UuidLayout *layout, UuidPayload payload)
{
	uint64		count = get_count(payload, layout->count_bits);
	uint64		last_sec = (layout->span_usecs - 1) / USECS_PER_SEC;
	uint64		sec;
	uint64		tick = 0;
	uint64		usec;

	if (layout->secs_per_tick > 1)
	{
		if (count > last_sec / layout->secs_per_tick)
			return NO_TIME;
		sec = count * layout->secs_per_tick;
	}
	else
	{
		sec = count / layout->ticks_per_sec;
		tick = count % layout->ticks_per_sec;
	}
	if (sec > last_sec)
		return NO_TIME;

	if (layout->ticks_per_sec > USECS_PER_SEC)
		usec = ((tick + 1) * USECS_PER_SEC - 1) / layout->ticks_per_sec;
	else
		usec = (tick * USECS_PER_SEC + layout->ticks_per_sec - 1) /
			layout->ticks_per_sec;
	return sec * USECS_PER_SEC + usec;
}

/* ceil(2^bits * 10^6 / ticks_per_sec), or 2^bits * secs_per_tick * 10^6 */
static uint64
span_of(int bits, uint32 ticks_per_sec, uint32 secs_per_tick)
{
	uint64		longest_secs = LONGEST_SPAN / USECS_PER_SEC;
	uint64		ticks;
	uint64		sec;

	/* 2^64 ticks, less the one that makes no difference */
	ticks = bits < 64 ? low_bits(bits) : PG_UINT64_MAX;
	if (secs_per_tick > 1)
	{
		if (ticks >= longest_secs / secs_per_tick)
			return LONGEST_SPAN;
		return (ticks + 1) * secs_per_tick * USECS_PER_SEC;
	}

	/* the microsecond after the last one that begins in the last tick */
	sec = ticks / ticks_per_sec;
	if (sec >= longest_secs)
		return LONGEST_SPAN;
	return sec * USECS_PER_SEC +
		((ticks % ticks_per_sec + 1) * USECS_PER_SEC + ticks_per_sec - 1) /
		ticks_per_sec;
}

/* Enough for OVERFLOW_RATE in a tick. */
static int
overflow_bits_of(uint32 ticks_per_sec, uint32 secs_per_tick, int node_bits)
{
	uint64		in_tick =
		(uint64) OVERFLOW_RATE * secs_per_tick / ticks_per_sec;
	int			bits = MIN_OVERFLOW_BITS;

	while (bits < node_bits / 2 && in_tick >> bits != 0)
		bits++;
	return Min(bits, node_bits / 2);
}

/*
 * Text
 */

/* Spaces, and a word in any case. */
static bool
skip_word(const char **p, const char *end, const char *word)
{
	const char *q = *p;

	while (q < end && *q == ' ')
		q++;
	for (; *word != '\0'; word++, q++)
	{
		if (q == end ||
			(*q >= 'A' && *q <= 'Z' ? *q - 'A' + 'a' : *q) != *word)
			return false;
	}
	*p = q;
	return true;
}

/* A number without a sign or zeros in front, at most ten digits. */
static bool
take_number(const char **p, const char *end, uint64 *number)
{
	const char *first;

	(void) skip_word(p, end, "");
	first = *p;
	for (*number = 0; *p < end && **p >= '0' && **p <= '9' &&
		 *p - first < 10; (*p)++)
		*number = *number * 10 + (**p - '0');
	return *p > first && (*first != '0' || *p - first == 1);
}

/* The bits before the sequence: draft 4.5.1, see above. */
static int
width_of(int time_bits)
{
	return time_bits <= 48 ? 48 : Max(time_bits, UUID_HI_BITS);
}

/* uuidnew_custom_sequence_range - the bits that a sequence may have. */
void
uuidnew_custom_sequence_range(int time_bits, int *min, int *max)
{
	int			width = width_of(time_bits);

	*min = Max(UUID_HI_BITS - width, 1);
	*max = Min(UUID_HI_BITS + UUID_LO_BITS - width - MIN_NODE_BITS, 32);
}

/* What follows from the numbers; one of the first two is 1. */
static void
fill_layout(UuidLayout *layout, uint32 ticks_per_sec, uint32 secs_per_tick,
			int time_bits, int sequence_bits)
{
	memset(layout, 0, sizeof(UuidLayout));
	layout->version = 8;
	layout->by_numbers = true;
	layout->count_bits = time_bits;
	layout->sequence_bits = sequence_bits;
	layout->node_bits = UUID_HI_BITS + UUID_LO_BITS - width_of(time_bits) -
		sequence_bits;
	layout->overflow_bits = overflow_bits_of(ticks_per_sec, secs_per_tick,
											 layout->node_bits);
	layout->custom_epoch = true;
	layout->end_hi = UINT64CONST(1) << UUID_HI_BITS;
	layout->span_usecs = span_of(time_bits, ticks_per_sec, secs_per_tick);
	layout->ticks_per_sec = ticks_per_sec;
	layout->secs_per_tick = secs_per_tick;
	layout->read_usecs = USECS_PER_SEC % ticks_per_sec == 0 ?
		(uint64) secs_per_tick * USECS_PER_SEC / ticks_per_sec : 1;
	layout->encode = custom_encode;
	layout->decode = custom_decode;
}

/*
 * uuidnew_parse_custom - a layout from its numbers.
 *
 * Sets *custom only if all is right, and *time_bits if the sequence is what is
 * wrong.
 */
CustomResult
uuidnew_parse_custom(const char *text, size_t len, CustomLayout *custom,
					 int *time_bits)
{
	const char *p = text;
	const char *end = text + len;
	uint64		unit;
	uint64		time;
	uint64		sequence;
	bool		per_second;
	int			min;
	int			max;

	if (!skip_word(&p, end, "custom"))
		return CUSTOM_NONE;
	if (!skip_word(&p, end, "(") || !take_number(&p, end, &unit))
		return CUSTOM_SYNTAX;
	per_second = skip_word(&p, end, "/");
	if (!skip_word(&p, end, "s") || !skip_word(&p, end, ",") ||
		!take_number(&p, end, &time) || !skip_word(&p, end, ",") ||
		!take_number(&p, end, &sequence) || !skip_word(&p, end, ")") ||
		!skip_word(&p, end, "") || p != end)
		return CUSTOM_SYNTAX;

	if (unit < 1 || unit > (per_second ? CUSTOM_MAX_TICKS_PER_SEC :
							CUSTOM_MAX_SECS_PER_TICK))
		return CUSTOM_UNIT;
	if (time < 1 || time > CUSTOM_MAX_TIME_BITS)
		return CUSTOM_TIME;
	*time_bits = time;
	uuidnew_custom_sequence_range(time, &min, &max);
	if (sequence < (uint64) min || sequence > (uint64) max)
		return CUSTOM_SEQUENCE;

	fill_layout(&custom->layout, per_second ? unit : 1, per_second ? 1 : unit,
				time, sequence);
	snprintf(custom->name, sizeof(custom->name), "custom(%u%ss, %u, %u)",
			 (uint32) unit, per_second && unit > 1 ? "/" : "", (uint32) time,
			 (uint32) sequence);
	custom->layout.name = custom->name;
	return CUSTOM_OK;
}
