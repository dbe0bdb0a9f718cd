import SecureTransport

/// How a line authenticates itself and its servers, on TLS 1.2 and 1.3.
public struct TLSSettings: Equatable, Sendable {
    public typealias Identity = TLSIdentityFiles

    /// PEM file of the trusted authorities. Nil: the system's.
    public var authorities: String?
    /// The certificate for servers that ask for one, and for every peer that connects to `port`.
    public var identity: Identity?
    /// SHA-256 of the one certificate that the server may show. Authorities and names do not count then.
    public var fingerprint: Fingerprint?
    /// The port on which the line listens for TLS. Nil: none. Needs an identity.
    public var port: UInt16?

    public init(
        authorities: String? = nil, identity: Identity? = nil, fingerprint: Fingerprint? = nil, port: UInt16? = nil
    ) {
        (self.authorities, self.identity, self.fingerprint, self.port) = (authorities, identity, fingerprint, port)
    }
}

/// SHA-256 of a certificate's DER form.
public struct Fingerprint: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Precondition: 32 bytes.
    init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "SHA-256 has 32 bytes")
        self.bytes = bytes
    }

    /// - Parameter text: 64 hexadecimal digits, with or without colons, as `openssl x509 -fingerprint -sha256` writes
    ///   them.
    public init?(_ text: String) {
        let digits = text.filter { $0 != ":" }
        guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else { return nil }
        let values = digits.compactMap(\.hexDigitValue).map { UInt8($0) }
        bytes = stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
