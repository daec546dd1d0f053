/*
 * bits_test.c
 *	  Unit tests of bits.h.
 */
#include "postgres.h"

#include "unit.h"

#define PAYLOAD_BITS	(UUID_HI_BITS + UUID_LO_BITS)

/* Where the 122 bits stand among the 128: the figure in bits.h, bit by bit. */
static int
bit_in_uuid(int bit)
{
	if (bit < 48)
		return bit;
	if (bit < 60)
		return bit + 4;			/* the version */
	return bit + 6;				/* and the variant */
}

static bool
uuid_bit(const pg_uuid_t *uuid, int bit)
{
	return uuid->data[bit / 8] >> (7 - bit % 8) & 1;
}

static void
check_round_trip(UuidPayload payload, int version)
{
	pg_uuid_t	uuid;
	UuidPayload again;
	Wide		wide = payload_wide(payload);

	memset(&uuid, 0x5A, sizeof(uuid));
	uuid_pack(payload, version, &uuid);
	again = uuid_unpack(&uuid);
	check(payload_wide(again) == wide,
		  "%s comes back as another payload", uuid_text(&uuid));
	check(uuid_version_of(&uuid) == version, "%s has version %d, not %d",
		  uuid_text(&uuid), uuid_version_of(&uuid), version);
	check(uuid.data[6] >> 4 == version && uuid.data[8] >> 6 == 2,
		  "%s lacks version %d or the variant", uuid_text(&uuid), version);
	for (int bit = 0; bit < PAYLOAD_BITS; bit++)
		check(uuid_bit(&uuid, bit_in_uuid(bit)) ==
			  (wide >> (PAYLOAD_BITS - 1 - bit) & 1),
			  "%s: bit %d is not where it should be", uuid_text(&uuid), bit);

	/* what else stands where version and variant go is dropped */
	uuid.data[6] ^= unit_random_below(16) << 4;
	uuid.data[8] ^= unit_random_below(4) << 6;
	check(payload_wide(uuid_unpack(&uuid)) == wide,
		  "%s is unpacked with its version or variant", uuid_text(&uuid));
}

static void
pack_and_unpack_random(void **state)
{
	for (uint64 i = 0; i < rounds(200000); i++)
	{
		Wide		random = (Wide) unit_random() << 64 | unit_random();

		check_round_trip(wide_payload(random), unit_random_below(16));
	}
}

static void
version_needs_the_variant(void **state)
{
	for (int octet6 = 0; octet6 < 256; octet6++)
	{
		for (int octet8 = 0; octet8 < 256; octet8++)
		{
			pg_uuid_t	uuid;
			int			expected;

			memset(&uuid, unit_random(), sizeof(uuid));
			uuid.data[6] = octet6;
			uuid.data[8] = octet8;
			expected = octet8 >= 0x80 && octet8 <= 0xBF ? octet6 / 16 : -1;
			check(uuid_version_of(&uuid) == expected,
				  "%s has version %d, not %d",
				  uuid_text(&uuid), uuid_version_of(&uuid), expected);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pack_and_unpack_random),
		cmocka_unit_test(version_needs_the_variant),
	};

	unit_seed();
	return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
