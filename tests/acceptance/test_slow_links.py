"""Lines that are slow: nothing that a target sends is lost."""
from harness.slow_link import SlowLink


def over_slow_link(b, *lines, **pace):
    server = b.sshd(*lines)
    link = SlowLink(server.port, **pace)
    b.undo(link.close)
    b.ssh_inventory(server, port=link.port, **{"host-key-check": False})
    text = (b.project / "inventory.yaml").read_text()
    b.inventory(text.replace(f":{server.port}\"", f":{link.port}\""))


def test_sh_024_the_end_of_the_output_arrives(b):
    """SH-024: the server reports that the command has ended before it has sent all of its output, which then takes seconds"""
    over_slow_link(b, piece=600, pause=0.03)
    for lines in (10000, 11000, 12000):
        run = b.run("command", "run", f"seq 1 {lines}", "-t", "web", "--format", "json")
        out = run.value()["stdout"]
        assert out == "".join(f"{n}\n" for n in range(1, lines + 1)), (lines, len(out), out[-20:])


def test_sh_024_keys_renewed_meanwhile(b):
    """SH-024: while keys are renewed the server sends other things than output"""
    over_slow_link(b, "RekeyLimit 64K", piece=600, pause=0.01)
    run = b.run("command", "run", "seq 1 60000", "-t", "web", "--format", "json")
    assert run.value()["stdout"] == "".join(f"{n}\n" for n in range(1, 60001)), run.value()["stdout"][-20:]
