"""A real HTTP server on the loopback address that keeps what it is sent, and answers as a test wants.

And the name server of the world outside, which tests do not ask.
"""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Listener:
    """`status` and `headers` are what it answers; `hold` is called before each answer, with the open connection."""

    url: str = ""
    calls: list[Call] = field(default_factory=list)
    connections: int = 0
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"ok"
    hold: object = None


@contextlib.contextmanager
def listening(tls=None, name="127.0.0.1"):
    """Gives a Listener. tls: the files of `certificate`."""
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def setup(self):
            listener.connections += 1
            super().setup()

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listener.calls.append(Call(self.path, dict(self.headers), body))
            if listener.hold:
                listener.hold(self.connection)
            with contextlib.suppress(OSError):
                self.send_response(listener.status)
                for header, value in listener.headers.items():
                    self.send_header(header, value)
                self.send_header("Content-Length", str(len(listener.body)))
                self.end_headers()
                self.wfile.write(listener.body)

        def log_message(self, *arguments):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            """A client that hangs up is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    listener.url = f"{'https' if tls else 'http'}://{name}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def certificate(directory, name):
    """Files of a certificate for a host, signed by itself, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    try:
        names = [x509.IPAddress(ipaddress.ip_address(name))]
    except ValueError:
        names = [x509.DNSName(name)]
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, secret = directory / f"{name}.pem", directory / f"{name}.key"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return chain, secret


def names_lead_to(monkeypatch, *addresses):
    """What the name server of the world outside says, whatever the name; one answer after the other, the last stays."""
    answers = [list(each) for each in addresses]

    def getaddrinfo(host, port, *arguments, **options):
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        if not now:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, port)) for each in now]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
