"""A web server of a test's own, on loopback."""
import http.server
import threading
from typing import NamedTuple


class Request(NamedTuple):
    method: str
    path: str  # with the query
    headers: dict  # names as they came
    body: str


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64  # with the usual 5 the sixth caller may wait a second


def serve(b, answer):
    """Begins to answer until the test ends; the URL. answer(request) returns (status, text or bytes, headers)."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            status, content, headers = answer(Request(self.command, self.path, dict(self.headers), body))
            content = content.encode() if isinstance(content, str) else content
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer_any

        def log_message(self, *_):
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    b.undo(server.server_close)
    b.undo(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}"
