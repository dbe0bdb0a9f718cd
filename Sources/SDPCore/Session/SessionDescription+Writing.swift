extension SessionDescription {
    /// The description as it is sent, in the order of RFC 8866 §5.
    public var bytes: [UInt8] {
        var text = ""
        func line(_ type: Character, _ value: String) {
            // A line break in a value would start a new line. Only a mistake in our code can put one here.
            precondition(!value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a value is one line")
            text += "\(type)=\(value)\r\n"
        }
        func attributes(_ all: [Attribute]) {
            for attribute in all { line("a", attribute.value.map { "\(attribute.name):\($0)" } ?? attribute.name) }
        }
        line("v", "0")
        line("o", "\(origin.username) \(origin.sessionID) \(origin.version) \(Self.network(origin.host))")
        line("s", name.isEmpty ? "-" : name)
        for host in hosts { line("c", Self.network(host)) }
        line("t", "0 0")
        attributes(self.attributes)
        for media in media {
            line("m", "\(media.kind) \(media.port) \(media.transport) \(media.formats.joined(separator: " "))")
            for host in media.hosts { line("c", Self.network(host)) }
            attributes(media.attributes)
        }
        return Array(text.utf8)
    }

    private static func network(_ host: String) -> String { "IN \(host.contains(":") ? "IP6" : "IP4") \(host)" }
}
