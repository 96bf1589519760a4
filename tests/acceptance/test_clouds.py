"""Inventories of the clouds, against servers of the test's own that check signatures and tokens themselves."""
import base64
import hashlib
import hmac
import json
import subprocess
import time
import urllib.parse
from xml.sax.saxutils import escape

from harness.web import serve

JSON = ("--format", "json")


class Service:
    """A web service: answer(method, path, headers with lower-case names, body) returns (status, text)."""

    def __init__(self, b, answer):
        self.asked = []

        def kept(request):
            question = (request.method, request.path, {name.lower(): v for name, v in request.headers.items()}, request.body)
            self.asked.append(question)
            return (*answer(*question), {})

        self.url = serve(b, kept)


def shown(b, **settings):
    """Names and URIs of all targets."""
    run = b.run("inventory", "show", "-t", "all", "--detail", *JSON, **settings)
    assert run.status == 0, run
    return {each["name"]: each for each in run.json["targets"]}


def targets(b, **reference):
    b.inventory(json.dumps({"targets": [reference], "config": {"transport": "ssh"}}))


# ---- AWS

AWS_KEYS = {"AKIDTEST": ("s3cret/Key+1", "sess/ion+token")}


def signature_is_right(method, path, headers, body, region):
    """AWS Signature Version 4, as the manual describes it."""
    words = headers["authorization"].replace(",", "").split()
    assert words[0] == "AWS4-HMAC-SHA256", words
    fields = dict(word.split("=", 1) for word in words[1:])
    key_id, date, in_region, service, end = fields["Credential"].split("/")
    secret, token = AWS_KEYS[key_id]
    assert (in_region, service, end) == (region, "ec2", "aws4_request"), fields
    assert headers.get("x-amz-security-token") == token, headers
    signed = fields["SignedHeaders"].split(";")
    assert signed == sorted(signed) and {"host", "x-amz-date", "x-amz-security-token"} <= set(signed), signed
    stamp = headers["x-amz-date"]
    assert stamp.startswith(date) and abs(time.mktime(time.strptime(stamp, "%Y%m%dT%H%M%SZ")) - time.timezone - time.time()) < 300
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in signed)
    canonical = "\n".join([method, path, "", lines, ";".join(signed), hashlib.sha256(body.encode()).hexdigest()])
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, f"{date}/{in_region}/ec2/aws4_request",
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (date, in_region, service, end):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), fields["Signature"])


def instance_xml(number, state="running", owner="Devs"):
    return f"""<item><instancesSet><item><instanceId>i-{number}</instanceId>
      <instanceState><code>16</code><name>{state}</name></instanceState>
      <dnsName>ec2-{number}.example.com</dnsName><ipAddress>203.0.113.{number}</ipAddress>
      <placement><availabilityZone>eu-west-1a</availabilityZone></placement>
      <tagSet><item><key>User</key><value>{escape('us&er')}</value></item>
              <item><key>Owner</key><value>{owner}</value></item></tagSet></item></instancesSet></item>"""


def ec2(b, refuse=False):
    def answer(method, path, headers, body):
        asked = dict(urllib.parse.parse_qsl(body))
        if refuse or not signature_is_right(method, path, headers, body, "eu-west-1"):
            return 401, ("<Response><Errors><Error><Code>AuthFailure</Code><Message>not valid: s3cret/Key+1</Message></Error>"
                         "</Errors></Response>")
        assert asked["Action"] == "DescribeInstances" and asked["Version"] == "2016-11-15", asked
        assert asked["Filter.1.Name"] == "tag:Owner" and asked["Filter.1.Value.1"] == "Devs & Ops", asked
        assert asked["Filter.2.Value.2"] == "c5.large", asked
        page = asked.get("NextToken", "")
        content = {"": instance_xml(1) + instance_xml(2, "stopped"), "to=k/en+2": instance_xml(3)}[page]
        more = "" if page else "<nextToken>to=k/en+2</nextToken>"
        return 200, (f'<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><reservationSet>'
                     f"{content}</reservationSet>{more}</DescribeInstancesResponse>")
    return Service(b, answer)


