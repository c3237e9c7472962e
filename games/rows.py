"""Rows written by their models' fields, in plain SQL: for the writes of a turn, which are many and always the same.

The ORM makes each of these statements anew, which costs more than the database takes to carry it out
(`benchmarks/turns.py`). Signals, defaults and relations are left out; for anything but a turn use the ORM.
"""

from functools import cache
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import connection, models


def _fields(model: type[models.Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


@cache
def _update_statement(model: type[models.Model], names: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    sets = ", ".join(f"{quote(field.column)} = %s" for field in _fields(model, names))
    return f"UPDATE {quote(model._meta.db_table)} SET {sets} WHERE id = %s"


@cache
def _insert_statement(model: type[models.Model], names: tuple[str, ...], rows: int, ignore_conflicts: bool) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in _fields(model, names))
    values = ", ".join([f"({', '.join(['%s'] * len(names))})"] * rows)
    conflict = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES {values}{conflict}"


def _values(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in _fields(type(row), names)]


class Batch:
    """Writes that belong together. PostgreSQL gets them as one statement: to wait for each would cost more than it.

    No two of them may write the same row.
    """

    def __init__(self) -> None:
        self._statements: list[str] = []
        self._values: list[list[Any]] = []

    def update(self, row: models.Model, *names: str) -> None:
        """These fields of a row that is stored."""
        self._statements.append(_update_statement(type(row), names))
        self._values.append([*_values(row, names), row.pk])

    def insert(self, *rows: models.Model, ignore_conflicts: bool = False) -> None:
        """New rows of one model, whole. They do not learn their keys."""
        if not rows:
            return
        model = type(rows[0])
        names = tuple(field.name for field in model._meta.concrete_fields if not field.primary_key)
        self._statements.append(_insert_statement(model, names, len(rows), ignore_conflicts))
        self._values.append([value for row in rows for value in _values(row, names)])

    def write(self) -> None:
        """Writes it all."""
        with connection.cursor() as cursor:
            if settings.POSTGRES and len(self._statements) > 1:
                first = ", ".join(f"w{at} AS ({text})" for at, text in enumerate(self._statements[:-1]))
                cursor.execute(f"WITH {first} {self._statements[-1]}", list(chain.from_iterable(self._values)))
            else:
                for text, values in zip(self._statements, self._values, strict=True):
                    cursor.execute(text, values)


@cache
def _selection(model: type[models.Model], where: str) -> tuple[str, list[str], list[tuple[int, Any, Any]]]:
    """The statement, the names of what it gives, and what turns a database's value at a place into Python's."""
    quote = connection.ops.quote_name
    fields: Any = model._meta.concrete_fields
    columns = ", ".join(quote(field.column) for field in fields)
    statement = f"SELECT {columns} FROM {quote(model._meta.db_table)} WHERE {where}"
    converters = []
    for place, field in enumerate(fields):
        expression = field.cached_col
        found = connection.ops.get_db_converters(expression) + expression.get_db_converters(connection)
        converters += [(place, expression, converter) for converter in found]
    return statement, [field.attname for field in fields], converters


def select(model: type[models.Model], where: str, value: Any) -> list[Any]:
    """The rows for which the SQL of `where` holds: a fixed text, in which %s stands for the value."""
    statement, names, converters = _selection(model, where)
    with connection.cursor() as cursor:
        cursor.execute(statement, [value])
        found = [list(row) for row in cursor.fetchall()]
    for row in found:
        for place, expression, converter in converters:
            row[place] = converter(row[place], expression, connection)
    return [model.from_db(connection.alias, names, row) for row in found]
