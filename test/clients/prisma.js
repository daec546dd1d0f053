// Prisma's client on node-postgres. `prisma migrate` needs an engine that is not in npm's registry, so the
// migration is what it would write, and what has to be added to that.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { check } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

const schema = `
generator client {
  provider = "prisma-client-js"
}

datasource db {
  provider = "postgresql"
}

model Order {
  id   String @id @default(dbgenerated("uuidv7()")) @db.Uuid
  item String

  @@map("orders")
}
`

const migration = `
CREATE EXTENSION uuidnew;

CREATE TABLE "orders" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "item" TEXT NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "orders" ADD CONSTRAINT "orders_layout" CHECK (uuidv7_is("id"));
`

writeFileSync('schema.prisma', schema)
execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'], {
  env: {
    ...process.env,
    CHECKPOINT_DISABLE: '1', // no look for a newer version
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath // it would download one, though it does not use it
  }
})
const { PrismaClient, Prisma } = createRequire(import.meta.url)('@prisma/client')

// node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE; one connection: order is that of a session
const adapter = new PrismaPg({ max: 1, options: '-c TimeZone=UTC' }) // it drops the zone of each time
const prisma = new PrismaClient({ adapter })
for (const statement of migration.split(';').filter(text => text.trim())) {
  await prisma.$executeRawUnsafe(statement)
}

const insert = async item => (await prisma.order.create({ data: { item } })).id

const insertMany = async items =>
  (await prisma.order.createManyAndReturn({ data: items.map(item => ({ item })) })).map(order => order.id)

const february = (since, until) => Prisma.sql`
  SELECT item, uuidv7_timestamp(id) AS created FROM orders
  WHERE uuidv7_between(id, ${since}, ${until}) ORDER BY id`

const filter = (since, until) => prisma.order.findMany({
  where: { id: { gte: bound(since), lt: bound(until) } }, orderBy: { id: 'asc' }
})

const deleteBefore = until => prisma.$executeRaw`
  DELETE FROM orders WHERE uuidv7_before(id, ${until})`

await check({
  insert,
  insertMany,
  filter,
  deleteBefore,
  query: sql => /^\s*SELECT/.test(sql) ? prisma.$queryRawUnsafe(sql) : prisma.$executeRawUnsafe(sql),
  insertAt: (time, item) => prisma.order.create({ data: { id: bound(time), item } }),
  all: () => prisma.order.findMany({ orderBy: { id: 'asc' } }),
  find: id => prisma.order.findUnique({ where: { id } }),
  window: (since, until) => prisma.$queryRaw(february(since, until)),
  explain: async (since, until) => JSON.stringify(await prisma.$queryRaw`EXPLAIN ${february(since, until)}`)
})
await prisma.$disconnect()
