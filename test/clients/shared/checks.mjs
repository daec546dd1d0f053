// What the programs for ORMs and query builders on Node have to show, of a table in each layout.
import assert from 'node:assert/strict'

let tests = 0
export function is (actual, expected, name) {
  assert.deepEqual(actual, expected, name)
  console.log(`ok ${++tests} - ${name}`)
}

export const since = new Date('2020-02-01T00:00:00Z')
export const until = new Date('2020-03-01T00:00:00Z')
const names = { draft: 'uuid_generate_v7()', rfc9562: 'uuidv7()' }

// `table` has a name, a layout, and the client's functions.
export async function check (table) {
  const name = what => `${table.layout}: ${what}`

  const [{ definition }] = await table.query(`
    SELECT concat_ws(' ', format_type(atttypid, atttypmod), 'DEFAULT', pg_get_expr(adbin, adrelid), (
      SELECT string_agg(pg_get_constraintdef(oid), ' ' ORDER BY contype DESC) FROM pg_constraint
      WHERE conrelid = attrelid AND contype IN ('p', 'c'))) AS definition
    FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = '${table.name}'::regclass AND attname = 'id'`)
  is(definition, `uuid DEFAULT ${names[table.layout]} PRIMARY KEY (id) ` +
    `CHECK ((uuid_v7_layout(id) = '${table.layout}'::text))`, name('the table has the default and the guard'))

  const id = await table.insert('item 0')
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  is(typeof id, 'string', name('a key is a string, of version 7'))

  const items = Array.from({ length: 1000 }, (_, n) => `item ${n + 1}`)
  const ids = [id, ...await table.insertMany(items)]
  is(new Set(ids).size, 1001, name('each of many rows returns its key'))

  // the keys of one statement, in the order of its rows
  const all = await table.all()
  is(all.map(row => row.item), ['item 0', ...items], name('sorted by key in the database: as inserted'))
  is(all.map(row => row.id), [...ids].sort(), name('sorted by key in the client: the same'))

  const { id: found, item } = await table.find(ids[500])
  is([found, item], [ids[500], 'item 500'], name('a key comes back as a parameter'))

  const seen = []
  let rows
  let last = '00000000-0000-0000-0000-000000000000'
  do {
    rows = await table.page(last, 100)
    seen.push(...rows.map(row => row.id))
    last = seen.at(-1)
  } while (rows.length === 100)
  is(seen, ids, name('pages by key: every row once, in order'))

  const times = [since - 1, +since, until - 1, +until].map(time => new Date(time))
  for (const time of times) await table.insertAt(time, time.toISOString())
  const february = await table.window(since, until)
  is(february.map(row => row.item), ['2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
    name('a window has its start and not its end'))
  is(february.map(row => row.created), times.slice(1, 3), name('the time of a key is a Date'))

  await table.query(`ANALYZE ${table.name}`)
  assert.match(await table.explain(since, until), /Index Cond: \(\(id >= /)
  is(true, true, name('a window with parameters uses the index'))

  await table.query(`DROP TABLE ${table.name}`)
}
