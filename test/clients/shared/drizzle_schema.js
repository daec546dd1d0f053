// Drizzle's definition, for drizzle.js and for drizzle-kit.
import { sql } from 'drizzle-orm'
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core'

export const orders = pgTable('orders', {
  id: uuid().primaryKey().default(sql`uuidv7()`),
  item: text().notNull()
}, orders => [check('orders_layout', sql`uuidv7_is(${orders.id})`)])
