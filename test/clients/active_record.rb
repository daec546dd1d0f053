# Active Record: the tables are what a migration makes.
require "active_record"

$tests = 0
def ok(passed, name)
  raise name unless passed
  puts "ok #{$tests += 1} - #{name}"
end

# PGHOST, PGPORT, PGUSER, PGDATABASE; a second connection would have an order of its own
ActiveRecord::Base.establish_connection(adapter: "postgresql", pool: 1)

class CreateOrders < ActiveRecord::Migration[6.1]
  def change
    create_table :orders, id: :uuid, default: -> { "uuid_generate_v7()" } do |t|
      t.text :item, null: false
      t.check_constraint "uuid_v7_layout(id) = 'draft'", name: "orders_layout"
    end
  end
end

class CreateMessages < ActiveRecord::Migration[6.1]
  def change
    create_table :messages, id: :uuid, default: -> { "uuidv7()" } do |t|
      t.text :item, null: false
      t.check_constraint "uuid_v7_layout(id) = 'rfc9562'", name: "messages_layout"
    end
  end
end

ActiveRecord::Migration.verbose = false
CreateOrders.migrate(:up)
CreateMessages.migrate(:up)

class Order < ActiveRecord::Base
  scope :made_in, ->(since, till) { where("uuid_v7_between(id, ?, ?)", since, till).order(:id) }
end

class Message < ActiveRecord::Base
  scope :made_in, ->(since, till) { where("uuidv7_between(id, ?, ?)", since, till).order(:id) }
end

def page(model, after, size)
  model.where("id > ?", after).order(:id).limit(size).to_a
end

def check(model, layout, default, at, timestamp)
  name = ->(what) { "#{layout}: #{what}" }

  schema = StringIO.new
  ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.connection, schema)
  ok schema.string.include?(%(create_table "#{model.table_name}", id: :uuid, default: -> { "#{default}" })) &&
     schema.string.include?("uuid_v7_layout(id) = '#{layout}'::text"),
     name["schema.rb has the default and the guard"]

  id = model.create!(item: "item 0").id
  ok id =~ /\A\h{8}-\h{4}-7\h{3}-[89ab]\h{3}-\h{12}\z/, name["a key is a string, of version 7"]

  items = (1..1000).map { |n| "item #{n}" }
  ids = [id] + model.insert_all!(items.map { |item| { item: item } }, returning: :id).rows.flatten
  ok ids.uniq.size == 1001, name["each of many rows returns its key"]

  all = model.order(:id).to_a
  ok all.map(&:item) == ["item 0", *items], name["sorted by key in the database: as inserted"]
  ok all.map(&:id) == ids.sort, name["sorted by key in the client: the same"]
  ok model.find(ids[500]).item == "item 500", name["a key comes back as a parameter"]

  seen = []
  last = "00000000-0000-0000-0000-000000000000"
  loop do
    rows = page(model, last, 100)
    seen += rows.map(&:id)
    last = seen.last
    break if rows.size < 100
  end
  ok seen == ids, name["pages by key: every row once, in order"]

  since = Time.utc(2020, 2, 1)
  till = Time.utc(2020, 3, 1)
  unit = layout == "draft" ? Rational(1, 1_000_000) : Rational(1, 1000)
  times = [since - unit, since, till - unit, till]
  times.each do |time|
    sql = model.sanitize_sql(["SELECT #{at}(?)", time])
    model.create!(id: model.connection.select_value(sql), item: time.iso8601(6))
  end
  february = model.made_in(since, till).select(:item, "#{timestamp}(id) AS created").to_a
  ok february.map(&:item) == times[1..2].map { |time| time.iso8601(6) },
     name["a window has its start and not its end"]
  ok february.map(&:created) == times[1..2], name["the time of a key is a Time"]

  model.connection.execute("ANALYZE #{model.table_name}")
  ok model.made_in(since, till).explain.include?("Index Cond: ((id >= "),
     name["a window with parameters uses the index"]
end

check(Order, "draft", "uuid_generate_v7()", "uuid_generate_v7_at", "uuid_v7_timestamp")
check(Message, "rfc9562", "uuidv7()", "uuidv7_at", "uuidv7_timestamp")
CreateMessages.migrate(:down)
CreateOrders.migrate(:down)
