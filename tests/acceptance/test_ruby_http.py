"""The HTTP client that Ruby code of modules finds as Puppet.runtime[:http], against servers on loopback. What it
answers is what Puppet 7.23 answered to the same requests."""
import http.server
import json
import ssl
import subprocess
import threading

JSON = ("--format", "json")


class Server(http.server.BaseHTTPRequestHandler):
    """Answers what it was asked, or sends the client somewhere else."""
    protocol_version = "HTTP/1.1"
    busy = 0

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path, _, query = self.path.partition("?")
        if path == "/to":
            self.answer(302, headers=[("Location", query)])
        elif path == "/kept":
            self.answer(307, headers=[("Location", "/echo")])
        elif path == "/see":
            self.answer(303, headers=[("Location", "/echo")])
        elif path == "/nowhere":
            self.answer(301)
        elif path == "/busy":
            type(self).busy += 1
            if type(self).busy % 2:
                self.answer(503, headers=[("Retry-After", "0")])
            else:
                self.answer(200, b"free")
        elif path == "/closed":
            self.answer(503, b"no")
        elif path == "/missing":
            self.answer(404, b"not here")
        else:
            seen = {"method": self.command, "path": self.path, "body": body, "auth": self.headers.get("Authorization"),
                    "cookie": self.headers.get("Cookie"), "x": self.headers.get("X-Own"),
                    "version": self.headers.get("X-Puppet-Version"), "agent": (self.headers.get("User-Agent") or "")[:8],
                    "type": self.headers.get("Content-Type")}
            self.answer(200, json.dumps(seen).encode(), [("X-Served", "yes"), ("Content-Type", "application/json")])

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any


