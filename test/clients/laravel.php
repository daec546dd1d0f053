<?php // Laravel's database package without the rest: the table is what a migration makes.
require 'Illuminate/Database/autoload.php';

use Illuminate\Database\Capsule\Manager as DB;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Schema\Blueprint;

$tests = 0;
function ok($passed, $name)
{
    global $tests;
    if (!$passed) {
        throw new Exception($name);
    }
    echo 'ok ', ++$tests, " - $name\n";
}

$capsule = new DB();
$capsule->addConnection([
    'driver' => 'pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT'),
    'database' => getenv('PGDATABASE'), 'username' => getenv('PGUSER'), 'password' => '']);
$capsule->setAsGlobal();
$capsule->bootEloquent();

function up()
{
    DB::statement('CREATE EXTENSION uuidnew');
    DB::schema()->create('orders', function (Blueprint $table) {
        $table->uuid('id')->primary()->default(DB::raw('uuidv7()'));
        $table->text('item');
    });
    DB::statement('ALTER TABLE orders ADD CHECK (uuidv7_is(id))');
}
up();

class Order extends Model
{
    protected $keyType = 'string'; // and $incrementing stays true: save() asks for the key
    protected $fillable = ['item'];
    public $timestamps = false;
}

function insertMany(array $items)
{
    $rows = DB::select('INSERT INTO orders (item) SELECT json_array_elements_text(?) RETURNING id', [json_encode($items)]);
    return array_column($rows, 'id');
}

// Laravel itself would bind a time without its zone, and to the second.
function zoned(DateTimeInterface $time)
{
    return $time->format('Y-m-d H:i:s.uP');
}

function bound(DateTimeInterface $time)
{
    $ms = intdiv((int) $time->format('Uu') + 999, 1000);
    return substr_replace(sprintf('%012x', $ms), '-', 8, 0) . '-7000-8000-000000000000';
}

function timeOf($id)
{
    return new DateTimeImmutable(sprintf('@%.3F', hexdec(substr($id, 0, 8) . substr($id, 9, 4)) / 1000));
}

function madeIn($since, $until)
{
    return Order::whereRaw('uuidv7_between(id, ?, ?)', [zoned($since), zoned($until)]);
}

function deleteBefore($until)
{
    Order::whereRaw('uuidv7_before(id, ?)', [zoned($until)])->delete();
}

$row = DB::selectOne("
    SELECT concat_ws(' ', pg_get_expr(adbin, adrelid), string_agg(pg_get_constraintdef(c.oid), ' ' ORDER BY contype DESC)) AS text
    FROM pg_attrdef JOIN pg_constraint c ON conrelid = adrelid AND contype IN ('p', 'c')
    WHERE adrelid = 'orders'::regclass GROUP BY adbin, adrelid");
ok($row->text === 'uuidv7() PRIMARY KEY (id) CHECK (uuidv7_is(id))', 'the migration makes the extension, the default and the CHECK');

$one = new Order(['item' => 'item']);
ok($one->getKey() === null, 'an unsaved object has no key');
$one->save();
ok(preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $one->id), 'a saved one has a key, a string');
$one->item = 'item 0';
$one->save();
$two = Order::create(['item' => 'item 1']);
ok(Order::count() === 2 && !$one->is($two) && $one->is(Order::find($one->id)), 'a saved object is itself, and not inserted again');

$items = array_map(fn ($n) => "item $n", range(0, 1000));
$ids = [$one->id, $two->id, ...insertMany(array_slice($items, 2))];
ok(count(array_unique($ids)) === 1001, 'each of many rows returns its key');

$all = Order::orderBy('id')->get();
ok($all->pluck('item')->all() === $items, 'sorted by key in the database: as inserted');
ok($all->pluck('id')->sort()->values()->all() === $ids, 'sorted by key in the client: the same');

function insertAt($time, $item)
{
    DB::insert('INSERT INTO orders (id, item) VALUES (uuidv7_at(?), ?)', [zoned($time), $item]);
}

$since = new DateTimeImmutable('2020-02-01T00:00Z');
$until = new DateTimeImmutable('2020-03-01T00:00Z');
$times = [$since->modify('-1 msec'), $since, $until->modify('-1 msec'), $until];
foreach ($times as $time) {
    insertAt($time, zoned($time));
}
$february = madeIn($since, $until)->selectRaw('item, uuidv7_timestamp(id) AS created')->orderBy('id')->get();
ok($february->pluck('item')->all() === [zoned($times[1]), zoned($times[2])], 'a window has its start and not its end');
ok(new DateTimeImmutable($february[1]->created) == $times[2], 'the time of a key is text, with its zone');

$filter = Order::where('id', '>=', bound($since))->where('id', '<', bound($until))->orderBy('id')->get();
ok($filter->pluck('item')->all() === $february->pluck('item')->all(), 'keys made in the program bound the same window');

// random times of the whole range, the same in each run
$sample = DB::select("
    SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS time, uuidv7_min(time) AS least
    FROM (SELECT to_timestamp(3.298e9 * ('x' || md5(n::text))::bit(32)::bigint / 4294967296) AS time
          FROM generate_series(1, 10000) n) times");
$wrong = 0;
foreach ($sample as $row) {
    $time = new DateTimeImmutable($row->time, new DateTimeZone('UTC'));
    $back = timeOf($row->least);
    $wrong += bound($time) !== $row->least || bound($back) !== $row->least || $back < $time;
}
ok(count($sample) === 10000 && $wrong === 0, 'bound() is uuidv7_min() at ten thousand times, and timeOf() their time');

DB::statement('ANALYZE orders');
$query = madeIn($since, $until);
$plan = DB::select('EXPLAIN ' . $query->toSql(), $query->getBindings());
ok(str_contains(json_encode($plan), 'Index Cond: ((id >= '), 'a window with parameters uses the index');

deleteBefore($until);
ok(Order::orderBy('id')->pluck('id')->slice(1)->values()->all() === $ids, 'rows from before a time are deleted, and no others');
DB::schema()->drop('orders');
