"""Two web servers, which are this machine."""


def setup(b):
    b.write("project/bolt-project.yaml", "name: shop\n")
    b.inventory("config: {transport: local}\ngroups:\n  - {name: web, targets: [web1, web2]}\n")
    b.write("project/plans/deploy.pp", "plan shop::deploy(TargetSpec $targets) {\n  run_command('echo deployed', $targets)\n}\n")


SKIP = {"pin=1234": "ID stands for an id"}
