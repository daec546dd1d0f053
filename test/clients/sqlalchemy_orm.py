"""SQLAlchemy: the tables are what create_all makes of the classes."""
from sqlalchemy import CheckConstraint, Column, Text, create_engine, func, insert, select, text
from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.orm import Session, declarative_base

from shared.checks import check

engine = create_engine("postgresql+psycopg2://", future=True)  # PGHOST, PGPORT, PGUSER, PGDATABASE
Base = declarative_base()


class Order(Base):
    __tablename__ = "orders"
    __table_args__ = (CheckConstraint("uuid_v7_layout(id) = 'draft'"),)
    id = Column(UUID(as_uuid=True), primary_key=True, server_default=func.uuid_generate_v7())
    item = Column(Text, nullable=False)


class Message(Base):
    __tablename__ = "messages"
    __table_args__ = (CheckConstraint("uuid_v7_layout(id) = 'rfc9562'"),)
    id = Column(UUID(as_uuid=True), primary_key=True, server_default=func.uuidv7())
    item = Column(Text, nullable=False)


Base.metadata.create_all(engine)
session = Session(engine, future=True)


def february(since, until):
    return (select(Order.item, func.uuid_v7_timestamp(Order.id))
            .where(func.uuid_v7_between(Order.id, since, until)).order_by(Order.id))


def february_messages(since, until):
    return (select(Message.item, func.uuidv7_timestamp(Message.id))
            .where(func.uuidv7_between(Message.id, since, until)).order_by(Message.id))


def page(model, after, size):
    return session.scalars(
        select(model).where(model.id > after).order_by(model.id).limit(size)).all()


class Table:
    def __init__(self, model, statement, at):
        self.model, self.name, self.statement, self.at = model, model.__tablename__, statement, at

    def query(self, sql):
        result = session.execute(text(sql))
        return result.all() if result.returns_rows else None

    def insert(self, item):
        row = self.model(item=item)
        session.add(row)
        session.commit()
        return row.id

    def insert_many(self, items):
        statement = insert(self.model).values([{"item": item} for item in items]).returning(self.model.id)
        keys = session.scalars(statement).all()
        session.commit()
        return keys

    def insert_at(self, time, item):
        session.execute(insert(self.model).values(id=self.at(time), item=item))

    def all(self):
        return session.scalars(select(self.model).order_by(self.model.id)).all()

    def find(self, key):
        return session.get(self.model, key)

    def page(self, after, size):
        return page(self.model, after, size)

    def window(self, since, until):
        return session.execute(self.statement(since, until)).all()

    def explain(self, since, until):
        compiled = self.statement(since, until).compile(dialect=engine.dialect)
        rows = session.connection().exec_driver_sql("EXPLAIN " + str(compiled), compiled.params)
        return "\n".join(row[0] for row in rows)


check("draft", Table(Order, february, func.uuid_generate_v7_at))
check("rfc9562", Table(Message, february_messages, func.uuidv7_at))
session.commit()
session.close()
