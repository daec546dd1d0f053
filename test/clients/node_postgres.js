// node-postgres: keys are strings, times are Dates, which have milliseconds.
import pg from 'pg'
import { check, is } from './shared/checks.mjs'
import { bound } from './shared/key.mjs'

const client = new pg.Client() // PGHOST, PGPORT, PGUSER, PGDATABASE
await client.connect()

await client.query(`
  CREATE EXTENSION uuidnew;
  CREATE TABLE orders (
    id   uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
    item text NOT NULL
  )`)

async function insert (item) {
  const inserted = await client.query(
    'INSERT INTO orders (item) VALUES ($1) RETURNING id', [item])
  return inserted.rows[0].id
}

async function insertMany (items) {
  const many = await client.query(
    'INSERT INTO orders (item) SELECT unnest($1::text[]) RETURNING id', [items])
  return many.rows.map(row => row.id)
}

const february = `
  SELECT item, uuidv7_timestamp(id) AS created FROM orders
  WHERE uuidv7_between(id, $1, $2) ORDER BY id`

const deleteBefore = until => client.query('DELETE FROM orders WHERE uuidv7_before(id, $1)', [until])

const query = async (sql, values) => (await client.query(sql, values)).rows
await check({
  query,
  insert,
  insertMany,
  filter: (since, until) => query(
    'SELECT item FROM orders WHERE id >= $1 AND id < $2 ORDER BY id', [bound(since), bound(until)]),
  insertAt: (time, item) => query('INSERT INTO orders (id, item) VALUES (uuidv7_at($1), $2)', [time, item]),
  all: () => query('SELECT id, item FROM orders ORDER BY id'),
  find: async id => (await query('SELECT id, item FROM orders WHERE id = $1', [id]))[0],
  window: (since, until) => query(february, [since, until]),
  explain: async (since, until) =>
    (await query('EXPLAIN ' + february, [since, until])).map(row => row['QUERY PLAN']).join('\n'),
  async deleteBefore (until) {
    is((await deleteBefore(undefined)).rowCount, 0, 'undefined deletes nothing')
    await deleteBefore(until)
  }
})
await client.end()
