// Kysely on node-postgres, typed: the table is what a migration makes.
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Generated } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { check } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

interface Database {
  orders: { id: Generated<string>, item: string }
}

const pool = new pg.Pool({ max: 1 }) // PGHOST, PGPORT, PGUSER, PGDATABASE; one connection: order is that of a session
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })

const migration = {
  async up (db: Kysely<any>) {
    await sql`CREATE EXTENSION uuidnew`.execute(db)
    await db.schema.createTable('orders')
      .addColumn('id', 'uuid', column => column.primaryKey()
        .defaultTo(sql`uuidv7()`).check(sql`uuidv7_is(id)`))
      .addColumn('item', 'text', column => column.notNull())
      .execute()
  }
}

const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ first: migration }) } })
const { error } = await migrator.migrateToLatest()
if (error) throw error

async function insertMany (items: string[]) {
  const rows = await db.insertInto('orders').values(items.map(item => ({ item }))).returning('id').execute()
  return rows.map(row => row.id)
}

const february = (since: Date, until: Date) => db.selectFrom('orders')
  .select(['item', sql<Date>`uuidv7_timestamp(id)`.as('created')])
  .where(sql<boolean>`uuidv7_between(id, ${since}, ${until})`).orderBy('id')

const filter = (since: Date, until: Date) => db.selectFrom('orders').selectAll()
  .where('id', '>=', bound(since)).where('id', '<', bound(until)).orderBy('id').execute()

const deleteBefore = (until: Date) => db.deleteFrom('orders').where(sql<boolean>`uuidv7_before(id, ${until})`).execute()

await check({
  insertMany,
  filter,
  deleteBefore,
  query: async (text: string) => (await sql.raw(text).execute(db)).rows,
  insert: async (item: string) => (await insertMany([item]))[0],
  insertAt: (time: Date, item: string) =>
    db.insertInto('orders').values({ id: sql<string>`uuidv7_at(${time})`, item }).execute(),
  all: () => db.selectFrom('orders').selectAll().orderBy('id').execute(),
  find: (id: string) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst(),
  window: (since: Date, until: Date) => february(since, until).execute(),
  explain: async (since: Date, until: Date) => JSON.stringify(await february(since, until).explain())
})
await db.destroy()
