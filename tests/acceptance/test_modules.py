"""Modules of a project; against a Forge and git repositories of the test's own."""
import hashlib
import io
import json
import subprocess
import tarfile

from harness.bench import HANGS
from harness.patience import wait_for
from harness.web import serve

JSON = ("--format", "json")


def tarball(name, version, dependencies=(), files=None, entries=()):
    """A module's archive as the Forge has it. entries: further tarfile.TarInfo."""
    short = name.split("/")[1]
    metadata = {"name": name.replace("/", "-"), "version": version, "summary": f"The module {short}",
                "dependencies": [{"name": n, "version_requirement": r} for n, r in dependencies],
                "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]}]}
    content = {"metadata.json": json.dumps(metadata), f"tasks/v{version.replace('.', '_')}.sh": "#!/bin/sh\necho hello\n", **(files or {})}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for path, text in content.items():
            info = tarfile.TarInfo(f"{name.replace('/', '-')}-{version}/{path}")
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        for entry in entries:
            tar.addfile(entry)
    return out.getvalue(), metadata


class Forge:
    """A server that speaks the Forge's API, pages of two releases."""

    def __init__(self, b):
        self.files, self.releases, self.asked, self.headers = {}, {}, [], []
        self.busy, self.moved, self.broken, self.prefix = 0, False, set(), ""
        self.url = serve(b, self.asked_and_answered)

    def publish(self, name, version, dependencies=(), **settings):
        data, metadata = tarball(name, version, dependencies, **settings)
        slug = name.replace("/", "-")
        path = f"/v3/files/{slug}-{version}.tar.gz"
        self.files[path] = data
        self.releases.setdefault(slug, []).append({
            "version": version, "metadata": metadata, "file_uri": path, "deleted_at": None,
            "file_md5": hashlib.md5(data).hexdigest(), "file_sha256": hashlib.sha256(data).hexdigest()})

    def asked_and_answered(self, request):
        self.asked.append(request.path)
        self.headers.append(request.headers)
        return self.answer(request.path)  # tests put another one in its place

    def answer(self, path):
        if not path.startswith(self.prefix):
            return 404, b"no such place", {}
        path = path[len(self.prefix):]
        if self.busy > 0:
            self.busy -= 1
            return 503, b"later", {}
        if path in self.files:
            if path in self.broken:
                return 200, self.files[path] + b"x", {}
            return 200, self.files[path], {}
        if self.moved and path.startswith("/v3/files/"):
            return 302, b"", {"Location": f"{self.url}{path.replace('/v3/files/', '/elsewhere/')}"}
        if path.startswith("/elsewhere/"):
            return 200, self.moved[path.replace("/elsewhere/", "/v3/files/")], {}
        if path.startswith("/v3/releases?"):
            asked = dict(part.split("=", 1) for part in path.split("?")[1].split("&"))
            releases, offset = self.releases.get(asked["module"], []), int(asked.get("offset", 0))
            following = f"/v3/releases?module={asked['module']}&offset={offset + 2}" if offset + 2 < len(releases) else None
            return 200, json.dumps({"pagination": {"next": following}, "results": releases[offset:offset + 2]}).encode(), {}
        for release in self.releases.get(path.rsplit("/", 1)[1].rsplit("-", 1)[0], []):
            if path == f"/v3/releases/{release['metadata']['name']}-{release['version']}":
                return 200, json.dumps(release).encode(), {}
        return 404, b'{"message": "404 Not Found"}', {}


def project(b, forge=None, modules=None, **more):
    config = {"name": "site", **more}
    if forge:
        config["module-install"] = {"forge": {"baseurl": forge.url + forge.prefix}}
    if modules is not None:
        config["modules"] = modules
    return b.write("project/bolt-project.yaml", json.dumps(config, indent=2))


def usual(b, **settings):
    """A Forge with an application, a library in several versions and a tool."""
    forge = Forge(b)
    for version in ("1.0.0", "1.5.0", "2.0.0", "2.1.0", "10.0.0"):
        forge.publish("acme/lib", version)
    forge.publish("acme/app", "1.0.0", [("acme/lib", ">= 1.0.0 < 2.0.0")])
    forge.publish("acme/app", "2.0.0", [("acme-lib", ">= 2.0.0 < 3.0.0")])
    forge.publish("acme/tool", "1.0.0", [("acme/lib", "1.x")])
    project(b, forge, **settings)
    return forge


def installed(b):
    found = {}
    for path in sorted((b.project / ".modules").glob("*/metadata.json")):
        metadata = json.loads(path.read_text())
        assert metadata["name"].split("-")[1] == path.parent.name, path
        found[path.parent.name] = metadata["version"]
    return found


def puppetfile(b):
    return [line for line in (b.project / "Puppetfile").read_text().splitlines() if line.startswith(("mod ", " "))]


def test_mgt_006_modules_are_resolved_and_installed(b):
    """MGT-001, MGT-004, MGT-005, MGT-006, MGT-010, CLI-009, OUT-030, LAY-004: the newest that go together; .modules, Puppetfile,
    steps with an arrow; the module's tasks can be used"""
    usual(b, modules=["acme/app"])
    run = b.run("module", "install")
    assert run.status == 0, run
    assert installed(b) == {"app": "2.0.0", "lib": "2.1.0"}, run
    text = (b.project / "Puppetfile").read_text()
    assert text.startswith("# This Puppetfile is managed by") and "\nmoduledir '.modules'\n\nmod 'acme/app', '2.0.0'\n" in text, text
    assert puppetfile(b) == ["mod 'acme/app', '2.0.0'", "mod 'acme/lib', '2.1.0'"]
    lines = run.out.splitlines()
    assert lines[:4] == ["Installing project modules", "", "  → Resolving module dependencies, this might take a moment", ""], run
    assert lines[-1] == f"Successfully synced modules from {b.project}/Puppetfile to {b.project}/.modules", run
    assert "  → Generating type references" in lines and all(len(line) <= 80 or "/" in line for line in lines), run
    assert b.run("task", "run", "app::v2_0_0", "-t", "localhost").status == 0
    assert not [p for p in (b.project / ".modules").iterdir() if "install-" in p.name]


def test_mgt_006_a_second_install_asks_nobody(b):
    """MGT-006, JSN-019: what is there stays; with JSON the steps are on standard error"""
    forge = usual(b, modules=["acme/app"])
    assert b.run("module", "install").status == 0
    before, asked = (b.project / ".modules/app").stat().st_ino, len(forge.asked)
    run = b.run("module", "install", *JSON)
    assert run.status == 0 and len(forge.asked) == asked, forge.asked[asked:]
    assert run.json == {"success": True, "puppetfile": f"{b.project}/Puppetfile", "moduledir": f"{b.project}/.modules"}, run
    assert "Syncing modules from" in run.err and "→" not in run.err, run
    assert (b.project / ".modules/app").stat().st_ino == before, run


def test_mgt_006_without_modules_there_is_nothing_to_do(b):
    """MGT-006"""
    project(b)
    run = b.run("module", "install")
    assert run.status == 0 and "does not specify any module dependencies. Nothing to do." in run.out, run
    assert not (b.project / ".modules").exists()


def test_mgt_006_the_puppetfile_must_have_what_the_project_wants(b):
    """MGT-006: bolt/missing-module-specs, bolt/missing-module-version-specs; --force resolves again"""
    usual(b, modules=["acme/app", {"name": "acme/lib", "version_requirement": ">= 2.0.0"}])
    b.write("project/Puppetfile", "mod 'acme/app', '2.0.0'\nmod 'acme/lib', '1.0.0'\n")
    b.refused("module", "install", *JSON, kind="bolt/missing-module-specs",
              says=["acme/lib", "version_requirement", "volley module install --force"])
    b.write("project/Puppetfile", "mod 'acme/app', '2.0.0'\nmod 'acme/lib', '2.0.0'\nmod 'acme/tool'\n")
    b.refused("module", "install", *JSON, kind="bolt/missing-module-version-specs", says="mod 'acme/tool'")
    assert b.run("module", "install", "--force").status == 0
    assert installed(b) == {"app": "2.0.0", "lib": "2.1.0"}


def test_mgt_007_the_puppetfile_as_it_is(b):
    """MGT-007, OPT-033, MGT-010: --no-resolve; what the Puppetfile does not name is removed, local modules and hidden files stay"""
    usual(b, modules=["acme/app"])
    b.write("project/Puppetfile", "forge 'http://127.0.0.1:1'\nmod 'acme/lib', '1.5.0'\nmod 'acme/tool'\nmod 'own', local: true\n")
    b.write("project/.modules/stale/metadata.json", "{}")
    b.write("project/.modules/own/tasks/x.sh", "")
    b.write("project/.modules/.keep", "")
    assert b.run("module", "install", "--no-resolve").status == 0
    assert installed(b) == {"lib": "1.5.0", "tool": "1.0.0"}
    assert (b.project / ".modules/own/tasks/x.sh").exists() and (b.project / ".modules/.keep").exists()
    b.write("project/Puppetfile", "mod 'acme/lib', '2.0.0'\n")
    assert b.run("module", "install", "--no-resolve").status == 0
    assert installed(b) == {"lib": "2.0.0"} and not (b.project / ".modules/own").exists()
    assert [p.name for p in (b.project / ".modules/lib/tasks").iterdir()] == ["v2_0_0.sh"]


def test_mgt_010_faults_of_the_puppetfile(b):
    """MGT-010, MGT-007: bolt/file-error without one, bolt/puppetfile-error for what cannot be had; and what was there stays"""
    usual(b, modules=["acme/app"])
    b.refused("module", "install", "--no-resolve", *JSON, kind="bolt/file-error", says="Could not find a Puppetfile at")
    assert b.run("module", "install").status == 0
    b.write("project/Puppetfile", "mod 'acme/lib', '1.0.0'\nmod 'acme/app', '9.9.9'\n")
    b.refused("module", "install", "--no-resolve", *JSON, kind="bolt/puppetfile-error",
              says="Failed to sync modules from the Puppetfile: ")
    assert installed(b) == {"app": "2.0.0", "lib": "2.1.0"}
    b.write("project/Puppetfile", "mod 'acme/lib', [\n")
    b.refused("module", "install", *JSON, kind="bolt/puppetfile-parsing", says="Unable to parse Puppetfile")
    b.write("project/Puppetfile", "mod 'lib', svn: 'x'\n")
    b.refused("module", "install", *JSON, kind="bolt/validation-error", says=["Puppetfile", "line 1", "svn"])


def test_mgt_008_add_keeps_what_is_installed(b):
    """MGT-008: pinned versions come first; Puppetfile and project file are rewritten, comments stay (difference)"""
    usual(b)
    b.write("project/Puppetfile", "mod 'acme/lib', '1.0.0'\n")
    text = (b.project / "bolt-project.yaml").read_text()
    config = json.loads(text)["module-install"]
    b.write("project/bolt-project.yaml", f"# ours\nname: site\nmodule-install: {json.dumps(config)}\nmodules:\n- acme/lib # a library\n")
    run = b.run("module", "add", "acme-app")
    assert run.status == 0, run
    assert installed(b) == {"app": "1.0.0", "lib": "1.0.0"}, "the library keeps its version"
    assert "Adding module acme-app to project" in run.out and "  → Adding the following modules:\n    acme/app 1.0.0\n" in run.out, run
    assert (b.project / "bolt-project.yaml").read_text().endswith("modules:\n- acme/lib # a library\n- acme/app\n")
    assert puppetfile(b) == ["mod 'acme/lib', '1.0.0'", "mod 'acme/app', '1.0.0'"]
    again = b.run("module", "add", "other/app")
    assert again.status == 0 and "already includes specification with name other/app. Nothing to do." in again.out, again


def test_mgt_008_add_changes_versions_when_it_must(b):
    """MGT-008: upgraded, downgraded and removed modules are reported"""
    forge = usual(b, modules=["acme/app"])
    assert b.run("module", "install").status == 0
    run = b.run("module", "add", "acme/tool")  # wants lib 1.x, which only the old app can live with
    assert run.status == 0 and installed(b) == {"app": "1.0.0", "lib": "1.5.0", "tool": "1.0.0"}, run
    assert "Downgrading the following modules:\n    acme/app 2.0.0 to 1.0.0\n    acme/lib 2.1.0 to 1.5.0\n" in run.out, run
    forge.publish("acme/app", "3.0.0", [("acme/new", ">= 1.0.0")])
    forge.publish("acme/new", "1.0.0")
    forge.publish("acme/last", "1.0.0", [("acme/app", "3.x")])
    run = b.run("module", "add", "acme/last")
    assert "Upgrading the following modules:\n    acme/app 1.0.0 to 3.0.0" in run.out, run


def test_mgt_008_a_module_that_does_not_fit_changes_nothing(b):
    """MGT-004, MGT-008: bolt/module-resolver-error says who wants what"""
    forge = usual(b, modules=[{"name": "acme/lib", "version_requirement": ">= 10.0.0"}])
    assert b.run("module", "install").status == 0
    text = (b.project / "bolt-project.yaml").read_text()
    b.refused("module", "add", "acme/tool", *JSON, kind="bolt/module-resolver-error",
              says=["Unable to resolve modules: ", "acme/tool 1.0.0 wants acme/lib 1.x", "the project wants acme/lib >= 10.0.0"])
    b.refused("module", "add", "acme/nonesuch", *JSON, kind="bolt/module-resolver-error",
              says=f"could not find the module acme/nonesuch on {forge.url}")
    assert (b.project / "bolt-project.yaml").read_text() == text and installed(b) == {"lib": "10.0.0"}


def test_cli_009_words_of_the_module_verbs(b):
    """CLI-009, MGT-002, MGT-009: bolt/missing-project-config-error"""
    b.refused("module", "install", "acme/app", says="run 'volley module add acme/app'")
    b.refused("module", "add", says="Must specify a module name.")
    b.refused("module", "generate-types", "x", says="Unknown argument x")
    b.refused("module", "add", "a/b", "c/d", says="Unknown argument(s) c/d")
    project(b)
    b.refused("module", "add", "app", *JSON, kind="bolt/validation-error", says="Invalid name for Forge module specification: app.")
    (b.project / "bolt-project.yaml").unlink()
    b.refused("module", "install", *JSON, kind="bolt/missing-project-config-error", says="Could not find project configuration file")
    b.refused("module", "add", "a/b", *JSON, kind="bolt/missing-project-config-error", says="volley project init")


def test_mgt_002_wrong_specs_name_their_place(b):
    """MGT-002: bolt/validation-error and bolt/duplicate-spec-name-error, with file, line and column"""
    b.write("project/bolt-project.yaml", "name: site\nmodules:\n- a/b\n- name: c/d\n  version_requirement: nope\n")
    b.refused("module", "install", *JSON, kind="bolt/validation-error", says=["bolt-project.yaml:5:24", 'c/d: \\"nope\\"'])
    b.write("project/bolt-project.yaml", "name: site\nmodules:\n- a/b\n- c/b\n")
    b.refused("module", "install", *JSON, kind="bolt/duplicate-spec-name-error",
              says=["Detected multiple module specifications with name b", "bolt-project.yaml:3:3"])


def test_mgt_004_modules_that_are_not_resolved(b):
    """MGT-001, MGT-004: resolve: false comes last, without what it needs; bolt/module-name-conflict-error"""
    usual(b, modules=["acme/lib", {"name": "acme/app", "version_requirement": "1.0.0", "resolve": False}])
    assert b.run("module", "install").status == 0
    assert puppetfile(b) == ["mod 'acme/lib', '10.0.0'", "mod 'acme/app', '1.0.0'"] and installed(b) == {"app": "1.0.0", "lib": "10.0.0"}
    usual(b, modules=["acme/tool", {"name": "acme/lib", "version_requirement": "1.0.0", "resolve": False}])
    b.refused("module", "install", "--force", *JSON, kind="bolt/module-name-conflict-error", says="lib")


def test_mgt_010_a_forge_with_troubles(b):
    """MGT-010: 503 and then success, redirects, a prefix in the URL, the token for the Forge alone"""
    forge = usual(b, modules=["acme/app"])
    forge.prefix = "/artifactory/puppet"
    forge.moved, forge.files = forge.files, {}
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "modules": ["acme/app"], "module-install": {"forge": {
        "baseurl": forge.url + forge.prefix + "/", "authorization_token": {"_plugin": "env_var", "var": "FORGE_TOKEN"}}}}))
    forge.busy = 2
    real = forge.answer
    forge.answer = lambda path: real(path if not path.startswith("/elsewhere/") else forge.prefix + path)
    run = b.run("module", "install", "--log-level", "debug", env={"FORGE_TOKEN": "Bearer s3cret"})
    assert run.status == 0 and installed(b) == {"app": "2.0.0", "lib": "2.1.0"}, run
    assert all(h.get("Authorization") == "Bearer s3cret" for p, h in zip(forge.asked, forge.headers) if p.startswith("/art"))
    assert "s3cret" not in run.out + run.err and "status 503; asking again" in run.err, run


