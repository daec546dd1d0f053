// pgx 5; pgx 4 where there is no other: keys are [16]byte, times are time.Time, to the microsecond.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"reflect"
	"sort"
	"time"

	"github.com/jackc/pgx/v5"
)

type Key [16]byte

type Row struct {
	id   Key
	item string
}

var (
	ctx   = context.Background()
	conn  *pgx.Conn
	tests int
)

func ok(passed bool, name string) {
	if !passed {
		log.Fatal("not ok - ", name)
	}
	tests++
	fmt.Printf("ok %d - %s\n", tests, name)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func exec(sql string, args ...interface{}) {
	_, err := conn.Exec(ctx, sql, args...)
	must(err)
}

func query(sql string, args ...interface{}) pgx.Rows {
	rows, err := conn.Query(ctx, sql, args...)
	must(err)
	return rows
}

func scan(rows pgx.Rows) (found []Row) {
	defer rows.Close()
	for rows.Next() {
		var row Row
		must(rows.Scan(&row.id, &row.item))
		found = append(found, row)
	}
	must(rows.Err())
	return found
}

func columns(rows []Row) (ids []Key, items []string) {
	for _, row := range rows {
		ids = append(ids, row.id)
		items = append(items, row.item)
	}
	return ids, items
}

func insert(item string) (id Key) {
	row := conn.QueryRow(ctx, "INSERT INTO orders (item) VALUES ($1) RETURNING id", item)
	must(row.Scan(&id))
	return id
}

func insertMany(items []string) []Row {
	return scan(query(
		"INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id, item", items))
}

const window = `
	SELECT uuidv7_timestamp(id), item FROM orders
	WHERE uuidv7_between(id, $1, $2) ORDER BY id`

func timed(rows pgx.Rows) (times []time.Time, texts []string) {
	defer rows.Close()
	for rows.Next() {
		var made time.Time
		var text string
		must(rows.Scan(&made, &text))
		times = append(times, made.UTC())
		texts = append(texts, text)
	}
	must(rows.Err())
	return times, texts
}

func insertAt(made time.Time, item string) {
	exec("INSERT INTO orders (id, item) VALUES (uuidv7_at($1), $2)", made, item)
}

func bound(t time.Time) (id Key) {
	ms := t.Add(time.Millisecond - 1).UnixMilli()
	binary.BigEndian.PutUint64(id[:], uint64(ms)<<16|0x7000)
	id[8] = 0x80
	return id
}

func timeOf(id Key) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:]) >> 16))
}

func main() {
	var err error
	conn, err = pgx.Connect(ctx, "") // PGHOST, PGPORT, PGUSER, PGDATABASE
	must(err)
	defer conn.Close(ctx)

	exec(`
		CREATE EXTENSION uuidnew;
		CREATE TABLE orders (
			id   uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
			item text NOT NULL
		)`)

	id := insert("item 0")
	ok(id[6]>>4 == 7 && id[8]>>6 == 2, "a key is 16 bytes, of version 7")

	var many []string
	for n := 1; n <= 1000; n++ {
		many = append(many, fmt.Sprintf("item %d", n))
	}
	inserted := append([]Row{{id, "item 0"}}, insertMany(many)...)

	all := scan(query("SELECT id, item FROM orders ORDER BY id"))
	_, items := columns(all)
	ok(reflect.DeepEqual(items, append([]string{"item 0"}, many...)),
		"sorted by key in the database: as inserted")
	sort.Slice(inserted, func(a, b int) bool { return bytes.Compare(inserted[a].id[:], inserted[b].id[:]) < 0 })
	ok(reflect.DeepEqual(all, inserted), "sorted by key in the client: the same, of each row")

	found := scan(query("SELECT id, item FROM orders WHERE id = $1", all[500].id))
	ok(reflect.DeepEqual(found, all[500:501]), "a key comes back as a parameter")

	const unit = time.Millisecond
	since := time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC)
	until := time.Date(2020, 3, 1, 0, 0, 0, 0, time.UTC)
	times := []time.Time{since.Add(-unit), since, until.Add(-unit), until}
	for _, made := range times {
		insertAt(made, made.String())
	}
	created, items := timed(query(window, since, until))
	ok(reflect.DeepEqual(items, []string{times[1].String(), times[2].String()}),
		"a window has its start and not its end")
	ok(reflect.DeepEqual(created, times[1:3]), "the time of a key is a time.Time")

	_, own := columns(scan(query(
		"SELECT id, item FROM orders WHERE id >= $1 AND id < $2 ORDER BY id", bound(since), bound(until))))
	ok(reflect.DeepEqual(own, items), "keys made in the program bound the same window")

	// random times of the whole range, the same in each run
	sample := query(`
		SELECT time, uuidv7_min(time)
		FROM (SELECT to_timestamp(3.298e9 * ('x' || md5(n::text))::bit(32)::bigint / 4294967296) AS time
		      FROM generate_series(1, 10000) n) times`)
	right := 0
	for sample.Next() {
		var at time.Time
		var least Key
		must(sample.Scan(&at, &least))
		late := timeOf(least).Sub(at)
		if bound(at) == least && late >= 0 && late < unit {
			right++
		}
	}
	must(sample.Err())
	ok(right == 10000, "bound is uuidv7_min at ten thousand times, and timeOf their time")
}
