/// Host names in connection lines (RFC 8866 §5.7). A negotiation accepts addresses only, so somebody resolves the name
/// first.
extension SessionDescription {
    /// The name of the host at which the sender receives voice, and the port. Nil for an address, which is usual.
    public var voiceHostName: (host: String, port: UInt16)? {
        guard let line = media.first(where: { $0.kind == "audio" && $0.port != 0 }) else { return nil }
        let named = line.hosts.isEmpty ? hosts : line.hosts
        guard let name = named.first, named.allSatisfy({ PacketHost($0) == .unusable }), Self.isHostName(name) else {
            return nil
        }
        return (name, line.port)
    }

    /// The same description with an address in place of a host name.
    public func replacing(host name: String, with address: String) -> SessionDescription {
        var replaced = self
        func replace(_ host: inout String) { if host == name { host = address } }
        for index in replaced.hosts.indices { replace(&replaced.hosts[index]) }
        for line in replaced.media.indices {
            for index in replaced.media[line].hosts.indices { replace(&replaced.media[line].hosts[index]) }
        }
        return replaced
    }

    /// Whether DNS may know the text. Names of one link (RFC 6762) and invalid ones (RFC 2606) are left out.
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last, last.contains(where: { $0.isLetter }),
            !["local", "invalid"].contains(last)
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        }
    }
}
