"""Words that the project does not use, and folders that hold too much (docs/contributing.md has the vocabulary).

For tests/house/run.py: `old_words_are_gone(root)` and `folders_keep_their_size(root)` yield one fault each."""
import re
import subprocess
from collections import Counter
from pathlib import Path

SOURCES = re.compile(r"^(?:(?:support|journal|language|transports|inventory|tasks|apply|planner|cli)/.*\.(?:cpp|hpp|def|rb|md)"
                     r"|tests/.*\.(?:cpp|hpp|py|cmake|md)|tests/lsan\.supp|(?:.*/)?CMakeLists\.txt|cmake/.*|docs/.*\.md"
                     r"|(?:modules|examples)/.*|.*\.(?:ps1|sh)|README\.md|dev|\.clang-tidy)$")
# Recorded answers, generated pages, and this list.
NOT_OURS = re.compile(r"^(?:tests/conformance/(?:cases|own|expected|real)/|docs/compatibility\.md$"
                      r"|tests/house/old_words\.py$)")

# What stands in a source, and what to use instead. Identifiers count too: an underscore is read as a space.
WORDS = [
    (r"(?<![a-zA-Z/])[Hh]ouse(?![a-zA-Z])", "architecture, project or checks"),
    (r"(?<![a-zA-Z])(?:[Rr]ooms?|ROOM|VolleyRoom)(?![a-zA-Z])", "component; space"),
    (r"(?<![a-zA-Z])[Dd]oors?(?![a-zA-Z])|(?<=[a-z])Door\b", "interface, public header or access"),
    (r"(?<![a-zA-Z])(?:shelf|shelves)(?![a-zA-Z])|Shelf\b", "cache"),
    (r"(?<![a-zA-Z])[Cc]rews?(?![a-zA-Z])|\bCrew[A-Z]\w*", "pool"),
    (r"(?<![a-zA-Z])(?:loan|loans|lent)(?![a-zA-Z])|Loan\b", "lease"),
    (r"\bSlots\b|\bSlotGuard\b|\b\w+Slots\b", "limit"),
    (r"\bSurroundings\b|\bKept[A-Z]\w*|\bFreezer\b", "ProcessContext; cache; snapshot"),
    (r"\b[Gg](?:ives|ave)\b", "returns, prints, passes, sets or has"),
    (r"\b[Tt](?:ells|old)\b", "reports, prints, logs, warns or shows"),
    (r"\b(?:says|tells) so\b", "what is reported"),
    (r"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!longer|reason|matter|more|such|other|difference|hindrance|news"
     r"|leak|bottleneck|better|less|point|use\b|need|doubt)[a-zA-Z]", "is not a ..., is not valid ..."),
    (r"\b[Bb]ehind\b", "after; hidden by; of"),
    (r"\bonce more\b", "again"),
    (r"\b[Aa]s far as\b", "where, if, up to"),
    (r"\bat work\b", "running"),
    (r"\bmend(?:s|ed|ing)?\b", "fix"),
    (r"\b(?:says?|said|do|does|do it|read) otherwise\b|\botherwise than\b", "differently"),
]
WORDS = [(re.compile(regex), instead) for regex, instead in WORDS]

# Names that only their author can place, as they stand in a source.
NAMES = [
    (r"\b(?:struct|class|enum class) (?:Kept|Seen|Made|Told|Ours|Ran|Few|Picky|Nowhere|Desk"
     r"|\w*Diary|OwnFile|Wire(?:Objects|Value)|\w+Words)\b|\busing (?:Made|Kept|Seen|Told)\b",
     "a name that says what it is"),
    (r"\bwords_of_\w+", "..._arguments"),
    (r"\b(?:to|from)_wire\b", "encode, decode"),
    (r"\bown_file\b|\bopen_own_\w+", "private_file"),
    (r"\bmoment_text\b", "timestamp_text"),
]
NAMES = [(re.compile(regex), instead) for regex, instead in NAMES]

