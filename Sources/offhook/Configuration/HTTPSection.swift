import ICECore
import YAML

/// The control interface over HTTP, and the front panel's page. Paths stay as written.
struct HTTPSection: YAMLReadable {
    let address: String
    let port: UInt16
    let certificate: String?
    let key: String?
    let hosts: [String]

    private static let usualPort: UInt16 = 8_088

    init(from section: inout YAMLSection) throws(YAMLError) {
        address = try section.optional("address", .numericAddress()) ?? "127.0.0.1"
        port = try section.optional("port", .integer(in: 1...65_535), usual: Self.usualPort)
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        hosts = try section.optional("hosts", .list(of: .hostName(), count: 1...16)) ?? []
        if certificate != nil, key == nil { throw section.error("certificate", "a certificate needs control.http.key") }
        if key != nil, certificate == nil { throw section.error("key", "a key needs control.http.certificate") }
        if certificate == nil, IPAddress(address)?.isLoopback != true {
            throw section.error(
                "address",
                "without certificate and key only 127.0.0.1 or ::1 is allowed, "
                    + "because tokens and calls would be readable on the network"
            )
        }
    }
}

extension YAMLShape where Value == String {
    /// A host in a browser's address, without a port.
    fileprivate static func hostName() -> YAMLShape {
        .scalar("a host name such as phone.example", example: "phone.example") { text in
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
            return (1...253).contains(text.utf8.count) && isName ? text : nil
        }
    }
}
