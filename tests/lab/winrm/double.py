#!/usr/bin/python3
"""A WS-Management server for tests: what Windows' WinRM service is to a client. Listens on 127.0.0.1 and prints its port.

    double.py [--tls CERTIFICATE KEY [--client-ca FILE]] [--basic | --kerberos] [--user NAME --password TEXT] [--engine canned | PROGRAM ...]

The engine is a real PowerShell (PROGRAM in its server mode gets the fragments untouched), or canned: a few statements, see
psrp.py. The login is NTLM (python3-gssapi with gss-ntlmssp) unless --basic or --kerberos (with the keytab of KRB5_KTNAME)
say differently, and without TLS messages must be encrypted. With --client-ca it is a certificate of that authority. Standard error has a line for each request.

Faults on demand are the words of --fault: gone-shell, passing-create, cut-command, plain-answer, wrong-signature; and those of
--at WHERE:WHAT. WHERE is the number of a request (1 is the first login), or an action (login, Create, Command, Receive,
Signal, Delete); it is done once, with a `*` after it always. WHAT is
    cut, reset, hold    instead of doing what is asked, end the connection, end it with an error, or say nothing more
    lose                do it and end the connection without an answer
    header, body        do it and end the connection within the answer's header or body
    late                do it and answer after --late seconds
    garbage, foreign    answer with something that is not XML, or with an answer to another request
    length, huge, short, order, begin, base64   a Receive answers with a fragment whose header has another length, the largest
                        there is, that is cut short, has another number or no beginning, or is not base64
    http-N, fault-N     refuse with an HTTP status or with a fault of that number"""
import argparse
import base64
import http.server
import os
import queue
import re
import socket
import socketserver
import ssl
import struct
import sys
import tempfile
import threading
import time
import uuid
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import psrp  # noqa: E402
import winrs  # noqa: E402

USERS = "volley-winrm-users-"
NS = {"s": "http://www.w3.org/2003/05/soap-envelope", "a": "http://schemas.xmlsoap.org/ws/2004/08/addressing",
      "w": "http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd", "p": "http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd",
      "rsp": "http://schemas.microsoft.com/wbem/wsman/1/windows/shell", "x": "http://schemas.xmlsoap.org/ws/2004/09/transfer",
      "ps": "http://schemas.microsoft.com/powershell"}
KNOWN_HEADERS = {"Action", "To", "ReplyTo", "MessageID", "ResourceURI", "SelectorSet", "OptionSet", "MaxEnvelopeSize",
                 "OperationTimeout", "Locale", "DataLocale", "SessionId"}
MUTUAL = "http://schemas.dmtf.org/wbem/wsman/1/wsman/secprofile/https/mutual"
TIMED_OUT, UNEXPECTED_SELECTORS, MAX_SHELLS = 2150858793, 2150858843, 2150859173


class Fault(Exception):
    def __init__(self, code, subcode="w:InternalError", text="the double refuses"):
        super().__init__(text)
        self.code, self.subcode, self.text = code, subcode, text


def duration(text):
    """Seconds of an xs:duration (XML Schema 2, 3.2.6); those with years or months have no certain length, and are refused."""
    found = re.fullmatch(r"P(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", text)
    if not found or text == "P":
        raise ValueError(text)
    return sum(float(number or 0) * unit for number, unit in zip(found.groups(), (86400, 3600, 60, 1)))


class Shells:
    """What the service keeps, whichever connection asks for it."""

    def __init__(self, options):
        self.options, self.known, self.faults = options, {}, list(options.fault)
        self.lock, self.planned, self.requests = threading.Lock(), list(options.at), 0

    def at(self, *places):
        """What is to go wrong with a request that is at these places."""
        with self.lock:
            for each in self.planned:
                where, _, what = each.partition(":")
                if where.rstrip("*") in places:
                    if not where.endswith("*"):
                        self.planned.remove(each)
                    return what
        return ""

    def count(self):
        with self.lock:
            self.requests += 1
            return str(self.requests)

    def fault(self, name):
        if name in self.faults:
            self.faults.remove(name)
            return True
        return False

    def find(self, identity):
        if identity not in self.known:
            raise Fault(UNEXPECTED_SELECTORS, "w:InvalidSelectors", "The shell was not found on the server.")
        return self.known[identity]


