"""Runs statements on traces in an engine. Each line of standard input is a program; the answer has a line for each trace."""

import json
import random
import sys


def sqlite(columns, rows):
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE logs (vin INTEGER, t INTEGER, {', '.join(columns)})")
    marks = ", ".join("?" * (len(columns) + 2))
    connection.executemany(f"INSERT INTO logs VALUES ({marks})", rows)
    return lambda statement: connection.execute(statement).fetchall()


def duckdb(columns, rows):
    import duckdb

    connection = duckdb.connect()
    declared = ", ".join(f'"{name}" BOOLEAN' for name in columns)
    connection.execute(f"CREATE TABLE logs (vin INTEGER, t INTEGER, {declared})")
    for start in range(0, len(rows), 500):
        values = ", ".join(str(tuple(row)) for row in rows[start : start + 500])
        connection.execute(f"INSERT INTO logs VALUES {values}")
    return lambda statement: connection.execute(statement).fetchall()


def datafusion(columns, rows):
    from datafusion import SessionContext

    context = SessionContext()
    names = ["vin", "t", *columns]
    context.from_pydict({name: [row[at] for row in rows] for at, name in enumerate(names)}, name="logs")
    return lambda statement: [tuple(row.values()) for row in context.sql(statement).to_pylist()]


def pyspark(columns, rows):
    from pyspark.sql import SparkSession

    # The tables are small and the statements long: to compile them would take longer than to interpret them.
    config = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    spark = SparkSession.builder.master("local[2]").config(map=config).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.createDataFrame(rows, ["vin", "t", *columns]).createOrReplaceTempView("logs")
    return lambda statement: [tuple(row) for row in spark.sql(statement.rstrip().rstrip(";")).collect()]


ENGINES = {"sqlite3": sqlite, "duckdb": duckdb, "datafusion": datafusion, "pyspark": pyspark}

for line in sys.stdin:
    program = json.loads(line)
    rows = [
        [run, 10 * step, *values]
        for run, trace in enumerate(program["traces"])
        for step, values in enumerate(trace)
    ]
    # Tables have no order.
    random.Random(1).shuffle(rows)
    answer = ENGINES[sys.argv[1]](program["inputs"], rows)
    found = {}
    for statement in program["statements"]:
        for run, requirement, verdict, first, violations, triggered in answer(statement):
            assert verdict == ("violated" if first is not None else "holds" if triggered else "vacuous"), verdict
            found[run, requirement] = (triggered, -1 if first is None else first, violations, 0)
    for run in range(len(program["traces"])):
        print(*(" ".join(map(str, found[run, requirement])) for requirement in program["ids"]))
