"""Hiera, plugins and secrets through the program; the rules themselves have their unit tests in tests/language/lookup
and tests/inventory."""
JSON = ("--format", "json")
HIERA = """
version: 5
hierarchy:
  - {name: one, path: "%{trusted.certname}.yaml"}
  - {name: all, paths: [common.yaml, more.yaml]}
plan_hierarchy:
  - {name: plan, path: plan.yaml}
"""


def project(b):
    b.write("project/hiera.yaml", HIERA)
    b.write("project/data/common.yaml", "list: [a]\nwho: 'is %{facts.os.family} %{role}'\nhash: {k: v}\n")
    b.write("project/data/more.yaml", "list: [b]\n")
    b.write("project/data/web.yaml", "own: of web\n")
    b.write("project/data/plan.yaml", "list: plan\n")
    b.inventory("targets:\n  - {name: web, uri: localhost, facts: {os: {family: Debian}}, vars: {role: web}}\n"
                "  - {name: db, uri: localhost, facts: {os: {family: RedHat}}, vars: {role: db}}\n")


def test_lookup_for_targets(b):
    """CLI-008, HIE-003, HIE-005, RES-017, JSN-004: each target has its facts, variables and failures"""
    project(b)
    run = b.run("lookup", "who", "-t", "web,db", "role=other", *JSON)
    assert run.status == 0, run
    assert [(i["target"], i["action"], i["object"], i["value"]) for i in run.json] == [
        ("web", "lookup", "who", {"value": "is Debian other"}), ("db", "lookup", "who", {"value": "is RedHat other"})]
    run = b.run("lookup", "own", "-t", "web,db", *JSON)
    assert run.status == 1, run
    web, db = run.json
    assert web["value"] == {"value": "of web"} and db["action"] == "action", run
    assert db["value"]["_error"]["kind"] == "puppetlabs.tasks/exception-error"
    assert "did not find a value for the name 'own'" in db["value"]["_error"]["msg"]


def test_lookup_for_people(b):
    """OUT-008, OUT-010: the value as text, structures as JSON; a summary without the time"""
    project(b)
    b.write("project/data/common.yaml", "text: plain\nnumber: 5\nyes_or_no: true\nmany: {a: [1, false]}\n")
    for key, lines in (("text", ["  plain"]), ("number", ["  5"]), ("yes_or_no", ["  true"]),
                       ("many", ["  {", '    "a": [', "      1,", '      "false"', "    ]", "  }"])):
        out = b.run("lookup", key, "-t", "web").out.splitlines()
        assert out == ["Finished on web:", *lines, "Successful on 1 target: web", "Ran on 1 target"], out
    failed = b.run("lookup", "missing", "-t", "web,db")
    assert failed.status == 1 and "Failed on 2 targets: web,db\nRan on 2 targets\n" in failed.out, failed


def test_lookup_plan_hierarchy(b):
    """OPT-034, HIE-001, HIE-004, JSN-005: the bare value; never together with targets"""
    project(b)
    assert b.run("lookup", "list", "--plan-hierarchy", *JSON).out == '"plan"\n'
    assert b.run("lookup", "list", "--plan-hierarchy").out == "plan\n"
    both = b.run("lookup", "list", "--plan-hierarchy", "-t", "web")
    assert both.status == 1 and "--plan-hierarchy" in both.out + both.err, both
    missing = b.run("lookup", "nothing", "--plan-hierarchy")
    assert missing.status == 1 and "did not find a value for the name 'nothing'" in missing.out + missing.err, missing


def test_lookup_for_a_node(b):
    """What puppet lookup does: facts from a file, merges, explanations"""
    project(b)
    facts = b.write("facts.yaml", "os: {family: Suse}\n")
    assert b.run("lookup", "who", "role=r", "--facts", str(facts)).out == "is Suse r\n", b.run("lookup", "who", "role=r", "--facts", str(facts))
    assert b.run("lookup", "list", "--merge", "unique", "--render-as", "json").out == '["a","b"]\n'
    assert b.run("lookup", "own", "--node", "web", "--render-as", "s").out == "of web\n"
    assert b.run("lookup", "none", "own", "--default", "d", "--render-as", "s").out == "d\n"
    explained = b.run("lookup", "hash.k", "--explain")
    assert 'Sub key: "k"\n    Found key: "k" value: "v"' in explained.out, explained
    wrong = b.run("lookup", "list", "--sort-merged-arrays")
    assert wrong.status == 1 and "--merge deep" in wrong.out + wrong.err, wrong


