/*
 * comb_test.c
 *	  Unit tests of comb.c: COMB GUIDs in all variants.
 */
#include "postgres.h"

#include "systems/comb.h"
#include "systems/systems.h"
#include "unit.h"

#define DAY_MSEC		86400000
#define DAY_TICKS		(86400 * 300)
#define DAYS_TO_1970	25567	/* from 1900-01-01 */

enum
{
	POSTGRESQL, SQL, LEGACY, ORACLE
};

/* Where the octets of the variant PostgreSQL are, written out. */
static const int places[COMB_VARIANTS][UUID_LEN] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{10, 11, 12, 13, 14, 15, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5},
	{10, 11, 12, 13, 14, 15, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5},
	{3, 2, 1, 0, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/* A version 4 UUID of the variant, with 48 bits of time and other bits. */
static pg_uuid_t
comb_of(int variant, uint64 time, const pg_uuid_t *random)
{
	pg_uuid_t	sorted = *random;
	pg_uuid_t	comb;

	for (int i = 0; i < 6; i++)
		sorted.data[i] = time >> (40 - 8 * i);
	sorted.data[6] = 0x40 | (sorted.data[6] & 0x0F);
	sorted.data[8] = 0x80 | (sorted.data[8] & 0x3F);
	for (int i = 0; i < UUID_LEN; i++)
		comb.data[places[variant][i]] = sorted.data[i];
	return comb;
}

/* The time of a variant as milliseconds since 1970, and what else has it. */
static void
check_comb(int variant, uint64 time, const pg_uuid_t *random)
{
	const CombVariant *from = &uuidnew_comb_variants[variant];
	pg_uuid_t	comb = comb_of(variant, time, random);
	uint64		days = time >> 32;
	uint64		ticks = time & 0xFFFFFFFF;
	int64		msec = time;
	bool		is_time = true;
	int64		timestamp;

	if (variant == LEGACY)
	{
		msec = ((int64) days - DAYS_TO_1970) * DAY_MSEC +
			(int64) (ticks * 1000 / 300);
		is_time = ticks < DAY_TICKS;
	}
	check(uuidnew_comb_timestamp(from, &comb, &timestamp) == is_time,
		  "%s is %s time", uuid_text(&comb), is_time ? "no" : "a");
	check(!is_time || timestamp == SINCE_1970(msec * USECS_PER_MSEC),
		  "%s has " INT64_FORMAT, uuid_text(&comb), timestamp);

	for (int to = 0; to < COMB_VARIANTS; to++)
	{
		uint64		expected_time = msec;
		bool		expected = is_time;
		pg_uuid_t	expected_comb;
		pg_uuid_t	result;

		if (variant == LEGACY)
			expected = is_time && (to == LEGACY || msec >= 0);
		if (to == LEGACY)
		{
			/* the tick that has this millisecond, if one has */
			int64		since_1900 = msec + (int64) DAYS_TO_1970 * DAY_MSEC;
			uint64		day = since_1900 / DAY_MSEC;
			uint64		of_day = since_1900 % DAY_MSEC;
			uint64		tick = of_day * 300 / 1000;

			if (tick * 1000 / 300 != of_day)
				tick++;
			if (variant != LEGACY)
				expected = tick * 1000 / 300 == of_day && day <= 0xFFFF;
			expected_time = variant == LEGACY ? time : day << 32 | tick;
		}
		check(uuidnew_comb_convert(from, &uuidnew_comb_variants[to], &comb,
								   &result) == expected,
			  "%s of %s as %s", uuid_text(&comb), from->name,
			  uuidnew_comb_variants[to].name);
		if (!expected)
			continue;
		expected_comb = comb_of(to, expected_time, random);
		check(uuid_compare(&result, &expected_comb) == 0,
			  "%s of %s as %s is %s, not %s", uuid_text(&comb), from->name,
			  uuidnew_comb_variants[to].name, uuid_text(&result),
			  uuid_text(&expected_comb));
	}
}

static void
times_and_conversions(void **state)
{
	for (uint64 round = 0; round < rounds(200000); round++)
	{
		int			variant = unit_random_below(COMB_VARIANTS);
		uint64		time = unit_random() >> 16;
		pg_uuid_t	random;

		for (int i = 0; i < UUID_LEN; i++)
			random.data[i] = unit_random();
		switch (unit_random_below(4))
		{
			case 0:				/* of datetime, or of its range */
				if (variant == LEGACY)
					time = unit_random_below(0x10000) << 32 |
						unit_random_below(DAY_TICKS + 3);
				else
					time = unit_random_below(40000) * DAY_MSEC +
						unit_random_below(DAY_MSEC);
				break;
			case 1:				/* near the ends of days */
				if (variant == LEGACY)
					time = unit_random_below(0x10000) << 32 |
						(DAY_TICKS - unit_random_below(3));
				else
					time = unit_random_below(40000) * DAY_MSEC -
						unit_random_below(5);
				time &= low_bits(48);
				break;
			case 2:
				time >>= unit_random_below(48);
				break;
		}
		check_comb(variant, time, &random);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_and_conversions),
	};

	unit_seed();
	return cmocka_run_group_tests_name("comb", tests, NULL, NULL);
}
