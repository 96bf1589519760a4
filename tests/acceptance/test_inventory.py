"""Section 4 of the checklist through the program; the rules themselves have their unit tests in tests/inventory."""
import json

from harness.bench import alone

JSON = ("--format", "json")
LOCAL = ("-t", "localhost")


def names(b, spec, **settings):
    run = b.run("inventory", "show", "-t", spec, *JSON, **settings)
    assert run.status == 0, run
    return run.json["targets"]


def detail(b, name):
    run = b.run("inventory", "show", "-t", name, "--detail", *JSON)
    assert run.status == 0, run
    return run.json["targets"][0]


def test_inv_030_data_of_groups_and_targets(b):
    """INV-030, INV-031, INV-032, INV-033, INV-034, INV-035, INV-036, INV-038, INV-015, JSN-015"""
    b.inventory("""
vars: {who: top, only: top}
features: [f0]
groups:
  - name: outer
    vars: {who: outer, deep: {a: 1}}
    facts: {os: {name: x}, list: [1, 2]}
    config: {transport: ssh, ssh: {port: 1000, user: outer}}
    features: [f1]
    groups:
      - name: inner
        vars: {who: inner, deep: {b: 2}}
        facts: {os: {release: 1}, list: [3]}
        config: {ssh: {port: 2000}}
        targets: [{name: a, uri: h, alias: first}]
  - name: second
    vars: {who: second, late: second}
    targets:
      - {name: a, alias: [other], vars: {late: own}, config: {ssh: {user: own}}, features: [f2]}
""")
    a = detail(b, "a")
    assert a["vars"] == {"who": "inner", "only": "top", "deep": {"b": 2}, "late": "own"}, a
    assert a["facts"] == {"os": {"name": "x", "release": 1}, "list": [3]}
    assert a["config"]["ssh"]["port"] == 2000 and a["config"]["ssh"]["user"] == "own"
    assert sorted(a["features"]) == ["f0", "f1", "f2"] and sorted(a["alias"]) == ["first", "other"]
    assert a["groups"] == ["inner", "outer", "second", "all"] or a["groups"][-1] == "all"
    assert names(b, "other") == names(b, "first") == ["a"]


def test_inv_058_localhost_is_local_by_its_name(b):
    """INV-058, INV-059, LOC-001, TRN-008"""
    assert b.run("command", "run", "echo in", *LOCAL, *JSON).status == 0
    b.inventory("config: {transport: ssh}\ntargets: [localhost, {name: other, uri: localhost}]")
    assert detail(b, "localhost")["config"]["transport"] == "local"
    assert detail(b, "other")["config"]["transport"] == "ssh"


def test_inv_061_order_of_resolution(b):
    """INV-060, INV-061, INV-063, INV-065, INV-066"""
    b.inventory("groups: [{name: web, targets: [w1, w2]}, {name: db, targets: [{name: d1, alias: main}]}]")
    assert names(b, "web") == ["w1", "w2"] and names(b, "main,web,w1") == ["d1", "w1", "w2"]
    assert names(b, "W*") == ["w1", "w2"] and sorted(names(b, "*")) == ["d1", "w1", "w2"]
    assert names(b, "d[0-9]") == ["d1"] and names(b, "ma?n") == ["d1"]
    run = b.refused("inventory", "show", "-t", "zz*", *JSON)
    assert run.json["kind"] == "bolt.inventory/wildcard-error"


def test_inv_062_a_glob_that_is_a_uri_is_literal(b):
    """INV-062"""
    assert names(b, "ssh://host*") == ["ssh://host*"]


def test_inv_053_passwords_of_uris_are_not_shown(b):
    """INV-052, INV-053, INV-055"""
    b.inventory("targets: ['ssh://bob:geheim@127.0.0.1:9']")
    run = b.run("command", "run", "true", "-t", "all", "--log-level", "trace")
    assert "geheim" not in run.out + run.err and "bob@127.0.0.1:9" in run.out, run


def test_inv_022_conflicts_and_faults_have_a_place(b):
    """INV-003, INV-005, INV-006, INV-008, INV-012, INV-020, INV-021, INV-022, INV-023, INV-024, INV-025"""
    for text, parts in (
            ("version: 3", ["version"]),
            ("groups: [{name: a}, {name: a}]", ["a"]),
            ("groups: [{name: a}]\ntargets: [a]", ["a"]),
            ("targets: [{name: a}, {name: b, alias: a}]", ["a"]),
            ("targets: [{name: a, alias: x}, {name: b, alias: x}]", ["x"]),
            ("groups: [{name: 'a b'}]", ["a b"]),
            ("targets: ['sch ön']", ["inventory.yaml:1"]),
            ("nodes: [a]", ["nodes"]),
            ("groups: [{targets: [a]}]", ["name"]),
            ("targets: [{vars: {}}]", ["name"]),
            ("targets: [{name: a, vars: 5}]", ["a", "vars"]),
            ("targets: [{name: a, features: {}}]", ["a", "features"]),
            ("targets: [{name: a, config: {transport: pigeon}}]", ["pigeon"])):
        b.inventory(text)
        run = b.run("command", "run", "true", "-t", "all", *JSON)
        assert run.status == 1 and all(p in run.out for p in parts), (text, run)
        assert "inventory" in run.out, (text, run)


