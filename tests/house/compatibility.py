#!/usr/bin/env python3
"""Makes docs/compatibility.md: for each row of the checklist, what proves it or why it is not so.

    tests/house/compatibility.py            writes docs/compatibility.md
    tests/house/compatibility.py --check    exit 1 when the page is stale or a row has neither a test nor a reason

Sources:
  checklist.tsv    section, id and feature of every behaviour of OpenBolt
  differences.tsv  id (or a pattern such as WRM-*), "different" or "not yet", why
  known_failures.tsv of tests/conformance: cases of Puppet's language that differ
  the tests        a test that covers a row cites its id (INV-031) in its name or above it
A row with a test and no entry is "same"; an entry "different" may have tests too (of what we do instead).
"""
import fnmatch
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "compatibility.md"
SECTIONS = {
    "1": "Command line", "2": "Output", "3": "Project and configuration", "4": "Inventory",
    "5": "Transports", "6": "Tasks", "7": "Plan language", "8": "Apply", "9": "Plugins and Hiera",
    "10": "Bundled modules", "11": "Module, project, plan and secret management",
}
ID = re.compile(r"\b[A-Z]{2,5}-\d{3}\b")


def table(name):
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def citations():
    """id -> the test files that cite it."""
    cited = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix not in (".cpp", ".hpp", ".py") or path.parent == HERE:
            continue
        for found in ID.findall(path.read_text(encoding="utf-8", errors="replace")):
            cited[found].add(path.relative_to(ROOT).as_posix())
    return cited


def page():
    """The page's text and the ids that have neither a test nor a reason."""
    cited = citations()
    reasons = list(table("differences.tsv"))
    rows = defaultdict(list)
    counts = defaultdict(int)
    unknown = []
    for section, row_id, feature in table("checklist.tsv"):
        if section not in SECTIONS:
            continue
        reason = next((r for r in reasons if r[0] == row_id), None) or next(
            (r for r in reasons if fnmatch.fnmatchcase(row_id, r[0])), None)
        tests = sorted(cited.get(row_id, ()))
        if reason and not (reason[1] == "not yet" and tests and "*" in reason[0]):
            status, why = reason[1], reason[2]
        elif tests:
            status, why = "same", ""
        else:
            status, why = "untested", "no test cites this row"
            unknown.append(row_id)
        counts[status] += 1
        shown = ", ".join(f"`{t.removeprefix('tests/')}`" for t in tests[:3])
        if len(tests) > 3:
            shown += f" and {len(tests) - 3} more"
        rows[section].append(f"| {row_id} | {feature} | {status} | {'; '.join(x for x in (why, shown) if x)} |")
    out = [
        "# Compatibility with Bolt, row by row",
        "",
        "Made by `tests/house/compatibility.py`; do not edit. *same*: a test proves it. *different*: on purpose, for the",
        "reason given. *not yet*: comes with a later version. Test files are below `tests/`.",
        "",
        ", ".join(f"{counts[s]} {s}" for s in ("same", "different", "not yet", "untested") if counts[s]) + ".",
    ]
    for section, title in SECTIONS.items():
        out += ["", f"## {section}. {title}", "", "| id | behaviour | status | why, tests |", "|---|---|---|---|"]
        out += rows[section]
    out += ["", "## Puppet's language", "",
            "Of the recorded cases in `tests/conformance` these differ from Puppet, on purpose:", "",
            "| cases | case | why |", "|---|---|---|"]
    for cases, name, why in table("../conformance/known_failures.tsv"):
        shown = json.loads(name).replace("|", "\\|").replace("\n", " ")
        out.append(f"| {cases} | `{shown}` | {why} |")
    return "\n".join(out) + "\n", unknown


def main():
    text, unknown = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        print(f"{PAGE.relative_to(ROOT)}: {len(unknown)} rows without a test or a reason")
        return 0
    for row_id in unknown:
        print(f"{row_id}: no test cites it and differences.tsv has no entry for it")
    stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text
    if stale:
        print("docs/compatibility.md is stale: run ./dev docs")
    return 1 if unknown or stale else 0


if __name__ == "__main__":
    sys.exit(main())
