/*
 * v47.c
 *	  UUIDv47: version 7 UUIDs with a masked time, which look like version 4.
 *
 * As in github.com/stateless-me/uuidv47, the first 48 bits, the time in
 * milliseconds, are XORed with the low 48 bits of SipHash-2-4 over the other
 * 74 bits of the payload.  These do not change, so the same mask undoes it.
 *
 * SipHash: Aumasson and Bernstein, "SipHash: a fast short-input PRF".
 */
#include "postgres.h"

#include "keys/v47.h"

#define TIME_BITS		48
#define RAND_A_BITS		(UUID_HI_BITS - TIME_BITS)
#define MESSAGE_LEN		10
#define WORD_LEN		8

/* Up to 8 octets as a little-endian number */
static uint64
little_endian(const uint8 *octets, size_t len)
{
	uint64		number = 0;

	for (size_t i = 0; i < len; i++)
		number |= (uint64) octets[i] << (i * BITS_PER_BYTE);
	return number;
}

static inline uint64
rotate_left(uint64 word, int n)
{
	return word << n | word >> (64 - n);
}

static void
sip_rounds(uint64 v[4], int rounds)
{
	while (rounds-- > 0)
	{
		v[0] += v[1];
		v[1] = rotate_left(v[1], 13) ^ v[0];
		v[0] = rotate_left(v[0], 32);
		v[2] += v[3];
		v[3] = rotate_left(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate_left(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate_left(v[1], 17) ^ v[2];
		v[2] = rotate_left(v[2], 32);
	}
}

/* uuidnew_siphash24 - SipHash-2-4 of a message. */
uint64
uuidnew_siphash24(const uint8 key[V47_KEY_LEN], const uint8 *octets,
				  size_t len)
{
	uint64		k0 = little_endian(key, WORD_LEN);
	uint64		k1 = little_endian(key + WORD_LEN, WORD_LEN);

	/* "somepseudorandomlygeneratedbytes" */
	uint64		v[4] = {
		k0 ^ UINT64CONST(0x736f6d6570736575),
		k1 ^ UINT64CONST(0x646f72616e646f6d),
		k0 ^ UINT64CONST(0x6c7967656e657261),
		k1 ^ UINT64CONST(0x7465646279746573)
	};

	/* the last word has fewer than 8 octets and ends with the length */
	for (size_t done = 0; done <= len; done += WORD_LEN)
	{
		size_t		rest = len - done;
		uint64		word = little_endian(octets + done, Min(rest, WORD_LEN));

		if (rest < WORD_LEN)
			word |= (uint64) len << 56;
		v[3] ^= word;
		sip_rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xFF;
	sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* uuidnew_v47_mask - masks the time of a UUID, or unmasks it. */
void
uuidnew_v47_mask(const uint8 key[V47_KEY_LEN], const pg_uuid_t *uuid,
				 int version, pg_uuid_t *result)
{
	UuidPayload payload = uuid_unpack(uuid);
	uint16		rand_a = pg_hton16(payload.hi & low_bits(RAND_A_BITS));
	uint64		rand_b = pg_hton64(payload.lo);
	uint8		message[MESSAGE_LEN];
	uint64		mask;

	memcpy(message, &rand_a, sizeof(rand_a));
	memcpy(message + sizeof(rand_a), &rand_b, sizeof(rand_b));
	mask = uuidnew_siphash24(key, message, sizeof(message));
	payload.hi ^= (mask & low_bits(TIME_BITS)) << RAND_A_BITS;
	uuid_pack(payload, version, result);
}
