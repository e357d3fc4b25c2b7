"""Writes the bags of the tests as ROS 2 does, with Python's own SQLite: python3 bags.py FOLDER"""

import sqlite3
import struct
import sys
from pathlib import Path

TOPICS = """CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
    serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);"""
DEFINITIONS = """CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL,
    encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);"""


def bag(path: Path, page_size: int, script: str) -> sqlite3.Connection:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.executescript(script)
    return connection


def topic(connection: sqlite3.Connection, number: int, name: str, kind: str) -> None:
    connection.execute("INSERT INTO topics VALUES(?, ?, ?, 'cdr', '')", (number, name, kind))


def message(connection: sqlite3.Connection, number: int, time: int, body: bytes) -> None:
    data = b"\0\1\0\0" + body
    connection.execute("INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)", (number, time, data))


def tank(level: float, note: str) -> bytes:
    text = note.encode() + b"\0"
    return struct.pack("<dI", level, len(text)) + text


folder = Path(sys.argv[1])

# Small pages: trees with inner pages, and a row that goes on in others.
small = bag(folder / "small.db3", 512, TOPICS + DEFINITIONS)
small.execute(
    "INSERT INTO message_definitions VALUES(1, 'tank_msgs/msg/Tank', 'ros2msg', ?, '')",
    ("float64 level\nstring note\n",),
)
topic(small, 7, "/tank", "tank_msgs/msg/Tank")
topic(small, 8, "/alarm", "std_msgs/msg/Bool")
topic(small, 9, "/other", "other_msgs/msg/Other")
for step in range(60):
    message(small, 7, 1_000 + 10 * step, tank(step / 4, "x" * (2_000 if step == 30 else step % 3)))
    message(small, 8, 1_000 + 10 * step, bytes([step % 2]))
message(small, 9, 1_005, b"\1")
small.commit()
small.close()

# A bag of an older version: without definitions.
old = bag(folder / "old.db3", 4096, TOPICS)
topic(old, 1, "/imu", "sensor_msgs/msg/Imu")
header = struct.pack("<iII", 5, 6, 4) + b"imu\0"
values = struct.pack("<4d", 0.1, 0.2, 0.3, 0.4) + bytes(72)
values += struct.pack("<3d", 1.0, 2.0, 3.0) + bytes(72) + struct.pack("<3d", 0.0, 0.0, 9.81) + bytes(72)
message(old, 1, 1_700_000_000_000_000_000, header + values)
old.commit()
old.close()
