"""Targets from PuppetDB; against servers of the test's own."""
import json

from harness.web import serve

JSON = ("--format", "json")
QUERY = ("--query", 'nodes { certname ~ "web" }')
ROWS = [{"certname": "web1"}, {"certname": "web2"}, {"certname": "web1"}]


class Database:
    """A PuppetDB that answers every query alike and keeps what was asked."""

    def __init__(self, b, rows=None, status=200, by_path=None):
        self.asked, self.status, self.rows, self.by_path = [], status, rows, by_path or {}
        self.url = serve(b, self.answer)

    def answer(self, request):
        self.asked.append((request.path, request.headers, json.loads(request.body)))
        rows = self.by_path.get(request.path.split("?")[0], self.rows)
        return self.status, json.dumps(rows if self.status == 200 else "no"), {}


def configure(b, **options):
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", **options}))
    b.inventory("config: {transport: local}\ntargets: [web1, web2, other]\n")


def test_opt_002_targets_of_a_query(b):
    """OPT-002, PDB-003, PDB-005, PDB-006, PDB-008: a server that fails is passed over; certnames come once"""
    broken, good = Database(b, status=500), Database(b, ROWS)
    configure(b, puppetdb={"server_urls": [broken.url, good.url], "headers": {"X-Site": "here"}, "token": "t0ken"})
    run = b.run("command", "run", "echo in", *QUERY, *JSON)
    assert run.status == 0 and sorted(i["target"] for i in run.json["items"]) == ["web1", "web2"], run
    assert f"Request to puppetdb at {broken.url} failed" in run.err, run
    path, headers, body = good.asked[0]
    assert path == "/pdb/query/v4" and body == {"query": QUERY[1]}, good.asked
    assert headers["X-Site"] == "here" and headers["X-Authentication"] == "t0ken", headers
    assert headers["Content-Type"] == "application/json", headers
    shown = b.run("inventory", "show", "-q", "x", *JSON).json
    assert shown["targets"] == ["web1", "web2"] and shown["adhoc"]["count"] == 0, shown
    b.write("project/plans/who.pp", "plan site::who(TargetSpec $targets) { return $targets }\n")
    assert b.run("plan", "run", "site::who", *QUERY, *JSON).json == "web1,web2"


def test_opt_002_queries_that_go_wrong(b):
    """OPT-002, PDB-003, PDB-006: one clear message; a query that PuppetDB refuses is not asked again elsewhere"""
    wrong, other = Database(b, status=400), Database(b, ROWS)
    configure(b, puppetdb={"server_urls": [wrong.url, other.url]})
    b.refused("command", "run", "true", *QUERY, *JSON, kind="bolt/puppetdb-error", says="Failed to query PuppetDB")
    assert len(wrong.asked) == 1 and other.asked == []
    configure(b, puppetdb={"server_urls": ["http://127.0.0.1:9"]})
    b.refused("command", "run", "true", *QUERY, *JSON, kind="bolt/puppetdb-error",
              says="Failed to connect to all PuppetDB server_urls: http://127.0.0.1:9.")
    configure(b, puppetdb={"server_urls": [Database(b, [{"name": "x"}]).url]})
    b.refused("command", "run", "true", *QUERY, *JSON, kind="bolt/puppetdb-error",
              says="did not contain a 'certname' field: got name")
    configure(b)
    b.refused("command", "run", "true", *QUERY, *JSON, kind="bolt/puppetdb-error", says="server_urls must be specified")


def test_opt_025_named_instances(b):
    """OPT-025, CFG-041, PDB-001, PDB-002: the default one starts from puppetdb.conf, others do not; both know the user's token"""
    main, other = Database(b, ROWS), Database(b, [{"certname": "other"}])
    b.write("home/.puppetlabs/client-tools/puppetdb.conf", json.dumps({"puppetdb": {"server_urls": main.url}}))
    b.write("home/.puppetlabs/token", "of the user\n")
    instances = {"second": {"server_urls": [other.url]}, "empty": {}}
    configure(b, **{"puppetdb-instances": instances})
    assert b.run("inventory", "show", *QUERY, *JSON).json["targets"] == ["web1", "web2"]
    assert main.asked[0][1]["X-Authentication"] == "of the user", main.asked
    assert b.run("inventory", "show", *QUERY, "--puppetdb", "second", *JSON).json["targets"] == ["other"]
    assert other.asked[0][1]["X-Authentication"] == "of the user", other.asked
    b.refused("inventory", "show", *QUERY, "--puppetdb", "empty", *JSON, says="server_urls must be specified")
    b.refused("inventory", "show", *QUERY, "--puppetdb", "third", *JSON, kind="bolt/puppetdb-error",
              says="PuppetDB instance 'third' has not been configured")


def test_pdb_004_certificates(b):
    """PDB-004: an authority for https, which must exist; certificate and key only together"""
    for options, problem in (
            ({}, "cacert must be specified"),
            ({"cacert": "gone.pem"}, f"cacert file {b.project}/gone.pem does not exist"),
            ({"cacert": "bolt-project.yaml", "cert": "c.pem"}, "cert and key must be specified together"),
            ({"cacert": "bolt-project.yaml", "token": "./gone"}, f"token file {b.project}/gone does not exist")):
        configure(b, puppetdb={"server_urls": ["https://127.0.0.1:9"], **options})
        b.refused("command", "run", "true", *QUERY, *JSON, kind="bolt/puppetdb-error", says=problem)


def test_fn_014_plans_ask_puppetdb(b):
    """FN-014, FN-015, FN-016, PDB-007, BND-003, ERR-028: queries, facts and commands of plans; a failure can be caught"""
    database = Database(b, ROWS, by_path={
        "/pdb/query/v4/inventory": [{"certname": "web1", "facts": {"os": {"name": "Debian"}}}], "/pdb/cmd/v1": {"uuid": "u-1"}})
    configure(b, **{"puppetdb": {"server_urls": [database.url]}, "puppetdb-instances": {"gone": {"server_urls": ["http://127.0.0.1:9"]}}})
    b.write("project/plans/p.pp", """plan site::p() {
      $rows = puppetdb_query('nodes {}').map |$row| { $row['certname'] }
      $known = puppetdb_fact(['web1', 'web2'])
      $uuid = puppetdb_command('replace_facts', 5, {'certname' => 'web1', 'values' => {}})
      $error = catch_errors() || { puppetdb_query(['=', 'certname', 'x'], 'gone') }
      return [$rows, $known, $uuid, $error.kind]
    }""")
    run = b.run("plan", "run", "site::p", *JSON)
    assert run.json == [["web1", "web2", "web1"], {"web1": {"os": {"name": "Debian"}}}, "u-1", "bolt/puppetdb-error"], run
    path, _, body = database.asked[1]
    assert body["query"] == ["or", ["=", "certname", "web1"], ["=", "certname", "web2"]] and path.endswith("/inventory"), body
    assert database.asked[2][0] == "/pdb/cmd/v1?command=replace_facts&version=5&certname=web1", database.asked
    b.write("project/plans/p.pp", "plan site::p() { return puppetdb_command('x', 1, {'a' => 1}) }")
    assert b.run("plan", "run", "site::p", *JSON).json["kind"] == "bolt/pdb-command"
    b.inventory("targets: [{name: one, uri: web1}]")
    facts = b.run("plan", "run", "puppetdb_fact", "targets=one", *JSON)
    assert facts.json == {"web1": {"os": {"name": "Debian"}}}, facts
