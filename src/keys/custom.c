/*
 * custom.c
 *	  Custom layouts of version 8: the algorithm of draft 4.5.2.
 *
 *	   custom(1000/s, 48, 12)	1/1000 s, time 48 bits, sequence 12 bits
 *	   custom(60s, 32, 12)		60 s, time 32 bits, sequence 12 bits
 *
 * Draft 4.5.1: zeros follow a time that does not fill its fields of figure 6,
 * so the sequence begins after 48 bits, after 60, or right after a longer
 * time.  A node has at most the 62 bits below the variant, so a sequence that
 * begins after 48 bits has 12 or more.
 */
#include "postgres.h"

#include "keys/custom.h"

/* UUIDs a second for which the overflow has to suffice: see layout.h. */
#define OVERFLOW_RATE		15000000
#define MIN_OVERFLOW_BITS	8
#define MIN_NODE_BITS		32

/* All of timestamptz. */
#define LONGEST_SPAN		((uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP)

/* ceil(2^bits * 10^6 / ticks_per_sec), or 2^bits * secs_per_tick * 10^6 */
static uint64
span_of(int bits, uint32 ticks_per_sec, uint32 secs_per_tick)
{
	uint64		longest_secs = LONGEST_SPAN / USECS_PER_SEC;
	uint64		last_tick = bits < 64 ? low_bits(bits) : PG_UINT64_MAX;
	uint64		sec;

	if (secs_per_tick > 1)
	{
		if (last_tick >= longest_secs / secs_per_tick)
			return LONGEST_SPAN;
		return (last_tick + 1) * secs_per_tick * USECS_PER_SEC;
	}

	/* the microsecond after the last that begins in the last tick */
	sec = last_tick / ticks_per_sec;
	if (sec >= longest_secs)
		return LONGEST_SPAN;
	return sec * USECS_PER_SEC +
		((last_tick % ticks_per_sec + 1) * USECS_PER_SEC + ticks_per_sec - 1) /
		ticks_per_sec;
}

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

/* Skips spaces and a word in any case. */
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

/* Reads a number of at most ten digits, without a sign or leading zeros. */
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
width_of(int time_width)
{
	return time_width <= 48 ? 48 : Max(time_width, UUID_HI_BITS);
}

/* uuidnew_custom_sequence_range - how many bits a sequence may have. */
void
uuidnew_custom_sequence_range(int time_width, int *min, int *max)
{
	int			width = width_of(time_width);

	*min = Max(UUID_HI_BITS - width, 1);
	*max = Min(UUID_HI_BITS + UUID_LO_BITS - width - MIN_NODE_BITS, 32);
}

/* Fills in all but the name.  One of the first two numbers is 1. */
static void
fill_layout(UuidLayout *layout, uint32 ticks_per_sec, uint32 secs_per_tick,
			int time_width, int sequence_bits)
{
	memset(layout, 0, sizeof(UuidLayout));
	layout->version = 8;
	layout->is_custom = true;
	layout->count_bits = time_width;
	layout->sequence_bits = sequence_bits;
	layout->node_bits = UUID_HI_BITS + UUID_LO_BITS - width_of(time_width) -
		sequence_bits;
	layout->overflow_bits = overflow_bits_of(ticks_per_sec, secs_per_tick,
											 layout->node_bits);
	layout->custom_epoch = true;
	layout->end_hi = UINT64CONST(1) << UUID_HI_BITS;
	layout->span_usecs = span_of(time_width, ticks_per_sec, secs_per_tick);
	layout->ticks_per_sec = ticks_per_sec;
	layout->secs_per_tick = secs_per_tick;
	layout->read_usecs = USECS_PER_SEC % ticks_per_sec == 0 ?
		(uint64) secs_per_tick * USECS_PER_SEC / ticks_per_sec : 1;
	layout->encode = uuidnew_count_encode;
	layout->decode = uuidnew_count_decode;
}

/*
 * uuidnew_parse_custom - the layout that a text describes.
 * Sets *custom for CUSTOM_OK, and *time_width also for CUSTOM_SEQUENCE.
 */
CustomResult
uuidnew_parse_custom(const char *text, size_t len, CustomLayout *custom,
					 int *time_width)
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
	*time_width = time;
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
