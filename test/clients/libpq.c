/*
 * libpq in the binary protocol: keys are 16 bytes, times are microseconds
 * since 2000, a number of 8 bytes, the highest first.
 */
#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#define UUID_OID 2950
#define TIMESTAMPTZ_OID 1184
#define UNIX_EPOCH_IN_2000 INT64_C(946684800)	/* seconds */

typedef struct Uuid
{
	unsigned char bytes[16];
} Uuid;

static PGconn *conn;

static void
ok(bool passed, const char *name)
{
	static int	tests = 0;

	printf("%sok %d - %s\n", passed ? "" : "not ", ++tests, name);
	if (!passed)
		exit(1);
}

/* Parameters and results in binary; types[i] = 0 lets the server infer. */
static PGresult *
query(const char *sql, int n, const Oid *types, const char *const *values,
	  const int *lengths)
{
	static const int binary[] = {1, 1};
	PGresult   *result =
		PQexecParams(conn, sql, n, types, values, lengths, binary, 1);

	if (PQresultStatus(result) != PGRES_TUPLES_OK &&
		PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		fputs(PQerrorMessage(conn), stderr);
		exit(1);
	}
	return result;
}

static Uuid
get_uuid(const PGresult *result, int row, int column)
{
	Uuid		id;

	memcpy(id.bytes, PQgetvalue(result, row, column), sizeof(id.bytes));
	return id;
}

static int64_t
get_time(const PGresult *result, int row, int column)
{
	uint64_t	bits;

	memcpy(&bits, PQgetvalue(result, row, column), sizeof(bits));
	return (int64_t) be64toh(bits);
}

/* Two times as parameters. */
static PGresult *
query_times(const char *sql, int64_t a, int64_t b)
{
	uint64_t	bits[] = {htobe64((uint64_t) a), htobe64((uint64_t) b)};

	return query(sql, 2, (Oid[]) {TIMESTAMPTZ_OID, TIMESTAMPTZ_OID},
				 (const char *[]) {(char *) &bits[0], (char *) &bits[1]},
				 (int[]) {8, 8});
}

int
main(void)
{
	/* February 2020, UTC */
	int64_t		since = (1580515200 - UNIX_EPOCH_IN_2000) * 1000000;
	int64_t		until = (1583020800 - UNIX_EPOCH_IN_2000) * 1000000;
	PGresult   *result;
	Uuid		first,
				last = {{0}};
	int			in_order = 0;

	conn = PQconnectdb("");		/* PGHOST, PGPORT, PGUSER, PGDATABASE */
	query("CREATE EXTENSION uuidnew", 0, NULL, NULL, NULL);
	query("CREATE TABLE orders ("
		  "    id   uuid PRIMARY KEY DEFAULT uuidv7()"
		  "         CHECK (uuidv7_is(id)),"
		  "    item text NOT NULL)", 0, NULL, NULL, NULL);

	result = query("INSERT INTO orders (item) VALUES ($1) RETURNING id", 1,
				   NULL, (const char *[]) {"item 0"}, (int[]) {6});
	first = get_uuid(result, 0, 0);
	ok(PQgetlength(result, 0, 0) == 16 && first.bytes[6] >> 4 == 7,
	   "a key is 16 bytes, of version 7");

	query("INSERT INTO orders (item)"
		  " SELECT 'item ' || n FROM generate_series(1, 1000) n", 0, NULL, NULL,
		  NULL);

	/* is each row the next one, and its key greater? */
	result = query("SELECT id, item FROM orders ORDER BY id", 0, NULL, NULL,
				   NULL);
	for (int i = 0; i < PQntuples(result); i++)
	{
		Uuid		id = get_uuid(result, i, 0);
		char		item[20];

		sprintf(item, "item %d", i);
		in_order += strlen(item) == (size_t) PQgetlength(result, i, 1) &&
			memcmp(PQgetvalue(result, i, 1), item, strlen(item)) == 0 &&
			memcmp(id.bytes, last.bytes, 16) > 0;
		last = id;
	}
	ok(PQntuples(result) == 1001 && in_order == 1001,
	   "sorted by key in the database and by memcmp: as inserted");

	result = query("SELECT id FROM orders WHERE id = $1", 1,
				   (Oid[]) {UUID_OID}, (const char *[]) {(char *) first.bytes},
				   (int[]) {16});
	ok(PQntuples(result) == 1 &&
	   memcmp(PQgetvalue(result, 0, 0), first.bytes, 16) == 0,
	   "a key comes back as a parameter");

	query_times("INSERT INTO orders (id, item) VALUES (uuidv7_at($1), 'before'),"
				"    (uuidv7_at($2), 'until')", since - 1000, until);
	query_times("INSERT INTO orders (id, item) VALUES (uuidv7_at($1), 'since'),"
				"    (uuidv7_at($2), 'last')", since, until - 1000);

	result = query_times("SELECT uuidv7_timestamp(id), item FROM orders"
						 " WHERE uuidv7_between(id, $1, $2) ORDER BY id",
						 since, until);
	ok(PQntuples(result) == 2 &&
	   memcmp(PQgetvalue(result, 0, 1), "since", 5) == 0 &&
	   memcmp(PQgetvalue(result, 1, 1), "last", 4) == 0,
	   "a window has its start and not its end");
	ok(get_time(result, 0, 0) == since &&
	   get_time(result, 1, 0) == until - 1000,
	   "the time of a key is read");

	query("DROP TABLE orders", 0, NULL, NULL, NULL);
	PQfinish(conn);
	return 0;
}
