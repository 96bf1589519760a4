"""The tasks and plans that ship with the program, on real targets with the programs that they call."""
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

from harness.bench import HANGS, Skip, needs_root
from harness.web import serve

JSON = ("--format", "json")
MODULES = Path(__file__).resolve().parents[2] / "modules"


def task(b, name, *words, target="web", **settings):
    """Exit status and value of one task on one target; words: name=value."""
    run = b.run("task", "run", name, *words, "-t", target, *JSON, **settings)
    return run.status, run.value()


def offline(b, programs, module, name, **parameters):
    """A bundled task where only some programs exist. programs: name -> body, or None for the real one."""
    folder = b.folder / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    basic = "awk sed tr cat cp rm mktemp chmod grep tail head find stat sleep id ls sh dirname chown".split()
    for program, body in {**{each: None for each in basic}, **programs}.items():
        if body is None:
            (folder / program).symlink_to(shutil.which(program))
        else:
            b.write(f"programs/{program}", f'#!/bin/sh\necho {program} "$@" >> {b.folder}/called\n{body}\n', 0o755)
    copy = b.folder / "modules"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(MODULES, copy)
    helper = copy / "shell_task_helper/files/task.sh"
    helper.write_text(re.sub(r"^PATH=.*", f"PATH={folder}", helper.read_text(), flags=re.M))
    (b.folder / "called").write_text("")
    words = {f"PT_{key}": value if isinstance(value, str) else json.dumps(value) for key, value in parameters.items()}
    script = copy / module / "tasks" / f"{name}.sh"
    if "/opt/puppetlabs" in script.read_text():
        script.write_text(script.read_text().replace("/opt/puppetlabs", f"{b.folder}/opt"))
    done = subprocess.run(["/bin/sh", script], capture_output=True, text=True, timeout=HANGS, cwd=b.folder,
                          env={"PT__installdir": str(copy), "HOME": str(b.home), **words})
    return done.returncode, done.stdout, (b.folder / "called").read_text().splitlines()


def names_of(parameter_block):
    return {name.lower() for name in re.findall(r"\$(\w+)", parameter_block)}


def test_powershell_is_well_formed(b):
    """BND-011 to BND-014, BND-017, BND-023: each PowerShell task takes the parameters of its metadata, and its brackets match"""
    checked = 0
    for metadata in sorted(MODULES.glob("*/tasks/*.json")):
        described = json.loads(metadata.read_text())
        for implementation in described.get("implementations", [{"name": metadata.stem + ".ps1"}]):
            script = metadata.parent / implementation["name"]
            if script.suffix != ".ps1" or not script.exists():
                continue
            text = script.read_text()
            taken = names_of(re.search(r"param\((.*?)\)\n", text, re.S).group(1))
            wanted = set(described["parameters"]) | ({"_noop"} if described.get("supports_noop") else set())
            wanted |= {"_installdir"} if implementation.get("files") else set()
            assert wanted <= taken, f"{script}: {wanted - taken}"
            checked += 1
    assert checked >= 12, checked
    for script in sorted(MODULES.glob("**/*.ps1")):
        text = re.sub(r"(?m)(^|\s)#.*$", "", script.read_text())
        text = re.sub(r"'[^'\n]*'", "''", re.sub(r"`.", "", text))
        depth = []
        for mark in text:
            if mark in "([{":
                depth.append(mark)
            elif mark in ")]}":
                assert depth and depth.pop() + mark in ("()", "[]", "{}"), script
        assert not depth and text.count('"') % 2 == 0, script


