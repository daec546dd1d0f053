"""SQLAlchemy: the table is what a migration of Alembic makes."""
import sqlalchemy
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import CheckConstraint, Column, Text, create_engine, delete, func, insert, select, text
from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.orm import Session, declarative_base

from shared.checks import check

driver = "psycopg2" if sqlalchemy.__version__ < "2" else "psycopg"
engine = create_engine(f"postgresql+{driver}://", future=True)  # PGHOST, PGPORT, PGUSER, PGDATABASE
Base = declarative_base()


class Order(Base):
    __tablename__ = "orders"
    __table_args__ = (CheckConstraint("uuidv7_is(id)"),)
    id = Column(UUID(as_uuid=True), primary_key=True, server_default=func.uuidv7())
    item = Column(Text, nullable=False)


def upgrade(op):
    op.execute("CREATE EXTENSION uuidnew")
    op.create_table(
        "orders",
        Column("id", UUID(as_uuid=True), primary_key=True, server_default=func.uuidv7()),
        Column("item", Text, nullable=False),
        CheckConstraint("uuidv7_is(id)"))


with engine.begin() as conn:
    upgrade(Operations(MigrationContext.configure(conn)))
session = Session(engine, future=True)


def insert_many(items):
    statement = insert(Order).values([{"item": item} for item in items]).returning(Order)
    return session.scalars(select(Order).from_statement(statement)).all()


def february(since, until):
    return (select(Order.item, func.uuidv7_timestamp(Order.id))
            .where(func.uuidv7_between(Order.id, since, until)).order_by(Order.id))


def filter(since, until):
    return session.scalars(
        select(Order).where(Order.id >= since, Order.id < until).order_by(Order.id)).all()


def delete_before(until):
    session.execute(delete(Order).where(func.uuidv7_before(Order.id, until))
                    .execution_options(synchronize_session=False))


class Table:
    def query(sql):
        result = session.execute(text(sql))
        return result.all() if result.returns_rows else None

    def make(item):
        return Order(item=item)

    def save(order):
        session.add(order)
        session.commit()

    def insert_at(time, item):
        session.add(Order(id=func.uuidv7_at(time), item=item))
        session.flush()

    def all():
        return session.scalars(select(Order).order_by(Order.id)).all()

    def find(key):
        return session.get(Order, key)

    def window(since, until):
        return session.execute(february(since, until)).all()

    def explain(since, until):
        compiled = february(since, until).compile(dialect=engine.dialect)
        rows = session.connection().exec_driver_sql("EXPLAIN " + str(compiled), compiled.params)
        return "\n".join(row[0] for row in rows)

    insert_many, filter, delete_before = insert_many, filter, delete_before


check(Table)
session.commit()
session.close()