def test_mgt_010_archives_that_are_not_what_was_published(b):
    """MGT-010: a wrong checksum and an archive that wants to leave its folder; nothing is installed then"""
    forge = usual(b, modules=["acme/app"])
    forge.broken.add("/v3/files/acme-lib-2.1.0.tar.gz")
    b.refused("module", "install", *JSON, kind="bolt/puppetfile-error", says=["acme/lib 2.1.0", "SHA-256"])
    assert installed(b) == {}
    evil = tarfile.TarInfo("acme-evil-1.0.0/../../../evil.txt")
    forge.publish("acme/evil", "1.0.0", entries=[evil])
    forge.files["/v3/files/acme-lib-2.0.0.tar.gz"] = data = tarball("acme/other", "2.0.0")[0]
    forge.releases["acme-lib"][2]["file_sha256"] = hashlib.sha256(data).hexdigest()
    b.write("project/Puppetfile", "mod 'acme/lib', '2.0.0'\n")
    b.refused("module", "install", "--no-resolve", *JSON, kind="bolt/puppetfile-error", says="holds another module")
    project(b, forge, modules=["acme/evil"])
    b.refused("module", "install", "--force", *JSON, kind="bolt/puppetfile-error", says=["acme/evil", "outside of the module"])
    link = tarfile.TarInfo("acme-sly-1.0.0/files")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc"
    forge.publish("acme/sly", "1.0.0", entries=[link])
    project(b, forge, modules=["acme/sly"])
    b.refused("module", "install", "--force", *JSON, kind="bolt/puppetfile-error", says="the link leads out of the module")
    assert installed(b) == {} and not list(b.folder.rglob("evil.txt"))


