"""Projects of an older Bolt are brought up to date; modules come from archives in a folder of the test's own."""
import json

from test_modules import JSON, installed, tarball

GO = ("migration?", "y\n")


def archives(b):
    for name, version, needs in (("acme/app", "2.0.0", [("acme/lib", "2.x")]), ("acme/lib", "2.1.0", [])):
        b.write(f"archives/{name.replace('/', '-')}-{version}.tar.gz", tarball(name, version, needs)[0])
    b.write("home/.puppetlabs/etc/bolt/bolt-defaults.yaml", json.dumps({"module-install": {"forge": {"baseurl": f"file://{b.folder}/archives"}}}))


def backups(b):
    return sorted(p.name.split(".2")[0] for p in (b.project / ".bolt-bak").iterdir())


def test_mgt_014_a_person_must_answer(b):
    """MGT-014, CLI-013: bolt/stdin-not-a-tty-error; "no" changes nothing"""
    b.refused("project", "migrate", *JSON, kind="bolt/stdin-not-a-tty-error", says="stdin is not a tty, unable to migrate project")
    b.inventory("nodes: [a]\n")
    text, status = b.terminal("project", "migrate", answers=[("migration?", "what\n"), ("must pick [y]es or [n]o", "no\n")])
    assert status == 0 and "irreversible" in text, text
    assert (b.project / "inventory.yaml").read_text() == "nodes: [a]\n" and not (b.project / ".bolt-bak").exists()


def test_mgt_014_inventory_and_configuration(b):
    """MGT-014, LAY-012: nodes, bolt.yaml with its transports, old keys; a copy of everything"""
    (b.project / "bolt-project.yaml").unlink()
    b.write("project/bolt.yaml", "color: true\nssh: {user: a, port: 22}\ntransport: ssh\napply_settings: {show_diff: true}\n")
    b.inventory("version: 1\nnodes: [one, {name: two.example.com, alias: two}]\nconfig: {ssh: {user: b}}\n"
                "groups: [{name: g, nodes: [three]}]\n")
    text, status = b.terminal("project", "migrate", answers=[GO])
    assert status == 0 and "Project successfully migrated" in text, text
    assert (b.project / "bolt-project.yaml").read_text() == "---\ncolor: true\napply-settings:\n  show_diff: true\nmodules: []\n"
    assert not (b.project / "bolt.yaml").exists()
    shown = b.run("inventory", "show", "--detail", "-t", "all", *JSON)
    targets = {t["name"]: t["config"] for t in shown.json["targets"]}
    assert sorted(targets) == ["one", "three", "two.example.com"], shown
    assert targets["one"]["ssh"]["user"] == "b" and targets["one"]["ssh"]["port"] == 22, "the inventory wins"
    assert backups(b) == ["bolt-project.yaml", "bolt-project.yaml", "bolt.yaml", "inventory.yaml", "inventory.yaml"]
    again, status = b.terminal("project", "migrate", answers=[GO])
    assert status == 0 and "up to date, nothing to do" in again and len(backups(b)) == 5, again


def test_mgt_014_an_inventory_with_an_empty_config(b):
    """MGT-014: nothing of bolt.yaml is lost where the inventory says nothing; what is not a map is refused before anything is changed"""
    (b.project / "bolt-project.yaml").unlink()
    b.write("project/bolt.yaml", "transport: ssh\nssh: {user: bob}\n")
    b.inventory("targets: [a]\nconfig: 5\n")
    text, status = b.terminal("project", "migrate", answers=[GO])
    assert status == 1 and "is not a map" in text and (b.project / "bolt.yaml").exists(), text
    b.inventory("targets: [a]\nconfig:\n")
    text, status = b.terminal("project", "migrate", answers=[GO])
    assert status == 0 and "Project successfully migrated" in text, text
    shown = b.run("inventory", "show", "--detail", "-t", "all", *JSON)
    assert shown.json["targets"][0]["config"]["ssh"]["user"] == "bob", shown


def test_mgt_014_a_puppetfile_becomes_modules(b):
    """MGT-014, LAY-012: what is chosen is managed, other folders of modules become one"""
    archives(b)
    b.write("project/bolt-project.yaml", "name: site\nmodulepath: [modules, site-modules, site]\n")
    b.write("project/Puppetfile", "mod 'acme-app', '2.0.0'\nmod 'acme-lib', '2.1.0'\n")
    b.write("project/modules/app/tasks/old.sh", "")
    b.write("project/site-modules/ours/tasks/x.sh", "#!/bin/sh\necho ours\n")
    text, status = b.terminal("project", "migrate", answers=[GO, ("Select all modules?", "n\n"), ("Select acme/app?", "yes\n"), ("Select acme/lib?", "n\n")])
    assert status == 0 and "Project successfully migrated" in text, text
    assert installed(b) == {"app": "2.0.0", "lib": "2.1.0"}, text
    assert (b.project / "bolt-project.yaml").read_text() == "---\nname: site\nmodules:\n- name: acme/app\n  version_requirement: '2.0.0'\n"
    assert sorted(p.name for p in (b.project / "modules").iterdir()) == ["ours"] and not (b.project / "site-modules").exists()
    assert {"app", "Puppetfile"} <= set(backups(b)), backups(b)
    assert b.run("task", "run", "ours::x", "-t", "localhost").status == 0 and b.run("module", "install").status == 0


def test_mgt_014_what_cannot_be_migrated(b):
    """MGT-014: another modulepath is left alone; a Puppetfile that cannot be resolved ends with status 1"""
    archives(b)
    b.write("project/bolt-project.yaml", "name: site\nmodulepath: [vendor]\n")
    text, status = b.terminal("project", "migrate", answers=[GO])
    assert status == 0 and "non-default configured modulepath" in text, text
    b.write("project/bolt-project.yaml", "name: site\n")
    b.write("project/Puppetfile", "mod 'acme/gone', '1.0.0'\n")
    text, status = b.terminal("project", "migrate", answers=[GO, ("Select all modules?", "y\n")])
    assert status == 1 and "Skipping module migration." in text and "Project could not be migrated completely" in text, text
    assert (b.project / "Puppetfile").read_text() == "mod 'acme/gone', '1.0.0'\n" and not (b.project / ".bolt-bak").exists()
