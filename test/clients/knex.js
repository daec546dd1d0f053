// Knex on node-postgres: the table is what a migration makes.
import knexOn from 'knex'
import { check } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

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

const february = (since, until) => knex('orders')
  .select('item', knex.raw('uuidv7_timestamp(id) AS created'))
  .where(knex.raw('uuidv7_between(id, ?, ?)', [since, until])).orderBy('id')

const filter = (since, until) => knex('orders')
  .where('id', '>=', bound(since)).where('id', '<', bound(until)).orderBy('id')

const deleteBefore = until => knex('orders').whereRaw('uuidv7_before(id, ?)', [until]).del()

await check({
  insertMany,
  filter,
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
