"""Section 3 of the checklist: layers of configuration, the project's folder, keys and their faults."""
import json

LOCAL = ("-t", "localhost")
JSON = ("--format", "json")


def project(b, text):
    b.write("project/bolt-project.yaml", "name: site\n" + text)


def detail(b, *words, **settings):
    run = b.run("inventory", "show", "--detail", *words, *JSON, **settings)
    assert run.status == 0, run
    return {t["name"]: t for t in run.json["targets"]}


def defaults(b, text):
    """The user's bolt-defaults.yaml."""
    b.write("home/.puppetlabs/etc/bolt/bolt-defaults.yaml", text)


def test_cfg_001_levels_from_defaults_to_command_line(b):
    """CFG-001, CFG-002, CFG-029, CFG-047, INV-039, OPT-029"""
    b.inventory("targets: [{name: a, uri: h1}, {name: b, uri: h2, config: {ssh: {connect-timeout: 7}}}]")
    assert detail(b)["a"]["config"]["ssh"]["connect-timeout"] == 10
    defaults(b, "inventory-config: {transport: ssh, ssh: {connect-timeout: 5, user: deploy}}\n")
    seen = detail(b)
    assert seen["a"]["config"]["ssh"]["connect-timeout"] == 5 and seen["a"]["config"]["ssh"]["user"] == "deploy"
    seen = detail(b, "--connect-timeout", "6")
    assert seen["a"]["config"]["ssh"]["connect-timeout"] == 6 and seen["b"]["config"]["ssh"]["connect-timeout"] == 7


def test_cfg_007_the_project_overwrites_the_defaults(b):
    """CFG-001, CFG-005, CFG-007, CFG-022, CFG-026"""
    defaults(b, "format: json\ndisable-warnings: [unknown_option]\n")
    assert b.run("command", "run", "true", *LOCAL).json["target_count"] == 1
    project(b, "format: human\nnonsense: 1\ndisable-warnings: [other]\n")
    run = b.run("command", "run", "true", *LOCAL)
    assert "Successful on 1 target" in run.out and "unknown_option" not in run.err, run


def test_cfg_009_project_keys_in_the_defaults_are_dropped(b):
    """CFG-009, CFG-010, LOG-009"""
    defaults(b, "modulepath: /nowhere\nssh: {user: x}\n")
    run = b.run("command", "run", "true", *LOCAL)
    assert run.status == 0 and "unsupported_project_config" in run.err and "unsupported_inventory_config" in run.err, run


def test_cfg_011_transports_do_not_belong_into_the_project(b):
    """CFG-011, CFG-012, CFG-016, LOG-009"""
    project(b, "ssh: {user: x}\n")
    b.inventory("targets: [{name: a, uri: h}]")
    run = b.run("inventory", "show", "--detail", *JSON)
    assert "project_transport_config" in run.err and run.json["targets"][0]["config"]["ssh"].get("user") != "x", run


def test_cfg_013_every_key_has_its_type(b):
    """CFG-013, CFG-020, CFG-021, CFG-023, CFG-025, CFG-027, CFG-032, CFG-033, CFG-035, CFG-036, CFG-037, CFG-038,
    CFG-039, CFG-040, CFG-041, CFG-046: all faults in one error"""
    wrong = {"analytics": "x", "apply-settings": 1, "color": "x", "compile-concurrency": "x", "concurrency": 0,
             "disable-warnings": 1, "future": 1, "module-install": 1, "modules": 1, "plans": 1, "plugin-cache": {"ttl": -1},
             "plugin-hooks": 1, "plugins": 1, "policies": 1, "puppetdb": {"server_urls": {}},
             "puppetdb-instances": 1, "rerunfile": 1, "save-rerun": "x", "spinner": "x", "stream": "x", "tasks": 1,
             "trusted-external-command": 1}
    project(b, "".join(f"{k}: {json.dumps(v)}\n" for k, v in wrong.items()))
    run = b.refused("command", "run", "true", *LOCAL, says=["Invalid configuration at", "bolt-project.yaml"])
    missing = [key for key in wrong if key not in run.out]
    assert not missing, missing


