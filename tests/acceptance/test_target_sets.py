"""Whom -t, --limit, --exclude and --sample choose: set expressions, ranges, sets of the last run, unknown names."""
import json

INVENTORY = """config: {transport: local}
groups:
  - {name: web, targets: [web01, web02, web03, web10]}
  - {name: db, targets: [db1, web03]}
targets: [lone]
"""
PLAN = "plan site::names(TargetSpec $targets) { return get_targets($targets).map |$t| { $t.name } }\n"


def ran(b, *words):
    """Names of the targets on which something ran."""
    run = b.run("command", "run", "true", "--format", "json", *words)
    assert run.status == 0, run
    return sorted(one["target"] for one in run.json["items"])


def test_a_list_of_targets_is_a_set_expression(b):
    """USER-F2: the same in commands, inventory show, plans and their parameters"""
    b.inventory(INVENTORY)
    b.write("project/plans/names.pp", PLAN)
    for targets, want in (("web,!web02", "web01 web03 web10"), ("all,-web", "db1 lone"), ("web,&db", "web03"),
                          ("!db,web", "web01 web02 web10"), ("web[01-03]", "web01 web02 web03"),
                          ("web[01,10],lone,!web*0", "lone web01")):
        assert ran(b, f"--targets={targets}") == want.split(), targets
        shown = b.run("inventory", "show", f"--targets={targets}", "--format", "json").json
        assert sorted(shown["targets"]) == want.split(), shown
        for words in ((f"--targets={targets}",), (f"targets={targets}",), ("--params", json.dumps({"targets": targets.split(",")}))):
            if "[01," in targets and words[0] == "--params":
                continue
            run = b.run("plan", "run", "site::names", *words, "--format", "json")
            assert sorted(run.json) == want.split(), (words, run)
    assert ran(b, "-t", "web", "-t", "!web01") == ["web02", "web03", "web10"]
    b.write("project/list", "web\n!web01\n-web[02-03]\n")
    assert ran(b, "-t", f"@{b.project}/list") == ["web10"]


def test_a_choice_is_narrowed(b):
    """USER-F2: --limit, --exclude, --sample; nothing that is mistyped is taken for nobody"""
    b.inventory(INVENTORY)
    b.write("project/plans/names.pp", PLAN)
    assert ran(b, "-t", "all", "--limit", "web*,!web10", "--exclude", "db") == ["web01", "web02"]
    assert len(ran(b, "-t", "all", "--sample", "2")) == 2
    shown = b.run("inventory", "show", "--limit", "web", "--exclude", "web03", "--format", "json").json
    assert shown["targets"] == ["web01", "web02", "web10"], shown
    run = b.run("plan", "run", "site::names", "-t", "all", "--limit", "db", "--format", "json")
    assert sorted(run.json) == ["db1", "web03"], run
    run = b.run("command", "run", "true", "-t", "web", "--exclude", "all")
    assert run.status == 0 and "No target is left after --limit and --exclude" in run.err, run
    for words in (("--limit", "wbe"), ("--exclude", "web9"), ("--exclude", "zz*"), ("--sample", "0"), ("--sample", "x")):
        run = b.run("command", "run", "echo no", "-t", "all", *words)
        assert run.status == 1 and "Started" not in run.out, run


def test_the_last_run_is_a_set(b):
    """USER-F2: @rerun:failure, @last:ok, @last:failed, in expressions too"""
    b.inventory("config: {transport: local}\ntargets: [a, b, c]\n")
    mark = b.folder / "once"
    assert b.run("command", "run", f"mkdir {mark}", "-t", "a,b,c").status == 1  # one of them wins
    failed = ran(b, "-t", "@rerun:failure", "--no-save-rerun")
    good = ran(b, "-t", "@last:ok", "--no-save-rerun")
    assert len(failed) == 2 and len(good) == 1 and sorted(failed + good) == ["a", "b", "c"]
    assert ran(b, "-t", "all,!@last:failed", "--no-save-rerun") == good
    assert ran(b, "-t", "all", "--limit", "@last:failed", "--no-save-rerun") == failed
    run = b.run("command", "run", "true", "-t", "@last:odd")
    assert run.status == 1 and "There is no set of targets '@last:odd'" in run.out, run