AWS = {"_plugin": "aws_inventory", "region": "eu-west-1",
       "filters": [{"name": "tag:Owner", "values": ["Devs & Ops"]}, {"name": "instance-type", "values": ["t2.micro", "c5.large"]}],
       "target_mapping": {"name": "public_dns_name", "uri": "public_ip_address",
                          "vars": {"zone": "placement.availability_zone"}, "config": {"ssh": {"user": "tags.User"}}}}


def test_plg_037_aws(b):
    """PLG-037, BND-019: signed requests, filters, pages; running instances become targets"""
    service = ec2(b)
    targets(b, **AWS, profile="site", endpoint=service.url)
    b.write("home/.aws/credentials", "[default]\naws_access_key_id=other\naws_secret_access_key=x\n[site]\n"
            "aws_access_key_id = AKIDTEST\naws_secret_access_key = s3cret/Key+1\naws_session_token = sess/ion+token\n")
    found = shown(b)
    assert set(found) == {"ec2-1.example.com", "ec2-3.example.com"}, found
    first = found["ec2-1.example.com"]
    assert first["uri"] == "203.0.113.1" and first["vars"] == {"zone": "eu-west-1a"}, first
    assert first["config"]["ssh"]["user"] == "us&er", first
    assert len(service.asked) == 2
    targets(b, **AWS)
    environment = {"AWS_ENDPOINT_URL": service.url, "AWS_ACCESS_KEY_ID": "AKIDTEST",
                   "AWS_SECRET_ACCESS_KEY": "s3cret/Key+1", "AWS_SESSION_TOKEN": "sess/ion+token"}
    assert set(shown(b, env=environment)) == set(found)


def test_plg_037_aws_roles(b):
    """PLG-037: without keys the role of the instance, or of the container, is used"""
    service = ec2(b)
    secret, token = AWS_KEYS["AKIDTEST"]
    keys = json.dumps({"AccessKeyId": "AKIDTEST", "SecretAccessKey": secret, "Token": token})

    def metadata(method, path, headers, _):
        if method == "PUT":
            return (200, "m3ta") if path == "/latest/api/token" and headers.get("x-aws-ec2-metadata-token-ttl-seconds") else (403, "")
        if path == "/container":
            return (200, keys) if headers.get("authorization") == "c0nt" else (403, "")
        if headers.get("x-aws-ec2-metadata-token") != "m3ta":
            return 401, ""
        return 200, {"/latest/meta-data/iam/security-credentials/": "site-role\n",
                     "/latest/meta-data/iam/security-credentials/site-role": keys}[path]
    role = Service(b, metadata)
    targets(b, **AWS, endpoint=service.url)
    assert len(shown(b, env={"AWS_EC2_METADATA_SERVICE_ENDPOINT": role.url})) == 2
    assert [asked[0] for asked in role.asked] == ["PUT", "GET", "GET"], role.asked
    container = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": role.url + "/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "c0nt"}
    assert len(shown(b, env=container)) == 2
    b.refused("inventory", "show", *JSON, kind="bolt/validation-error", says="found no access key",
              env={"AWS_EC2_METADATA_SERVICE_ENDPOINT": role.url, "AWS_EC2_METADATA_DISABLED": "true"})
    assert len(role.asked) == 4


def test_plg_037_aws_that_refuses(b):
    """PLG-037, PLG-006: the service's reason, with file and line and without the secret; also in the log"""
    service = ec2(b, refuse=True)
    targets(b, **AWS, endpoint=service.url, aws_access_key_id="AKIDTEST", aws_secret_access_key="s3cret/Key+1",
            aws_session_token="sess/ion+token")
    run = b.refused("inventory", "show", "--log-level", "trace", *JSON, kind="bolt/plugin-error",
                    says=["EC2 in eu-west-1 answered with status 401: AuthFailure: not valid: [REDACTED]", "inventory.yaml:1:"])
    log = b.project / "bolt-debug.log"
    assert "s3cret" not in run.out + run.err + (log.read_text() if log.exists() else ""), run
    assert "sess/ion" not in run.out + run.err, run


# ---- Azure

def azure_vm(name, nic, location="eastus", tags=None):
    return {"name": name, "location": location, "tags": tags or {},
            "properties": {"networkProfile": {"networkInterfaces": [{"id": "/nics/none"}, {"id": nic, "properties": {"primary": True}}]}}}


