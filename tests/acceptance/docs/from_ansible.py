def setup(b):
    text = (b.project / "inventory.yaml").read_text()
    b.ssh_inventory(names=("web1", "web2"))
    servers = (b.project / "inventory.yaml").read_text()
    b.write("project/bolt-project.yaml", "name: shop\n")
    # The page's inventory with addresses: the names of its web servers are in no DNS.
    import json
    known = json.loads(servers)
    uri = known["targets"][0]["uri"]
    b.inventory(text.replace("[web1, web2]", f"[{{name: web1, uri: '{uri}'}}, {{name: web2, uri: '{uri}'}}]") +
                f"config: {json.dumps(known['config'])}\n")
