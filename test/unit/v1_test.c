/*
 * v1_test.c
 *	  Unit tests of version 1 UUIDs with milliseconds since 1970 in place of
 *	  100 ns since 1582.  The vectors are in sql/v1.sql.
 */
#include "postgres.h"

#include "unit.h"
#include "keys/v6.h"

/* RFC 4122, appendix A */
#define TICKS_TO_1970	UINT64CONST(0x01B21DD213814000)

/* The version 1 UUID with this timestamp: RFC 4122 4.1.2 */
static pg_uuid_t
version_1(uint64 timestamp, uint64 low)
{
	pg_uuid_t	uuid;

	uuid_from_halves(timestamp << 32 | (timestamp >> 32 & 0xFFFF) << 16 |
					 0x1000 | timestamp >> 48,
					 UINT64CONST(1) << 63 | low >> 2, &uuid);
	return uuid;
}

static void
check_msec(uint64 msec, uint64 low)
{
	pg_uuid_t	wrong = version_1(msec, low);
	Wide		ticks = (Wide) msec * 10000 + TICKS_TO_1970;
	pg_uuid_t	found;

	check(uuidnew_v1_unix_ms_to_v1(&wrong, &found) == (ticks < (Wide) 1 << 60),
		  "%s", uuid_text(&wrong));
	if (ticks < (Wide) 1 << 60)
	{
		pg_uuid_t	right = version_1(ticks, low);

		assert_string_equal(uuid_text(&found), uuid_text(&right));
		check(uuidnew_v1_timestamp(&found) == SINCE_1970((int64) msec * 1000),
			  "%s", uuid_text(&found));
		check(!uuidnew_v1_unix_ms_to_v1(&right, &found),
			  "%s is converted twice",
			  uuid_text(&right));
	}
}

static void
all_milliseconds(void **state)
{
	uint64		last = ((UINT64CONST(1) << 60) - 1 - TICKS_TO_1970) / 10000;

	for (int i = -2; i <= 2; i++)
		check_msec(last + i, unit_random());
	for (uint64 round = 0; round < rounds(200000); round++)
		check_msec(unit_random() >> (4 + unit_random_below(60)),
				   unit_random());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_milliseconds),
	};

	unit_seed();
	return cmocka_run_group_tests_name("v1", tests, NULL, NULL);
}
