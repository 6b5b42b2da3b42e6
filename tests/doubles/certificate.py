"""Certificates for doubles that are spoken to over TLS: an authority, and what it signs, made again for each test."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PEM = serialization.Encoding.PEM
LOOPBACK = "127.0.0.1"


class Authority(NamedTuple):
    """Who signs."""

    name: x509.Name
    key: ec.EllipticCurvePrivateKey


def authority(file: Path, name: str = "authority of a test") -> Authority:
    """Make one; its certificate is written to a file, for those who are to trust it."""
    made = Authority(_name(name), ec.generate_private_key(ec.SECP256R1()))
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        _unsigned(made.name, made, made.key, _days(1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
    )
    file.write_bytes(builder.sign(made.key, hashes.SHA256()).public_bytes(PEM))
    return made


def certificate(file: Path, by: Authority, *, address: str = LOOPBACK, days: int = 1) -> Path:
    """Write a key and the certificate of a server at an address. `days` until it ends: less than 0, it has ended."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    builder = _unsigned(_name("switch of a test"), by, key, _days(days)).add_extension(names, critical=False)
    private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + builder.sign(by.key, hashes.SHA256()).public_bytes(PEM))
    return file


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _days(number: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=number)


def _unsigned(
    subject: x509.Name, by: Authority, key: ec.EllipticCurvePrivateKey, until: datetime
) -> x509.CertificateBuilder:
    """With the identifiers of both keys, as RFC 5280 wants them and Python 3.13 insists."""
    public = key.public_key()
    builder = x509.CertificateBuilder(
        issuer_name=by.name,
        subject_name=subject,
        public_key=public,
        serial_number=x509.random_serial_number(),
        not_valid_before=until - timedelta(days=30),
        not_valid_after=until,
    )
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.key.public_key())
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False).add_extension(
        signer, critical=False
    )
