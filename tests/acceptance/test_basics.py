"""The first things anybody does."""


def test_cli_020_version_is_a_bare_number(b):
    """CLI-020, EXIT-001"""
    run = b.run("--version", project=False)
    assert run.status == 0 and run.out.strip().count(".") == 2 and run.out.count("\n") == 1, run


def test_res_005_a_command_on_localhost(b):
    """RES-001, RES-003, RES-004, RES-005, JSN-001"""
    run = b.run("command", "run", "echo out; echo err >&2", "-t", "localhost", "--format", "json")
    assert run.status == 0, run
    item = run.json["items"][0]
    assert list(item) == ["target", "action", "object", "status", "value"]
    assert list(item["value"]) == ["stdout", "stderr", "merged_output", "exit_code"]
    assert item["value"]["stdout"] == "out\n" and item["value"]["stderr"] == "err\n"
    assert run.json["target_count"] == 1


def test_ssh_command_over_a_real_server(b):
    """SSH-001, SSH-002, SSH-006"""
    b.ssh_inventory()
    run = b.run("command", "run", "echo $SSH_CONNECTION | cut -d' ' -f3", "-t", "web", "--format", "json")
    assert run.status == 0 and run.value()["stdout"] == "127.0.0.1\n", run
