"""Checks requirements on frames of ten million rows in memory; fails if one takes more than 40 ms of processor time. The patterns are those
of docs/logs.md. Columns are Booleans and doubles, as in a Parquet file; the time is one of doubles too."""

import sys
import time

import polars as pl

import shall

ROWS = 10_000_000
MOST = 0.040
PATTERNS = {
    "P1": "the sys shall always satisfy p => occurred(10, q)",
    "P2": "whenever p the sys shall within 10 ticks satisfy q",
    "P3": "in m mode when c the sys shall until s satisfy x > 3",
    "P4": "the sys shall always satisfy r => persisted(1000, m)",
}

row = pl.int_range(pl.len(), dtype=pl.Int64)
late = row > ROWS - 1000
FRAME = pl.select(pl.repeat(0, ROWS)).select(
    p=(row * 7919) % 3 == 0,
    q=(row % 8 == 0) & ~(late & (row % 97 < 30)),
    r=row % 1000 == 999,
    m=row != ROWS - 500,
    c=row % 50 == 1,
    s=row % 50 == 40,
    x=pl.when(late & (row % 50 == 20)).then(2.5).otherwise(4 + (row * 31 % 90_000) / 1000),
)
FRAMES = {"": FRAME, ", with the time": FRAME.with_columns(time=row / 100)}


def once(requirement, frame):
    start = time.process_time()
    assert requirement.check(frame).holds is False
    return time.process_time() - start


too_long = []
for what, frame in FRAMES.items():
    for name, sentence in PATTERNS.items():
        requirement = shall.Requirement(sentence)
        seconds = min(once(requirement, frame) for _ in range(5))
        print(f"{name}{what}: {1000 * seconds:.1f} ms")
        if seconds > MOST:
            too_long.append(name + what)
if too_long:
    sys.exit(f"more than {1000 * MOST:.0f} ms: {'; '.join(too_long)}")
