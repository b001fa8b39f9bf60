"""A certificate authority of this machine's own, made once, and the server's certificate that it issues.

Phones trust the page only after they have installed the authority, so it may vouch for addresses of home networks
only: who stole its key could not pose as any site of the Internet.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ui.doors.visit import lan_address, own_names
from ui.settings import Settings

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

FOLDER: Final = "https"
AUTHORITY_DAYS: Final = 3650
SERVER_DAYS: Final = 90
_PRIVATE: Final = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
_LOCAL_ENDS: Final = ("localhost", "local", "lan", "home", "internal", "home.arpa", "fritz.box")


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files of the server's certificate, its key (both PEM), and the authority to install (DER)."""

    server: Path
    key: Path
    authority: Path


def can_issue() -> bool:
    """Tell whether the library that makes certificates is installed (the extra `https`)."""
    return find_spec("cryptography") is not None


def certificates(settings: Settings) -> Certificates:
    """The authority, made where there is none yet, and a fresh certificate for the present addresses and names."""
    folder = settings.data_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    files = Certificates(folder / "server.pem", folder / "server.key", folder / "authority.crt")
    names = own_names(settings.host, settings.names)
    address = lan_address(settings.host)
    _issue(folder, files, [*names, *([address] if address else [])])
    return files


def _issue(folder: Path, files: Certificates, names: Iterable[str]) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.x509.oid import ExtendedKeyUsageOID

    authority, signer = _authority(folder, files.authority)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = [known for name in sorted(set(names)) if (known := _general_name(name)) is not None]
    builder = _builder("Burraco", authority.subject, key, SERVER_DAYS)
    certificate = (
        builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(subject), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    _write_key(files.key, key)
    files.server.write_bytes(certificate.public_bytes(Encoding.PEM))


def _authority(folder: Path, file: Path) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    """The authority with its key; both are made where one is missing, for phones have to install it only once."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

    key_file = folder / "authority.key"
    if file.exists() and key_file.exists():
        known = load_pem_private_key(key_file.read_bytes(), None)
        assert isinstance(known, ec.EllipticCurvePrivateKey)
        return x509.load_der_x509_certificate(file.read_bytes()), known
    key = ec.generate_private_key(ec.SECP256R1())
    title = f"Burraco ({socket.gethostname()[:40]})"
    usage = dict.fromkeys(
        ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"), False
    )
    allowed = [
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in _PRIVATE),
        *(x509.DNSName(end) for end in _LOCAL_ENDS),
    ]
    certificate = (
        _builder(title, None, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(key_cert_sign=True, crl_sign=False, encipher_only=False, decipher_only=False, **usage),
            critical=True,
        )
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_key(key_file, key)
    file.write_bytes(certificate.public_bytes(Encoding.DER))
    return certificate, key


def _builder(title: str, issuer: x509.Name | None, key: EllipticCurvePrivateKey, days: int) -> x509.CertificateBuilder:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer or subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))  # a phone's clock may be late
        .not_valid_after(now + dt.timedelta(days=days))
    )


def _general_name(name: str) -> x509.GeneralName | None:
    """A name or address as certificates write it; None where the authority may not vouch for it."""
    from cryptography import x509

    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        local = any(name == end or name.endswith(f".{end}") for end in _LOCAL_ENDS)
        return x509.DNSName(name) if local else None
    return x509.IPAddress(address) if any(address in ipaddress.ip_network(network) for network in _PRIVATE) else None


def _write_key(file: Path, key: EllipticCurvePrivateKey) -> None:
    """A private key that nobody but its owner may read, from its first byte on."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as private:
        private.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
