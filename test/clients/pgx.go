// pgx 5; pgx 4 where there is no other: keys are [16]byte, times are time.Time, to the microsecond.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"reflect"
	"sort"
	"strings"
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

func page(after Key, size int) []Row {
	return scan(query(
		"SELECT id, item FROM orders WHERE id > $1 ORDER BY id LIMIT $2", after, size))
}

// The page's last row comes first.
func previous(before Key, size int) []Row {
	return scan(query(
		"SELECT id, item FROM orders WHERE id < $1 ORDER BY id DESC LIMIT $2", before, size))
}

const window = `
	SELECT uuidv7_timestamp(id), item FROM orders
	WHERE uuidv7_between(id, $1, $2) ORDER BY id`

const todayByHour = `
	SELECT date_trunc('hour', uuidv7_timestamp(id), $2), count(*)::text FROM orders
	WHERE uuidv7_between(id, date_trunc('day', $1::timestamptz, $2), $1)
	GROUP BY 1 ORDER BY 1`

const deleteBefore = "DELETE FROM orders WHERE uuidv7_before(id, $1)"

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

	var seen []Row
	var last Key // of zeros
	for rows := page(last, 100); len(rows) > 0; rows = page(last, 100) {
		seen = append(seen, rows...)
		last = seen[len(seen)-1].id
	}
	ok(reflect.DeepEqual(seen, all), "pages forward: every row once, in order")

	var back []Row
	for rows := previous(last, 100); len(rows) > 0; rows = previous(last, 100) {
		back = append(back, rows...)
		last = back[len(back)-1].id
	}
	for a, b := 0, len(back)-1; a < b; a, b = a+1, b-1 {
		back[a], back[b] = back[b], back[a]
	}
	ok(reflect.DeepEqual(back, all[:1000]), "pages back: every row once, in order")

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

	exec("ANALYZE orders")
	var plan []string
	lines := query("EXPLAIN "+window, since, until)
	for lines.Next() {
		var line string
		must(lines.Scan(&line))
		plan = append(plan, line)
	}
	must(lines.Err())
	ok(strings.Contains(strings.Join(plan, "\n"), "Index Cond: ((id >= "), "a window with parameters uses the index")

	midnight := time.Date(2020, 2, 19, 18, 30, 0, 0, time.UTC) // in India
	now := midnight.Add(12 * time.Hour)
	for _, made := range []time.Time{midnight.Add(-unit), midnight, midnight.Add(unit), now.Add(-unit), now} {
		insertAt(made, "today")
	}
	hours, counts := timed(query(todayByHour, now, "Asia/Kolkata"))
	ok(reflect.DeepEqual(hours, []time.Time{midnight, now.Add(-time.Hour)}) &&
		reflect.DeepEqual(counts, []string{"2", "1"}), "today by the hour, in a time zone")

	exec(deleteBefore, until)
	ok(reflect.DeepEqual(scan(query("SELECT id, item FROM orders ORDER BY id"))[1:], all),
		"rows from before a time are deleted, and no others")
}