def spoiled(fragment, what):
    """A fragment of PSRP with a mistake in it."""
    number, index, flags, length = struct.unpack(">QQBI", fragment[:21])
    changed = {"length": (number, index, flags, length + 1000), "huge": (number, index, flags, 0xFFFFFFFF),
               "order": (number, index + 5, flags, length), "begin": (number, index, flags & ~1, length)}
    if what in changed:
        return struct.pack(">QQBI", *changed[what]) + fragment[21:]
    return fragment[:-3] if what == "short" else fragment


class PowerShellShell:
    def __init__(self, options, fragments):
        self.canned = options.engine == ["canned"]
        self.pool = (psrp.CannedPool(fragments, options.piece) if self.canned
                     else psrp.OutOfProcessPool(options.engine, fragments))
        self.waiting = {}  # output of others than those who ask now
        self.ended = set()  # commands whose last output was taken
        self.commands = 0

    def command(self, identity, fragment):
        if self.canned:
            self.pool.feed(fragment)
        else:
            self.pool.command(identity, fragment)

    def send(self, identity, stream, data):
        if self.canned:
            self.pool.feed(data)
        else:
            self.pool.feed(data, uuid.UUID(identity), "PromptResponse" if stream == "pr" else "Default")

    def receive(self, identity, seconds, space):
        """What there is for this command, or for the pool, and fits, waiting at most so long for the first piece."""
        if identity in self.ended:
            raise Fault(UNEXPECTED_SELECTORS, "w:InvalidSelectors", "The command was not found on the server.")
        found = self.waiting.pop(identity, [])
        while sum(map(len, found)) * 4 // 3 < space:
            try:
                whose, data = self.pool.output.get(timeout=0.02 if found else seconds)
            except queue.Empty:
                break
            if whose == identity:
                found.append(data)
            else:
                self.waiting.setdefault(whose, []).append(data)
        fitting = 1
        while fitting < len(found) and sum(map(len, found[:fitting + 1])) * 4 // 3 < space:
            fitting += 1
        if found[fitting:]:
            self.waiting[identity] = found[fitting:]
        if any(psrp.ends_pipeline(each) for each in found[:fitting]):
            self.ended.add(identity)
        return found[:fitting]

    def signal(self, identity, code):
        if code.endswith("crtl_c") or self.canned:
            self.pool.stop(identity)
        else:
            self.pool.end_command(identity)

    def close(self):
        self.pool.close()


