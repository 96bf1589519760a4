"""The pages of docs/ as programs: what they show as files is written, what they show as commands is run, and what they
show as output is compared. A page may have a fixture of the same name in tests/acceptance/docs (see read_fixture)."""
import importlib.util
import os
import re
import subprocess
from pathlib import Path

from .bench import HANGS

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = Path(__file__).resolve().parents[1] / "docs"
COMMAND = re.compile(r"(\$ )?(?=volley |[^'\"#]*\| volley )")
# What is never twice the same: how long something took.
VOLATILE = [(r"\b(\d+ hr, )?(\d+ min, )?\d+(\.\d+)? (sec|s)\b", "N sec")]


def pages():
    return [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "language").glob("*.md")), ROOT / "README.md"]


class Fixture:
    """What a page needs. A fixture file may define
    setup(b): makes the world of the page; b.project is the folder where commands run
    SKIP = {regex: reason}: commands that cannot run here
    STATUS = {regex: n}: commands whose exit status is not 0
    MASKS = [(regex, text)]: what differs from run to run in shown output, beside durations
    rewrite(command): what is run in place of a command
    after(b, outputs): checks of what the commands printed, by command
    """

    def __init__(self, page):
        path = FIXTURES / (page.stem.replace("-", "_").lower() + ".py")
        module = None
        if path.exists():
            spec = importlib.util.spec_from_file_location("docs_" + path.stem, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        self.setup = getattr(module, "setup", lambda b: None)
        self.after = getattr(module, "after", lambda b, outputs: None)
        self.rewrite = getattr(module, "rewrite", lambda command: command)
        self.skip = getattr(module, "SKIP", {})
        self.status = getattr(module, "STATUS", {})
        self.masks = getattr(module, "MASKS", [])


def blocks(text):
    """The pieces of code of a page: indented by four, or between lines of ```."""
    fenced = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
    rest = re.sub(r"^```\w*\n.*?^```$", "", text, flags=re.M | re.S)
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", rest, re.M):
        yield "\n".join(line[4:] for line in block.strip("\n").split("\n")) + "\n"
    yield from fenced


def files_of(text):
    """The files that name themselves in the first line of a block or of a part of one: "# data/common.yaml"."""
    for block in blocks(text):
        for piece in re.split(r"(?m)^(?=# [\w./-]+\.\w+$)|\n\n(?=\$? ?volley |sh )", block):
            name = re.match(r"# ([\w./-]+\.\w+)\n", piece)
            if name:
                plain = name[1].endswith((".sh", ".py", ".json"))
                yield name[1], (piece.split("\n", 1)[1] if plain else piece).strip("\n") + "\n"


def commands_of(text):
    """The commands of a page in their order, each with the lines that are shown below it; None when none are. A command goes
    on in the next line after a backslash, a pipe or inside of quotes."""
    for block in blocks(text):
        lines = block.rstrip("\n").split("\n")
        at = 0
        while at < len(lines):
            start = COMMAND.match(lines[at])
            if not start:
                at += 1
                continue
            command = lines[at][start.end():]
            at += 1
            while at < len(lines) and (command.endswith(("\\", "|")) or re.sub(r"\\.|[^']", "", command).count("'") % 2):
                command += "\n" + lines[at]
                at += 1
            shown = None
            if start[1]:
                shown = []
                while at < len(lines) and not lines[at].startswith(("$ ", "volley ")):
                    shown.append(lines[at])
                    at += 1
                while shown and not shown[-1]:
                    shown.pop()
            yield command, shown


def masked(text, masks):
    for pattern, instead in [*masks, *VOLATILE]:
        text = re.sub(pattern, instead, text)
    return text


def matches(shown, printed):
    """Whether lines are what a page shows; "..." stands for any number of them, or for any text in a line. Targets answer in
    any order: lines may be in another one when several targets finished."""
    def same(want, have):
        return re.fullmatch(".*".join(re.escape(part) for part in want.split("...")), have) is not None
    def in_order(want, have):
        if not want:
            return not have
        if want[0].strip() == "...":
            return any(in_order(want[1:], have[i:]) for i in range(len(have) + 1))
        return bool(have) and same(want[0], have[0]) and in_order(want[1:], have[1:])
    if in_order(shown, printed):
        return True
    if len(re.findall(r"^(?:Finished on |Failed on |\{.target.:)", "\n".join(shown), re.M)) < 2:
        return False
    rest = list(printed)
    for line in (line for line in shown if line != "..."):
        found = next((one for one in rest if same(line, one)), None)
        if found is None:
            return False
        rest.remove(found)
    return not rest or "..." in shown


def find(table, command):
    return next((value for pattern, value in table.items() if re.search(pattern, command)), None)


def run_page(b, page, program):
    """Runs a page's commands; returns what was compared, and the reasons why others were not run."""
    text, fixture = page.read_text(), Fixture(page)
    for name, content in files_of(text):
        b.write(f"project/{name}", content, 0o755 if content.startswith("#!") else 0o644)
    (b.folder / "bin").mkdir(exist_ok=True)
    (b.folder / "bin" / "volley").symlink_to(program)
    fixture.setup(b)
    env = {**b.env, "PATH": f"{b.folder}/bin:{os.environ['PATH']}"}
    outputs, skipped, used = {}, {}, set()
    for command, shown in commands_of(text):
        reason = find(fixture.skip, command)
        if reason:
            skipped[command] = reason
            used |= {pattern for pattern in fixture.skip if re.search(pattern, command)}
            continue
        done = subprocess.run(["bash", "-c", fixture.rewrite(command)], cwd=b.project, env=env, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=HANGS, check=False)
        wanted = find(fixture.status, command) or 0
        assert done.returncode == wanted, (page.name, command, done.returncode, done.stdout, done.stderr)
        outputs[command] = done.stdout
        if shown is None:
            continue
        want = [masked(line, fixture.masks) for line in shown]
        have = [masked(line, fixture.masks) for line in done.stdout.rstrip("\n").split("\n")]
        assert matches(want, have), f"{page.name} shows of `{command}`\n" + "\n".join(want) + "\n--- but it printed\n" + "\n".join(have)
    stale = set(fixture.skip) - used
    assert not stale, f"{page.name}: no command is skipped for {stale}"
    fixture.after(b, outputs)
    return outputs, skipped
