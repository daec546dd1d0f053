// TypeORM on node-postgres: the table is what a migration and then `synchronize` make of the entity.
import { And, DataSource, EntitySchema, LessThan, MoreThanOrEqual } from 'typeorm'
import { check, is } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

class CreateExtension1700000000000 {
  up = runner => runner.query('CREATE EXTENSION uuidnew')
  down = runner => runner.query('DROP EXTENSION uuidnew')
}

const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  columns: {
    id: { type: 'uuid', primary: true, default: () => 'uuidv7()' },
    item: { type: 'text' }
  },
  checks: [{ expression: 'uuidv7_is(id)' }]
})

const dataSource = new DataSource({
  type: 'postgres', // node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE
  entities: [Order],
  migrations: [CreateExtension1700000000000],
  extra: { max: 1 } // one connection: order is that of a session
})
await dataSource.initialize()
await dataSource.runMigrations()
await dataSource.synchronize()
const { upQueries } = await dataSource.driver.createSchemaBuilder().log()
is(upQueries, [], 'the table is as it is defined')

const orders = dataSource.getRepository(Order)

const insertMany = async items =>
  (await orders.insert(items.map(item => ({ item })))).identifiers.map(row => row.id)

const february = (since, until) => orders.createQueryBuilder('o')
  .select('o.item', 'item').addSelect('uuidv7_timestamp(o.id)', 'created')
  .where('uuidv7_between(o.id, :since, :until)', { since, until })
  .orderBy('o.id')

const filter = (since, until) => orders.find({
  where: { id: And(MoreThanOrEqual(bound(since)), LessThan(bound(until))) }, order: { id: 'ASC' }
})

const deleteBefore = until => orders.createQueryBuilder().delete()
  .where('uuidv7_before(id, :until)', { until }).execute()

await check({
  insertMany,
  filter,
  deleteBefore,
  make: item => orders.create({ item }),
  save: order => orders.save(order),
  query: sql => dataSource.query(sql),
  insertAt: (time, item) => orders.createQueryBuilder().insert()
    .values({ id: () => 'uuidv7_at(:time)', item }).setParameter('time', time).execute(),
  all: () => orders.find({ order: { id: 'ASC' } }),
  find: id => orders.findOneBy({ id }),
  window: (since, until) => february(since, until).getRawMany(),
  async explain (since, until) {
    const [sql, parameters] = february(since, until).getQueryAndParameters()
    return JSON.stringify(await dataSource.query(`EXPLAIN ${sql}`, parameters))
  }
})
await dataSource.destroy()
