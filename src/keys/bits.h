/*
 * bits.h
 *	  The bits of a UUID: version, variant, and the payload.
 *
 * Version (4 bits) and variant (2) are fixed.  The payload is the other 122
 * bits: 60 before the variant, 62 after it.  Every layout fills them from the
 * left: timestamp, sequence, node.  So the uuid type compares UUIDs of one
 * version by payload.
 *
 *		0                   1                   2                   3
 *		0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |                       hi, bits 59 to 28                       |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |       hi, bits 27 to 12       |  ver  |    hi, bits 11 to 0   |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |var|                     lo, bits 61 to 32                     |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |                       lo, bits 31 to 0                        |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
#ifndef UUIDNEW_BITS_H
#define UUIDNEW_BITS_H

#include "port/pg_bswap.h"
#include "utils/uuid.h"

#define UUID_HI_BITS		60
#define UUID_LO_BITS		62

/* The variant of RFC 4122 and RFC 9562: binary 10 in the top of octet 8. */
#define UUID_VARIANT_RFC	2

typedef struct UuidPayload
{
	uint64		hi;				/* 60 bits */
	uint64		lo;				/* 62 bits */
} UuidPayload;

/* low_bits - the lowest n bits set, n from 0 to 63. */
static inline uint64
low_bits(int n)
{
	return (UINT64CONST(1) << n) - 1;
}

/* uuid_halves, uuid_from_halves - all 128 bits as two numbers, and back. */
static inline void
uuid_halves(const pg_uuid_t *uuid, uint64 *first, uint64 *second)
{
	memcpy(first, uuid->data, 8);
	memcpy(second, uuid->data + 8, 8);
	*first = pg_ntoh64(*first);
	*second = pg_ntoh64(*second);
}

static inline void
uuid_from_halves(uint64 first, uint64 second, pg_uuid_t *uuid)
{
	first = pg_hton64(first);
	second = pg_hton64(second);
	memcpy(uuid->data, &first, 8);
	memcpy(uuid->data + 8, &second, 8);
}

/* uuid_version_of - 0 to 15; -1 if the variant is not the RFC's. */
static inline int
uuid_version_of(const pg_uuid_t *uuid)
{
	/* a signed octet whose first bits are binary 10 is below -64 */
	if ((int8) uuid->data[8] >= -64)
		return -1;
	return uuid->data[6] >> 4;
}

/* uuid_unpack, uuid_pack - the bits of a UUID's payload, and back. */
static inline UuidPayload
uuid_unpack(const pg_uuid_t *uuid)
{
	UuidPayload payload;
	uint64		first;
	uint64		second;

	uuid_halves(uuid, &first, &second);
	payload.hi = (first >> 16) << 12 | (first & 0xFFF);
	payload.lo = second & low_bits(UUID_LO_BITS);
	return payload;
}

static inline void
uuid_pack(UuidPayload payload, int version, pg_uuid_t *uuid)
{
	uuid_from_halves((payload.hi >> 12) << 16 | (uint64) version << 12 |
					 (payload.hi & 0xFFF),
					 (uint64) UUID_VARIANT_RFC << UUID_LO_BITS | payload.lo,
					 uuid);
}

/* 128 bits: high has the first 64, low the last 64. */
typedef struct Bits
{
	uint64		high;
	uint64		low;
} Bits;

/* shift_left, shift_right - by n bits, 1 to 127. */
static inline Bits
shift_left(Bits bits, int n)
{
	if (n >= 64)
	{
		bits.high = bits.low << (n - 64);
		bits.low = 0;
	}
	else
	{
		bits.high = bits.high << n | bits.low >> (64 - n);
		bits.low <<= n;
	}
	return bits;
}

static inline Bits
shift_right(Bits bits, int n)
{
	if (n >= 64)
	{
		bits.low = bits.high >> (n - 64);
		bits.high = 0;
	}
	else
	{
		bits.low = bits.low >> n | bits.high << (64 - n);
		bits.high >>= n;
	}
	return bits;
}

/* A payload as the first 122 of 128 bits, and back. */
static inline Bits
payload_bits(UuidPayload payload)
{
	Bits		bits = {payload.hi << 4 | payload.lo >> 58, payload.lo << 6};

	return bits;
}

static inline UuidPayload
bits_payload(Bits bits)
{
	UuidPayload payload = {bits.high >> 4,
	(bits.high << 58 | bits.low >> 6) & low_bits(UUID_LO_BITS)};

	return payload;
}

/* payload_fill - a payload with its lowest n bits set, n from 0 to 122. */
static inline UuidPayload
payload_fill(UuidPayload payload, int n)
{
	if (n > UUID_LO_BITS)
		payload.hi |= low_bits(n - UUID_LO_BITS);
	payload.lo |= low_bits(Min(n, UUID_LO_BITS));
	return payload;
}

/* payload_before - the next smaller payload; the largest is before 0. */
static inline UuidPayload
payload_before(UuidPayload payload)
{
	if (payload.lo == 0)
		payload.hi = (payload.hi - 1) & low_bits(UUID_HI_BITS);
	payload.lo = (payload.lo - 1) & low_bits(UUID_LO_BITS);
	return payload;
}

#endif							/* UUIDNEW_BITS_H */