def test_mgt_010_archives_without_the_library_for_them(b):
    """MGT-010: libarchive is loaded for the first archive: where it is missing, the error says which package has it"""
    usual(b, modules=["acme/app"])
    b.write("lib/libarchive.so.13", "")
    b.env["LD_LIBRARY_PATH"] = str(b.folder / "lib")
    b.refused("module", "install", *JSON, kind="bolt/puppetfile-error",
              says="Archives need libarchive.so.13 (Debian's package libarchive13), which could not be loaded")
    assert installed(b) == {}


def test_mgt_010_servers_that_are_not_a_forge(b):
    """MGT-010: an address where nobody listens, a web page, a refusal: one line that names the server"""
    forge = usual(b, modules=["acme/app"])
    forge.answer = lambda path: (200, b"<html>", {})
    b.refused("module", "install", *JSON, says=[forge.url, "is it a Forge?"])
    forge.answer = lambda path: (401, b"", {})
    b.refused("module", "install", *JSON, says=[forge.url, "401", "authorization_token"])
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "modules": ["a/b"], "module-install": {"forge": {"baseurl": "http://127.0.0.1:9"}}}))
    b.refused("module", "install", *JSON, kind="bolt/module-resolver-error", says="http://127.0.0.1:9")
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "modules": ["a/b"], "module-install": {"forge": {"authorization_token": "x"}}}))
    b.refused("module", "install", *JSON, kind="bolt/validation-error", says="'authorization_token' needs 'baseurl'")


