// node-postgres: keys are strings, times are Dates, which have milliseconds.
import assert from 'node:assert/strict'
import pg from 'pg'

let tests = 0
function is (actual, expected, name) {
  assert.deepEqual(actual, expected, name)
  console.log(`ok ${++tests} - ${name}`)
}

const client = new pg.Client() // PGHOST, PGPORT, PGUSER, PGDATABASE
await client.connect()

await client.query(`
  CREATE TABLE orders (
    id   uuid PRIMARY KEY DEFAULT uuid_generate_v7() CHECK (uuid_v7_layout(id) = 'draft'),
    item text NOT NULL
  )`)

const inserted = await client.query(
  'INSERT INTO orders (item) VALUES ($1) RETURNING id', ['item 0'])
const id = inserted.rows[0].id
assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
is(typeof id, 'string', 'a key is a string, of version 7')

const items = Array.from({ length: 1000 }, (_, n) => `item ${n + 1}`)
const many = await client.query(
  'INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id', [items])
const ids = [id, ...many.rows.map(row => row.id)]
is(ids.length, 1001, 'each of many rows returns its key')

const all = await client.query('SELECT id, item FROM orders ORDER BY id')
is(all.rows.map(row => row.item), ['item 0', ...items], 'sorted by key in the database: as inserted')
is(all.rows.map(row => row.id), [...ids].sort(), 'sorted by key in the client: the same')

const found = await client.query('SELECT item FROM orders WHERE id = $1', [ids[500]])
is(found.rows, [{ item: 'item 500' }], 'a key comes back as a parameter')

async function page (after, size) {
  const { rows } = await client.query({
    name: 'page', // prepared once per connection
    text: 'SELECT id, item FROM orders WHERE id > $1 ORDER BY id LIMIT $2',
    values: [after, size]
  })
  return rows
}

const seen = []
let rows
let last = '00000000-0000-0000-0000-000000000000'
do {
  rows = await page(last, 100)
  seen.push(...rows.map(row => row.id))
  last = seen.at(-1)
} while (rows.length === 100)
is(seen, ids, 'pages by key: every row once, in order')

const since = new Date('2020-02-01T00:00:00Z')
const until = new Date('2020-03-01T00:00:00Z')
const times = [since - 1, +since, until - 1, +until].map(time => new Date(time))
for (const time of times) {
  await client.query(
    'INSERT INTO orders (id, item) VALUES (uuid_generate_v7_at($1), $2)', [time, time.toISOString()])
}

const february = await client.query(
  `SELECT item, uuid_v7_timestamp(id) AS created FROM orders
   WHERE uuid_v7_between(id, $1, $2) ORDER BY id`, [since, until])
is(february.rows.map(row => row.item), ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
  'a window has its start and not its end')
is(february.rows.map(row => row.created), times.slice(1, 3), 'the time of a key is a Date')

await client.query('DROP TABLE orders')
await client.end()
