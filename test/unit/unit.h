/*
 * unit.h
 *	  What the unit tests share: cmocka, random numbers, and UUIDs as numbers.
 *
 * PostgreSQL's printf family is not linked here: use print_message, fail_msg
 * and check.
 */
#ifndef UUIDNEW_UNIT_H
#define UUIDNEW_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "generate/states.h"
#include "keys/custom.h"
#include "keys/layout.h"

/* check - a condition, and what to print where it does not hold. */
#define check(condition, ...) \
	do { \
		if (unlikely(!(condition))) \
			fail_msg(__VA_ARGS__); \
	} while (0)

/* 32-bit machines: only clang has such numbers there, see wide.c */
#ifndef __SIZEOF_INT128__
#define __int128 _BitInt(128)
#endif

/* The 122 bits of a payload, or any count that 64 bits are too few for. */
typedef unsigned __int128 Wide;

static inline Wide
wide_low_bits(int n)
{
	return ((Wide) 1 << n) - 1;
}

static inline Wide
payload_wide(UuidPayload payload)
{
	return (Wide) payload.hi << UUID_LO_BITS | payload.lo;
}

static inline UuidPayload
wide_payload(Wide wide)
{
	UuidPayload payload = {(wide >> UUID_LO_BITS) & low_bits(UUID_HI_BITS),
	wide & low_bits(UUID_LO_BITS)};

	return payload;
}

static inline int
uuid_compare(const pg_uuid_t *a, const pg_uuid_t *b)
{
	return memcmp(a->data, b->data, UUID_LEN);
}

/* uuid_text - as PostgreSQL writes it; the last four results are kept. */
static inline const char *
uuid_text(const pg_uuid_t *uuid)
{
	static char buffers[4][37];
	static int	next = 0;
	char	   *result = buffers[next++ % 4];
	char	   *p = result;

	for (int i = 0; i < UUID_LEN; i++)
	{
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p++ = '-';
		*p++ = "0123456789abcdef"[uuid->data[i] >> 4];
		*p++ = "0123456789abcdef"[uuid->data[i] & 0xF];
	}
	*p = '\0';
	return result;
}

static inline const char *
payload_text(UuidPayload payload, int version)
{
	pg_uuid_t	uuid;

	uuid_pack(payload, version, &uuid);
	return uuid_text(&uuid);
}

static uint64 random_state;

/* unit_random - 64 bits of xorshift64*. */
static inline uint64
unit_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64CONST(0x2545F4914F6CDD1D);
}

/* unit_random_below - 0 to n - 1. */
static inline uint64
unit_random_below(uint64 n)
{
	return (Wide) unit_random() * n >> 64;
}

/* unit_seed - another in each run, or the one in UNIT_SEED. */
static inline void
unit_seed(void)
{
	const char *given = getenv("UNIT_SEED");
	struct timespec now;
	uint64		seed;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = given ? strtoull(given, NULL, 10) :
		(uint64) now.tv_sec * NSECS_PER_SEC + now.tv_nsec + getpid();
	print_message("UNIT_SEED=" UINT64_FORMAT "\n", seed);

	/* the state must not be 0, and similar seeds should not begin alike */
	random_state = seed != 0 ? seed : 1;
	for (int i = 0; i < 20; i++)
		unit_random();
}

/* unit_divisor - how many times fewer rounds to make: under valgrind. */
static inline uint64
unit_divisor(void)
{
	static uint64 divisor = 0;

	if (divisor == 0)
	{
		const char *given = getenv("UNIT_DIVISOR");

		divisor = given ? strtoull(given, NULL, 10) : 1;
		divisor = Max(divisor, 1);
	}
	return divisor;
}

static inline uint64
rounds(uint64 n)
{
	return Max(n / unit_divisor(), 1);
}

/*
 * Layouts given by numbers that stand for all: of a named one's bits, of units
 * that are no whole number of microseconds, of units of more than a second,
 * and with the fewest and the most bits.
 */
static const char *const custom_samples[] = {
	"custom(1000/s, 48, 12)", "custom(62500000/s, 60, 8)",
	"custom(300/s, 45, 32)",
	"custom(3000000/s, 57, 1)", "custom(1000000000/s, 64, 26)",
	"custom(1s, 36, 12)",
	"custom(999999/s, 61, 3)", "custom(60s, 32, 12)", "custom(3600s, 60, 30)",
	"custom(7s, 64, 8)", "custom(1024/s, 64, 6)", "custom(10/s, 55, 8)",
};

/* nth_custom - these, then NULL. */
static inline const UuidLayout *
nth_custom(int n)
{
	static CustomLayout samples[lengthof(custom_samples)];
	int			time_width;

	if (n >= (int) lengthof(custom_samples))
		return NULL;
	if (samples[n].layout.name == NULL)
	{
		check(uuidnew_parse_custom(custom_samples[n],
								   strlen(custom_samples[n]),
								   &samples[n], &time_width) == CUSTOM_OK,
			  "%s is refused", custom_samples[n]);
	}
	return &samples[n].layout;
}

/* nth_layout - the layouts of all versions, then these, then NULL. */
static inline const UuidLayout *
nth_layout(int n)
{
	const UuidLayout *layout = uuidnew_nth_layout(n);

	if (layout != NULL)
		return layout;
	for (int i = 0; uuidnew_nth_layout(i) != NULL; i++)
		n--;
	return nth_custom(n);
}

#define foreach_layout(layout) \
	for (int layout##_n = 0; layout##_n >= 0; layout##_n = -1) \
		for (const UuidLayout *layout; \
			 (layout = nth_layout(layout##_n++)) != NULL;)

static inline const char *
layout_name(const UuidLayout *layout)
{
	return layout->name ? layout->name : "v6";
}

/* check_of - check() for a layout, with which the message begins. */
#define check_of(layout, condition, format, ...) \
	check(condition, "%s: " format, layout_name(layout), ##__VA_ARGS__)

static inline const UuidLayout *
find_layout(const char *name)
{
	foreach_layout(layout)
	{
		if (strcmp(layout_name(layout), name) == 0)
			return layout;
	}
	fail_msg("no layout \"%s\"", name);
	return NULL;
}

#endif							/* UUIDNEW_UNIT_H */
