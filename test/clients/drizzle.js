// Drizzle on node-postgres: the table is what drizzle-kit's migrations make of the definition.
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { check, is } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'
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

const { PGUSER, PGPORT, PGDATABASE } = process.env
function pull () { // the conditions that drizzle-kit pull writes
  execFileSync(process.execPath, ['node_modules/drizzle-kit/bin.cjs', 'pull', '--dialect=postgresql',
    `--url=postgresql://${PGUSER}@127.0.0.1:${PGPORT}/${PGDATABASE}`, '--out=pulled'])
  const schema = readFileSync('pulled/schema.ts', 'utf8')
  rmSync('pulled', { recursive: true })
  return schema.match(/(?<=check\(.*sql`).*(?=`\))/g)
}
is(pull(), ['CHECK (uuidv7_is(id'], 'drizzle-kit pull cuts the CHECK short')
await client.query(`ALTER TABLE orders DROP CONSTRAINT orders_layout,
  ADD CONSTRAINT orders_layout CHECK (uuid_v7_layout(id) = 'rfc9562')`)
is(pull(), ["uuid_v7_layout(id) = 'rfc9562'::text"], 'and reads one by the name of the layout')
await client.query(`ALTER TABLE orders DROP CONSTRAINT orders_layout,
  ADD CONSTRAINT orders_layout CHECK (uuidv7_is(id))`)

async function insertMany (items) {
  const rows = await db.insert(orders).values(items.map(item => ({ item }))).returning({ id: orders.id })
  return rows.map(row => row.id)
}

const created = sql`uuidv7_timestamp(${orders.id})`.mapWith(time => new Date(time))

const february = (since, until) => db.select({ item: orders.item, created })
  .from(orders).where(sql`uuidv7_between(${orders.id}, ${since}, ${until})`).orderBy(asc(orders.id))

const filter = (since, until) => db.select().from(orders)
  .where(and(gte(orders.id, bound(since)), lt(orders.id, bound(until)))).orderBy(asc(orders.id))

const deleteBefore = until => db.delete(orders).where(sql`uuidv7_before(${orders.id}, ${until})`)

const query = async text => (await client.query(text)).rows
await check({
  query,
  insertMany,
  filter,
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