def azure(b, secret="sh/h+h"):
    """Login and management in one."""
    lists = {
        "virtualmachines": [azure_vm("one", "/nics/A", tags={"Role": "web"}), azure_vm("two", "/nics/b", "westus"),
                            azure_vm("three", "/nics/c", tags={"role": "db"}), azure_vm("lonely", "/nics/gone")],
        "networkinterfaces": [{"id": f"/nics/{n}", "properties": {"ipConfigurations": [{"properties": {
            "privateIPAddress": f"10.0.0.{i}", "publicIPAddress": {"id": f"/ips/{n.upper()}"}}}]}} for i, n in enumerate("abc")],
        "publicipaddresses": [{"id": "/ips/a", "properties": {"ipAddress": "203.0.113.1", "dnsSettings": {"fqdn": "one.example.com"}}},
                              {"id": "/ips/b", "properties": {"ipAddress": "203.0.113.2"}},
                              {"id": "/ips/c", "properties": {"ipAddress": "203.0.113.3"}}]}

    def answer(method, path, headers, body):
        address = urllib.parse.urlsplit(path)
        if method == "POST":
            fields = dict(urllib.parse.parse_qsl(body))
            right = {"grant_type": "client_credentials", "client_id": "client", "client_secret": secret, "resource": service.url}
            if address.path != "/tenant/oauth2/token" or fields != right:
                return 401, json.dumps({"error": "invalid_client", "error_description": f"wrong secret {fields['client_secret']}"})
            return 200, json.dumps({"token_type": "Bearer", "access_token": "t0k3n"})
        if headers.get("authorization") != "Bearer t0k3n":
            return 401, json.dumps({"error": {"message": "no token"}})
        asked = dict(urllib.parse.parse_qsl(address.query))
        wanted = lists[address.path.rsplit("/", 1)[1].lower()]
        if "set1" in address.path:
            assert address.path.startswith("/subscriptions/sub/resourceGroups/grp/providers/Microsoft.Compute/virtualMachineScaleSets/set1/"), path
            assert asked["api-version"] == "2017-03-30", path
        else:
            assert address.path.startswith("/subscriptions/sub/") and asked["api-version"] == "2019-07-01", path
        at = int(asked.get("skip", 0))
        more = {"nextLink": f"{service.url}{address.path}?api-version={asked['api-version']}&skip={at + 2}"} if at + 2 < len(wanted) else {}
        return 200, json.dumps({"value": wanted[at:at + 2], **more})
    service = Service(b, answer)
    return service


def azure_reference(service, **more):
    return {"_plugin": "azure_inventory", "tenant_id": "tenant", "client_id": "client", "client_secret": "sh/h+h",
            "subscription_id": "sub", "login_url": service.url, "management_url": service.url, **more}


def test_plg_038_azure(b):
    """PLG-038, BND-019: machines with public addresses; location, tags, groups and scale sets; pages; a mapping"""
    service = azure(b)
    targets(b, **azure_reference(service))
    found = shown(b)
    assert {name: each["uri"] for name, each in found.items()} == {
        "one.example.com": "203.0.113.1", "two": "203.0.113.2", "three": "203.0.113.3"}, found
    for filters, names in (({"location": "westus"}, {"two"}), ({"tags": {"ROLE": "web"}}, {"one.example.com"}),
                           ({"tags": {"role": "web"}, "location": "westus"}, set()),
                           ({"resource_group": "grp", "scale_set": "set1"}, {"one.example.com", "two", "three"})):
        targets(b, **azure_reference(service, **filters))
        assert set(shown(b)) == names, filters
    targets(b, **azure_reference(service, tags={"role": "db"}, target_mapping={
        "name": "name", "uri": "private_ip_address", "vars": {"where": "location", "public": "public_ip_address"}}))
    three = shown(b)["three"]
    assert three["uri"] == "10.0.0.2" and three["vars"] == {"where": "eastus", "public": "203.0.113.3"}, three


def test_plg_038_azure_that_refuses(b):
    """PLG-038: the secret is not repeated, and no token goes to another server"""
    service = azure(b, secret="another")
    targets(b, **azure_reference(service))
    run = b.refused("inventory", "show", *JSON, kind="bolt/plugin-error", says="Azure's login answered with status 401: wrong secret [REDACTED]")
    assert "sh/h+h" not in run.out + run.err, run
    stranger = Service(b, lambda *_: (200, "{}"))

    def leads_away(method, *_):
        return 200, json.dumps({"access_token": "t"} if method == "POST" else {"value": [], "nextLink": stranger.url + "/x"})
    targets(b, **azure_reference(Service(b, leads_away)))
    b.refused("inventory", "show", *JSON, kind="bolt/plugin-error", says="another server, to which the token is not sent")
    assert stranger.asked == []


