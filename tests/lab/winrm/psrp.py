"""The server's side of PowerShell remoting (MS-PSRP), what the double needs of it: fragments, messages, and an engine
that knows a handful of statements. Written apart from Volley's own reader, from the protocol's document."""
import base64
import os
import queue
import re
import signal
import struct
import subprocess
import threading
import uuid
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

SESSION_CAPABILITY, INIT_POOL = 0x00010002, 0x00010004
POOL_STATE, CREATE_PIPELINE, PRIVATE_DATA = 0x00021005, 0x00021006, 0x00021009
INPUT, INPUT_END, OUTPUT, ERROR, STATE = 0x00041002, 0x00041003, 0x00041004, 0x00041005, 0x00041006
HOST_CALL, HOST_RESPONSE = 0x00041100, 0x00041101
CALLS = {"Write-Debug": (19, "WriteDebugLine"), "Write-Verbose": (21, "WriteVerboseLine"),
         "Write-Warning": (22, "WriteWarningLine")}
NO_PIPELINE = uuid.UUID(int=0)


class Fragments:
    """Joins and cuts; `piece` is how much of a message one fragment has."""

    def __init__(self, piece=32747):
        self.piece, self.next_object, self.parts = piece, 1, {}

    def join(self, data):
        messages = []
        while data:
            number, index, flags, length = struct.unpack(">QQBI", data[:21])
            part = data[21:21 + length]
            assert len(part) == length and length > 0, "a fragment is cut short or empty"
            assert (flags & 1) == (index == 0), "the start flag is wrong"
            self.parts.setdefault(number, []).append(part)
            assert len(self.parts[number]) == index + 1, "fragments are out of order"
            if flags & 2:
                messages.append(b"".join(self.parts.pop(number)))
            data = data[21 + length:]
        return messages

    def cut(self, message):
        number, self.next_object = self.next_object, self.next_object + 1
        blobs = [message[at:at + self.piece] for at in range(0, len(message), self.piece)]
        return [struct.pack(">QQBI", number, index, (index == 0) | (index == len(blobs) - 1) << 1, len(blob)) + blob
                for index, blob in enumerate(blobs)]


def ends_pipeline(fragment):
    """Whether this is (the beginning of) the message with a pipeline's last state."""
    return bool(fragment[16] & 1) and struct.unpack("<I", fragment[25:29])[0] == STATE


def clixml_text(text):
    encoded = text.encode("utf-16-le", "surrogatepass")
    units = struct.unpack(f"<{len(encoded) // 2}H", encoded)
    plain = [chr(unit) if 0x20 <= unit < 0x7F or 0xA0 <= unit < 0xD800 or 0xE000 <= unit < 0xFFFE else unit
             for unit in units]
    joined = "".join(each if isinstance(each, str) else f"\0{each:04X}" for each in plain)
    joined = re.sub("_(?=[xX])", "_x005F_", joined)
    return escape(re.sub("\0(....)", r"_x\1_", joined))


