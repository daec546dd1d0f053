/*
 * text_forms.c
 *	  A UUID as short text for URLs, and back.
 *
 * Each UUID has one text in each form, always of the same length, and a text
 * is read only if it is the one that the UUID is written as.
 *
 * base32hex	26 characters, RFC 4648 7 without padding; read in either case
 * base58		22 characters, Bitcoin's alphabet; 1 in front for zeros
 * base64url	22 characters, RFC 4648 5 without padding
 * TypeID		prefix, underscore, 26 characters; jetify-com/typeid's
 *				specification 0.3
 *
 * In collation "C" the first two, and TypeIDs of one prefix, sort as the
 * UUIDs.
 *
 * Raises 22P02 for a text that is none of its form, 22023 for a prefix that a
 * TypeID can't have.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "functions/system_functions.h"

static const IdSystem base32hex_form = {
	.name = "base32hex UUID",
	.rule = gettext_noop("It has 26 characters of 0-9 and A-V, the last of them 0, 4, 8, C, G, K, O or S."),
	.bits = 128,
	.alphabet = &uuidnew_base32hex_upper,
	.digits = 26,
	.spare_bits = 2,
};

static const IdSystem base58_form = {
	.name = "base58 UUID",
	.rule = gettext_noop("It has 22 digits and letters without 0, O, I and l, at most YcVfxkQb6JRzqk5kF2tNLv."),
	.bits = 128,
	.alphabet = &uuidnew_base58,
	.digits = 22,
};

static const IdSystem base64url_form = {
	.name = "base64url UUID",
	.rule = gettext_noop("It has 22 characters of A-Z, a-z, 0-9, - and _, the last of them A, Q, g or w."),
	.bits = 128,
	.alphabet = &uuidnew_base64url,
	.digits = 22,
	.spare_bits = 4,
};

static const IdSystem typeid_form = {
	.name = "TypeID",
	.rule = gettext_noop("It has a prefix of lower-case letters and underscores, an underscore, and 26 characters of 0-9 and a-z without i, l, o and u, the first of them at most 7."),
	.bits = 128,
	.alphabet = &uuidnew_base32_typeid,
	.digits = 26,
};

#define PREFIX_MAX	63

/* The UUID in the last characters of a text, all but the first ones. */
static Datum
text_to_uuid(const IdSystem *form, const text *value, int first)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	Number		id;

	if (!uuidnew_id_parse(form, VARDATA_ANY(value) + first,
						  VARSIZE_ANY_EXHDR(value) - first, &id))
		uuidnew_invalid_id_text(form, value);
	number_to_octets(&id, uuid->data, UUID_LEN);
	PG_RETURN_UUID_P(uuid);
}

/* The text of a UUID, after so many characters that the caller fills in. */
static text *
uuid_to_text(const IdSystem *form, const pg_uuid_t *uuid, int first)
{
	text	   *result = palloc(VARHDRSZ + first + form->digits);

	SET_VARSIZE(result, VARHDRSZ + first + form->digits);
	uuidnew_id_format(form, number_from_octets(uuid->data, UUID_LEN),
					  VARDATA(result) + first);
	return result;
}

#define TEXT_FORM(name) \
	SQL_FUNCTION(uuid_to_##name, \
				 PointerGetDatum(uuid_to_text(&name##_form, \
											  PG_GETARG_UUID_P(0), 0))) \
	SQL_FUNCTION(name##_to_uuid, \
				 text_to_uuid(&name##_form, PG_GETARG_TEXT_PP(0), 0))

TEXT_FORM(base32hex)
TEXT_FORM(base58)
TEXT_FORM(base64url)

/* Letters and underscores that begin and end with a letter, or nothing. */
static bool
is_typeid_prefix(const char *prefix, int len)
{
	if (len > PREFIX_MAX)
		return false;
	for (int i = 0; i < len; i++)
	{
		bool		inside = i > 0 && i < len - 1;

		if (!(prefix[i] >= 'a' && prefix[i] <= 'z') &&
			!(inside && prefix[i] == '_'))
			return false;
	}
	return true;
}

/*
 * typeid_prefix_length - the length of the prefix, without its underscore.
 *
 * Raises 22P02 unless prefix and underscore are as they must be.
 */
static int
typeid_prefix_length(const text *value)
{
	const char *data = VARDATA_ANY(value);
	int			len = VARSIZE_ANY_EXHDR(value) - typeid_form.digits;

	if (len == 0)
		return 0;
	if (len < 2 || data[len - 1] != '_' || !is_typeid_prefix(data, len - 1))
		uuidnew_invalid_id_text(&typeid_form, value);
	return len - 1;
}

/* Raises 22023 for a prefix that a TypeID can't have. */
static void
check_typeid_prefix(const text *prefix)
{
	if (!is_typeid_prefix(VARDATA_ANY(prefix), VARSIZE_ANY_EXHDR(prefix)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid prefix of TypeID: \"%s\"", text_to_cstring(prefix)),
				 errdetail("It has at most %d lower-case letters and underscores, and begins and ends with a letter.",
						   PREFIX_MAX)));
}

/* (uuid, prefix) -> text; an empty prefix has no underscore */
PG_FUNCTION_INFO_V1(uuid_to_typeid);
Datum
uuid_to_typeid(PG_FUNCTION_ARGS)
{
	const text *prefix = PG_GETARG_TEXT_PP(1);
	int			len = VARSIZE_ANY_EXHDR(prefix);
	int			first = len > 0 ? len + 1 : 0;
	text	   *result;

	check_typeid_prefix(prefix);
	result = uuid_to_text(&typeid_form, PG_GETARG_UUID_P(0), first);
	if (len > 0)
	{
		memcpy(VARDATA(result), VARDATA_ANY(prefix), len);
		VARDATA(result)[len] = '_';
	}
	PG_RETURN_TEXT_P(result);
}

/*
 * (text [, prefix]) -> uuid
 *
 * Raises 22P02 for a TypeID of another prefix, too.
 */
PG_FUNCTION_INFO_V1(typeid_to_uuid);
Datum
typeid_to_uuid(PG_FUNCTION_ARGS)
{
	const text *value = PG_GETARG_TEXT_PP(0);
	int			len = typeid_prefix_length(value);
	int			first = len > 0 ? len + 1 : 0;
	Datum		uuid = text_to_uuid(&typeid_form, value, first);

	if (PG_NARGS() > 1)
	{
		const text *prefix = PG_GETARG_TEXT_PP(1);

		check_typeid_prefix(prefix);
		if ((int) VARSIZE_ANY_EXHDR(prefix) != len ||
			memcmp(VARDATA_ANY(prefix), VARDATA_ANY(value), len) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("TypeID \"%s\" does not have the prefix \"%s\"",
							text_to_cstring(value), text_to_cstring(prefix)),
					 errdetail("Its prefix is \"%.*s\".",
							   len, VARDATA_ANY(value))));
	}
	return uuid;
}

/* The prefix of a text that is a TypeID as a whole. */
PG_FUNCTION_INFO_V1(typeid_prefix);
Datum
typeid_prefix(PG_FUNCTION_ARGS)
{
	const text *value = PG_GETARG_TEXT_PP(0);
	int			len = typeid_prefix_length(value);

	(void) text_to_uuid(&typeid_form, value, len > 0 ? len + 1 : 0);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(VARDATA_ANY(value), len));
}
