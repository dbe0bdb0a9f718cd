import SIPCore

/// What another process needs to leave a call whose own process is no more: its BYE, as it would be written, behind a
/// line with the version of this form and the realm in which the server may ask who we are.
///
///     1 example.org
///     BYE sip:bob@192.0.2.2 SIP/2.0
///     From: …
struct DialogSnapshot: Equatable, Sendable {
    /// Bytes.
    static let limit = 2_048
    /// How far the BYE's CSeq is ahead of the call's when it was answered. A number that was used is refused
    /// (RFC 3261 §12.2.2), gaps are allowed, and each change of the call and each challenge uses one: a change a second
    /// takes eighteen hours to get here.
    static let reserve: UInt32 = 1 << 16

    private static let version = "1"

    let request: SIPRequest
    let realm: String?
    let hop: NextHop

    /// - Parameter realm: Nil for a call that the far end opened: a challenge in it is not answered.
    /// - Returns: Nil for a far end to which this phone cannot send.
    init?(_ dialog: Dialog, realm: String?) {
        guard let hop = NextHop(dialog.nextHop) else { return nil }
        var dialog = dialog
        let bye = dialog.request(.bye)
        // Names are for people, and long.
        request = SIPRequest(
            .bye, bye.uri, from: NameAddress(dialog.local.uri, tag: dialog.local.tag),
            to: NameAddress(dialog.remote.uri, tag: dialog.remote.tag), callID: dialog.id.callID,
            sequence: dialog.localSequence + Self.reserve
        )
        .routed(bye.headers.lines(.route))
        self.realm = realm
        self.hop = hop
    }

    /// Reads what `text` wrote; whatever else there is in it is left out.
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
        // Challenges count it up.
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

    /// Nil when it is too long to keep: the far end decides how long its names are.
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
