// JDBC: keys are java.util.UUID, times are OffsetDateTime, to the microsecond.
import java.sql.*;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.*;
import java.util.stream.IntStream;

class JdbcTest {
    static int tests = 0;

    static void is(Object actual, Object expected, String name) {
        if (!actual.equals(expected)) throw new AssertionError(name + ": " + actual + ", not " + expected);
        System.out.println("ok " + ++tests + " - " + name);
    }

    static UUID bound(OffsetDateTime time) {
        var ms = time.plusNanos(999_999).toInstant().toEpochMilli();
        return new UUID(ms << 16 | 0x7000, Long.MIN_VALUE);
    }

    static Instant timeOf(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }

    public static void main(String[] args) throws SQLException {
        var env = System.getenv(); // the driver does not read it, and knows no Unix socket
        var url = "jdbc:postgresql://" + env.get("PGHOST") + ":" + env.get("PGPORT") + "/" + env.get("PGDATABASE");
        try (var conn = DriverManager.getConnection(url, env.get("PGUSER"), null)) {
            test(conn);
        }
    }

    static void test(Connection conn) throws SQLException {
        conn.createStatement().execute("""
            CREATE EXTENSION uuidnew;
            CREATE TABLE orders (
                id   uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
                item text NOT NULL
            )""");

        UUID id;
        try (var insert = conn.prepareStatement("INSERT INTO orders (item) VALUES (?) RETURNING id")) {
            insert.setString(1, "item 0");
            var row = insert.executeQuery();
            row.next();
            id = row.getObject("id", UUID.class);
        }
        is(id.version(), 7, "a key is a UUID, of version 7");

        var items = IntStream.rangeClosed(1, 1000).mapToObj(n -> "item " + n).toList();
        var ids = new ArrayList<>(List.of(id));
        try (var insert = conn.prepareStatement("INSERT INTO orders (item) VALUES (?)", new String[] {"id"})) {
            for (var item : items) {
                insert.setString(1, item);
                insert.addBatch();
            }
            insert.executeBatch();
            var keys = insert.getGeneratedKeys();
            while (keys.next()) ids.add(keys.getObject("id", UUID.class));
        }
        is(ids.size(), 1001, "each of many rows returns its key");

        var inOrder = new ArrayList<String>();
        var all = conn.createStatement().executeQuery("SELECT item FROM orders WHERE item <> 'item 0' ORDER BY id");
        while (all.next()) inOrder.add(all.getString("item"));
        is(inOrder, items, "sorted by key in the database: as inserted");
        is(ids.stream().sorted().toList(), ids, "sorted by key in the client: the same");

        var since = OffsetDateTime.parse("2020-02-01T00:00:00Z");
        var until = OffsetDateTime.parse("2020-03-01T00:00:00Z");
        var times = List.of(since.minus(1, ChronoUnit.MILLIS), since, until.minus(1, ChronoUnit.MILLIS), until);
        for (var time : times) {
            var insert = conn.prepareStatement("INSERT INTO orders (id, item) VALUES (uuidv7_at(?), ?)");
            insert.setObject(1, time);
            insert.setString(2, time.toString());
            insert.executeUpdate();
        }

        var found = new ArrayList<OffsetDateTime>();
        try (var window = conn.prepareStatement("""
                SELECT item, uuidv7_timestamp(id) AS created FROM orders
                WHERE uuidv7_between(id, ?, ?) ORDER BY id""")) {
            window.setObject(1, since);
            window.setObject(2, until);
            var row = window.executeQuery();
            while (row.next()) found.add(row.getObject("created", OffsetDateTime.class));
        }
        is(found, times.subList(1, 3), "a window has its start and not its end");

        var own = conn.prepareStatement("SELECT count(*) FROM orders WHERE id >= ? AND id < ?");
        own.setObject(1, bound(since));
        own.setObject(2, bound(until));
        var count = own.executeQuery();
        count.next();
        is(count.getInt(1), found.size(), "keys made in the program bound the same window");

        // random times of the whole range, the same in each run
        var sample = conn.createStatement().executeQuery("""
            SELECT time, uuidv7_min(time) AS least
            FROM (SELECT to_timestamp(3.298e9 * ('x' || md5(n::text))::bit(32)::bigint / 4294967296) AS time
                  FROM generate_series(1, 10000) n) times""");
        int right = 0;
        while (sample.next()) {
            var time = sample.getObject("time", OffsetDateTime.class);
            var least = sample.getObject("least", UUID.class);
            var late = ChronoUnit.MICROS.between(time.toInstant(), timeOf(least));
            if (bound(time).equals(least) && late >= 0 && late < 1000) right++;
        }
        is(right, 10000, "bound is uuidv7_min at ten thousand times, and timeOf their time");

        conn.createStatement().execute("DROP TABLE orders");
    }
}
