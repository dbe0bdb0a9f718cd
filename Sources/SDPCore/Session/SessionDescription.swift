/// One end's description of a session: a sequence of media lines, and values for all of them (RFC 8866).
///
/// Lines that no decision of this phone depends on (`i= u= e= p= b= k= r= t= z=`) are left out. For them only the form
/// `letter=value` is checked.
public struct SessionDescription: Equatable, Sendable {
    /// The author of the description and its version (`o=`, RFC 8866 §5.2).
    public struct Origin: Equatable, Sendable {
        public var username: String
        public var sessionID: String
        /// Increases by one with each change (RFC 3264 §8).
        public var version: UInt64
        public var host: String

        public init(username: String = "-", sessionID: String, version: UInt64, host: String) {
            self.username = username
            self.sessionID = sessionID
            self.version = version
            self.host = host
        }
    }

    /// One `a=` line. A nil value is a flag, which differs from an empty value.
    public struct Attribute: Equatable, Sendable {
        public var name: String
        public var value: String?

        public init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    public var origin: Origin
    public var name: String
    /// The hosts of the session's `c=` lines. A media line's own hosts take precedence.
    var hosts: [String]
    public var attributes: [Attribute]
    public var media: [MediaDescription]

    public var host: String? { hosts.first }

    public init(
        origin: Origin, name: String = "-", host: String? = nil, attributes: [Attribute] = [],
        media: [MediaDescription] = []
    ) {
        self.origin = origin
        self.name = name
        hosts = host.map { [$0] } ?? []
        self.attributes = attributes
        self.media = media
    }

    /// The values of every session attribute of that name, in order.
    public func values(of name: String) -> [String] { attributes.compactMap { $0.name == name ? $0.value : nil } }
}

/// One `m=` line and the lines that belong to it (RFC 8866 §5.14).
public struct MediaDescription: Equatable, Sendable {
    /// `audio`, `video`, …
    public var kind: String
    /// Port 0 refuses the line (RFC 3264 §6).
    public var port: UInt16
    /// `RTP/AVP`, `RTP/SAVP`, …
    public var transport: String
    /// Payload types of an RTP line, in the order of preference. Some peers give none in lines that they refuse.
    public var formats: [String]
    /// The hosts of its `c=` lines. Usually there is one, or none if the session's host applies.
    var hosts: [String]
    public var attributes: [SessionDescription.Attribute]

    public var host: String? { hosts.first }

    public init(
        kind: String, port: UInt16, transport: String, formats: [String], host: String? = nil,
        attributes: [SessionDescription.Attribute] = []
    ) {
        self.kind = kind
        self.port = port
        self.transport = transport
        self.formats = formats
        hosts = host.map { [$0] } ?? []
        self.attributes = attributes
    }

    /// The values of every attribute of that name, in order. A flag has no value.
    public func values(of name: String) -> [String] {
        attributes.compactMap { $0.name == name ? $0.value : nil }
    }

    public func hasFlag(_ name: String) -> Bool { attributes.contains { $0.name == name } }

    /// The same line, refused. It keeps its place and has no attributes. It has a format, because each line must have
    /// one, and any one will do (RFC 3264 §6).
    var refused: MediaDescription {
        MediaDescription(kind: kind, port: 0, transport: transport, formats: [formats.first ?? "0"])
    }
}

/// The direction of voice, from the point of view of the end that states it (RFC 8866 §6.7).
public enum Direction: String, CaseIterable, Sendable {
    case sendrecv, sendonly, recvonly, inactive

    public init(sends: Bool, receives: Bool) {
        self =
            switch (sends, receives) {
            case (true, true): .sendrecv
            case (true, false): .sendonly
            case (false, true): .recvonly
            case (false, false): .inactive
            }
    }

    public var sends: Bool { self == .sendrecv || self == .sendonly }
    public var receives: Bool { self == .sendrecv || self == .recvonly }

    /// The same direction from the other end's point of view.
    public var mirrored: Direction { Direction(sends: receives, receives: sends) }

    /// The direction that both allow.
    public func intersection(_ other: Direction) -> Direction {
        Direction(sends: sends && other.sends, receives: receives && other.receives)
    }

    /// The media line's own direction, else the session's, else both ways.
    init(of media: MediaDescription, in session: SessionDescription) {
        self =
            (media.attributes + session.attributes).lazy.compactMap {
                $0.value == nil ? Direction(rawValue: $0.name.lowercased()) : nil
            }.first ?? .sendrecv
    }
}

extension MediaSource {
    /// For ends that must know the source before the first packet. Some media servers drop packets from a source that
    /// no description has named (RFC 5576 §4.1, §6.1).
    var attribute: SessionDescription.Attribute { .init("ssrc", "\(ssrc) cname:\(canonicalName)") }
}

/// Lines that share a transport (RFC 8843). We accept one of the offered lines, which then forms a group alone.
extension SessionDescription {
    /// The session attribute of an answer for the group of this line. Empty if the line is in no group.
    func bundle(of line: MediaDescription) -> [Attribute] {
        guard let name = line.values(of: "mid").first else { return [] }
        let isBundled = values(of: "group").contains { group in
            let words = group.split(separator: " ")
            return words.first == "BUNDLE" && words.dropFirst().contains { $0 == name }
        }
        return isBundled ? [Attribute("group", "BUNDLE \(name)")] : []
    }
}

extension MediaDescription {
    /// The line's name in its description (RFC 5888 §4), which an answer repeats.
    var identification: [SessionDescription.Attribute] { attributes.filter { $0.name == "mid" && $0.value != nil } }
}

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