def test_bnd_011_service_choices(b):
    """BND-011, BND-012, BND-013, BND-010: sh or PowerShell, by what the target has; the private tasks of one system too"""
    for name, files in (("service", ["init.sh", "init.ps1"]), ("service::linux", ["init.sh"]), ("service::windows", ["init.ps1"]),
                        ("package", ["init.sh", "init.ps1"]), ("package::linux", ["init.sh"]), ("package::windows", ["init.ps1"]),
                        ("reboot", ["init.sh", "init.ps1"]), ("reboot::nix", ["init.sh"]), ("reboot::win", ["init.ps1"]),
                        ("facts", ["posix.sh", "powershell.ps1"])):
        shown = b.run("task", "show", name, *JSON)
        assert shown.status == 0, shown
        assert [each["name"] for each in shown.json["metadata"]["implementations"]] == files, shown


@needs_root
def test_bnd_011_service(b):
    """BND-011: a service of the target's own manager, started, stopped, enabled and disabled"""
    b.ssh_inventory()
    script = Path("/etc/init.d/volley-demo")
    state = b.folder / "running"
    script.write_text(f"""#!/bin/sh
### BEGIN INIT INFO
# Provides: volley-demo
# Required-Start:
# Required-Stop:
# Default-Start: 2 3 4 5
# Default-Stop: 0 1 6
# Short-Description: a test
### END INIT INFO
case $1 in
  start) touch {state} ;;
  stop) rm -f {state} ;;
  restart) touch {state} ;;
  status) [ -e {state} ] || exit 3 ;;
esac
""")
    script.chmod(0o755)

    def remove():
        script.unlink()
        subprocess.run(["update-rc.d", "-f", "volley-demo", "remove"], capture_output=True)
    b.undo(remove)
    for action, status in (("start", "started"), ("start", "in_sync"), ("restart", "restarted"), ("enable", "enabled"),
                           ("enable", "in_sync"), ("disable", "disabled"), ("stop", "stopped"), ("stop", "in_sync")):
        assert task(b, "service", f"action={action}", "name=volley-demo", "provider=sysv") == (0, {"status": status}), action
        assert state.exists() == (action not in ("stop",)), action
    assert task(b, "service", "action=status", "name=volley-demo", "provider=sysv") == (0, {"status": "stopped", "enabled": "false"})
    status, value = task(b, "service", "action=start", "name=-x")
    assert status == 1 and value["_error"]["kind"] == "service/failure", value


def apt_package(b, version):
    """A Debian package without content, and its entry in an index."""
    folder = b.folder / f"pkg-{version}"
    (folder / "DEBIAN").mkdir(parents=True)
    control = f"Package: volley-demo\nVersion: {version}\nArchitecture: all\nMaintainer: test <t@example.com>\nDescription: test\n"
    (folder / "DEBIAN/control").write_text(control)
    file = b.folder / "repo" / f"volley-demo_{version}_all.deb"
    file.parent.mkdir(exist_ok=True)
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", folder, file], check=True, capture_output=True)
    data = file.read_bytes()
    return control + f"Filename: ./{file.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n\n"


@needs_root
def test_bnd_012_package(b):
    """BND-012: a package installed, upgraded and removed by the real apt-get, from a repository of the test's own"""
    if not shutil.which("apt-get"):
        raise Skip("needs apt-get")
    b.ssh_inventory()
    b.write("repo/Packages", "".join(apt_package(b, version) for version in ("1.0", "2.0")))
    b.write("list", f"deb [trusted=yes] file:{b.folder}/repo ./\n")
    (b.folder / "lists/partial").mkdir(parents=True)
    options = (f"-o Dir::Etc::SourceList={b.folder}/list -o Dir::Etc::SourceParts=- -o Dir::State::Lists={b.folder}/lists "
               "-o APT::Sandbox::User=root")
    subprocess.run(["apt-get", "update", *options.split()], check=True, capture_output=True)
    b.undo(lambda: subprocess.run(["dpkg", "--purge", "volley-demo"], capture_output=True))
    more = ("name=volley-demo", f"manager_options={options}")
    assert task(b, "package", "action=status", *more) == (0, {"status": "uninstalled", "version": ""})
    assert task(b, "package", "action=install", "version=1.0", *more) == (0, {"status": "installed", "version": "1.0"})
    assert task(b, "package", "action=install", *more) == (0, {"status": "present", "version": "1.0"})
    assert task(b, "package", "action=upgrade", *more) == (0, {"status": "upgraded", "version": "2.0", "old_version": "1.0"})
    assert task(b, "package", "action=status", *more)[1]["version"] == "2.0"
    assert task(b, "package", "action=uninstall", *more) == (0, {"status": "uninstalled"})
    status, value = task(b, "package", "action=install", "name=volley-no-such", f"manager_options={options}")
    assert status == 1 and "volley-no-such" in value["_error"]["msg"], value


