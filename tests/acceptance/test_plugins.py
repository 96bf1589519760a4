"""Plugins: references that overlap, hooks of modules, failures."""
import json
import threading
import time

from harness.patience import PATIENCE
from harness.web import serve

JSON = ("--format", "json")


class SlowServer:
    """Answers each GET after `delay` seconds, and when `together` are waiting, with the text after the last slash as a list; counts what it was asked."""

    def __init__(self, b, delay, together=1):
        self.asked, self.at_once, self.most_at_once, self.together = [], 0, 0, together
        self.delay, self.lock = delay, threading.Lock()
        self.url = serve(b, self.answer)

    def answer(self, request):
        with self.lock:
            self.asked.append(request.path)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(self.delay)
        end = time.monotonic() + PATIENCE
        while self.most_at_once < self.together and time.monotonic() < end:
            time.sleep(0.02)
        with self.lock:
            self.at_once -= 1
        name = request.path.rsplit("/", 1)[1]
        return 200, json.dumps([name] if "list" in request.path else name), {}

    def reference(self, path, **more):
        return {"_plugin": "http", "url": f"{self.url}/{path}", **more}


def test_references_overlap(b):
    """PLG-002, PLG-003: eight references of an inventory and four of configuration are asked for at the same time, each once"""
    slow = SlowServer(b, 0.2, together=8)
    b.inventory(json.dumps({
        "config": {"transport": "local"},
        "targets": [slow.reference(f"list/t{i}") for i in range(4)],
        "groups": [{"name": f"g{i}", "targets": slow.reference(f"list/u{i}"),
                    "config": {"ssh": {"user": slow.reference(f"user{i}")}}} for i in range(4)]}))
    run = b.run("command", "run", "echo x", "-t", "all", *JSON)
    assert run.status == 0 and len(run.json["items"]) == 8, run
    assert sorted(slow.asked) == sorted([f"/list/t{i}" for i in range(4)] + [f"/list/u{i}" for i in range(4)] +
                                        [f"/user{i}" for i in range(4)]), slow.asked
    assert slow.most_at_once >= 8, (slow.most_at_once, run)


def test_plg_002_cache(b):
    """PLG-002, PLG-014: _cache keeps an answer from run to run; without it every run asks"""
    slow = SlowServer(b, 0)
    b.inventory(json.dumps({"targets": [slow.reference("list/kept", _cache={"ttl": 60}), slow.reference("list/fresh")]}))
    for _ in range(2):
        assert b.run("inventory", "show", *JSON).json["targets"] == ["kept", "fresh"]
    assert sorted(slow.asked) == ["/list/fresh", "/list/fresh", "/list/kept"], slow.asked
    cache = b.project / ".plugin_cache.json"
    assert cache.stat().st_mode & 0o777 == 0o600 and slow.url not in cache.read_text()
    b.inventory(json.dumps({"targets": [slow.reference("list/x", _cache={"ttl": -1})]}))
    b.refused("inventory", "show", *JSON, kind="bolt/validation-error", says=["'ttl' key", "inventory.yaml:1:14"])


def module(b, hooks=None, **tasks):
    """A module `mine` whose tasks record that they ran."""
    b.write("project/modules/mine/bolt_plugin.json", json.dumps({"hooks": hooks or {}}))
    for name, (parameters, body) in tasks.items():
        b.write(f"project/modules/mine/tasks/{name}.json",
                json.dumps({"description": f"Does {name}", "input_method": "environment", "parameters": parameters}))
        b.write(f"project/modules/mine/tasks/{name}.sh", f"#!/bin/sh\necho {name} >> {b.project}/ran\n{body}\n")


def ran(b):
    """The tasks that ran since the last call."""
    path = b.project / "ran"
    names = path.read_text().split() if path.exists() else []
    path.unlink(missing_ok=True)
    return names


TEXT = {"type": "Optional[String]"}


