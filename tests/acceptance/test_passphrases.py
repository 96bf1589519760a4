"""Passphrases of keys: asked for on a terminal, once, and found nowhere afterwards (USER-F)."""
import json

from test_ssh import start_agent
from test_ssh_keys import add_to_agent, encrypted_keys

SECRET = "open sesame"
QUESTION = "Enter the passphrase for the private key "


def two_servers(b, names=2, **options):
    """Targets on two servers that take an encrypted key only; returns the key."""
    key = next(encrypted_keys(b))
    authorized = b.write("authorized", key.with_suffix(".pub").read_text())
    servers = [b.sshd(f"AuthorizedKeysFile {authorized}\nMaxStartups 500") for _ in range(2)]
    known = "".join(server.known_hosts().read_text() for server in servers)
    b.write("home/.ssh/known_hosts", known)
    section = {"user": b.me, "private-key": str(key), "connect-timeout": 60, **options}
    targets = [{"name": f"t{n}", "uri": f"{servers[n % 2].address}:{servers[n % 2].port}"} for n in range(names)]
    b.inventory(json.dumps({"config": {"transport": "ssh", "ssh": section}, "targets": targets}))
    return key


def kept_anywhere(b, secret):
    """The files of the test that have the text in them: the journal, logs, the project."""
    return [path for path in b.folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_a_passphrase_is_asked_for_once(b):
    """One question for forty targets on two servers that log in at the same time; nothing keeps the answer"""
    key = two_servers(b, names=40)
    text, status = b.terminal("command", "run", "echo in", "-t", "all", "--log-level", "trace",
                              answers=[(QUESTION, SECRET + "\n")])
    assert status == 0 and text.count(QUESTION) == 1 and f"{QUESTION}{key}: " in text, text
    assert "40 targets" in text and SECRET not in text, text
    assert list((b.project / ".volley").rglob("*")) or list(b.home.rglob("*journal*")), "the run is recorded"
    assert not kept_anywhere(b, SECRET)


def test_a_plan_asks_once_for_all_its_steps(b):
    """Several steps, in parallel branches too, and the plan's own questions wait for their turn"""
    two_servers(b, names=4)
    b.write("project/plans/steps.pp", """plan site::steps(TargetSpec $targets) {
  parallelize(get_targets($targets)) |$target| { run_command('echo one', $target) }
  $name = prompt('Your name?')
  run_command("echo ${name}", $targets)
  return $name
}
""")
    text, status = b.terminal("plan", "run", "site::steps", "-t", "all",
                              answers=[(QUESTION, SECRET + "\n"), ("Your name?", "Ada\n")])
    assert status == 0 and text.count(QUESTION) == 1 and SECRET not in text and "Ada" in text, text


def test_a_wrong_passphrase_is_asked_for_again(b):
    """Three attempts; then the message names the key"""
    key = two_servers(b)
    again = "Wrong passphrase. " + QUESTION
    text, status = b.terminal("command", "run", "echo in", "-t", "all",
                              answers=[(QUESTION, "wrong\n"), (again, SECRET + "\n")])
    assert status == 0 and text.count(QUESTION) == 2, text
    text, status = b.terminal("command", "run", "echo in", "-t", "all",
                              answers=[(QUESTION, "wrong\n"), (again, "bad\n"), ((again, again), "worse\n")])
    assert status == 1 and text.count(QUESTION) == 3 and f"wrong passphrase for the private key {key}" in text, text


def test_an_empty_passphrase_or_ctrl_c_leaves_the_key_alone(b):
    """An empty line: as without a terminal. Ctrl-C ends the run with 130"""
    two_servers(b)
    text, status = b.terminal("command", "run", "echo in", "-t", "all", answers=[(QUESTION, "\n")])
    assert status == 1 and text.count(QUESTION) == 1 and "ssh-add" in text, text
    text, status = b.terminal("command", "run", "echo in", "-t", "all", answers=[(QUESTION, "\x03")])
    assert status == 130 and text.count(QUESTION) == 1, text


def test_an_agent_goes_before_a_question(b):
    """A key that the agent holds is not asked for"""
    key = two_servers(b)
    agent = start_agent(b)
    add_to_agent(b, agent, key, SECRET)
    text, status = b.terminal("command", "run", "echo in", "-t", "all", env=agent)
    assert status == 0 and QUESTION not in text, text
