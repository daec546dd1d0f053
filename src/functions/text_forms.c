/*
 * text_forms.c
 *	  A UUID as short text for URLs, and back.
 *
 * A UUID has one text in each form; any other text raises 22P02.
 *
 * base32hex	26 characters, RFC 4648 7 without padding; read in either case
 * base58		22 characters, Bitcoin's alphabet, leading zeros as 1
 * base64url	22 characters, RFC 4648 5 without padding
 * TypeID		prefix, underscore, 26 characters; jetify-com/typeid 0.3
 *
 * In collation "C" the first two, and TypeIDs of a prefix, sort like UUIDs.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "functions/system_functions.h"

typedef struct UuidText
{
	const char *name;			/* as in messages */
	const char *rule;
	TextForm	form;
} UuidText;

static const UuidText base32hex_text = {
	.name = "base32hex UUID",
	.rule = gettext_noop("A base32hex UUID has 26 characters of 0-9 and A-V, and the last is 0, 4, 8, C, G, K, O or S."),
	.form = {&uuidnew_base32hex_upper, .digits = 26, .spare_bits = 2},
};

static const UuidText base58_text = {
	.name = "base58 UUID",
	.rule = gettext_noop("A base58 UUID has 22 digits and letters except 0, O, I and l, and is at most YcVfxkQb6JRzqk5kF2tNLv."),
	.form = {&uuidnew_base58, .digits = 22},
};

static const UuidText base64url_text = {
	.name = "base64url UUID",
	.rule = gettext_noop("A base64url UUID has 22 characters of A-Z, a-z, 0-9, - and _, and the last is A, Q, g or w."),
	.form = {&uuidnew_base64url, .digits = 22, .spare_bits = 4},
};

static const UuidText typeid_text = {
	.name = "TypeID",
	.rule = gettext_noop("A TypeID has a prefix of lower-case letters and underscores, an underscore, and 26 characters of 0-9 and a-z except i, l, o and u, of which the first is at most 7."),
	.form = {&uuidnew_base32_typeid, .digits = 26},
};

#define PREFIX_MAX	63

/* The UUID in a text, from character first on. */
static Datum
text_to_uuid(const UuidText *type, const text *value, int first)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	Number		id;

	if (!uuidnew_text_parse(&type->form, VARDATA_ANY(value) + first,
							VARSIZE_ANY_EXHDR(value) - first, &id) ||
		!number_fits(&id, UUID_LEN * BITS_PER_BYTE))
		uuidnew_invalid_text(type->name, type->rule, value);
	number_to_octets(&id, uuid->data, UUID_LEN);
	PG_RETURN_UUID_P(uuid);
}

/* The text of a UUID, after characters that the caller fills in */
static text *
uuid_to_text(const UuidText *type, const pg_uuid_t *uuid, int first)
{
	Size		size = VARHDRSZ + first + type->form.digits;
	text	   *result = palloc(size);

	SET_VARSIZE(result, size);
	uuidnew_text_format(&type->form,
						number_from_octets(uuid->data, UUID_LEN),
						VARDATA(result) + first);
	return result;
}

#define TEXT_FORM(type, to_text, to_uuid) \
	SQL_FUNCTION(to_text, \
				 PointerGetDatum(uuid_to_text(&type, PG_GETARG_UUID_P(0), 0))) \
	SQL_FUNCTION(to_uuid, text_to_uuid(&type, PG_GETARG_TEXT_PP(0), 0))

TEXT_FORM(base32hex_text, uuid_to_base32hex, base32hex_to_uuid)
TEXT_FORM(base58_text, uuid_to_base58, base58_to_uuid)
TEXT_FORM(base64url_text, uuid_to_base64url, base64url_to_uuid)

/* Empty, or letters and underscores that begin and end with a letter. */
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

/* The UUID in a TypeID, and the length of its prefix without underscore */
static Datum
parse_typeid(const text *value, int *prefix_len)
{
	const char *data = VARDATA_ANY(value);
	int			first = VARSIZE_ANY_EXHDR(value) - typeid_text.form.digits;

	*prefix_len = Max(first - 1, 0);
	if (first != 0 &&
		(first < 2 || data[first - 1] != '_' ||
		 !is_typeid_prefix(data, first - 1)))
		uuidnew_invalid_text(typeid_text.name, typeid_text.rule, value);
	return text_to_uuid(&typeid_text, value, first);
}

/* Raises 22023 for an invalid prefix. */
static void
check_typeid_prefix(const text *prefix)
{
	if (!is_typeid_prefix(VARDATA_ANY(prefix), VARSIZE_ANY_EXHDR(prefix)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid prefix of TypeID: \"%s\"", text_to_cstring(prefix)),
				 errdetail("A prefix has at most %d lower-case letters and underscores, and begins and ends with a letter.",
						   PREFIX_MAX)));
}

/* (uuid, prefix) -> text, without an underscore if the prefix is empty */
PG_FUNCTION_INFO_V1(uuid_to_typeid);
Datum
uuid_to_typeid(PG_FUNCTION_ARGS)
{
	const text *prefix = PG_GETARG_TEXT_PP(1);
	int			len = VARSIZE_ANY_EXHDR(prefix);
	int			first = len > 0 ? len + 1 : 0;
	text	   *result;

	check_typeid_prefix(prefix);
	result = uuid_to_text(&typeid_text, PG_GETARG_UUID_P(0), first);
	if (len > 0)
	{
		memcpy(VARDATA(result), VARDATA_ANY(prefix), len);
		VARDATA(result)[len] = '_';
	}
	PG_RETURN_TEXT_P(result);
}

/* (text [, prefix]) -> uuid; raises 22P02 for another prefix. */
PG_FUNCTION_INFO_V1(typeid_to_uuid);
Datum
typeid_to_uuid(PG_FUNCTION_ARGS)
{
	const text *value = PG_GETARG_TEXT_PP(0);
	int			len;
	Datum		uuid = parse_typeid(value, &len);

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
					 errdetail("The prefix is \"%.*s\".",
							   len, VARDATA_ANY(value))));
	}
	return uuid;
}

/* (text) -> text */
PG_FUNCTION_INFO_V1(typeid_prefix);
Datum
typeid_prefix(PG_FUNCTION_ARGS)
{
	const text *value = PG_GETARG_TEXT_PP(0);
	int			len;

	(void) parse_typeid(value, &len);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(VARDATA_ANY(value), len));
}
