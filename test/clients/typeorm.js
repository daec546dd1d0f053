// TypeORM on node-postgres: the table is what `synchronize` makes of the entity.
import assert from 'node:assert/strict'
import { DataSource, EntitySchema, MoreThan } from 'typeorm'

let tests = 0
function is (actual, expected, name) {
  assert.deepEqual(actual, expected, name)
  console.log(`ok ${++tests} - ${name}`)
}

// TypeORM takes a default of 'uuid_generate_v7()' for one of its own, and each migration would set
// it again: so the layout is named.
const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  columns: {
    id: { type: 'uuid', primary: true, default: () => "uuid_generate_v7('microsecond')" },
    item: { type: 'text' }
  },
  checks: [{ expression: "uuid_v7_layout(id) = 'draft'" }]
})

const dataSource = new DataSource({
  type: 'postgres', // node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE
  entities: [Order],
  extra: { max: 1 } // one connection: order is that of a session
})
await dataSource.initialize()
await dataSource.synchronize()
const { upQueries } = await dataSource.driver.createSchemaBuilder().log()
is(upQueries, [], 'the table is as it is defined')

const orders = dataSource.getRepository(Order)

const order = await orders.save({ item: 'item 0' })
const id = order.id
assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
is(typeof id, 'string', 'a key is a string, of version 7')

const items = Array.from({ length: 1000 }, (_, n) => ({ item: `item ${n + 1}` }))
const many = await orders.insert(items)
const ids = [id, ...many.identifiers.map(row => row.id)]
is(ids.length, 1001, 'each of many rows returns its key')

const all = await orders.find({ order: { id: 'ASC' } })
is(all.map(row => row.item), ['item 0', ...items.map(row => row.item)],
  'sorted by key in the database: as inserted')
is(all.map(row => row.id), [...ids].sort(), 'sorted by key in the client: the same')

const found = await orders.findOneBy({ id: ids[500] })
is({ ...found }, { id: ids[500], item: 'item 500' }, 'a key comes back as a parameter')

function page (after, size) {
  return orders.find({ where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: size })
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
  await orders.createQueryBuilder().insert()
    .values({ id: () => 'uuid_generate_v7_at(:time)', item: time.toISOString() })
    .setParameter('time', time).execute()
}

const february = await orders.createQueryBuilder('o')
  .select('o.item', 'item').addSelect('uuid_v7_timestamp(o.id)', 'created')
  .where('uuid_v7_between(o.id, :since, :until)', { since, until })
  .orderBy('o.id').getRawMany()
is(february.map(row => row.item), ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
  'a window has its start and not its end')
is(february.map(row => row.created), times.slice(1, 3), 'the time of a key is a Date')

await dataSource.query('DROP TABLE orders')
await dataSource.destroy()
