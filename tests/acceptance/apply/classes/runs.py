#!/usr/bin/env python3
"""Classes of Debian's puppet modules (classes.tsv), each applied by `puppet apply` on a fresh machine of the lab, and by
`volley apply` with apply-method agentless on the same machine, made fresh again. Reports of a first and a second run, exit
status and then the whole machine must be the same, but for what differences.tsv explains.

    tests/acceptance/apply/classes/runs.py VOLLEY [--lanes N] [--keep FOLDER] [CLASS...]

  --lanes N       how many machines work at once (default 2)
  --keep FOLDER   keeps reports and /etc of both sides there

PUPPET_MODULES is the folder of the modules (default /usr/share/puppet/modules: Debian's packages puppet-module-*),
MACHINES_BASES that of the machines' file systems; packages for the machines are downloaded once and kept there.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from apply import compare, lab  # noqa: E402
from apply.classes import table  # noqa: E402

HERE = Path(__file__).resolve().parent
# Of every Puppet; Debian's package of mailalias_core calls it mailalias.
CORE = ("augeas_core", "cron_core", "host_core", "mailalias", "mailalias_core", "mount_core", "selinux_core", "sshkeys_core")
THERE = "/srv/classes"  # where machines see the modules
OFFSET = 190
ADDED = {"Filebucket[puppet]", *(f"Schedule[{name}]" for name in ("puppet", "hourly", "daily", "weekly", "monthly", "never"))}
# What each of the two keeps for itself, what times are written to, and what apt has downloaded.
IGNORED = ("^(root|tmp|var/tmp|var/log)(/|$)", "^var/cache/(apt|puppet|debconf|man)(/|$)", "^var/lib/(apt|puppet|volley-agent)(/|$)",
           "^srv/classes(/|$)", "__pycache__")


def modules_folder():
    return Path(os.environ.get("PUPPET_MODULES", "/usr/share/puppet/modules"))


def why_not():
    """Why the classes cannot be compared here; None when they can."""
    if not (modules_folder() / "stdlib" / "metadata.json").exists():
        return f"there are no modules in {modules_folder()} (Debian: puppet-module-*; PUPPET_MODULES names another folder)"
    return lab.why_not()


def machines(*words, **options):
    done = lab.machines(*words, **options)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def with_dependencies(case, folder):
    """The module of a class, those that its own file names, stdlib, and those that their metadata.json names, of what there is."""
    path = case.name.split("#")[0].split("::")[1:] or ["init"]
    source = folder / case.module / "manifests" / ("/".join(path) + ".pp")
    named = re.findall(r"[:' ]([a-z][a-z0-9_]*)(?=::|')", source.read_text() if source.exists() else "")
    found, left = [], [case.module, "stdlib", *named, *CORE]
    while left:
        one = left.pop()
        if one in found or not (folder / one).is_dir():
            continue
        found.append(one)
        metadata = folder / one / "metadata.json"
        if metadata.exists():
            left += [entry["name"].replace("/", "-").split("-", 1)[1]
                     for entry in json.loads(metadata.read_text()).get("dependencies", [])]
    return sorted(found)


class Field:
    """What all machines of a run see below THERE: the modules, and for each class a modulepath and a manifest."""

    def __init__(self, folder, cases):
        self.folder = Path(folder)
        source = modules_folder()
        for number, case in enumerate(cases):
            path = self.folder / str(number)
            path.mkdir(parents=True)
            names = with_dependencies(case, source)
            assert names, f"there is no module {case.module} in {source}"
            for name in names:
                if not (self.folder / "all" / name).exists():
                    shutil.copytree(source / name, self.folder / "all" / name)
                (path / name).symlink_to(f"../all/{name}")
            (self.folder / f"{number}.pp").write_text(case.manifest + "\n")
        shutil.copy(HERE / "puppet_apply.rb", self.folder)


def packages_of(cases, lab_folder):
    """Fills the lab's repository with the packages of all classes: each is downloaded once, and kept beside the bases."""
    wanted = {" ".join(sorted(case.packages)) for case in cases if case.packages}
    kept = Path(os.environ["MACHINES_BASES"]) / "class-packages"
    listed = kept / "downloaded"
    have = set(listed.read_text().splitlines()) if listed.exists() else set()
    missing = sorted(wanted - have)
    if have:
        # What `machines repo` writes anew must not be a link to what is kept.
        shutil.copytree(kept / "repo", lab_folder / "repo", copy_function=shutil.copy2 if missing else link_or_copy)
    if missing:
        machines("repo", lab_folder, *" -- ".join(missing).split())
        shutil.rmtree(f"{kept}.new", ignore_errors=True)
        shutil.copytree(lab_folder / "repo", f"{kept}.new/repo")
        Path(f"{kept}.new/downloaded").write_text("".join(f"{one}\n" for one in sorted(have | wanted)))
        shutil.rmtree(kept, ignore_errors=True)
        os.rename(f"{kept}.new", kept)


