"""psycopg 3: keys are uuid.UUID, times are datetime, to the microsecond."""
import uuid
from datetime import datetime, timedelta, timezone

import psycopg

tests = 0


def ok(passed, name):
    global tests
    assert passed, name
    tests += 1
    print(f"ok {tests} - {name}")


conn = psycopg.connect(autocommit=True)  # PGHOST, PGPORT, PGUSER, PGDATABASE

conn.execute("""
    CREATE EXTENSION uuidnew;
    CREATE TABLE orders (
        id   uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
        item text NOT NULL
    )""")

(key,) = conn.execute(
    "INSERT INTO orders (item) VALUES (%s) RETURNING id", ["item 0"]).fetchone()
ok(isinstance(key, uuid.UUID) and key.version == 7, "a key is a uuid.UUID, of version 7")

items = [f"item {n}" for n in range(1, 1001)]
with conn.cursor().copy("COPY orders (item) FROM STDIN") as copy:
    for item in items:
        copy.write_row([item])

rows = conn.execute("SELECT id, item FROM orders ORDER BY id").fetchall()
keys = [row[0] for row in rows]
ok([row[1] for row in rows] == ["item 0", *items], "sorted by key in the database: as inserted")
ok(keys == sorted(keys) and keys[0] == key, "sorted by key in the client: the same")

found = conn.execute("SELECT item FROM orders WHERE id = %s", [keys[500]]).fetchall()
ok(found == [("item 500",)], "a key comes back as a parameter")
with conn.cursor(binary=True) as cur:
    found = cur.execute("SELECT id FROM orders WHERE id = %b", [keys[500]]).fetchone()
ok(found == (keys[500],), "and in binary")


since = datetime(2020, 2, 1, tzinfo=timezone.utc)
until = datetime(2020, 3, 1, tzinfo=timezone.utc)
times = [since - timedelta(milliseconds=1), since, until - timedelta(milliseconds=1), until]
conn.cursor().executemany(
    "INSERT INTO orders (id, item) VALUES (uuidv7_at(%s), %s)",
    [(time, str(time)) for time in times])

february = conn.execute(
    """SELECT item, uuidv7_timestamp(id) FROM orders
       WHERE uuidv7_between(id, %s, %s) ORDER BY id""", [since, until]).fetchall()
ok([row[0] for row in february] == ["2020-02-01 00:00:00+00:00", "2020-02-29 23:59:59.999000+00:00"],
   "a window has its start and not its end")
ok([row[1] for row in february] == times[1:3], "the time of a key is a datetime")

conn.execute("ANALYZE orders")
plan = conn.execute(
    "EXPLAIN SELECT item FROM orders WHERE uuidv7_between(id, %s, %s)", [since, until]).fetchall()
ok(any("Index Cond" in line and "(id >= " in line for (line,) in plan), "a window with parameters uses the index")

conn.execute("DROP TABLE orders")
conn.close()
