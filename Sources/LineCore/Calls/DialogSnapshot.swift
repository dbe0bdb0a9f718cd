import SIPCore

/// What another process needs to end a call whose own process is gone: the BYE as it would be sent. The first line has
/// the version of this format, and the realm in which the server may challenge the BYE.
///
///     1 example.org
///     BYE sip:bob@192.0.2.2 SIP/2.0
///     From: …
struct DialogSnapshot: Equatable, Sendable {
    /// In bytes.
    static let limit = 2_048
    /// How far the BYE's CSeq is ahead of the CSeq that the call had when it was answered. The far end refuses a CSeq
    /// that was used already (RFC 3261 §12.2.2), and allows gaps. Each change of the call and each challenge uses one
    /// number. At one change per second this reserve lasts eighteen hours.
    static let reserve: UInt32 = 1 << 16

    private static let version = "1"

    let request: SIPRequest
    let realm: String?
    let hop: NextHop

    /// - Parameter realm: Nil for a call that the far end opened, in which no challenge is answered.
    /// - Returns: Nil if this phone cannot send to the far end.
    init?(_ dialog: Dialog, realm: String?) {
        guard let hop = NextHop(dialog.nextHop) else { return nil }
        var dialog = dialog
        let bye = dialog.request(.bye)
        // Display names are long and only for people, so they are left out.
        request = SIPRequest(
            .bye, bye.uri, from: NameAddress(dialog.local.uri, tag: dialog.local.tag),
            to: NameAddress(dialog.remote.uri, tag: dialog.remote.tag), callID: dialog.id.callID,
            sequence: dialog.localSequence + Self.reserve
        )
        .routed(bye.headers.lines(.route))
        self.realm = realm
        self.hop = hop
    }

    /// Reads the output of `text`, and rejects anything else.
    init(_ text: String) throws(SIPParseError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit else { throw SIPParseError(.tooLong(limit: Self.limit), at: Self.limit) }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let first = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard first.first.map(String.init) == Self.version else { throw SIPParseError(.version, at: 0) }
        realm = first.count > 1 ? String(first[1]) : nil
        let message = Array(bytes[end...].dropFirst())
        guard case .request(let bye) = try SIPMessage(message.span), bye.method == .bye, bye.uri.sip?.headers == nil
        else { throw SIPParseError(.startLine, at: end) }
        let (local, sequence) = (try bye.headers.from, try bye.headers.cSeq)
        guard local.tag != nil else { throw SIPParseError(.missing, at: 0, in: .from) }
        // Each challenge increments the CSeq, so there must be room above it.
        guard sequence.method == .bye, sequence.number <= CSeq.maximum / 2 else {
            throw SIPParseError(.methodMismatch, at: 0, in: .cSeq)
        }
        request = SIPRequest(
            .bye, bye.uri, from: local, to: try bye.headers.to, callID: try bye.headers.callID,
            sequence: sequence.number
        )
        .routed(try bye.headers.routes.map(\.text))
        guard let hop = NextHop(try request.nextHop) else { throw SIPParseError(.scheme, at: 0) }
        self.hop = hop
    }

    /// Nil if it is too long to be stored. The far end decides how long its addresses are.
    var text: String? {
        let text =
            ([Self.version] + (realm.map { [$0] } ?? [])).joined(separator: " ") + "\n"
            + String(decoding: request.bytes, as: UTF8.self)
        return text.utf8.count <= Self.limit && realm?.contains(where: \.isNewline) != true ? text : nil
    }
}

extension SIPRequest {
    fileprivate func routed(_ routes: [String]) -> SIPRequest {
        var request = self
        for route in routes { request.headers.append(.route, route) }
        return request
    }
}