def test_unknown_names_are_refused_with_a_suggestion(b):
    """USER-F2: where the inventory has targets; addresses are taken; an option and a setting turn it around"""
    b.inventory(INVENTORY)
    run = b.run("command", "run", "echo no", "-t", "web01,wbe")
    assert run.status == 1 and "'wbe' is not in inventory.yaml; did you mean the group 'web'?" in run.out, run
    assert "--allow-adhoc" in run.out and "Started" not in run.out, run
    for words in (("-t", "wbe", "--allow-adhoc"), ("-t", "wbe", "--adhoc-targets"), ("-t", "local://wbe"), ("-t", "127.0.0.1")):
        assert b.run("command", "run", "true", *words).status == 0, words
    b.write("project/bolt-project.yaml", "name: site\nadhoc-targets: true\n")
    assert b.run("command", "run", "true", "-t", "wbe").status == 0
    assert "is not in inventory.yaml" in b.run("command", "run", "true", "-t", "127.0.0.1", "--no-adhoc-targets").out
    b.write("project/bolt-project.yaml", "name: site\n")
    b.inventory("config: {transport: local}\n")
    assert b.run("command", "run", "true", "-t", "wbe").status == 0  # nothing that could be mistyped


TREE = """config: {transport: local, ssh: {user: deploy}}
groups:
  - name: web
    config: {ssh: {user: webby, password: geheim}}
    targets: [w2, w1, {name: w3, config: {ssh: {user: own}}}]
    groups: [{name: inner, targets: [i01, i02, i03]}]
  - {name: db, targets: [db1, w3], vars: {role: data}}
targets: [lone, 'ssh://bob:geheim@x.example.com:22']
"""


def test_the_inventory_is_shown_as_it_is(b):
    """USER-F10: the file's order; groups as a tree with folded names"""
    b.inventory(TREE)
    shown = b.run("inventory", "show", "-t", "web", "--format", "json").json["targets"]
    assert shown == ["w2", "w1", "w3", "i01", "i02", "i03"], shown
    run = b.run("inventory", "show", "--graph")
    assert run.out == ("all\n├── lone,ssh://bob@x.example.com:22\n├── web (6)\n│   ├── w[1-3]\n│   └── inner (3)\n"
                       "│       └── i[01-03]\n└── db (2)\n    └── db1,w3\n"), run
    run = b.run("inventory", "show", "--graph", "-t", "db,new.x", "--format", "json")
    assert run.json == {"name": "all", "targets": ["new.x"], "groups": [
        {"name": "web", "targets": ["w3"], "groups": []}, {"name": "db", "targets": ["db1", "w3"], "groups": []}]}, run


def test_why_a_target_has_an_option(b):
    """USER-F10: --explain KEY names level, file and line of what counts, and what it comes before"""
    b.inventory(TREE)
    file = b.project / "inventory.yaml"
    run = b.run("inventory", "show", "--explain", "ssh.user")
    for part in (f"w2,w1,i01,i02,i03\n  ssh.user is webby: group 'web' at {file}:4:26\n  before deploy: group 'all' at {file}:1:40",
                 f"w3\n  ssh.user is own: target at {file}:5:55\n  before webby: group 'web'",
                 "ssh://bob@x.example.com:22\n  ssh.user is bob: URI ssh://bob@x.example.com:22\n",
                 f"lone,db1\n  ssh.user is deploy: group 'all' at {file}:1:40"):
        assert part in run.out, (part, run)
    assert "vars.role is data: group 'db'" in b.run("inventory", "show", "--explain", "vars.role", "-t", "w3").out
    assert "vars.role is not set" in b.run("inventory", "show", "--explain", "vars.role", "-t", "w1").out
    run = b.run("inventory", "show", "-t", "lone", "--explain", "transport", "--transport", "ssh")
    assert "transport is local: group 'all'" in run.out and "before ssh: command line" in run.out, run
    run = b.run("inventory", "show", "--explain", "ssh.password", "--format", "json")
    assert "geheim" not in run.out and run.json["explanations"][1]["sources"][0]["value"] == "(not shown)", run
    b.inventory("targets: [plain.x]\n")
    run = b.run("inventory", "show", "--explain", "connect-timeout")
    assert "connect-timeout is 10: default" in run.out, run
    assert b.run("inventory", "show", "--explain").status == 1
