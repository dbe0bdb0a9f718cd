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
