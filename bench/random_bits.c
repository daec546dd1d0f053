/*
 * random_bits.c
 *	  Prints the random bits of UUIDs, packed into octets: bench/randomness.
 *
 * usage: random_bits LAYOUT clock|at OCTETS <uuids >bits
 *		  random_bits list
 *
 * Standard input has UUIDs of the layout in the format of COPY BINARY.  The
 * version, variant, timestamp and sequence are left out, and the node's bits
 * that it lends to a used-up sequence.  UUIDs for a given time ("at") have a
 * random sequence, which is not.
 *
 * "list" prints each layout's name and how many random bits its UUIDs have: by
 * the clock while the sequence lasts and when it is used up, and for a given
 * time.
 */
#include "postgres.h"

#include <stdio.h>

#include "keys/layout.h"

#undef fprintf
#undef printf

#define COPY_SIGNATURE	"PGCOPY\n\377\r\n"
#define COPY_HEADER		(11 + 4 + 4)	/* signature, flags, extension */

typedef unsigned __int128 Wide;

/* Before each UUID: 1 field, of 16 octets */
static const uint8 tuple_start[] = {0, 1, 0, 0, 0, UUID_LEN};

static const UuidFamily *const versions[] = {
	&uuidnew_v6, &uuidnew_v7, &uuidnew_v8
};

static const char *
name_of(const UuidLayout *layout)
{
	return layout->name != NULL ? layout->name : "v6";
}

static const UuidLayout *
find_layout(const char *name)
{
	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
		{
			if (strcmp(name_of(&versions[v]->layouts[i]), name) == 0)
				return &versions[v]->layouts[i];
		}
	}
	return NULL;
}

static void
list(void)
{
	for (int v = 0; v < (int) lengthof(versions); v++)
	{
		for (int i = 0; i < versions[v]->nlayouts; i++)
		{
			const UuidLayout *layout = &versions[v]->layouts[i];

			printf("%d %s %d %d %d\n", layout->version, name_of(layout),
				   layout->node_bits,
				   layout->node_bits - layout->overflow_bits,
				   layout->node_bits + layout->sequence_bits);
		}
	}
}

/* Prints whole octets and keeps what is left; returns how many. */
static uint64
put_bits(unsigned __int128 bits, int n)
{
	static unsigned __int128 kept = 0;
	static int	nkept = 0;
	uint64		octets = 0;

	kept = kept << n | bits;
	nkept += n;
	while (nkept >= BITS_PER_BYTE)
	{
		nkept -= BITS_PER_BYTE;
		putchar((uint8) (kept >> nkept));
		octets++;
	}
	kept &= ((Wide) 1 << nkept) - 1;
	return octets;
}

static void
put_random_bits(const UuidLayout *layout, bool at, uint64 octets)
{
	uint8		header[COPY_HEADER];
	uint8		tuple[sizeof(tuple_start) + UUID_LEN];

	if (fread(header, COPY_HEADER, 1, stdin) != 1 ||
		memcmp(header, COPY_SIGNATURE, sizeof(COPY_SIGNATURE)) != 0)
	{
		fprintf(stderr, "random_bits: this is not COPY BINARY\n");
		exit(1);
	}
	while (octets > 0)
	{
		pg_uuid_t	uuid;
		UuidPayload payload;
		Wide		bits;
		uint64		sequence;
		uint64		put;
		int			n = layout->node_bits;

		if (fread(tuple, sizeof(tuple), 1, stdin) != 1 ||
			memcmp(tuple, tuple_start, sizeof(tuple_start)) != 0)
		{
			fprintf(stderr, "random_bits: there are too few UUIDs\n");
			exit(1);
		}
		memcpy(uuid.data, tuple + sizeof(tuple_start), UUID_LEN);
		if (uuid_version_of(&uuid) != layout->version)
		{
			fprintf(stderr, "random_bits: a UUID is of another version\n");
			exit(1);
		}

		payload = uuid_unpack(&uuid);
		bits = (Wide) payload.hi << UUID_LO_BITS | payload.lo;
		sequence = bits >> layout->node_bits & low_bits(layout->sequence_bits);
		if (at)
			n += layout->sequence_bits;
		else if (sequence == low_bits(layout->sequence_bits))
			n -= layout->overflow_bits;
		put = put_bits(bits & (((Wide) 1 << n) - 1), n);
		octets -= Min(put, octets);
	}

	/* so that who writes them does not fail */
	while (fread(tuple, 1, sizeof(tuple), stdin) > 0)
		 /* read on */ ;
}

int
main(int argc, char **argv)
{
	const UuidLayout *layout;

	if (argc == 2 && strcmp(argv[1], "list") == 0)
	{
		list();
		return 0;
	}
	if (argc != 4 || (layout = find_layout(argv[1])) == NULL)
	{
		fprintf(stderr, "usage: random_bits LAYOUT clock|at OCTETS\n");
		return 1;
	}
	put_random_bits(layout, strcmp(argv[2], "at") == 0,
					strtoull(argv[3], NULL, 10));
	return ferror(stdout) || fclose(stdout) != 0;
}
