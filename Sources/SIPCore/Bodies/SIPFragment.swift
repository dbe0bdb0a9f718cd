/// A part of a SIP message that is carried as a body (RFC 3420). It reports the progress of a call that one peer has
/// asked the other to make (RFC 3515 §2.4.5).
///
/// Only the status line is read. Headers after it are ignored.
public struct SIPFragment: Equatable, Sendable {
    public var status: SIPStatus
    public var phrase: String

    /// - Parameter phrase: Nil means the status' own phrase.
    public init(_ status: SIPStatus, phrase: String? = nil) {
        (self.status, self.phrase) = (status, (phrase ?? status.phrase).onOneLine)
    }

    /// Reads a body of type `MediaType.sipFragment`. Its first line is the status line, with or without a line break.
    public init(_ body: [UInt8]) throws(SIPParseError) {
        let line = body.drop { $0 == .cr || $0 == .lf }.prefix { $0 != .cr && $0 != .lf }
        guard line.count <= SIPLimits.line else {
            throw SIPParseError(.tooLong(limit: SIPLimits.line), at: SIPLimits.line)
        }
        let message = line + [.cr, .lf, .cr, .lf]
        switch try SIPMessage(Array(message).span) {
        case .response(let response): self.init(response.status, phrase: response.phrase)
        case .request: throw SIPParseError(.startLine, at: 0)
        }
    }

    public var bytes: [UInt8] { Array("SIP/2.0 \(status.code) \(phrase)\r\n".utf8) }
}

extension MediaType {
    /// `message/sipfrag;version=2.0` (RFC 3420 §6.1).
    public static let sipFragment: MediaType = {
        var type = MediaType(name: "message/sipfrag")
        type.parameters["version"] = "2.0"
        return type
    }()
}
