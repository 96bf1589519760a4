"""Classes of Debian's puppet modules (apply/classes/classes.tsv): whether `puppet apply` and Volley's own agent make the same of
equal machines, but for what apply/classes/differences.tsv explains."""
from apply.classes import runs, table
from apply.compare import agent_beside
from harness.bench import Skip, alone, needs_root


def compared(b, subject):
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    if why := runs.why_not():
        raise Skip(why)
    cases = [case for case in table.cases() if case.subject == subject]
    assert cases, subject
    found = [f"{case.name}: {line}" for case, lines, _ in runs.compare_all(b.volley, b.folder, cases) for line in lines]
    assert not found, "\n".join(found[:60])


def test_the_tables_of_classes_and_differences_are_well_formed(b):
    """issue 13: enough classes to run; a difference names one of them, has a reason, and does not hide everything"""
    cases, differences = table.cases(), table.differences()
    classes = {case.name.split("#")[0] for case in cases}
    assert len(classes) >= 60
    assert f"# All {len(cases)} lines ({len(classes)} classes) were seen equal" in (table.HERE / "classes.tsv").read_text(), "its second line"
    for one in differences:
        assert any(one.name.fullmatch(case.name) for case in cases), f"{one.name.pattern} is not a class of the list"
        assert one.reason and not one.line.search(""), one


@alone
@needs_root
def test_classes_of_web_servers_make_what_puppet_makes(b):
    """issue 13: apache with its modules and hosts, haproxy, memcached, zookeeper"""
    compared(b, "web")


@alone
@needs_root
def test_classes_of_databases_make_what_puppet_makes(b):
    """issue 13: mysql, postgresql, redis, rabbitmq"""
    compared(b, "data")


@alone
@needs_root
def test_classes_of_network_services_make_what_puppet_makes(b):
    """issue 13: ntp, ssh, dns, mail, rsync, tftp, firewalls"""
    compared(b, "network")


@alone
@needs_root
def test_classes_for_the_system_make_what_puppet_makes(b):
    """issue 13: apt, systemd, logrotate, collectd, sssd, stdlib"""
    compared(b, "system")


@alone
@needs_root
def test_classes_of_openstack_make_what_puppet_makes(b):
    """issue 13: the settings of nova, keystone, neutron and others"""
    compared(b, "openstack")
