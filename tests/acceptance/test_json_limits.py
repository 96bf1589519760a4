"""JSON from outside: how deep it may be nested, how many keys it may have, and what is said when it is wrong."""
import json

from harness.web import serve

JSON = ("--format", "json")
DEPTH = 100_000


def nested(before="", after=""):
    return before + "[" * DEPTH + "]" * DEPTH + after


def keys(count, value="1"):
    return "{" + ",".join(f'"key{i}":{value}' for i in range(count)) + "}"


def explained(run, *says):
    """It ended by itself, with an error that has the texts."""
    text = run.out + run.err
    assert 0 <= run.status < 3 and "json.exception" not in text, run
    for one in says:
        assert one in text, (one, run)


LIMIT = "nested more than 100 levels deep"


def test_nested_json_of_files_and_arguments_is_refused(b):
    """SEC-13: each place that reads JSON says that it is nested too deeply, and where, and the program does not crash"""
    b.inventory("targets: [{name: here, config: {transport: local}}]\n")
    b.task("t.sh", "#!/bin/sh\necho '{}'\n")
    b.write("deep.json", nested('{"a":', "}"))
    for words in (("--params", "@deep.json"), ("--params", "-")):
        explained(b.run("task", "run", "site::t", "-t", "here", *words, stdin=nested('{"a":', "}")),
                  "Unable to parse --params value as JSON: line 1, column 105: " + LIMIT)
    b.write("project/.rerun.json", nested())
    explained(b.run("command", "run", "true", "--rerun", "all"), "rerun file", LIMIT)
    b.write("project/.rerun.json", "[]")
    b.write("project/modules/deep/metadata.json", nested('{"name":"x-deep","version":"1.0.0","a":', "}"))
    run = b.run("module", "show")
    assert run.status == 0 and "deep" in run.out, run
    b.write("project/modules/deep/manifests/init.pp", "class deep { }\n")
    run = b.run("catalog", "compile", "-e", "include deep", "--modulepath", b.project / "modules", project=False)
    explained(run, "unparsable metadata.json", LIMIT)
    b.write("project/modules/meta/tasks/init.json", nested('{"parameters":', "}"))
    b.write("project/modules/meta/tasks/init.sh", "#!/bin/sh\n")
    explained(b.run("task", "show", "meta"), "meta/tasks/init.json is not valid JSON", LIMIT)
    b.write("project/modules/plug/bolt_plugin.json", nested())
    b.inventory("targets: [{_plugin: plug}]\n")
    explained(b.run("inventory", "show"), "bolt_plugin.json is not valid JSON", LIMIT)
    b.inventory("targets: [{_plugin: env_var, var: DEEP, json: true}]\n")
    b.env["DEEP"] = "[" * 1000 + "]" * 1000
    explained(b.run("inventory", "show"), "the value of DEEP is not valid JSON", LIMIT)
    b.write("project/terraform.tfstate", nested('{"version":4,"a":', "}"))
    b.inventory("targets: [{_plugin: terraform, dir: ., resource_type: x, target_mapping: {uri: a}}]\n")
    explained(b.run("inventory", "show"), "terraform.tfstate is not valid JSON", LIMIT)
    b.inventory("targets: []\n")
    b.write("facts.json", nested('{"a":', "}"))
    explained(b.run("catalog", "compile", "-e", "1", "--facts", "facts.json", project=False),
              "facts.json (facts) is nested more than 1000 levels deep")
    run = b.run("eval", "--batch", stdin=nested('{"code":', "}") + '\n{"id":2,"code":"1+1"}\n', project=False)
    explained(run, "The request is not valid JSON", "nested more than 1000 levels deep")
    assert json.loads(run.out.splitlines()[1])["value"] == 2, run


