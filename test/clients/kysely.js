// Kysely on node-postgres: the tables are what a migration makes.
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { check, is } from './shared/checks.mjs'

const pool = new pg.Pool({ max: 1 }) // PGHOST, PGPORT, PGUSER, PGDATABASE; one connection: order is that of a session
const db = new Kysely({ dialect: new PostgresDialect({ pool }) })

const migration = {
  async up (db) {
    await db.schema.createTable('orders')
      .addColumn('id', 'uuid', column => column.primaryKey()
        .defaultTo(sql`uuid_generate_v7()`).check(sql`uuid_v7_layout(id) = 'draft'`))
      .addColumn('item', 'text', column => column.notNull())
      .execute()
    await db.schema.createTable('messages')
      .addColumn('id', 'uuid', column => column.primaryKey()
        .defaultTo(sql`uuidv7()`).check(sql`uuid_v7_layout(id) = 'rfc9562'`))
      .addColumn('item', 'text', column => column.notNull())
      .execute()
  }
}

const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ first: migration }) } })
const { results } = await migrator.migrateToLatest()
is(results.map(result => result.status), ['Success'], 'the migration has run')

async function insert (table, item) {
  const { id } = await db.insertInto(table).values({ item }).returning('id').executeTakeFirstOrThrow()
  return id
}

async function insertMany (table, items) {
  const rows = await db.insertInto(table).values(items.map(item => ({ item }))).returning('id').execute()
  return rows.map(row => row.id)
}

const page = (table, after, size) => db.selectFrom(table).selectAll()
  .where('id', '>', after).orderBy('id').limit(size).execute()

const february = (since, until) => db.selectFrom('orders')
  .select(['item', sql`uuid_v7_timestamp(id)`.as('created')])
  .where(sql`uuid_v7_between(id, ${since}, ${until})`).orderBy('id')

const februaryMessages = (since, until) => db.selectFrom('messages')
  .select(['item', sql`uuidv7_timestamp(id)`.as('created')])
  .where(sql`uuidv7_between(id, ${since}, ${until})`).orderBy('id')

const functions = (name, window, at) => ({
  name,
  query: async text => (await sql.raw(text).execute(db)).rows,
  insert: item => insert(name, item),
  insertMany: items => insertMany(name, items),
  insertAt: (time, item) => db.insertInto(name).values({ id: sql`${sql.raw(at)}(${time})`, item }).execute(),
  all: () => db.selectFrom(name).selectAll().orderBy('id').execute(),
  find: id => db.selectFrom(name).selectAll().where('id', '=', id).executeTakeFirst(),
  page: (after, size) => page(name, after, size),
  window: (since, until) => window(since, until).execute(),
  explain: async (since, until) =>
    (await window(since, until).explain()).map(row => row['QUERY PLAN']).join('\n')
})

await check({ layout: 'draft', ...functions('orders', february, 'uuid_generate_v7_at') })
await check({ layout: 'rfc9562', ...functions('messages', februaryMessages, 'uuidv7_at') })
await db.destroy()
