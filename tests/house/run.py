#!/usr/bin/env python3
"""Rules of the repository that a compiler does not check. Last line: N passed, M failed."""
import re
import subprocess
import sys
from pathlib import Path

from old_words import folders_keep_their_size, old_words_are_gone

ROOT = Path(__file__).resolve().parents[2]
# docs/architecture.md: a component includes only itself and these.
BELOW = {
    "support": set(),
    "journal": {"support"},
    "language": {"support"},
    "transports": {"support"},
    "inventory": {"support", "transports"},
    "tasks": {"support", "transports", "inventory", "language"},
    "apply": {"support", "transports", "inventory", "language"},
    "planner": {"support", "transports", "inventory", "language", "tasks", "apply", "journal"},
    "cli": {"support", "journal", "transports", "inventory", "language", "tasks", "apply", "planner"},
}
LONGEST = 600


def sources(*suffixes):
    for component in BELOW:
        for path in sorted((ROOT / component).rglob("*")):
            if path.suffix in suffixes:
                yield component, path


def includes_keep_to_the_layers():
    for component, path in sources(".cpp", ".hpp", ".def"):
        for found in re.findall(r'^#include "([a-z]+)/', path.read_text(), re.M):
            if found in BELOW and found != component and found not in BELOW[component]:
                yield f"{path.relative_to(ROOT)} includes {found}, which is not below {component}"


def language_ruby_has_one_public_header():
    """Of language/ruby others include ruby.hpp alone, which shows how Ruby is read, not how it runs."""
    public = "language/ruby/ruby.hpp"
    own = ("language/ruby/", "tests/language/ruby/", "tests/conformance/native_ruby/")
    paths = [path for _, path in sources(".cpp", ".hpp")] + sorted((ROOT / "tests").rglob("*.[ch]pp"))
    for path in paths:
        name = str(path.relative_to(ROOT))
        for header in re.findall(r'^#include "(language/ruby/[^"]+)"', path.read_text(encoding="utf-8"), re.M):
            if not name.startswith(own) and header != public:
                yield f"{name} includes {header} instead of {public}"
            if name == public and not header.startswith("language/ruby/source/"):
                yield f"{public} includes {header}: what runs Ruby is hidden by it"
            # VOLLEY_NATIVE_RUBY=OFF leaves these folders out.
            if header.startswith("language/ruby/native/") and not name.startswith(
                    ("language/ruby/native/", "tests/language/ruby/native/", "tests/conformance/native_ruby/")):
                yield f"{name} includes {header}, not language/ruby/native_ruby.hpp"


def heavy_headers_stay_in_sources():
    rules = {
        "CLI/": lambda component, path: component == "cli" and path.suffix == ".cpp",
        "yaml-cpp/": lambda component, path: path == ROOT / "support" / "yaml" / "reader.cpp",
        "nlohmann/json.hpp": lambda component, path: path.suffix == ".cpp",
        # Hidden by the one small header that others include.
        "boost/process": lambda component, path: "process" in path.parts and path.name not in ("process.hpp", "run.hpp"),
        "iostream": lambda component, path: False,
        "regex>": lambda component, path: False,
        "boost/asio.hpp": lambda component, path: False,
    }
    for component, path in sources(".cpp", ".hpp"):
        for header in re.findall(r"^#include <([^\n]+>)", path.read_text(), re.M):
            for start, allowed in rules.items():
                if header.startswith(start) and not allowed(component, path):
                    yield f"{path.relative_to(ROOT)} includes <{header}"


def text_becomes_json_in_one_place():
    """Of Json's own ways to read a text none has limits, and its own objects are searched from end to end."""
    unlimited = re.compile(r"\b[Jj]son::(?:parse|sax_parse|accept)\(|\bnlohmann::(?:ordered_)?json\b")
    for _, path in sources(".cpp", ".hpp"):
        if path == ROOT / "support" / "json" / "json_reader.cpp":
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if unlimited.search(line.split("//")[0]):
                yield f"{path.relative_to(ROOT)}:{number} reads JSON without support/json/json_reader.hpp"


def names_of_classes_are_given_once():
    """Two classes of one name in one namespace: the linker takes the members of either for both, and says nothing."""
    places = {}
    for _, path in sources(".hpp"):
        spaces = []  # of each open brace: the namespace, or None
        for line in re.sub(r"//.*", "", path.read_text()).splitlines():
            opened = re.match(r"(?:inline )?namespace ([\w:]*) ?\{", line)
            declared = re.match(r"(?:class|struct|union) (\w+)\b(?!::)[^;]*\{", line)  # at the begin of a line: not inside of a class
            if declared and None not in spaces:
                places.setdefault("::".join([*spaces, declared[1]]), []).append(path)
            for letter in line:
                if letter == "{":
                    spaces.append(opened[1] if opened else None)
                    opened = None
                elif letter == "}" and spaces:
                    spaces.pop()
    for name, paths in places.items():
        if len(paths) > 1:
            yield f"{name} is defined in " + " and in ".join(str(path.relative_to(ROOT)) for path in paths)


def files_hold_one_idea():
    for _, path in sources(".cpp", ".hpp"):
        lines = path.read_text().count("\n")
        if lines > LONGEST:
            yield f"{path.relative_to(ROOT)} has {lines} lines, more than {LONGEST}"


def every_finding_is_settled():
    """findings.tsv: each line names a file and a text in it."""
    for number, line in enumerate((ROOT / "tests/house/findings.tsv").read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3:
            yield f"findings.tsv:{number}: a line has three fields"
            continue
        file, _, text = fields[2].partition("::")
        path = ROOT / file
        if not path.is_file():
            yield f"findings.tsv:{number}: {fields[0]} names {file}, which does not exist"
        elif not text or text not in path.read_text(encoding="utf-8"):
            yield f"findings.tsv:{number}: {file} does not contain '{text}'"


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


def every_fault_of_winrm_is_explained():
    """The table of docs/winrm.md has the numbers for which transports/winrm has advice, and no others."""
    table = (ROOT / "transports/winrm/wsman/faults.cpp").read_text().partition("advices[] = {")[2].partition("\n};")[0]
    advised = {int(number, 0) for number in re.findall(r"^ +\{(0x[0-9A-F]+|\d+),", table, re.M)}
    rows = re.findall(r"^\| `WinRM fault ([^|]+)\|", (ROOT / "docs/winrm.md").read_text(), re.M)
    explained = {int(number) for row in rows for number in re.findall(r"\d+", row)}
    for number in sorted(advised ^ explained):
        yield f"docs/winrm.md and faults.cpp differ in the fault {number}" if advised else "faults.cpp has no table of advice"


def the_vocabulary_is_kept():
    yield from old_words_are_gone(ROOT)


def folders_are_small_enough():
    yield from folders_keep_their_size(ROOT)


RULES = [the_vocabulary_is_kept, folders_are_small_enough, includes_keep_to_the_layers, language_ruby_has_one_public_header,
         heavy_headers_stay_in_sources, text_becomes_json_in_one_place, names_of_classes_are_given_once, files_hold_one_idea,
         every_finding_is_settled, every_row_has_a_test_or_a_reason, every_fault_of_winrm_is_explained,
         the_page_of_resource_types_is_fresh]


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