def test_nested_json_of_servers_and_targets_is_refused(b):
    """SEC-13: the same for what comes over the network; a task's output that is nested too deeply stays a text, as in Bolt"""
    deep = nested()
    url = serve(b, lambda request: (200, deep, {}))
    b.inventory(json.dumps({"targets": [{"_plugin": "http", "url": url}]}))
    explained(b.run("inventory", "show"), "the answer is not valid JSON: line 1, column 101: " + LIMIT)
    b.inventory("targets: [{_plugin: puppetdb, query: 'nodes[certname] {}'}]\n")
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "puppetdb": {"server_urls": [url]}}))
    explained(b.run("inventory", "show"), "Unable to parse response as JSON: line 1, column 101: " + LIMIT)
    b.inventory(json.dumps({"targets": [{"_plugin": "vault", "server_url": url, "path": "x", "auth": {"method": "token", "token": "t"}}]}))
    explained(b.run("inventory", "show"), LIMIT)
    b.write("project/bolt-project.yaml", json.dumps({
        "name": "site", "modules": [{"name": "puppetlabs/ntp"}], "module-install": {"forge": {"baseurl": url}}}))
    explained(b.run("module", "install"), LIMIT)
    b.write("project/bolt-project.yaml", "name: site\n")
    b.inventory("targets: [{name: here, config: {transport: local}}]\n")
    b.write("deep.json", nested('{"a":', "}"))
    b.task("t.sh", f"#!/bin/sh\ncat {b.folder}/deep.json\n")
    run = b.run("task", "run", "site::t", "-t", "here", *JSON)
    assert run.status == 0 and run.value() == {"_output": nested('{"a":', "}")}, run.status


def test_json_at_the_limit_is_read(b):
    """SEC-13: one level less is data like any other"""
    edge = "[" * 99 + "]" * 99
    b.inventory("targets: [{name: here, config: {transport: local}}]\n")
    b.task("t.sh", f"#!/bin/sh\necho '{{\"a\":{edge}}}'\n")
    run = b.run("task", "run", "site::t", "-t", "here", "--params", f'{{"b":{edge}}}', *JSON)
    assert run.status == 0 and json.dumps(run.value()["a"]).replace(" ", "") == edge, run


def cpu(b, count, shape):
    if shape == "task":
        b.write("many.json", keys(count))
        b.task("t.sh", f"#!/bin/sh\ncat {b.folder}/many.json\n")
        b.inventory("targets: [{name: here, config: {transport: local}}]\n")
        run = b.run("task", "run", "site::t", "-t", "here", *JSON)
        assert run.status == 0 and len(run.value()) == count, run.status
    elif shape == "metadata":
        b.write("many.json", '{"parameters":' + keys(count, '{"type":"Integer"}') + "}")
        b.task("t.sh", "#!/bin/sh\necho '{}'\n")
        (b.folder / "many.json").rename(b.project / "tasks" / "t.json")
        run = b.run("task", "show", "site::t", *JSON)
        assert run.status == 0 and run.out.count("key") == count, run.status
    elif shape == "params":
        b.task("t.sh", "#!/bin/sh\necho '{}'\n")
        (b.project / "tasks" / "t.json").unlink(missing_ok=True)
        b.write("many.json", keys(count))
        run = b.run("task", "run", "site::t", "-t", "here", "--params", "@many.json", *JSON)
        assert run.status == 0, run
    else:
        many = keys(count)
        url = serve(b, lambda request: (200, '{"uri":"x","vars":' + many + "}", {}))
        b.inventory(json.dumps({"targets": [{"_plugin": "http", "url": url}]}))
        run = b.run("inventory", "show", "--detail", "-t", "all", *JSON)
        assert run.status == 0, run.status
    return run.cpu


def test_objects_with_many_keys_cost_their_size(b):
    """SEC-14: four times the keys cost about four times the time, wherever they come from; by a list it was sixteen times"""
    for shape in ("task", "params", "http", "metadata"):
        few, many = (min(cpu(b, count, shape) for _ in range(2)) for count in (10_000, 40_000))
        assert many < 8 * few + 0.3, (shape, few, many)


def test_wrong_json_is_explained(b):
    """USER-D: what is wrong with a JSON text is said in words, with line and column, and not repeated: it may be a secret"""
    b.inventory("targets: [{name: here, config: {transport: local}}]\n")
    b.task("t.sh", "#!/bin/sh\necho '{}'\n", {"description": "x"})
    run = b.run("task", "run", "site::t", "-t", "here", "--params", '{"password": hunter2}')
    explained(run, "Unable to parse --params value as JSON: line 1, column 14: invalid literal")
    assert "hunter2" not in run.out + run.err, run
    b.write("project/tasks/t.json", '{\n  "description": "x",\n}\n')
    explained(b.run("task", "run", "site::t", "-t", "here"),
              "tasks/t.json is not valid JSON: line 3, column 1: unexpected '}', expected string literal")
    b.write("project/tasks/t.json", '{"a": 1e999}')
    explained(b.run("task", "run", "site::t", "-t", "here"), "the number is too large")
    url = serve(b, lambda request: (200, "<html>", {}))
    b.inventory(json.dumps({"targets": [{"_plugin": "http", "url": url}]}))
    explained(b.run("inventory", "show"), "the answer is not valid JSON: line 1, column 1: invalid literal")
