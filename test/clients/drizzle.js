// Drizzle on node-postgres: the table is what drizzle-kit's migrations make of the definition.
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { asc, count, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { check, is } from './shared/checks.mjs'
import { orders } from './shared/drizzle_schema.js'

const client = new pg.Client() // PGHOST, PGPORT, PGUSER, PGDATABASE
await client.connect()
const db = drizzle(client)

const kit = (...options) => execFileSync(process.execPath, ['node_modules/drizzle-kit/bin.cjs', 'generate',
  '--dialect=postgresql', '--schema=shared/drizzle_schema.js', '--out=drizzle', ...options])
rmSync('drizzle', { recursive: true, force: true })
kit('--custom', '--name=uuidnew')
appendFileSync('drizzle/0000_uuidnew.sql', '\nCREATE EXTENSION uuidnew;\n')
kit('--name=orders')
await migrate(db, { migrationsFolder: 'drizzle' })

const { pushSchema } = createRequire(import.meta.url)('drizzle-kit/api')
const { statementsToExecute } = await pushSchema({ orders }, db, ['public'], ['orders']) // drizzle-kit push
is(statementsToExecute, [], 'the table is as it is defined')

async function insertMany (items) {
  const rows = await db.insert(orders).values(items.map(item => ({ item }))).returning({ id: orders.id })
  return rows.map(row => row.id)
}

const between = (since, until) => sql`uuidv7_between(${orders.id}, ${since}, ${until})`
const created = sql`uuidv7_timestamp(${orders.id})`.mapWith(time => new Date(time))

const february = (since, until) => db.select({ item: orders.item, created })
  .from(orders).where(between(since, until)).orderBy(asc(orders.id))

const page = (after, size) => db.select().from(orders)
  .where(gt(orders.id, after)).orderBy(asc(orders.id)).limit(size)

const previous = async (before, size) => (await db.select().from(orders)
  .where(lt(orders.id, before)).orderBy(desc(orders.id)).limit(size)).reverse()

const todayByHour = (now, zone) => {
  const hour = sql`date_trunc('hour', uuidv7_timestamp(${orders.id}), ${zone})`.mapWith(time => new Date(time))
  return db.select({ hour, count: count() }).from(orders)
    .where(between(sql`date_trunc('day', ${now}::timestamptz, ${zone})`, now)).groupBy(sql`1`).orderBy(sql`1`)
}

const deleteBefore = until => db.delete(orders).where(sql`uuidv7_before(${orders.id}, ${until})`)

const query = async text => (await client.query(text)).rows
await check({
  query,
  insertMany,
  page,
  previous,
  todayByHour,
  deleteBefore,
  window: february,
  insert: async item => (await insertMany([item]))[0],
  insertAt: (time, item) => db.insert(orders).values({ id: sql`uuidv7_at(${time})`, item }),
  all: () => db.select().from(orders).orderBy(asc(orders.id)),
  find: async id => (await db.select().from(orders).where(eq(orders.id, id)))[0],
  explain: async (since, until) => JSON.stringify(
    (await db.execute(sql`EXPLAIN ${february(since, until).getSQL()}`)).rows)
})
await client.end()