def test_cfg_020_every_key_is_accepted(b):
    """CFG-020 to CFG-046: CFG-021, CFG-028, CFG-031, CFG-032, CFG-033, CFG-034, CFG-036, CFG-038, CFG-039, CFG-040,
    CFG-041: a project that uses them all runs, without a warning"""
    b.write("project/hiera.yaml", "version: 5\n")
    b.write("project/facts.sh", "#!/bin/sh\n", 0o755)
    project(b, """
analytics: false
apply-settings: {evaltrace: false, lock_wait: 0, log_level: notice, show_diff: true, trace: false}
color: true
compile-concurrency: 1
concurrency: 20
disable-warnings: []
format: human
future: {script_interpreter: false}
hiera-config: hiera.yaml
log: {console: {level: warn}, own.log: {level: info, append: false}}
modulepath: [modules, more]
module-install: {proxy: 'http://proxy:3128', forge: {baseurl: 'https://forge.example'}}
modules: [puppetlabs/stdlib, {name: a/b, version_requirement: '>= 1.0.0'}]
plans: ['*']
tasks: ['*']
plugin-cache: {ttl: 60}
plugin-hooks: {puppet_library: {plugin: task, task: bootstrap}}
plugins: {vault: {server_url: 'http://v'}}
policies: []
puppetdb: {server_urls: ['https://pdb:8081']}
puppetdb-instances: {other: {server_urls: ['https://pdb2:8081']}}
rerunfile: r.json
save-rerun: true
spinner: false
stream: false
trusted-external-command: facts.sh
""")
    (b.project / "more").mkdir(exist_ok=True)  # a folder of the modulepath that is missing is a warning
    run = b.run("command", "run", "true", *LOCAL)
    assert run.status == 0 and run.err.strip("\x1b[0m\n ") == "", run
    assert (b.project / "own.log").exists()


def test_cfg_015_paths_are_relative_to_the_project_and_must_exist(b):
    """CFG-015, CFG-028, CFG-031"""
    for key in ("hiera-config", "trusted-external-command"):
        project(b, f"{key}: gone.yaml\n")
        b.refused("command", "run", "true", *LOCAL, says="gone.yaml")
    project(b, "modulepath: 'sub/one:sub/two'\n")
    b.write("project/sub/two/m/tasks/init.sh", "#!/bin/sh\n")
    shown = b.run("task", "show", *JSON).json
    assert "m" in [t[0] for t in shown["tasks"]] and str(b.project / "sub/one") in shown["modulepath"]


def test_cfg_014_references_in_configuration(b):
    """CFG-014, CFG-010, PLG-010: where the schema allows them, plugins return values; elsewhere they are faults"""
    b.write("project/ssh.yaml", "{port: 2222, user: from-file}\n")
    defaults(b, "inventory-config: {ssh: {_plugin: yaml, filepath: ssh.yaml}}\n")
    b.inventory("targets: [{name: a, uri: h}]")
    seen = detail(b)["a"]["config"]["ssh"]
    assert seen["port"] == 2222 and seen["user"] == "from-file", seen
    b.write("project/pdb.yaml", "{server_urls: ['http://127.0.0.1:9']}\n")
    for key in ("puppetdb", "puppetdb-instances"):
        reference = "{_plugin: yaml, filepath: pdb.yaml}"
        project(b, f"{key}: " + (reference if key == "puppetdb" else "{one: " + reference + "}") + "\n")
        words = [] if key == "puppetdb" else ["--puppetdb", "one"]
        b.refused("inventory", "show", "-q", "x", *words, says="all PuppetDB server_urls: http://127.0.0.1:9")
    for text in ("concurrency: {_plugin: yaml, filepath: x}", "modulepath: [{_plugin: yaml, filepath: x}]",
                 "log: {console: {level: {_plugin: yaml, filepath: x}}}"):
        project(b, text + "\n")
        b.refused("inventory", "show", says="is a plugin reference, which is unsupported at this location")


def test_prj_008_names_of_projects(b):
    """PRJ-008, CFG-034"""
    for name in ("Bad", "1x", "a-b", "system", "file"):
        b.write("project/bolt-project.yaml", f"name: {name}\n")
        b.refused("command", "run", "true", *LOCAL, says=name)


def test_prj_009_content_without_a_name_is_not_loaded(b):
    """PRJ-009, LOG-009"""
    b.task("x.sh", "#!/bin/sh\n")
    b.write("project/bolt-project.yaml", "")
    run = b.run("task", "show", *JSON)
    names = [name for name, _ in run.json["tasks"]]
    assert "missing_project_name" in run.err and not {"x", "site::x", "project::x"} & set(names), run


def test_prj_010_the_project_shadows_a_module_of_its_name(b):
    """PRJ-010, LAY-007, LOG-009, ARG-012"""
    b.write("project/modules/site/tasks/other.sh", "#!/bin/sh\n")
    b.task("x.sh", "#!/bin/sh\necho project\n")
    b.write("project/scripts/s.sh", "#!/bin/sh\necho from scripts\n")
    run = b.run("task", "run", "site::x", *LOCAL, *JSON)
    assert run.value()["_output"] == "project\n" and "project_shadows_module" in run.err, run
    b.refused("task", "run", "site::other", *LOCAL)
    assert b.run("script", "run", "site/scripts/s.sh", *LOCAL, *JSON).value()["stdout"] == "from scripts\n"


