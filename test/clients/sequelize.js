// Sequelize on node-postgres: the table is what a migration makes.
import { DataTypes, Op, Sequelize, col, fn } from 'sequelize'
import { check } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env
const sequelize = new Sequelize({
  dialect: 'postgres', host, port, username, database, logging: false,
  pool: { max: 1 } // one connection: order is that of a session
})

const migration = {
  async up (queryInterface) {
    await queryInterface.sequelize.query('CREATE EXTENSION uuidnew')
    await queryInterface.createTable('orders', {
      id: { type: DataTypes.UUID, primaryKey: true, defaultValue: fn('uuidv7') },
      item: { type: DataTypes.TEXT, allowNull: false }
    })
    await queryInterface.addConstraint('orders', {
      type: 'check', name: 'orders_layout', fields: ['id'], where: fn('uuidv7_is', col('id'))
    })
  }
}
await migration.up(sequelize.getQueryInterface())

const Order = sequelize.define('Order', {
  id: { type: DataTypes.UUID, primaryKey: true, autoIncrement: true },
  item: { type: DataTypes.TEXT, allowNull: false }
}, { tableName: 'orders', timestamps: false })

const insertMany = async items =>
  (await Order.bulkCreate(items.map(item => ({ item })))).map(order => order.id)

const february = (since, until, options) => Order.findAll({
  attributes: ['item', [fn('uuidv7_timestamp', col('id')), 'created']],
  where: fn('uuidv7_between', col('id'), since, until),
  order: ['id'],
  raw: true,
  ...options
})

const filter = (since, until) => Order.findAll({
  where: { id: { [Op.gte]: bound(since), [Op.lt]: bound(until) } }, order: ['id']
})

const deleteBefore = until => Order.destroy({ where: fn('uuidv7_before', col('id'), until) })

await check({
  insertMany,
  filter,
  deleteBefore,
  window: february,
  make: item => Order.build({ item }),
  save: order => order.save(),
  query: async sql => (await sequelize.query(sql))[0],
  insertAt: (time, item) => Order.create({ id: fn('uuidv7_at', time), item }),
  all: () => Order.findAll({ order: ['id'] }),
  find: id => Order.findByPk(id),
  async explain (since, until) {
    let sql
    await february(since, until, { logging: text => { sql = text.replace(/^.*?: /, '') } })
    return JSON.stringify(await sequelize.query(`EXPLAIN ${sql}`))
  }
})
await sequelize.close()
