def setup(b):
    b.write("project/manifests/site.pp", "file { '/etc/motd': content => 'hello' }\n")
    b.write("project/site.pp", "file { '/etc/motd': content => 'hello' }\n")
    b.write("project/templates/motd.epp", "<%- | String $who | -%>\nHello <%= $who %>\n")
    b.write("project/data/common.yaml", "a: 1\n")
    b.write("project/web1.json", '{"networking": {"fqdn": "web1.example.com"}}')
