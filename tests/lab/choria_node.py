#!/usr/bin/env python3
"""Nodes of a Choria network on loopback: a small MCollective server in one process, for tests only.

It subscribes to `<collective>.node.<identity>` of each identity on a NATS broker with TLS, checks the signature of
every request against the caller's certificate and the certificate authority, and serves three agents as their
documentation (choria-plugins/shell-agent, choria-plugins/tasks-agent, rpcutil) describes them:

  rpcutil      ping, agent_inventory, get_fact
  shell        run, start, list, status, kill
  bolt_tasks   download (from folders instead of a Puppet server), run_no_wait, task_status

    choria_node.py --broker HOST:PORT --ca FILE --cert FILE --key FILE --node NAME[:FLAG...] ... [--tasks FOLDER]

FLAG of a node: `windows` (os.family), `noshell`, `oldshell` (version 1.1.0), `silent` (answers nothing), `deaf`
(answers discovery only), `forged` (answers under another name), `broken` (answers with a wrong hash), `refuse`
(status 5). Prints "ready" when all are subscribed. Every request is a line of the file --log.
"""
import argparse
import base64
import hashlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import uuid


class Nats:
    """What a server needs of the NATS protocol: CONNECT, SUB, MSG, PUB, PING."""

    def __init__(self, broker, ca, cert, key):
        host, port = broker.rsplit(":", 1)
        plain = socket.create_connection((host, int(port)), 10)
        greeting = b""
        while not greeting.endswith(b"\r\n"):
            greeting += plain.recv(1)
        assert greeting.startswith(b"INFO "), greeting
        self.max_payload = json.loads(greeting[5:])["max_payload"]
        context = ssl.create_default_context(cafile=ca)
        context.load_cert_chain(cert, key)
        self.socket = context.wrap_socket(plain, server_hostname=host)
        self.socket.settimeout(None)
        self.lock = threading.Lock()
        self.reader = self.socket.makefile("rb")
        self.send(b'CONNECT {"verbose":false,"pedantic":false,"tls_required":true,"name":"nodes"}\r\n')

    def send(self, data):
        with self.lock:
            self.socket.sendall(data)

    def subscribe(self, subject, number):
        self.send(f"SUB {subject} {number}\r\n".encode())

    def publish(self, subject, data):
        self.send(f"PUB {subject} {len(data)}\r\n".encode() + data + b"\r\n")

    def flush(self):
        self.send(b"PING\r\n")
        while True:
            if self.reader.readline().startswith(b"PONG"):
                return

    def messages(self):
        while line := self.reader.readline():
            words = line.split()
            if words[0] == b"PING":
                self.send(b"PONG\r\n")
            elif words[0] == b"MSG":
                data = self.reader.read(int(words[-1]))
                self.reader.read(2)
                yield words[1].decode(), data
            elif words[0] == b"-ERR":
                sys.exit(line.decode())


