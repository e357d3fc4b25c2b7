"""Runs one statement of SQL where the data is, for `shall eval --engine`. Questions and answers are lines of JSON."""

import json
import sys


def answer(**fields):
    print(json.dumps(fields), flush=True)


def is_parquet(path):
    return path.rstrip("/").endswith((".parquet", ".pq")) or not path.rstrip("/").split("/")[-1].count(".")


class DuckDb:
    def __init__(self, path):
        import duckdb

        self.connection = duckdb.connect()
        reader = "read_parquet" if is_parquet(path) else "read_csv"
        self.source = f"{reader}('" + path.replace("'", "''") + "')"

    def columns(self):
        return [row[0] for row in self.connection.execute(f"DESCRIBE SELECT * FROM {self.source}").fetchall()]

    def rename(self, renamed):
        def quoted(name):
            return '"' + name.replace('"', '""') + '"'

        known = self.columns()
        pairs = [(f"{quoted(column)} AS {quoted(variable)}", variable in known) for variable, column in renamed]
        replaced = ", ".join(text for text, is_known in pairs if is_known)
        replaced = f" REPLACE ({replaced})" if replaced else ""
        added = "".join(f", {text}" for text, is_known in pairs if not is_known)
        self.connection.execute(f"CREATE VIEW shall_trace AS SELECT *{replaced}{added} FROM {self.source}")

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()


class Spark:
    def __init__(self, path):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.config("spark.ui.enabled", "false")
        self.session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")
        read = self.session.read
        self.frame = read.parquet(path) if is_parquet(path) else read.csv(path, header=True, inferSchema=True)

    def columns(self):
        return self.frame.columns

    def rename(self, renamed):
        frame = self.frame
        for variable, column in renamed:
            frame = frame.withColumn(variable, self.frame["`" + column.replace("`", "``") + "`"])
        frame.createOrReplaceTempView("shall_trace")

    def rows(self, sql):
        return self.session.sql(sql).collect()


def number(value):
    return None if value is None else int(value)


def main():
    engine, path = sys.argv[1:3]
    try:
        opened = {"duckdb": DuckDb, "spark": Spark}[engine](path)
        answer(columns=opened.columns())
        asked = json.loads(sys.stdin.readline())
        opened.rename(asked["renamed"])
        counts = [[None if run is None else str(run), int(count)] for run, count in opened.rows(asked["counts"])]
        verdicts = []
        if asked["sql"]:
            for run, requirement, verdict, first, count, triggered in opened.rows(asked["sql"]):
                run = None if run is None else str(run)
                verdicts.append([run, requirement, verdict, number(first), number(count), bool(triggered)])
        answer(counts=counts, verdicts=verdicts)
    except ImportError as error:
        answer(missing=error.name or str(error))
    except Exception as error:
        answer(error=str(error).strip().split("\n")[0])


main()
