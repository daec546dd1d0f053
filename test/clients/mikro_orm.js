// MikroORM on node-postgres: the tables are what its schema generator makes of the entities.
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql'
import { check, is } from './shared/checks.mjs'

const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: { type: 'uuid', primary: true, defaultRaw: 'uuid_generate_v7()' },
    item: { type: 'text' }
  },
  checks: [{ name: 'orders_layout', expression: "uuid_v7_layout(id) = 'draft'" }]
})

const Message = new EntitySchema({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: { type: 'uuid', primary: true, defaultRaw: 'uuidv7()' },
    item: { type: 'text' }
  },
  checks: [{ name: 'messages_layout', expression: "uuid_v7_layout(id) = 'rfc9562'" }]
})

const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: dbName } = process.env
const orm = await MikroORM.init({
  entities: [Order, Message],
  host, port: Number(port), user, dbName,
  pool: { min: 1, max: 1 } // one connection: order is that of a session
})
await orm.schema.updateSchema()
is((await orm.schema.getUpdateSchemaSQL()).trim(), '', 'the tables are as they are defined')

async function insert (Entity, item) {
  const em = orm.em.fork()
  const row = em.create(Entity, { item })
  await em.flush()
  return row.id
}

async function insertMany (Entity, items) {
  const em = orm.em.fork()
  const rows = items.map(item => em.create(Entity, { item }))
  await em.flush()
  return rows.map(row => row.id)
}

const page = (Entity, after, size) =>
  orm.em.fork().find(Entity, { id: { $gt: after } }, { orderBy: { id: 'asc' }, limit: size })

const february = (since, until) => orm.em.fork().createQueryBuilder(Order)
  .select(['item', raw('uuid_v7_timestamp(id) AS created')])
  .where('uuid_v7_between(id, ?, ?)', [since, until]).orderBy({ id: 'asc' })

const februaryMessages = (since, until) => orm.em.fork().createQueryBuilder(Message)
  .select(['item', raw('uuidv7_timestamp(id) AS created')])
  .where('uuidv7_between(id, ?, ?)', [since, until]).orderBy({ id: 'asc' })

const functions = (Entity, window, at) => ({
  name: Entity.meta.tableName,
  query: sql => orm.em.fork().execute(sql),
  insert: item => insert(Entity, item),
  insertMany: items => insertMany(Entity, items),
  insertAt: (time, item) => orm.em.fork().createQueryBuilder(Entity).insert({ id: raw(`${at}(?)`, [time]), item }),
  all: () => orm.em.fork().find(Entity, {}, { orderBy: { id: 'asc' } }),
  find: id => orm.em.fork().findOne(Entity, id),
  page: (after, size) => page(Entity, after, size),
  async window (since, until) {
    const rows = await window(since, until).execute()
    return rows.map(row => ({ ...row, created: new Date(row.created) })) // times come as text
  },
  async explain (since, until) {
    const { sql, bindings } = window(since, until).getKnexQuery().toSQL()
    return (await orm.em.fork().execute(`EXPLAIN ${sql}`, bindings)).map(row => row['QUERY PLAN']).join('\n')
  }
})

await check({ layout: 'draft', ...functions(Order, february, 'uuid_generate_v7_at') })
await check({ layout: 'rfc9562', ...functions(Message, februaryMessages, 'uuidv7_at') })
await orm.close()