class Job:
    """A process of the shell agent."""

    def __init__(self, command, environment=None, stdin=None):
        self.command = command
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, shell=isinstance(command, str), stdout=self.out, stderr=self.err,
                                        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                                        env=environment, start_new_session=True)
        if stdin is not None:
            threading.Thread(target=self.feed, args=(stdin,)).start()

    def feed(self, text):
        try:
            self.process.stdin.write(text.encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def status(self):
        return "running" if self.process.poll() is None else "stopped"

    def read(self, file, offset=0):
        return os.pread(file.fileno(), 64 << 20, offset).decode(errors="replace")

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Refused(Exception):
    def __init__(self, status, message, data=None):
        super().__init__(message)
        self.status, self.data = status, data or {}


class Node:
    def __init__(self, name, flags, options):
        self.name, self.flags, self.options = name, flags, options
        self.jobs, self.tasks = {}, {}
        self.cache = tempfile.mkdtemp(prefix="choria-node-", dir=os.path.dirname(os.path.abspath(options.log)))

    def serve(self, agent, action, data, request):
        if "refuse" in self.flags:
            raise Refused(5, "this node refuses everything")
        handler = getattr(self, f"{agent}_{action}", None)
        if handler is None:
            raise Refused(2, f"unknown action {agent}#{action}")
        return handler(data, request)

    def rpcutil_ping(self, data, request):
        return {"pong": int(time.time())}

    def rpcutil_agent_inventory(self, data, request):
        agents = [{"agent": "rpcutil", "version": "1.0.0"}, {"agent": "bolt_tasks", "version": "0.20.0"}]
        if "noshell" not in self.flags:
            agents.append({"agent": "shell", "version": "1.1.0" if "oldshell" in self.flags else "1.2.1"})
        return {"agents": agents}

    def rpcutil_get_fact(self, data, request):
        assert data["fact"] == "os.family", data
        return {"fact": "os.family", "value": "windows" if "windows" in self.flags else "Debian"}

    def shell_run(self, data, request):
        job = Job(data["command"])
        job.process.wait()
        return {"success": True, "stdout": job.read(job.out), "stderr": job.read(job.err),
                "exitcode": job.process.returncode}

    def shell_start(self, data, request):
        if "nostart" in self.flags:
            raise Refused(5, "this node starts nothing")
        handle = str(uuid.uuid4())
        self.jobs[handle] = Job(data["command"])
        return {"handle": handle}

    def shell_list(self, data, request):
        return {"jobs": {handle: {"id": handle, "command": job.command, "status": job.status(), "signal": None}
                         for handle, job in self.jobs.items()}}

    def shell_status(self, data, request):
        job = self.jobs[data["handle"]]
        reply = {"status": job.status(), "stdout": job.read(job.out, data.get("stdout_offset", 0)),
                 "stderr": job.read(job.err, data.get("stderr_offset", 0))}
        if job.status() == "stopped":
            reply["exitcode"] = job.process.returncode
        return reply

    def shell_kill(self, data, request):
        self.jobs[data["handle"]].kill()
        return {}

    def file_of(self, spec):
        return os.path.join(self.cache, spec["sha256"], os.path.basename(spec["filename"]))

    def bolt_tasks_download(self, data, request):
        specs = json.loads(data["files"])
        for spec in specs:
            kind, _, rest = spec["uri"]["path"].removeprefix("/puppet/v3/file_content/").partition("/")
            module, _, name = rest.partition("/")
            folder = {"tasks": "tasks", "modules": "files", "plugins": "lib"}[kind]
            source = os.path.join(self.options.tasks or "/nonexistent", module, folder, name)
            try:
                content = open(source, "rb").read()
            except OSError as error:
                raise Refused(1, f"Could not download task {data['task']} files: {error}")
            if hashlib.sha256(content).hexdigest() != spec["sha256"] or len(content) != spec["size_bytes"]:
                raise Refused(1, f"Could not download task {data['task']} files: {name} is another file there")
            os.makedirs(os.path.dirname(self.file_of(spec)), exist_ok=True)
            with open(self.file_of(spec), "wb") as file:
                file.write(content)
            os.chmod(self.file_of(spec), 0o755)
        return {"downloads": len(specs)}

    def bolt_tasks_run_no_wait(self, data, request):
        specs = json.loads(data["files"])
        folder = tempfile.mkdtemp(dir=self.cache)
        paths = []
        for spec in specs:
            path = os.path.join(folder, spec["filename"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.link(self.file_of(spec), path)
            paths.append(path)
        parameters = json.loads(data["input"])
        if len(specs) > 1:
            parameters["_installdir"] = folder
        environment = dict(os.environ)
        if data["input_method"] in ("environment", "both"):
            for key, value in parameters.items():
                environment["PT_" + key] = value if isinstance(value, str) else json.dumps(value)
        stdin = json.dumps(parameters) if data["input_method"] in ("stdin", "both") else None
        self.tasks[request] = Job([paths[0]], environment, stdin)
        return {"task_id": request}

    def bolt_tasks_task_status(self, data, request):
        job = self.tasks.get(data["task_id"])
        if job is None:
            raise Refused(3, f"Task {data['task_id']} have not been run")
        done = job.status() == "stopped"
        out = job.read(job.out) if done else ""
        try:
            parsed = json.loads(out)
            value = parsed if isinstance(parsed, dict) else {"_output": out}
        except ValueError:
            value = {"_output": out}
        code = job.process.returncode if done else -1
        reply = {"exitcode": code, "stdout": json.dumps(value), "stderr": job.read(job.err), "completed": done,
                 "runtime": 0.1, "start_time": int(time.time()), "task": "", "callerid": ""}
        if done and code != 0:
            raise Refused(1, "Task failed without any error details", reply)
        return reply


def verified(secure, options):
    """The request in a secure request, when its signature is the caller's and the authority knows the caller."""
    with tempfile.TemporaryDirectory() as folder:
        def put(name, content):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            return path
        cert = put("cert", secure["pubcert"].encode())
        message = put("message", secure["message"].encode())
        signature = put("signature", base64.b64decode(secure["signature"], validate=True))
        quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "check": True}
        subprocess.run(["openssl", "verify", "-CAfile", options.ca, cert], **quiet)
        key = put("key", subprocess.run(["openssl", "x509", "-in", cert, "-noout", "-pubkey"],
                                        capture_output=True, check=True).stdout)
        subprocess.run(["openssl", "dgst", "-sha256", "-verify", key, "-signature", signature, message], **quiet)
        subject = subprocess.run(["openssl", "x509", "-in", cert, "-noout", "-subject", "-nameopt", "multiline"],
                                 capture_output=True, check=True, text=True).stdout
        name = [line.split("=")[1].strip() for line in subject.splitlines() if "commonName" in line][0]
    request = json.loads(secure["message"])
    assert request["envelope"]["callerid"] == f"choria={name}", (request["envelope"], name)
    return request


def answer(nats, node, data, options, log):
    transport = json.loads(data)
    assert transport["protocol"] == "choria:transport:1", transport
    secure = json.loads(base64.b64decode(transport["data"], validate=True))
    assert secure["protocol"] == "choria:secure:request:1", secure
    request = verified(secure, options)
    assert request["protocol"] == "choria:request:1", request
    envelope = request["envelope"]
    assert set(envelope) == {"requestid", "senderid", "callerid", "filter", "collective", "agent", "ttl", "time"}
    assert abs(time.time() - envelope["time"]) < envelope["ttl"], envelope
    body = json.loads(request["message"])
    assert body["agent"] == envelope["agent"], body
    log(f"{node.name} {body['agent']}.{body['action']} {envelope['requestid']}")
    if "silent" in node.flags or ("deaf" in node.flags and body["agent"] != "rpcutil"):
        return
    reply = {"statuscode": 0, "statusmsg": "OK", "data": {}}
    try:
        reply["data"] = node.serve(body["agent"], body["action"], body["data"], envelope["requestid"])
    except Refused as refused:
        reply = {"statuscode": refused.status, "statusmsg": str(refused), "data": refused.data}
    message = json.dumps({"protocol": "choria:reply:1", "message": json.dumps(reply),
                          "envelope": {"senderid": "somebody-else" if "forged" in node.flags else node.name,
                                       "requestid": envelope["requestid"], "agent": body["agent"],
                                       "time": int(time.time())}})
    digest = hashlib.sha256(("x" if "broken" in node.flags else "").encode() + message.encode()).digest()
    secure = json.dumps({"protocol": "choria:secure:reply:1", "message": message,
                         "hash": base64.b64encode(digest).decode()})
    reply = json.dumps({"protocol": "choria:transport:1", "data": base64.b64encode(secure.encode()).decode(),
                        "headers": {"mc_sender": node.name}}).encode()
    assert len(reply) <= nats.max_payload, "the reply is too large"
    nats.publish(transport["headers"]["reply-to"], reply)


def main():
    parser = argparse.ArgumentParser()
    for name in ("broker", "ca", "cert", "key", "log"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--tasks")
    parser.add_argument("--collective", default="mcollective")
    parser.add_argument("--node", action="append", required=True)
    options = parser.parse_args()
    nats = Nats(options.broker, options.ca, options.cert, options.key)
    nodes = {}
    for number, word in enumerate(options.node):
        name, *flags = word.split(":")
        nodes[f"{options.collective}.node.{name}"] = Node(name, flags, options)
        nats.subscribe(f"{options.collective}.node.{name}", number + 1)
    nats.flush()
    lock = threading.Lock()

    def log(line):
        with lock, open(options.log, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def serve(node, data):
        try:
            answer(nats, node, data, options, log)
        except Exception as error:  # a request that is wrong is noted and not answered, as servers do
            log(f"{node.name} refused {type(error).__name__} {error}")

    print("ready", flush=True)
    for subject, data in nats.messages():
        threading.Thread(target=serve, args=(nodes[subject], data), daemon=True).start()


if __name__ == "__main__":
    main()
