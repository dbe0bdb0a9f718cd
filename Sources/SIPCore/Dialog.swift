/// The state that two user agents share for a call or a subscription (RFC 3261 §12).
public struct Dialog: Equatable, Sendable {
    public struct ID: Hashable, Sendable {
        public let callID: String
        public let localTag: String
        /// Empty for a peer of RFC 2543, which has no tag.
        public let remoteTag: String

        public init(callID: String, localTag: String, remoteTag: String) {
            (self.callID, self.localTag, self.remoteTag) = (callID, localTag, remoteTag)
        }
    }

    public enum State: Equatable, Sendable { case early, confirmed }

    public enum Fault: Error, Equatable, Sendable {
        /// The CSeq is not above the last one: the answer is 500 (RFC 3261 §12.2.2).
        case outOfOrder(last: UInt32)
        case malformed(SIPParseError)
    }

    public let id: ID
    public private(set) var state: State
    /// Our address, with our tag.
    public let local: NameAddress
    /// The peer's address, with its tag.
    public let remote: NameAddress
    public private(set) var localSequence: UInt32
    /// Nil before the peer's first request.
    public private(set) var remoteSequence: UInt32?
    /// The address in the peer's Contact.
    public private(set) var remoteTarget: URI
    /// The proxies that stay on the path, nearest first.
    public private(set) var routeSet: [NameAddress]

    /// The dialog of a caller (RFC 3261 §12.1.2).
    /// - Throws: `.missing` in To for a provisional response without a To tag: there is no dialog yet.
    public init(sending request: SIPRequest, receiving response: SIPResponse) throws(SIPParseError) {
        // Only the tag is taken from the peer's To. The local and remote addresses are known from the request.
        let tag = try response.headers.to.tag
        guard tag != nil || response.status.isFinal else { throw SIPParseError(.missing, at: 0, in: .to) }
        var peer = try request.headers.to
        peer.tag = tag
        (local, remote) = (try request.headers.from, peer)
        id = ID(callID: try request.headers.callID, localTag: local.tag ?? "", remoteTag: tag ?? "")
        state = response.status.isFinal ? .confirmed : .early
        localSequence = try request.headers.cSeq.number
        remoteSequence = nil
        // A provisional response should carry a Contact. If the peer omits it, the 2xx gives the target. A Contact that
        // cannot be read counts as omitted: the servers on the path may know where the request URI leads.
        remoteTarget = ((try? response.headers.target) ?? nil) ?? request.uri
        routeSet = try response.headers.recordRoutes.reversed()
        try checkSize()
    }

    /// The dialog of a callee (RFC 3261 §12.1.1).
    /// - Parameter response: The response that makes the dialog, with our tag.
    public init(receiving request: SIPRequest, sending response: SIPResponse) throws(SIPParseError) {
        (local, remote) = (try response.headers.to, try request.headers.from)
        id = ID(callID: try request.headers.callID, localTag: local.tag ?? "", remoteTag: remote.tag ?? "")
        state = response.status.isFinal ? .confirmed : .early
        localSequence = 0
        remoteSequence = try request.headers.cSeq.number
        // A Contact that cannot be read gives no target, and neither does a call without one. The caller is reached over
        // the flow of its request.
        let isNamed = request.method == .invite || request.headers.contains(.contact)
        let target = (try? request.headers.target) ?? (isNamed && remote.uri.isValid ? remote.uri : nil)
        guard let target else { throw SIPParseError(.missing, at: 0, in: .contact) }
        remoteTarget = target
        routeSet = try request.headers.recordRoutes
        try checkSize()
    }

    /// Limits the size of the far end's values, because one INVITE can make many dialogs.
    private func checkSize() throws(SIPParseError) {
        let routes = routeSet.reduce(0) { $0 + $1.text.utf8.count }
        let size = routes + remoteTarget.text.utf8.count + id.remoteTag.utf8.count + remote.uri.text.utf8.count
        guard size <= SIPLimits.dialog else { throw SIPParseError(.tooLong(limit: SIPLimits.dialog), at: 0) }
    }

    /// The URI of the next hop (RFC 3261 §8.1.2). A strict router becomes the request URI, a loose one the first Route.
    public var nextHop: URI { routeSet.first?.uri ?? remoteTarget }

    /// A request in this dialog, without Contact; it takes the next CSeq (RFC 3261 §12.2.1.1).
    public mutating func request(_ method: SIPMethod) -> SIPRequest {
        precondition(method != .ack && method != .cancel, "ACK and CANCEL take the CSeq of their INVITE")
        localSequence += 1
        return routed(method, sequence: localSequence)
    }

