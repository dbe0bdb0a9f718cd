"""A certificate authority, and good and bad server certificates."""
from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: Kinds of server certificates. `renewed` is valid, with a new key.
KINDS = ("valid", "renewed", "expired", "wrong-name", "other-authority")


class Authority:
    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        folder.mkdir(parents=True, exist_ok=True)
        self.certificate_path, self.key_path = folder / "ca.crt", folder / "ca.key"
        if self.certificate_path.exists() and self.key_path.exists():
            self.certificate = x509.load_pem_x509_certificate(self.certificate_path.read_bytes())
            self.key = serialization.load_pem_private_key(self.key_path.read_bytes(), None)
            return
        self.key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = (
            _builder(subject, subject, self.key, days=3650)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .sign(self.key, hashes.SHA256()))
        _write(self.certificate_path, self.certificate, self.key_path, self.key)

    def issue(
        self, stem: str, common_name: str, names: list[str] | None = None, *, days: int = 365, from_days_ago: int = 1
    ) -> tuple[Path, Path]:
        """Issues a certificate as `stem`.crt and `stem`.key.

        - Parameter names: Host names and addresses of a server; None for a client.
        - Parameter days: Validity from now on; negative if it expired.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
        purpose = ExtendedKeyUsageOID.SERVER_AUTH if names else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = (
            _builder(subject, self.certificate.subject, key, days, from_days_ago)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False))
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([_name(one) for one in names]), critical=False)
        certificate = builder.sign(self.key, hashes.SHA256())
        paths = self.folder / f"{stem}.crt", self.folder / f"{stem}.key"
        _write(paths[0], certificate, paths[1], key)
        return paths


def issue_server_certificate(folder: Path, names: list[str], kind: str, stem: str) -> tuple[Path, Path]:
    """Issues a certificate of that kind, new each time; `valid` only once, so that a test can pin it."""
    authority = Authority(folder, "Test authority of the phone's backend")
    paths = folder / f"{stem}.crt", folder / f"{stem}.key"
    if kind == "valid":
        return paths if paths[0].exists() else authority.issue(stem, names[0], names)
    stem = f"{stem}-{kind}"
    if kind == "renewed":
        return authority.issue(stem, names[0], names)
    if kind == "expired":
        return authority.issue(stem, names[0], names, days=-1, from_days_ago=30)
    if kind == "wrong-name":
        return authority.issue(stem, "elsewhere.example.org", ["elsewhere.example.org"])
    if kind == "other-authority":
        return Authority(folder / "other", "Another test authority").issue(stem, names[0], names)
    raise ValueError(f"no such kind of certificate: {kind}; there are {', '.join(KINDS)}")


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int, from_days_ago: int = 1
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=from_days_ago))
        .not_valid_after(now + datetime.timedelta(days=days)))


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=signs_certificates,
        crl_sign=signs_certificates, encipher_only=False, decipher_only=False)


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _write(
    certificate_path: Path, certificate: x509.Certificate, key_path: Path, key: ec.EllipticCurvePrivateKey
) -> None:
    certificate_path.parent.mkdir(parents=True, exist_ok=True)
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_path.touch(0o600)
    key_path.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
