"""The JSON schemas for editors, which come from the tables that Volley itself checks files by."""
import json

from harness.bench import Skip

FILES = ("defaults", "inventory", "plan", "project")


def validator(b, name):
    try:
        import jsonschema
    except ImportError as missing:
        raise Skip("needs python3-jsonschema") from missing
    schema = b.run("help", "--schema", name, project=False).json
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def test_cfg_048_every_file_has_a_schema(b):
    """CFG-048: draft 7; every property says what it is for; what a schema names is in it"""
    for name in FILES:
        run = b.run("help", "--schema", name, project=False)
        schema = run.json
        assert run.status == 0 and schema["$schema"] == "http://json-schema.org/draft-07/schema#", run
        dumped = json.dumps(schema)
        for reference in {part.split('"')[0] for part in dumped.split("#/definitions/")[1:]}:
            assert reference in schema["definitions"], (name, reference)
    for name in ("defaults", "project"):
        properties = b.run("help", "--schema", name, project=False).json["properties"]
        assert "concurrency" in properties, properties
        assert not [key for key, value in properties.items() if not value.get("description")], name
    project = b.run("help", "--schema", "project", project=False).json["properties"]
    assert project["format"]["enum"] == ["csv", "human", "json", "markdown", "ndjson", "rainbow", "table"] and project["concurrency"]["minimum"] == 1
    b.refused("help", "--schema", "manifest", project=False, says=["manifest", "defaults, inventory, plan, project"])


def accepted(schema, data):
    return not list(schema.iter_errors(data))


def test_cfg_048_schemas_of_configuration(b):
    """CFG-048: the same files pass and fail that Volley takes and refuses"""
    project = validator(b, "project")
    for data in ({"name": "x", "concurrency": 5, "modulepath": "a:b"}, {"modulepath": ["a", "b"], "rerunfile": "r.json"},
                 {"puppetdb": {"_plugin": "yaml", "filepath": "p"}}, {"log": {"console": {"level": "info"}, "a.log": "disable"}},
                 {"plugins": {"vault": {"server_url": "x"}}, "plugin-cache": {"ttl": 0}}):
        assert accepted(project, data), (data, list(project.iter_errors(data)))
        b.write("project/bolt-project.yaml", json.dumps(data))
        assert b.run("inventory", "show").status == 0, data
    for data in ({"concurrency": 0}, {"concurrency": "5"}, {"format": "xml"}, {"log": {"console": "off"}},
                 {"concurrency": {"_plugin": "yaml"}}, {"plugin-cache": {}}, {"future": 1}):
        assert not accepted(project, data), data
        b.write("project/bolt-project.yaml", json.dumps(data))
        assert b.run("inventory", "show").status == 1, data
    assert not accepted(project, {"modulpath": ["a"]}), "an unknown key is a warning of Volley and marked by editors"
    defaults = validator(b, "defaults")
    assert accepted(defaults, {"inventory-config": {"ssh": {"port": 22}}, "analytics": False})
    assert not accepted(defaults, {"inventory-config": {"ssh": {"port": "x"}}}) and not accepted(defaults, {"name": "x"})


def test_cfg_048_schema_of_the_inventory(b):
    """CFG-048: groups in groups, references anywhere, the options of every transport"""
    inventory = validator(b, "inventory")
    for data in ({"version": 2, "targets": ["a", {"uri": "b", "alias": "c", "features": ["shell"]}]},
                 {"groups": [{"name": "a", "groups": [{"name": "b", "targets": {"_plugin": "yaml", "filepath": "t.yaml"}}]}]},
                 {"config": {"transport": "ssh", "ssh": {"password": {"_plugin": "prompt", "message": "?"}, "port": 2200}}},
                 {"config": {"remote": {"anything": 1}}}, {"config": {"ssh": {"interpreters": {"rb": ["ruby", "-w"]}}}}):
        assert accepted(inventory, data), (data, list(inventory.iter_errors(data)))
    for data in ({"groups": [{"targets": []}]}, {"groups": [{"name": "a", "groups": [{"name": "b", "tragets": []}]}]},
                 {"config": {"transport": "pigeon"}}, {"config": {"ssh": {"port": "22"}}}, {"vars": 1},
                 {"targets": [{"name": "a", "config": {"ssh": {"no-such-option": 1}}}]}):
        assert not accepted(inventory, data), data


def test_cfg_048_schema_of_plans(b):
    """CFG-048, YML-027: each kind of step has its keys; eval and verbose are kinds of steps, too"""
    plan = validator(b, "plan")
    good = {"parameters": {"targets": {"type": "TargetSpec"}}, "steps": [
        {"name": "one", "command": "true", "targets": "$targets", "catch_errors": True},
        {"task": "a::b", "targets": ["x"], "parameters": {"n": 1}, "noop": True}, {"message": "hi"}, {"verbose": "hm"},
        {"upload": "a", "destination": "b", "targets": "x"}, {"eval": [1]}], "return": "$one"}
    assert accepted(plan, good), list(plan.iter_errors(good))
    for step in ({"command": "true"}, {"command": "true", "script": "x", "targets": "a"}, {"message": "x", "noop": True},
                 {"name": "Bad Name", "message": "x"}, {"task": "a", "targets": "b", "parameters": [1]}):
        assert not accepted(plan, {"steps": [step]}), step
    assert not accepted(plan, {"parameters": {}}), "a plan has steps"
