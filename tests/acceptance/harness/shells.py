"""Real shells on a pseudo terminal, where somebody types a part of a command and presses the tab key."""
import os
import pty
import select
import shutil
import signal
import subprocess
import time

from .bench import HANGS, Skip

# Control-O prints the line as it stands.
START = {
    "bash": (["--norc", "--noprofile", "-i"],
             "PS1=; bind 'set bell-style none' 'set show-all-if-ambiguous on' 'set page-completions off'\n"
             "bind 'set completion-query-items 0' 'set enable-bracketed-paste off'\n"
             "bind -x '\"\\C-o\": printf \"\\nLINE<%s>\\n\" \"$READLINE_LINE\"'\n"),
    "zsh": (["-f", "-i"],
            "PS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; LISTMAX=1000\n"
            "setopt list_ambiguous no_beep; unsetopt auto_menu prompt_cr\n"
            "line() { print -r; print -r -- \"LINE<$BUFFER>\" }; zle -N line; bindkey '^O' line; bindkey '^I' complete-word\n"),
}


class Shell:
    """bash or zsh with the completions of this program, which is `volley` there."""

    def __init__(self, bench, name):
        if not shutil.which(name):
            raise Skip(f"{name} is not installed")
        self.bench, self.seen = bench, b""
        arguments, start = START[name]
        places = bench.folder / f"{name}-bin"
        places.mkdir(exist_ok=True)
        if not (places / "volley").exists():
            (places / "volley").symlink_to(os.path.abspath(bench.volley))
        script = bench.write(f"volley.{name}", bench.run("--completions", name, project=False).out)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(bench.project)
            os.execvpe(name, [name, *arguments], {**bench.env, "PATH": f"{places}:{bench.env['PATH']}", "TERM": "dumb",
                                                  "COLUMNS": "200", "LINES": "50", "HISTFILE": ""})
        bench.undo(self.close)
        self.type(start + f"source {script}; echo RE''ADY\n")
        self.wait_for(b"READY")

    def type(self, text):
        os.write(self.master, text.encode())

    def wait_for(self, text):
        end = time.monotonic() + HANGS
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} does not come; so far: {self.seen!r}"
            if self.master in select.select([self.master], [], [], 0.2)[0]:
                self.seen += os.read(self.master, 65536)

    def tab(self, typed):
        """What the line is after the tab key, and all that was shown."""
        self.seen = b""
        self.type(typed + "\t\x0f")
        self.wait_for(b"LINE<")
        self.wait_for(b">")
        while b">" not in self.seen.split(b"LINE<")[-1]:
            self.seen += os.read(self.master, 65536)
        shown = self.seen.decode(errors="replace").replace("\r", "")
        line = shown.split("LINE<")[-1].split(">")[0]
        # An empty line again. The shell shows the line again after control-O: it is waited for, or it would
        # stand in what the next line shows.
        self.type("\x15\x0f")
        self.wait_for(b"LINE<>")
        return line, shown

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def fish_completions(bench, typed):
    """The candidates that fish has for that line, each with its description after a tab."""
    if not shutil.which("fish"):
        raise Skip("fish is not installed")
    places = bench.folder / "fish-bin"
    places.mkdir(exist_ok=True)
    if not (places / "volley").exists():
        (places / "volley").symlink_to(os.path.abspath(bench.volley))
    script = bench.write("volley.fish", bench.run("--completions", "fish", project=False).out)
    asked = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C $argv[1]", typed], text=True,
                           capture_output=True, cwd=bench.project, check=True,
                           env={**bench.env, "PATH": f"{places}:{bench.env['PATH']}"})
    assert asked.stderr == "", asked.stderr
    return asked.stdout.splitlines()


def bash_completions(bench, line, cwd=None):
    """What bash's completion function puts into COMPREPLY for that line."""
    script = bench.write("volley.bash", bench.run("--completions", "bash", project=False).out)
    code = (f'source {script}; compopt() {{ :; }}; COMP_LINE=$1; COMP_POINT=${{#1}}; read -ra COMP_WORDS <<<"$1"; '
            '[[ $1 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
            f'_volley {bench.volley}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    asked = subprocess.run(["bash", "-c", code, "bash", line], capture_output=True, text=True, check=True,
                           cwd=cwd or bench.folder, env=bench.env)
    assert asked.stderr == "", asked.stderr
    return asked.stdout.split()
