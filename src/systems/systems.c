/*
 * systems.c
 *	  IDs of other systems: text, time, fields, and the way to a UUID and back.
 */
#include "postgres.h"

#include "common/int.h"

#include "systems/systems.h"

#define ID_SYSTEM(name, ...) const IdSystem uuidnew_##name = {__VA_ARGS__};
#include "systems/systemlist.h"

/* A version 8 UUID: the time, and what it has beside it. */
#define MSEC_BITS			48
#define REST_BITS			74
#define SUBMSEC_BITS		10

static inline Bits
bits_of(const Number *number)
{
	return (Bits) {number_word(number, 2), number_word(number, 0)};
}


/* uuidnew_id_is_valid - can a number be an ID of the system? */
bool
uuidnew_id_is_valid(const IdSystem *system, Number id)
{
	for (int i = 0; i < (int) lengthof(system->zeros); i++)
	{
		IdField		zero = system->zeros[i];

		if (zero.width > 0 &&
			number_bits(&id, system->bits - zero.first - zero.width,
						zero.width) != 0)
			return false;
	}
	if (system->limit[0] > 0)
	{
		Bits		bits = bits_of(&id);

		if (bits.high > system->limit[0] ||
			(bits.high == system->limit[0] && bits.low >= system->limit[1]))
			return false;
	}
	return number_fits(&id, system->bits);
}

/* uuidnew_id_parse - the ID in a text; false if it is none. */
bool
uuidnew_id_parse(const IdSystem *system, const char *text, int len, Number *id)
{
	char		bare[ID_TEXT_MAX];
	Bits		bits;

	if (system->parse)
		return system->parse(text, len, id);

	if (system->prefix)
	{
		if (len == 0 || *text != system->prefix)
			return false;
		text++;
		len--;
	}
	if (system->hyphens)
	{
		int			n = 0;

		for (int i = 0; i < len; i++)
		{
			if (text[i] == '-')
				continue;
			if (n == system->digits)
				return false;
			bare[n++] = text[i];
		}
		text = bare;
		len = n;
	}

	if (system->unpadded ?
		len == 0 || len > system->digits ||
		(len > 1 && *text == system->alphabet->digits[0]) :
		len != system->digits)
		return false;
	if (!uuidnew_number_parse(system->alphabet, text, len, id))
		return false;
	if (system->spare_bits)
	{
		if (number_bits(id, 0, system->spare_bits) != 0)
			return false;
		bits = shift_right(bits_of(id), system->spare_bits);
		bits.high |= (uint64) id->limb[4] << (64 - system->spare_bits);
		*id = number_from_words(bits.high, bits.low);
	}
	return uuidnew_id_is_valid(system, *id);
}

/*
 * uuidnew_id_format - the text of an ID, at most ID_TEXT_MAX characters and no
 * terminating zero.  Returns its length.
 */
int
uuidnew_id_format(const IdSystem *system, Number id, char *text)
{
	char	   *start = text;

	if (system->prefix)
		*text++ = system->prefix;
	if (system->spare_bits)
	{
		uint64		above = number_word(&id, 2) >> (64 - system->spare_bits);
		Bits		bits = shift_left(bits_of(&id), system->spare_bits);

		id = number_from_words(bits.high, bits.low);
		id.limb[NUMBER_LIMBS - 1] = above;
	}
	uuidnew_number_format(system->alphabet, id, text, system->digits);
	text += system->digits;

	if (system->hyphens)
	{
		static const int after[] = {16, 12, 8};

		for (int i = 0; i < (int) lengthof(after); i++)
		{
			memmove(start + after[i] + 1, start + after[i],
					text - (start + after[i]));
			start[after[i]] = '-';
			text++;
		}
	}
	if (system->unpadded)
	{
		char	   *first = start;

		while (first < text - 1 && *first == system->alphabet->digits[0])
			first++;
		memmove(start, first, text - first);
		text -= first - start;
	}
	return text - start;
}

/* uuidnew_id_field - the value of a field of at most 64 bits. */
uint64
uuidnew_id_field(const IdSystem *system, Number id, IdField field)
{
	if (system->counts_digits)
	{
		char		digits[ID_TEXT_MAX];

		uuidnew_number_format(system->alphabet, id, digits, system->digits);
		uuidnew_number_parse(system->alphabet, digits + field.first,
							 field.width, &id);
		return number_word(&id, 0);
	}
	return number_bits(&id, system->bits - field.first - field.width,
					   field.width);
}

