"""What goes to the targets beside a catalog: files and code of modules, and that nothing is sent twice."""
import base64
import hashlib
import json
import os
import socket
import stat
import subprocess
import threading
from pathlib import Path

from harness.bench import HANGS
from harness.lab import IS_ROOT
from test_apply import HELPER, apply, module, ready


def helper(request, home):
    """The helper as a program: its answer."""
    done = subprocess.run(["sh", HELPER], input=json.dumps(request).encode(), capture_output=True, timeout=HANGS,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"})
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_apl_014_only_what_is_missing_is_sent(b):
    """APL-013, APL-014: a target says what it lacks; what lies where it belongs is not sent"""
    place = ready(b)
    content = b"content of a file"
    sum_ = hashlib.sha256(content).hexdigest()
    (place / "there").write_bytes(content)
    file = {"path": "m/files/x", "sum": sum_, "size": len(content), "mode": 0o644}
    asks = {"_task": "apply_helpers::query_resources", "resources": [], "content": {}}
    assert helper({**asks, "files": [file]}, b.home) == {"_missing": [sum_]}
    assert helper({**asks, "files": [{**file, "here": [str(place / "there")]}]}, b.home) == {"resources": []}
    (place / "there").write_bytes(content[::-1])
    assert helper({**asks, "files": [{**file, "here": [str(place / "there")]}]}, b.home) == {"_missing": [sum_]}
    sent = {sum_: base64.b64encode(content).decode()}
    assert helper({**asks, "files": [file], "content": sent}, b.home) == {"resources": []}
    assert helper({**asks, "files": [file]}, b.home) == {"_missing": [sum_]}, "content of files is not kept"


def test_apl_014_code_is_kept_on_the_target(b):
    """APL-014, APL-016: a target keeps the code of modules, and notices when somebody changed it"""
    place = ready(b)
    module(b)
    code = f"file {{ '{place}/x': content => $facts['web_fact'] }}"
    assert apply(b, code).status == 0
    kept = Path(b.account.home if b.account else Path.home()) / ".cache/volley/code"
    text = (b.project / "modules/web/lib/facter/web_fact.rb").read_bytes()
    mine = kept / hashlib.sha256(text).hexdigest()
    if IS_ROOT:
        assert mine.read_bytes() == text and stat.S_IMODE(kept.stat().st_mode) == 0o700
        mine.write_bytes(b"Facter.add(:web_fact) { setcode { 'forged' } }\n")
    (place / "x").unlink()
    assert apply(b, code).status == 0
    assert (place / "x").read_text() == "from ruby"


class Relay:
    """Stands between volley and a server, and counts what is sent to the server."""

    def __init__(self, b, server):
        self.server, self.sent = server, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        b.undo(self._listener.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection((self.server.address, self.server.port))
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, sink, source is client), daemon=True).start()

    def _pump(self, source, sink, upwards):
        try:
            while data := source.recv(65536):
                self.sent += len(data) if upwards else 0
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def test_apl_014_a_second_run_sends_next_to_nothing(b):
    """APL-013, APL-014: bytes on the wire, of a folder of 1 MB and code of 0.4 MB"""
    place = ready(b)
    relay = Relay(b, b.lab.plain())
    data = json.loads((b.project / "inventory.yaml").read_text())
    data["targets"][0]["uri"] = f"127.0.0.1:{relay.port}"
    data["config"]["ssh"]["host-key-check"] = False
    b.inventory(json.dumps(data))
    for i in range(10):
        b.write(f"project/modules/m/files/tree/d{i % 3}/f{i}", os.urandom(100_000))
    b.write("project/modules/m/lib/puppet/functions/large.rb",
            f"# {os.urandom(200_000).hex()}\nPuppet::Functions.create_function(:large) {{ }}\n")
    code = f"file {{ '{place}/tree': ensure => directory, recurse => true, source => 'puppet:///modules/m/tree' }}"

    def sent(*words):
        before = relay.sent
        run = apply(b, code, *words)
        assert run.status == 0, run
        return relay.sent - before
    assert sent() > 1_400_000
    assert sent() < 100_000, "everything is there"
    assert sent("--noop") < 100_000
    (place / "tree/d1/f1").write_bytes(b"somebody changed it")
    assert 100_000 < sent() < 300_000, "the one file"
    assert (place / "tree/d1/f1").stat().st_size == 100_000


def test_apl_014_folders_without_files_arrive(b):
    """APL-014: of a recursive source also the folders that have no files, and a source that has none at all"""
    place = ready(b)
    b.write("project/files/tree/leaf", "leaf")
    (b.project / "files/tree/bare/deep").mkdir(parents=True)
    (b.project / "files/nothing").mkdir()
    code = "".join(f"file {{ '{place}/{name}': ensure => directory, recurse => true, source => 'puppet:///modules/site/{name}' }}\n"
                   for name in ("tree", "nothing"))
    run = apply(b, code)
    assert run.status == 0, run
    assert (place / "tree/bare/deep").is_dir() and (place / "nothing").is_dir() and (place / "tree/leaf").read_text() == "leaf"
