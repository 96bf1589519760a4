"""classes.tsv and differences.tsv: which classes of Debian's puppet modules are applied by both, and what differs, and why."""
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Case:
    """One class on a fresh machine."""
    name: str        # of the class; with "#..." after it where a class has several lines
    subject: str     # what a test takes together
    packages: tuple  # of Debian, that the machine must be able to install
    manifest: str

    @property
    def module(self):
        return self.name.split("::")[0].split("#")[0]


@dataclass(frozen=True)
class Difference:
    """What may differ. `always`: it has to be found, or else the line is out of date."""
    name: re.Pattern
    always: bool
    line: re.Pattern
    reason: str


def rows(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            fields = line.split("\t")
            assert len(fields) == 4, f"{path.name}:{number}: {len(fields)} fields, not 4"
            yield fields


def cases():
    found = [Case(name, subject, tuple(packages.split()) if packages != "-" else (), manifest)
             for name, subject, packages, manifest in rows(HERE / "classes.tsv")]
    names = [case.name for case in found]
    assert len(set(names)) == len(names), f"twice in classes.tsv: {sorted({name for name in names if names.count(name) > 1})}"
    return found


def differences():
    return [Difference(re.compile(name), {"always": True, "random": False}[kind], re.compile(line), reason)
            for name, kind, line, reason in rows(HERE / "differences.tsv")]


def unexpected(name, lines, known):
    """The lines that no difference of the table explains, and the differences that were not found."""
    mine = [one for one in known if one.name.fullmatch(name)]
    left = [line for line in lines if not any(one.line.search(line) for one in mine)]
    return left + [f"differences.tsv is out of date: nothing matches {one.line.pattern}" for one in mine
                   if one.always and not any(one.line.search(line) for line in lines)]
