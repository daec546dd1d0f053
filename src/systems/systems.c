/*
 * systems.c
 *	  IDs of other systems: text, time, fields, and conversion to UUIDs.
 */
#include "postgres.h"

#include "common/int.h"

#include "systems/systems.h"

#define ID_SYSTEM(name, ...) const IdSystem uuidnew_##name = {__VA_ARGS__};
#include "systems/systemlist.h"

/* The payload of a version 8 UUID: time, and all that follows */
#define MSEC_BITS			48
#define REST_BITS			74
#define SUBMSEC_BITS		10

static inline Bits
bits_of(const Number *number)
{
	return (Bits) {number_word(number, 2), number_word(number, 0)};
}

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

/* uuidnew_id_parse - the ID in a text; false if the text is not an ID. */
bool
uuidnew_id_parse(const IdSystem *system, const char *text, int len, Number *id)
{
	if (system->parse)
		return system->parse(text, len, id);
	return uuidnew_text_parse(&system->text, text, len, id) &&
		uuidnew_id_is_valid(system, *id);
}

/* uuidnew_id_field - the value of a field of at most 64 bits. */
uint64
uuidnew_id_field(const IdSystem *system, Number id, IdField field)
{
	if (system->counts_digits)
	{
		char		digits[ID_TEXT_MAX];

		uuidnew_number_format(system->text.alphabet, id, digits,
							  system->text.digits);
		uuidnew_number_parse(system->text.alphabet, digits + field.first,
							 field.width, &id);
		return number_word(&id, 0);
	}
	return number_bits(&id, system->bits - field.first - field.width,
					   field.width);
}

/*
 * uuidnew_id_timestamp - the time of an ID, truncated to a microsecond; false
 * if a TimestampTz can't hold it.
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
	/* the lowest bits if the ID is too long, because they have its counter */
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

	/* the last n bits and a one, unless it is beyond the end */
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

/* uuidnew_uuid_to_id - reverts uuidnew_id_to_uuid; false if impossible. */
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

	/* other bits of the UUID have to be those that the ID determines */
	return uuidnew_id_is_valid(system, *id) &&
		uuidnew_id_to_uuid(system, scale, *id, &again) &&
		memcmp(&again, uuid, sizeof(pg_uuid_t)) == 0;
}