    /// The ACK of a 2xx to our INVITE, with the INVITE's credentials (RFC 3261 §13.2.2.4, §22.1).
    public func acknowledgement(of invite: SIPRequest) throws(SIPParseError) -> SIPRequest {
        var ack = routed(.ack, sequence: try invite.headers.cSeq.number)
        ack.headers.copy(.authorization, from: invite.headers)
        ack.headers.copy(.proxyAuthorization, from: invite.headers)
        return ack
    }

    /// The PRACK of a reliable provisional response to our INVITE; it takes the next CSeq (RFC 3262 §7.2).
    public mutating func acknowledgement(
        of response: RSeq, to invite: SIPRequest
    ) throws(SIPParseError) -> SIPRequest {
        let acknowledged = RAck(response, of: try invite.headers.cSeq)
        var prack = request(.prack)
        prack.headers.set(.rAck, acknowledged)
        return prack
    }

    /// Skips numbers that may have been used: gaps are allowed, repeated numbers are not (RFC 3261 §12.2.2).
    public mutating func leap(by count: UInt32) {
        precondition(count <= CSeq.maximum - localSequence, "a CSeq is less than 2^31")
        localSequence += count
    }

    /// Confirms the early dialog of a callee, after we sent the 2xx.
    public mutating func confirm() { state = .confirmed }

    /// Handles a request of the peer. Checks the order of its CSeq, and updates the remote target if the method may do
    /// so (RFC 3261 §12.2.2). ACK and CANCEL carry the number of their INVITE and are not checked. A Contact that
    /// cannot be read leaves the target as it is.
    public mutating func receive(_ request: SIPRequest) throws(Fault) {
        guard request.method != .ack, request.method != .cancel else { return }
        let sequence: UInt32
        do throws(SIPParseError) { sequence = try request.headers.cSeq.number } catch { throw .malformed(error) }
        if let last = remoteSequence, sequence <= last { throw .outOfOrder(last: last) }
        remoteSequence = sequence
        if request.method.refreshesTarget { refreshTarget(by: request.headers) }
    }

    /// Handles a response to one of our requests in this dialog, or to the request that made it. A 2xx confirms the
    /// dialog and refreshes the target. It also fixes the route set of a dialog that was early (RFC 3261 §12.2.1.2,
    /// §13.2.2.4).
    public mutating func receive(_ response: SIPResponse, to request: SIPRequest) throws(SIPParseError) {
        guard response.status.isSuccess, request.method.refreshesTarget else { return }
        let routes = try response.headers.recordRoutes
        if state == .early, request.method == .invite {
            routeSet = routes.reversed()
            state = .confirmed
            try checkSize()
        }
        refreshTarget(by: response.headers)
    }

    private mutating func refreshTarget(by headers: SIPHeaders) {
        if let target = (try? headers.target) ?? nil { remoteTarget = target }
    }

    /// With loose routing the target is the request URI. A strict router replaces it, and the target becomes the last
    /// Route (RFC 3261 §12.2.1.1).
    private func routed(_ method: SIPMethod, sequence: UInt32) -> SIPRequest {
        let (uri, routes): (URI, [NameAddress])
        if let first = routeSet.first, first.uri.sip?.isLooseRouter != true {
            (uri, routes) = (first.uri, routeSet.dropFirst() + [NameAddress(remoteTarget)])
        } else {
            (uri, routes) = (remoteTarget, routeSet)
        }
        var request = SIPRequest(
            method, uri.asRequestURI, from: local, to: remote, callID: id.callID, sequence: sequence)
        request.headers.set(.route, routes)
        return request
    }
}

extension Dialog.ID {
    /// The dialog that a request of the peer belongs to; nil when its To has no tag and it is outside any dialog.
    public init?(_ request: SIPRequest) throws(SIPParseError) {
        guard let local = try request.headers.to.tag else { return nil }
        let remote = try request.headers.from.tag ?? ""
        self.init(callID: try request.headers.callID, localTag: local, remoteTag: remote)
    }

    /// The dialog that a response to us belongs to.
    public init(_ response: SIPResponse) throws(SIPParseError) {
        let headers = response.headers
        self.init(
            callID: try headers.callID, localTag: try headers.from.tag ?? "", remoteTag: try headers.to.tag ?? "")
    }
}

extension URI {
    /// The URI without the parts that a request URI may not have (RFC 3261 §19.1.1 table 1). A Contact must not add
    /// headers to our requests or choose their method.
    var asRequestURI: URI {
        switch self {
        case .sip(var uri):
            uri.headers = nil
            uri.parameters["method"] = nil
            return .sip(uri)
        case .tel, .other:
            return self
        }
    }
}
