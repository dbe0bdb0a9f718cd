import Lines
import YAML

/// The authorities that lines trust over TLS, and the lines' own certificate. Paths stay as written.
struct TLSSection: YAMLReadable {
    /// The port on which the first line accepts TLS; nil: none.
    var port: UInt16?
    /// The file of trusted authorities; nil: the system's.
    var authorities: String?
    var certificate: String?
    var key: String?
    /// The only certificate that an account's server may show, by account label.
    var pins: [(label: String, fingerprint: Fingerprint)] = []

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        port = try section.optional("port", .integer(in: 1...65_535))
        authorities = try section.optional("authorities", .text("a path"))
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        pins =
            try section.optional("pins", .table(of: .accountLabel(), to: .fingerprint(), count: 0...64))?
            .map { ($0, $1) } ?? []
        if certificate != nil, key == nil { throw section.error("certificate", "a certificate needs sip.tls.key") }
        if key != nil, certificate == nil { throw section.error("key", "a key needs sip.tls.certificate") }
        if port != nil, certificate == nil { throw section.error("port", "accepting TLS needs certificate and key") }
    }
}

extension YAMLShape where Value == Fingerprint {
    static func fingerprint() -> YAMLShape {
        .scalar(
            "the SHA-256 of a certificate, 64 hexadecimal digits with or without colons",
            example: String(repeating: "0", count: 64)
        ) { Fingerprint($0) }
    }
}
