// Knex on node-postgres: the tables are what a migration makes.
import knexOn from 'knex'
import { check, is } from './shared/checks.mjs'

const knex = knexOn({
  client: 'pg',
  connection: {}, // node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE
  pool: { min: 1, max: 1 } // one connection: order is that of a session
})

const migration = {
  up: knex => knex.schema
    .createTable('orders', table => {
      table.uuid('id').primary().defaultTo(knex.raw('uuid_generate_v7()'))
      table.text('item').notNullable()
      table.check("uuid_v7_layout(id) = 'draft'")
    })
    .createTable('messages', table => {
      table.uuid('id').primary().defaultTo(knex.raw('uuidv7()'))
      table.text('item').notNullable()
      table.check("uuid_v7_layout(id) = 'rfc9562'")
    }),
  down: knex => knex.schema.dropTable('orders').dropTable('messages')
}

const migrations = { first: migration }
await knex.migrate.latest({
  migrationSource: {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: name => name,
    getMigration: async name => migrations[name]
  }
})
is(await knex('knex_migrations').pluck('name'), ['first'], 'the migration has run')

async function insert (table, item) {
  const [{ id }] = await knex(table).insert({ item }).returning('id')
  return id
}

async function insertMany (table, items) {
  const rows = await knex(table).insert(items.map(item => ({ item }))).returning('id')
  return rows.map(row => row.id)
}

const page = (table, after, size) =>
  knex(table).where('id', '>', after).orderBy('id').limit(size)

const february = (since, until) => knex('orders')
  .select('item', knex.raw('uuid_v7_timestamp(id) AS created'))
  .whereRaw('uuid_v7_between(id, ?, ?)', [since, until]).orderBy('id')

const februaryMessages = (since, until) => knex('messages')
  .select('item', knex.raw('uuidv7_timestamp(id) AS created'))
  .whereRaw('uuidv7_between(id, ?, ?)', [since, until]).orderBy('id')

const functions = (name, window, at) => ({
  name,
  window,
  query: async sql => (await knex.raw(sql)).rows,
  insert: item => insert(name, item),
  insertMany: items => insertMany(name, items),
  insertAt: (time, item) => knex(name).insert({ id: knex.raw(`${at}(?)`, [time]), item }),
  all: () => knex(name).orderBy('id'),
  find: id => knex(name).where({ id }).first(),
  page: (after, size) => page(name, after, size),
  async explain (since, until) {
    const { sql, bindings } = window(since, until).toSQL()
    return (await knex.raw(`EXPLAIN ${sql}`, bindings)).rows.map(row => row['QUERY PLAN']).join('\n')
  }
})

await check({ layout: 'draft', ...functions('orders', february, 'uuid_generate_v7_at') })
await check({ layout: 'rfc9562', ...functions('messages', februaryMessages, 'uuidv7_at') })
await knex.destroy()
