def setup(b):
    server = b.ssh_inventory(names=("web", "web1", "web1.example.com"))
    text = (b.project / "inventory.yaml").read_text()
    b.inventory(text.replace('"targets": [', '"targets": [{"name": "admin@web2.example.com:2222", "uri": '
                             f'"{b.me}@{server.address}:{server.port}"}}, '))


SKIP = {"--sudo-password-prompt": "asks for a password on the terminal"}