def test_mgt_006_modules_from_a_folder(b):
    """MGT-006, MGT-010: baseurl file:///FOLDER installs archives without any server"""
    for name, version, needs in (("acme/app", "2.0.0", [("acme/lib", "2.x")]), ("acme/lib", "2.1.0", []), ("acme/lib", "3.0.0", [])):
        b.write(f"archives/{name.replace('/', '-')}-{version}.tar.gz", tarball(name, version, needs)[0])
    project(b, modules=["acme/app"], **{"module-install": {"forge": {"baseurl": f"file://{b.folder}/archives"}}})
    assert b.run("module", "install").status == 0
    assert installed(b) == {"app": "2.0.0", "lib": "2.1.0"}


class Repository:
    """A git repository of the test's own."""

    def __init__(self, b, name):
        self.path, self.env = b.folder / name, {**b.env, "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x", "GIT_COMMITTER_NAME": "x",
                                                "GIT_COMMITTER_EMAIL": "x@x"}
        self.url = f"file://{self.path}"
        self.path.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.path, env=self.env, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, files, tag=None):
        for path, text in files.items():
            (self.path / path).parent.mkdir(parents=True, exist_ok=True)
            (self.path / path).write_text(text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "x")
        if tag:
            self.git("tag", tag)
        return self.git("rev-parse", "HEAD")


