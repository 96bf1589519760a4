"""Puppet applies a manifest that changes nothing outside of the test's folder."""
import shutil

from harness.bench import Skip


def setup(b):
    if not shutil.which("puppet"):
        raise Skip("there is no puppet here to apply with")
    b.ssh_inventory(names=("web", "web1.example.com"))
    b.write("project/site.pp", f"file {{ '{b.folder}/motd': ensure => file, content => 'hello' }}\n")
    b.write("project/bolt-project.yaml", "name: site\npolicies: [site::web]\n")
    b.write("project/manifests/web.pp", f"class site::web {{ file {{ '{b.folder}/web': ensure => file }} }}\n")


SKIP = {"ensure => installed": "would install a package on this machine"}


def after(b, outputs):
    assert (b.folder / "motd").read_text() == "hello"
    assert "site::base" in outputs["volley policy show"]
