import io
import json
import tarfile


def release(b, name, version, needs=()):
    """An archive as the Forge has it, in a folder that takes the Forge's place."""
    owner, short = name.split("/")
    text = json.dumps({"name": f"{owner}-{short}", "version": version, "author": owner, "license": "x", "summary": "x", "source": "x",
                       "dependencies": [{"name": one, "version_requirement": ">= 1.0.0"} for one in needs]}).encode()
    path = b.folder / "forge" / f"{owner}-{short}-{version}.tar.gz"
    path.parent.mkdir(exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo(f"{owner}-{short}-{version}/metadata.json")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))


def setup(b):
    release(b, "puppetlabs/stdlib", "9.0.0")
    release(b, "puppetlabs/apt", "9.4.0", ["puppetlabs/stdlib"])
    release(b, "puppetlabs/ntp", "10.0.0", ["puppetlabs/stdlib"])
    b.write("project/bolt-project.yaml", f"name: shop\nmodule-install: {{forge: {{baseurl: 'file://{b.folder}/forge'}}}}\n")


SKIP = {
    "project init --modules": "makes a project, which this folder is already",
    "project migrate": "asks on the terminal",
}


def after(b, outputs):
    assert (b.project / ".modules" / "apt" / "metadata.json").exists()
    assert "puppetlabs/apt" in (b.project / "bolt-project.yaml").read_text()
