"""Applies one catalog by the real Puppet and by volley-agent in the same folder, one after the other, and says how their
reports and what they leave behind differ."""
import base64
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
STATUS_FIELDS = ("title", "file", "line", "resource_type", "provider_used", "containment_path", "failed", "failed_to_restart",
                 "changed", "out_of_sync", "skipped", "change_count", "out_of_sync_count", "corrective_change")
EVENT_FIELDS = ("audited", "property", "previous_value", "desired_value", "historical_value", "message", "name", "status",
                "redacted", "corrective_change")


def agent_beside(volley):
    """The agent that was built with a volley; VOLLEY_AGENT names another one."""
    return Path(os.environ.get("VOLLEY_AGENT", Path(volley).parent / "volley-agent"))


class Puppet:
    """One Ruby process that has Puppet loaded; each run is a fork of it."""

    def __init__(self):
        self.process = subprocess.Popen(["ruby", str(HERE / "puppet_runs.rb")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def run(self, order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "broken" not in answer, answer
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def run_agent(agent, order, report):
    command = [str(agent), "apply", "--catalog", order["catalog"], "--state", order["state"], "--report", str(report),
               "--log-level", order.get("level", "info")]
    for name in ("noop", "show_diff", "ignore_schedules"):
        if order.get(name):
            command.append("--" + name.replace("_", "-"))
    for name in ("tags", "skip_tags"):
        if order.get(name):
            command += ["--" + name.replace("_", "-"), order[name]]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    assert report.exists(), (done.returncode, done.stdout, done.stderr)
    return json.loads(report.read_text()), done


def tree(folder):
    """Everything below a folder: kind, mode, owner, content."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = os.path.join(base, name)
            at = os.lstat(path)
            what = [stat.S_IFMT(at.st_mode), oct(at.st_mode & 0o7777), at.st_uid, at.st_gid]
            if stat.S_ISLNK(at.st_mode):
                what[1] = os.readlink(path)
            elif stat.S_ISREG(at.st_mode):
                what.append(hashlib.sha256(Path(path).read_bytes()).hexdigest())
            found[os.path.relpath(path, folder)] = what
    return found


def plain(text, state):
    """Without what differs from run to run: names of temporary files, places of temporary folders, Ruby's names of calls."""
    if not isinstance(text, str):
        return text
    text = text.replace(state, "STATE")
    text = re.sub(r" @ \w+ - ", " - ", text)
    text = text.replace("Is a directory - Is a directory: ", "Is a directory - ")
    text = re.sub(r"(/[^ /]*?)\d{8}-\d+-\w+(\.lock)?\b", r"\1", text)
    text = re.sub(r"/\.([^ /]*)\.\w{6}\b", r"/\1", text)
    text = re.sub(r"(?m)^(---|\+\+\+) .*$", r"\1", text)
    text = re.sub(r"(?m)^Binary files .*$", "Binary files", text)
    return text


def unpacked(event, field):
    """Puppet takes the wanted checksum of a file for bytes, and so reports it in base64; the agent as it is."""
    value = event[field]
    if field == "corrective_change":  # nil where Puppet could not compare with an earlier run
        return bool(value)
    if field == "desired_value" and event["property"] == "content" and isinstance(value, str) and not value.startswith(("{", "[")):
        return base64.b64decode(value).decode()
    return value


def facts_of(report, state):
    """What counts of a report."""
    logs = [(log["level"], log["source"], plain(log["message"], state), log["line"]) for log in report["logs"]
            if not log["message"].startswith(("Unknown failure using insync_values?", "Computing checksum on file "))]
    statuses = {}
    for name, status in report["resource_statuses"].items():
        fact = {field: status.get(field) for field in STATUS_FIELDS}
        fact["tags"] = sorted(status["tags"])
        fact["events"] = [{field: plain(unpacked(event, field), state) for field in EVENT_FIELDS} for event in status["events"]]
        statuses[name] = fact
    metrics = {name: [value for value in metric["values"]] for name, metric in report["metrics"].items() if name != "time"}
    whole = {field: report[field] for field in ("status", "transaction_completed", "noop", "noop_pending", "corrective_change",
                                                "report_format", "environment")}
    return {"logs": logs, "statuses": statuses, "metrics": metrics, "whole": whole}


def differences(theirs, ours):
    """Lines that say what is different; none when nothing is."""
    lines = []
    if theirs["logs"] != ours["logs"]:
        for log in theirs["logs"]:
            if log not in ours["logs"]:
                lines.append(f"only Puppet logs {log}")
        for log in ours["logs"]:
            if log not in theirs["logs"]:
                lines.append(f"only the agent logs {log}")
        if not lines:
            lines.append(f"the log is in another order or has a line twice:\n  {theirs['logs']}\n  {ours['logs']}")
    for name in {**theirs["statuses"], **ours["statuses"]}:
        one, other = theirs["statuses"].get(name), ours["statuses"].get(name)
        if one is None or other is None:
            lines.append(f"{name}: only {'the agent' if one is None else 'Puppet'} reports it")
            continue
        for field in one:
            if one[field] != other[field]:
                lines.append(f"{name}.{field}: {one[field]} by Puppet, {other[field]} by the agent")
    if list(theirs["statuses"]) != list(ours["statuses"]) and not lines:
        lines.append(f"the order is {list(theirs['statuses'])} by Puppet, {list(ours['statuses'])} by the agent")
    for part in ("metrics", "whole"):
        for field, value in theirs[part].items():
            if value != ours[part].get(field):
                lines.append(f"{field}: {value} by Puppet, {ours[part].get(field)} by the agent")
    return lines


class Comparison:
    """Cases of a manifest, in a folder of their own each."""

    def __init__(self, volley, folder):
        self.volley, self.agent = Path(volley), agent_beside(volley)
        self.folder = Path(folder)
        self.puppet = Puppet()
        self.count = 0

    def close(self):
        self.puppet.close()

    def compile(self, manifest):
        source = self.folder / "site.pp"
        source.write_text(manifest)
        done = subprocess.run([str(self.volley), "catalog", "compile", str(source)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        catalog = self.folder / "catalog.json"
        catalog.write_text(done.stdout)
        return str(catalog)

    def play(self, case, catalog, root, tool):
        """The steps of a case: (name, report, tree) of each."""
        state = self.folder / f"state_{tool}_{self.count}"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        shell(case.get("setup"), root)
        results = []
        steps = case.get("steps") or [{"noop": True}, {}, {}]
        for number, step in enumerate(steps):
            shell(step.get("before"), root)
            order = {"catalog": catalog, "state": str(state), "level": "info",
                     **{key: value for key, value in {**case.get("settings", {}), **step}.items() if key != "before"}}
            if tool == "puppet":
                answer = self.puppet.run(order)
                report, aborted = answer["report"], answer["aborted"]
            else:
                report, _ = run_agent(self.agent, order, self.folder / f"report_{number}.json")
                failed = [log["message"] for log in report["logs"] if log["message"].startswith("Failed to apply catalog: ")]
                aborted = failed[0].removeprefix("Failed to apply catalog: ") if failed else None
                report["logs"] = [log for log in report["logs"] if log["message"] not in failed]
            fact = facts_of(report, str(state))
            fact["whole"]["aborted"] = aborted
            results.append((f"step {number + 1} {step}", fact, tree(root)))
        return results

    def compare(self, case):
        """What differs, as lines."""
        self.count += 1
        root = self.folder / "root"
        catalog = self.compile(case["manifest"].replace("%R%", str(root)))
        theirs = self.play(case, catalog, root, "puppet")
        ours = self.play(case, catalog, root, "agent")
        shutil.rmtree(root, ignore_errors=True)
        lines = []
        for (step, fact, files), (_, other, others) in zip(theirs, ours):
            found = differences(fact, other)
            for path in sorted({*files, *others}):
                if files.get(path) != others.get(path):
                    found.append(f"{path} is {files.get(path)} by Puppet, {others.get(path)} by the agent")
            lines += [f"{step}: {line}" for line in found]
        return lines


def shell(script, root):
    if script:
        subprocess.run(["/bin/sh", "-ec", script], cwd=root, check=True, umask=0o022)