# (file or its beginning, text in the line, why)
ALLOWED = [
    ("", "tests/house", "the folder of these checks"),
    ("", "Path(__file__).resolve().parents", "no prose"),
    ("", "gives up", "give up is plain English"),
    ("", "gave up", "give up is plain English"),
    ("", "gives way", "give way is plain English"),
    ("", "leaves everything behind", "leave behind is plain English"),
    ("", "left behind", "leave behind is plain English"),
    ("", "leaves behind", "leave behind is plain English"),
    ("", "leave behind", "leave behind is plain English"),
    ("", "leaves no servers behind", "leave behind is plain English"),
    ("", "leaves nothing behind", "leave behind is plain English"),
    ("", "leaves half a line behind", "leave behind is plain English"),
    ("", "no $0 behind", "leave behind is plain English"),
    ("", "ideas behind", "ideas behind a thing is plain English"),
    ("docs/language/README.md", "recorded cases behind these differences", "plain English"),
    ("docs/ssh.md", "behind the same jump host", "a host behind another one, as ssh_config(5) says"),
    ("tests/acceptance/test_ssh.py", "behind", "a host behind another one"),
    ("tests/transports/ssh/login/route_session_test.cpp", "behind", "a host behind another one"),
    ("transports/", "behind a jump host", "a host behind another one, as ssh_config(5) says"),
    ("tests/acceptance/test_ssh_hostile.py", "machine room", "a banner that a server sends"),
    ("cmake/", "once for all of them, where", "plain English"),
    ("language/", "are no longer", "plain English"),
]
ALLOWED += [("", text, "Puppet's or Bolt's own message") for text in ("is no longer supported",)]


def tracked(root):
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (Path(root) / name).is_file()]


def old_words_are_gone(root):
    """Sources, tests and pages use the words of the vocabulary."""
    for name in tracked(root):
        if not SOURCES.match(name) or NOT_OURS.match(name):
            continue
        before = ""
        for number, line in enumerate((Path(root) / name).read_text(encoding="utf-8").split("\n"), 1):
            for regex, instead in NAMES:
                if found := regex.search(line):
                    yield f"{name}:{number}: '{found.group(0)}', use {instead}"
            words = line.replace("_", " ")
            for regex, instead in WORDS:
                found = regex.search(words)
                if not found:
                    continue
                # "there" may end the line before.
                if " no " in found.group(0) and not line[:found.start()].strip(" /#") and \
                        before.rstrip().lower().endswith("there"):
                    continue
                if any(name.startswith(file) and (text in line or text in words) for file, text, _ in ALLOWED):
                    continue
                yield f"{name}:{number}: '{found.group(0).strip()}', say {instead}"
            before = line


MOST_FILES = 25
# Folders of one kind of thing, a file for each and a line in a registry: nobody reads them as a whole.
REGISTRIES = {
    "language/functions": "one function a file (registry.def)",
    "language/functions/stdlib": "one function a file (registry.def)",
    "planner/functions": "one plan function a file (registry.def)",
    "cli/verbs": "one verb a file (verbs.def)",
    "cli/guides": "one guide a file (guides.def)",
    "cli/outputters": "one output format a file or two (registry.def)",
    "apply/types/core": "one resource type a file (registry.def)",
    "apply/types/vendored": "one resource type a file (registry.def)",
    "inventory/plugins": "one plugin a file",
    "language/types": "one data type a file",
    "language/ruby/native/methods": "one class of Ruby a file",
    "tests/acceptance": "one subject a file, found by name",
    "tests/fuzz": "one fuzzer a file",
}
# Folders to be split yet: they may shrink and not grow. An entry goes when its folder holds MOST_FILES.
TOO_LARGE = {}


def folders_keep_their_size(root):
    """At most MOST_FILES sources in a folder itself, registries aside."""
    counts = Counter(str(Path(name).parent) for name in tracked(root)
                     if Path(name).suffix in (".cpp", ".hpp", ".py", ".rb") and not name.startswith("modules/"))
    for folder, count in sorted(counts.items()):
        most = TOO_LARGE.get(folder, MOST_FILES)
        if folder not in REGISTRIES and count > most:
            yield f"{folder} holds {count} sources, more than {most}: split it by concept"
    for folder in TOO_LARGE:
        if counts[folder] <= MOST_FILES:
            yield f"{folder} holds {counts[folder]} sources: take it out of TOO_LARGE"


if __name__ == "__main__":
    import sys
    for check in (old_words_are_gone, folders_keep_their_size):
        for fault in check(sys.argv[1] if len(sys.argv) > 1 else "."):
            print(fault)
