import Base
import CallerInfo
import Lines
import YAML

/// The broker that sends caller info. Paths stay as written.
struct CallerInfoSection: YAMLReadable {
    private static let devicePlace = "{device}"

    let server: String
    let port: UInt16
    let device: String
    let topic: String
    /// Nil: the phone does not publish its presence.
    let presence: String?
    let user: String?
    let passwordFile: String?
    /// Nil: the authorities of `sip.tls`.
    let authorities: String?
    let pin: Fingerprint?
    let certificate: String?
    let key: String?

    init(from section: inout YAMLSection) throws(YAMLError) {
        server = try section.required("server", .text("a host name or an address", length: 1...253))
        port = try section.optional("port", .integer(in: 1...65_535), usual: BrokerSettings.usualPort)
        device = try section.required("device", .deviceName())
        let topic = try section.optional("topic", .topic()) ?? "offhook/{device}/caller-info"
        self.topic = topic.parts(between: Self.devicePlace).joined(separator: device)
        let presence = try section.optional("presence", .topic()) ?? "offhook/{device}/presence"
        self.presence = presence == "none" ? nil : presence.parts(between: Self.devicePlace).joined(separator: device)
        user = try section.optional("user", .text("a user's name"))
        passwordFile = try section.optional("password_file", .text("a path"))
        authorities = try section.optional("authorities", .text("a path"))
        pin = try section.optional("pin", .fingerprint())
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        if passwordFile != nil, user == nil {
            throw section.error("password_file", "a password needs caller_info.user")
        }
        if certificate != nil, key == nil { throw section.error("certificate", "a certificate needs caller_info.key") }
        if key != nil, certificate == nil { throw section.error("key", "a key needs caller_info.certificate") }
        if self.presence == self.topic { throw section.error("presence", "presence and topic must differ") }
    }
}

extension YAMLShape where Value == String {
    /// A name that is part of topics, so it has none of their special characters.
    fileprivate static func deviceName() -> YAMLShape {
        .scalar("a device's name: up to 64 of letters, digits, and . _ - :", example: "desk-1") { text in
            let isName = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: ":"):
                    true
                default: false
                }
            }
            return (1...64).contains(text.utf8.count) && isName ? text : nil
        }
    }

    /// A topic without wildcards: with one, a phone would get the callers of other phones.
    fileprivate static func topic() -> YAMLShape {
        .scalar("an MQTT topic without + and #", example: "offhook/desk-1/caller-info") { text in
            let isTopic = text.unicodeScalars.allSatisfy { $0 != "+" && $0 != "#" && $0.value >= 0x20 }
            return (1...256).contains(text.utf8.count) && isTopic ? text : nil
        }
    }
}
