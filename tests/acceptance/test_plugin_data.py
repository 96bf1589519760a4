"""Data of machines and services is never evaluated as plugin references (SEC-8); what plugins send (SEC-17.6); their errors."""
import json

from harness.web import serve

JSON = ("--format", "json")


class Trap:
    """References that show when they are followed: a task that leaves a file, and a variable sent to a server."""

    def __init__(self, b):
        self.owned = b.folder / "owned"
        b.task("trap.sh", f"#!/bin/sh\necho ran > {self.owned}\necho '{{\"value\": \"fetched\"}}'\n")
        self.heard = []
        self.url = serve(b, self.hear)
        self.task = {"_plugin": "task", "task": "site::trap", "parameters": {}}
        self.leak = {"_plugin": "http", "url": f"{self.url}/leak", "method": "POST",
                     "body": {"_plugin": "env_var", "var": "AWS_SECRET_ACCESS_KEY"}}

    def hear(self, request):
        self.heard.append(request.body)
        return 200, '"heard"', {}

    def untouched(self):
        return not self.owned.exists() and self.heard == []


def inventory(b, data):
    b.inventory(json.dumps({"config": {"transport": "local"}, **data}))


def shown(b, *words):
    run = b.run("inventory", "show", "--detail", "-t", "all", *words, *JSON, env={"AWS_SECRET_ACCESS_KEY": "k3y"})
    assert run.status == 0, run
    return {target["name"]: target for target in run.json["targets"]}


def test_facts_of_nodes_are_data(b):
    """SEC-8: a custom fact that looks like a reference is the value of a variable, whatever it names"""
    trap = Trap(b)

    def database(request):
        if "fact-contents" in request.path:
            return 200, json.dumps([{"certname": "web1", "path": ["evil"], "value": trap.task},
                                    {"certname": "web1", "path": ["deep"], "value": [{"a": trap.leak}]}]), {}
        return 200, json.dumps([{"certname": "web1"}]), {}
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "puppetdb": {"server_urls": [serve(b, database)]}}))
    inventory(b, {"targets": [{"_plugin": "puppetdb", "query": "nodes {}",
                               "target_mapping": {"name": "certname", "vars": {"e": "facts.evil", "d": "facts.deep"}}}]})
    assert shown(b)["web1"]["vars"] == {"e": trap.task, "d": [{"a": trap.leak}]} and trap.untouched()
    assert b.run("command", "run", "true", "-t", "web1").status == 0 and trap.untouched()


def test_attributes_of_terraform_are_data(b):
    """SEC-8: tags of machines in a state, mapped to variables, facts or configuration"""
    trap = Trap(b)
    state = {"version": 4, "resources": [{"type": "x", "name": "web", "instances": [
        {"attributes": {"id": "web1", "tags": trap.task, "list": [trap.leak]}}]}]}
    b.write("project/terraform.tfstate", json.dumps(state))
    inventory(b, {"groups": [{"name": "g", "targets": {
        "_plugin": "terraform", "dir": ".", "resource_type": "x",
        "target_mapping": {"name": "id", "vars": "tags", "facts": {"l": "list"}}}}]})
    target = shown(b)["web1"]
    assert target["vars"] == trap.task and target["facts"] == {"l": [trap.leak]} and trap.untouched(), target