def git_module(b, name="acme-web", version="1.2.0", needs=()):
    repository = Repository(b, "web.git")
    metadata = json.dumps({"name": name, "version": version, "dependencies": [{"name": n, "version_requirement": r} for n, r in needs]})
    first = repository.commit({"metadata.json": metadata, "tasks/hello.sh": "#!/bin/sh\necho one\n", "spec/x": "s",
                               ".gitattributes": "spec export-ignore\n"}, tag="v1")
    return repository, first


def test_mgt_003_modules_from_git(b):
    """MGT-001, MGT-003, MGT-004, MGT-005, ENV-010: name and commit come from the repository, what it needs from the Forge; branch,
    tag and commit; a folder like a checkout"""
    usual(b)
    repository, first = git_module(b, needs=[("acme/lib", "1.x")])
    second = repository.commit({"tasks/hello.sh": "#!/bin/sh\necho two\n"})
    config = json.loads((b.project / "bolt-project.yaml").read_text())
    for ref, commit, said in (("main", second, "two"), ("v1", first, "one"), (first, first, "one"), (second[:10], second, "two")):
        b.write("project/bolt-project.yaml", json.dumps({**config, "modules": [{"git": repository.url, "ref": ref}]}))
        run = b.run("module", "install", "--force")
        assert run.status == 0, run
        assert puppetfile(b) == ["mod 'web',", f"  git: '{repository.url}',", f"  ref: '{commit}'", "mod 'acme/lib', '1.5.0'"], run
        assert installed(b) == {"lib": "1.5.0", "web": "1.2.0"}
        assert said in b.run("task", "run", "web::hello", "-t", "localhost").out
        assert (b.project / ".modules/web/spec/x").exists()
    repository.path.rename(b.folder / "gone")
    again = b.run("module", "install")
    assert again.status == 0, "nothing has to be fetched again"


