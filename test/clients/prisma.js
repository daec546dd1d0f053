// Prisma's client on node-postgres, without its engines: `prisma migrate` needs one that is not in npm's
// registry, so the tables are made by a migration written by hand, which the guard needs anyway.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { check } from './shared/checks.mjs'

const schema = `
generator client {
  provider   = "prisma-client-js"
  engineType = "client"
}

datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}

model Order {
  id   String @id @default(dbgenerated("uuid_generate_v7()")) @db.Uuid
  item String

  @@map("orders")
}

model Message {
  id   String @id @default(dbgenerated("uuidv7()")) @db.Uuid
  item String

  @@map("messages")
}
`

const migration = `
CREATE TABLE "orders" (
    "id" UUID NOT NULL DEFAULT uuid_generate_v7(),
    "item" TEXT NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "orders_layout" CHECK (uuid_v7_layout("id") = 'draft')
);

CREATE TABLE "messages" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "item" TEXT NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "messages_layout" CHECK (uuid_v7_layout("id") = 'rfc9562')
);
`

writeFileSync('schema.prisma', schema)
execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'], {
  env: {
    ...process.env,
    CHECKPOINT_DISABLE: '1', // no look for a newer version
    // it would download both, though it uses neither
    PRISMA_QUERY_ENGINE_LIBRARY: process.execPath,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath
  }
})
const { PrismaClient, Prisma } = createRequire(import.meta.url)('@prisma/client')

// node-postgres heeds PGHOST, PGPORT, PGUSER, PGDATABASE; one connection: order is that of a session
const prisma = new PrismaClient({ adapter: new PrismaPg({ max: 1 }) })
for (const statement of migration.split(';').filter(text => text.trim())) {
  await prisma.$executeRawUnsafe(statement)
}

const insert = async (model, item) => (await model.create({ data: { item } })).id

const insertMany = async (model, items) =>
  (await model.createManyAndReturn({ data: items.map(item => ({ item })) })).map(row => row.id)

const page = (model, after, size) =>
  model.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: size })

const february = (since, until) => Prisma.sql`
  SELECT item, uuid_v7_timestamp(id) AS created FROM orders
  WHERE uuid_v7_between(id, ${since}, ${until}) ORDER BY id`

const februaryMessages = (since, until) => Prisma.sql`
  SELECT item, uuidv7_timestamp(id) AS created FROM messages
  WHERE uuidv7_between(id, ${since}, ${until}) ORDER BY id`

const functions = (name, model, window, at) => ({
  name,
  query: sql => /^\s*SELECT/.test(sql) ? prisma.$queryRawUnsafe(sql) : prisma.$executeRawUnsafe(sql),
  insert: item => insert(model, item),
  insertMany: items => insertMany(model, items),
  insertAt: (time, item) => prisma.$executeRaw`
    INSERT INTO ${Prisma.raw(name)} (id, item) VALUES (${Prisma.raw(at)}(${time}), ${item})`,
  all: () => model.findMany({ orderBy: { id: 'asc' } }),
  find: id => model.findUnique({ where: { id } }),
  page: (after, size) => page(model, after, size),
  window: (since, until) => prisma.$queryRaw(window(since, until)),
  explain: async (since, until) =>
    (await prisma.$queryRaw`EXPLAIN ${window(since, until)}`).map(row => row['QUERY PLAN']).join('\n')
})

await check({ layout: 'draft', ...functions('orders', prisma.order, february, 'uuid_generate_v7_at') })
await check({ layout: 'rfc9562', ...functions('messages', prisma.message, februaryMessages, 'uuidv7_at') })
await prisma.$disconnect()