class Web:
    """Prints what it was asked; /to/N redirects N times, /bad is not valid JSON, /gone is 404."""

    def __init__(self, b):
        self.asked = []
        self.url = serve(b, self.answer)

    def answer(self, request):
        self.asked.append(request)
        left = re.fullmatch(r"/to/(\d+)", request.path)
        if left:
            return 302, "moved", {"Location": f"/to/{int(left[1]) - 1}" if left[1] != "1" else "/end"}
        if request.path == "/bad":
            return 200, "{no JSON\n", {}
        return 404 if request.path == "/gone" else 200, json.dumps({"path": request.path, "text": "a \"b\"\\\n\té"}), {}


def test_bnd_017_http_request(b):
    """BND-017: methods, bodies, headers, redirects and errors, from a target over SSH"""
    if not shutil.which("curl"):
        raise Skip("needs curl")
    web = Web(b)
    b.ssh_inventory()
    answer = {"path": "/api/x?y=1", "text": 'a "b"\\\n\té'}
    status, value = task(b, "http_request", f"base_url={web.url}/api/", "path=x?y=1", 'headers={"X-A": "v \\"q\\" \\\\ é"}')
    assert status == 0 and value == {"body": json.dumps(answer), "status_code": 200}, value
    assert web.asked[-1][0] == "GET" and web.asked[-1][2]["X-A"].encode("latin-1").decode() == 'v "q" \\ é', web.asked
    status, value = task(b, "http_request", f"base_url={web.url}", "path=/p", "method=post", "json_endpoint=true", 'body={"k": ["v", 1]}')
    assert value == {"body": {**answer, "path": "/p"}, "status_code": 200}, value
    method, _, headers, body = web.asked[-1]
    assert method == "POST" and headers["Content-Type"] == "application/json" and json.loads(body) == {"k": ["v", 1]}, web.asked[-1]
    task(b, "http_request", f"base_url={web.url}/put", "method=put", "body=@/etc/passwd 'text'\nmore")
    assert web.asked[-1][0] == "PUT" and web.asked[-1][3] == "@/etc/passwd 'text'\nmore", web.asked[-1]
    assert task(b, "http_request", f"base_url={web.url}/to/2")[1]["status_code"] == 200
    assert task(b, "http_request", f"base_url={web.url}/to/2", "follow_redirects=false")[1]["status_code"] == 302
    assert task(b, "http_request", f"base_url={web.url}/gone")[1]["status_code"] == 404
    for words, kind in ((("path=/to/3", "max_redirects=2"), "too-many-redirects-error"), (("path=/bad", "json_endpoint=true"), "json-parse-error")):
        status, value = task(b, "http_request", f"base_url={web.url}", *words)
        assert status == 1 and value["_error"]["kind"] == f"http_request/{kind}", value
    status, value = task(b, "http_request", "base_url=http://u:secret@127.0.0.1:1/x?token=secret")
    assert value["_error"]["kind"] == "http_request/connect-error" and "secret" not in value["_error"]["msg"], value


