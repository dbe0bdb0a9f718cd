import Base
import SIPCore

/// One message of a line's timeline, in one line of text: no body, no credentials.
public struct SignalTrace: Equatable, Sendable {
    public enum Direction: String, Sendable { case sent, received }

    public let at: Instant
    public let direction: Direction
    public let flow: Flow
    /// `INVITE sip:bob@192.0.2.2`, `200 OK (INVITE)`
    public let summary: String
    public let callID: String

    /// The longest summary, in characters.
    public static let limit = 120

    init?(_ bytes: [UInt8], _ direction: Direction, _ flow: Flow, at now: Instant) {
        guard let message = try? SIPMessage(bytes.span), let callID = message.headers[.callID] else { return nil }
        self.at = now
        self.direction = direction
        self.flow = flow
        self.callID = String(callID.prefix(Self.limit))
        let line =
            switch message {
            case .request(let request): "\(request.method) \(Self.withoutPassword(request.uri))"
            case .response(let response):
                "\(response.status.code) \(response.phrase) (\(response.headers[.cSeq]?.split(separator: " ").last ?? ""))"
            }
        summary = String(line.filter { !$0.isNewline }.prefix(Self.limit))
    }

    private static func withoutPassword(_ uri: URI) -> String {
        guard var plain = uri.sip else { return uri.text }
        plain.userinfo = plain.userinfo.map { String($0.prefix { $0 != ":" }) }
        return plain.text
    }
}
