#!/usr/bin/env python3
"""House rules that a compiler does not check. Last line: N passed, M failed."""
import filecmp
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# docs/architecture.md: a room includes only itself and these.
BELOW = {
    "support": set(),
    "language": {"support"},
    "transports": {"support"},
    "inventory": {"support", "transports"},
    "tasks": {"support", "transports", "inventory", "language"},
    "apply": {"support", "transports", "inventory", "language"},
    "planner": {"support", "transports", "inventory", "language", "tasks", "apply"},
    "cli": {"support", "transports", "inventory", "language", "tasks", "apply", "planner"},
}
LONGEST = 600


def sources(*suffixes):
    for room in BELOW:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in suffixes:
                yield room, path


def includes_keep_to_the_layers():
    for room, path in sources(".cpp", ".hpp", ".def"):
        for found in re.findall(r'^#include "([a-z]+)/', path.read_text(), re.M):
            if found in BELOW and found != room and found not in BELOW[room]:
                yield f"{path.relative_to(ROOT)} includes {found}, which is not below {room}"


def heavy_headers_stay_in_sources():
    rules = {
        "CLI/": lambda room, path: room == "cli" and path.suffix == ".cpp",
        "yaml-cpp/": lambda room, path: path == ROOT / "support" / "yaml_reader.cpp",
        "nlohmann/json.hpp": lambda room, path: path.suffix == ".cpp",
        # Behind the one small header that others include.
        "boost/process": lambda room, path: "process" in path.parts and path.name not in ("process.hpp", "run.hpp"),
        "iostream": lambda room, path: False,
        "regex>": lambda room, path: False,
        "boost/asio.hpp": lambda room, path: False,
    }
    for room, path in sources(".cpp", ".hpp"):
        for header in re.findall(r"^#include <([^\n]+>)", path.read_text(), re.M):
            for start, allowed in rules.items():
                if header.startswith(start) and not allowed(room, path):
                    yield f"{path.relative_to(ROOT)} includes <{header}"


def files_hold_one_idea():
    for _, path in sources(".cpp", ".hpp"):
        lines = path.read_text().count("\n")
        if lines > LONGEST:
            yield f"{path.relative_to(ROOT)} has {lines} lines, more than {LONGEST}"


def the_lab_is_kept_in_step():
    shared = ROOT.parent / "shared" / "lab"
    for name in ("sshd-farm", "bench-peers"):
        if shared.is_dir() and not filecmp.cmp(ROOT / "tests/lab" / name, shared / name, shallow=False):
            yield f"tests/lab/{name} differs from shared/lab/{name}"


def the_conformance_cases_are_kept_in_step():
    shared, own = ROOT.parent / "shared" / "conformance", ROOT / "tests" / "conformance"
    if not shared.is_dir():
        return
    files = ["README.md", "facts.json", "run.py"]
    files += [str(path.relative_to(shared)) for path in sorted((shared / "expected").rglob("*.json"))]
    for name in files:
        if not (own / name).is_file() or not filecmp.cmp(own / name, shared / name, shallow=False):
            yield f"tests/conformance/{name} differs from shared/conformance/{name}"


def every_row_has_a_test_or_a_reason():
    check = subprocess.run([sys.executable, ROOT / "tests/house/compatibility.py", "--check"], capture_output=True,
                           text=True, check=False)
    if check.returncode != 0:
        yield from check.stdout.splitlines() or [check.stderr.strip()]


def the_page_of_resource_types_is_fresh():
    check = subprocess.run([sys.executable, ROOT / "tests/house/resource_types.py", "--check"], capture_output=True,
                           text=True, check=False)
    if check.returncode != 0:
        yield from check.stdout.splitlines() or [check.stderr.strip()]


RULES = [includes_keep_to_the_layers, heavy_headers_stay_in_sources, files_hold_one_idea, the_lab_is_kept_in_step,
         the_conformance_cases_are_kept_in_step,
         every_row_has_a_test_or_a_reason, the_page_of_resource_types_is_fresh]


def main():
    passed = failed = 0
    for rule in RULES:
        faults = list(rule())
        passed, failed = passed + (not faults), failed + bool(faults)
        print(("ok " if not faults else "not ok ") + rule.__name__.replace("_", " "))
        for fault in faults:
            print(f"    {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