def test_answers_of_services_are_data_unless_asked(b):
    """SEC-8: http, yaml and task; in every place of an inventory, and the message says how to ask for more"""
    trap = Trap(b)
    answers = {"/vars": {"v": trap.task}, "/value": trap.leak, "/targets": [{"name": "t", "vars": {"x": trap.task}}],
               "/elements": [{"id": "m", "tag": trap.leak}]}
    url = serve(b, lambda request: (200, json.dumps(answers[request.path]), {}))
    b.write("project/data.yaml", json.dumps({"y": trap.task}))
    b.task("give.sh", "#!/bin/sh\n" f"echo '{json.dumps({'value': {'t': trap.leak}})}'\n")

    def http(path, **more):
        return {"_plugin": "http", "url": url + path, **more}
    inventory(b, {"targets": [
        {"name": "a", "vars": http("/vars")}, {"name": "b", "vars": {"in": http("/value")}}, http("/targets"),
        http("/elements", target_mapping={"name": "id", "vars": {"tag": "tag"}}),
        {"name": "c", "vars": {"_plugin": "yaml", "filepath": "data.yaml"}},
        {"name": "d", "vars": {"_plugin": "task", "task": "site::give"}},
        {"name": "e", "vars": {"e": {"_plugin": "env_var", "var": "NONE", "default": http("/value")}}}]})
    targets = shown(b)
    assert trap.untouched(), trap.heard
    assert {name: target["vars"] for name, target in targets.items()} == {
        "a": {"v": trap.task}, "b": {"in": trap.leak}, "t": {"x": trap.task}, "m": {"tag": trap.leak},
        "c": {"y": trap.task}, "d": {"t": trap.leak}, "e": {"e": trap.leak}}, targets
    inventory(b, {"targets": [{"name": "c", "vars": {"_plugin": "yaml", "filepath": "data.yaml"}}]})
    run = b.run("inventory", "show", "--detail", "-t", "c", *JSON)
    assert "'yaml'" in run.err and "_resolve: true" in run.err, run
    # The same for a group, and for the whole inventory.
    inventory(b, {"groups": [{"_plugin": "yaml", "filepath": "group.yaml"}]})
    b.write("project/group.yaml", json.dumps({"name": "g", "targets": ["t"], "vars": {"x": trap.task}}))
    assert shown(b)["t"]["vars"] == {"x": trap.task} and trap.untouched()
    b.write("project/group.yaml", json.dumps({"name": "g", "targets": [trap.task]}))
    b.refused("inventory", "show", *JSON, says="No name or uri for target")
    b.write("project/group.yaml", json.dumps({"name": trap.task, "targets": []}))
    b.refused("inventory", "show", *JSON, says="Group name must be a String")
    assert trap.untouched()


def test_references_in_answers_are_followed_where_the_user_allows_it(b):
    """SEC-8: _resolve in a reference or in the plugin's configuration; one level at a time; never for mapped elements"""
    trap = Trap(b)
    b.write("project/data.yaml", json.dumps({"secret": {"_plugin": "env_var", "var": "AWS_SECRET_ACCESS_KEY"},
                                             "more": {"_plugin": "yaml", "filepath": "more.yaml"}}))
    b.write("project/more.yaml", json.dumps({"m": trap.task}))
    data = {"_plugin": "yaml", "filepath": "data.yaml"}
    inventory(b, {"targets": [{"name": "a", "vars": {**data, "_resolve": True}}]})
    assert shown(b)["a"]["vars"] == {"secret": "k3y", "more": {"m": trap.task}} and trap.untouched()
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "plugins": {"yaml": {"_resolve": True}}}))
    inventory(b, {"targets": [{"name": "a", "vars": data}]})
    assert shown(b)["a"]["vars"] == {"secret": "k3y", "more": {"m": "fetched"}} and trap.owned.exists()
    b.write("project/bolt-project.yaml", "name: site\n")
    for reference, says in (
            ({"_plugin": "puppetdb", "query": "x", "_resolve": True}, "always data"),
            ({"_plugin": "terraform", "dir": ".", "resource_type": "x", "_resolve": True}, "always data"),
            ({"_plugin": "aws_inventory", "_resolve": True}, "always data"),
            ({"_plugin": "http", "url": trap.url, "target_mapping": {"name": "n"}, "_resolve": True}, "target_mapping"),
            ({**data, "_resolve": "yes"}, "must be true or false")):
        inventory(b, {"targets": [reference]})
        b.refused("inventory", "show", *JSON, kind="bolt/validation-error", says=says)


def test_an_answer_cannot_ask_for_more(b):
    """SEC-8: _resolve counts where the user wrote it, not in what a service answers or computes"""
    trap = Trap(b)
    url = serve(b, lambda request: (200, json.dumps({"/flag": True, "/data": {"x": {**trap.task, "_resolve": True}}}[request.path]), {}))
    inventory(b, {"targets": [{"name": "a", "vars": {"_plugin": "http", "url": url + "/data"}}]})
    assert shown(b)["a"]["vars"] == {"x": {**trap.task, "_resolve": True}} and trap.untouched()
    inventory(b, {"targets": [{"name": "a", "vars": {"_plugin": "http", "url": url + "/data",
                                                     "_resolve": {"_plugin": "http", "url": url + "/flag"}}}]})
    b.run("inventory", "show", "--detail", "-t", "a", *JSON)
    assert trap.untouched()