def test_bnd_017_http_request_programs(b):
    """BND-017: wget where there is no curl; nothing secret in arguments; a clear error without both"""
    web = Web(b)
    header = {"Authorization": "Bearer s3cret"}
    if shutil.which("wget"):
        status, out, _ = offline(b, {"wget": None}, "http_request", "init", base_url=web.url + "/to/1", headers=header, json_endpoint=True)
        value = json.loads(out)
        assert status == 0 and value["status_code"] == 200 and value["body"]["path"] == "/end", out
        assert web.asked[-1][2]["Authorization"] == "Bearer s3cret", web.asked
        assert json.loads(offline(b, {"wget": None}, "http_request", "init", base_url=web.url + "/gone")[1])["status_code"] == 404
        status, out, _ = offline(b, {"wget": None}, "http_request", "init", base_url=web.url + "/post", method="post", body="text")
        assert web.asked[-1][0] == "POST" and web.asked[-1][3] == "text", (web.asked[-1], out)
        out = offline(b, {"wget": None}, "http_request", "init", base_url=web.url + "/to/3", max_redirects="1")[1]
        assert json.loads(out)["_error"]["kind"] == "http_request/too-many-redirects-error", out
    _, out, called = offline(b, {"curl": "printf 200"}, "http_request", "init", base_url=web.url + "/?key=s3cret", headers=header, body="s3cret")
    assert json.loads(out) == {"body": "", "status_code": 200} and len(called) == 1 and "s3cret" not in called[0], (out, called)
    status, out, _ = offline(b, {}, "http_request", "init", base_url=web.url)
    assert status == 1 and "neither curl nor wget" in out, out


def test_bnd_018_terraform_programs(b):
    """BND-018: what the tasks call `terraform` with; its errors; values of variables in a file, not in arguments"""
    (b.folder / "tf").mkdir(exist_ok=True)
    shows = f'for word; do case $word in -var-file=*.json) cat "${{word#*=}}" > {b.folder}/vars ;; esac; done; printf "done\\n\\"q\\"\\n"'
    status, out, called = offline(b, {"terraform": shows}, "terraform", "apply", dir="tf", state="s.tfstate", state_out="/abs/out",
                                  target=["a.b", "c d.e"], var={"x": "s3cret", "n": [1]}, var_file="v.tfvars")
    assert (status, json.loads(out)) == (0, {"stdout": 'done\n"q"\n'}), out
    assert re.fullmatch(f"terraform apply -no-color -auto-approve -input=false -state={b.folder}/tf/s.tfstate -state-out=/abs/out "
                        f"-target=a.b -target=c d.e -var-file=\\S+/var.tfvars.json -var-file={b.folder}/tf/v.tfvars", called[0]), called
    assert json.loads((b.folder / "vars").read_text()) == {"x": "s3cret", "n": [1]}
    for name, kind in (("apply", "apply"), ("destroy", "destroy"), ("refresh", "refresh"), ("output", "output"), ("initialize", "init")):
        status, out, _ = offline(b, {"terraform": "echo it broke >&2; exit 1"}, "terraform", name, dir="tf")
        assert status == 1 and json.loads(out)["_error"] == {"kind": f"terraform/{kind}-error", "msg": "it broke", "details": {}}, out
    assert "Could not find directory" in offline(b, {"terraform": ""}, "terraform", "apply", dir="none")[1]
    assert "Could not find executable" in offline(b, {}, "terraform", "apply")[1]
    (b.folder / "tf/.terraform").mkdir()
    assert "already initialized" in offline(b, {}, "terraform", "initialize", dir="tf")[1]


