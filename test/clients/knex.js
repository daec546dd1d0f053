// Knex on node-postgres: the table is what a migration makes.
import knexOn from 'knex'
import { check } from './shared/checks.mjs'

const knex = knexOn({
  client: 'pg',
  connection: {}, // node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE
  pool: { min: 1, max: 1 } // one connection: order is that of a session
})

const migration = {
  async up (knex) {
    await knex.raw('CREATE EXTENSION uuidnew')
    await knex.schema.createTable('orders', table => {
      table.uuid('id').primary().defaultTo(knex.raw('uuidv7()'))
      table.text('item').notNullable()
      table.check('uuidv7_is(id)')
    })
  },
  down: knex => knex.schema.dropTable('orders')
}

const migrations = { first: migration }
await knex.migrate.latest({
  migrationSource: {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: name => name,
    getMigration: async name => migrations[name]
  }
})

async function insertMany (items) {
  const rows = await knex('orders').insert(items.map(item => ({ item }))).returning('id')
  return rows.map(row => row.id)
}

const between = (since, until) => knex.raw('uuidv7_between(id, ?, ?)', [since, until])

const february = (since, until) => knex('orders')
  .select('item', knex.raw('uuidv7_timestamp(id) AS created'))
  .where(between(since, until)).orderBy('id')

const page = (after, size) =>
  knex('orders').where('id', '>', after).orderBy('id').limit(size)

const previous = async (before, size) =>
  (await knex('orders').where('id', '<', before).orderBy('id', 'desc').limit(size)).reverse()

const todayByHour = (now, zone) => knex('orders')
  .select(knex.raw("date_trunc('hour', uuidv7_timestamp(id), ?) AS hour", zone)).count()
  .where(between(knex.raw("date_trunc('day', ?::timestamptz, ?)", [now, zone]), now))
  .groupBy('hour').orderBy('hour')

const deleteBefore = until => knex('orders').whereRaw('uuidv7_before(id, ?)', [until]).del()

await check({
  insertMany,
  page,
  previous,
  todayByHour,
  deleteBefore,
  window: february,
  query: async sql => (await knex.raw(sql)).rows,
  insert: async item => (await insertMany([item]))[0],
  insertAt: (time, item) => knex('orders').insert({ id: knex.raw('uuidv7_at(?)', time), item }),
  all: () => knex('orders').orderBy('id'),
  find: id => knex('orders').where({ id }).first(),
  async explain (since, until) {
    const { sql, bindings } = february(since, until).toSQL()
    return JSON.stringify((await knex.raw(`EXPLAIN ${sql}`, bindings)).rows)
  }
})
await knex.destroy()
