/*
 * v47_test.c
 *	  Unit test of the SipHash-2-4 of UUIDv47; sql/v47.sql has the vectors of
 *	  its other implementations.
 *
 * test/vectors/siphash24.tsv are the 64 official vectors, vectors_sip64 of
 * github.com/veorq/SipHash: the hash of the octets 00, 01, 02 and so on.
 */
#include "postgres.h"

#include "port/pg_bswap.h"

#include "unit.h"
#include "keys/v47.h"

static void
siphash_vectors(void **state)
{
	FILE	   *file = fopen(VECTORS "/siphash24.tsv", "r");
	uint8		octets[64];
	unsigned long long expected;	/* the octets of the hash, lowest first */
	int			n = 0;

	for (int i = 0; i < (int) lengthof(octets); i++)
		octets[i] = i;
	assert_non_null(file);
	assert_int_equal(fscanf(file, "octets siphash24"), 0);
	for (; fscanf(file, "%*d %llx", &expected) == 1; n++)
		check(pg_bswap64(uuidnew_siphash24(octets, octets, n)) == expected,
			  "%d octets", n);
	fclose(file);
	assert_int_equal(n, 64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siphash_vectors),
	};

	return cmocka_run_group_tests_name("v47", tests, NULL, NULL);
}
