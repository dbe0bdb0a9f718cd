import SDPCore
import SIPCore

/// Peers of the direct line that changed their address. An account's server finds its far ends again itself.
extension LineMachine {
    /// Whether a request shows that the call's far end has moved to this flow. A re-INVITE or UPDATE names the new
    /// Contact (RFC 3261 §12.2.1.1).
    ///
    /// The names in the request prove nothing, because anyone who has seen a message of the call knows them. So the
    /// request must come from a listed host and from exactly the address in its Contact, over a transport that the call
    /// may take. It must also offer the SDES key that already protects the far end's voice. A certificate's fingerprint
    /// proves nothing, because everybody on the path may know it.
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