def link_or_copy(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Lane:
    """One machine, on which classes are applied one after the other."""

    def __init__(self, volley, folder, number, field, cases):
        self.volley, self.field = Path(volley), field
        self.lab, self.name = Path(folder) / f"lab{number}", f"m{OFFSET + 2 * number + 1}"
        self.lab.mkdir()
        machines("base", self.lab, "--flavour", "puppet")
        packages_of(cases, self.lab)
        machines("start", self.lab, 1, "--flavour", "puppet", "--offset", OFFSET + 2 * number,
                 env={**os.environ, "MACHINES_NSPAWN": f"--bind-ro={field.folder}:{THERE}", "MACHINES_SIZE": "4g"})
        self.fresh = True

    def close(self):
        lab.machines("stop", self.lab)

    def shell(self, script, **options):
        return lab.machines("exec", self.lab, self.name, "--", "/bin/sh", "-c", script, **options)

    def make_fresh(self):
        if not self.fresh:
            machines("reset", self.lab, self.name)
        self.fresh = False
        # What the package of openstacklib brings along.
        self.shell("mkdir -p /etc/facter/facts.d && echo 'os_service_default=<SERVICE DEFAULT>' > /etc/facter/facts.d/os_service_default.txt")

    def tree(self):
        ignored = [word for one in IGNORED for word in ("--ignore", one)]
        text = machines("tree", self.lab, self.name, "-", *ignored, env={**os.environ, "MACHINES_HIDE_HASHES": "1"})
        return text.splitlines()

    def puppet(self, number):
        """(report, failed or not, what it printed) of one run."""
        done = self.shell(f"cd /; rm -f /root/report; REPORT=/root/report ruby {THERE}/puppet_apply.rb --detailed-exitcodes --color false "
                          f"--modulepath {THERE}/{number} {THERE}/{number}.pp > /root/output 2>&1; echo $? > /root/status; "
                          "cat /root/report || cat /root/output >&2", timeout=900)
        status = int(self.shell("cat /root/status").stdout)
        report = json.loads(done.stdout) if done.stdout.strip() else None
        return report, status not in (0, 2), done.stderr

    def agentless(self, number):
        folder = self.field.folder
        project = self.lab / "project"
        project.mkdir(exist_ok=True)
        (project / "bolt-project.yaml").write_text("name: classes\n")
        done = subprocess.run([str(self.volley), "apply", f"{folder}/{number}.pp", "-t", self.name, "-i", f"{self.lab}/inventory.yaml",
                               "--project", str(project), "--modulepath", f"{folder}/{number}", "--apply-method", "agentless",
                               "--format", "json"], capture_output=True, text=True, errors="replace", timeout=900,
                              env={**os.environ, "HOME": str(self.lab / "home")})
        try:
            value = json.loads(done.stdout)[0]["value"]
        except (ValueError, LookupError, TypeError):
            return None, True, done.stdout + done.stderr
        report = value.get("report")
        text = json.dumps(report).replace(str(folder), THERE) if report else "null"
        return json.loads(text), done.returncode != 0, value.get("_error", {}).get("msg", "")

    def play(self, run, number):
        """Two runs on a fresh machine, and what it has become."""
        self.make_fresh()
        results = [run(number), run(number)]
        return results, self.tree(), self.shell("tar -C / -cf - etc | base64").stdout


def facts_of(report):
    """What counts of a report; what was logged of compiling is none of it."""
    report["logs"] = [log for log in report["logs"] if log["source"] != "Puppet"]
    facts = compare.facts_of(report, "/root/state")
    # What `puppet apply` adds to every catalog: it is there for the agent without that.
    added = [name for name in facts["statuses"] if name in ADDED]
    for name in added:
        del facts["statuses"][name]
    for value in facts["metrics"].get("resources", []):
        value[2] -= len(added) if value[0] == "total" else 0
    del facts["whole"]["environment"]  # "bolt_catalog", as with Bolt
    return without_corrective(facts)


def without_corrective(value):
    """Without what says that a change was corrective: `puppet apply` does not remember what it has set before."""
    if isinstance(value, str):
        return value.removesuffix(" (corrective)")
    if isinstance(value, dict):
        return {key: without_corrective(inner) for key, inner in value.items() if key != "corrective_change"}
    if isinstance(value, (list, tuple)):
        return type(value)(without_corrective(inner) for inner in value if not (isinstance(inner, list) and inner[:1] == ["corrective_change"]))
    return value


def differences(theirs, ours):
    """What differs between the two runs of one tool and those of the other, as lines."""
    (puppet, puppet_tree, _), (agent, agent_tree, _) = theirs, ours
    lines = []
    for step, ((their_report, they_failed, they_said), (our_report, we_failed, we_said)) in enumerate(zip(puppet, agent), 1):
        where = f"run {step}: "
        if their_report is None or our_report is None:
            if their_report is None:
                lines.append(f"{where}puppet apply has no report: {they_said.strip()[-2000:]}")
            if our_report is None:
                lines.append(f"{where}volley apply has no report: {we_said.strip()[-2000:]}")
            continue
        failed = [name for name, status in their_report["resource_statuses"].items() if status["failed"] or status["failed_to_restart"]]
        if they_failed or failed:
            lines.append(f"{where}puppet apply itself could not apply it, so it does not belong into the list: {', '.join(failed[:5])}")
        if they_failed != we_failed:
            lines.append(f"{where}puppet apply {'failed' if they_failed else 'did not fail'}, volley apply did{'' if we_failed else ' not'}: {we_said}")
        lines += [where + line for line in compare.differences(facts_of(their_report), facts_of(our_report))]
    return lines + compare.only_in_one(puppet_tree, agent_tree, ("after puppet apply", "after volley apply"))


def compare_all(volley, folder, cases, lanes=2, keep=None):
    """Yields (case, what differs and has no reason, what Puppet did) as each is done."""
    known = table.differences()
    field = Field(Path(folder) / "field", cases)
    numbers = {case.name: number for number, case in enumerate(cases)}
    free, made = queue.Queue(), []
    try:
        for number in range(min(lanes, len(cases))):
            made.append(Lane(volley, folder, number, field, cases))
            free.put(made[-1])

        def play(case):
            lane = free.get()
            try:
                theirs = lane.play(lane.puppet, numbers[case.name])
                ours = lane.play(lane.agentless, numbers[case.name])
            finally:
                free.put(lane)
            if keep:
                keep_results(Path(keep) / case.name.replace("::", "."), theirs, ours)
            statuses = theirs[0][0][0]["resource_statuses"].values() if theirs[0][0][0] else []
            done = f"{len(statuses)} resources, {sum(one['changed'] for one in statuses)} changed, {sum(one['failed'] for one in statuses)} failed"
            return case, table.unexpected(case.name, differences(theirs, ours), known), done

        pool = concurrent.futures.ThreadPoolExecutor(len(made))
        try:
            for future in concurrent.futures.as_completed([pool.submit(play, case) for case in cases]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)
    finally:
        for lane in made:
            lane.close()


def keep_results(folder, *sides):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (runs, tree, packed) in zip(("puppet", "volley"), sides):
        (folder / f"{name}.json").write_text(json.dumps([{"report": report, "failed": failed, "said": said} for report, failed, said in runs], indent=1))
        (folder / f"{name}.tree").write_text("\n".join(tree) + "\n")
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
        subprocess.run(f"base64 -d | tar -C {folder / name} -xf -", shell=True, input=packed, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("volley")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("classes", nargs="*")
    given = parser.parse_intermixed_args()
    if why := why_not():
        sys.exit(why)
    cases = [case for case in table.cases() if not given.classes or case.name in given.classes]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # machines are stopped then, too
    failed = 0
    with tempfile.TemporaryDirectory(prefix="classes-") as folder:
        for case, lines, done in compare_all(Path(given.volley).resolve(), folder, cases, given.lanes, given.keep):
            failed += bool(lines)
            print(f"{'not ok' if lines else 'ok'} {case.name} ({done})", flush=True)
            for line in lines:
                print(f"    {line}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
