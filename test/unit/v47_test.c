/*
 * v47_test.c
 *	  Unit test of the SipHash-2-4 of UUIDv47; sql/v47.sql has the vectors of
 *	  its other implementations.
 *
 * test/vectors/siphash24.tsv are the 64 official vectors, vectors_sip64 of
 * github.com/veorq/SipHash: the hash of the octets 00, 01, 02 and so on.
 */
#include "postgres.h"

#include "unit.h"
#include "keys/v47.h"

static void
check_siphash(char *line)
{
	uint8		octets[64];
	char		text[17];
	uint64		hash;

	for (int i = 0; i < (int) lengthof(octets); i++)
		octets[i] = i;
	hash = uuidnew_siphash24(octets, octets, atoi(line));
	for (int i = 0; i < 8; i++)
		snprintf(text + 2 * i, 3, "%02x", (uint8) (hash >> 8 * i));
	assert_string_equal(text, strchr(line, '\t') + 1);
}

static void
siphash_vectors(void **state)
{
	read_vectors("siphash24.tsv", 64, check_siphash);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siphash_vectors),
	};

	return cmocka_run_group_tests_name("v47", tests, NULL, NULL);
}
