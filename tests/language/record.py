#!/usr/bin/env python3
"""Fills the tables beside the unit tests of language with what real Puppet answers.

    python3 tests/language/record.py TABLE.json...    for instance tests/language/functions/text.json

A row is {"of": a function or rule, "mode": "eval" or "parse", "code": ..., "expect": the answer}; write a new one without
"expect". A row "by_hand" is left alone and says why: the installed Puppet cannot answer, or a newer one is followed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ORACLE = pathlib.Path(__file__).parents[1] / "conformance/oracle.rb"


def answers(rows, files):
    cases = [{"id": str(i), "mode": row["mode"], "code": row["code"], "files": files} for i, row in enumerate(rows)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as asked:
        json.dump(cases, asked)
        asked.flush()
        said = subprocess.run(["ruby", str(ORACLE), asked.name], check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["expect"] for line in said.splitlines() if line.startswith("{")]


def record(table):
    rows = json.loads(table.read_text())
    files = table.parent / "environment_files.json"
    asked = [row for row in rows if "by_hand" not in row]
    for row, expect in zip(asked, answers(asked, json.loads(files.read_text()) if files.exists() else {}), strict=True):
        row["expect"] = expect
    table.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


for name in sys.argv[1:]:
    record(pathlib.Path(name))
