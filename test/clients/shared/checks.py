"""What the programs for Python's ORMs have to show."""
import uuid
from datetime import datetime, timedelta, timezone

from shared.key import bound, time_of

tests = 0
since = datetime(2020, 2, 1, tzinfo=timezone.utc)
until = datetime(2020, 3, 1, tzinfo=timezone.utc)


def ok(passed, name):
    global tests
    assert passed, name
    tests += 1
    print(f"ok {tests} - {name}")


def check(table):
    """table has the client's functions, for a table orders (id, item)."""
    ((definition,),) = table.query("""
        SELECT concat_ws(' ', format_type(atttypid, atttypmod), 'DEFAULT', pg_get_expr(adbin, adrelid), (
            SELECT string_agg(pg_get_constraintdef(oid), ' ' ORDER BY contype DESC) FROM pg_constraint
            WHERE conrelid = attrelid AND contype IN ('p', 'c')))
        FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = 'orders'::regclass AND attname = 'id'""")
    ok(definition == "uuid DEFAULT uuidv7() PRIMARY KEY (id) CHECK (uuidv7_is(id))",
       "the migration makes the extension, the default and the CHECK")

    one, two = table.make("item 0"), table.make("item 1")
    ok(one.id is None and one != two, "unsaved objects have no key, and differ")
    table.save(one)
    ok(isinstance(one.id, uuid.UUID) and one.id.version == 7, "a saved one has a key, a uuid.UUID of version 7")
    table.save(two)
    ok(len({one, two}) == 2 and table.find(one.id) == one, "saved objects are themselves in a set")

    items = [f"item {n}" for n in range(2, 1001)]
    objects = [one, two, *table.insert_many(items)]
    keys = [row.id for row in objects]
    ok(len(set(keys)) == 1001, "each of many rows returns its key")
    for row in objects[:5]:
        row.item += " changed"
        table.save(row)
    ok([row.item for row in table.all()][:6] == [f"item {n} changed" for n in range(5)] + ["item 5"],
       "an object that is saved again is updated")

    rows = table.all()
    ok([row.id for row in rows] == keys, "sorted by key in the database: as inserted, none twice")
    ok(keys == sorted(keys), "sorted by key in the client: the same")

    unit = timedelta(milliseconds=1)
    times = [since - unit, since, until - unit, until]
    for time in times:
        table.insert_at(time, str(time))
    february = table.window(since, until)
    ok([row[0] for row in february] == [str(time) for time in times[1:3]], "a window has its start and not its end")
    ok([row[1] for row in february] == times[1:3], "the time of a key is a datetime")

    ok([row.item for row in table.filter(since, until)] == [row[0] for row in february],
       "the ORM's own filter has the same window")

    # random times of the whole range, the same in each run
    sample = table.query("""
        SELECT time, uuidv7_min(time) AS least
        FROM (SELECT to_timestamp(3.298e9 * cast(cast('x' || md5(cast(n AS text)) AS bit(32)) AS bigint) / 4294967296)
                     AS time
              FROM generate_series(1, 10000) n) times""")
    ok(all(bound(time) == least for time, least in sample), "bound() is uuidv7_min() at ten thousand times")
    ok(all(timedelta(0) <= time_of(least) - time < timedelta(milliseconds=1) for time, least in sample),
       "time_of() is their time, rounded up to the millisecond")

    table.query("ANALYZE orders")
    ok("Index Cond: ((id >= " in table.explain(since, until), "a window with parameters uses the index")

    table.delete_before(until)
    ok([row.id for row in table.all()[1:]] == keys and table.all()[0].item == str(until),
       "rows from before a time are deleted, and no others")
    table.query("DROP TABLE orders")
