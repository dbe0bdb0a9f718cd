import SDPCore
import SIPCore

/// Peers of the direct line that are somewhere else than before. An account's far ends are found again by its server.
extension LineMachine {
    /// Whether a request says that the far end of this call has moved here (RFC 3261 §12.2.1.1: a re-INVITE or UPDATE
    /// names the new Contact).
    ///
    /// Its names alone do not show whose the request is, because whoever has seen a message of the call knows them. So
    /// it has to come from a listed host and from the very place that it names, over a transport that the call may take,
    /// and to offer the key with which the far end protects its voice already. Everybody on the path may know the
    /// fingerprint of a certificate, so that it shows nothing.
    func isMoved(_ request: SIPRequest, over flow: Flow, to id: LegID) -> Bool {
        guard configuration.account == nil, isListed(flow.remote.host),
            request.method == .invite || request.method == .update,
            dialogFlows[id]?.allows(flow.transport) == true, let contact = try? request.headers.contacts.first,
            let hop = NextHop(contact.uri), hop.mayBeSource(of: flow, otherwise: usualTransport(of: id) ?? .udp),
            case .established(let established) = legs[id], let key = established.offerAnswer.agreed?.sdes?.receiveKey,
            let body = try? request.body(of: .sdp), let offer = try? SessionDescription(parsing: body)
        else { return false }
        return offer.names(key)
    }
}
