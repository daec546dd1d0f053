// What the programs for Node have to show.
import assert from 'node:assert/strict'
import { bound, timeOf } from './key.mjs'

let tests = 0
export function is (actual, expected, name) {
  assert.deepEqual(actual, expected, name)
  console.log(`ok ${++tests} - ${name}`)
}

export const since = new Date('2020-02-01T00:00:00Z')
export const until = new Date('2020-03-01T00:00:00Z')

// `table` has the client's functions, for a table orders (id, item).
export async function check (table) {
  const [{ definition }] = await table.query(`
    SELECT concat_ws(' ', format_type(atttypid, atttypmod), 'DEFAULT', pg_get_expr(adbin, adrelid), (
      SELECT string_agg(pg_get_constraintdef(oid), ' ' ORDER BY contype DESC) FROM pg_constraint
      WHERE conrelid = attrelid AND contype IN ('p', 'c'))) AS definition
    FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = 'orders'::regclass AND attname = 'id'`)
  is(definition, 'uuid DEFAULT uuidv7() PRIMARY KEY (id) CHECK (uuidv7_is(id))',
    'the migration makes the extension, the default and the CHECK')

  const ids = []
  if (table.make) { // objects
    const one = table.make('item')
    is(one.id ?? null, null, 'an unsaved object has no key')
    await table.save(one)
    ids.push(one.id)
    one.item = 'item 0'
    await table.save(one)
    is((await table.all()).map(row => row.id), ids, 'a saved one has, and is not inserted again')
  } else {
    ids.push(await table.insert('item 0'))
  }
  assert.match(ids[0], /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  is(typeof ids[0], 'string', 'a key is a string, of version 7')

  const items = Array.from({ length: 1000 }, (_, n) => `item ${n + 1}`)
  ids.push(...await table.insertMany(items))
  is(new Set(ids).size, 1001, 'each of many rows returns its key')

  // the keys of one statement, in the order of its rows
  const all = await table.all()
  is(all.map(row => row.item), ['item 0', ...items], 'sorted by key in the database: as inserted')
  is(all.map(row => row.id), [...ids].sort(), 'sorted by key in the client: the same')

  const { id: found, item } = await table.find(ids[500])
  is([found, item], [ids[500], 'item 500'], 'a key comes back as a parameter')

  const times = [since - 1, +since, until - 1, +until].map(time => new Date(time))
  for (const time of times) await table.insertAt(time, time.toISOString())
  const february = await table.window(since, until)
  is(february.map(row => row.item), ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
    'a window has its start and not its end')
  is(february.map(row => row.created), times.slice(1, 3), 'the time of a key is a Date')

  is((await table.filter(since, until)).map(row => row.item), february.map(row => row.item),
    'keys made in the program bound the same window')

  // random times of the whole range, the same in each run
  const sample = await table.query(`
    SELECT (extract(epoch FROM time) * 1000)::bigint::text AS ms, uuidv7_min(time)::text AS least
    FROM (SELECT date_trunc('milliseconds',
        to_timestamp(3.298e9 * ('x' || md5(n::text))::bit(32)::bigint / 4294967296)) AS time
      FROM generate_series(1, 10000) n) times`)
  is(sample.map(row => bound(new Date(Number(row.ms)))), sample.map(row => row.least),
    'bound() is uuidv7_min() at ten thousand times')
  is(sample.map(row => +timeOf(row.least)), sample.map(row => Number(row.ms)),
    'timeOf() is their time')

  await table.query('ANALYZE orders')
  assert.match(await table.explain(since, until), /Index Cond: \(\(id >= /)
  is(true, true, 'a window with parameters uses the index')

  await table.deleteBefore(until)
  is((await table.all()).map(row => row.id).slice(1), ids, 'rows from before a time are deleted, and no others')
  await table.query('DROP TABLE orders')
}