/*
 * uuidnew_id_timestamp - the time of an ID, TimestampTz, truncated to a
 * microsecond; false if a TimestampTz can't hold it.
 */
bool
uuidnew_id_timestamp(const IdSystem *system, IdScale scale, Number id,
					 int64 *timestamp)
{
	IdField		time = {0, system->time_width};
	uint64		count = uuidnew_id_field(system, id, time);
	uint64		usec;

	if (system->signed_time && (int64) count < 0)
		return !pg_add_s64_overflow(scale.epoch, (int64) count, timestamp) &&
			*timestamp >= MIN_TIMESTAMP;

	if (system->nanoseconds)
		usec = count / NSECS_PER_USEC;
	else if (pg_mul_u64_overflow(count, scale.unit, &usec))
		return false;
	/* unsigned: the difference of two timestamps may exceed an int64 */
	if (usec >= (uint64) END_TIMESTAMP - (uint64) scale.epoch)
		return false;
	*timestamp = (int64) ((uint64) scale.epoch + usec);
	return true;
}

/*
 * uuidnew_id_to_uuid - an ID as a UUID; false if its time is out of the range
 * of version 8, 1970 to 10889.
 */
bool
uuidnew_id_to_uuid(const IdSystem *system, IdScale scale, Number id,
				   pg_uuid_t *uuid)
{
	/* of an ID that is too long, the lowest bits: there a system counts */
	int			n = Min(system->bits - system->time_width, REST_BITS);
	int64		timestamp;
	uint64		usec;
	Bits		bits;

	if (system->form == ID_RAW)
	{
		number_to_octets(&id, uuid->data, UUID_LEN);
		return true;
	}

	if (!uuidnew_id_timestamp(system, scale, id, &timestamp) ||
		timestamp < SINCE_1970(0))
		return false;
	usec = (uint64) timestamp - (uint64) SINCE_1970(0);
	if (usec >> MSEC_BITS >= USECS_PER_MSEC)
		return false;

	/* the last n bits and a one, unless that is beyond the end */
	bits = shift_left(bits_of(&id), 1);
	bits.low |= 1;
	bits = shift_left(bits, 127 - n);
	if (scale.unit < USECS_PER_MSEC)
	{
		bits = shift_right(bits, SUBMSEC_BITS);
		bits.high |= usec % USECS_PER_MSEC << (64 - SUBMSEC_BITS);
	}
	bits = shift_right(bits, MSEC_BITS);
	bits.high |= usec / USECS_PER_MSEC << (64 - MSEC_BITS);
	uuid_pack(bits_payload(bits), 8, uuid);
	return true;
}

/*
 * uuidnew_uuid_to_id - the ID from which uuidnew_id_to_uuid made the UUID;
 * false if there is none.
 */
bool
uuidnew_uuid_to_id(const IdSystem *system, IdScale scale,
				   const pg_uuid_t *uuid, Number *id)
{
	int			n = system->bits - system->time_width;
	Bits		bits;
	Bits		rest;
	Bits		time = {0, 0};
	int64		timestamp;
	pg_uuid_t	again;

	if (system->form == ID_RAW)
	{
		*id = number_from_octets(uuid->data, UUID_LEN);
		return uuidnew_id_is_valid(system, *id);
	}

	if (uuid_version_of(uuid) != 8)
		return false;
	bits = payload_bits(uuid_unpack(uuid));
	rest = shift_left(bits, MSEC_BITS);
	timestamp = SINCE_1970((int64) (bits.high >> (64 - MSEC_BITS)) *
						   USECS_PER_MSEC);
	if (scale.unit < USECS_PER_MSEC)
	{
		timestamp += rest.high >> (64 - SUBMSEC_BITS);
		rest = shift_left(rest, SUBMSEC_BITS);
	}
	if (timestamp < scale.epoch)
		return false;
	time.low = ((uint64) timestamp - (uint64) scale.epoch) / scale.unit;
	if (system->time_width < 64 && time.low >> system->time_width != 0)
		return false;

	time = shift_left(time, n);
	rest = shift_right(rest, 128 - n);
	*id = number_from_words(time.high | rest.high, time.low | rest.low);

	/* the way back to the UUID shows whether all of it was read */
	return uuidnew_id_is_valid(system, *id) &&
		uuidnew_id_to_uuid(system, scale, *id, &again) &&
		memcmp(&again, uuid, sizeof(pg_uuid_t)) == 0;
}
