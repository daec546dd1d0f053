/*
 * v1_test.c
 *	  Unit tests of version 1 UUIDs with milliseconds since 1970 in place of 100
 *	  ns since 1582, and the vectors.
 */
#include "postgres.h"

#include <stdio.h>

#include "unit.h"
#include "keys/v6.h"

#define TICKS_TO_1970	UINT64CONST(0x01B21DD213814000) /* RFC 4122, appendix A */

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
		check(!uuidnew_v1_unix_ms_to_v1(&right, &found), "%s is converted twice",
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
		check_msec(unit_random() >> (4 + unit_random_below(60)), unit_random());
}

static void
vectors(void **state)
{
	FILE	   *file = fopen(VECTORS "/v1_unix_ms.tsv", "r");
	char		line[200];
	int			n = 0;

	check(file != NULL, "no vectors in " VECTORS);
	check(fgets(line, sizeof(line), file) != NULL, "no header");
	while (fgets(line, sizeof(line), file) != NULL)
	{
		char	   *article = strchr(line, '\t') + 1;
		char	   *v1 = strchr(article, '\t') + 1;
		unsigned int f[4];
		unsigned long long node;
		pg_uuid_t	wrong;
		pg_uuid_t	found;

		v1[strcspn(v1, "\n")] = '\0';
		check(sscanf(article, "%8x-%4x-%4x-%4x-%12llx", &f[0], &f[1], &f[2], &f[3], &node) == 5,
			  "%s", line);
		uuid_from_halves((uint64) f[0] << 32 | f[1] << 16 | f[2],
						 (uint64) f[3] << 48 | node, &wrong);
		if (uuidnew_v1_unix_ms_to_v1(&wrong, &found))
			assert_string_equal(uuid_text(&found), v1);
		else
			assert_string_equal("", v1);
		n++;
	}
	fclose(file);
	check(n > 50, "%d vectors", n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_milliseconds),
		cmocka_unit_test(vectors),
	};

	unit_seed();
	return cmocka_run_group_tests_name("v1", tests, NULL, NULL);
}