def test_mgt_003_git_modules_that_are_not_resolved(b):
    """MGT-001, MGT-004: a branch is followed; the metadata is not asked for"""
    repository = Repository(b, "plain.git")
    repository.commit({"tasks/hello.sh": "echo one"})
    project(b, modules=[{"git": repository.url, "ref": "main", "name": "plain", "resolve": False}])
    assert b.run("module", "install").status == 0
    assert puppetfile(b) == ["mod 'plain',", f"  git: '{repository.url}',", "  ref: 'main'"]
    repository.commit({"tasks/hello.sh": "echo two"})
    assert b.run("module", "install").status == 0
    assert (b.project / ".modules/plain/tasks/hello.sh").read_text() == "echo two"


def test_mgt_003_repositories_that_are_not_modules(b):
    """MGT-002, MGT-003: bolt/missing-module-metadata-error; options of git are not refs"""
    repository = Repository(b, "plain.git")
    repository.commit({"README": "x"})
    for url, ref, says in ((repository.url, "main", "no metadata.json"), (repository.url, "none", "none"),
                           (f"file://{b.folder}/nothing", "main", "nothing' does not appear to be a git repository")):
        project(b, modules=[{"git": url, "ref": ref}])
        said = b.refused("module", "install", *JSON, kind="bolt/missing-module-metadata-error",
                         says=["Unable to locate metadata and calculate SHA for ref", says])
        assert "Please make sure" not in said.out, said
    project(b, modules=[{"git": repository.url, "ref": "--upload-pack=touch /tmp/x"}])
    b.refused("module", "install", *JSON, kind="bolt/validation-error", says="Invalid ref")
    project(b, modules=[{"git": "ext::sh -c true", "ref": "main"}])
    b.refused("module", "install", *JSON, kind="bolt/validation-error", says="Valid URIs must begin with")


