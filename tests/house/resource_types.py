#!/usr/bin/env python3
"""Makes docs/resource-types.md from the descriptors in apply/types.

    tests/house/resource_types.py            writes docs/resource-types.md
    tests/house/resource_types.py --check    exit status 1 when the page is stale
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "resource-types.md"
TYPES = ROOT / "apply" / "types"

HEAD = """# Resource types

What the compiler knows without any module: the types of Puppet itself, and those of the modules that come with every
puppet-agent. A module of the modulepath that has one of the latter wins. Values are checked when a catalog is applied,
not when it is compiled; names of attributes are checked by the compiler.

Types that modules define in Ruby are known too: their attributes, what makes them unique and how their titles are split
are read from lib/puppet/type, and nothing is run. Where a file makes attributes in a way that cannot be known without
running it, every attribute is accepted, with one warning. A file of `puppet generate types` (.resource_types in the
environment) wins over both.

All types have the metaparameters alias, audit, before, loglevel, noop, notify, require, schedule, stage, subscribe and
tag. A star marks what makes a resource unique: when it is not given, it is the title.

This page is made by `./dev docs` from apply/types.
"""

TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROLES = {"Property": "property", "Parameter": "parameter", "Namevar": "parameter"}


def plain(literal):
    """The text of C++ literals beside one another."""
    return re.sub(r"\\(.)", r"\1", "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)))


def field(source, name):
    found = re.search(rf"\.{name} =\s*{TEXT}", source)
    return plain(found[1]) if found else ""


def cell(text):
    return text.replace("|", "\\|")


def section(source):
    lines = [f"## {field(source, 'name')}", "", field(source, "doc")]
    notes = []
    if module := field(source, "module"):
        notes.append(f"From the module {module}.")
    if "TitleRule::NameAtType" in source:
        notes.append("A title NAME@TYPE sets both.")
    if ".isomorphic = false" in source:
        notes.append("Several resources may have the same name.")
    if ".refreshable = true" in source:
        notes.append("Does something when it is notified.")
    if requires := field(source, "autorequires"):
        notes.append("Comes after these, when they are in the catalog: " + requires + ".")
    if notes:
        lines += ["", " ".join(notes)]
    lines += ["", "| attribute | | values | |", "|---|---|---|---|"]
    for name, role, values, doc in re.findall(rf"\{{{TEXT},\s*(\w+),\s*{TEXT},\s*{TEXT}\}}", source):
        star = "*" if role == "Namevar" else ""
        lines.append(f"| {plain(name)}{star} | {ROLES[role]} | `{cell(plain(values))}` | {cell(plain(doc))} |")
    return "\n".join(lines) + "\n"


def page():
    names = re.findall(r"^VOLLEY_RESOURCE_TYPE\((\w+)\)", (TYPES / "registry.def").read_text(), re.M)
    sections = []
    for name in sorted(names):
        file = next(path for path in (TYPES / "core" / f"{name}.cpp", TYPES / "vendored" / f"{name}.cpp") if path.exists())
        sections.append(section(file.read_text()))
    return HEAD + "\n" + "\n".join(sections)


def main():
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print("docs/resource-types.md is stale: run ./dev docs")
    return 1


if __name__ == "__main__":
    sys.exit(main())
