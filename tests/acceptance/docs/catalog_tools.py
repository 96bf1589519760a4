import json
import subprocess

FACTS = {"networking": {"fqdn": "web1.example.com", "hostname": "web1"}, "os": {"name": "Debian", "family": "Debian"}}


def setup(b):
    where = b.project
    b.write("bin/facter", "#!/bin/sh\necho '" + json.dumps(FACTS) + "'\n", 0o755)
    b.write("bin/dot", "#!/bin/sh\ncat\n", 0o755)
    for name in ("site.pp", "manifests/site.pp", "code/production/manifests/site.pp"):
        b.write(f"project/{name}", "include ntp\nfile { '/etc/motd': content => $facts['networking']['fqdn'] }\n")
    for folder in ("modules", "code/production/modules"):
        b.write(f"project/{folder}/ntp/manifests/init.pp", "class ntp { file { '/etc/ntp.conf': content => 'pool' } }\n")
    for name in ("web1.json", "facts/web1.json"):
        b.write(f"project/{name}", json.dumps(FACTS))
    for name, content in (("before", "one"), ("after", "one"), ("catalogs-main/web1", "one"), ("catalogs-branch/web1", "one")):
        done = subprocess.run([b.volley, "catalog", "compile", "-e", f"notify {{ '{content}': }}", "--format", "json",
                               "--log-format", "json"], capture_output=True, text=True, check=True, env=b.env)
        b.write(f"project/{name}.json", done.stdout)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=where, check=True, env=b.env)


def after(b, outputs):
    assert (b.project / "catalogs" / "web1.json").exists()
    assert outputs["volley catalog graph catalogs/web1.json | dot -Tsvg > web1.svg"] == ""
    assert (b.project / "web1.svg").read_text().startswith("digraph")