def test_plans_and_hooks_follow_nothing_either(b):
    """SEC-8: resolve_references() in a plan, a module's hook, and the cache of answers"""
    trap = Trap(b)
    b.write("project/modules/mine/bolt_plugin.json", "{}")
    b.write("project/modules/mine/tasks/resolve_reference.sh", f"#!/bin/sh\necho '{json.dumps({'value': {'m': trap.task}})}'\n")
    b.write("project/data.yaml", json.dumps({"y": trap.task}))
    b.write("project/plans/p.pp", "plan site::p() { return resolve_references({'y' => {'_plugin' => 'yaml', 'filepath' => 'data.yaml'}, "
            "'m' => {'_plugin' => 'mine'}}) }\n")
    run = b.run("plan", "run", "site::p", *JSON)
    assert run.json == {"y": {"y": trap.task}, "m": {"m": trap.task}} and trap.untouched(), run
    inventory(b, {"targets": [{"name": "a", "vars": {"_plugin": "yaml", "filepath": "data.yaml", "_cache": {"ttl": 60}}}]})
    for _ in range(2):
        assert shown(b)["a"]["vars"] == {"y": trap.task} and trap.untouched()


def test_requests_have_one_line_for_each_header(b):
    """SEC-17.6: a line end in a header, a method, a URL or Vault's namespace would be a second request"""
    asked = []

    def answer(request):
        asked.append((request.method, request.path, request.headers))
        return 200, '{"data": {"k": "v"}}', {}
    url = serve(b, answer)
    evil = "x\r\nContent-Length: 0\r\n\r\nGET /evil HTTP/1.1\r\nHost: y"
    http = {"_plugin": "http", "url": f"{url}/good"}
    vault = {"_plugin": "vault", "server_url": url, "path": "p", "auth": {"method": "token", "token": "t"}}
    for reference in ({**http, "headers": {"X-A": evil}}, {**http, "headers": {"X-A\r\nX-B": "1"}}, {**http, "headers": {"X-A": "a\nb"}},
                      {**http, "headers": {"X A": "1"}}, {**http, "headers": {"X-A": "a\x00b"}}, {**http, "headers": {"": "1"}},
                      {**http, "method": "GET /evil HTTP/1.1\r\nHost: x\r\n\r\nGET"}, {**http, "method": "GET /evil"},
                      {**http, "url": f"{url}/a\r\nX: y"}, {**http, "url": f"{url}/a b"},
                      {**vault, "namespace": evil}, {**vault, "auth": {"method": "token", "token": evil}}):
        inventory(b, {"targets": [{"name": "a", "vars": {"v": reference}}]})
        run = b.refused("inventory", "show", "--detail", "-t", "a", *JSON, kind="bolt/validation-error", says="is not sent")
        assert asked == [] and "evil" not in run.out, (run, asked)
    inventory(b, {"targets": [{"name": "a", "vars": {"v": {**http, "method": "PATCH", "headers": {"X-A": "tab\tand: colon", "X-E": ""}}}}]})
    assert b.run("inventory", "show", "--detail", "-t", "a", *JSON).status == 0
    assert asked[0][0] == "PATCH" and asked[0][2]["X-A"] == "tab\tand: colon", asked


def test_kinds_of_plugin_errors(b):
    """BOLT-10: a task without `value` is the plugin's error, a task that is not there keeps its kind; values are not shown"""
    b.task("none.sh", "#!/bin/sh\necho '{\"other\": \"hunter2\"}'\n")
    b.task("text.sh", "#!/bin/sh\necho hunter2\n")
    for task in ("none", "text"):
        inventory(b, {"targets": [{"name": "a", "vars": {"v": {"_plugin": "task", "task": f"site::{task}"}}}]})
        run = b.refused("inventory", "show", "--detail", "-t", "a", *JSON, kind="bolt/plugin-error",
                        says="Error executing plugin task from resolve_reference in task: Task result did not return 'value'")
        assert "hunter2" not in run.out, run
    inventory(b, {"targets": [{"name": "a", "vars": {"v": {"_plugin": "task", "task": "site::nope"}}}]})
    b.refused("inventory", "show", "--detail", "-t", "a", *JSON, kind="bolt/unknown-task", says="site::nope")


def test_unknown_transports_are_reported_at_once(b):
    """BOLT-11: when a target is looked up, not only when something runs on it"""
    b.refused("inventory", "show", "-t", "bogus://x", *JSON, kind="bolt/unknown-transport", says="bogus")
    b.inventory("targets: [{name: a, uri: 'bogus://x'}, b]\n")
    b.refused("inventory", "show", *JSON, kind="bolt/unknown-transport", says="bogus")
    assert b.run("inventory", "show", "-t", "b", *JSON).status == 0
    b.write("project/plans/p.pp", "plan site::p() { get_targets('bogus://x') return 'not reached' }\n")
    b.refused("plan", "run", "site::p", *JSON, kind="bolt/unknown-transport")
