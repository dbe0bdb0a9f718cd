import Base
import SIPCore

/// One message of a line as it went over the wire. It costs nothing until somebody looks at it, and never shows a secret.
public struct SignalTrace: Equatable, Sendable {
    public enum Direction: String, Sendable { case sent, received }

    public let at: Instant
    public let direction: Direction
    public let flow: Flow
    /// The bytes with their secrets; what leaves this value has none.
    private let message: Redacted<[UInt8]>

    /// The longest summary, in characters.
    public static let limit = 120

    init(_ bytes: [UInt8], _ direction: Direction, _ flow: Flow, at now: Instant) {
        self.at = now
        self.direction = direction
        self.flow = flow
        message = Redacted(bytes)
    }

    /// The whole message, in which each byte of a secret is a `*` or an `x`: credentials, media keys, passwords of ICE and of URIs.
    /// Cost: one pass over the bytes.
    public var masked: [UInt8] { SignalMask.masked(message.reveal()) }

    /// One line of text, no body, no credentials: `INVITE sip:bob@192.0.2.2`, `200 OK (INVITE)`. Cost: a parse.
    public var summary: String { reading.line }

    /// Empty where the bytes are no message. Cost: a parse.
    public var callID: String { reading.callID }

    /// Both at once, for the cost of one parse.
    public var reading: (line: String, callID: String) {
        let bytes = message.reveal()
        guard let message = try? SIPMessage(bytes.span) else { return ("no message, \(bytes.count) bytes", "") }
        let line =
            switch message {
            case .request(let request): "\(request.method) \(Self.withoutPassword(request.uri))"
            case .response(let response):
                "\(response.status.code) \(response.phrase) (\(response.headers[.cSeq]?.split(separator: " ").last ?? ""))"
            }
        let callID = message.headers[.callID] ?? ""
        return (String(line.filter { !$0.isNewline }.prefix(Self.limit)), String(callID.prefix(Self.limit)))
    }

    private static func withoutPassword(_ uri: URI) -> String {
        guard var plain = uri.sip else { return uri.text }
        plain.userinfo = plain.userinfo.map { String($0.prefix { $0 != ":" }) }
        return plain.text
    }
}