def test_inv_005_unknown_keys_warn_with_a_hint(b):
    """INV-004, INV-005, INV-006, INV-009, LOG-009, LOG-008"""
    b.inventory("name: mine\ngroups: [{name: a, tragets: [x], targets: [{name: t, urii: h}]}]\nconfig: {shh: {}}\n")
    run = b.run("inventory", "show", *JSON)
    for warning in ("top_level_group_name", "unknown_group_keys", "unknown_target_keys", "unknown_config_keys"):
        assert warning in run.err, (warning, run)
    assert "targets" in run.err and "ssh" in run.err, "did you mean"


def test_trn_020_options_of_every_transport_are_known(b):
    """TRN-001, TRN-004, TRN-020, TRN-022, TRN-023, TRN-024, TRN-025, TRN-026, TRN-027, TRN-028, TRN-029, JSN-015,
    OPT-013"""
    want = {"ssh": {"cleanup": True, "connect-timeout": 10, "disconnect-timeout": 5, "load-config": True,
                    "login-shell": "bash", "tty": False},
            "winrm": {"ssl": True, "ssl-verify": True, "file-protocol": "winrm", "basic-auth-only": False},
            "local": {"cleanup": True}, "docker": {"cleanup": True}, "podman": {"cleanup": True},
            "lxd": {"remote": "local", "cleanup": True}, "jail": {"cleanup": True}, "remote": {"run-on": "localhost"}}
    b.inventory(json.dumps({"targets": [{"name": f"t-{kind}", "uri": "h", "config": {"transport": kind, kind: {
        "no-such-option": 1} if kind != "remote" else {"own-key": 1}}} for kind in want]}))
    shown = {t["name"]: t for t in b.run("inventory", "show", "--detail", *JSON).json["targets"]}
    for kind, options in want.items():
        section = shown[f"t-{kind}"]["config"][kind]
        assert {k: section.get(k) for k in options} == options, (kind, section)
        assert "no-such-option" not in section
    assert shown["t-remote"]["config"]["remote"]["own-key"] == 1


def test_trn_009_options_are_checked(b):
    """TRN-009, CFG-013, INV-008"""
    for section, part in (({"port": -1}, "port"), ({"port": "http"}, "port"), ({"connect-timeout": 0}, "connect-timeout"),
                          ({"tty": "yes"}, "tty"), ({"login-shell": "tcl"}, "login-shell"),
                          ({"kex-algorithms": "x"}, "kex-algorithms")):
        b.inventory(json.dumps({"targets": [{"name": "a", "uri": "h", "config": {"ssh": section}}]}))
        run = b.run("command", "run", "true", "-t", "a")
        assert run.status == 1 and part in run.out, (section, run)


def test_opt_012_host_key_check_from_the_command_line(b):
    """OPT-012, SSH-006"""
    server = b.sshd()
    b.inventory(json.dumps({"targets": [{"name": "web", "uri": f"{b.me}@127.0.0.1:{server.port}"}]}))
    key = ("--private-key", b.lab.keys.user())
    run = b.run("command", "run", "true", "-t", "web", *key, "--host-key-check", *JSON)
    assert run.error()["issue_code"] == "HOST_KEY_ERROR", run
    assert b.run("command", "run", "true", "-t", "web", *key, "--no-host-key-check").status == 0


def test_env_007_the_local_user(b):
    """ENV-007"""
    b.inventory(json.dumps({"targets": [{"name": "a", "config": {"transport": "local"}}]}))
    run = b.run("command", "run", "echo in", "-t", "a", *JSON, "--run-as", "someone", env={"USER": "someone"})
    assert run.status == 0 and run.value()["stdout"] == "in\n", run


def test_res_020_all_transports_in_one_run(b):
    """RES-020, JSN-025, TRN-003: every target's result once, whatever the mix of transports"""
    server = b.ssh_inventory(names=("web1", "web2"))
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"] += [{"name": "here", "config": {"transport": "local"}}]
    b.inventory(json.dumps(inventory))
    run = b.run("command", "run", "echo in", "-t", "web1,here,web2", *JSON)
    assert sorted(i["target"] for i in run.json["items"]) == ["here", "web1", "web2"], run
    assert run.status == 0 and server.port


@alone
def test_inventory_of_25000_targets_is_small(b):
    """INV-001, INV-015: 25,000 targets in 500 groups need less than 200 MB (how long it takes: tests/bench/inventory)"""
    lines = ["groups:"]
    for group in range(500):
        lines += [f"  - name: g{group}", f"    vars: {{n: {group}}}", f"    config: {{ssh: {{port: {1000 + group}}}}}",
                  "    targets:"]
        lines += [f"      - {{name: t{group}-{i}, uri: 10.{group % 250}.{i}.1}}" for i in range(50)]
    b.inventory("\n".join(lines) + "\n")
    run = b.run("inventory", "show", *JSON)
    assert run.status == 0 and run.json["count"] == 25000
    if "asan" not in b.volley and "debug" not in b.volley:
        assert run.rss_mib < 200, run.rss_mib
