def setup(b):
    b.ssh_inventory(names=("web1", "web2", "web"))
    b.write("project/modules/site/tasks/restart.sh", "#!/bin/sh\necho \"restarted $PT_name\"\n")
    b.write("project/bolt-project.yaml", "name: shop\n")  # "site" is the module's
    b.write("project/params.json", '{"name": "nginx"}')


MASKS = [(r"up \d.*", "up N")]
