/// The headers that every part of SIP uses, by their types. Each throws when its header is malformed.
extension SIPHeaders {
    public var from: NameAddress { get throws(SIPParseError) { try required(.from) } }
    public var to: NameAddress { get throws(SIPParseError) { try required(.to) } }
    public var cSeq: CSeq { get throws(SIPParseError) { try required(.cSeq) } }
    public var callID: String { get throws(SIPParseError) { try required(.callID, as: CallID.self).text } }

    /// The hop that the message came from last. Throws `.missing` without one.
    public var topVia: Via {
        get throws(SIPParseError) {
            guard let via: Via = try first(.via) else { throw SIPParseError(.missing, at: 0, in: .via) }
            return via
        }
    }
    public var vias: [Via] { get throws(SIPParseError) { try wholeList(.via) } }
    public var contacts: [NameAddress] { get throws(SIPParseError) { try list(.contact) } }
    /// The target for requests of a dialog: the first Contact to which something can be sent, else the first valid one.
    public var target: URI? {
        get throws(SIPParseError) {
            let contacts = try contacts
            return (contacts.first { $0.uri.sip != nil } ?? contacts.first { $0.uri.isValid })?.uri
        }
    }
    public var routes: [NameAddress] { get throws(SIPParseError) { try wholeList(.route) } }
    /// A route without one of its hops leads elsewhere, so an unusable hop makes the whole route invalid.
    public var recordRoutes: [NameAddress] {
        get throws(SIPParseError) {
            let hops: [NameAddress] = try wholeList(.recordRoute)
            guard hops.allSatisfy({ $0.uri.sip != nil }) else { throw SIPParseError(.host, at: 0, in: .recordRoute) }
            return hops
        }
    }

    public var maxForwards: UInt32? {
        get throws(SIPParseError) { try first(.maxForwards, as: SIPNumber.self)?.value }
    }
    /// In seconds.
    public var expires: UInt32? { get throws(SIPParseError) { try first(.expires, as: SIPNumber.self)?.value } }
    /// In seconds.
    public var minExpires: UInt32? { get throws(SIPParseError) { try first(.minExpires, as: SIPNumber.self)?.value } }
    public var contentType: MediaType? { get throws(SIPParseError) { try first(.contentType) } }
    public var reasons: [Reason] { get throws(SIPParseError) { try list(.reason) } }

    /// The words of Allow, Supported, Require and similar headers. An empty header is an empty list.
    public func tokens(_ name: SIPHeaderName) throws(SIPParseError) -> [String] {
        guard lines(name).contains(where: { !$0.isEmpty }) else { return [] }
        return try list(name, of: SIPToken.self).map(\.text)
    }
}
