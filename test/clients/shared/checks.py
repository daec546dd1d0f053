"""What the programs for Python's ORMs have to show, of a table in each layout."""
import uuid
from datetime import datetime, timedelta, timezone

tests = 0
since = datetime(2020, 2, 1, tzinfo=timezone.utc)
until = datetime(2020, 3, 1, tzinfo=timezone.utc)
defaults = {"draft": "uuid_generate_v7()", "rfc9562": "uuidv7()"}


def ok(passed, name):
    global tests
    assert passed, name
    tests += 1
    print(f"ok {tests} - {name}")


def check(layout, table):
    """table has a name, and the client's functions."""
    def name(what):
        return f"{layout}: {what}"

    ((definition,),) = table.query(f"""
        SELECT concat_ws(' ', format_type(atttypid, atttypmod), 'DEFAULT', pg_get_expr(adbin, adrelid), (
            SELECT string_agg(pg_get_constraintdef(oid), ' ' ORDER BY contype DESC) FROM pg_constraint
            WHERE conrelid = attrelid AND contype IN ('p', 'c')))
        FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = '{table.name}'::regclass AND attname = 'id'""")
    ok(definition == f"uuid DEFAULT {defaults[layout]} PRIMARY KEY (id) "
       f"CHECK ((uuid_v7_layout(id) = '{layout}'::text))", name("the table has the default and the guard"))

    key = table.insert("item 0")
    ok(isinstance(key, uuid.UUID) and key.version == 7, name("a key is a uuid.UUID, of version 7"))

    items = [f"item {n}" for n in range(1, 1001)]
    keys = [key, *table.insert_many(items)]
    ok(len(set(keys)) == 1001, name("each of many rows returns its key"))

    rows = table.all()
    ok([row.item for row in rows] == ["item 0", *items], name("sorted by key in the database: as inserted"))
    ok([row.id for row in rows] == sorted(keys), name("sorted by key in the client: the same"))
    ok(table.find(keys[500]).item == "item 500", name("a key comes back as a parameter"))

    seen = []
    last = uuid.UUID(int=0)
    more = True
    while more:
        rows = table.page(last, 100)
        seen += [row.id for row in rows]
        last = seen[-1]
        more = len(rows) == 100
    ok(seen == keys, name("pages by key: every row once, in order"))

    times = [since - timedelta(microseconds=1), since, until - timedelta(microseconds=1), until]
    for time in times:
        table.insert_at(time, str(time))
    february = table.window(since, until)
    ok([row[0] for row in february] == ["2020-02-01 00:00:00+00:00", "2020-02-29 23:59:59.999999+00:00"],
       name("a window has its start and not its end"))
    unit = timedelta(microseconds=1 if layout == "draft" else 1000)
    ok([row[1] for row in february] == [time - (time - since) % unit for time in times[1:3]],
       name("the time of a key is a datetime"))

    table.query(f"ANALYZE {table.name}")
    ok("Index Cond: ((id >= " in table.explain(since, until), name("a window with parameters uses the index"))
    table.query(f"DROP TABLE {table.name}")
