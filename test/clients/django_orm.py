"""Django: the table is what a migration makes; new objects get their keys from the database."""
import os

import django
from django.conf import settings
from django.contrib.postgres.operations import CreateExtension
from django.db import connection, migrations, models
from django.db.models import BooleanField, DateTimeField, F, Func, UUIDField

from shared.checks import check, ok
from shared.key import bound

settings.configure(
    USE_TZ=True,
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"],
        "USER": os.environ["PGUSER"], "HOST": os.environ["PGHOST"], "PORT": os.environ["PGPORT"]}})
django.setup()


class KeyField(UUIDField):
    """A key that the database generates when a row is inserted; None until then."""
    db_returning = True  # INSERT … RETURNING

    def get_placeholder(self, value, compiler, connection):
        return "coalesce(%s, uuidv7())" if value is None else "%s"


class Order(models.Model):
    id = KeyField(primary_key=True, editable=False)
    item = models.TextField()

    class Meta:
        app_label = "shop"
        db_table = "orders"


class Migration(migrations.Migration):
    operations = [
        CreateExtension("uuidnew"),
        migrations.CreateModel("Order", [
            ("id", KeyField(primary_key=True, editable=False)),
            ("item", models.TextField()),
        ], {"db_table": "orders"}),
        migrations.RunSQL(
            """ALTER TABLE orders ALTER id SET DEFAULT uuidv7(),
               ADD CONSTRAINT orders_layout CHECK (uuidv7_is(id))""",
            "ALTER TABLE orders ALTER id DROP DEFAULT, DROP CONSTRAINT orders_layout"),
    ]


with connection.schema_editor() as editor:
    Migration("0001_initial", "shop").apply(migrations.state.ProjectState(), editor)


class Between(Func):
    function = "uuidv7_between"
    output_field = BooleanField()


class Created(Func):
    function = "uuidv7_timestamp"
    output_field = DateTimeField()


def february(since, until):
    return (Order.objects.filter(Between(F("id"), since, until))
            .order_by("id").values_list("item", Created("id")))


def filter(since, until):
    return Order.objects.filter(id__gte=bound(since), id__lt=bound(until)).order_by("id")


class Before(Between):
    function = "uuidv7_before"


def delete_before(until):
    return Order.objects.filter(Before(F("id"), until)).delete()


class Table:
    def query(sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else None

    def insert_at(time, item):
        Order.objects.create(id=Func(time, function="uuidv7_at"), item=item)

    def make(item):
        order = Order(item=item)
        order.full_clean()
        return order

    def save(order):
        order.save()

    def insert_many(items):
        return Order.objects.bulk_create([Order(item=item) for item in items])

    def all():
        return list(Order.objects.order_by("id"))

    def find(key):
        return Order.objects.get(id=key)

    def explain(since, until):
        return february(since, until).explain()

    window, filter, delete_before = february, filter, delete_before


Order(item="of a fixture").save_base(raw=True)  # as loaddata does
ok(Order.objects.get(item="of a fixture").id.version == 7, "a fixture needs no key")
Order.objects.all().delete()

check(Table)
