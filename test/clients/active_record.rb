# Active Record: the table is what a migration makes.
require "logger" # before Active Record 7.1, which expects it to be there
require "active_record"

$tests = 0
def ok(passed, name)
  raise name unless passed
  puts "ok #{$tests += 1} - #{name}"
end

def bound(time)
  format("%012x", (time.to_r * 1000).ceil).insert(8, "-") + "-7000-8000-000000000000"
end

def time_of(id)
  Time.at(0, id.delete("-")[0, 12].hex, :millisecond)
end

# PGHOST, PGPORT, PGUSER, PGDATABASE; a second connection would have an order of its own
ActiveRecord::Base.establish_connection(adapter: "postgresql", pool: 1)

class CreateOrders < ActiveRecord::Migration[6.1]
  def change
    enable_extension "uuidnew"
    create_table :orders, id: :uuid, default: -> { "uuidv7()" } do |t|
      t.text :item, null: false
      t.check_constraint "uuid_v7_layout(id) = 'rfc9562'", name: "orders_layout"
    end
  end
end

ActiveRecord::Migration.verbose = false
CreateOrders.migrate(:up)

class Order < ActiveRecord::Base
  scope :made_in, ->(since, till) { where("uuidv7_between(id, ?, ?)", since, till) }
end

schema = StringIO.new
pool = ActiveRecord::VERSION::STRING < "7.2" ? ActiveRecord::Base.connection : ActiveRecord::Base.connection_pool
ActiveRecord::SchemaDumper.dump(pool, schema)
ok schema.string.include?(%(enable_extension "uuidnew")) &&
   schema.string.include?(%(create_table "orders", id: :uuid, default: -> { "uuidv7()" })) &&
   schema.string.include?(%(t.check_constraint "uuid_v7_layout(id) = 'rfc9562'::text", name: "orders_layout")),
   "schema.rb has the extension, the default and the CHECK"

one, two = Order.new(item: "item 0"), Order.new(item: "item 1")
ok one.id.nil? && one != two, "unsaved objects have no key, and differ"
one.save!
ok one.id =~ /\A\h{8}-\h{4}-7\h{3}-[89ab]\h{3}-\h{12}\z/, "a saved one has a key, a string"
two.save!
one.save!
ok Set[one, two].size == 2 && Order.count == 2, "saved objects are themselves in a set, and not inserted again"

items = (0..1000).map { |n| "item #{n}" }
ids = [one.id, two.id] + Order.insert_all!(items[2..].map { |item| { item: item } }, returning: :id).rows.flatten
ok ids.uniq.size == 1001, "each of many rows returns its key"

all = Order.order(:id).to_a
ok all.map(&:item) == items, "sorted by key in the database: as inserted"
ok all.map(&:id) == ids.sort, "sorted by key in the client: the same"
ok Order.find(ids[500]).item == "item 500", "a key comes back as a parameter"

def insert_at(time, item)
  sql = Order.sanitize_sql(["INSERT INTO orders (id, item) VALUES (uuidv7_at(?), ?)", time, item])
  Order.connection.execute(sql)
end

since = Time.utc(2020, 2, 1)
till = Time.utc(2020, 3, 1)
unit = Rational(1, 1000)
times = [since - unit, since, till - unit, till]
times.each { |time| insert_at(time, time.iso8601(6)) }
february = Order.made_in(since, till).order(:id).select(:item, "uuidv7_timestamp(id) AS created").to_a
ok february.map(&:item) == times[1..2].map { |time| time.iso8601(6) }, "a window has its start and not its end"
ok february.map(&:created) == times[1..2], "the time of a key is a Time"

ok Order.where(id: bound(since)...bound(till)).order(:id).map(&:item) == february.map(&:item),
   "keys made in the program bound the same window"

# random times of the whole range, the same in each run
sample = Order.connection.select_rows(<<~SQL)
  SELECT (extract(epoch FROM time) * 1000000)::bigint, uuidv7_min(time)
  FROM (SELECT to_timestamp(3.298e9 * ('x' || md5(n::text))::bit(32)::bigint / 4294967296) AS time
        FROM generate_series(1, 10000) n) times
SQL
ok sample.all? { |micros, least| bound(Time.at(0, micros, :microsecond)) == least },
   "bound is uuidv7_min at ten thousand times"
ok sample.all? { |micros, least| time_of(least) == Time.at(0, -(-micros / 1000), :millisecond) },
   "time_of is their time, rounded up to the millisecond"

Order.connection.execute("ANALYZE orders")
ok Order.made_in(since, till).explain.inspect.include?("Index Cond: ((id >= "),
   "a window with parameters uses the index"

Order.where("uuidv7_before(id, ?)", till).delete_all
ok Order.order(:id).pluck(:id).drop(1) == ids, "rows from before a time are deleted, and no others"

CreateOrders.migrate(:down)
