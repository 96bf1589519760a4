#!/usr/bin/env python3
"""Which resource types of a folder of modules Volley's agent has, which need the puppet-agent, and how many resources of the
catalogs of all their classes that makes.

    run.py [--modules DIR] [--volley PROGRAM] [--judge PROGRAM] [--write] [--least PERCENT]

Every class that can be included without parameters is compiled with each file of facts in tests/conformance/facts, and
the rule of `volley apply` (native_types_judge) says who applies each catalog. Needs
`cmake --build --preset release --target volley native_types_judge` and modules (Debian: puppet-module-*).

  --write           makes docs/native-types.md anew
  --least PERCENT   exit status 1 when fewer of the catalogs are for the agent alone (default 95)
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs" / "native-types.md"
sys.path.insert(0, str(HERE.parent))
from module_classes import classes_below  # noqa: E402

INNER = {"component", "stage", "whit"}  # what only Puppet's own catalogs have
BY = {"agent": "agent", "settings": "agent, by what the module says of its file", "puppet-agent": "puppet-agent"}


def compile_catalogs(volley, modules, folder):
    """The catalogs of all classes that can be compiled, in folder/catalogs; how many there are."""
    facts, catalogs = folder / "facts", folder / "catalogs"
    facts.mkdir()
    for file in sorted((HERE.parent / "facts").glob("*.json")):
        known = json.loads(file.read_text())
        for name in classes_below(modules):
            node = name.replace("::", ".").replace("_", "-")  # as names of nodes are
            (facts / f"{node}.{file.stem}.json").write_text(json.dumps({**known, "wanted_class": name}))
    (folder / "site.pp").write_text("include $facts['wanted_class']\n")
    # With the strictness of Puppet 7.
    subprocess.run([volley, "catalog", "compile", str(folder / "site.pp"), "--facts", str(facts), "--output", str(catalogs),
                    "--modulepath", str(modules), "--strict", "warning", "--no-strict-variables"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=folder)
    return catalogs


def judge(program, modules, catalogs):
    done = subprocess.run([program, str(modules), str(catalogs)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def counted(found):
    """Resources and catalogs of each type."""
    resources, catalogs = collections.Counter(), collections.Counter()
    for catalog in found["catalogs"].values():
        for shown, count in catalog["types"].items():
            resources[shown.lower()] += count
            catalogs[shown.lower()] += 1
    return resources, catalogs


def missing(found):
    """What the other catalogs lack, most wanted first: (lacking, catalogs)."""
    wanted = collections.Counter(catalog["lacking"] for catalog in found["catalogs"].values() if catalog["lacking"])
    return sorted(wanted.items(), key=lambda one: (-one[1], one[0]))


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"


def summary(found):
    resources, _ = counted(found)
    types = {name: one for name, one in found["types"].items() if name not in INNER}
    native = sum(count for name, count in resources.items() if types[name]["by"] != "puppet-agent")
    whole = sum(not catalog["lacking"] for catalog in found["catalogs"].values())
    by = collections.Counter(one["by"] for one in types.values())
    return (whole, len(found["catalogs"]), native, sum(resources.values()), by)


def page(found, modules):
    resources, catalogs = counted(found)
    whole, of_catalogs, native, of_resources, by = summary(found)
    types = {name: one for name, one in found["types"].items() if name not in INNER}
    lines = [
        "# Native types of Debian's puppet modules", "",
        "Which resource types of the modules that Debian packages (`puppet-module-*`) Volley's own agent has",
        "([agentless.md](agentless.md)), and which need the target's puppet-agent: in the catalogs of all their classes that can be",
        "included without parameters, compiled with the facts of a Debian 12 and of a Red Hat 9, by the rule that `volley apply`",
        "itself follows (`apply-method: auto` leaves a catalog to the puppet-agent when one resource needs it).", "",
        "| | | |", "|---|---|---|",
        f"| modules | {modules} | |",
        f"| catalogs that the agent applies alone | {whole} of {of_catalogs} | {percent(whole, of_catalogs)} |",
        f"| resources of types that the agent has | {native} of {of_resources} | {percent(native, of_resources)} |",
        f"| types that the agent has | {by['agent'] + by['settings']} of {len(types)} | {by['settings']} of them by what the module's Ruby says of a file of settings |",
        "", "This page is made by `tests/conformance/native_types/run.py --write`.", "",
        "## What the other catalogs need", "", "| catalogs | because of |", "|---|---|",
    ]
    lines += [f"| {count} | {text} |" for text, count in missing(found)]
    lines += ["", "## Types in these catalogs", "", "| type | from | applied by | resources | catalogs |", "|---|---|---|---|---|"]
    for name in sorted(resources, key=lambda one: (-resources[one], one)):
        one = types[name]
        lines.append(f"| `{name}` | {one['module'] or 'Puppet'} | {BY[one['by']]} | {resources[name]} | {catalogs[name]} |")
    lines += ["", "## Types that none of these catalogs has", "", "| from | the agent has | need the puppet-agent |", "|---|---|---|"]
    rest = collections.defaultdict(lambda: ([], []))
    for name, one in sorted(types.items()):
        if name not in resources:
            rest[one["module"]][one["by"] == "puppet-agent"].append(f"`{name}`")
    for module, (ours, others) in sorted(rest.items()):
        lines.append(f"| {module or 'Puppet'} | {' '.join(ours)} | {' '.join(others)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--modules", default="/usr/share/puppet/modules")
    parser.add_argument("--volley", default=str(ROOT / "build/release/bin/volley"))
    parser.add_argument("--judge", default=str(ROOT / "build/release/tests/native_types_judge"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--least", type=float, default=95)
    given = parser.parse_args()
    modules = Path(given.modules).resolve()
    with tempfile.TemporaryDirectory() as folder:
        catalogs = compile_catalogs(given.volley, modules, Path(folder))
        if not catalogs.is_dir() or not any(catalogs.iterdir()):
            sys.exit(f"no class below {modules} could be compiled")
        found = judge(given.judge, modules, catalogs)
    whole, of_catalogs, native, of_resources, _ = summary(found)
    for text, count in missing(found)[:20]:
        print(f"{count:5} catalogs need the puppet-agent because of {text}")
    print(f"{native} of {of_resources} resources ({percent(native, of_resources)}) are of types that the agent has")
    print(f"{whole} of {of_catalogs} catalogs ({percent(whole, of_catalogs)}) are for the agent alone")
    if given.write:
        PAGE.write_text(page(found, sum(1 for one in modules.iterdir() if one.is_dir())))
    return 0 if 100 * whole >= given.least * of_catalogs else 1


if __name__ == "__main__":
    sys.exit(main())
