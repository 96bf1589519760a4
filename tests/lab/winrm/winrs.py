"""The other shell of the double: commands of cmd.exe (winrs), which Debian's python3-winrm runs. Here they are commands of
/bin/sh."""
import base64
import subprocess
import uuid

from xml.sax.saxutils import unescape


class CommandShell:
    def __init__(self):
        self.commands = {}

    def close(self):
        pass


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
        done = subprocess.run(["/bin/sh", "-c", unescape(" ".join(words))], capture_output=True, check=False)
        command = str(uuid.uuid4()).upper()
        known[identity].commands[command] = done
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