class Service(http.server.BaseHTTPRequestHandler):
    """One connection, with its security context."""
    protocol_version = "HTTP/1.1"
    context = None
    logged_in = False
    seal_protocol = "application/HTTP-SPNEGO-session-encrypted"
    what = ""

    def setup(self):
        super().setup()
        if not self.server.options.tls and self.connection.recv(1, socket.MSG_PEEK) == b"\x16":
            self.wfile.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")  # TLS, as http.sys answers it
            self.connection.shutdown(socket.SHUT_RDWR)
        self.options, self.shells = self.server.options, self.server.shells

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        if self.what == "late":
            time.sleep(self.options.late)
        if self.what == "garbage":
            body = b"<html>not XML & not WS-Management"
        if self.what in ("cut", "reset", "hold", "lose", "header", "body"):
            return self.break_off(body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def break_off(self, body=b""):
        """Ends the connection at the chosen point of the answer, or never says anything."""
        self.close_connection = True
        if self.what == "hold":
            threading.Event().wait()
        if self.what == "header":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Ty")
        if self.what == "body":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(body) + 1000) + body[:len(body) // 2])
        self.wfile.flush()
        if self.what == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        number = self.shells.count()
        self.what = self.shells.at(number, "login" if self.headers.get("Authorization") else number)
        if self.what in ("cut", "reset", "hold"):
            return self.break_off()
        if self.what.startswith("http-"):
            return self.answer(int(self.what[5:]))
        if self.path != "/wsman":
            return self.answer(404)
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme == "Basic" and self.options.basic:
            wanted = f"{self.options.user}:{self.options.password}"
            self.logged_in = base64.b64decode(token).decode() == wanted
        elif (scheme == "Negotiate" and not self.options.basic) or (scheme == "Kerberos" and self.options.kerberos):
            if scheme == "Kerberos":
                self.seal_protocol = "application/HTTP-Kerberos-session-encrypted"
            return self.negotiate(scheme, base64.b64decode(token), body)
        elif self.options.client_ca:
            self.logged_in = scheme == MUTUAL and bool(self.connection.getpeercert())
        if not self.logged_in:
            return self.refuse()
        kind = self.headers.get("Content-Type", "")
        if kind.startswith("multipart/encrypted"):
            text = self.unseal(body)
            return self.answer(400) if text is None else self.serve(text, True)
        if not self.options.tls and not self.options.basic:
            return self.answer(500)  # AllowUnencrypted is false
        return self.serve(body, False)

    def refuse(self):
        offered = MUTUAL if self.options.client_ca else 'Basic realm="WSMAN"' if self.options.basic else "Negotiate, Kerberos" if self.options.kerberos else "Negotiate"
        self.answer(401, WWW_Authenticate=offered)

    def negotiate(self, scheme, token, body):
        import gssapi
        if self.context is None:
            ntlm, kerberos, spnego = (gssapi.OID.from_int_seq(number) for number in (
                "1.3.6.1.4.1.311.2.2.10", "1.2.840.113554.1.2.2", "1.3.6.1.5.5.2"))
            mechanisms = [kerberos, spnego] if self.options.kerberos else [ntlm]
            credentials = gssapi.Credentials(usage="accept", mechs=mechanisms)
            bindings = None
            if self.options.binding:
                bindings = gssapi.raw.ChannelBindings(application_data=self.options.binding)
            self.context = gssapi.SecurityContext(usage="accept", creds=credentials, channel_bindings=bindings)
        reply = b""
        try:
            reply = self.context.step(token)
            complete = self.context.complete  # raises what step() had to say beside its answer
        except gssapi.exceptions.GSSError as error:
            print("login refused:", error, file=sys.stderr, flush=True)
            self.context = None
            if not reply:
                return self.refuse()
            complete = False
        proof = {"WWW_Authenticate": f"{scheme} " + base64.b64encode(reply).decode()} if reply else {}
        if not complete:
            return self.answer(401, **proof)
        self.logged_in = True
        if body and self.options.tls:  # some clients log in with the first request
            return self.serve(body, False)
        return self.answer(200, **proof)

    def unseal(self, body):
        protocol = re.escape(self.seal_protocol).encode()
        found = re.match(rb"--Encrypted Boundary\r\n\t?Content-Type: " + protocol + rb"\r\n\t?"
                         rb"OriginalContent: type=application/soap\+xml;charset=UTF-8;Length=(\d+)\r\n"
                         rb"--Encrypted Boundary\r\n\t?Content-Type: application/octet-stream\r\n", body)
        if not found or not body.endswith(b"--Encrypted Boundary--\r\n") or self.context is None:
            return None
        data = body[found.end():-len(b"--Encrypted Boundary--\r\n")]
        size = int.from_bytes(data[:4], "little")
        try:
            text = self.context.unwrap(data[4:]).message
        except Exception as error:  # a signature of another connection
            print("cannot decrypt:", error, file=sys.stderr, flush=True)
            return None
        right_size = size < 100 if self.options.kerberos else size == 16
        return text if right_size and len(text) == int(found[1]) else None

    def seal(self, text):
        sealed = self.context.wrap(text, True).message
        signature = len(sealed) - len(text)
        if self.shells.fault("wrong-signature"):
            sealed = sealed[:5] + bytes([sealed[5] ^ 1]) + sealed[6:]
        return (b"--Encrypted Boundary\r\n\tContent-Type: " + self.seal_protocol.encode() + b"\r\n"
                b"\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=" + str(len(text)).encode() +
                b"\r\n--Encrypted Boundary\r\n\tContent-Type: application/octet-stream\r\n" +
                signature.to_bytes(4, "little") + sealed + b"--Encrypted Boundary--\r\n")

    def serve(self, text, sealed):
        status, answer = 200, ""
        try:
            request = ElementTree.fromstring(text)
            answer = self.dispatch(request)
        except Fault as fault:
            status, answer = 500, self.fault_envelope(request, fault)
        if self.what.startswith("http-"):
            return self.answer(int(self.what[5:]))
        if answer is None:  # the connection ends here
            self.break_off()
            self.close_connection = True
            return None
        body = answer.encode()
        if sealed and not self.shells.fault("plain-answer"):
            kind = f'multipart/encrypted;protocol="{self.seal_protocol}";boundary="Encrypted Boundary"'
            return self.answer(status, self.seal(body), Content_Type=kind)
        return self.answer(status, body, Content_Type="application/soap+xml;charset=UTF-8")

    def envelope(self, request, action, body):
        declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NS.items())
        relates = "uuid:0" if self.what == "foreign" else request.findtext("s:Header/a:MessageID", "", NS)
        return (f'<s:Envelope xml:lang="en-US" {declared}><s:Header><a:Action>{action}</a:Action>'
                f"<a:MessageID>uuid:{str(uuid.uuid4()).upper()}</a:MessageID><p:ActivityId>11111111-2222-3333-4444-555555555555"
                f"</p:ActivityId><a:To>{NS['a']}/role/anonymous</a:To><a:RelatesTo>{relates}</a:RelatesTo></s:Header>"
                f"<s:Body>{body}</s:Body></s:Envelope>")

    def fault_envelope(self, request, fault):
        wsman = "http://schemas.microsoft.com/wbem/wsman/1/wsmanfault"
        return self.envelope(request, "http://schemas.dmtf.org/wbem/wsman/1/wsman/fault",
                             f"<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value>{fault.subcode}</s:Value>"
                             f'</s:Subcode></s:Code><s:Reason><s:Text xml:lang="">{escape(fault.text)}</s:Text></s:Reason>'
                             f'<s:Detail><f:WSManFault xmlns:f="{wsman}" Code="{fault.code}" Machine="127.0.0.1"><f:Message>'
                             f"{escape(fault.text)}</f:Message></f:WSManFault></s:Detail></s:Fault>")

    def dispatch(self, request):
        header = request.find("s:Header", NS)
        for each in header:
            must = each.get(f"{{{NS['s']}}}mustUnderstand")
            if must == "true" and each.tag.split("}")[1] not in KNOWN_HEADERS:
                raise Fault(2150858768, "s:MustUnderstand")
        if not header.findtext("a:MessageID", "", NS).startswith("uuid:"):
            raise Fault(2150858767, "a:InvalidMessageInformationHeader")
        try:
            seconds = duration(header.findtext("w:OperationTimeout", "PT60S", NS))
        except ValueError as error:
            raise Fault(2150858767, "a:InvalidMessageInformationHeader") from error
        action = header.findtext("a:Action", "", NS).rsplit("/", 1)[1]
        resource = header.findtext("w:ResourceURI", "", NS)
        print(action, file=sys.stderr, flush=True)
        self.what = self.what or self.shells.at(action)
        if self.what in ("cut", "reset", "hold") or self.what.startswith("http-"):
            return None
        if self.what.startswith("fault-"):
            raise Fault(int(self.what[6:], 0), "w:QuotaLimit" if self.what == "fault-0" else "w:InternalError")
        if resource == NS["rsp"] + "/cmd":
            return winrs.dispatch(self, request, action)
        if resource != NS["ps"] + "/Microsoft.PowerShell":
            raise Fault(2150858811, "w:InvalidResourceURI")
        identity = header.findtext("w:SelectorSet/w:Selector[@Name='ShellId']", "", NS)
        body = request.find("s:Body", NS)
        step = getattr(self, "on_" + action.lower())
        return step(request, body, identity, min(seconds, self.options.hold))

    def on_create(self, request, body, _, __):
        if self.shells.fault("passing-create"):
            raise Fault(MAX_SHELLS, "w:QuotaLimit", "The maximum number of concurrent shells has been exceeded.")
        option = request.find("s:Header/w:OptionSet/w:Option[@Name='protocolversion']", NS)
        if option is None or option.get("MustComply") != "true":
            raise Fault(0x80540BC7)
        shell = body.find("rsp:Shell", NS)
        identity = shell.get("ShellId")
        fragments = base64.b64decode(shell.findtext("ps:creationXml", "", NS))
        self.shells.known[identity] = PowerShellShell(self.options, fragments)
        return self.envelope(request, NS["x"] + "/CreateResponse",
                             f"<x:ResourceCreated><a:Address>http://127.0.0.1/wsman</a:Address><a:ReferenceParameters>"
                             f"<w:ResourceURI>{NS['ps']}/Microsoft.PowerShell</w:ResourceURI><w:SelectorSet>"
                             f'<w:Selector Name="ShellId">{identity}</w:Selector></w:SelectorSet></a:ReferenceParameters>'
                             f"</x:ResourceCreated><rsp:Shell><rsp:ShellId>{identity}</rsp:ShellId></rsp:Shell>")

    def on_command(self, request, body, identity, _):
        line = body.find("rsp:CommandLine", NS)
        shell = self.shells.find(identity)
        if shell.commands > 0 and self.shells.fault("gone-shell"):
            self.shells.known.pop(identity).close()
        shell = self.shells.find(identity)
        shell.commands += 1
        if self.shells.fault("cut-command"):
            return None
        shell.command(line.get("CommandId"), base64.b64decode(line.findtext("rsp:Arguments", "", NS)))
        return self.envelope(request, NS["rsp"] + "/CommandResponse",
                             f"<rsp:CommandResponse><rsp:CommandId>{line.get('CommandId')}</rsp:CommandId></rsp:CommandResponse>")

    def on_send(self, request, body, identity, _):
        for stream in body.findall("rsp:Send/rsp:Stream", NS):
            self.shells.find(identity).send(stream.get("CommandId"), stream.get("Name"), base64.b64decode(stream.text))
        return self.envelope(request, NS["rsp"] + "/SendResponse", "<rsp:SendResponse/>")

    def on_receive(self, request, body, identity, seconds):
        command = body.find("rsp:Receive/rsp:DesiredStream", NS).get("CommandId")
        longest = int(request.findtext("s:Header/w:MaxEnvelopeSize", "153600", NS))
        found = self.shells.find(identity).receive(command, seconds, longest - 8192)
        if not found:
            raise Fault(TIMED_OUT, "w:TimedOut", "The WS-Management service cannot complete the operation within the time.")
        of = f' CommandId="{command}"' if command else ""
        found[0] = spoiled(found[0], self.what)
        streams = "".join(f'<rsp:Stream Name="stdout"{of}>{base64.b64encode(each).decode()}</rsp:Stream>' for each in found)
        if self.what == "base64":
            streams = streams.replace("</", "*</")
        state = "Done" if command in self.shells.find(identity).ended else "Running"
        state = f'<rsp:CommandState{of} State="{NS["rsp"]}/CommandState/{state}"/>' if command else ""
        return self.envelope(request, NS["rsp"] + "/ReceiveResponse",
                             f"<rsp:ReceiveResponse>{streams}{state}</rsp:ReceiveResponse>")

    def on_signal(self, request, body, identity, _):
        signal = body.find("rsp:Signal", NS)
        code = signal.findtext("rsp:Code", "", NS)
        print("  " + code.rsplit("/", 1)[1], file=sys.stderr, flush=True)
        self.shells.find(identity).signal(signal.get("CommandId"), code)
        return self.envelope(request, NS["rsp"] + "/SignalResponse", "<rsp:SignalResponse/>")

    def on_delete(self, request, _, identity, __):
        self.shells.find(identity).close()
        del self.shells.known[identity]
        return self.envelope(request, NS["x"] + "/DeleteResponse", "")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, _, client):
        print("connection ended:", repr(sys.exc_info()[1]), file=sys.stderr, flush=True)


