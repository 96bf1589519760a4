def setup(b):
    b.write("project/facts.yaml", "networking: {fqdn: web1.example.com}\nos: {family: Debian}\n")