# ---- Google Cloud

def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def gcloud(b, key):
    """Token service and compute service in one; the assertion's signature is checked with the public key by openssl."""
    def token_is_right(body):
        fields = dict(urllib.parse.parse_qsl(body))
        assert fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer", fields
        head, claims, signature = fields["assertion"].split(".")
        b.write("signature", decoded(signature))
        checked = subprocess.run(["openssl", "dgst", "-sha256", "-verify", key.with_suffix(".pub"), "-signature",
                                  b.folder / "signature"], input=f"{head}.{claims}".encode(), capture_output=True)
        assert json.loads(decoded(head)) == {"alg": "RS256", "typ": "JWT"}
        said = json.loads(decoded(claims))
        assert said["iss"] == "me@example.com" and said["aud"] == service.url + "/token", said
        assert said["scope"].endswith("compute.readonly") and said["iat"] <= time.time() < said["exp"] <= said["iat"] + 3600, said
        return checked.returncode == 0

    def answer(method, path, headers, body):
        if method == "POST":
            if not token_is_right(body):
                return 400, json.dumps({"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
            return 200, json.dumps({"token_type": "Bearer", "access_token": "t0k3n"})
        if headers.get("authorization") != "Bearer t0k3n":
            return 401, json.dumps({"error": {"message": "no token"}})
        address = urllib.parse.urlsplit(path)
        if address.path == "/compute/v1/projects/p%20q/zones/empty/instances":
            return 200, "{}"
        assert address.path == "/compute/v1/projects/p%20q/zones/z1/instances", path
        page = dict(urllib.parse.parse_qsl(address.query)).get("pageToken")
        number = 2 if page == "to=k+2" else 1
        items = [{"name": f"vm{number}", "labels": {"role": "web"}, "networkInterfaces": [{"accessConfigs": [{"natIP": f"203.0.113.{number}"}]}]}]
        return 200, json.dumps({"items": items, **({} if page else {"nextPageToken": "to=k+2"})})
    service = Service(b, answer)
    return service


def test_plg_039_gcloud(b):
    """PLG-039, BND-019: a signed claim of the service account for a token, pages, a mapping; a wrong key is refused"""
    key, wrong = b.folder / "key.pem", b.folder / "wrong.pem"
    for path in (key, wrong):
        subprocess.run(["openssl", "genrsa", "-out", path, "2048"], check=True, capture_output=True)
    subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", key.with_suffix(".pub")], check=True, capture_output=True)
    service = gcloud(b, key)
    account = {"client_email": "me@example.com", "private_key": key.read_text(), "token_uri": service.url + "/token"}
    reference = {"_plugin": "gcloud_inventory", "project": "p q", "zone": "z1", "endpoint": service.url,
                 "target_mapping": {"name": "name", "uri": "networkInterfaces.0.accessConfigs.0.natIP", "vars": "labels"}}
    b.write("project/account.json", json.dumps(account))
    targets(b, **reference, credentials="account.json")
    found = shown(b)
    assert {name: each["uri"] for name, each in found.items()} == {"vm1": "203.0.113.1", "vm2": "203.0.113.2"}, found
    assert found["vm1"]["vars"] == {"role": "web"}, found
    targets(b, **reference, **account)
    assert set(shown(b)) == {"vm1", "vm2"}
    targets(b, **{**reference, "zone": "empty"})
    assert shown(b, env={"GOOGLE_APPLICATION_CREDENTIALS": "account.json"}) == {}
    targets(b, **reference, **{**account, "private_key": wrong.read_text()})
    run = b.refused("inventory", "show", *JSON, kind="bolt/plugin-error", says="status 400: Invalid JWT Signature.")
    assert "PRIVATE KEY" not in run.out + run.err, run
    targets(b, **{**reference, "target_mapping": {"uri": "hostname"}}, **account)
    b.refused("inventory", "show", *JSON, kind="bolt/plugin-error", says="Could not resolve lookup for hostname: instance vm1 has none")
