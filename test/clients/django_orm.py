"""Django: the tables are what a migration makes; new objects get their keys from the database."""
import os

import django
from django.conf import settings
from django.db import connection, migrations, models
from django.db.models import BooleanField, DateTimeField, F, Func, UUIDField

from shared.checks import check

settings.configure(
    USE_TZ=True,
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"],
        "USER": os.environ["PGUSER"], "HOST": os.environ["PGHOST"], "PORT": os.environ["PGPORT"]}})
django.setup()


def draft_key():
    return Func(function="uuid_generate_v7", output_field=UUIDField())


def rfc9562_key():
    return Func(function="uuidv7", output_field=UUIDField())


class KeyField(UUIDField):
    db_returning = True  # INSERT … RETURNING: the object gets what the function made


class Order(models.Model):
    id = KeyField(primary_key=True, default=draft_key)
    item = models.TextField()

    class Meta:
        app_label = "shop"
        db_table = "orders"


class Message(models.Model):
    id = KeyField(primary_key=True, default=rfc9562_key)
    item = models.TextField()

    class Meta:
        app_label = "shop"
        db_table = "messages"


class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel("Order", [
            ("id", KeyField(primary_key=True, default=draft_key, serialize=False)),
            ("item", models.TextField()),
        ], {"db_table": "orders"}),
        migrations.RunSQL(
            """ALTER TABLE orders ALTER id SET DEFAULT uuid_generate_v7(),
               ADD CONSTRAINT orders_layout CHECK (uuid_v7_layout(id) = 'draft')""",
            "ALTER TABLE orders ALTER id DROP DEFAULT, DROP CONSTRAINT orders_layout"),
        migrations.CreateModel("Message", [
            ("id", KeyField(primary_key=True, default=rfc9562_key, serialize=False)),
            ("item", models.TextField()),
        ], {"db_table": "messages"}),
        migrations.RunSQL(
            """ALTER TABLE messages ALTER id SET DEFAULT uuidv7(),
               ADD CONSTRAINT messages_layout CHECK (uuid_v7_layout(id) = 'rfc9562')""",
            "ALTER TABLE messages ALTER id DROP DEFAULT, DROP CONSTRAINT messages_layout"),
    ]


with connection.schema_editor() as editor:
    Migration("0001_initial", "shop").apply(migrations.state.ProjectState(), editor)


def keys(count):
    with connection.cursor() as cursor:
        cursor.execute("SELECT uuid_generate_v7() FROM generate_series(1, %s)", [count])
        return [key for (key,) in cursor]


def page(model, after, size):
    return model.objects.filter(id__gt=after).order_by("id")[:size]


class Between(Func):
    function = "uuid_v7_between"
    output_field = BooleanField()


class Created(Func):
    function = "uuid_v7_timestamp"
    output_field = DateTimeField()


def february(since, until):
    return (Order.objects.filter(Between(F("id"), since, until))
            .order_by("id").values_list("item", Created("id")))


def february_messages(since, until):
    return (Message.objects.filter(Between(F("id"), since, until, function="uuidv7_between"))
            .order_by("id").values_list("item", Created("id", function="uuidv7_timestamp")))


class Table:
    def __init__(self, model, window, keys, at):
        self.model, self.name, self.window, self.keys, self.at = model, model._meta.db_table, window, keys, at

    def query(self, sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else None

    def insert(self, item):
        return self.model.objects.create(item=item).id

    def insert_many(self, items):
        rows = [self.model(id=key, item=item) for key, item in zip(self.keys(len(items)), items)]
        return [row.id for row in self.model.objects.bulk_create(rows)]

    def insert_at(self, time, item):
        self.model.objects.create(id=Func(time, function=self.at, output_field=UUIDField()), item=item)

    def all(self):
        return list(self.model.objects.order_by("id"))

    def find(self, key):
        return self.model.objects.get(id=key)

    def page(self, after, size):
        return list(page(self.model, after, size))

    def explain(self, since, until):
        return self.window(since, until).explain()


def message_keys(count):
    with connection.cursor() as cursor:
        cursor.execute("SELECT uuidv7() FROM generate_series(1, %s)", [count])
        return [key for (key,) in cursor]


check("draft", Table(Order, february, keys, "uuid_generate_v7_at"))
check("rfc9562", Table(Message, february_messages, message_keys, "uuidv7_at"))
