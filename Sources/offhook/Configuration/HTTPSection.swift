import ICECore
import YAML

/// The control interface over HTTP, and the front panel's page. Paths are kept as they are written.
struct HTTPSection: YAMLReadable {
    let address: String
    let port: UInt16
    let certificate: String?
    let key: String?
    let hosts: [String]

    private static let usualPort: UInt16 = 8_088

    init(from section: inout YAMLSection) throws(YAMLError) {
        address = try section.optional("address", .numericAddress()) ?? "127.0.0.1"
        port = try section.optional("port", .integer(in: 1...65_535)) ?? Self.usualPort
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        hosts = try section.optional("hosts", .list(of: .hostName(), count: 1...16)) ?? []
        if certificate != nil, key == nil { throw section.error("certificate", "it needs its key") }
        if key != nil, certificate == nil { throw section.error("key", "it needs its certificate") }
        if certificate == nil, IPAddress(address)?.isLoopback != true {
            throw section.error(
                "address",
                "without a certificate and its key, tokens and calls would pass the network in clear; only 127.0.0.1 or ::1 is taken"
            )
        }
    }
}

extension YAMLShape where Value == String {
    /// A host as a browser names it, without a port.
    fileprivate static func hostName() -> YAMLShape {
        .scalar("a host name, as phone.example") { text in
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
            return (1...253).contains(text.utf8.count) && isName ? text : nil
        }
    }
}