def test_plg_001_hooks(b):
    """PLG-001, PLG-007: a module can do all that plugins can; the program's own plugins are listed beside it"""
    module(b, hooks={"puppet_library": {"task": "mine::install"}},
           install=({}, 'echo "{}"'),
           resolve_reference=({"name": TEXT}, 'echo "{\\"value\\": \\"$PT_name\\"}"'),
           secret_encrypt=({"plaintext_value": TEXT}, 'echo "{\\"value\\": \\"<$PT_plaintext_value>\\"}"'),
           secret_decrypt=({"encrypted_value": TEXT}, 'echo "{\\"value\\": \\"plain\\"}"'),
           secret_createkeys=({"force": {"type": "Boolean"}}, 'echo "{\\"value\\": \\"made\\"}"'),
           validate_resolve_reference=({"name": TEXT}, 'echo "{}"'))
    shown = b.run("plugin", "show", *JSON).json["plugins"]
    assert shown["puppet_library"]["mine"] == "Does install", shown
    for hook in ("resolve_reference", "secret_encrypt", "secret_decrypt", "secret_createkeys"):
        assert shown[hook]["mine"] == f"Does {hook}", shown
    assert {"env_var", "prompt", "puppetdb", "task"} <= set(shown["resolve_reference"]), shown
    assert b.run("secret", "encrypt", "x", "--plugin", "mine").out == "<x>\n"
    assert b.run("secret", "decrypt", "x", "--plugin", "mine").out == "plain\n"
    assert b.run("secret", "createkeys", "--plugin", "mine").status == 0
    assert ran(b) == ["secret_encrypt", "secret_decrypt", "secret_createkeys"]
    b.inventory("targets: [{_plugin: mine, name: found}]\n")
    assert b.run("inventory", "show", *JSON).json["targets"] == ["found"]
    assert ran(b) == ["validate_resolve_reference", "resolve_reference"]


def test_plg_008_a_file_of_another_name(b):
    """PLG-008: a hyphen in the name of bolt_plugin.json is pointed out; null there is as if it were not said"""
    b.write("project/modules/mine/bolt-plugin.json", "{}")
    b.inventory("targets: [{_plugin: mine}]\n")
    run = b.run("inventory", "show", *JSON)
    assert run.status == 1 and "[ID: plugin_file_name]" in run.err and "bolt_plugin.json" in run.err, run
    module(b, resolve_reference=({}, 'echo "{\\"value\\": \\"x\\"}"'))
    b.write("project/modules/mine/bolt_plugin.json", '{"hooks": null, "config": null}')
    assert b.run("inventory", "show", *JSON).json["targets"] == ["x"]


def test_plg_013_validation(b):
    """PLG-013, PLG-006, PLG-005: parameters are checked before the task runs; failures name plugin, file and line"""
    module(b, resolve_reference=({"name": {"type": "String[3]"}}, 'echo "{\\"_error\\": {\\"kind\\": \\"mine/x\\", \\"msg\\": \\"went wrong\\"}}"; exit 1'))
    b.inventory("targets:\n  - {_plugin: mine, name: ab}\n")
    b.refused("inventory", "show", *JSON, kind="bolt/validation-error", says=["'name'", "inventory.yaml:2:5"])
    b.inventory("targets:\n  - {_plugin: mine, name: abc, other: 1}\n")
    b.refused("inventory", "show", *JSON, kind="bolt/validation-error", says="other")
    assert ran(b) == []
    b.inventory("targets:\n  - {_plugin: mine, name: abc}\n")
    b.refused("inventory", "show", *JSON, kind="bolt/plugin-error",
              says=["Error executing plugin mine from resolve_reference in mine: went wrong", "inventory.yaml:2:5"])
    assert ran(b) == ["resolve_reference"]
    b.inventory("targets: [{name: a, config: {transport: local, ssh: {password: {_plugin: pkcs7, encrypted_value: x}}}}]\n")
    b.refused("command", "run", "true", "-t", "a", *JSON, kind="bolt/plugin-error", says="key config.ssh.password")


def test_prompts_stay_in_order(b):
    """PLG-007, PLG-031: questions come one by one, in the order of the document, whatever else is asked meanwhile"""
    slow = SlowServer(b, 0.3)
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [{"name": "a", "vars": {
        "x": slow.reference("one"), "first": {"_plugin": "prompt", "message": "First"}, "y": slow.reference("two"),
        "second": {"_plugin": "prompt", "message": "Second"}}}]}))
    b.write("project/plans/p.pp", "plan site::p() { return get_target('a').vars }\n")
    text, status = b.terminal("plan", "run", "site::p", *JSON, answers=[("First", "1\n"), ("Second", "2\n")])
    assert status == 0 and text.index("First") < text.index("Second"), text
    assert '{"x":"one","first":"1","y":"two","second":"2"}' in text, text


def test_a_prompt_that_nobody_can_answer_is_an_error(b):
    """PLG-031: in a job of cron an empty password would be sent to the targets"""
    b.inventory("targets: [{name: a, config: {transport: local, ssh: {password: {_plugin: prompt, message: 'Which one'}}}}]\n")
    b.refused("command", "run", "true", "-t", "a", *JSON,
              says=["There is no answer to 'Which one': standard input has ended", "inventory.yaml:1"])