def test_lookup_in_an_environment(b):
    """--environmentpath and --environment: the hiera.yaml and the modules of a Puppet environment"""
    project(b)
    for name in ("testing", "production"):
        b.write(f"envs/{name}/hiera.yaml", "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n")
        b.write(f"envs/{name}/data/all.yaml", f"key: of {name} %{{environment}}\n")
    words = ("lookup", "key", "--environmentpath", "envs", "--render-as", "s")
    assert b.run(*words).out == "of production production\n"
    assert b.run(*words, "--environment", "testing").out == "of testing testing\n"
    assert b.run(*words, "--environment", "nowhere").status == 1


def test_secrets(b):
    """CLI-015, OPT-044, OPT-047, PLG-034, JSN-023: keys are made once, and what they encrypt they decrypt"""
    b.inventory("targets: [localhost]")
    for action in ("encrypt", "decrypt"):
        early = b.run("secret", action, "ENC[PKCS7,TUlJQg==]")
        assert early.status == 1 and "run 'volley secret createkeys'" in early.out, early
    assert b.run("secret", "createkeys").status == 0
    again = b.run("secret", "createkeys")
    assert again.status == 1 and "exists already" in again.err + again.out, again
    assert b.run("secret", "createkeys", "--force").status == 0
    secret = b.run("secret", "encrypt", "s3cret").out.strip()
    assert secret.startswith("ENC[PKCS7,") and "s3cret" not in secret
    assert b.run("secret", "decrypt", secret, "--plugin", "pkcs7").out == "s3cret\n"
    words = b.run("secret", "decrypt", secret, *JSON)
    assert words.status == 0 and words.out == "" and words.err == "s3cret\n", "JSN-023: messages go to stderr"
    unknown = b.run("secret", "encrypt", "x", "--plugin", "nobody")
    assert unknown.status == 1 and "nobody" in unknown.err + unknown.out, unknown


def test_plugins(b):
    """CLI-011, JSN-020, MGT-018, OUT-028, PLG-008, PLG-009, PLG-033: a module's plugin and the task plugin run tasks on this machine"""
    b.write("project/modules/finder/bolt_plugin.json", "{}")
    b.write("project/modules/finder/tasks/resolve_reference.json",
            '{"description": "Finds targets", "input_method": "environment", "parameters": {"name": {"type": "String"}}}')
    b.write("project/modules/finder/tasks/resolve_reference.sh", '#!/bin/sh\necho "{\\"value\\": [\\"$PT_name\\"]}"\n')
    b.inventory("targets:\n  - {_plugin: finder, name: found.example.com}\n"
                "  - {_plugin: task, task: finder::resolve_reference, parameters: {name: other.example.com}}\n")
    run = b.run("inventory", "show", *JSON)
    assert run.status == 0 and run.json["targets"] == ["found.example.com", "other.example.com"], run
    listed = b.run("plugin", "show", *JSON).json
    shown = listed["plugins"]
    assert shown["resolve_reference"]["finder"] == "Finds targets" and "pkcs7" in shown["secret_decrypt"], shown
    assert list(shown) == ["puppet_library", "resolve_reference", "secret_encrypt", "secret_decrypt", "secret_createkeys"]
    assert listed["modulepath"] == [str(b.project / "modules"), str(b.project / ".modules")], listed
    text = b.run("plugin", "show").out
    assert "resolve_reference\n  aws_inventory" in text, text
    columns = [line.index(words) for line, words in ((line, words) for line in text.splitlines() for words in (
        "Finds targets", "Read values stored in YAML") if words in line)]
    assert len(columns) == 2 and len(set(columns)) == 1, text
    assert f"\n\nModulepath\n  {b.project}/modules:{b.project}/.modules\n" in text and "\n\nAdditional information\n" in text, text
