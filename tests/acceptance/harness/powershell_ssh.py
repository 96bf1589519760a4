"""A target with PowerShell over ssh: a real sshd whose commands go to the engine of tests/lab/pwsh, as OpenSSH for Windows
passes them to the login shell."""
import json
import re

from .windows import powershell

# What Windows has on its PATH, and the tests need. `ruby.exe -S FILE` and so on run the file with sh.
PROGRAMS = {
    "powershell.exe": "exec \"$ENGINE\" \"$@\"\n", "ruby.exe": "shift; exec sh \"$@\"\n",
    "cmd.exe": "shift; eval exec sh \"$@\"\n", "puppet.bat": "shift; exec sh \"$@\"\n",
}
PUPPET = {"ruby.exe": "exec ruby \"$@\"\n"}  # as Puppet brings it
NO_PUPPET = {"ruby.exe": None}


class Windows:
    """`temporary`: where the target's temporary files are. A server with one target; options go to its section ssh. Without
    `forced` sh reads the lines, as cmd does on Windows: sshd passes no signal to a command that it forces. `subsystem`: the
    server has PowerShell's own, which that engine serves or, where it is a text, another program; it wants no `forced`. `whole`:
    see powershell()."""

    def __init__(self, b, login_shell="powershell", name="web", programs=None, forced=True, subsystem=False, limits="", whole=False,
                 **options):
        program = powershell(whole)
        self.b = b
        self.folder = b.folder / "windows"
        (self.folder / "bin").mkdir(parents=True)
        for each, text in {**PROGRAMS, **(programs or {})}.items():
            if text is not None:
                self.program(each, text)
        self.temporary = self.folder / "temp"
        self.temporary.mkdir()
        reader = f"'{program}' -c" if login_shell == "powershell" else "/bin/sh -c"
        script = b.write("forced", f"""#!/bin/sh
export PATH='{self.folder}/bin':$PATH ENGINE='{program}' TMPDIR='{self.temporary}' PSModulePath='{self.folder}/modules' SystemRoot='{self.folder}'
echo "$SSH_ORIGINAL_COMMAND" >>'{b.folder}/lines'
exec {reader} "$SSH_ORIGINAL_COMMAND"
""", 0o755)
        if login_shell == "powershell":
            options["login-shell"] = "powershell"
        paths = f"SetEnv PATH={self.folder}/bin:/usr/bin:/bin ENGINE={program} TMPDIR={self.temporary}"
        if subsystem:
            paths += f"\nSubsystem powershell {subsystem if isinstance(subsystem, str) else f'{program} -sshs -NoLogo'}"
            options["powershell-subsystem"] = True
        self.server = b.sshd(f"{limits}\n" + (f"ForceCommand {script}" if forced else paths))
        b.ssh_inventory(self.server, names=(name,), **options)
        if login_shell != "powershell":
            inventory = json.loads((b.project / "inventory.yaml").read_text())
            inventory["targets"][0]["features"] = ["powershell"]
            b.inventory(json.dumps(inventory))

    def program(self, name, text):
        """A program on the target's PATH, in sh."""
        self.b.write(f"windows/bin/{name}", "#!/bin/sh\n" + text, 0o755)

    def cmdlet(self, name, text):
        """A command of PowerShell that only Windows has; `text`: the body of its function."""
        self.b.write(f"windows/modules/{name}/{name}.psm1", f"function {name} {{\n{text}\n}}\n")

    def started(self):
        """What the sessions of the server have been so far: `subsystem`, `command`, or `refused` for a subsystem."""
        found = re.findall("Starting session: (subsystem|command)|subsystem request .* (failed), subsystem not found",
                           self.server.log)
        return [kind or "refused" for kind, _ in found]

    def lines(self):
        """The command lines so far."""
        return (self.b.folder / "lines").read_text()


def windows(b, *arguments, **options):
    """The folder for temporary files of a target `web`."""
    return Windows(b, *arguments, **options).temporary