def test_bnd_018_terraform(b):
    """BND-018, PLG-040: a real project is applied, its outputs are read, its state makes targets, it is destroyed"""
    if not shutil.which("terraform"):
        raise Skip("needs terraform")
    b.write("tf/main.tf", 'variable "who" {}\nresource "terraform_data" "host" { input = { name = var.who, ip = "10.0.0.1" } }\n'
            'output "greeting" { value = "hello ${var.who}" }\n')
    folder = f"dir={b.folder}/tf"
    home = {"CHECKPOINT_DISABLE": "1"}
    run = b.run("task", "run", "terraform::initialize", folder, "-t", "localhost", *JSON, env=home)
    if run.status != 0:
        raise Skip(f"terraform cannot work here: {run.value()}")
    run = b.run("plan", "run", "terraform::apply", folder, 'var={"who": "Bob"}', "return_output=true", *JSON, env=home)
    assert run.status == 0 and run.json["greeting"]["value"] == "hello Bob", run
    b.inventory(json.dumps({"targets": [{"_plugin": "terraform", "dir": str(b.folder / "tf"), "resource_type": "terraform_data.host",
                                         "target_mapping": {"name": "output.value.name", "uri": "output.value.ip"}}]}))
    assert b.run("inventory", "show", *JSON).json["targets"] == ["Bob"]
    run = b.run("plan", "run", "terraform::destroy", folder, 'var={"who": "Bob"}', *JSON, env=home)
    assert run.status == 0 and "1 destroyed" in run.json[0]["value"]["stdout"], run
    assert b.run("inventory", "show", *JSON).json["targets"] == []


def needs_puppet():
    if not shutil.which("puppet"):
        raise Skip("needs puppet")


def test_bnd_015_puppet_conf(b):
    """BND-015: settings of a real agent are set and read over SSH; deleted; Puppet's own errors, without colours"""
    needs_puppet()
    account = b.user()
    b.ssh_inventory(user=account.name)
    assert b.run("command", "run", "mkdir -p ~/.puppet/etc ~/.puppetlabs/etc/puppet", "-t", "web").status == 0
    slow = {"timeout": 200}
    assert task(b, "puppet_conf", "action=set", "setting=server", "value=puppet.example.com", **slow) == (
        0, {"status": "puppet.example.com", "setting": "server", "section": "main"})
    value = task(b, "puppet_conf", "action=get", "setting=server", "section=agent", **slow)[1]
    assert value == {"status": "puppet.example.com", "setting": "server", "section": "agent"}, value
    status, value = task(b, "puppet_conf", "action=set", "setting=server")
    assert status == 1 and value["error"] == "You must pass a value argument", value
    _, out, called = offline(b, {"puppet": ""}, "puppet_conf", "init", action="delete", setting="server", section="agent")
    assert called == ["puppet config delete --section agent server"] and json.loads(out)["status"] == "", (out, called)
    broken = "printf '\\033[1;31mError: no\\033[0m\\n' >&2; exit 1"
    status, out, _ = offline(b, {"puppet": broken}, "puppet_conf", "init", action="get", setting="x")
    assert status == 1 and json.loads(out)["error"] == "Error: no" and json.loads(out)["status"] == "failure", out


