#!/usr/bin/env python3
"""Makes docs/resource-types.md from the declarations in apply/agent/types and apply/types.

    tests/house/resource_types.py            writes docs/resource-types.md
    tests/house/resource_types.py --check    exit status 1 when the page is stale
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "resource-types.md"
TYPES = ROOT / "apply" / "types"
AGENT = ROOT / "apply" / "agent" / "types"

HEAD = """# Resource types

The types that manifests can use without any module, and those of modules that Volley's own agent has. Who applies a
resource is shown below its type: Volley's agent, on a target with nothing installed ([agentless.md](agentless.md)), or the
target's puppet-agent only.

Types that modules define in Ruby are known too: their attributes, what makes them unique and how their titles are split
are read from lib/puppet/type, and nothing is run. Where a file makes attributes in a way that cannot be known without
running it, every attribute is accepted, with one warning. A file of `puppet generate types` (.resource_types in the
environment) wins over both, and a module of the modulepath over the types of the modules that come with every puppet-agent.
The compiler checks the names of attributes; values are checked when a catalog is applied.

A property has a value on the target, which is managed; a parameter says how. A star marks what makes a resource unique: when
it is not given, it is the title. What stands in parentheses is the default. All types have the metaparameters alias, audit,
before, loglevel, noop, notify, require, schedule, stage, subscribe and tag.

This page is made by `./dev docs` from apply/agent/types, and for what the agent does not have from apply/types;
`volley-agent types` prints the agent's part as JSON.
"""

TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROLES = {"Property": "property", "Parameter": "parameter", "Namevar": "parameter"}
INTERNAL = {"component", "whit"}
# No resource of its own: whoever applies a catalog knows them.
OF_BOTH = {"stage"}


def plain(literal):
    """The text of C++ literals beside one another."""
    return re.sub(r"\\(.)", r"\1", "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)))


def field(source, name):
    found = re.search(rf"\.{name} =\s*{TEXT}", source)
    return plain(found[1]) if found else ""


def cell(text):
    return text.replace("|", "\\|")


class Type:
    """What both declarations of a type say."""

    def __init__(self, name):
        self.name, self.doc, self.providers, self.notes = name, "", [], []
        self.attributes = {}  # name: (role, values, doc)
        self.native = False

    def add_compilers(self, source):
        """The compiler's: what is not in the agent has its text here."""
        self.doc = self.doc or field(source, "doc")
        if module := field(source, "module"):
            self.notes.append(f"From the module {module}.")
        if "TitleRule::NameAtType" in source:
            self.notes.append("A title NAME@TYPE sets both.")
        if ".isomorphic = false" in source:
            self.notes.append("Several resources may have the same name.")
        if ".refreshable = true" in source:
            self.notes.append("Does something when it is notified.")
        if requires := field(source, "autorequires"):
            self.notes.append("Comes after these, when they are in the catalog: " + requires + ".")
        for name, role, values, doc in re.findall(rf"\{{{TEXT},\s*(\w+)(?:,\s*{TEXT},\s*{TEXT})?\}}", source):
            self.attributes.setdefault(plain(name), (role, plain(values), plain(doc)))

    def section(self):
        lines = [f"## {self.name}", "", self.doc, ""]
        if self.native:
            providers = f" Providers: {', '.join(self.providers)}." if self.providers else ""
            lines.append(" ".join(["Applied by Volley's agent." + providers, *self.notes]))
        elif self.name in INTERNAL | OF_BOTH:
            if self.notes or self.name in OF_BOTH:
                lines.append(" ".join([*(["Understood by both agents."] if self.name in OF_BOTH else []), *self.notes]))
        else:
            lines.append(" ".join(["Applied by the puppet-agent only.", *self.notes]))
        lines += ["", "| attribute | | values | |", "|---|---|---|---|"]
        for name, (role, values, doc) in self.attributes.items():
            star = "*" if role == "Namevar" else ""
            lines.append(f"| {name}{star} | {ROLES[role]} | `{cell(values)}` | {cell(doc)} |")
        return "\n".join(lines) + "\n"


def registered(path, macro):
    return re.findall(rf"^{macro}\((\w+)\)", path.read_text(), re.M)


def providers_of(name, literal):
    """As the agent has them, where it has a registry."""
    registry = AGENT / name / "registry.def"
    if not literal.startswith('"'):
        return registered(registry, f"VOLLEY_{name.upper()}_PROVIDER")
    return plain(literal).split()


def agent_types():
    """The types that the agent has, by name."""
    found = {}
    for path in sorted(AGENT.rglob("*.cpp")):
        source = path.read_text()
        for match in re.finditer(rf"TypeSpec spec\{{\s*{TEXT},\s*{TEXT},\s*({TEXT}|\w+),\s*(\w+),", source):
            made = Type(plain(match[1]))
            made.doc, made.native = plain(match[2]), True
            made.providers = providers_of(made.name, match[3])
            table = re.search(rf"std::array<Attribute, \d+> {match[5]} = \{{(.*?)\}}\}};", source, re.S)
            for name, role, values, doc in re.findall(rf"\{{{TEXT},\s*Kind::(\w+),\s*{TEXT},\s*{TEXT}", table[1]):
                made.attributes[plain(name)] = (role, plain(values), plain(doc))
            if made.providers:
                chosen = " When it is not given, what fits the machine." if len(made.providers) > 1 else ""
                made.attributes.setdefault("provider", ("Parameter", f"Enum[{', '.join(made.providers)}]", "What manages it." + chosen))
            found[made.name] = made
    return found


def page():
    types = agent_types()
    missing = set(registered(AGENT / "registry.def", "VOLLEY_AGENT_TYPE")) - set(types)
    assert not missing, f"no declaration was found of {missing}"
    for name in registered(TYPES / "registry.def", "VOLLEY_RESOURCE_TYPE"):
        file = next(path for path in (TYPES / "core" / f"{name}.cpp", TYPES / "vendored" / f"{name}.cpp") if path.exists())
        types.setdefault(name, Type(name)).add_compilers(file.read_text())
    for made in types.values():
        for name, (_, values, doc) in made.attributes.items():
            assert values and doc.endswith("."), f"{made.name}: the attribute {name} is not described"
        assert made.doc.endswith("."), f"{made.name} is not described"
    contents = [f"| [{name}](#{name}) | {cell(made.doc)} |" for name, made in sorted(types.items())]
    listing = "\n".join(["| type | |", "|---|---|", *contents]) + "\n"
    return HEAD + "\n" + listing + "\n" + "\n".join(made.section() for _, made in sorted(types.items()))


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