def test_out_023_modules_are_listed(b):
    """OUT-023, JSN-017: a heading a folder, versions, what has no metadata"""
    usual(b, modules=["acme/app"])
    b.write("project/modules/own/tasks/x.sh", "")
    assert b.run("module", "install").status == 0
    out = b.run("module", "show").out
    assert f"{b.project}/modules\n  own   (no metadata)\n" in out, out
    assert "Project Dependencies\n  acme/app   2.0.0\n  acme/lib   2.1.0\n" in out and "Packaged Modules\n" in out, out
    assert "(built-in)" in out and "Use 'volley module show <MODULE>'" in out, out
    listed = b.run("module", "show", *JSON).json
    assert listed[f"{b.project}/modules"] == [{"name": "own", "version": None}], listed
    assert listed[f"{b.project}/.modules"][0] == {"name": "acme/app", "version": "2.0.0", "internal_module_group": "Project Dependencies"}
    (b.project / "modules/own/tasks/x.sh").unlink(), (b.project / "modules/own/tasks").rmdir(), (b.project / "modules/own").rmdir()
    assert f"{b.project}/modules\n(no modules installed)\n" in b.run("module", "show").out


def test_out_024_one_module_is_shown(b):
    """OUT-024, JSN-018, MGT-011: '-' and '/' are alike; bolt/unknown-module"""
    usual(b, modules=["acme/app"])
    assert b.run("module", "install").status == 0
    b.write("project/.modules/app/plans/go.pp", "# Goes\nplan app::go() { }\n")
    out = b.run("module", "show", "acme-app").out
    assert out == b.run("module", "show", "acme/app").out == b.run("module", "show", "app").out
    assert out.startswith("acme/app [2.0.0]\n  The module app\n\nTasks\n  app::v2_0_0\n") and "Plans\n  app::go     Goes\n" in out, out
    assert "Operating system support\n  Debian     11, 12\n" in out, out
    assert "Dependencies\n  acme-lib     >= 2.0.0 < 3.0.0\n" in out and out.endswith(f"Path\n  {b.project}/.modules/app\n"), out
    shown = b.run("module", "show", "app", *JSON).json
    assert list(shown) == ["name", "metadata", "path", "plans", "tasks"] and shown["plans"] == [["app::go", "Goes"]], shown
    assert shown["metadata"]["version"] == "2.0.0" and shown["tasks"] == [["app::v2_0_0", None]], shown
    assert b.run("module", "show", "facts").out.endswith("Path\n  built-in module\n")
    for name in ("nonesuch", "other/app"):
        b.refused("module", "show", name, *JSON, kind="bolt/unknown-module", says=f"Could not find module '{name}' on the modulepath.")