def serve(wrap=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    if wrap:
        server.socket = wrap.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, server.server_address[1]


def certificate(folder, name):
    """A certificate for a name that signs itself: cert and key in one file, and the certificate alone."""
    key, cert = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                    "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context, cert


def answers(b, rows, *defined, env=None):
    """What the Ruby expressions give, each in a function of its own call; an exception is its class and message."""
    b.write("modules/m/lib/puppet/functions/m/ask.rb", f"""
Puppet::Functions.create_function(:'m::ask') do
  def ask(code)
    http = Puppet.runtime[:http]
    {'; '.join(defined)}
    result = eval(code)
    result.is_a?(Puppet::HTTP::Response) ? [result.code, result.body] : result
  rescue StandardError => e
    e.class.to_s + ': ' + e.message.gsub(/\\d+\\.\\d+ seconds/, 'N seconds')
  end
end
""")
    b.write("ask.pp", "[" + ",\n".join("m::ask(@(E)\n" + row + "\n| - E\n)" for row in rows) + "]\n")
    done = b.run("eval", *JSON, "--modulepath", "modules", "--strict", "warning", "ask.pp", project=False, env=env or {})
    assert done.status == 0, done
    return done.json["value"]


def seen(method="GET", path="/echo", body="", **others):
    return {"method": method, "path": path, "body": body, "auth": None, "cookie": None, "x": None, "version": "7.23.0",
            "agent": "Puppet/7", "type": None, **others}


def echoed(answer):
    """The code, and what the server has seen."""
    return answer[0], json.loads(answer[1])


REQUESTS = (
    ("http.get(URI(base + '/echo'))", seen()),
    ("http.get(URI(base + '/echo?a=b'))", seen(path="/echo?a=b")),
    ("http.get(URI(base + '/echo?a=b'), params: { c: 'd e' })", seen(path="/echo?c=d%20e")),
    ("http.get(URI(base + '/echo'), params: { a: [1, 2], b: nil, c: true, 'd' => 'x&y' })", seen(path="/echo?a=1&a=2&c=true&d=x%26y")),
    ("http.get(URI(base + '/echo'), headers: { 'X-Own' => 'v' })", seen(x="v")),
    ("http.get(URI(base + '/echo'), options: { basic_auth: { user: 'u', password: 'p' } })", seen(auth="Basic dTpw")),
    ("http.get(URI(base.sub('//', '//u:p@') + '/echo'))", seen(auth="Basic dTpw")),
    ("http.put(URI(base + '/echo'), 'data', headers: { 'Content-Type' => 'text/plain' })",
     seen("PUT", body="data", type="text/plain")),
    ("http.post(URI(base + '/echo'), 'data', headers: { 'Content-Type' => 'text/plain' })",
     seen("POST", body="data", type="text/plain")),
    ("http.delete(URI(base + '/echo'))", seen("DELETE")),
    ("http.get(URI(base + '/kept'), headers: { 'X-Own' => 'v' })", seen(x="v")),
    ("http.post(URI(base + '/kept'), 'data', headers: { 'Content-Type' => 'a/b' })", seen("POST", body="data", type="a/b")),
    # Puppet drops these at every redirection without a host.
    ("http.get(URI(base + '/kept'), headers: { 'Authorization' => 'k', 'Cookie' => 'c' })", seen(auth="k", cookie="c")),
    ("http.get(URI(base + '/to?' + base.sub('127.0.0.1', 'localhost') + '/echo'),"
     " headers: { 'Authorization' => 'k', 'Cookie' => 'c', 'X-Own' => 'v' })", seen(x="v")),
    ("http.get(URI(base + '/to?' + base.sub('127.0.0.1', 'localhost') + '/echo'),"
     " options: { basic_auth: { user: 'u', password: 'p' } })", seen()),
)

ANSWERS = (
    ("http.head(URI(base + '/echo')).code", 200),
    ("http.head(URI(base + '/echo')).body", None),
    ("http.get(URI(base + '/missing'))", [404, "not here"]),
    ("r = http.get(URI(base + '/missing')); [r.success?, r.reason, r.code]", [False, "Not Found", 404]),
    ("r = http.get(URI(base + '/echo')); [r.success?, r['x-served'], r.url.path]", [True, "yes", "/echo"]),
    ("r = http.get(URI(base + '/kept')); r.url.path", "/echo"),
    ("http.get(URI(base + '/see')).code", 303),
    ("all = {}; http.get(URI(base + '/echo')).each_header { |k, v| all[k] = v }; all['x-served']", "yes"),
    ("got = +''; http.get(URI(base + '/missing')) { |r| r.read_body { |part| got << part } }; got", "not here"),
    ("codes = []; http.get(URI(base + '/kept')) { |r| codes << r.code }; codes", [200]),
    ("http.get(URI(base + '/missing')).read_body", "ArgumentError: A block is required"),
    # Puppet fails after it has waited: "attempt to read body out of block".
    ("http.get(URI(base + '/busy'))", [200, "free"]),
    ("http.get(URI(base + '/closed'))", [503, "no"]),
    ("http.get(URI(base + '/nowhere'))", "Puppet::HTTP::ProtocolError: Location response header is missing"),
    ("http.get(URI(base + '/to?/to?/echo'), options: { redirect_limit: 0 })",
     "Puppet::HTTP::TooManyRedirects: Too many HTTP redirections for BASE/to?/to?/echo"),
    # Puppet's message has lost the host.
    ("http.get(URI(base + '/to?/to'), options: { redirect_limit: 1 }).code",
     "Puppet::HTTP::TooManyRedirects: Too many HTTP redirections for BASE/to"),
    ("http.put(URI(base + '/echo'), 'data')", "ArgumentError: 'put' requires a 'content-type' header"),
    ("http.post(URI(base + '/echo'), nil)", "ArgumentError: 'post' requires a string 'body' argument"),
    ("http.get(URI(base + '/echo'), params: { a: {} })",
     "Puppet::HTTP::SerializationError: HTTP REST queries cannot handle values of type 'Hash'"),
    ("http.connect(URI(base + '/')) { |c| c.request_get('/missing').body }", "not here"),
    ("Puppet::HTTP::ResponseError.new(http.get(URI(base + '/missing'))).message", "Not Found"),
    ("Puppet::Network::HttpPool.connection('127.0.0.1', port, use_ssl: false).get('/missing', {}).body", "not here"),
    ("http.equal?(Puppet.runtime[:http])", True),
)


def test_requests_of_ruby_code_are_those_of_puppet(b):
    """BOLT-2b: what a server sees of a request, and where another server than the one asked sees no passwords"""
    server, port = serve()
    try:
        given = answers(b, [row for row, _ in REQUESTS], f"base = 'http://127.0.0.1:{port}'")
        for (row, wanted), answer in zip(REQUESTS, given):
            assert isinstance(answer, list), (row, answer)
            assert echoed(answer) == (200, wanted), (row, answer)
    finally:
        server.shutdown()


def test_answers_to_ruby_code_are_those_of_puppet(b):
    """BOLT-2b: codes, bodies, redirections, waiting when asked to, and what is an error"""
    server, port = serve()
    base = f"http://127.0.0.1:{port}"
    try:
        given = answers(b, [row for row, _ in ANSWERS], f"port = {port}", f"base = '{base}'")
        for (row, wanted), answer in zip(ANSWERS, given):
            assert answer == (wanted.replace("BASE", base) if isinstance(wanted, str) else wanted), (row, answer)
        # Nobody listens where the server was.
    finally:
        server.shutdown()
        server.server_close()
    [refused] = answers(b, ["http.get(URI(base + '/echo'))"], f"base = '{base}'")
    assert refused.startswith(f"Puppet::HTTP::ConnectionError: Request to {base}/echo failed after N seconds: "), refused
    assert "Connection refused" in refused, refused


def test_ruby_code_trusts_whom_puppet_trusts(b):
    """BOLT-2b: TLS: the system's authorities only when asked for, the puppet-agent's, a context of the code's own"""
    context, cert = certificate(b.folder, "localhost")
    server, port = serve(context)
    wrong, wrong_cert = certificate(b.folder, "other.example")
    wrong_server, wrong_port = serve(wrong)
    ask = f"http.get(URI('https://localhost:{port}/missing'), options: options)"
    insecure = "{ ssl_context: Puppet::SSL::SSLProvider.new.create_insecure_context }"
    own = "{ ssl_context: Puppet::SSL::SSLProvider.new.create_root_context(cacerts: [OpenSSL::X509::Certificate.new(File.read('CERT'))], revocation: false) }"
    rows = [ask.replace("options: options", "options: {}"),
            ask.replace("options: options", "options: { include_system_store: true }"),
            ask.replace("options: options", f"options: {insecure}"),
            ask.replace("options: options", f"options: {own.replace('CERT', str(cert))}"),
            f"http.get(URI('https://localhost:{wrong_port}/missing'), options: {own.replace('CERT', str(wrong_cert))})",
            ask.replace("options: options", "options: { include_system_store: true, ssl_context: 1 }")]
    try:
        given = answers(b, rows)
        trusted = answers(b, rows[1:2], env={"SSL_CERT_FILE": str(cert)})
    finally:
        server.shutdown()
        wrong_server.shutdown()
    assert "CA certificates are missing from" in given[0] and "include_system_store" in given[0], given[0]
    assert given[1].startswith("Puppet::SSL::CertVerifyError: certificate verify failed [self") and "CN=localhost]" in given[1], given[1]
    assert given[2] == [404, "not here"], given[2]
    assert given[3] == [404, "not here"], given[3]
    assert given[4] == ("Puppet::SSL::CertMismatchError: Server hostname 'localhost' did not match server certificate; "
                        "expected one of other.example, DNS:other.example"), given[4]
    assert given[5] == "Puppet::HTTP::HTTPError: The ssl_context and include_system_store parameters are mutually exclusive"
    assert trusted == [[404, "not here"]], trusted


def test_functions_call_what_published_modules_call(b):
    """BOLT-2b: the calls of azure_key_vault::secret (a cache, Net::HTTP, Sensitive) and of wmflib's functions (modules,
    parameters of the class around, functions from recursion)"""
    server, port = serve()
    b.write("modules/m/lib/puppet/functions/m/secret.rb", f"""
require_relative '../../../puppet_x/m/vault'
Puppet::Functions.create_function(:'m::secret', Puppet::Functions::InternalFunction) do
  dispatch :secret do
    cache_param
    required_param 'String', :name
    optional_param 'Hash', :identity
  end

  def secret(cache, name, identity = nil)
    Puppet.debug("name: #{{name}}")
    kept = cache.retrieve(self)
    kept[:token] = M::Vault.ask({port}, '/token')['path'] unless kept.key?(:token)
    kept[:asked] = kept.fetch(:asked, 0) + 1
    answer = M::Vault.ask({port}, "/secrets/#{{name}}", kept[:token])
    Puppet::Pops::Types::PSensitiveType::Sensitive.new([answer['path'], answer['auth'], kept[:asked]])
  end
end
""")
    b.write("modules/m/lib/puppet_x/m/vault.rb", """
require 'net/http'
require 'json'

module M
  class Vault
    def self.ask(port, path, token = nil)
      uri = URI("http://127.0.0.1:#{port}#{path}")
      req = Net::HTTP::Get.new(uri.request_uri)
      req['Authorization'] = "Bearer #{token}" if token
      res = Net::HTTP.start(uri.hostname, uri.port) { |http| http.request(req) }
      raise res.body unless res.is_a?(Net::HTTPSuccess)

      JSON.parse(res.body)
    end
  end
end
""")
    b.write("modules/m/lib/puppet/functions/m/list.rb", """
Puppet::Functions.create_function(:'m::list', Puppet::Functions::InternalFunction) do
  dispatch :list do
    param 'String', :folder
    return_type 'Array[String]'
  end
  def list(folder)
    mod = Puppet::Module.find('m')
    fail("list(): Module m not found") unless mod
    path = File.join(mod.path, '/secrets/', folder)
    fail("list(): Invalid folder #{folder}") unless File.directory?(path)
    Dir.glob(File.join(path, '*')).select { |f| !File.symlink?(f) && File.file?(f) }.sort.map { |f| f.sub(File.join(mod.path, '/secrets/'), '') }
  end
end
""")
    b.write("modules/m/lib/puppet/functions/m/dump.rb", """
Puppet::Functions.create_function(:'m::dump', Puppet::Functions::InternalFunction) do
  dispatch :dump do
    scope_param
    optional_param 'Array[String[1]]', :without
  end
  def dump(scope, without = ['name'])
    scope.resource.to_hash.collect { |k, v| [k.to_s, v] }.to_h.reject { |k, _v| without.include?(k) }
  end
end
""")
    b.write("modules/m/secrets/a/two", "2")
    b.write("modules/m/secrets/a/one", "1")
    b.write("all.pp", "class c($x, $y = 2) { notice(m::dump()) } class { 'c': x => [1] }\n"
                      "[m::secret('a').unwrap, m::secret('b').unwrap, m::list('a')]\n")
    try:
        done = b.run("eval", *JSON, "--modulepath", "modules", "all.pp", project=False)
    finally:
        server.shutdown()
    assert done.status == 0, done
    assert done.json["value"] == [["/secrets/a", "Bearer /token", 1], ["/secrets/b", "Bearer /token", 2], ["a/one", "a/two"]]
    assert [one["message"] for one in done.json["logs"] if one["level"] == "notice"] == ["{x => [1], y => 2}"], done
    b.write("bad.pp", "m::list('none')")
    done = b.run("eval", *JSON, "--modulepath", "modules", "bad.pp", project=False)
    assert done.status == 1 and "list(): Invalid folder none" in done.json["error"]["message"], done
