// pgx: keys are [16]byte, times are time.Time, to the microsecond.
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

	"github.com/jackc/pgx/v4"
)

type Key [16]byte

type Row struct {
	id   Key
	item string
}

var (
	ctx    = context.Background()
	conn   *pgx.Conn
	layout *strings.Replacer // the statements are written for the draft's layout
	tests  int
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
	_, err := conn.Exec(ctx, layout.Replace(sql), args...)
	must(err)
}

func query(sql string, args ...interface{}) pgx.Rows {
	rows, err := conn.Query(ctx, layout.Replace(sql), args...)
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
	row := conn.QueryRow(ctx, layout.Replace("INSERT INTO orders (item) VALUES ($1) RETURNING id"), item)
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

const window = `
	SELECT item, uuid_v7_timestamp(id) FROM orders
	WHERE uuid_v7_between(id, $1, $2) ORDER BY id`

func february(since, until time.Time) (items []string, times []time.Time) {
	rows := query(window, since, until)
	defer rows.Close()
	for rows.Next() {
		var item string
		var created time.Time
		must(rows.Scan(&item, &created))
		items = append(items, item)
		times = append(times, created.UTC())
	}
	must(rows.Err())
	return items, times
}

func check(name string, unit time.Duration) {
	exec(`CREATE TABLE orders (
		id   uuid PRIMARY KEY DEFAULT uuid_generate_v7() CHECK (uuid_v7_layout(id) = 'draft'),
		item text NOT NULL
	)`)

	id := insert("item 0")
	ok(id[6]>>4 == 7 && id[8]>>6 == 2, name+": a key is 16 bytes, of version 7")

	var many []string
	for n := 1; n <= 1000; n++ {
		many = append(many, fmt.Sprintf("item %d", n))
	}
	inserted := append([]Row{{id, "item 0"}}, insertMany(many)...)

	all := scan(query("SELECT id, item FROM orders ORDER BY id"))
	_, items := columns(all)
	ok(reflect.DeepEqual(items, append([]string{"item 0"}, many...)),
		name+": sorted by key in the database: as inserted")
	sort.Slice(inserted, func(a, b int) bool { return bytes.Compare(inserted[a].id[:], inserted[b].id[:]) < 0 })
	ok(reflect.DeepEqual(all, inserted), name+": sorted by key in the client: the same")

	found := scan(query("SELECT id, item FROM orders WHERE id = $1", all[500].id))
	ok(reflect.DeepEqual(found, all[500:501]), name+": a key comes back as a parameter")

	var seen []Row
	var last Key // of zeros
	for more := true; more; {
		rows := page(last, 100)
		seen = append(seen, rows...)
		last = seen[len(seen)-1].id
		more = len(rows) == 100
	}
	ok(reflect.DeepEqual(seen, all), name+": pages by key: every row once, in order")

	since := time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC)
	until := time.Date(2020, 3, 1, 0, 0, 0, 0, time.UTC)
	times := []time.Time{since.Add(-unit), since, until.Add(-unit), until}
	for _, made := range times {
		exec("INSERT INTO orders (id, item) VALUES (uuid_generate_v7_at($1), $2)", made, made.String())
	}
	items, created := february(since, until)
	ok(reflect.DeepEqual(items, []string{times[1].String(), times[2].String()}),
		name+": a window has its start and not its end")
	ok(reflect.DeepEqual(created, times[1:3]), name+": the time of a key is a time.Time")

	exec("ANALYZE orders")
	var plan []string
	lines := query("EXPLAIN "+window, since, until)
	for lines.Next() {
		var line string
		must(lines.Scan(&line))
		plan = append(plan, line)
	}
	must(lines.Err())
	ok(strings.Contains(strings.Join(plan, "\n"), "Index Cond: ((id >= "),
		name+": a window with parameters uses the index")
	exec("DROP TABLE orders")
}

func main() {
	var err error
	conn, err = pgx.Connect(ctx, "") // PGHOST, PGPORT, PGUSER, PGDATABASE
	must(err)
	defer conn.Close(ctx)

	layout = strings.NewReplacer()
	check("draft", time.Microsecond)
	layout = strings.NewReplacer("'draft'", "'rfc9562'", "uuid_generate_v7_at", "uuidv7_at",
		"uuid_generate_v7", "uuidv7", "uuid_v7_timestamp", "uuidv7_timestamp",
		"uuid_v7_between", "uuidv7_between", "orders", "messages")
	check("rfc9562", time.Millisecond)
}