def clixml_read(text):
    units = re.sub(r"_[xX]([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text or "")
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def string(text):
    return f"<S>{clixml_text(text)}</S>"


def error_record(message, identity):
    return ("<Obj RefId='0'><TN RefId='0'><T>System.Management.Automation.ErrorRecord</T><T>System.Object</T></TN>"
            f"<ToString>{clixml_text(message)}</ToString><MS><Obj N='Exception' RefId='1'><Props>"
            f"<S N='Message'>{clixml_text(message)}</S></Props></Obj><S N='FullyQualifiedErrorId'>{identity}</S>"
            "<Obj N='InvocationInfo' RefId='2'><Props><S N='Line'>the line</S><S N='MyCommand'>native.exe</S>"
            "<S N='PositionMessage'>At line:1 char:1</S></Props></Obj>"
            "<S N='ErrorCategory_Message'>OperationStopped: (x:String) [], RuntimeException</S></MS></Obj>")


class CannedPool:
    """A pool whose pipelines understand single statements, one a line: 'text', exit N, throw 'text', Write-Error 'text',
    Write-Host, Write-Warning, Write-Verbose, Write-Debug 'text', native 'text' (of a program's stderr), big N,
    lines N, lone (half a character), Read-Host, $input, $args, hang. Output is a queue of (pipeline or None, fragment)."""

    def __init__(self, data, piece=32747):
        self.fragments, self.output, self.pipelines = Fragments(piece), queue.Queue(), {}
        self.pool = None
        self.feed(data)

    def send(self, pipeline, kind, text):
        data = text if isinstance(text, bytes) else b"\xef\xbb\xbf" + text.encode()
        message = struct.pack("<II", 1, kind) + self.pool.bytes_le + pipeline.bytes_le + data
        for fragment in self.fragments.cut(message):
            self.output.put((None if pipeline == NO_PIPELINE else str(pipeline).upper(), fragment))

    def feed(self, data):
        for message in self.fragments.join(data):
            destination, kind = struct.unpack("<II", message[:8])
            assert destination == 2, "a message is not for the server"
            self.pool = uuid.UUID(bytes_le=message[8:24])
            self.on_message(uuid.UUID(bytes_le=message[24:40]), kind, message[40:])

    def on_message(self, pipeline, kind, data):
        if kind == INIT_POOL:
            ElementTree.fromstring(data)
            self.send(NO_PIPELINE, SESSION_CAPABILITY, "<Obj RefId='0'><MS><Version N='protocolversion'>2.3</Version>"
                      "<Version N='PSVersion'>2.0</Version><Version N='SerializationVersion'>1.1.0.1</Version></MS></Obj>")
            self.send(NO_PIPELINE, PRIVATE_DATA,
                      "<Obj RefId='0'><MS><Obj N='ApplicationPrivateData' RefId='1'><DCT><En><S N='Key'>PSVersionTable"
                      "</S><Obj N='Value' RefId='2'><DCT><En><S N='Key'>PSVersion</S><Version N='Value'>5.1.17763.1"
                      "</Version></En></DCT></Obj></En></DCT></Obj></MS></Obj>")
            self.send(NO_PIPELINE, POOL_STATE, "<Obj RefId='0'><MS><I32 N='RunspaceState'>2</I32></MS></Obj>")
        elif kind == CREATE_PIPELINE:
            self.pipelines[pipeline] = CannedPipeline(self, pipeline, ElementTree.fromstring(data))
        elif kind in (INPUT, INPUT_END, HOST_RESPONSE) and pipeline in self.pipelines:
            self.pipelines[pipeline].messages.put((kind, data))

    def stop(self, pipeline):
        found = self.pipelines.get(uuid.UUID(pipeline))
        if found:
            found.messages.put((None, b""))

    def close(self):
        for each in self.pipelines.values():
            each.messages.put((None, b""))


class CannedPipeline:
    def __init__(self, pool, identity, created):
        self.pool, self.identity, self.messages = pool, identity, queue.Queue()
        commands = created.find(".//Obj[@N='Cmds']/LST")
        first = commands[0]
        self.values = [clixml_read(value.text) for value in first.findall(".//Obj[@N='Args']/LST/Obj/MS/S[@N='V']")]
        script = clixml_read(first.find(".//S[@N='Cmd']").text)
        self.script = self.values[0] if script == "Invoke-Expression" else script
        self.lines = len(commands) > 1
        threading.Thread(target=self.run, daemon=True).start()

    def say(self, kind, text):
        self.pool.send(self.identity, kind, text)

    def host_call(self, number, method, name, *values):
        items = "".join(values)
        self.say(HOST_CALL, f"<Obj RefId='0'><MS><I64 N='ci'>{number}</I64><Obj N='mi' RefId='1'><TN RefId='0'>"
                 "<T>System.Management.Automation.Remoting.RemoteHostMethodId</T><T>System.Enum</T></TN>"
                 f"<ToString>{name}</ToString><I32>{method}</I32></Obj><Obj N='mp' RefId='2'><TN RefId='1'>"
                 f"<T>System.Collections.ArrayList</T></TN><LST>{items}</LST></Obj></MS></Obj>")

    def state(self, number, record=""):
        self.say(STATE, f"<Obj RefId='9'><MS><I32 N='PipelineState'>{number}</I32>{record}</MS></Obj>")

    def run(self):
        for line in self.script.splitlines():
            line = line.strip()
            word, _, rest = line.partition(" ")
            text = rest.strip("'")
            if line.startswith("'"):
                self.say(OUTPUT, string(line.strip("'")))
            elif word == "exit":
                self.host_call(-100, 6, "SetShouldExit", f"<I32>{rest}</I32>")
                break
            elif word == "throw":
                record = error_record(text, text).replace("<Obj RefId", "<Obj N='ExceptionAsErrorRecord' RefId", 1)
                return self.state(5, record)
            elif word == "Write-Error":
                self.say(ERROR, error_record(text, "Microsoft.PowerShell.Commands.WriteErrorException"))
            elif word == "Write-Host":
                self.host_call(-100, 16, "WriteLine2", string(text))
            elif word in CALLS:
                number, name = CALLS[word]
                self.host_call(-100, number, name, string(text))
            elif word == "native":
                self.say(ERROR, error_record(text, "NativeCommandErrorMessage"))
            elif word == "lines":
                for number in range(int(rest)):
                    self.say(OUTPUT, string(f"line {number}"))
            elif word == "lone":
                self.say(OUTPUT, "<S>a_xD83D_b \N{EURO SIGN}_x0007_</S>")
            elif word == "Read-Host":
                self.host_call(1, 11, "ReadLine")
                kind, data = self.messages.get()
                if kind is None:
                    return self.state(3)
                message = ElementTree.fromstring(data).find(".//Obj[@N='me']/ToString")
                self.say(ERROR, error_record(message.text, "HostCallNotSupported"))
            elif word == "$args":
                for value in self.values:
                    self.say(OUTPUT, string(value))
            elif word == "$input":
                while True:
                    kind, data = self.messages.get()
                    if kind is None:
                        return self.state(3)
                    if kind == INPUT_END:
                        break
                    content = ElementTree.fromstring(data)
                    assert content.tag == "BA", "input is not a byte array"
                    self.say(OUTPUT, f"<BA>{content.text or ''}</BA>")
            elif word == "big":
                self.say(OUTPUT, string("x" * int(rest)))
            elif word == "hang":
                self.messages.get()
                return self.state(3)
        self.state(4)


class OutOfProcessPool:
    """A real PowerShell in its server mode, `pwsh -s`: fragments are passed on untouched, so it judges every byte."""

    def __init__(self, program, data):
        self.output, self.closed = queue.Queue(), False
        self.acks = {}
        self.taken = threading.Semaphore(0)
        self.process = subprocess.Popen([*program, "-s", "-nologo", "-noprofile"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, start_new_session=True)
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()
        self.feed(data)

    def write(self, packet):
        with self.lock:
            self.process.stdin.write(packet.encode() + b"\n")
            self.process.stdin.flush()

    def read(self):
        for line in self.process.stdout:
            packet = ElementTree.fromstring(line)
            identity = uuid.UUID(packet.get("PSGuid"))
            if packet.tag == "Data":
                where = None if identity == NO_PIPELINE else str(identity).upper()
                self.output.put((where, base64.b64decode(packet.text)))
            elif packet.tag == "CommandAck":
                self.acks[identity].set()
            elif packet.tag == "DataAck":
                self.taken.release()

    def feed(self, data, pipeline=NO_PIPELINE, stream="Default"):
        self.write(f"<Data Stream='{stream}' PSGuid='{pipeline}'>{base64.b64encode(data).decode()}</Data>")
        # The next piece is for something that this one may only now create.
        assert self.taken.acquire(timeout=60), "PowerShell did not take the data"

    def command(self, pipeline, data):
        identity = uuid.UUID(pipeline)
        self.acks[identity] = threading.Event()
        self.write(f"<Command PSGuid='{identity}' />")
        assert self.acks[identity].wait(60), "PowerShell did not acknowledge the command"
        self.feed(data, identity)

    def stop(self, pipeline):
        self.write(f"<Signal PSGuid='{uuid.UUID(pipeline)}' />")

    def end_command(self, pipeline):
        self.write(f"<Close PSGuid='{uuid.UUID(pipeline)}' />")

    def close(self):
        if not self.closed:
            self.closed = True
            # The group: a .NET tool is a program that starts the engine.
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
