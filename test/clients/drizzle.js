// Drizzle on node-postgres: the table is what drizzle-kit makes of the definition.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import pg from 'pg'

let tests = 0
function is (actual, expected, name) {
  assert.deepEqual(actual, expected, name)
  console.log(`ok ${++tests} - ${name}`)
}

const client = new pg.Client() // PGHOST, PGPORT, PGUSER, PGDATABASE
await client.connect()
const db = drizzle(client)

const orders = pgTable('orders', {
  id: uuid().primaryKey().default(sql`uuid_generate_v7()`),
  item: text().notNull()
}, orders => [check('orders_layout', sql`uuid_v7_layout(${orders.id}) = 'draft'`)])

const { pushSchema } = createRequire(import.meta.url)('drizzle-kit/api')
const changes = () => pushSchema({ orders }, db, ['public'], ['orders']) // drizzle-kit push
await (await changes()).apply()
is((await changes()).statementsToExecute, [], 'the table is as it is defined')

const [{ id }] = await db.insert(orders).values({ item: 'item 0' }).returning({ id: orders.id })
assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
is(typeof id, 'string', 'a key is a string, of version 7')

const items = Array.from({ length: 1000 }, (_, n) => ({ item: `item ${n + 1}` }))
const many = await db.insert(orders).values(items).returning({ id: orders.id })
const ids = [id, ...many.map(row => row.id)]
is(ids.length, 1001, 'each of many rows returns its key')

const all = await db.select().from(orders).orderBy(asc(orders.id))
is(all.map(row => row.item), ['item 0', ...items.map(row => row.item)],
  'sorted by key in the database: as inserted')
is(all.map(row => row.id), [...ids].sort(), 'sorted by key in the client: the same')

is(await db.select().from(orders).where(eq(orders.id, ids[500])), [{ id: ids[500], item: 'item 500' }],
  'a key comes back as a parameter')

function page (after, size) {
  return db.select().from(orders)
    .where(after && gt(orders.id, after)).orderBy(asc(orders.id)).limit(size)
}

const seen = []
let rows, last
do {
  rows = await page(last, 100)
  seen.push(...rows.map(row => row.id))
  last = seen.at(-1)
} while (rows.length === 100)
is(seen, ids, 'pages by key: every row once, in order')

const between = (id, since, until) => sql`uuid_v7_between(${id}, ${since}, ${until})`
const created = id => sql`uuid_v7_timestamp(${id})`.mapWith(time => new Date(time))

const since = new Date('2020-02-01T00:00:00Z')
const until = new Date('2020-03-01T00:00:00Z')
const times = [since - 1, +since, until - 1, +until].map(time => new Date(time))
for (const time of times) {
  await db.insert(orders).values({ id: sql`uuid_generate_v7_at(${time})`, item: time.toISOString() })
}

const february = await db.select({ item: orders.item, created: created(orders.id) })
  .from(orders).where(between(orders.id, since, until)).orderBy(asc(orders.id))
is(february.map(row => row.item), ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
  'a window has its start and not its end')
is(february.map(row => row.created), times.slice(1, 3), 'the time of a key is a Date')

await client.query('DROP TABLE orders')
await client.end()