def test_bnd_014_check(b):
    """BND-014: the version of a real agent; how versions compare"""
    needs_puppet()
    b.ssh_inventory()
    have = subprocess.run(["puppet", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert task(b, "openvox_bootstrap::check") == (0, {"puppet_version": have, "valid": True})
    agent = {"puppet": "echo 8.10.0"}
    for test, version, valid in (("ge", "8", True), ("eq", "8.10", True), ("eq", "8.10.0", True), ("lt", "9", True), ("gt", "8.9.3", True),
                                 ("gt", "8.10.0", False), ("eq", "8.1", False), ("le", "8.9", False)):
        status, out, _ = offline(b, agent, "openvox_bootstrap", "check", test=test, version=version)
        assert json.loads(out) == {"puppet_version": "8.10.0", "test": test, "test_version": version, "valid": valid}, out
        assert (status == 0) == valid, (test, version)
    assert "does not exist" in offline(b, {}, "openvox_bootstrap", "check")[1]


def test_bnd_014_configure(b):
    """BND-014: puppet.conf through puppet itself, csr_attributes.yaml, the service; what failed is reported"""
    (b.folder / "etc").mkdir()
    agent = f"""case "$*" in 'config print confdir') echo {b.folder}/etc ;;
      *bad*) echo 'Error: unknown'; exit 1 ;; 'config set'*) echo "$5 = $6" >> {b.folder}/etc/puppet.conf ;; esac"""
    attributes = {"custom_attributes": {"1.2.840.113549.1.9.7": 'p"w\n\\x'}, "extension_requests": {"pp_role": "web"}}
    status, out, called = offline(b, {"puppet": agent}, "openvox_bootstrap", "configure", csr_attributes=attributes,
                                  puppet_conf={"main": {"server": "ox example"}, "agent": {"runinterval": "1h"}}, puppet_service_running=False)
    value = json.loads(out)
    assert status == 0, out
    assert "puppet config set --section main server ox example" in called and "puppet config set --section agent runinterval 1h" in called, called
    assert value["puppet_conf"]["successful"] and value["puppet_conf"]["path"] == f"{b.folder}/etc/puppet.conf", value
    assert called[-1] == "puppet resource service puppet ensure=stopped enable=true" and value["puppet_service"]["successful"], called
    file = b.folder / "etc/csr_attributes.yaml"
    assert file.read_text() == value["csr_attributes"]["contents"] and file.stat().st_mode & 0o777 == 0o640, value
    assert [line.split(": ", 1) for line in file.read_text().splitlines()] == [
        ["---"], ["custom_attributes:"], ['  "1.2.840.113549.1.9.7"', json.dumps(attributes["custom_attributes"]["1.2.840.113549.1.9.7"])],
        ["extension_requests:"], ['  "pp_role"', '"web"']], file.read_text()
    status, out, _ = offline(b, {"puppet": agent}, "openvox_bootstrap", "configure", puppet_conf={"main": {"bad": "x"}})
    value = json.loads(out)
    assert status == 1 and value["puppet_conf"]["errors"] == {"--section=main bad=x": "Error: unknown"}, out
    assert "csr_attributes" not in value and value["puppet_service"]["successful"], value


def test_bnd_014_other_versions_and_builds(b):
    """BND-014: another version than the installed one is wanted; a package of the build server"""
    if "ID=debian" not in Path("/etc/os-release").read_text():
        raise Skip("this test knows Debian's answers")
    release = next(line.split('"')[1] for line in Path("/etc/os-release").read_text().splitlines() if line.startswith("VERSION_ID"))
    programs = {"id": "echo 0", "curl": "", "apt-get": "", "dpkg": "echo amd64"}
    status, out, called = offline(b, {**programs, "curl": 'while [ "$1" != -o ]; do shift; done; : > "$2"'}, "openvox_bootstrap",
                                  "install_build_artifact", package="openvox-agent", version="8.15.0")
    value = json.loads(out)
    assert status == 0 and value["source"] == f"https://artifacts.voxpupuli.org/openvox-agent/8.15.0/openvox-agent_8.15.0-1%2Bdebian{release}_amd64.deb", out
    assert any(re.match(r"apt-get install -y --no-install-recommends --allow-downgrades /\S+/package.deb", line) for line in called), called
    status, out, called = offline(b, {**programs, "id": "echo 1000"}, "openvox_bootstrap", "install_build_artifact", version="1")
    assert status == 1 and "needs root" in out and not any("apt-get" in line for line in called), out


def test_bnd_023_install(b):
    """BND-023: the agent is installed from the collection's packages, once; noop; accounts are refused"""
    if "ID=debian" not in Path("/etc/os-release").read_text():
        raise Skip("this test knows Debian's answers")
    code = next(line.split("=")[1] for line in Path("/etc/os-release").read_text().splitlines() if line.startswith("VERSION_CODENAME"))
    puppet = b.folder / "programs/puppet"
    installs = f"[ $1 = update ] || {{ printf '#!/bin/sh\\necho 8.1.0\\n' > {puppet}; chmod +x {puppet}; }}"
    fetches = 'while [ "$1" != -o ]; do shift; done; : > "$2"'
    programs = {"id": "echo 0", "curl": fetches, "dpkg": "", "apt-get": installs, "systemctl": ""}
    status, out, called = offline(b, programs, "puppet_agent", "install", version="8.1.0", stop_service="true")
    assert (status, json.loads(out)) == (0, {"installed": True, "version": "8.1.0"}), (out, called)
    assert any(line.endswith(f"https://apt.puppet.com/puppet8-release-{code}.deb") for line in called), called
    assert f"apt-get install -y --no-install-recommends --allow-downgrades puppet-agent=8.1.0-1{code}" in called, called
    assert "systemctl disable --now puppet.service" in called, called
    has = {"puppet": "echo 7.0.0"}
    assert json.loads(offline(b, {**programs, **has}, "puppet_agent", "install")[1]) == {"installed": False, "version": "7.0.0"}
    _, out, called = offline(b, {**programs, **has}, "puppet_agent", "install", version="8.1.0", _noop="true")
    assert json.loads(out)["_noop"] is True and called == ["puppet --version"], (out, called)
    _, out, called = offline(b, programs, "puppet_agent", "install", collection="puppetcore8")
    assert "needs an account" in out and not any("apt-get" in line for line in called), out
    _, out, called = offline(b, programs, "puppet_agent", "install", absolute_source="http://mirror/agent.deb")
    assert any(line.endswith("http://mirror/agent.deb") for line in called) and "installed" in out, (out, called)


REPORT = """--- !ruby/object:Puppet::Transaction::Report
host: web
time: 2026-01-02T03:04:05.000000000+00:00
status: STATUS
logs:
- !ruby/object:Puppet::Util::Log
  level: :notice
  message: done
"""


def test_bnd_023_run(b):
    """BND-023: the agent runs with the options asked for, its report is data; disabled, failed and missing agents"""
    if not shutil.which("ruby"):
        raise Skip("needs ruby")

    def puppet(status="changed", code=2):
        b.write("report.yaml", REPORT.replace("STATUS", status))
        return {"ruby": None, "env": None, "cut": None, "puppet": f"""if [ "$1" = config ]; then
          case $5 in lastrunreport) echo {b.folder}/last.yaml ;; agent_disabled_lockfile) echo {b.folder}/disabled ;; esac; exit 0; fi
        [ -e {b.folder}/disabled ] && exit 1
        cat {b.folder}/report.yaml > {b.folder}/last.new; /bin/mv {b.folder}/last.new {b.folder}/last.yaml; echo "applied"; exit {code}"""}
    status, out, called = offline(b, puppet(), "puppet_agent", "run", noop="true", environment="test", tags=["a", "b"])
    value = json.loads(out)
    assert status == 0 and value["exitcode"] == 2 and value["_output"] == "applied", out
    assert value["report"]["status"] == "changed" and value["report"]["logs"][0]["message"] == "done", value
    assert any(line.startswith("puppet agent --onetime") and line.endswith("--noop --environment=test --tags=a,b") for line in called), called
    (b.folder / "last.yaml").unlink()
    status, out, _ = offline(b, puppet("failed", 4), "puppet_agent", "run")
    assert status == 1 and json.loads(out)["_error"]["kind"] == "puppet_agent/agent-run-error", out
    (b.folder / "disabled").touch()
    status, out, _ = offline(b, puppet(), "puppet_agent", "run")
    assert json.loads(out)["_error"]["kind"] == "puppet_agent/agent-disabled-error", out
    assert json.loads(offline(b, {}, "puppet_agent", "run")[1])["_error"]["kind"] == "puppet_agent/no-puppet-bin-error"
    assert json.loads(offline(b, {}, "puppet_agent", "version")[1]) == {"version": None, "source": None}
    bucket = b.folder / "bucket"
    b.write("bucket/a/b/c", "x")
    names = {"puppet": f'case "$*" in *clientbucketdir) echo {bucket} ;; *) echo 7.1.0 ;; esac'}
    assert offline(b, names, "puppet_agent", "delete_local_filebucket")[1] == '{"success": true}\n'
    assert bucket.is_dir() and list(bucket.iterdir()) == []
    assert "only available on puppet 6.x" in offline(b, names, "puppet_agent", "facts_diff")[1]


def test_bnd_023_plan(b):
    """BND-023: the plan runs the agent on targets that have one, and reports what failed"""
    b.write("stub/puppet", "#!/bin/sh\n[ \"$1\" != --version ] || echo 8.1.0\n", 0o755)
    b.inventory("config: {transport: local}\ntargets: [web]\n")
    found = {"PATH": f"{b.folder}/stub:{b.env['PATH']}"}
    run = b.run("task", "run", "puppet_agent::version", "-t", "web", *JSON, env=found)
    assert run.value() == {"version": "8.1.0", "source": f"{b.folder}/stub/puppet"}, run
    run = b.run("plan", "run", "puppet_agent::run", "targets=web", "tags=x", *JSON, env=found)
    assert run.status == 0 and "puppet_agent/no-last-run-report-error" in run.out, run
    b.write("project/modules/puppet_agent/tasks/version.sh", "#!/bin/sh\necho '{\"version\": null}'\n")
    b.write("project/modules/puppet_agent/plans/run.pp", (MODULES / "puppet_agent/plans/run.pp").read_text())
    b.write("project/modules/puppet_agent/tasks/run.sh", "#!/bin/sh\nexit 1\n")
    run = b.run("plan", "run", "puppet_agent::run", "targets=web", *JSON)
    assert "puppet_agent/agent-not-installed" in run.out and "puppet_agent::install" in run.out, run


def test_bnd_020_core_types(b):
    """BND-020: resources of the types that come with an agent compile without their modules; wrong attributes do not"""
    manifest = b.write("m.pp", """yumrepo { 'site': baseurl => 'http://mirror/el9', gpgcheck => true, enabled => 1 }
      zpool { 'tank': mirror => ['sda sdb'] } -> zfs { 'tank/home': quota => '10G' }
      zone { 'web': path => '/zones/web' }
      scheduled_task { 'backup': command => 'C:/backup.exe', trigger => {'schedule' => 'daily', 'start_time' => '02:00'} }
      cron { 'c': command => 'true' } host { 'h': ip => '10.0.0.1' } mount { '/m': device => 'x' } selboolean { 's': value => on }
      augeas { 'a': changes => 'set /x 1' } sshkey { 'k': type => 'ssh-rsa', key => 'AA' }
    """)
    run = b.run("catalog", "compile", manifest, *JSON, project=False)
    kinds = {each["type"] for each in run.json["catalog"]["resources"]}
    assert {"Yumrepo", "Zpool", "Zfs", "Zone", "Scheduled_task", "Cron", "Host", "Mount", "Selboolean", "Augeas", "Sshkey"} <= kinds, run
    manifest = b.write("m.pp", "yumrepo { 'site': base_url => 'x' }\n")
    run = b.run("catalog", "compile", manifest, project=False)
    assert run.status != 0 and "no parameter named 'base_url'" in run.out + run.err, run


def test_bnd_021_apt(b):
    """BND-021: the task apt upgrades without questions, and says why it cannot"""
    _, out, called = offline(b, {"apt-get": "echo 'Done.'"}, "apt", "init", action="dist-upgrade")
    assert json.loads(out) == {"status": "Done."}, out
    assert called == ["apt-get dist-upgrade -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"], called
    status, out, called = offline(b, {"apt-get": "echo 'no \"lock\"' >&2; exit 100"}, "apt", "init", action="update")
    assert status == 1 and json.loads(out)["error"] == 'no "lock"\n' and called == ["apt-get update"], out
    assert "has no apt-get" in offline(b, {}, "apt", "init", action="update")[1]
