// MikroORM on node-postgres: the table is what a migration and then the schema generator make of the entity.
import { Migration, Migrator } from '@mikro-orm/migrations'
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql'
import { check, is } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

class CreateExtension extends Migration {
  up () {
    this.addSql('CREATE EXTENSION uuidnew')
  }
}

const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: { type: 'uuid', primary: true, defaultRaw: 'uuidv7()' },
    item: { type: 'text' }
  },
  checks: [{ name: 'orders_layout', expression: 'uuidv7_is(id)' }]
})

const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: dbName } = process.env
const orm = await MikroORM.init({
  entities: [Order],
  extensions: [Migrator],
  migrations: { migrationsList: [{ name: 'extension', class: CreateExtension }], snapshot: false },
  host, port: Number(port), user, dbName,
  pool: { min: 1, max: 1 } // one connection: order is that of a session
})
await orm.migrator.up()
await orm.schema.update()
is((await orm.schema.getUpdateSchemaSQL()).trim(), '', 'the table is as it is defined')

async function insertMany (items) {
  const em = orm.em.fork()
  const orders = items.map(item => em.create(Order, { item }))
  await em.flush()
  return orders.map(order => order.id)
}

const february = (since, until) => orm.em.fork().createQueryBuilder(Order)
  .select(['item', raw('uuidv7_timestamp(id) AS created')])
  .where('uuidv7_between(id, ?, ?)', [since, until]).orderBy({ id: 'asc' })

const filter = (since, until) => orm.em.fork().find(
  Order, { id: { $gte: bound(since), $lt: bound(until) } }, { orderBy: { id: 'asc' } })

const deleteBefore = until => orm.em.fork().createQueryBuilder(Order).delete()
  .where('uuidv7_before(id, ?)', [until]).execute()

const em = orm.em.fork()
await check({
  insertMany,
  filter,
  deleteBefore,
  make: item => em.create(Order, { item }, { persist: false }),
  save: order => em.persist(order).flush(),
  query: sql => orm.em.fork().execute(sql),
  insertAt: (time, item) => orm.em.fork().createQueryBuilder(Order).insert({ id: raw('uuidv7_at(?)', [time]), item }).execute(),
  all: () => orm.em.fork().find(Order, {}, { orderBy: { id: 'asc' } }),
  find: id => orm.em.fork().findOne(Order, id),
  window: async (since, until) => // times come as text
    (await february(since, until).execute()).map(row => ({ ...row, created: new Date(row.created) })),
  async explain (since, until) {
    const { sql, params } = february(since, until).toQuery()
    return JSON.stringify(await orm.em.fork().execute(`EXPLAIN ${sql}`, params))
  }
})
await orm.close()
