def setup(b):
    b.ssh_inventory()


SKIP = {
    "openvox_bootstrap|puppet_agent": "installs or configures an agent on this machine",
    "run service": "restarts a service of this machine",
    "http_request": "asks a server on the internet",
    "terraform::apply": "there is no Terraform here",
}


def after(b, outputs):
    assert "service" in next(iter(outputs.values()))
