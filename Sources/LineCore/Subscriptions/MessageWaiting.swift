import SIPCore

/// Reads unsolicited NOTIFYs about messages that wait at the account's server (RFC 3842).
struct MessageWaiting: Equatable, Sendable {
    /// Identifies a NOTIFY, to detect one that a later one has overtaken.
    private struct Notice: Equatable {
        let callID: String
        let sequence: UInt32
    }

    private var last: Notice?

    /// Reads a NOTIFY of the account's server.
    /// - Returns: The number of new voice messages. Nil if the NOTIFY has no summary.
    mutating func receive(_ request: SIPRequest) throws(RequestRefusal) -> Int? {
        let (package, notice): (String, Notice)
        do throws(SIPParseError) {
            package = try request.headers.required(.event, as: LooseValue.self).word
            notice = Notice(callID: try request.headers.callID, sequence: try request.headers.cSeq.number)
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard package == MessageSummary.package else { throw .badEvent(allowing: [MessageSummary.package]) }
        if let last, last.callID == notice.callID, last.sequence >= notice.sequence {
            throw RequestRefusal(.serverInternalError)
        }
        guard !request.body.isEmpty else { return nil }
        let summary = try MessageSummary(in: request)
        last = notice
        return summary.newVoiceMessages
    }
}