def test_prj_011_yaml_aliases_are_refused(b):
    """PRJ-011"""
    project(b, "x: &a [1]\ny: *a\n")
    b.refused("command", "run", "true", *LOCAL, says="alias")
    b.write("project/bolt-project.yaml", "- 1\n")
    b.refused("command", "run", "true", *LOCAL, says="bolt-project.yaml")


def test_cfg_022_color_from_the_configuration(b):
    """CFG-022, OPT-039: --color and --no-color win over it"""
    words = ("command", "run", "echo hi", *LOCAL)
    assert "\x1b[32m" in b.terminal(*words)[0]
    project(b, "color: false\n")
    assert "\x1b[3" not in b.terminal(*words)[0] and "\x1b[32m" in b.terminal(*words, "--color")[0]


def test_cfg_035_lists_of_plans_and_tasks(b):
    """CFG-035, MOD-012: patterns choose what listings show; everything can be run and shown by its name"""
    for name in ("alpha", "alpine", "beta"):
        b.task(f"{name}.sh", f"#!/bin/sh\necho {name}\n")
        b.write(f"project/plans/{name}.pp", f"plan site::{name}() {{ return '{name}' }}\n")
    project(b, "tasks: ['site::al*', 'facts']\nplans: ['site::{beta,gamma}']\n")
    assert [n for n, _ in b.run("task", "show", *JSON).json["tasks"]] == ["facts", "site::alpha", "site::alpine"]
    assert [n for n, _ in b.run("plan", "show", *JSON).json["plans"]] == ["site::beta"]
    assert b.run("task", "run", "site::beta", *LOCAL, *JSON).value()["_output"] == "beta\n"
    assert b.run("plan", "run", "site::alpha", *JSON).json == "alpha" and b.run("task", "show", "site::beta").status == 0


def test_cfg_045_settings_in_place_of_options(b):
    """CFG-045, CFG-024, CFG-047: stream, concurrency and transport come from files as they do from the command line"""
    project(b, "stream: true\nconcurrency: 1\n")
    b.write("home/.puppetlabs/etc/bolt/bolt-defaults.yaml", "inventory-config: {transport: local}\n")
    b.inventory("targets: [one, two]")
    run = b.run("command", "run", "echo said; sleep 0.2", "-t", "one,two", "--no-verbose")
    assert run.status == 0 and "[one] out: said" in run.out and "[two] out: said" in run.out, run
    assert run.wall > 0.4, "one at a time"


def test_prj_007_bolt_yaml_is_not_read(b):
    """PRJ-007"""
    b.write("project/bolt.yaml", "format: json\n")
    assert "Successful on" in b.run("command", "run", "true", *LOCAL).out


def test_lay_005_the_managed_module_folder(b):
    """LAY-005, LAY-006, MOD-001, CFG-031"""
    b.write("project/.modules/managed/tasks/init.sh", "#!/bin/sh\necho managed\n")
    assert b.run("task", "run", "managed", *LOCAL, *JSON).value()["_output"] == "managed\n"
    project(b, "modulepath: [modules, .modules]\n")
    b.refused("task", "show", says=".modules")


def test_env_008_without_a_home(b):
    """ENV-008, PRJ-004"""
    env = dict(b.env)
    run = b.run("command", "run", "echo in", *LOCAL, *JSON, env={"HOME": ""}, cwd="/")
    assert run.status == 0 and env["HOME"], run


def test_opt_021_project_option(b):
    """OPT-021, PRJ-001, PRJ-002, PRJ-005, ENV-001"""
    b.write("elsewhere/Boltdir/inventory.yaml", "targets: [inner]")
    shown = b.run("inventory", "show", "--project", "elsewhere", *JSON, project=False)
    assert shown.json["targets"] == ["inner"], shown
    b.refused("inventory", "show", "--project", "nowhere", *JSON, project=False, says="nowhere")
    b.inventory("targets: [by-env]")
    shown = b.run("inventory", "show", "--project", "elsewhere", *JSON, project=False,
                  env={"BOLT_PROJECT": str(b.project)})
    assert shown.json["targets"] == ["by-env"]


def test_log_007_and_011_what_the_log_says(b):
    """LOG-003, LOG-007, LOG-011"""
    project(b, "nonsense: 1\nlog: {full.log: {level: debug}}\n")
    b.run("command", "run", "echo spoken", *LOCAL)
    log = (b.project / "full.log").read_text()
    assert "unknown_option" in log, "a message from before the log was open is in it"
    for text in ("Starting: command 'echo spoken' on localhost", "command 'echo spoken' on [\"localhost\"]",
                 '"exit_code":0', "Finished: command 'echo spoken' with 0 failures in "):
        assert [line for line in log.splitlines() if text in line and " INFO " in line], (text, log)