def end_with_our_parent():
    """Nobody needs the double when the test that holds the other end of standard input is gone."""
    while sys.stdin.buffer.read(1):
        pass
    remove_users()
    os._exit(0)


def remove_users():
    """The file of users and passwords that NTLM needs."""
    name = os.environ.pop("NTLM_USER_FILE", "")
    if os.path.basename(name).startswith(USERS):
        os.unlink(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
    parser.add_argument("--client-ca", metavar="FILE")
    parser.add_argument("--basic", action="store_true")
    parser.add_argument("--kerberos", action="store_true")
    parser.add_argument("--at", action="append", default=[], metavar="WHERE:WHAT")
    parser.add_argument("--late", type=float, default=1, help="seconds that a late answer takes")
    parser.add_argument("--user", default="admin")
    parser.add_argument("--password", default="secret word")
    parser.add_argument("--domain", default="")
    parser.add_argument("--hold", type=float, default=5, help="seconds that a Receive is held at most")
    parser.add_argument("--piece", type=int, default=32747, help="bytes of a message in one fragment of the server's")
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--strict-binding", action="store_true", help="accept logins bound to this TLS connection only")
    parser.add_argument("--engine", nargs="+", default=["canned"])
    options = parser.parse_args()
    options.binding = None
    server = Server(("127.0.0.1", 0), Service)
    server.options, server.shells = options, Shells(options)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        if options.client_ca:
            context.verify_mode = ssl.CERT_OPTIONAL
            context.load_verify_locations(options.client_ca)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        if options.strict_binding:
            import hashlib
            with open(options.tls[0], encoding="ascii") as file:
                der = ssl.PEM_cert_to_DER_cert(file.read())
            options.binding = b"tls-server-end-point:" + hashlib.sha256(der).digest()
    if not options.basic and not options.kerberos:
        users = tempfile.NamedTemporaryFile("w", prefix=USERS, delete=False)
        users.write(f"{options.domain}:{options.user}:{options.password}\n")
        users.close()
        os.environ["NTLM_USER_FILE"] = users.name
    threading.Thread(target=end_with_our_parent, daemon=True).start()
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