def test_mgt_012_references_to_resource_types(b):
    """MGT-012, LAY-010, MOD-011: .resource_types/*.pp, which go when their type goes; plans know the types by name"""
    b.write("project/modules/own/lib/puppet/type/gadget.rb", """Puppet::Type.newtype(:gadget) do
  ensurable
  newparam(:path, namevar: true)
  newproperty(:size)
  def self.title_patterns
    [[/(.*)/m, [[:path]]]]
  end
end
""")
    b.write("project/.resource_types/mine.pp", "# kept\n")
    b.write("project/plans/names.pp", "plan site::names() { return [Gadget['x'] =~ Type[Resource], String(Gadget), String(Mine['a'])] }\n")
    assert b.run("module", "generate-types").status == 0
    assert b.run("plan", "run", "site::names", *JSON).json == [True, "Gadget", "Mine['a']"]
    text = (b.project / ".resource_types/gadget.pp").read_text()
    assert "Puppet::Resource::ResourceType3.new(\n  'gadget',\n  [\n    Puppet::Resource::Param(Any, 'ensure'),\n" in text, text
    assert "Puppet::Resource::Param(Any, 'path', true)" in text and "/(?m-ix:(.*))/ => ['path']" in text, text
    (b.project / "modules/own/lib/puppet/type/gadget.rb").unlink()
    assert b.run("module", "generate-types").status == 0
    assert [p.name for p in (b.project / ".resource_types").iterdir()] == ["mine.pp"]


def test_opt_043_a_project_begins_with_modules(b):
    """OPT-043, MGT-013: modules are installed first; when they cannot be had there is no project"""
    forge = usual(b)
    b.write("home/.puppetlabs/etc/bolt/bolt-defaults.yaml", json.dumps({"module-install": {"forge": {"baseurl": forge.url}}}))
    folder = b.folder / "fresh"
    folder.mkdir()
    b.refused("project", "init", "--modules", "acme/app,acme/nonesuch", *JSON, kind="bolt/module-resolver-error", cwd=folder, project=False)
    assert not (folder / "bolt-project.yaml").exists()
    run = b.run("project", "init", "--modules", "acme/app,acme/tool", cwd=folder, project=False)
    assert run.status == 0 and "Successfully created Bolt project at" in run.out, run
    assert (folder / "bolt-project.yaml").read_text().endswith("modules:\n- name: acme/app\n- name: acme/tool\n")
    assert (folder / ".modules/lib/metadata.json").exists() and "mod 'acme/app', '1.0.0'" in (folder / "Puppetfile").read_text()


def test_mgt_010_installs_wait_for_each_other_and_load_in_parallel(b):
    """MGT-010: a Forge is asked for several modules at once; two installs at a time end well"""
    forge = Forge(b)
    for i in range(6):
        forge.publish(f"acme/m{i}", "1.0.0")
    project(b, forge, modules=[f"acme/m{i}" for i in range(6)])
    first, second = b.start("module", "install", "--force"), b.start("module", "install", "--force")
    assert first.wait(HANGS) == 0 and second.wait(HANGS) == 0
    assert len(installed(b)) == 6
    (b.project / "Puppetfile").unlink()
    real, waiting = forge.answer, set()

    def when_all_wait(path):
        """The modules that exist are listed when all six are asked for."""
        if path.startswith("/v3/releases?"):
            waiting.add(path)
            wait_for(lambda: len(waiting) == 6, "the sixth question")
        return real(path)
    forge.answer = when_all_wait
    run = b.run("module", "install")
    assert run.status == 0 and len(waiting) == 6, (run, waiting)
