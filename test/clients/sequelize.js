// Sequelize on node-postgres: the tables are what a migration makes.
import { DataTypes, Op, Sequelize, col, fn, where } from 'sequelize'
import { check } from './shared/checks.mjs'

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env
const sequelize = new Sequelize({
  dialect: 'postgres', host, port, username, database, logging: false,
  pool: { max: 1 } // one connection: order is that of a session
})

const migration = {
  async up (queryInterface) {
    await queryInterface.createTable('orders', {
      id: { type: DataTypes.UUID, primaryKey: true, defaultValue: fn('uuid_generate_v7') },
      item: { type: DataTypes.TEXT, allowNull: false }
    })
    await queryInterface.addConstraint('orders', {
      type: 'check', name: 'orders_layout', fields: ['id'],
      where: where(fn('uuid_v7_layout', col('id')), 'draft')
    })
    await queryInterface.createTable('messages', {
      id: { type: DataTypes.UUID, primaryKey: true, defaultValue: fn('uuidv7') },
      item: { type: DataTypes.TEXT, allowNull: false }
    })
    await queryInterface.addConstraint('messages', {
      type: 'check', name: 'messages_layout', fields: ['id'],
      where: where(fn('uuid_v7_layout', col('id')), 'rfc9562')
    })
  }
}
await migration.up(sequelize.getQueryInterface())

const Order = sequelize.define('Order', {
  id: { type: DataTypes.UUID, primaryKey: true, defaultValue: fn('uuid_generate_v7') },
  item: { type: DataTypes.TEXT, allowNull: false }
}, { tableName: 'orders', timestamps: false })

const Message = sequelize.define('Message', {
  id: { type: DataTypes.UUID, primaryKey: true, defaultValue: fn('uuidv7') },
  item: { type: DataTypes.TEXT, allowNull: false }
}, { tableName: 'messages', timestamps: false })

const insert = async (Model, item) => (await Model.create({ item })).id

const insertMany = async (Model, items) =>
  (await Model.bulkCreate(items.map(item => ({ item })))).map(row => row.id)

const page = (Model, after, size) =>
  Model.findAll({ where: { id: { [Op.gt]: after } }, order: ['id'], limit: size })

const february = (since, until, options) => Order.findAll({
  attributes: ['item', [fn('uuid_v7_timestamp', col('id')), 'created']],
  where: fn('uuid_v7_between', col('id'), since, until),
  order: ['id'],
  raw: true,
  ...options
})

const februaryMessages = (since, until, options) => Message.findAll({
  attributes: ['item', [fn('uuidv7_timestamp', col('id')), 'created']],
  where: fn('uuidv7_between', col('id'), since, until),
  order: ['id'],
  raw: true,
  ...options
})

const functions = (Model, window, at) => ({
  name: Model.tableName,
  window,
  query: async sql => (await sequelize.query(sql))[0],
  insert: item => insert(Model, item),
  insertMany: items => insertMany(Model, items),
  insertAt: (time, item) => Model.create({ id: fn(at, time), item }),
  all: () => Model.findAll({ order: ['id'] }),
  find: id => Model.findByPk(id),
  page: (after, size) => page(Model, after, size),
  async explain (since, until) {
    let sql
    await window(since, until, { logging: text => { sql = text.replace(/^.*?: /, '') } })
    const [rows] = await sequelize.query(`EXPLAIN ${sql}`)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }
})

await check({ layout: 'draft', ...functions(Order, february, 'uuid_generate_v7_at') })
await check({ layout: 'rfc9562', ...functions(Message, februaryMessages, 'uuidv7_at') })
await sequelize.close()
