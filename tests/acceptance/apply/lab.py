"""The same cases on two machines of the lab (tests/lab/machines): by the real Puppet on one, by volley-agent on the other."""
import json
import os
import shutil
import subprocess
from pathlib import Path

from apply.compare import agent_beside, differences, facts_of, only_in_one

HERE = Path(__file__).resolve().parent
# Debian's packages puppet-module-*; VOLLEY_PUPPET_MODULES names a folder with other ones.
MODULES = Path(os.environ.get("VOLLEY_PUPPET_MODULES", "/usr/share/puppet/modules"))
ADDED_MODULES = ("alternatives",)  # that the machines do not have
MACHINES = HERE.parents[1] / "lab" / "machines"


def machines(*words, **options):
    return subprocess.run([str(MACHINES), *map(str, words)], capture_output=True, text=True, errors="replace", **options)


def why_not():
    """Why machines cannot be booted here; None when they can."""
    if not os.environ.get("MACHINES_BASES"):
        return "MACHINES_BASES is not set: the folder where the file systems of lab machines are kept (tests/lab/machines)"
    done = machines("check")
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip()


class Pair:
    """Two fresh machines: `puppet` and `agent`."""

    def __init__(self, volley, folder, offset=180, options=()):
        self.volley, self.folder = Path(volley), Path(folder)
        self.agent = agent_beside(volley)
        self.lab = self.folder / "lab"
        self.lab.mkdir()
        self.names = {"puppet": f"m{offset + 1:03}", "agent": f"m{offset + 2:03}"}
        for words in (["base", self.lab, "--flavour", "puppet", *options], ["repo", self.lab],
                      ["start", self.lab, 2, "--flavour", "puppet", "--offset", offset]):
            done = machines(*words)
            assert done.returncode == 0, (words, done.stdout, done.stderr)
        self.modules = self.folder / "modules"
        for name in ("stdlib", "sshkeys-core", "selinux-core"):
            self.fetch("puppet", f"/usr/share/puppet/modules.available/puppetlabs-{name}", self.modules / name.replace("-", "_"))
        self.added = [name for name in ADDED_MODULES if (MODULES / name / "metadata.json").exists()]
        for name in self.added:
            self.add_module(name)
        self.send("agent", self.agent, "/root/volley-agent")
        self.send("puppet", HERE / "puppet_runs.rb", "/root/puppet_runs.rb")
        self.system = None
        self.ignored = ()  # options of `machines tree`
        self.listing = ""  # a command that prints what else a machine is
        self.puppet = self.start_puppet()

    def start_puppet(self):
        """`self.system` is the operating system that Puppet shall take the machine for; None: what it is."""
        facts = [f"FACTER_operatingsystem={self.system}"] if self.system else []
        return subprocess.Popen([str(MACHINES), "exec", str(self.lab), self.names["puppet"], "--", "env", *facts, "ruby", "/root/puppet_runs.rb",
                                 "/usr/share/puppet/modules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")

    def end_puppet(self):
        self.puppet.stdin.close()
        self.puppet.wait(60)
        self.puppet.stdout.close()

    def close(self):
        self.end_puppet()
        machines("stop", self.lab)

    def shell(self, machine, script, **options):
        return machines("exec", self.lab, self.names[machine], "--", "/bin/sh", "-c", script, **options)

    def send(self, machine, source, target):
        with open(source, "rb") as content:
            subprocess.run([str(MACHINES), "exec", str(self.lab), self.names[machine], "--", "/bin/sh", "-c",
                            f"cat > {target}.new && chmod 755 {target}.new && mv {target}.new {target}"], stdin=content, check=True)

    def fetch(self, machine, source, target):
        target.mkdir(parents=True)
        packed = subprocess.run([str(MACHINES), "exec", str(self.lab), self.names[machine], "--", "tar", "-C", source, "-cf", "-", "."],
                                capture_output=True, check=True)
        subprocess.run(["tar", "-C", str(target), "-xf", "-"], input=packed.stdout, check=True)

    def add_module(self, name):
        """A module of this machine for the other one."""
        shutil.copytree(MODULES / name, self.modules / name)
        packed = subprocess.run(["tar", "-C", str(self.modules), "-cf", "-", name], capture_output=True, check=True)
        self.shell_with("puppet", "tar -C /usr/share/puppet/modules -xf -", packed.stdout)

    def shell_with(self, machine, script, given):
        subprocess.run([str(MACHINES), "exec", str(self.lab), self.names[machine], "--", "/bin/sh", "-c", script], input=given, check=True)

    def state(self, machine):
        """What the machine is: files, packages, users, services, ... as sorted lines."""
        done = machines("tree", self.lab, self.names[machine], "-", "--ignore", "^(root|tmp|var/tmp|var/log|var/lib/apt|var/cache)(/|$)",
                        "--ignore", "^var/lib/puppet", "--ignore", "^etc/puppet", "--ignore", "^usr/share/puppet", *self.ignored,
                        env={**os.environ, "MACHINES_HIDE_HASHES": "1"})
        assert done.returncode == 0, done.stderr
        listed = self.shell(machine, self.listing) if self.listing else None
        return [line for line in done.stdout.splitlines() if not line.startswith(("process ", "host "))] + (
            listed.stdout.splitlines() if listed else [])

    def compile(self, manifest):
        source = self.folder / "site.pp"
        source.write_text(manifest)
        done = subprocess.run([str(self.volley), "catalog", "compile", str(source), "--modulepath", str(self.modules)],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        catalog = self.folder / "catalog.json"
        catalog.write_text(done.stdout)
        return catalog

    def run_puppet(self, order):
        self.puppet.stdin.write(json.dumps(order) + "\n")
        self.puppet.stdin.flush()
        answer = json.loads(self.puppet.stdout.readline())
        assert "broken" not in answer, answer
        return answer["report"], answer["aborted"]

    def run_agent(self, order):
        options = "--noop " if order.get("noop") else ""
        done = self.shell("agent", f"rm -f /root/report; /root/volley-agent apply --catalog {order['catalog']} --state {order['state']} "
                                   f"--report /root/report --log-level info {options} > /root/output 2>&1; cat /root/report || cat /root/output",
                          timeout=300)
        report = json.loads(done.stdout)
        failed = [log["message"] for log in report["logs"] if log["message"].startswith("Failed to apply catalog: ")]
        report["logs"] = [log for log in report["logs"] if log["message"] not in failed]
        return report, failed[0].removeprefix("Failed to apply catalog: ") if failed else None

    def compare(self, case, number):
        """What differs in the reports, as lines."""
        if case.get("system") != self.system:
            self.end_puppet()
            self.system = case.get("system")
            self.puppet = self.start_puppet()
        catalog = self.compile(case["manifest"])
        lines = []
        for machine in ("puppet", "agent"):
            self.send(machine, catalog, "/root/catalog.json")
            if case.get("setup"):
                done = self.shell(machine, "set -e; " + case["setup"])
                assert done.returncode == 0, (case["name"], done.stdout, done.stderr)
        for count, step in enumerate(case.get("steps") or [{"noop": True}, {}, {}], 1):
            facts = []
            for machine, run in (("puppet", self.run_puppet), ("agent", self.run_agent)):
                if step.get("before"):
                    self.shell(machine, step["before"])
                state = f"/root/state{number}"
                report, aborted = run({"catalog": "/root/catalog.json", "state": state, "level": "info", "noop": step.get("noop", False)})
                fact = facts_of(report, state)
                fact["whole"]["aborted"] = aborted
                if self.system:  # Two defaults come only from the system that Puppet takes the machine for.
                    fact["logs"] = [log for log in fact["logs"] if "Found multiple default providers" not in log[2]]
                facts.append(fact)
            lines += [f"step {count} {step}: {line}" for line in differences(*facts)]
        return lines

    def prepare(self, script):
        """Runs it on both machines."""
        for machine in ("puppet", "agent"):
            done = self.shell(machine, "set -e; " + script)
            assert done.returncode == 0, (done.stdout, done.stderr)

    def compare_all(self, cases):
        """What differs in the reports and then between the machines, as lines."""
        found = []
        for number, case in enumerate(cases):
            found += [f"{case['name']}: {line}" for line in self.compare(case, number)]
        return found + only_in_one(self.state("puppet"), self.state("agent"), ("on Puppet's machine", "on the agent's machine"))
