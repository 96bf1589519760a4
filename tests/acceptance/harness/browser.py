"""A headless Chromium, driven over its DevTools protocol on two pipes: what people would see of a page."""
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAMS = ("chromium-headless-shell", "chromium")
# The protocol's pipes are the descriptors 3 and 4, whatever number they have here.
LAUNCHER = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(pipes[0], 3), os.dup2(pipes[1], 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One page. `complaints` has what went wrong on it, `requests` what it asked of the network."""

    def __init__(self, width=1200, height=900, phone=False):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        assert program, "no Chromium: ./dev test installs chromium-headless-shell"
        self.complaints, self.requests = [], []
        self._home = tempfile.mkdtemp(prefix="volley-browser-")
        ours_in, self._write = os.pipe()
        self._read, ours_out = os.pipe()
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                 f"--user-data-dir={self._home}"]
        self._process = subprocess.Popen([sys.executable, "-c", LAUNCHER, str(ours_in), str(ours_out), *words],
                                         pass_fds=(ours_in, ours_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self._home})
        os.close(ours_in), os.close(ours_out)
        self._buffer, self._number, self._session, self._loaded = b"", 0, None, False
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def _receive(self):
        end = time.monotonic() + 120
        while b"\0" not in self._buffer:
            assert select.select([self._read], [], [], max(0, end - time.monotonic()))[0], "the browser does not answer"
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser has ended"
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(line)
        self._note(message.get("method"), message.get("params"))
        return message

    def _note(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded = True

    def open(self, url):
        self._loaded = False
        self.call("Page.navigate", url=url)
        while not self._loaded:
            self._receive()

    def evaluate(self, code):
        """The value of a JavaScript expression; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def type(self, text):
        """Into whatever has the focus."""
        self.call("Input.insertText", text=text)

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._read), os.close(self._write)
        shutil.rmtree(self._home, ignore_errors=True)
