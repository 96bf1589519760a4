"""The other shell of the double: commands of cmd.exe (winrs), which Debian's python3-winrm and winrmcp run. Here they are commands
of /bin/sh, and those of powershell.exe go to the engine. Paths have '/' where Windows has '\\'."""
import base64
import os
import re
import subprocess
import tempfile
import uuid

from xml.sax.saxutils import unescape

ENVIRONMENT = {**os.environ, "TEMP": tempfile.gettempdir()}


class CommandShell:
    def __init__(self):
        self.commands = {}

    def close(self):
        pass


def run(line, engine):
    """What a line of cmd.exe does."""
    encoded = re.fullmatch(r"powershell(?:\.exe)?\s.*-EncodedCommand\s+(\S+)\s*", line, re.IGNORECASE)
    if encoded:
        script = base64.b64decode(encoded[1]).decode("utf-16-le").replace("\\", "/")
        words = [*engine, "-NoProfile", "-NonInteractive", "-EncodedCommand",
                 base64.b64encode(script.encode("utf-16-le")).decode()]
    else:
        place = re.sub(r"%TEMP%\\?", lambda _: ENVIRONMENT["TEMP"] + "/", line)
        words = ["/bin/sh", "-c", place]
    return subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL, env=ENVIRONMENT)


def dispatch(service, request, action):
    import double
    ns = double.NS
    body = request.find("s:Body", ns)
    identity = request.findtext("s:Header/w:SelectorSet/w:Selector[@Name='ShellId']", "", ns)
    known = service.shells.known
    if action == "Create":
        identity = str(uuid.uuid4()).upper()
        known[identity] = CommandShell()
        return service.envelope(request, ns["x"] + "/CreateResponse",
                                f"<x:ResourceCreated><a:ReferenceParameters><w:SelectorSet><w:Selector Name=\"ShellId\">"
                                f"{identity}</w:Selector></w:SelectorSet></a:ReferenceParameters></x:ResourceCreated>"
                                f"<rsp:Shell><rsp:ShellId>{identity}</rsp:ShellId></rsp:Shell>")
    if identity not in known:
        raise double.Fault(double.UNEXPECTED_SELECTORS)
    if action == "Command":
        line = body.find("rsp:CommandLine", ns)
        words = [line.findtext("rsp:Command", "", ns)] + [each.text or "" for each in line.findall("rsp:Arguments", ns)]
        command = str(uuid.uuid4()).upper()
        known[identity].commands[command] = run(unescape(" ".join(words)), service.options.engine)
        return service.envelope(request, ns["rsp"] + "/CommandResponse",
                                f"<rsp:CommandResponse><rsp:CommandId>{command}</rsp:CommandId></rsp:CommandResponse>")
    if action == "Receive":
        command = body.find("rsp:Receive/rsp:DesiredStream", ns).get("CommandId")
        done = known[identity].commands[command]
        streams = "".join(f'<rsp:Stream Name="{name}" CommandId="{command}">{base64.b64encode(data).decode()}</rsp:Stream>'
                          f'<rsp:Stream Name="{name}" CommandId="{command}" End="true"></rsp:Stream>'
                          for name, data in (("stdout", done.stdout), ("stderr", done.stderr)))
        return service.envelope(request, ns["rsp"] + "/ReceiveResponse",
                                f"<rsp:ReceiveResponse>{streams}<rsp:CommandState CommandId=\"{command}\" "
                                f"State=\"{ns['rsp']}/CommandState/Done\"><rsp:ExitCode>{done.returncode}</rsp:ExitCode>"
                                f"</rsp:CommandState></rsp:ReceiveResponse>")
    if action == "Delete":
        del known[identity]
    return service.envelope(request, f"{ns['rsp']}/{action}Response", f"<rsp:{action}Response/>")
