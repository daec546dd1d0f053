/*
 * vb.c
 *	  Groupon's Locality UUID, version b (groupon/locality-uuid.java).
 *
 * 32 bits of a counter, 16 of the process id, the version, 28 of a MAC address
 * (there is no variant), and 48 of milliseconds since 1970: doc/layouts.md.
 *
 * Mode variable reverses the counter's hexadecimal digits, so that the first
 * digits change with every UUID and spread writes over the index.  Mode
 * sequential does not.  A UUID does not show its mode.
 *
 * In mode variable, Groupon's Java shifts the counter as a signed int: from
 * 2^31 on the sign overwrites bits 24 to 27, which are lost.
 */
#include "postgres.h"

#include "systems/number.h"
#include "systems/vb.h"

#define MAC_DIGITS	12
#define TIME_OCTETS	(VB_MSEC_BITS / BITS_PER_BYTE)

/* The hexadecimal digits of a counter, in reverse; its own inverse. */
static uint32
reverse_digits(uint32 counter)
{
	counter = (counter & 0x0F0F0F0F) << 4 | (counter >> 4 & 0x0F0F0F0F);
	return pg_bswap32(counter);
}

/* uuidnew_vb_pack - the UUID with these fields. */
void
uuidnew_vb_pack(VbMode mode, VbFields fields, pg_uuid_t *uuid)
{
	uint32		counter = mode == VB_SEQUENTIAL ?
		fields.counter : reverse_digits(fields.counter);

	uuid_from_halves((uint64) counter << 32 | (uint64) fields.process_id <<
					 16 | VB_VERSION << 12 | fields.mac_fragment >> 16,
					 (uint64) (fields.mac_fragment & 0xFFFF) << VB_MSEC_BITS |
					 fields.msec, uuid);
}

/* uuidnew_vb_unpack - the fields of a UUID; false if its version is not b. */
bool
uuidnew_vb_unpack(VbMode mode, const pg_uuid_t *uuid, VbFields *fields)
{
	uint64		high;
	uint64		low;

	uuid_halves(uuid, &high, &low);
	fields->counter = high >> 32;
	if (mode != VB_SEQUENTIAL)
		fields->counter = reverse_digits(fields->counter);
	fields->process_id = high >> 16 & 0xFFFF;
	fields->mac_fragment = (high & 0xFFF) << 16 | low >> VB_MSEC_BITS;
	fields->msec = low & low_bits(VB_MSEC_BITS);
	return (high >> 12 & 0xF) == VB_VERSION;
}

/* uuidnew_vb_counter_is_known - false if bits of the counter were lost. */
bool
uuidnew_vb_counter_is_known(VbMode mode, uint32 counter)
{
	return mode != VB_JAVA || (counter & 0x8F000000) != 0x8F000000;
}

/*
 * uuidnew_vb_parse_mac - the last 28 bits of a MAC address: 12 hexadecimal
 * digits, optionally with ':', '-' or '.' between octets.
 */
bool
uuidnew_vb_parse_mac(const char *text, uint32 *mac_fragment)
{
	char		digits[MAC_DIGITS];
	Number		address;

	for (int i = 0; i < MAC_DIGITS; i++)
	{
		if (i > 0 && i % 2 == 0 &&
			(*text == ':' || *text == '-' || *text == '.'))
			text++;
		if (*text == '\0')
			return false;
		digits[i] = *text++;
	}
	if (*text != '\0' ||
		!uuidnew_number_parse(&uuidnew_hex, digits, MAC_DIGITS, &address))
		return false;
	*mac_fragment = number_bits(&address, 0, VB_MAC_BITS);
	return true;
}

/* uuidnew_vb_move_time - moves the time to the front, or back to the end. */
void
uuidnew_vb_move_time(const pg_uuid_t *uuid, bool to_front, pg_uuid_t *result)
{
	int			first = to_front ? UUID_LEN - TIME_OCTETS : TIME_OCTETS;

	memcpy(result->data, uuid->data + first, UUID_LEN - first);
	memcpy(result->data + UUID_LEN - first, uuid->data, first);
}
