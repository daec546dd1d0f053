/*
 * v47_test.c
 *	  Unit tests of UUIDv47 and its SipHash-2-4.
 *
 * test/vectors/siphash24.tsv are the 64 official vectors, vectors_sip64 of
 * github.com/veorq/SipHash: the hash of the octets 00, 01, 02 and so on.
 * v47.tsv has the vectors of the ports, and what the reference makes of the
 * ends and of random UUIDs and keys.
 */
#include "postgres.h"

#include "unit.h"
#include "keys/v47.h"

/* Octets in hexadecimal digits, hyphens ignored, up to any other character. */
static int
parse_octets(const char *text, uint8 *octets, int size)
{
	int			n = 0;

	for (;; text++)
	{
		const char *digits = "0123456789abcdef";
		const char *digit = *text ? strchr(digits, *text) : NULL;

		if (*text == '-')
			continue;
		if (digit == NULL)
			break;
		check(n < 2 * size, "more than %d octets", size);
		octets[n / 2] = octets[n / 2] << 4 | (digit - digits);
		n++;
	}
	return n / 2;
}

static void
random_key(uint8 *key)
{
	for (int i = 0; i < V47_KEY_LEN; i++)
		key[i] = (uint8) unit_random_below(256);
}

static pg_uuid_t
random_v7(void)
{
	UuidPayload payload = {unit_random() >> 4, unit_random() >> 2};
	pg_uuid_t	uuid;

	uuid_pack(payload, 7, &uuid);
	return uuid;
}

static void
check_siphash(char *line)
{
	uint8		octets[64];
	uint8		hash[8];
	uint64		found;

	for (int i = 0; i < (int) lengthof(octets); i++)
		octets[i] = i;
	found = uuidnew_siphash24(octets, octets, atoi(line));
	check(parse_octets(strchr(line, '\t') + 1, hash, sizeof(hash)) == 8, "%s",
		  line);
	for (int i = 0; i < 8; i++)
		check((uint8) (found >> 8 * i) == hash[i], "octet %d of %s", i, line);
}

static void
siphash_vectors(void **state)
{
	read_vectors("siphash24.tsv", 64, check_siphash);
}

static void
check_v47(char *line)
{
	char	   *v7_text = strchr(line, '\t') + 1;
	uint8		key[V47_KEY_LEN];
	pg_uuid_t	v7;
	pg_uuid_t	v4;
	pg_uuid_t	found;

	check(parse_octets(line, key, V47_KEY_LEN) == V47_KEY_LEN &&
		  parse_octets(v7_text, v7.data, UUID_LEN) == UUID_LEN &&
		  parse_octets(strchr(v7_text, '\t') + 1, v4.data, UUID_LEN) ==
		  UUID_LEN,
		  "%s", line);
	uuidnew_v47_mask(key, &v7, 4, &found);
	assert_string_equal(uuid_text(&found), uuid_text(&v4));
	uuidnew_v47_mask(key, &v4, 7, &found);
	assert_string_equal(uuid_text(&found), uuid_text(&v7));
}

static void
v47_vectors(void **state)
{
	read_vectors("v47.tsv", 118, check_v47);
}

/* The mask changes the time only, by key and other bits, and comes off. */
static void
mask_of_random(void **state)
{
	for (uint64 round = 0; round < rounds(200000); round++)
	{
		uint8		key[V47_KEY_LEN];
		pg_uuid_t	v7 = random_v7();
		pg_uuid_t	later = v7;
		pg_uuid_t	v4;
		pg_uuid_t	later_v4;
		pg_uuid_t	back;

		random_key(key);
		uuidnew_v47_mask(key, &v7, 4, &v4);
		check(uuid_version_of(&v4) == 4 && memcmp(v4.data, v7.data, 6) != 0 &&
			  (v4.data[6] & 0xF) == (v7.data[6] & 0xF) &&
			  memcmp(v4.data + 7, v7.data + 7, 9) == 0,
			  "%s is %s", uuid_text(&v7), uuid_text(&v4));
		uuidnew_v47_mask(key, &v4, 7, &back);
		assert_string_equal(uuid_text(&back), uuid_text(&v7));

		later.data[unit_random_below(6)] ^= 1 << unit_random_below(8);
		uuidnew_v47_mask(key, &later, 4, &later_v4);
		for (int i = 0; i < 6; i++)
			check((v4.data[i] ^ later_v4.data[i]) ==
				  (v7.data[i] ^ later.data[i]),
				  "%s has another mask than %s", uuid_text(&later),
				  uuid_text(&v7));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siphash_vectors),
		cmocka_unit_test(v47_vectors),
		cmocka_unit_test(mask_of_random),
	};

	unit_seed();
	return cmocka_run_group_tests_name("v47", tests, NULL, NULL);
}
