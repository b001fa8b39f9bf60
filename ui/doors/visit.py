"""Who is asking: the address they used, the page that sent them, and whether they sit at this very machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import cookie_parser
from starlette.types import Scope

from ui.settings import is_loopback

LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(frozen=True, slots=True)
class Visit:
    """What one request says of itself.

    `host` is its Host header, `name` the name or address in it ("" where there is no usable one); `client` the address
    it came from; `local` says that it comes from this machine and was meant for it; `reached` is the address of ours
    that it came in by.
    """

    path: str
    method: str
    headers: Mapping[str, str]
    host: str
    name: str
    client: str
    reached: str
    socket: bool

    @property
    def changes(self) -> bool:
        """Tell whether it may change something: any method but the safe ones, and every websocket."""
        return self.socket or self.method not in SAFE_METHODS

    @property
    def local(self) -> bool:
        """Tell whether it comes from this machine, names it so, and was not passed on by somebody else."""
        passed_on = any(name in self.headers for name in _FORWARDED)
        return is_loopback(self.client) and self.name in LOCAL_NAMES and not passed_on

    @property
    def same_origin(self) -> bool:
        """Tell whether no other site's page sent it: browsers name the page in Origin, programs send none."""
        origin = self.headers.get("origin")
        if origin is not None:
            return origin.lower() in (f"http://{self.host}", f"https://{self.host}")
        return self.headers.get("sec-fetch-site", "none") in ("same-origin", "none")

    def known(self, names: Iterable[str]) -> bool:
        """Tell whether the Host is one of ours; another name that leads here is DNS rebinding."""
        return bool(self.name) and (self.name == self.reached or self.name in names)

    def cookie(self, name: str) -> str:
        """A cookie's value, "" where it was not sent."""
        return str(cookie_parser(self.headers.get("cookie", "")).get(name, ""))


def visit_of(scope: Scope) -> Visit:
    """Read an ASGI scope of type http or websocket."""
    pairs = [(key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in scope["headers"]]
    hosts = [value for key, value in pairs if key == "host"]
    host = hosts[0].strip().lower() if len(hosts) == 1 else ""
    client, server = scope.get("client"), scope.get("server")
    return Visit(
        path=str(scope["path"]),
        method=str(scope.get("method", "GET")),
        headers=dict(pairs),
        host=host,
        name=host_name(host),
        client=plain_address(client[0]) if client else "",
        reached=plain_address(server[0]) if server else "",
        socket=scope["type"] == "websocket",
    )


def host_name(host: str) -> str:
    """The name or address in a Host header, without its port; "" where it is none.

    >>> host_name("localhost:8501"), host_name("[::1]:8501"), host_name("192.168.1.5"), host_name("a b")
    ('localhost', '::1', '192.168.1.5', '')
    """
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        port = port.removeprefix(":") if bracket else "?"
    else:
        name, _, port = host.partition(":")
    usable = name.replace("-", "").replace(".", "").replace(":", "").replace("_", "").isalnum()
    return plain_address(name.removesuffix(".")) if usable and (not port or port.isdecimal()) else ""


def plain_address(text: str) -> str:
    """An address in its usual spelling, without zone, IPv4 where it is one; anything else as it is."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def own_names(host: str, extra: Iterable[str]) -> frozenset[str]:
    """The names this server answers to, besides the address a request came in by."""
    names = {*LOCAL_NAMES, *(name.lower() for name in extra)}
    if host not in ("0.0.0.0", "::"):
        names.add(plain_address(host.lower()))
    if not is_loopback(host):
        machine = socket.gethostname().lower()
        names |= {machine, f"{machine.partition('.')[0]}.local"}
    return frozenset(names)


def lan_address(host: str) -> str | None:
    """The address that phones reach this machine by; None where it is in no network. Nothing is sent."""
    if host not in ("0.0.0.0", "::"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))  # a datagram socket only looks up the way there
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_loopback(address) or address == "0.0.0.0" else address
